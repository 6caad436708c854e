//! The life of the lanes: a sweep for all of them, then a look at each one that needs it.

use super::board::Board;
use super::branch::{Choice, Guess};
use super::job::Job;
use super::kernels::{Choose, Load, Solution, Sweep};
use super::set::{Group, lanes};
use super::stacks::{Node, Stacks};
use super::{Desk, Goal};
use crate::arch::{Simd, Vector};
use crate::grid::Grid;
use crate::solver::Stop;
use std::sync::atomic::{AtomicBool, Ordering};

/// Sweeps between two looks at the interrupt flag.
const POLL: u32 = 256;

/// Nodes of a puzzle after which its givens are checked. Most puzzles are solved before, which
/// says that their givens are fine, and those that are unsolvable are checked at their end.
const PATIENCE: u64 = 16;

/// The engine for one instruction set.
pub(super) struct Engine<S: Simd> {
    simd: S,
    goal: Goal,
    max_nodes: Option<u64>,
    board: Box<Board<S::Vector>>,
    stacks: Stacks,
    /// The jobs in work are those that lanes work on.
    jobs: Vec<Job>,
    /// The places in `jobs` that are free, as a set.
    vacant: u32,
    /// By lane, the place of its job.
    job_of: Vec<usize>,
    /// The lanes that work on a job, as a set.
    busy: u32,
}

impl<S: Simd> Engine<S> {
    const ALL_LANES: u32 = u32::MAX >> (32 - S::Vector::LANES);

    pub(super) fn new(simd: S, goal: Goal, max_nodes: Option<u64>) -> Self {
        let lanes = S::Vector::LANES;
        Engine {
            simd,
            goal,
            max_nodes,
            board: Box::new(Board::new(simd)),
            stacks: Stacks::new(lanes),
            jobs: (0..lanes).map(|lane| Job::new(0, Grid::EMPTY, lane)).collect(),
            vacant: Self::ALL_LANES,
            job_of: vec![0; lanes],
            busy: 0,
        }
    }

    /// Works until there are no more puzzles, and with `to_the_end` until all are answered.
    #[inline(never)]
    pub(super) fn run(&mut self, desk: &mut dyn Desk, interrupt: &AtomicBool, to_the_end: bool) {
        let mut has_input = true;
        for round in 0_u32.. {
            if round % POLL == 0 && interrupt.load(Ordering::Relaxed) {
                self.stop_all(desk);
                return;
            }
            if has_input && self.busy != Self::ALL_LANES {
                has_input = self.take_puzzles(desk);
            }
            if !has_input {
                if self.busy == 0 || !to_the_end {
                    return;
                }
                self.share_out();
            }
            self.round(desk);
        }
    }

    /// Gives idle lanes puzzles, and returns whether there was one for each.
    fn take_puzzles(&mut self, desk: &mut dyn Desk) -> bool {
        let idle = Self::ALL_LANES & !self.busy;
        for lane in lanes(idle) {
            let Some((ticket, puzzle)) = desk.next() else { break };
            let place = self.vacant.trailing_zeros() as usize;
            self.vacant &= self.vacant - 1;
            self.jobs[place] = Job::new(ticket, *puzzle, lane);
            self.job_of[lane] = place;
            self.busy |= 1 << lane;
        }
        let taken = Group::of(idle & self.busy);
        let puzzle = |lane: usize| &self.jobs[self.job_of[lane]].puzzle;
        let (fours, rest) = taken.lanes().as_chunks();
        for &lanes in fours {
            self.simd.run(Load::<_, 4>(&mut self.board, lanes, lanes.map(puzzle)));
        }
        for &lane in rest {
            self.simd.run(Load(&mut self.board, [lane], [puzzle(lane)]));
        }
        self.busy == Self::ALL_LANES
    }

    /// Lets idle lanes help with the counting. The search for a first solution would find another
    /// one, or take more nodes, and a node cap would stop other searches than it does alone.
    fn share_out(&mut self) {
        if self.goal == Goal::First || self.max_nodes.is_some() {
            return;
        }
        for helper in lanes(Self::ALL_LANES & !self.busy) {
            let most = lanes(self.busy).max_by_key(|&lane| self.stacks.len(lane));
            let Some(lane) = most else { return };
            let Some(Node(node)) = self.stacks.pop_oldest(lane) else { return };
            self.board.insert([helper], [node]);
            self.job_of[helper] = self.job_of[lane];
            self.jobs[self.job_of[lane]].share(lane, helper);
            self.busy |= 1 << helper;
        }
    }

    /// One sweep, and what follows from it.
    fn round(&mut self, desk: &mut dyn Desk) {
        let findings = self.simd.run(Sweep(&mut self.board, self.busy));
        for lane in lanes(findings.solved) {
            self.solved(lane, desk);
        }
        if findings.stuck & self.busy != 0 {
            let choice = self.simd.run(Choose(&self.board));
            for lane in lanes(findings.stuck) {
                self.guess(lane, &choice, desk);
            }
        }
        let done = (findings.solved | findings.contradiction) & self.busy;
        for lane in lanes(done) {
            if !self.stacks.pop(lane) {
                self.leave(lane, desk);
            }
        }
        self.go_on(done & self.busy);
    }

    /// Puts the nodes into lanes that were popped for them.
    fn go_on(&mut self, set: u32) {
        let group = Group::of(set);
        let (fours, rest) = group.lanes().as_chunks();
        for &lanes in fours {
            let nodes = lanes.map(|lane| self.stacks.popped(lane));
            self.board.insert::<4>(lanes, nodes);
        }
        for &lane in rest {
            self.board.insert([lane], [self.stacks.popped(lane)]);
        }
    }

    fn is_busy(&self, lane: usize) -> bool {
        self.busy >> lane & 1 == 1
    }

    /// Notes the solution in a lane.
    fn solved(&mut self, lane: usize, desk: &mut dyn Desk) {
        if !self.is_busy(lane) {
            return;
        }
        let job = &mut self.jobs[self.job_of[lane]];
        let working = job.lanes();
        job.found(lane, self.simd.run(Solution(&self.board, lane)), self.goal.limit());
        let dismissed = working & !job.lanes();
        let is_done = job.is_done();
        self.dismiss(dismissed);
        if is_done {
            self.close(self.job_of[lane], None, desk);
        }
    }

    /// Guesses in a lane: goes on with the guess, and leaves its opposite for later.
    fn guess(&mut self, lane: usize, choice: &Choice<S::Vector>, desk: &mut dyn Desk) {
        if !self.is_busy(lane) {
            return;
        }
        let place = self.job_of[lane];
        let job = &mut self.jobs[place];
        if job.nodes == PATIENCE && !job.puzzle.is_consistent() {
            return self.close(place, None, desk);
        }
        if self.max_nodes == Some(job.nodes) {
            return self.close(place, Some(Stop::Nodes), desk);
        }
        job.nodes += 1;
        let Node(opposite) = self.stacks.push(lane);
        self.board.extract(lane, opposite);
        let band = usize::from(choice.band.lanes()[lane]);
        let guess = Guess::new(opposite, band, choice.digits.lanes()[lane]);
        for cell in guess.inside {
            opposite[usize::from(cell)] &= !guess.digit;
        }
        self.board.remove(lane, guess.outside.as_flattened(), guess.digit);
    }

    /// A lane has no more nodes.
    fn leave(&mut self, lane: usize, desk: &mut dyn Desk) {
        let job = &mut self.jobs[self.job_of[lane]];
        job.leave(lane);
        let is_done = job.is_done();
        self.dismiss(1 << lane);
        if is_done {
            self.close(self.job_of[lane], None, desk);
        }
    }

    /// Sets lanes free.
    fn dismiss(&mut self, set: u32) {
        for lane in lanes(set) {
            self.stacks.clear(lane);
        }
        self.busy &= !set;
    }

    /// Answers a job and sets the lanes free that still work on it.
    fn close(&mut self, place: usize, stopped: Option<Stop>, desk: &mut dyn Desk) {
        let job = &self.jobs[place];
        desk.answer(job.ticket, job.answer(self.goal, stopped));
        self.dismiss(self.jobs[place].lanes());
        self.vacant |= 1 << place;
    }

    /// Ends all work.
    fn stop_all(&mut self, desk: &mut dyn Desk) {
        for place in lanes(Self::ALL_LANES & !self.vacant) {
            self.close(place, Some(Stop::Interrupt), desk);
        }
    }
}
