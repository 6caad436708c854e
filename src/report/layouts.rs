//! Runs of one program in several layouts of its machine code, put together: the claim-grade
//! report, as it stands in `layouts.json`.
//!
//! Where code lies changes its speed by as much as the effects that are asked about. Over several
//! layouts that luck is a random error with an interval of its own, and an answer goes by the wider
//! of that one and the one within a layout.

mod agreement;
mod merge;

pub use agreement::MergeError;

use super::{Difference, Finding, Judged, Population, Provenance, Settings};
use crate::measure::Timer;
use crate::stats::{Interval, Verdict};
use serde::{Deserialize, Serialize};

/// Version of the file format; it changes when a key changes its meaning, goes away, or is added
/// and cannot be done without.
pub const LAYOUTS_SCHEMA_VERSION: u32 = 1;

/// Several runs with the same settings on the same inputs, each in a layout of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Layouts {
    /// [`LAYOUTS_SCHEMA_VERSION`] of the program that wrote it.
    #[cfg_attr(test, schemars(extend("const" = LAYOUTS_SCHEMA_VERSION)))]
    pub schema_version: u32,
    /// Where and when the first run was made, and from what.
    pub provenance: Provenance,
    /// What was asked, in the first run; whatever bears on the results is the same in all.
    pub settings: Settings,
    /// What the clock could resolve in the first run.
    pub timer: Timer,
    /// The runs, in the order in which they were named.
    pub runs: Vec<LayoutRun>,
    /// In what circumstances the runs differ beside the layout.
    pub differences: Vec<Difference>,
    /// One result for each input file.
    pub files: Vec<LayoutsFile>,
}

/// One of the runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LayoutRun {
    /// The folder or file as it was named.
    pub name: String,
    /// Start of the run, UTC, RFC 3339.
    pub date: String,
    /// The git commit it was built from, in hexadecimal.
    pub commit: Option<String>,
    /// For each arm, controls last, how far the function that times it lies behind that of the
    /// first arm, in bytes.
    pub layout: Vec<i64>,
    /// Number of warnings in the run's own report.
    pub warnings: u64,
}

/// What came out for one input file. The numbers of puzzles are those of the first run, which the
/// others share but for the reasons why some were left out, where a limit of time was set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LayoutsFile {
    /// The name as typed in the first run.
    pub name: String,
    /// SHA-256 of its bytes, in lower-case hexadecimal.
    pub sha256: String,
    /// Rows in it.
    pub input_rows: u64,
    /// How many rows there were, and what became of them: in the first run, which the others share
    /// but for the reasons why some were left out, where a limit of time was set. On `wrong` puzzles
    /// a variant was shown to be wrong in some run.
    #[serde(flatten)]
    pub population: Population,
    /// Every other variant held against the baseline.
    pub comparisons: Vec<LayoutsComparison>,
    /// Copies of the baseline's own code.
    pub controls: Option<LayoutsControls>,
    /// The answers to the claims of the LeetCode 37 write-up.
    pub claims: Vec<Finding>,
}

/// One variant against the baseline on one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LayoutsComparison {
    /// Name of the variant.
    pub variant: String,
    /// Puzzles compared in each layout.
    pub puzzles: u64,
    /// The variant's typical time over the baseline's. The interval within a layout is at the
    /// confidence that Holm's correction asked for in each run, and the one between layouts at
    /// `corrected_confidence`.
    #[serde(flatten)]
    pub typical: OverLayouts,
    /// The two-sided p-value of the t test over layouts that the ratio is 1; 0 if it is too small
    /// for a number.
    pub p_value: f64,
    /// The confidence that Holm's correction for several comparisons asks of this one.
    pub corrected_confidence: f64,
    /// Whether both spend their time in the same machine code; none if that was not checked.
    pub identical_code: Option<bool>,
    /// The answer.
    pub verdict: Verdict,
}

/// A typical ratio over several layouts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OverLayouts {
    /// The geometric mean of the layouts' ratios.
    pub ratio: f64,
    /// The interval by the puzzles of one layout: the geometric means of the layouts' bounds. None
    /// where a layout has too few puzzles for an interval.
    pub within: Option<Interval>,
    /// Student's interval of the mean over layouts.
    pub between: Interval,
    /// The wider of the two, as logarithms; the answer goes by it. None without the first.
    pub decisive: Option<Interval>,
    /// Which of them it is.
    pub dominates: Option<Source>,
    /// The ratio in each layout, in the order of the runs.
    pub ratios: Vec<f64>,
}

/// Where an interval comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The puzzles of one layout.
    Within,
    /// The layouts.
    Between,
}

/// What separately placed copies of the baseline's code made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LayoutsControls {
    /// One for each copy.
    pub copies: Vec<LayoutsControl>,
    /// The largest distance from 1 of all bounds of their decisive intervals; none where one has
    /// none.
    pub bound: Option<f64>,
}

/// A copy of the baseline's code against the baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LayoutsControl {
    /// Name of the copy.
    pub name: String,
    /// The copy's typical time over the baseline's, at the confidence of the settings.
    #[serde(flatten)]
    pub typical: OverLayouts,
}

impl LayoutsFile {
    /// How far copies of the baseline may lie from it, if that is known.
    pub fn control_bound(&self) -> Option<f64> {
        self.controls.as_ref().and_then(|controls| controls.bound)
    }
}

impl<'a> From<&'a LayoutsComparison> for Judged<'a> {
    fn from(comparison: &'a LayoutsComparison) -> Self {
        Judged {
            variant: &comparison.variant,
            ratio: comparison.typical.ratio,
            interval: comparison.typical.decisive,
            verdict: comparison.verdict,
        }
    }
}
