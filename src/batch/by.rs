//! How the puzzles of a file get their answers: one after the other, or many at once.

use super::in_order::Groups;
use super::lanes::Question;
use crate::dataset::{Layout, Row, RowBlock, RowError};
use crate::grid::Grid;
use crate::solver::lanes::Answer;
use std::borrow::Borrow;
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

/// The puzzle of a row and the answer to it, or why there is none.
pub(super) type Answered<'a, T> = Result<(&'a Grid, T), RowError>;

/// Makes something of answers. (A trait, as a closure can't take any iterator.)
pub(super) trait Fill<T, G> {
    /// Makes something of a group of rows, whose answers come in their order and may end early.
    fn fill<'a>(
        &self,
        block: &RowBlock,
        rows: &[Row],
        answers: impl Iterator<Item = Answered<'a, impl Borrow<T>>>,
        group: &mut G,
    ) -> ControlFlow<()>;
}

impl<F, L> By<F, L> {
    /// Answers the rows of all `groups` on this worker, by `each` one puzzle after the other, or by
    /// `many` from what the lanes have found, which is nothing where they panicked.
    pub(super) fn answer<G, T>(
        &self,
        (groups, layout, interrupt): (&Groups<G>, &Layout, &AtomicBool),
        each: impl Fn(&F, &RowBlock, &Row, &Grid) -> T,
        many: impl Fn(&L, &RowBlock, &Row, &Grid, Option<&Answer>) -> T,
        filler: &impl Fill<T, G>,
    ) {
        match self {
            By::Each(by) => groups.each(|block, rows, group| {
                let puzzles: Vec<_> = rows.iter().map(|row| block.puzzle(layout, row)).collect();
                let answers = iter::zip(rows, &puzzles).map(|(row, puzzle)| {
                    let puzzle = puzzle.as_ref().map_err(RowError::clone)?;
                    Ok((puzzle, each(by, block, row, puzzle)))
                });
                filler.fill(block, rows, answers, group)
            }),
            By::Lanes(question, by) => {
                question.ask(
                    (groups, layout, interrupt),
                    |block, row, puzzle, found| many(by, block, row, puzzle, found),
                    |block, rows, found, group| filler.fill(block, rows, found, group),
                );
            }
        }
    }
}
