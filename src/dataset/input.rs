//! Where the bytes come from.

use super::EMBEDDED;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;
use thiserror::Error;

/// The input could not be opened.
#[derive(Debug, Error)]
#[error("cannot open `{name}`")]
pub struct InputError {
    name: String,
    source: io::Error,
}

/// A named stream of bytes that counts what was read from it.
pub struct Input {
    name: String,
    length: Option<u64>,
    bytes: Box<dyn Read + Send>,
    read: Arc<AtomicU64>,
}

impl Input {
    /// Opens a file, or standard input when `name` is `-`.
    ///
    /// A pipe may keep its reader waiting for ever. When `interrupt` is given and set meanwhile,
    /// reading fails.
    ///
    /// # Errors
    /// When the file cannot be opened, or is a folder.
    pub fn open(name: &str, interrupt: Option<&'static AtomicBool>) -> Result<Self, InputError> {
        let waiting = |reader: Box<dyn Read + Send>| match interrupt {
            Some(interrupt) => Input::from_reader(name, None, Patient::new(reader, interrupt)),
            None => Input::from_reader(name, None, reader),
        };
        if name == "-" {
            return Ok(waiting(Box::new(io::stdin())));
        }
        let opened = File::open(name).and_then(|file| {
            let metadata = file.metadata()?;
            if metadata.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            Ok((metadata.is_file().then_some(metadata.len()), file))
        });
        match opened {
            Ok((Some(length), file)) => Ok(Input::from_reader(name, Some(length), file)),
            Ok((None, pipe)) => Ok(waiting(Box::new(pipe))),
            Err(source) => Err(InputError { name: name.into(), source }),
        }
    }

    /// The data set inside the binary, named `embedded`.
    pub fn embedded() -> Self {
        Input::from_reader("embedded", Some(EMBEDDED.len() as u64), EMBEDDED)
    }

    /// An input from any reader, with its length in bytes where that is known.
    pub fn from_reader(
        name: &str,
        length: Option<u64>,
        reader: impl Read + Send + 'static,
    ) -> Self {
        Input { name: name.into(), length, bytes: Box::new(reader), read: Arc::default() }
    }

    /// The name as it was typed.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Length in bytes, unless the input is a pipe.
    pub fn length(&self) -> Option<u64> {
        self.length
    }

    /// A counter of the bytes read so far, for another thread to watch.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.read)
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// How long it may take until an interrupt is noticed.
const LOOK: Duration = Duration::from_millis(50);

/// Bytes that are read from a pipe at a time.
const PORTION: usize = 64 * 1024;

/// Reads a pipe on a thread of its own, so that whoever waits for it can stop waiting.
struct Patient {
    portions: Receiver<io::Result<Vec<u8>>>,
    portion: io::Cursor<Vec<u8>>,
    interrupt: &'static AtomicBool,
}

impl Patient {
    fn new(mut pipe: impl Read + Send + 'static, interrupt: &'static AtomicBool) -> Self {
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
        Patient { portions, portion: io::Cursor::default(), interrupt }
    }
}

impl Read for Patient {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.portion.position() == self.portion.get_ref().len() as u64 {
            match self.portions.recv_timeout(LOOK) {
                Ok(portion) => self.portion = io::Cursor::new(portion?),
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
        let mut patient = Patient::new(io::Cursor::new(text.clone()), &INTERRUPT);
        let mut read = Vec::new();
        patient.read_to_end(&mut read).unwrap();
        assert_eq!(read, text);
        assert_eq!(patient.read(&mut [0; 8]).unwrap(), 0);
    }
}
