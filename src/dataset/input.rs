//! Where the bytes come from.

use super::EMBEDDED;
use crate::digest::hex;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, OnceLock};
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
    bytes: Bytes,
    read: Arc<AtomicU64>,
    /// The hash of the bytes so far, where the end is still to come and somebody wants it.
    hash: Option<(Sha256, InputHash)>,
}

enum Bytes {
    Seekable(Box<dyn ReadSeek + Send>),
    Stream(Box<dyn Read + Send>),
}

trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

/// Tells the hash of an [`Input`] that was [`hashed`](Input::hashed), whoever reads it.
#[derive(Clone, Debug, Default)]
pub struct InputHash(Arc<OnceLock<String>>);

impl InputHash {
    /// The SHA-256 of all bytes as they are stored, in lower-case hexadecimal, once the end of the
    /// input has been read.
    pub fn get(&self) -> Option<&str> {
        self.0.get().map(String::as_str)
    }
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
            Ok((Some(length), file)) => Ok(Input::seekable(name, length, file)),
            Ok((None, pipe)) => Ok(waiting(Box::new(pipe))),
            Err(source) => Err(InputError { name: name.into(), source }),
        }
    }

    /// The data set inside the binary, named `embedded`.
    pub fn embedded() -> Self {
        Input::seekable("embedded", EMBEDDED.len() as u64, Cursor::new(EMBEDDED))
    }

    /// An input from any reader, with its length in bytes where that is known.
    pub fn from_reader(
        name: &str,
        length: Option<u64>,
        reader: impl Read + Send + 'static,
    ) -> Self {
        Input::new(name, length, Bytes::Stream(Box::new(reader)))
    }

    fn seekable(name: &str, length: u64, reader: impl Read + Seek + Send + 'static) -> Self {
        Input::new(name, Some(length), Bytes::Seekable(Box::new(reader)))
    }

    fn new(name: &str, length: Option<u64>, bytes: Bytes) -> Self {
        Input { name: name.into(), length, bytes, read: Arc::default(), hash: None }
    }

    /// The same input, and where its hash will be found when it was read to its end from the
    /// start.
    pub fn hashed(mut self) -> (Self, InputHash) {
        let hash = InputHash::default();
        self.hash = Some((Sha256::new(), hash.clone()));
        (self, hash)
    }

    /// The same input, which can be read again: what comes from a pipe, standard input or
    /// [`Input::from_reader`] is kept in memory as it is read. Files and the embedded data set are
    /// read again where they are.
    pub fn rereadable(mut self) -> Self {
        if let Bytes::Stream(stream) = self.bytes {
            let kept = Kept { stream: Some(stream), bytes: Cursor::default() };
            self.bytes = Bytes::Seekable(Box::new(kept));
        }
        self
    }

    /// The name as it was typed.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Length in bytes, unless the input is a pipe.
    pub fn length(&self) -> Option<u64> {
        self.length
    }

    /// A counter of the bytes read so far, for another thread to watch. What is read again counts
    /// again.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.read)
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = match &mut self.bytes {
            Bytes::Seekable(bytes) => bytes.read(buffer)?,
            Bytes::Stream(bytes) => bytes.read(buffer)?,
        };
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        if let Some((hash, _)) = &mut self.hash {
            hash.update(&buffer[..count]);
        }
        let is_end = count == 0 && !buffer.is_empty();
        if let Some((hash, told)) = self.hash.take_if(|_| is_end) {
            told.0.get_or_init(|| hex(&hash.finalize()));
        }
        Ok(count)
    }
}

impl Seek for Input {
    /// Fails for a stream that was not made [`rereadable`](Input::rereadable); one that was can go
    /// back, but not beyond what was read. A hash whose end was not reached is given up.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.hash = None;
        match &mut self.bytes {
            Bytes::Seekable(bytes) => bytes.seek(to),
            Bytes::Stream(_) => Err(io::ErrorKind::NotSeekable.into()),
        }
    }
}

/// Keeps what was read from a stream, so that it can be read again.
struct Kept {
    /// `None` once it has ended: a terminal would ask for more.
    stream: Option<Box<dyn Read + Send>>,
    bytes: Cursor<Vec<u8>>,
}

impl Read for Kept {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read(buffer)?;
        let Some(stream) = self.stream.as_mut().filter(|_| count == 0 && !buffer.is_empty()) else {
            return Ok(count);
        };
        let count = stream.read(buffer)?;
        self.bytes.write_all(&buffer[..count])?;
        if count == 0 {
            self.stream = None;
        }
        Ok(count)
    }
}

impl Seek for Kept {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let before = self.bytes.position();
        let position = self.bytes.seek(to)?;
        if position > self.bytes.get_ref().len() as u64 {
            self.bytes.set_position(before);
            return Err(io::ErrorKind::InvalidInput.into());
        }
        Ok(position)
    }
}

/// How long it may take until an interrupt is noticed.
const LOOK: Duration = Duration::from_millis(50);

/// Bytes that are read from a pipe at a time.
const PORTION: usize = 64 * 1024;

/// Reads a pipe on a thread of its own, so that whoever waits for it can stop waiting.
struct Patient {
    portions: Receiver<io::Result<Vec<u8>>>,
    portion: Cursor<Vec<u8>>,
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

    const TEXT: &[u8] = b"53..7....";

    /// `sha256sum` of [`TEXT`].
    const HASH: &str = "3cd1be7add1c72092a595b697df1e059a1eb8920fcd46b31c57a0f52e8e20cca";

    #[test]
    fn the_hash_is_known_at_the_end_and_not_before() {
        let (mut input, hash) = Input::from_reader("text", None, TEXT).hashed();
        input.read_exact(&mut [0; TEXT.len()]).unwrap();
        assert_eq!(input.read(&mut []).unwrap(), 0);
        assert_eq!(hash.get(), None);
        assert_eq!(input.read(&mut [0; 8]).unwrap(), 0);
        assert_eq!(hash.get(), Some(HASH));
    }

    #[test]
    fn the_hash_is_not_disturbed_by_what_is_read_again() {
        let (input, hash) = Input::from_reader("text", None, TEXT).hashed();
        let mut input = input.rereadable();
        io::copy(&mut input, &mut io::sink()).unwrap();
        input.seek(SeekFrom::Start(5)).unwrap();
        assert_eq!(io::read_to_string(&mut input).unwrap(), "....");
        assert_eq!(hash.get(), Some(HASH));
    }

    #[test]
    fn there_is_no_hash_of_what_was_not_read_in_order() {
        let (input, hash) = Input::from_reader("text", None, TEXT).hashed();
        let mut input = input.rereadable();
        input.read_exact(&mut [0; 5]).unwrap();
        input.seek(SeekFrom::Start(2)).unwrap();
        assert_eq!(io::read_to_string(&mut input).unwrap(), "..7....");
        assert_eq!(hash.get(), None);
    }

    #[test]
    fn a_stream_can_go_back_when_it_is_kept_and_only_there() {
        let mut stream = Input::from_reader("text", None, TEXT);
        assert_eq!(stream.rewind().unwrap_err().kind(), io::ErrorKind::NotSeekable);
        let mut kept = stream.rereadable();
        kept.read_exact(&mut [0; 4]).unwrap();
        assert_eq!(kept.seek(SeekFrom::Start(5)).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        kept.rewind().unwrap();
        assert_eq!(io::read_to_string(&mut kept).unwrap().as_bytes(), TEXT);
    }

    #[test]
    fn a_terminal_is_not_asked_again_after_its_end() {
        /// Has nothing to say, and says so once.
        struct Terminal(bool);
        impl Read for Terminal {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                assert!(!std::mem::replace(&mut self.0, true), "asked again");
                Ok(0)
            }
        }
        let mut input = Input::from_reader("-", None, Terminal(false)).rereadable();
        assert_eq!(io::copy(&mut input, &mut io::sink()).unwrap(), 0);
        input.rewind().unwrap();
        assert_eq!(io::copy(&mut input, &mut io::sink()).unwrap(), 0);
    }
}
