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
pub use reader::{BLOCK_ROWS, Reader, Row, RowBlock};
pub use sample::sample;
pub use shard::{Shard, count_line_ends};
pub use shuffled::Shuffled;
pub use strays::{Stray, Strays};
pub use writer::{Answer, RowWriter, VerdictRow, VerdictWriter};

/// How a line begins that says what the rows before it add up to, wherever it stands in a file of
/// answers. It is no row.
pub const PARTIAL_MARK: &str = "#partial,";

/// The puzzles inside the binary: a fixed sample of everyday and sparse ones.
pub const EMBEDDED: &[u8] = include_bytes!("../../data/embedded.csv");
