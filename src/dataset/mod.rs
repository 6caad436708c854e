//! What a puzzle file is: from bytes to rows, and from answers to bytes.
//!
//! A [`Reader`] cuts its input into [`RowBlock`]s without looking into the rows; a [`Layout`] then
//! turns each row into a grid, on whatever thread has the block. What differs from format to
//! format is in `format`, a file each.

mod format;
mod input;
mod layout;
mod reader;
mod record;
mod sample;
mod shard;
mod shuffled;
mod strays;
mod writer;

pub use format::{BlockError, Format};
pub use input::{Decoding, Input, InputError, InputHash};
pub use layout::{Column, Columns, Hints, Layout, LayoutError, RowError};
pub use reader::{BLOCK_ROWS, GROUP_ROWS, Reader, Row, RowBlock};
pub use sample::sample;
pub use shard::{Shard, count_line_ends};
pub use shuffled::Shuffled;
pub use strays::{Stray, Strays};
pub use writer::{Answer, RowWriter, VerdictRow, VerdictWriter};

/// How a record begins, a line among answers that says what they add up to. It is no row.
pub const PARTIAL_MARK: &str = "#partial,";

/// Bytes of a line that tell whether it is such a record.
pub const PARTIAL_START: usize = 20;

/// Whether a line begins as such a record: with the mark, a version, which is a number, and an object.
pub fn is_partial(line: &[u8]) -> bool {
    let start = &line[..line.len().min(PARTIAL_START)];
    let version = start.strip_prefix(PARTIAL_MARK.as_bytes()).unwrap_or_default();
    let digits = version.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && version[digits..].starts_with(b",{")
}

/// The puzzles inside the binary: a fixed sample of everyday and sparse ones.
pub const EMBEDDED: &[u8] = include_bytes!("../../data/embedded.csv");
