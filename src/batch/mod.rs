//! Whole files: rows go down the pipeline, answers and sums come out.

mod blocks;
mod by;
mod code;
mod compare;
mod forms;
mod group;
mod in_order;
mod judge;
mod lanes;
mod partial;
mod per_worker;
mod ratios;
mod samples;
mod shards;
mod solve;
mod source;
mod throughput;
mod verify;

pub use by::By;
pub use code::code;
pub use compare::Compare;
pub use judge::Terms;
pub use lanes::Question;
pub use partial::{PartialError, PartialSummary, Partials, Shards, Sum};
pub use shards::merge_shards;
pub use solve::{Answers, Solve, Solved, Summary};
pub use throughput::Draw;
pub use verify::{Flaw, Given, SolutionCheck, Tally, Verdict, Verified, Verify};

use crate::dataset::{GROUP_ROWS, Reader, RowBlock, RowError};
use crate::output::Changed;
use crate::report::FolderError;
use std::io::{self, Read};
use thiserror::Error;

/// Puzzles that one worker takes at a time: enough to outweigh the cost of handing them over.
const GROUP: usize = GROUP_ROWS;

/// Blocks between reader and sink. They let 32,768 rows pass a slow one, in some 20 MiB.
const BLOCKS: usize = 128;

/// Number of groups of so many rows.
fn groups(rows: usize) -> usize {
    rows.div_ceil(GROUP)
}

/// Hears of a file while it is worked on, in input order.
pub trait Observer {
    /// The input was read, and so many rows of it are to be worked on. Not called where reading and
    /// working go hand in hand.
    fn expect(&mut self, rows: u64) {
        let _ = rows;
    }

    /// So many more rows are done.
    fn rows(&mut self, count: u64);

    /// The row at this physical line is no grid.
    ///
    /// # Errors
    /// An error ends the work.
    fn malformed(&mut self, line: u64, reason: &RowError) -> io::Result<()>;

    /// The puzzle or the solution of the row at this physical line is not what it should be. Only
    /// called where rows are verified.
    ///
    /// # Errors
    /// An error ends the work.
    fn untrue(&mut self, line: u64, reason: &str) -> io::Result<()> {
        let _ = (line, reason);
        Ok(())
    }

    /// Whether the first malformed row ends the work.
    fn is_strict(&self) -> bool {
        false
    }

    /// Makes sure that what it noted is written, and says how many bytes that is.
    ///
    /// # Errors
    /// An error ends the work.
    fn settle(&mut self) -> io::Result<u64> {
        Ok(0)
    }
}

/// Why a file was not worked on to its end. What was finished before is written.
#[derive(Debug, Error)]
pub enum BatchError {
    /// The input failed.
    #[error("cannot read the input")]
    Read(#[source] io::Error),
    /// The answers could not be written.
    #[error("cannot write the answers")]
    Write(#[source] io::Error),
    /// The observer could not note a malformed row.
    #[error("cannot note a malformed row")]
    Note(#[source] io::Error),
    /// A row is no grid, and the observer is strict.
    #[error("line {line} is malformed")]
    Malformed {
        /// Physical line of the row, counted from 1.
        line: u64,
    },
    /// The rows that were answered by an earlier run are not there.
    #[error(transparent)]
    Changed(#[from] Changed),
    /// The per-puzzle file could not be written.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

/// Ends the work at a row that is malformed, if there is one.
fn stop(row: Option<(u64, RowError)>, observer: &mut impl Observer) -> Result<(), BatchError> {
    let Some((line, reason)) = row else { return Ok(()) };
    observer.malformed(line, &reason).map_err(BatchError::Note)?;
    Err(BatchError::Malformed { line })
}

/// Fills a block with the next rows. `false`: there was an interrupt, and the block is empty.
fn fill<R: Read>(
    reader: &mut Reader<R>,
    block: &mut RowBlock,
    interrupted: impl Fn() -> bool,
) -> Result<bool, BatchError> {
    let filled = if interrupted() { Ok(()) } else { reader.fill(block) };
    if interrupted() {
        // Whatever is wrong with the input now, nobody wants to know.
        block.clear();
        return Ok(false);
    }
    filled.map_err(BatchError::Read)?;
    Ok(true)
}
