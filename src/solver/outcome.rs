//! The answer to one puzzle.

use super::{Enumerate, Limit, Limits, Mrv, Search, Stop};
use crate::grid::Grid;
use std::fmt;

/// What became of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// A solution was found (whether it is the only one is a separate question).
    Solved,
    /// The givens do not conflict, but there is no solution.
    Unsolvable,
    /// The givens break a rule; nothing was searched.
    Invalid,
    /// The row is not a grid; no solver saw it.
    Malformed,
    /// The node cap stopped the search.
    LimitNodes,
    /// The time cap stopped the search.
    LimitTime,
    /// The solver panicked; the run went on.
    Panic,
    /// The run was interrupted during this search.
    Interrupted,
}

impl Status {
    /// Every status, in the order in which summaries list them.
    pub const ALL: [Status; 8] = [
        Status::Solved,
        Status::Unsolvable,
        Status::Invalid,
        Status::Malformed,
        Status::LimitNodes,
        Status::LimitTime,
        Status::Panic,
        Status::Interrupted,
    ];

    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Solved => "solved",
            Status::Unsolvable => "unsolvable",
            Status::Invalid => "invalid",
            Status::Malformed => "malformed",
            Status::LimitNodes => "limit-nodes",
            Status::LimitTime => "limit-time",
            Status::Panic => "panic",
            Status::Interrupted => "interrupted",
        }
    }

    /// The status of a search that ended by itself or was stopped.
    pub fn of_search(solved: bool, stopped: Option<Stop>) -> Self {
        match stopped {
            Some(Stop::Nodes) => Status::LimitNodes,
            Some(Stop::Time) => Status::LimitTime,
            Some(Stop::Interrupt) => Status::Interrupted,
            None if solved => Status::Solved,
            None => Status::Unsolvable,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The answer to one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What became of it.
    pub status: Status,
    /// The solution, when the status is [`Status::Solved`].
    pub solution: Option<Grid>,
    /// Calls of the recursive function that reached an empty cell.
    pub nodes: u64,
}

/// Answers one puzzle with the search `S`: the givens are checked first, then it searches until
/// it has an answer or a limit stops it.
pub fn solve<S: Search>(puzzle: &Grid, limits: &Limits) -> Outcome {
    if !puzzle.is_consistent() {
        return Outcome { status: Status::Invalid, solution: None, nodes: 0 };
    }
    let mut search = S::new(puzzle);
    let mut probe = Limit::new(limits);
    let solved = search.run(&mut probe);
    let status = Status::of_search(solved, probe.stopped());
    let solution = (status == Status::Solved).then(|| search.grid());
    Outcome { status, solution, nodes: probe.nodes() }
}

/// The number of solutions: 0, 1, or 2 for "two or more". `None` when a limit stopped the count.
///
/// Givens that conflict leave no solution.
pub fn count_solutions(puzzle: &Grid, limits: &Limits) -> Option<u8> {
    count_by::<Mrv>(puzzle, limits)
}

/// The same, counted by the search `S`.
pub fn count_by<S: Enumerate>(puzzle: &Grid, limits: &Limits) -> Option<u8> {
    if !puzzle.is_consistent() {
        return Some(0);
    }
    let mut probe = Limit::new(limits);
    let mut missing = 2;
    S::new(puzzle).enumerate(&mut probe, &mut missing);
    probe.stopped().is_none().then_some(2 - missing)
}
