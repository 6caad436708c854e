//! Estimates, intervals and verdicts: pure functions on numbers.
//!
//! A comparison of two arms is a list of d = ln(t_other / t_baseline), one for each puzzle, so
//! that 0 is no difference; what leaves this module in an [`Estimate`] is a ratio again, and 1 is
//! no difference. A ratio below 1 is that of a faster arm.
//!
//! - [`SignedRank`]: the typical ratio, the Hodges–Lehmann estimate of d with the interval and the
//!   test of Wilcoxon's signed ranks;
//! - [`geometric_mean`], [`ratio_of_totals`]: two other answers, with groups of puzzles as units;
//! - [`between_runs`], [`between_runs_p_value`]: the mean over runs whose machine code is placed
//!   differently;
//! - [`holm`]: the levels of several comparisons made together;
//! - [`Evidence`], [`Verdict`], [`Claim`]: what may be said in the end.
//!
//! Memory follows the number of puzzles, time at most that number times its logarithm.

mod deciles;
mod groups;
mod holm;
mod interval;
mod null;
mod signed_rank;
mod student;
mod verdict;
mod walsh;

pub use deciles::Deciles;
pub use groups::{LogSum, MIN_GROUPS, Totals, geometric_mean, ratio_of_totals};
pub use holm::holm;
pub use interval::{Estimate, Interval, log_ratio, puzzles_needed};
pub use signed_rank::SignedRank;
pub use student::{between_runs, between_runs_p_value};
pub use verdict::{Claim, Evidence, Grade, Verdict, control_bound, leeway};

#[cfg(test)]
#[track_caller]
fn assert_close(found: f64, expected: f64, tolerance: f64) {
    let error = (found - expected).abs();
    assert!(error <= tolerance * expected.abs().max(1.0), "{found} instead of {expected}");
}
