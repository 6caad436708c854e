//! A pipe whose reader can stop waiting.

use std::io::{self, Cursor, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// How long it may take until an interrupt is noticed.
const LOOK: Duration = Duration::from_millis(50);

/// Bytes that are read from a pipe at a time.
const PORTION: usize = 64 * 1024;

/// Reads a pipe on a thread of its own, so that whoever waits for it can stop waiting.
pub(super) struct Patient {
    portions: Receiver<io::Result<Vec<u8>>>,
    portion: Cursor<Vec<u8>>,
    interrupt: &'static AtomicBool,
}

impl Patient {
    pub(super) fn new(
        mut pipe: impl Read + Send + 'static,
        interrupt: &'static AtomicBool,
    ) -> Self {
        let (send, portions) = sync_channel(4);
        // Nobody waits for this thread: after an interrupt it may hang in its last read.
        std::thread::spawn(move || {
            loop {
                let mut portion = vec![0; PORTION];
                let read = pipe.read(&mut portion).map(|count| {
                    portion.truncate(count);
                    portion
                });
                let is_last = read.as_ref().is_ok_and(Vec::is_empty);
                if send.send(read).is_err() || is_last {
                    return;
                }
            }
        });
        Patient { portions, portion: Cursor::default(), interrupt }
    }
}

impl Read for Patient {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.portion.position() == self.portion.get_ref().len() as u64 {
            match self.portions.recv_timeout(LOOK) {
                Ok(portion) => self.portion = Cursor::new(portion?),
                Err(RecvTimeoutError::Timeout) if !self.interrupt.load(Ordering::Relaxed) => {
                    continue;
                }
                Err(RecvTimeoutError::Timeout) => return Err(io::Error::other("interrupted")),
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
            if self.portion.get_ref().is_empty() {
                return Ok(0);
            }
        }
        self.portion.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_that_says_nothing_can_be_left() {
        static INTERRUPT: AtomicBool = AtomicBool::new(false);
        let (reader, mut writer) = io::pipe().unwrap();
        let mut patient = Patient::new(reader, &INTERRUPT);
        io::Write::write_all(&mut writer, b"53..7").unwrap();
        let mut text = [0; 5];
        patient.read_exact(&mut text).unwrap();
        assert_eq!(&text, b"53..7");
        INTERRUPT.store(true, Ordering::Relaxed);
        assert_eq!(patient.read(&mut text).unwrap_err().to_string(), "interrupted");
        drop(writer);
    }

    #[test]
    fn a_pipe_gives_all_that_was_written() {
        static INTERRUPT: AtomicBool = AtomicBool::new(false);
        let text: Vec<u8> = (0..500_000_u32).map(|n| (n % 251) as u8).collect();
        let mut patient = Patient::new(Cursor::new(text.clone()), &INTERRUPT);
        let mut read = Vec::new();
        patient.read_to_end(&mut read).unwrap();
        assert_eq!(read, text);
        assert_eq!(patient.read(&mut [0; 8]).unwrap(), 0);
    }
}
