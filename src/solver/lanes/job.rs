//! A puzzle in work.

use super::{Answer, Goal};
use crate::arch::MAX_LANES;
use crate::grid::Grid;
use crate::solver::{Status, Stop};

/// A puzzle, the lanes that work on it, and what they found.
///
/// The lanes share out the search tree among them. Each has a part of it, and they stand in the
/// order in which an ordinary depth-first search would come through the parts.
#[derive(Clone)]
pub(super) struct Job {
    pub(super) ticket: u64,
    pub(super) puzzle: Grid,
    /// Guesses so far.
    pub(super) nodes: u64,
    lanes: [u8; MAX_LANES],
    /// Number of `lanes` that work on it.
    working: usize,
    /// With the solutions so far; of those it has the one that comes first depth-first.
    answer: Answer,
    /// Number of `lanes` that may still find one that comes earlier.
    before: usize,
}

impl Job {
    /// No puzzle and no lane.
    pub(super) const VACANT: Job = Job {
        ticket: 0,
        puzzle: Grid::EMPTY,
        nodes: 0,
        lanes: [0; MAX_LANES],
        working: 0,
        answer: Answer { status: Status::Unsolvable, solutions: 0, solution: None, nodes: None },
        before: 0,
    };

    /// Takes a new puzzle, for one lane, in the place of one that is answered.
    pub(super) fn begin(&mut self, ticket: u64, puzzle: &Grid, lane: usize) {
        self.ticket = ticket;
        self.puzzle = *puzzle;
        self.nodes = 0;
        self.lanes[0] = lane as u8;
        self.working = 1;
        self.answer.solutions = 0;
        self.answer.solution = None;
        self.before = 0;
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
        if self.answer.solution.is_none() || position < self.before {
            self.answer.solution = Some(solution);
            self.before = position;
        }
        self.answer.solutions = limit.min(self.answer.solutions + 1);
        if self.answer.solutions == limit {
            self.working = self.before;
        }
    }

    /// The answer, when no lane works on it any more or because it was `stopped`.
    pub(super) fn conclude(&mut self, goal: Goal, stopped: Option<Stop>) -> &Answer {
        let solutions = self.answer.solutions;
        let is_cut_short = goal == Goal::CountToTwo && solutions == 2;
        (self.answer.status, self.answer.nodes) = if solutions == 0 && !self.puzzle.is_consistent()
        {
            (Status::Invalid, Some(0))
        } else {
            (Status::of_search(solutions > 0, stopped), (!is_cut_short).then_some(self.nodes))
        };
        &self.answer
    }
}
