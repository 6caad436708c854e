//! The variants: which there are, and how one of them is asked for an answer.
//!
//! To add a variant, write one file with a type that implements [`Search`], and give [`Variant`]
//! one more arm here, with its entry in [`Variant::ALL`], of which the compiler does not remind you.
//! Everything but some tests takes its list from there; `CONTRIBUTING.md` has all the steps.

pub mod lanes;

mod arrays;
mod bitmask;
mod break_out;
mod dlx;
mod early_return;
mod engine;
mod mrv;
mod outcome;
mod probe;
mod rescan;

pub use bitmask::Bitmask;
pub use break_out::Break;
pub use dlx::Dlx;
pub use early_return::EarlyReturn;
pub use engine::Engine;
pub use mrv::{Mrv, is_unique};
pub use outcome::{Outcome, Status, count_by, count_solutions, solve};
pub use probe::{Counters, Counts, Limit, Limits, NoProbe, Probe, Stop};
pub use rescan::Rescan;

use crate::grid::Grid;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A way to search for the solution of one puzzle.
///
/// Setting up the state is apart from the search, so that only the search is timed.
pub trait Search {
    /// The state before the search. The puzzle's givens do not conflict.
    fn new(puzzle: &Grid) -> Self;

    /// Searches for the first solution and returns whether there is one. `true` is also the
    /// answer of a search that `probe` stopped. A state is searched once.
    fn run<P: Probe>(&mut self, probe: &mut P) -> bool;

    /// The cells as the search left them: after a success the solution.
    fn grid(&self) -> Grid;
}

/// A [`Search`] that can go on behind a solution.
pub trait Enumerate: Search {
    /// Searches until `missing` solutions are found, counting it down; the grid is then the last of
    /// them. `true`: found them all, or stopped by the probe.
    fn enumerate<P: Probe>(&mut self, probe: &mut P, missing: &mut u8) -> bool;
}

/// The selectable variants; the only list of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Three arrays; a success leaves the loop by `break`.
    Break,
    /// Three arrays; a success returns at once.
    EarlyReturn,
    /// No arrays; row, column and box are scanned before each digit.
    Rescan,
    /// The templates' order with bit masks for arrays.
    Bitmask,
    /// Knuth's Algorithm X with dancing links.
    Dlx,
    /// Bit masks; a cell with at most one candidate, else a digit with one place left, else the
    /// cell with the fewest candidates.
    Mrv,
}

/// Evaluates `$body` with `$S` standing for the [`Search`] type of `$variant`, in its copy number
/// `$COPY` if one is given: the one place where a variant becomes a type.
macro_rules! with_search {
    ($variant:expr, $S:ident => $body:expr) => {
        $crate::solver::with_search!($variant, 0, $S => $body)
    };
    ($variant:expr, $COPY:expr, $S:ident => $body:expr) => {
        match $variant {
            $crate::solver::Variant::Break => {
                type $S = $crate::solver::Break<{ $COPY }>;
                $body
            }
            $crate::solver::Variant::EarlyReturn => {
                type $S = $crate::solver::EarlyReturn<{ $COPY }>;
                $body
            }
            $crate::solver::Variant::Rescan => {
                type $S = $crate::solver::Rescan<{ $COPY }>;
                $body
            }
            $crate::solver::Variant::Bitmask => {
                type $S = $crate::solver::Bitmask<{ $COPY }>;
                $body
            }
            $crate::solver::Variant::Dlx => {
                type $S = $crate::solver::Dlx<{ $COPY }>;
                $body
            }
            $crate::solver::Variant::Mrv => {
                type $S = $crate::solver::Mrv<{ $COPY }>;
                $body
            }
        }
    };
}
pub(crate) use with_search;

impl Variant {
    /// Every variant, the naive ones first. A new one must be entered here by hand.
    pub const ALL: [Variant; 6] = [
        Variant::Break,
        Variant::EarlyReturn,
        Variant::Rescan,
        Variant::Bitmask,
        Variant::Dlx,
        Variant::Mrv,
    ];

    /// The three templates of the LeetCode 37 write-up, which `compare` runs by default.
    pub const TEMPLATES: [Variant; 3] = [Variant::Break, Variant::EarlyReturn, Variant::Rescan];

    /// The name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Break => "break",
            Variant::EarlyReturn => "early-return",
            Variant::Rescan => "rescan",
            Variant::Bitmask => "bitmask",
            Variant::Dlx => "dlx",
            Variant::Mrv => "mrv",
        }
    }

    /// What distinguishes the variant, in one line.
    pub const fn summary(self) -> &'static str {
        match self {
            Variant::Break => "three boolean arrays; a success breaks out of the digit loop",
            Variant::EarlyReturn => "three boolean arrays; a success returns true at once",
            Variant::Rescan => "no arrays; rescans row, column and box before each digit",
            Variant::Bitmask => "the templates' order; one mask of digits for each unit",
            Variant::Dlx => "exact cover; the cell or place with the fewest options",
            Variant::Mrv => {
                "bit masks; naked and hidden singles, else the cell with the fewest candidates"
            }
        }
    }

    /// Where the variant comes from.
    pub const fn lineage(self) -> &'static str {
        match self {
            Variant::Break => "LeetCode 37 write-up, first template",
            Variant::EarlyReturn => "LeetCode 37 write-up, first template, second version",
            Variant::Rescan => "LeetCode 37 write-up, second template",
            Variant::Bitmask => "the first template, as most would speed it up",
            Variant::Dlx => "D. E. Knuth, Dancing links (2000), Algorithm X",
            Variant::Mrv => "minimum remaining values, a constraint-satisfaction classic",
        }
    }

    /// Answers one puzzle within `limits`. See [`solve`].
    pub fn solve(self, puzzle: &Grid, limits: &Limits) -> Outcome {
        with_search!(self, S => solve::<S>(puzzle, limits))
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// There is no variant of that name.
#[derive(Debug, Error)]
#[error("there is no variant `{0}`; `sudoku-bench variants` lists them")]
pub struct UnknownVariant(String);

impl FromStr for Variant {
    type Err = UnknownVariant;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Variant::ALL
            .into_iter()
            .find(|variant| variant.name() == name)
            .ok_or_else(|| UnknownVariant(name.into()))
    }
}
