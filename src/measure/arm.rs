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
    /// Duration of the search.
    pub ns: u64,
    /// The solution, or `None` when the search found none.
    pub solution: Option<Grid>,
}

/// A named solver as two functions: one that counts, one that is timed.
#[derive(Debug)]
pub struct Arm<C> {
    name: &'static str,
    pub(super) variant: Option<Variant>,
    count: fn(&Grid, &Limits) -> Counted,
    time: fn(&Grid, &C) -> Timed,
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
        Arm { name, variant: None, count: count::<S>, time: time::<S, C> }
    }

    /// The arm of a variant, under its own name.
    pub fn variant(variant: Variant) -> Self {
        let arm = with_search!(variant, S => Arm::of::<S>(variant.name()));
        Arm { variant: Some(variant), ..arm }
    }

    /// The name in the report.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The template this arm runs, if it is one of those that must agree in solution and counters.
    pub(super) fn template(&self) -> Option<Variant> {
        self.variant.filter(|variant| Variant::TEMPLATES.contains(variant))
    }

    /// Solves a puzzle whose givens do not conflict, and counts.
    pub fn count(&self, puzzle: &Grid, limits: &Limits) -> Counted {
        (self.count)(puzzle, limits)
    }

    /// Solves a puzzle whose givens do not conflict, and takes the time.
    pub fn time(&self, puzzle: &Grid, clock: &C) -> Timed {
        (self.time)(puzzle, clock)
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
    let start = clock.now_ns();
    let solved = black_box(black_box(&mut search).run(&mut NoProbe));
    let end = clock.now_ns();
    Timed { ns: end.saturating_sub(start), solution: solved.then(|| search.grid()) }
}
