//! `lanes`: many puzzles at once, one in each lane of a vector register.
//!
//! Every other solver with search takes one puzzle at a time. A vector register holds the same
//! cell of 16 or 32 puzzles, so one sequence of instructions draws conclusions in all of them.
//! What comes between two such sweeps is done only in the lanes that need it: reading off a solution,
//! guessing, going back, and taking the next puzzle.
//!
//! The search itself is an ordinary depth-first search. What it finds depends on the puzzle alone,
//! not on the instruction set, on the puzzles in the other lanes, or on their order.
//!
//! - `board`: the candidates, and `node`, those of one lane when they are not there;
//! - `sweep` and `band`: conclusions, for all lanes at once;
//! - `branch`: where to guess, for all lanes at once, and what a guess is;
//! - `stacks`: the nodes that wait, lane by lane;
//! - `job`: a puzzle in work, and its answer;
//! - `kernels`: what of this is compiled once for each instruction set;
//! - `engine`: the life of the lanes, which are kept in sets (`set`).

mod band;
mod board;
mod branch;
mod engine;
mod job;
mod kernels;
mod node;
mod set;
mod stacks;
mod sweep;
#[cfg(test)]
mod tests;

use super::Status;
use crate::arch::{Isa, Simd};
use crate::grid::Grid;
use engine::Engine;
use std::sync::atomic::AtomicBool;

/// What is asked of every puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// The solution that comes first in depth-first order.
    First,
    /// Whether there are none, one, or two or more.
    CountToTwo,
}

impl Goal {
    /// The number of solutions at which the search ends.
    const fn limit(self) -> u8 {
        match self {
            Goal::First => 1,
            Goal::CountToTwo => 2,
        }
    }
}

/// The answer to one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Solved, unsolvable, invalid (the givens conflict; nothing was searched), or what stopped
    /// the search.
    pub status: Status,
    /// Solutions found, at most as many as the goal asks for. All there are, up to that number,
    /// unless the search was stopped.
    pub solutions: u8,
    /// Of the solutions found the one that comes first in depth-first order.
    pub solution: Option<Grid>,
    /// Number of guesses: how often no conclusion was left, so that the search went on with a
    /// guess and, if need be, later with its opposite. `None` for a count that found two
    /// solutions, since where it ends in the search tree depends on the other puzzles.
    pub nodes: Option<u64>,
}

/// Where puzzles come from, and where their answers go.
pub trait Desk {
    /// The next puzzle, with a number that its answer will bear. `None`: there is none left, or
    /// none for now. [`Lanes::finish`] asks again when it has answered another puzzle.
    fn next(&mut self) -> Option<(u64, &Grid)>;

    /// Takes the answer to a puzzle. Answers come in any order.
    fn answer(&mut self, ticket: u64, answer: &Answer);
}

/// The solver. It may have puzzles in work between two calls, and then goes on with them.
pub struct Lanes(AnyEngine);

/// An engine for each instruction set.
enum AnyEngine {
    #[cfg(target_arch = "x86_64")]
    Avx512(Engine<crate::arch::Avx512>),
    #[cfg(target_arch = "x86_64")]
    Avx2(Engine<crate::arch::Avx2>),
    Portable(Engine<crate::arch::Portable>),
}

impl Lanes {
    /// A solver without puzzles. With `max_nodes`, a search of so many nodes passes, and one that
    /// needs another is stopped.
    ///
    /// # Panics
    /// When this machine does not have the instruction set. See [`Isa::is_available`].
    pub fn new(isa: Isa, goal: Goal, max_nodes: Option<u64>) -> Self {
        fn engine<S: Simd>(goal: Goal, max_nodes: Option<u64>) -> Option<Engine<S>> {
            S::detect().map(|simd| Engine::new(simd, goal, max_nodes))
        }
        let engine = match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => engine(goal, max_nodes).map(AnyEngine::Avx512),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => engine(goal, max_nodes).map(AnyEngine::Avx2),
            #[cfg(not(target_arch = "x86_64"))]
            Isa::Avx512 | Isa::Avx2 => None,
            Isa::Portable => engine(goal, max_nodes).map(AnyEngine::Portable),
        };
        Lanes(engine.unwrap_or_else(|| panic!("this machine does not have {isa}")))
    }

    /// Works until the desk has no puzzle for a free lane. The last puzzles stay in work: another
    /// call goes on with them.
    ///
    /// Once `interrupt` is set, which is looked at every 256 sweeps, it answers the puzzles in
    /// work with [`Status::Interrupted`] and returns.
    pub fn feed(&mut self, desk: &mut dyn Desk, interrupt: &AtomicBool) {
        self.run(desk, interrupt, false);
    }

    /// Works until the desk has no puzzle and all are answered. Lanes without a puzzle help with
    /// the count of others. For `interrupt` see [`Lanes::feed`].
    pub fn finish(&mut self, desk: &mut dyn Desk, interrupt: &AtomicBool) {
        self.run(desk, interrupt, true);
    }

    fn run(&mut self, desk: &mut dyn Desk, interrupt: &AtomicBool, to_the_end: bool) {
        match &mut self.0 {
            #[cfg(target_arch = "x86_64")]
            AnyEngine::Avx512(engine) => engine.run(desk, interrupt, to_the_end),
            #[cfg(target_arch = "x86_64")]
            AnyEngine::Avx2(engine) => engine.run(desk, interrupt, to_the_end),
            AnyEngine::Portable(engine) => engine.run(desk, interrupt, to_the_end),
        }
    }

    /// The answers to all puzzles, in their order.
    pub fn solve_all(&mut self, puzzles: &[Grid]) -> Vec<Answer> {
        let mut list = List::new(puzzles);
        self.finish(&mut list, &AtomicBool::new(false));
        list.answers().collect()
    }
}

/// A desk with puzzles in a row, and room for their answers.
pub(crate) struct List<'a> {
    puzzles: &'a [Grid],
    next: usize,
    answers: Vec<Option<Answer>>,
}

impl<'a> List<'a> {
    pub(crate) fn new(puzzles: &'a [Grid]) -> Self {
        List { puzzles, next: 0, answers: vec![None; puzzles.len()] }
    }

    /// Begins again with the first puzzle.
    pub(crate) fn begin(&mut self) {
        self.next = 0;
        self.answers.fill(None);
    }

    /// The answers, in the order of the puzzles.
    ///
    /// # Panics
    /// When a puzzle was not brought to its end.
    pub(crate) fn answers(&self) -> impl Iterator<Item = Answer> {
        self.answers.iter().map(|answer| answer.expect("every puzzle is answered"))
    }
}

impl Desk for List<'_> {
    fn next(&mut self) -> Option<(u64, &Grid)> {
        let puzzle = self.puzzles.get(self.next)?;
        self.next += 1;
        Some((self.next as u64 - 1, puzzle))
    }

    fn answer(&mut self, ticket: u64, answer: &Answer) {
        self.answers[ticket as usize] = Some(*answer);
    }
}
