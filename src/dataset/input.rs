//! Where the bytes come from.

use super::EMBEDDED;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
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
    /// # Errors
    /// When the file cannot be opened, or is a folder.
    pub fn open(name: &str) -> Result<Self, InputError> {
        if name == "-" {
            return Ok(Input::from_reader("-", None, io::stdin()));
        }
        let opened = File::open(name).and_then(|file| {
            let metadata = file.metadata()?;
            if metadata.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            Ok((metadata.is_file().then_some(metadata.len()), file))
        });
        match opened {
            Ok((length, file)) => Ok(Input::from_reader(name, length, file)),
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
