//! From ratios to what is said of them, be they those of puzzles or those of blocks of puzzles.

use crate::report::{Control, Controls};
use crate::stats::{Estimate, Evidence, Interval, SignedRank, Verdict, control_bound};

/// The ratios of an arm's times to the baseline's, of which there is one at least.
pub(super) struct Ratios {
    ranks: SignedRank,
    /// Whether there are enough for an interval and a test.
    are_enough: bool,
}

/// A typical ratio, and the answer that its test gives.
pub(super) struct Tested {
    pub(super) typical: Estimate,
    pub(super) corrected: Option<Interval>,
    pub(super) verdict: Verdict,
}

impl Ratios {
    /// From the logarithms; `None` if there are none. Fewer than `enough` are not tested.
    pub(super) fn new(logs: Vec<f64>, enough: usize) -> Option<Self> {
        let are_enough = logs.len() >= enough;
        Some(Ratios { ranks: SignedRank::new(logs)?, are_enough })
    }

    /// ln of the p value of the test that the typical ratio is 1, if there are enough.
    pub(super) fn ln_p_value(&self) -> Option<f64> {
        self.are_enough.then(|| self.ranks.ln_p_value())
    }

    fn interval(&self, confidence: f64) -> Option<Interval> {
        self.ranks.interval(confidence).filter(|_| self.are_enough).map(Interval::exp)
    }

    fn estimate(&self, confidence: f64) -> Estimate {
        let ratio = self.ranks.pseudo_median().exp();
        Estimate { ratio, interval: self.interval(confidence) }
    }

    /// The typical ratio at this `confidence`, and the verdict by its interval at the `level` that the
    /// correction for several comparisons asks for. `evidence` is everything but that interval.
    pub(super) fn test(&self, confidence: f64, level: f64, evidence: Evidence) -> Tested {
        let corrected = self.interval(1.0 - level);
        Tested {
            typical: self.estimate(confidence),
            corrected,
            verdict: Evidence { interval: corrected, ..evidence }.verdict(),
        }
    }
}

/// Copies of the baseline by name, each with its ratios to the baseline; `None` if there are none.
pub(super) fn controls<'a>(
    copies: impl Iterator<Item = (&'a str, Ratios)>,
    confidence: f64,
) -> Option<Controls> {
    let control = |(name, ratios): (&str, Ratios)| {
        let typical = ratios.estimate(confidence);
        Control { name: name.into(), typical }
    };
    let copies: Vec<Control> = copies.map(control).collect();
    let intervals: Option<Vec<Interval>> =
        copies.iter().map(|copy| copy.typical.interval).collect();
    let bound = control_bound(&intervals.unwrap_or_default());
    (!copies.is_empty()).then_some(Controls { copies, bound })
}
