//! What several tests of the variants need.

use sudoku_bench::grid::Grid;
use sudoku_bench::solver::{
    Break, Counters, Counts, EarlyReturn, Limits, Rescan, Search, Stop, Variant,
};

/// What became of a bare search: nobody has checked the givens, or its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) found: bool,
    pub(crate) stopped: Option<Stop>,
    pub(crate) counts: Counts,
    pub(crate) grid: Grid,
}

/// Searches and counts.
pub(crate) fn run<S: Search>(puzzle: &Grid, limits: &Limits) -> Run {
    let mut search = S::new(puzzle);
    let mut probe = Counters::new(limits);
    let found = search.run(&mut probe);
    Run { found, stopped: probe.stopped(), counts: probe.counts(), grid: search.grid() }
}

/// A template as a function of a puzzle.
pub(crate) type Bare = fn(&Grid, &Limits) -> Run;

/// [`run`] for each of [`Variant::TEMPLATES`].
pub(crate) const TEMPLATES: [(Variant, Bare); 3] = [
    (Variant::Break, run::<Break>),
    (Variant::EarlyReturn, run::<EarlyReturn>),
    (Variant::Rescan, run::<Rescan>),
];

/// Limits with nothing but a cap on the nodes.
pub(crate) fn at_most(nodes: u64) -> Limits<'static> {
    Limits { nodes: Some(nodes), ..Limits::default() }
}
