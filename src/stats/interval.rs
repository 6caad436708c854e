//! Intervals, and estimates with one.

use serde::{Deserialize, Serialize};

/// A closed interval of confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Interval {
    /// The lower bound.
    pub lo: f64,
    /// The upper bound.
    pub hi: f64,
}

impl Interval {
    /// The interval of what lies within `margin` of `centre`.
    pub fn around(centre: f64, margin: f64) -> Self {
        Interval { lo: centre - margin, hi: centre + margin }
    }

    /// The interval of the ratios whose logarithms are in this one.
    pub fn exp(self) -> Self {
        Interval { lo: self.lo.exp(), hi: self.hi.exp() }
    }

    /// Whether a value lies in the interval or on a bound.
    pub fn contains(self, value: f64) -> bool {
        (self.lo..=self.hi).contains(&value)
    }

    /// Distance of the bounds.
    pub fn width(self) -> f64 {
        self.hi - self.lo
    }

    /// The wider of two intervals, this one if they are equally wide.
    pub fn wider(self, other: Interval) -> Self {
        if other.width() > self.width() { other } else { self }
    }
}

/// A ratio of two times, with what is known about its error.
///
/// Read from a file, the ratio and the bounds must be positive numbers in their order.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(!try_from))]
#[serde(try_from = "Unchecked")]
pub struct Estimate {
    /// The time of the other arm over that of the baseline.
    pub ratio: f64,
    /// The interval of that ratio; `None` where there is too little data for one.
    pub interval: Option<Interval>,
}

/// An estimate as it stands in a file.
#[derive(Deserialize)]
struct Unchecked {
    ratio: f64,
    interval: Option<Interval>,
}

impl TryFrom<Unchecked> for Estimate {
    type Error = &'static str;

    fn try_from(Unchecked { ratio, interval }: Unchecked) -> Result<Self, Self::Error> {
        // Bounds and estimate are rounded each by itself.
        let slack = 1.0 + 1e-9;
        let is_ratio = |value: f64| value.is_finite() && value > 0.0;
        let holds = |bounds: Interval| {
            is_ratio(bounds.lo)
                && is_ratio(bounds.hi)
                && bounds.lo <= ratio * slack
                && ratio <= bounds.hi * slack
        };
        match is_ratio(ratio) && interval.is_none_or(holds) {
            true => Ok(Estimate { ratio, interval }),
            false => Err("a ratio is not positive, or not within its interval"),
        }
    }
}

impl Estimate {
    /// The estimate of a ratio from that of its logarithm.
    pub(super) fn from_log(log_ratio: f64, interval: Option<Interval>) -> Self {
        Estimate { ratio: log_ratio.exp(), interval: interval.map(Interval::exp) }
    }
}

/// ln of the other arm's time over the baseline's, both in nanoseconds. A time that the clock did
/// not see counts as one nanosecond.
pub fn log_ratio(baseline_ns: u64, other_ns: u64) -> f64 {
    (other_ns.max(1) as f64 / baseline_ns.max(1) as f64).ln()
}

/// How many puzzles bring the half width of an interval down to `target`, when `puzzles` gave
/// `half_width`, in the same unit: the width falls with the root of their number.
pub fn puzzles_needed(puzzles: u64, half_width: f64, target: f64) -> u64 {
    (puzzles as f64 * (half_width / target).powi(2)).ceil() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_closed() {
        let interval = Interval { lo: -1.0, hi: 2.0 };
        assert_eq!([-1.0, 0.0, 2.0].map(|value| interval.contains(value)), [true; 3]);
        assert_eq!([-1.1, 2.1].map(|value| interval.contains(value)), [false; 2]);
        assert_eq!(interval.width(), 3.0);
        assert_eq!(interval.exp(), Interval { lo: (-1_f64).exp(), hi: 2_f64.exp() });
    }

    #[test]
    fn the_wider_of_two_intervals_is_chosen() {
        let (narrow, wide) = (Interval::around(1.0, 0.1), Interval::around(2.0, 0.2));
        assert_eq!(narrow.wider(wide), wide);
        assert_eq!(wide.wider(narrow), wide);
    }

    #[test]
    fn half_the_width_takes_four_times_the_puzzles() {
        assert_eq!(puzzles_needed(1000, 0.02, 0.01), 4000);
        assert_eq!(puzzles_needed(1000, 0.01, 0.02), 250);
        assert_eq!(puzzles_needed(3, 0.011, 0.01), 4);
    }

    #[test]
    fn an_estimate_survives_its_json() {
        for interval in [None, Some(Interval { lo: 0.9, hi: 1.2 })] {
            let estimate = Estimate { ratio: 1.1, interval };
            let json = serde_json::to_string(&estimate).unwrap();
            assert_eq!(serde_json::from_str::<Estimate>(&json).unwrap(), estimate);
        }
    }
}
