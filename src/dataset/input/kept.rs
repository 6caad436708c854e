//! A stream that can be read again.

use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

/// Keeps what was read from a stream, so that it can be read again.
pub(super) struct Kept {
    /// `None` once it has ended: a terminal would ask for more.
    stream: Option<Box<dyn Read + Send>>,
    bytes: Cursor<Vec<u8>>,
}

impl Kept {
    pub(super) fn new(stream: Box<dyn Read + Send>) -> Self {
        Kept { stream: Some(stream), bytes: Cursor::default() }
    }
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
