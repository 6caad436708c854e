//! A puzzle in work.

use super::{Answer, Goal};
use crate::arch::MAX_LANES;
use crate::grid::Grid;
use crate::solver::{Status, Stop};

/// A puzzle, the lanes that work on it, and what they found.
///
/// The lanes share out the search tree among them. Each has a part of it, and they stand in the
/// order in which an ordinary depth-first search would come through the parts.
pub(super) struct Job {
    pub(super) ticket: u64,
    pub(super) puzzle: Grid,
    /// Guesses so far.
    pub(super) nodes: u64,
    lanes: [u8; MAX_LANES],
    /// Number of `lanes` that work on it.
    working: usize,
    /// Solutions so far.
    solutions: u8,
    /// Of the solutions so far the one that comes first depth-first.
    first: Option<Grid>,
    /// Number of `lanes` that may still find one that comes earlier.
    before: usize,
}

impl Job {
    /// A new puzzle for one lane.
    pub(super) fn new(ticket: u64, puzzle: Grid, lane: usize) -> Self {
        let lanes = [lane as u8; MAX_LANES];
        Job { ticket, puzzle, nodes: 0, lanes, working: 1, solutions: 0, first: None, before: 0 }
    }

    /// Whether no lane works on it.
    pub(super) fn is_done(&self) -> bool {
        self.working == 0
    }

    /// The lanes that work on it, as a set.
    pub(super) fn lanes(&self) -> u32 {
        self.lanes[..self.working].iter().fold(0, |set, lane| set | 1 << lane)
    }

    fn position(&self, lane: usize) -> usize {
        let mut lanes = self.lanes[..self.working].iter();
        lanes.position(|&other| usize::from(other) == lane).expect("the lane works on the job")
    }

    /// `helper` takes over the part of what `lane` has to do that comes last.
    pub(super) fn share(&mut self, lane: usize, helper: usize) {
        let position = self.position(lane);
        self.lanes.copy_within(position + 1..self.working, position + 2);
        self.lanes[position + 1] = helper as u8;
        self.working += 1;
        self.before += usize::from(position < self.before);
    }

    /// `lane` has done its part.
    pub(super) fn leave(&mut self, lane: usize) {
        let position = self.position(lane);
        self.lanes.copy_within(position + 1..self.working, position);
        self.working -= 1;
        self.before -= usize::from(position < self.before);
    }

    /// `lane` found a solution. If that makes `limit` of them, only the lanes go on that may find
    /// an earlier one.
    pub(super) fn found(&mut self, lane: usize, solution: Grid, limit: u8) {
        let position = self.position(lane);
        if self.first.is_none() || position < self.before {
            self.first = Some(solution);
            self.before = position;
        }
        self.solutions = limit.min(self.solutions + 1);
        if self.solutions == limit {
            self.working = self.before;
        }
    }

    /// The answer, when no lane works on it any more or because it was `stopped`.
    pub(super) fn answer(&self, goal: Goal, stopped: Option<Stop>) -> Answer {
        if self.solutions == 0 && !self.puzzle.is_consistent() {
            let status = Status::Invalid;
            return Answer { status, solutions: 0, solution: None, nodes: Some(0) };
        }
        let status = Status::of_search(self.solutions > 0, stopped);
        let is_cut_short = goal == Goal::CountToTwo && self.solutions == 2;
        Answer {
            status,
            solutions: self.solutions,
            solution: self.first,
            nodes: (!is_cut_short).then_some(self.nodes),
        }
    }
}
