//! One contender of a comparison.

use super::Clock;
use crate::grid::Grid;
use crate::solver::{Counters, Counts, Limits, NoProbe, Search, Status, Variant, with_search};
use std::hint::black_box;

/// What the counting pass found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Solved, unsolvable, or which limit stopped it.
    pub status: Status,
    /// The five counters.
    pub counts: Counts,
    /// The solution, when the status is [`Status::Solved`].
    pub solution: Option<Grid>,
}

/// What a timed solve gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timed {
    /// Duration of the search; when it was repeated, that of all searches with their new states.
    pub ns: u64,
    /// The solution, or `None` when the search found none.
    pub solution: Option<Grid>,
}

/// A named solver as functions: one that counts, some that are timed, and one that does neither.
#[derive(Debug)]
pub struct Arm<C> {
    name: &'static str,
    pub(super) variant: Option<Variant>,
    count: fn(&Grid, &Limits) -> Counted,
    time: fn(&Grid, &C) -> Timed,
    time_repeated: fn(&Grid, &C, u32) -> Timed,
    time_states: fn(&Grid, &C, u32) -> u64,
    solve: fn(&Grid) -> Option<Grid>,
}

impl<C> Clone for Arm<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Arm<C> {}

impl<C: Clock> Arm<C> {
    /// An arm that runs the search `S`, which may be a user's own.
    pub fn of<S: Search>(name: &'static str) -> Self {
        Arm {
            name,
            variant: None,
            count: count::<S>,
            time: time::<S, C>,
            time_repeated: time_repeated::<S, C>,
            time_states: time_states::<S, C>,
            solve: solve::<S>,
        }
    }

    /// The arm of a variant, under its own name.
    pub fn variant(variant: Variant) -> Self {
        let arm = with_search!(variant, S => Arm::of::<S>(variant.name()));
        Arm { variant: Some(variant), ..arm }
    }

    /// Three copies of a variant's code, each placed elsewhere, named `copy-1` to `copy-3`. Against
    /// the variant itself they show what placement and chance alone can make.
    pub fn copies(variant: Variant) -> [Self; 3] {
        [
            with_search!(variant, 1, S => Arm::of::<S>("copy-1")),
            with_search!(variant, 2, S => Arm::of::<S>("copy-2")),
            with_search!(variant, 3, S => Arm::of::<S>("copy-3")),
        ]
    }

    /// The name in the report.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Where the function lies that times one search, and calls the code that is timed.
    pub fn address(&self) -> usize {
        self.time as *const () as usize
    }

    /// The template this arm runs, if it is one of those that must agree in solution and counters.
    pub(super) fn template(&self) -> Option<Variant> {
        self.variant.filter(|variant| Variant::TEMPLATES.contains(variant))
    }

    /// Solves a puzzle whose givens do not conflict, and counts.
    pub fn count(&self, puzzle: &Grid, limits: &Limits) -> Counted {
        (self.count)(puzzle, limits)
    }

    /// Solves a puzzle whose givens do not conflict `times` times, and takes the time of all
    /// searches together. One search finds its state made. Each of several makes its own within the
    /// time, and [`time_states`](Self::time_states) tells how much that is.
    ///
    /// # Panics
    /// When `times` is 0.
    pub fn time(&self, puzzle: &Grid, clock: &C, times: u32) -> Timed {
        match times {
            0 => panic!("there is nothing to time"),
            1 => (self.time)(puzzle, clock),
            _ => (self.time_repeated)(puzzle, clock, times),
        }
    }

    /// The time to make `times` new states, in nanoseconds.
    pub fn time_states(&self, puzzle: &Grid, clock: &C, times: u32) -> u64 {
        (self.time_states)(puzzle, clock, times)
    }

    /// The solution of a puzzle whose givens do not conflict, found by the search that is timed;
    /// `None` if there is none.
    pub fn solve(&self, puzzle: &Grid) -> Option<Grid> {
        (self.solve)(puzzle)
    }
}

fn count<S: Search>(puzzle: &Grid, limits: &Limits) -> Counted {
    let mut search = S::new(puzzle);
    let mut probe = Counters::new(limits);
    let solved = search.run(&mut probe);
    let status = Status::of_search(solved, probe.stopped());
    Counted {
        status,
        counts: probe.counts(),
        solution: (status == Status::Solved).then(|| search.grid()),
    }
}

/// Nothing but the search stands between the two looks at the clock.
#[inline(never)]
fn time<S: Search, C: Clock>(puzzle: &Grid, clock: &C) -> Timed {
    let mut search = black_box(S::new(puzzle));
    let start = clock.now();
    let solved = black_box(black_box(&mut search).run(&mut NoProbe));
    let end = clock.now();
    Timed { ns: clock.ns(start, end), solution: solved.then(|| search.grid()) }
}

/// A search is over too soon for the clock, so it is repeated. Each needs a new state.
#[inline(never)]
fn time_repeated<S: Search, C: Clock>(puzzle: &Grid, clock: &C, times: u32) -> Timed {
    let mut search = S::new(puzzle);
    let mut solved = false;
    let start = clock.now();
    for _ in 0..times {
        search = S::new(black_box(puzzle));
        solved = black_box(black_box(&mut search).run(&mut NoProbe));
    }
    let end = clock.now();
    Timed { ns: clock.ns(start, end), solution: solved.then(|| search.grid()) }
}

#[inline(never)]
fn time_states<S: Search, C: Clock>(puzzle: &Grid, clock: &C, times: u32) -> u64 {
    let mut search = S::new(puzzle);
    let start = clock.now();
    for _ in 0..times {
        search = S::new(black_box(puzzle));
        black_box(&mut search);
    }
    let end = clock.now();
    black_box(&search);
    clock.ns(start, end)
}

fn solve<S: Search>(puzzle: &Grid) -> Option<Grid> {
    let mut search = S::new(puzzle);
    search.run(&mut NoProbe).then(|| search.grid())
}
