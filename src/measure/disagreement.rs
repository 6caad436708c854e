//! Arms held against each other and against the rules.

use super::{Arm, Clock, Counted};
use crate::grid::Grid;
use crate::solver::{Status, Variant};
use thiserror::Error;

/// A proof that some arm is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Disagreement {
    /// An arm panicked.
    #[error("`{arm}` panicked")]
    Panic {
        /// Name of the arm.
        arm: &'static str,
    },
    /// An engine that solves many puzzles at once panicked, be it on this puzzle or on another one.
    #[error("`{arm}` panicked on this puzzle or on another one of its block")]
    PanicInBlock {
        /// Name of the engine.
        arm: &'static str,
    },
    /// What an arm calls a solution breaks a rule or changes a given.
    #[error("the solution of `{arm}` is wrong: {solution}")]
    Solution {
        /// Name of the arm.
        arm: &'static str,
        /// What it found.
        solution: Grid,
    },
    /// One arm finds a solution where another proves that there is none.
    #[error("`{first}` says {first_status}, `{second}` says {second_status}")]
    Verdict {
        /// Name of one arm.
        first: &'static str,
        /// What it says.
        first_status: Status,
        /// Name of the other arm.
        second: &'static str,
        /// What that one says.
        second_status: Status,
    },
    /// All arms prove that a form of a puzzle has no solution, and solve another form of it. They are
    /// equivalent, so the proof is wrong.
    #[error("all say that there is no solution, and form {solved} of the same puzzle has one")]
    BetweenForms {
        /// The number of a form that has a solution; 0 is the puzzle as it stands.
        solved: u32,
    },
    /// Two templates that do the same work differ in solution or counters.
    #[error("`{first}` and `{second}` must agree in {what}, and do not")]
    Templates {
        /// Name of one template.
        first: &'static str,
        /// Name of the other.
        second: &'static str,
        /// In what they differ.
        what: &'static str,
    },
    /// The timed run of an arm gives another answer than its counting run.
    #[error("`{arm}` answers differently when it is timed and when it counts")]
    Repeat {
        /// Name of the arm.
        arm: &'static str,
    },
}

impl Disagreement {
    /// The first contradiction among the counting runs of the arms on a puzzle.
    pub(super) fn among<C: Clock>(
        arms: &[Arm<C>],
        puzzle: &Grid,
        counted: &[Counted],
    ) -> Option<Self> {
        let mut first_template: Option<(&Arm<C>, Variant, &Counted)> = None;
        for (arm, found) in std::iter::zip(arms, counted) {
            if let Some(solution) = found.solution.filter(|grid| !grid.solves(puzzle)) {
                return Some(Disagreement::Solution { arm: arm.name(), solution });
            }
            if found.status != counted[0].status {
                return Some(Disagreement::Verdict {
                    first: arms[0].name(),
                    first_status: counted[0].status,
                    second: arm.name(),
                    second_status: found.status,
                });
            }
            let Some(template) = arm.template() else { continue };
            let Some((first, first_kind, expected)) = first_template else {
                first_template = Some((arm, template, found));
                continue;
            };
            if let Some(what) = difference((first_kind, expected), (template, found)) {
                return Some(Disagreement::Templates {
                    first: first.name(),
                    second: arm.name(),
                    what,
                });
            }
        }
        None
    }
}

/// In what two templates differ that must not: all but `calls`, which `rescan` counts by another
/// recursion.
fn difference(
    (first_kind, first): (Variant, &Counted),
    (second_kind, second): (Variant, &Counted),
) -> Option<&'static str> {
    let same_recursion = (first_kind == Variant::Rescan) == (second_kind == Variant::Rescan);
    let pairs = [
        ("nodes", first.counts.nodes, second.counts.nodes),
        ("placements", first.counts.placements, second.counts.placements),
        ("backtracks", first.counts.backtracks, second.counts.backtracks),
        ("checks", first.counts.checks, second.counts.checks),
    ];
    if first.solution != second.solution {
        return Some("the solution");
    }
    if same_recursion && first.counts.calls != second.counts.calls {
        return Some("calls");
    }
    pairs.into_iter().find(|(_, left, right)| left != right).map(|(what, ..)| what)
}
