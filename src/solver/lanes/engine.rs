//! The life of the lanes: a sweep for all of them, then a look at each one that needs it.

use super::board::Board;
use super::job::Job;
use super::kernels::{Choose, Guess, Insert, Read, Solution, Sweep};
use super::set::lanes;
use super::stacks::Stacks;
use super::{Desk, Goal};
use crate::arch::{Simd, Vector};
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
    /// Whether there was an answer since the desk was asked for a puzzle.
    has_answered: bool,
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
            jobs: vec![Job::VACANT; lanes],
            vacant: Self::ALL_LANES,
            job_of: vec![0; lanes],
            busy: 0,
            has_answered: false,
        }
    }

    /// Works until there are no more puzzles, and with `to_the_end` until all are answered.
    #[inline(never)]
    pub(super) fn run(&mut self, desk: &mut dyn Desk, interrupt: &AtomicBool, to_the_end: bool) {
        let (mut has_input, mut round) = (true, 0_u32);
        // The lanes that are to go on with the node that was popped for them.
        let mut returning = 0;
        loop {
            round = (round + 1) % POLL;
            if round == 1 && interrupt.load(Ordering::Relaxed) {
                self.stop_all(desk);
                return;
            }
            if (has_input || self.has_answered) && self.busy != Self::ALL_LANES {
                self.has_answered = false;
                returning |= self.take_puzzles(desk);
                has_input = self.busy == Self::ALL_LANES;
            }
            if !has_input && to_the_end {
                returning |= self.share_out();
            }
            if returning != 0 {
                self.simd.run(Insert(&mut self.board, returning, &self.stacks));
            }
            if !has_input && (self.busy == 0 || !to_the_end) {
                return;
            }
            returning = self.round(desk);
        }
    }

    /// Gives idle lanes puzzles, as far as there are any, and returns these lanes.
    fn take_puzzles(&mut self, desk: &mut dyn Desk) -> u32 {
        let idle = Self::ALL_LANES & !self.busy;
        for lane in lanes(idle) {
            let Some((ticket, puzzle)) = desk.next() else { break };
            let place = self.vacant.trailing_zeros() as usize;
            self.vacant &= self.vacant - 1;
            self.jobs[place].begin(ticket, puzzle, lane);
            self.job_of[lane] = place;
            self.busy |= 1 << lane;
            self.simd.run(Read(self.stacks.start(lane), puzzle));
        }
        idle & self.busy
    }

    /// Lets idle lanes help with the counting, and returns those that do. The search for a first
    /// solution would find another one, or take more nodes, and a node cap would stop other
    /// searches than it does alone.
    fn share_out(&mut self) -> u32 {
        let idle = Self::ALL_LANES & !self.busy;
        if self.goal == Goal::First || self.max_nodes.is_some() {
            return 0;
        }
        for helper in lanes(idle) {
            let most = lanes(self.busy).max_by_key(|&lane| self.stacks.len(lane));
            let Some(lane) = most.filter(|&lane| self.stacks.give_oldest(lane, helper)) else {
                break;
            };
            self.job_of[helper] = self.job_of[lane];
            self.jobs[self.job_of[lane]].share(lane, helper);
            self.busy |= 1 << helper;
        }
        idle & self.busy
    }

    /// One sweep, and what follows from it. Returns the lanes for which a node was popped.
    fn round(&mut self, desk: &mut dyn Desk) -> u32 {
        let findings = self.simd.run(Sweep(&mut self.board, self.busy));
        for lane in lanes(findings.solved) {
            self.solved(lane, desk);
        }
        if findings.stuck & self.busy != 0 {
            self.guess(findings.stuck, desk);
        }
        let done = (findings.solved | findings.contradiction) & self.busy;
        for lane in lanes(done) {
            if !self.stacks.pop(lane) {
                self.leave(lane, desk);
            }
        }
        done & self.busy
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

    /// Guesses in some lanes.
    fn guess(&mut self, set: u32, desk: &mut dyn Desk) {
        for lane in lanes(set) {
            // A lane is set free when another one ends their common job.
            if !self.is_busy(lane) {
                continue;
            }
            let place = self.job_of[lane];
            let job = &mut self.jobs[place];
            if job.nodes == PATIENCE && !job.puzzle.is_consistent() {
                self.close(place, None, desk);
            } else if self.max_nodes == Some(job.nodes) {
                self.close(place, Some(Stop::Nodes), desk);
            } else {
                job.nodes += 1;
            }
        }
        let choice = self.simd.run(Choose(&self.board));
        self.simd.run(Guess(&mut self.board, set & self.busy, &choice, &mut self.stacks));
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
        let job = &mut self.jobs[place];
        let working = job.lanes();
        self.has_answered = true;
        desk.answer(job.ticket, job.conclude(self.goal, stopped));
        self.dismiss(working);
        self.vacant |= 1 << place;
    }

    /// Ends all work.
    fn stop_all(&mut self, desk: &mut dyn Desk) {
        for place in lanes(Self::ALL_LANES & !self.vacant) {
            self.close(place, Some(Stop::Interrupt), desk);
        }
    }
}
