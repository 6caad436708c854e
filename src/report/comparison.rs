//! A variant held against the baseline, as it stands in `report.json`.

use crate::stats::{Claim, Estimate, Interval, Verdict};
use serde::{Deserialize, Serialize};

/// One variant against the baseline on one file. Every ratio is the variant's time over the
/// baseline's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Comparison {
    /// Name of the variant.
    pub variant: String,
    /// Puzzles compared.
    pub puzzles: u64,
    /// The typical ratio: the Hodges–Lehmann estimate, with the signed-rank interval.
    pub typical: Estimate,
    /// Natural logarithm of the two-sided p-value of the signed-rank test that the typical ratio
    /// is 1; the p-value itself would often be too small for a number.
    pub ln_p_value: f64,
    /// The typical ratio's interval at `corrected_confidence`; the verdict goes by it.
    pub corrected: Option<Interval>,
    /// The confidence that Holm's correction for several comparisons asks of this one.
    pub corrected_confidence: f64,
    /// The geometric mean of the ratios; its interval is by groups, if there are enough.
    pub geometric_mean: Option<Estimate>,
    /// The ratio of the total times; its interval is by groups, if there are enough.
    pub total_time: Option<Estimate>,
    /// Groups of puzzles behind the intervals of the last two.
    pub groups: u64,
    /// Puzzles on which the variant was faster.
    pub wins: u64,
    /// Puzzles on which both took equally many nanoseconds.
    pub ties: u64,
    /// Puzzles on which the baseline was faster.
    pub losses: u64,
    /// The typical ratio by the baseline's node count.
    pub deciles: Vec<Decile>,
    /// Whether both spend their time in the same machine code; none if that was not checked.
    pub identical_code: Option<bool>,
    /// The answer.
    pub verdict: Verdict,
}

/// What a ratio is taken of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Each puzzle.
    #[default]
    Puzzle,
    /// Each block of 256 rows.
    Block,
}

impl Unit {
    /// Whether it is a puzzle, which reports take for granted.
    pub fn is_puzzle(&self) -> bool {
        *self == Unit::Puzzle
    }
}

/// What a comparison says in the end, be it from one layout of the machine code or from several.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged<'a> {
    /// Name of the variant.
    pub variant: &'a str,
    /// Its typical time over the baseline's.
    pub ratio: f64,
    /// The interval that is told with the ratio.
    pub interval: Option<Interval>,
    /// The verdict.
    pub verdict: Verdict,
}

impl<'a> From<&'a Comparison> for Judged<'a> {
    fn from(comparison: &'a Comparison) -> Self {
        Judged {
            variant: &comparison.variant,
            ratio: comparison.typical.ratio,
            interval: comparison.corrected,
            verdict: comparison.verdict,
        }
    }
}

/// A tenth of the puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Decile {
    /// The baseline's smallest node count.
    pub nodes_from: u64,
    /// The baseline's largest node count.
    pub nodes_to: u64,
    /// How many puzzles.
    pub puzzles: u64,
    /// The typical ratio on them.
    pub typical: Estimate,
}

/// What separately placed copies of the baseline's code made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Controls {
    /// One for each copy.
    pub copies: Vec<Control>,
    /// The largest distance from 1 of all bounds of their intervals; none where there were too few
    /// puzzles for an interval.
    pub bound: Option<f64>,
}

/// A copy of the baseline's code against the baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Control {
    /// Name of the copy.
    pub name: String,
    /// The typical ratio: the copy's time over the baseline's.
    pub typical: Estimate,
}

/// A claim of the LeetCode 37 write-up and what the run says of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Finding {
    /// The claim, as a sentence.
    pub claim: String,
    /// The answer.
    pub answer: Claim,
    /// The variants whose comparison with the baseline answers it; none if the run has no such
    /// comparison.
    pub by: Vec<String>,
}
