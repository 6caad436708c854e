//! A buffer whose next bytes can be looked at.

use std::io::{self, BufRead, ErrorKind, Read};

/// Bytes that are read at a time. When compressed data is damaged, what stands before the damage in
/// the same portion can be lost with it: a small portion loses little.
const PORTION: usize = 16 * 1024;

/// Buffers a reader, looks ahead in it, and remembers whether it failed or came to its end: after
/// its end it is not asked again.
#[derive(Debug)]
pub(super) struct Portions<R> {
    source: R,
    buffer: Box<[u8]>,
    start: usize,
    end: usize,
    at_end: bool,
    failed: bool,
}

impl<R: Read> Portions<R> {
    pub(super) fn new(source: R) -> Self {
        let buffer = vec![0; PORTION].into();
        Portions { source, buffer, start: 0, end: 0, at_end: false, failed: false }
    }

    /// The next bytes, which stay unread: `length`, or fewer before the end.
    pub(super) fn peek(&mut self, length: usize) -> io::Result<&[u8]> {
        while self.end - self.start < length && !self.at_end {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
            self.read_more()?;
        }
        Ok(&self.buffer[self.start..self.end.min(self.start + length)])
    }

    /// Whether the reader failed, so that an error that came by way of this buffer is its own.
    pub(super) fn failed(&self) -> bool {
        self.failed
    }

    /// Reads behind what is in the buffer.
    fn read_more(&mut self) -> io::Result<()> {
        let read = read(&mut self.source, &mut self.buffer[self.end..]);
        self.end += self.note(read)?;
        Ok(())
    }

    fn note(&mut self, read: io::Result<usize>) -> io::Result<usize> {
        self.failed = read.is_err();
        self.at_end = matches!(read, Ok(0));
        read
    }
}

/// Reads once, however often a signal gets in the way.
fn read(source: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match source.read(buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

impl<R: Read> BufRead for Portions<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end && !self.at_end {
            (self.start, self.end) = (0, 0);
            self.read_more()?;
        }
        Ok(&self.buffer[self.start..self.end])
    }

    fn consume(&mut self, count: usize) {
        self.start = self.end.min(self.start + count);
    }
}

impl<R: Read> Read for Portions<R> {
    /// Where nothing is buffered and much is wanted, the bytes go past the buffer.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.start == self.end && buffer.len() >= PORTION && !self.at_end {
            let read = read(&mut self.source, buffer);
            return self.note(read);
        }
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}
