//! `lanes` held against the baseline, as it stands in `report.json`.

use super::Controls;
use crate::dataset::BLOCK_ROWS;
use crate::stats::{Estimate, Interval, Verdict};
use serde::{Deserialize, Serialize};

/// `lanes` against the baseline on one file. It solves many puzzles at once, so what is compared are
/// blocks of 256 rows: its time for the puzzles of a block that all variants answered over the sum of
/// the baseline's times for them. Every ratio is of that kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PerBlock {
    /// `lanes`.
    pub variant: String,
    /// The instruction set it used.
    pub isa: String,
    /// Blocks with 192 puzzles at least, [`FEWEST_PUZZLES`](Self::FEWEST_PUZZLES), which were timed.
    pub blocks: u64,
    /// Blocks with fewer, be it that rows gave none, that limits took them out, or that a part of the
    /// block was not worked on; they were not timed. One without any puzzle is not counted.
    pub short_blocks: u64,
    /// Puzzles in the blocks that were timed, each form by itself.
    pub puzzles: u64,
    /// Puzzles on which it hit the node cap; they are left out of both times.
    pub dropped: u64,
    /// Its nodes on the puzzles. They are guesses, unlike the nodes of the templates.
    pub nodes: u64,
    /// Its time for all blocks.
    pub total_ns: u64,
    /// The baseline's time for the same puzzles.
    pub baseline_ns: u64,
    /// The typical ratio of a block: the Hodges–Lehmann estimate, with the signed-rank interval if
    /// there are enough blocks. None where there is no block.
    pub typical: Option<Estimate>,
    /// Natural logarithm of the two-sided p-value of the signed-rank test that the typical ratio is
    /// 1; none where there are too few blocks to be tested.
    pub ln_p_value: Option<f64>,
    /// The typical ratio's interval at `corrected_confidence`; the verdict goes by it.
    pub corrected: Option<Interval>,
    /// The confidence that Holm's correction for several comparisons asks of this one.
    pub corrected_confidence: f64,
    /// The ratio of the total times; its interval takes each block as a group.
    pub total_time: Option<Estimate>,
    /// What copies of the baseline's own code made, block by block.
    pub controls: Option<Controls>,
    /// The answer.
    pub verdict: Verdict,
}

impl PerBlock {
    /// A block is timed if so many of its puzzles, three quarters of its rows, were measured, each in
    /// one form at least, and answered by `lanes` within its cap.
    pub const FEWEST_PUZZLES: usize = BLOCK_ROWS / 4 * 3;

    /// How far copies of the baseline may lie from it, block by block, if that is known.
    pub fn control_bound(&self) -> Option<f64> {
        self.controls.as_ref().and_then(|controls| controls.bound)
    }

    /// Puzzles in a second of solving, by the engine itself and by the baseline.
    pub fn puzzles_per_s(&self) -> [Option<f64>; 2] {
        let rate = |ns: u64| (ns > 0).then(|| self.puzzles as f64 * 1e9 / ns as f64);
        [self.total_ns, self.baseline_ns].map(rate)
    }
}
