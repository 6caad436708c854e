//! How the puzzles of a file get their answers: one after the other, or many at once.

use super::in_order::Groups;
use super::lanes::Question;
use crate::dataset::{Layout, Row, RowBlock, RowError};
use crate::grid::Grid;
use crate::solver::lanes::Answer;
use std::iter;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// How puzzles get their answers. A panic becomes the status of their rows.
pub enum By<F, L> {
    /// One after the other.
    Each(F),
    /// Many at once, and what then becomes of the answer to one of them.
    Lanes(Question, L),
}

/// The rows of a group in their order, each with its puzzle and the answer to it, or why there is
/// none. It ends early where the answers do.
pub(super) type Answers<'a, T> = &'a mut dyn Iterator<Item = Result<(&'a Grid, T), RowError>>;

impl<F, L> By<F, L> {
    /// Answers the rows of all `groups` on this worker, by `each` one puzzle after the other, or by
    /// `many` from what the lanes have found, which is nothing where they panicked. `fill` makes
    /// something of a group.
    pub(super) fn answer<G, T>(
        &self,
        (groups, layout, interrupt): (&Groups<G>, &Layout, &AtomicBool),
        each: impl Fn(&F, &RowBlock, &Row, &Grid) -> T,
        many: impl Fn(&L, &RowBlock, &Row, &Grid, Option<&Answer>) -> T,
        fill: impl Fn(&RowBlock, &[Row], Answers<T>, &mut G) -> ControlFlow<()>,
    ) {
        match self {
            By::Each(by) => groups.each(|block, rows, group| {
                let puzzles: Vec<_> = rows.iter().map(|row| block.puzzle(layout, row)).collect();
                let mut answers = iter::zip(rows, &puzzles).map(|(row, puzzle)| {
                    let puzzle = puzzle.as_ref().map_err(RowError::clone)?;
                    Ok((puzzle, each(by, block, row, puzzle)))
                });
                fill(block, rows, &mut answers, group)
            }),
            By::Lanes(question, by) => {
                question.ask(groups, layout, interrupt, |block, rows, found, group| {
                    let mut answers = iter::zip(rows, found).map(|(row, found)| {
                        let (puzzle, found) = found?;
                        Ok((puzzle, many(by, block, row, puzzle, found)))
                    });
                    fill(block, rows, &mut answers, group)
                });
            }
        }
    }
}
