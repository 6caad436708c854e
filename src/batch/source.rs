//! Where a comparison's blocks of rows come from.

use super::{BatchError, fill};
use crate::dataset::{BLOCK_ROWS, Reader, RowBlock, Shuffled, sample};
use crate::random::Random;
use std::io::{Read, Seek};

/// Gives blocks of rows, each with the place of its first row among those that are compared.
pub(super) struct Source<R> {
    blocks: Blocks<R>,
    /// Rows of the whole input, as far as they have been seen.
    rows: u64,
    /// Whether that is all of them.
    at_end: bool,
    /// Rows that were drawn, if it is a sample.
    drawn: Option<u64>,
}

enum Blocks<R> {
    InOrder(Reader<R>),
    Shuffled(Shuffled<R>),
    /// A sample, in the order in which it is taken.
    Drawn(std::vec::IntoIter<(u64, RowBlock)>),
    /// There was an interrupt.
    None,
}

impl<R: Read + Seek> Source<R> {
    /// All rows of `reader`, or `size` of them drawn at random; in input order, or with `shuffled`
    /// block by block in random order, for which the whole input is read first.
    pub(super) fn new(
        mut reader: Reader<R>,
        size: Option<u64>,
        shuffled: bool,
        seed: u64,
        interrupted: impl Fn() -> bool,
    ) -> Result<Self, BatchError> {
        let (mut rows, mut number) = (0, None);
        let blocks = match size {
            Some(size) => {
                let next = |block: &mut RowBlock| {
                    fill(&mut reader, block, &interrupted)?;
                    rows += block.rows().len() as u64;
                    Ok::<_, BatchError>(())
                };
                let drawn = sample(next, size, seed)?;
                number = Some(drawn.iter().map(|block| block.rows().len() as u64).sum());
                let mut drawn: Vec<_> = (0..).step_by(BLOCK_ROWS).zip(drawn).collect();
                if shuffled {
                    Random::new(seed, "order of drawn blocks", 0).shuffle(&mut drawn);
                }
                Blocks::Drawn(drawn.into_iter())
            }
            None if shuffled => match Shuffled::new(reader, seed, &interrupted) {
                Ok(Some(shuffled)) => {
                    rows = shuffled.rows();
                    Blocks::Shuffled(shuffled)
                }
                Ok(None) => Blocks::None,
                Err(error) => return Err(BatchError::Read(error)),
            },
            None => Blocks::InOrder(reader),
        };
        let at_end = !matches!(blocks, Blocks::InOrder(_) | Blocks::None) && !interrupted();
        Ok(Source { blocks, rows, at_end, drawn: number })
    }

    /// Replaces the rows of `block` by the next ones and returns the place of the first; by none
    /// at the end, or when there was an interrupt.
    pub(super) fn fill(
        &mut self,
        block: &mut RowBlock,
        interrupted: impl Fn() -> bool,
    ) -> Result<u64, BatchError> {
        block.clear();
        if interrupted() {
            return Ok(0);
        }
        match &mut self.blocks {
            Blocks::InOrder(reader) => {
                let first = self.rows;
                if fill(reader, block, interrupted)? {
                    self.rows += block.rows().len() as u64;
                    self.at_end = block.rows().is_empty();
                }
                Ok(first)
            }
            Blocks::Shuffled(shuffled) => {
                Ok(shuffled.fill(block).map_err(BatchError::Read)?.unwrap_or(0))
            }
            Blocks::Drawn(drawn) => Ok(drawn.next().map_or(0, |(first, rows)| {
                *block = rows;
                first
            })),
            Blocks::None => Ok(0),
        }
    }

    /// Rows of the whole input, if it was read to its end.
    pub(super) fn input_rows(&self) -> Option<u64> {
        self.at_end.then_some(self.rows)
    }

    /// Rows that are to be compared, if that is known.
    pub(super) fn rows(&self) -> Option<u64> {
        self.drawn.or(Some(self.rows)).filter(|_| self.at_end)
    }
}
