//! Finds records among rows.

use super::{PartialError, PartialSummary};
use crate::dataset::{PARTIAL_START, is_partial};
use std::io::{self, BufRead, Read};

/// No record is longer, in bytes. That of 100,000 shards has a megabyte.
pub(super) const MAX_LINE: u64 = 16 << 20;

/// Finds the records among the rows of a file, of which memory holds none.
pub struct Partials<R> {
    input: R,
    line: u64,
    text: Vec<u8>,
}

impl<R: BufRead> Partials<R> {
    /// From the start of a file.
    pub fn new(input: R) -> Self {
        Partials { input, line: 0, text: Vec::new() }
    }

    /// Lines that were read.
    pub fn lines(&self) -> u64 {
        self.line
    }

    /// The next record, which stands on the last line that was read; `None` when there is no more.
    ///
    /// # Errors
    /// When reading fails. What is no record though it begins as one is an inner error.
    pub fn next_record(&mut self) -> io::Result<Option<Result<PartialSummary, PartialError>>> {
        loop {
            self.text.clear();
            if self.read_line(PARTIAL_START as u64)? == 0 {
                return Ok(None);
            }
            self.line += 1;
            let is_whole = self.text.ends_with(b"\n");
            if is_partial(&self.text) {
                if !is_whole {
                    self.read_line(MAX_LINE)?;
                }
                let record = match self.text.strip_suffix(b"\n") {
                    None if self.text.len() as u64 > MAX_LINE => Err(PartialError::Overlong),
                    line => PartialSummary::parse(line.unwrap_or(&self.text).trim_ascii_end()),
                };
                return Ok(Some(record));
            }
            if !is_whole {
                self.input.skip_until(b'\n')?;
            }
        }
    }

    /// Appends so many bytes at most of a line.
    fn read_line(&mut self, most: u64) -> io::Result<usize> {
        self.input.by_ref().take(most).read_until(b'\n', &mut self.text)
    }
}
