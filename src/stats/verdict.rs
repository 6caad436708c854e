//! What may be said about a variant.

use super::Interval;
use serde::{Deserialize, Serialize};

/// How far a run can tell an effect from the luck of where the code is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// One build: placement is the same throughout, and nothing averages it out.
    OneLayout,
    /// Several builds that differ in placement only, and the interval covers that too.
    ClaimGrade,
}

impl Grade {
    /// The smallest difference from 1 that FASTER and SLOWER take: the margin, and in one layout
    /// twice what copies of the baseline make if that is more.
    pub fn needed(self, margin: f64, control_bound: Option<f64>) -> f64 {
        match self {
            Grade::OneLayout => margin.max(2.0 * control_bound.unwrap_or(0.0)),
            Grade::ClaimGrade => margin,
        }
    }
}

/// The answer of one comparison with the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Some answer was wrong, so that times mean nothing.
    Invalid,
    /// Both run the same machine code: any difference measured is placement.
    IdenticalCode,
    /// The variant takes less time, beyond the margin.
    Faster,
    /// The variant takes more time, beyond the margin.
    Slower,
    /// There is a difference, and it is smaller than the margin.
    SmallButReal,
    /// If there is a difference, it is smaller than the margin.
    Equivalent,
    /// The data do not allow any of these.
    Inconclusive,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Verdict; 7] = [
        Verdict::Invalid,
        Verdict::IdenticalCode,
        Verdict::Faster,
        Verdict::Slower,
        Verdict::SmallButReal,
        Verdict::Equivalent,
        Verdict::Inconclusive,
    ];
}

/// What a verdict is made from. Ratios are those of the variant to the baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence {
    /// Whether a wrong answer was met.
    pub wrong: bool,
    /// Whether the machine code is known to be the same.
    pub identical_code: bool,
    /// The interval of the ratio at the corrected level, if there is one.
    pub interval: Option<Interval>,
    /// The smallest difference from 1 that matters, such as 0.01.
    pub margin: f64,
    /// How far copies of the baseline may lie from it ([`control_bound`]). Without copies it
    /// counts as 0, and placement goes unseen.
    pub control_bound: Option<f64>,
    /// What kind of run it was.
    pub grade: Grade,
}

impl Evidence {
    /// The first verdict that applies, in the order in which they are listed.
    ///
    /// From one layout, [`Faster`](Verdict::Faster) and [`Slower`](Verdict::Slower) need an
    /// interval that lies beyond twice the control bound, too, and there is no
    /// [`SmallButReal`](Verdict::SmallButReal). [`Equivalent`](Verdict::Equivalent) allows for a
    /// control bound that is larger than the margin.
    pub fn verdict(&self) -> Verdict {
        if self.wrong {
            return Verdict::Invalid;
        }
        if self.identical_code {
            return Verdict::IdenticalCode;
        }
        let Some(interval) = self.interval else { return Verdict::Inconclusive };
        let needed = self.grade.needed(self.margin, self.control_bound);
        let inside = |margin: f64| interval.lo > 1.0 - margin && interval.hi < 1.0 + margin;
        if interval.hi < 1.0 - needed {
            Verdict::Faster
        } else if interval.lo > 1.0 + needed {
            Verdict::Slower
        } else if self.grade == Grade::ClaimGrade && !interval.contains(1.0) && inside(self.margin)
        {
            Verdict::SmallButReal
        } else if inside(leeway(self.margin, self.control_bound)) {
            Verdict::Equivalent
        } else {
            Verdict::Inconclusive
        }
    }
}

/// What counts as no difference: up to the margin, or what copies of the baseline make if that is
/// more.
pub fn leeway(margin: f64, control_bound: Option<f64>) -> f64 {
    control_bound.map_or(margin, |bound| bound.max(margin))
}

/// How far the copies of the baseline may lie from it: the largest distance from 1 of any bound of
/// their intervals, as ratios. `None` without copies.
pub fn control_bound(copies: &[Interval]) -> Option<f64> {
    let bounds = copies.iter().flat_map(|interval| [interval.lo, interval.hi]);
    bounds.map(|bound| (bound - 1.0).abs()).reduce(f64::max)
}

/// What becomes of a claim that one variant is faster (or slower) than another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// There is a difference, and it has the claimed direction.
    Supported,
    /// The difference has the other direction, or there is none that matters.
    NotSupported,
    /// The data leave it open.
    NotDecided,
}

impl Claim {
    /// Judges a claim by the verdict and by whether the ratio lies on the claimed side of 1.
    pub fn judge(verdict: Verdict, on_claimed_side: bool) -> Self {
        match verdict {
            Verdict::Faster | Verdict::Slower | Verdict::SmallButReal if on_claimed_side => {
                Claim::Supported
            }
            Verdict::Faster
            | Verdict::Slower
            | Verdict::SmallButReal
            | Verdict::Equivalent
            | Verdict::IdenticalCode => Claim::NotSupported,
            Verdict::Invalid | Verdict::Inconclusive => Claim::NotDecided,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(grade: Grade, lo: f64, hi: f64) -> Evidence {
        Evidence {
            wrong: false,
            identical_code: false,
            interval: Some(Interval { lo, hi }),
            margin: 0.01,
            control_bound: Some(0.004),
            grade,
        }
    }

    fn one_layout(lo: f64, hi: f64) -> Verdict {
        evidence(Grade::OneLayout, lo, hi).verdict()
    }

    fn claim_grade(lo: f64, hi: f64) -> Verdict {
        evidence(Grade::ClaimGrade, lo, hi).verdict()
    }

    #[test]
    fn a_ratio_below_one_is_faster() {
        assert_eq!(one_layout(0.97, 0.98), Verdict::Faster);
        assert_eq!(one_layout(1.02, 1.03), Verdict::Slower);
        assert_eq!(claim_grade(0.97, 0.98), Verdict::Faster);
        assert_eq!(claim_grade(1.02, 1.03), Verdict::Slower);
    }

    #[test]
    fn an_interval_that_reaches_into_the_margin_is_neither_faster_nor_slower() {
        for verdict in [one_layout, claim_grade] {
            assert_eq!(verdict(0.97, 0.995), Verdict::Inconclusive);
            assert_eq!(verdict(1.005, 1.03), Verdict::Inconclusive);
        }
    }

    #[test]
    fn in_one_layout_twice_the_control_bound_must_be_passed() {
        let passed = |control_bound, grade| {
            Evidence { control_bound, ..evidence(grade, 1.025, 1.03) }.verdict()
        };
        assert_eq!(passed(Some(0.012), Grade::OneLayout), Verdict::Slower);
        assert_eq!(passed(Some(0.013), Grade::OneLayout), Verdict::Inconclusive);
        assert_eq!(passed(Some(0.013), Grade::ClaimGrade), Verdict::Slower);
        assert_eq!(passed(None, Grade::OneLayout), Verdict::Slower);
    }

    #[test]
    fn a_small_difference_is_real_only_over_several_layouts() {
        assert_eq!(claim_grade(1.002, 1.006), Verdict::SmallButReal);
        assert_eq!(claim_grade(0.994, 0.998), Verdict::SmallButReal);
        assert_eq!(one_layout(1.002, 1.006), Verdict::Equivalent);
        assert_eq!(claim_grade(0.998, 1.006), Verdict::Equivalent);
    }

    #[test]
    fn no_difference_beyond_a_large_control_bound_is_equivalence_too() {
        let wide = evidence(Grade::OneLayout, 0.985, 1.012);
        assert_eq!(wide.verdict(), Verdict::Inconclusive);
        let controlled = Evidence { control_bound: Some(0.02), ..wide };
        assert_eq!(controlled.verdict(), Verdict::Equivalent);
    }

    #[test]
    fn a_wrong_answer_outranks_identical_code_and_that_any_interval() {
        let faster = evidence(Grade::OneLayout, 0.5, 0.6);
        let identical = Evidence { identical_code: true, ..faster };
        assert_eq!(identical.verdict(), Verdict::IdenticalCode);
        assert_eq!(Evidence { wrong: true, ..identical }.verdict(), Verdict::Invalid);
        assert_eq!(Evidence { interval: None, ..faster }.verdict(), Verdict::Inconclusive);
    }

    #[test]
    fn the_control_bound_is_the_farthest_bound_of_any_copy() {
        let copies = [Interval { lo: 0.993, hi: 1.002 }, Interval { lo: 0.999, hi: 1.004 }];
        assert!((control_bound(&copies).unwrap() - 0.007).abs() < 1e-12);
        assert_eq!(control_bound(&[]), None);
    }

    #[test]
    fn a_claim_stands_only_with_a_difference_in_its_direction() {
        use Verdict::*;
        for verdict in [Faster, Slower, SmallButReal] {
            assert_eq!(Claim::judge(verdict, true), Claim::Supported);
            assert_eq!(Claim::judge(verdict, false), Claim::NotSupported);
        }
        for on_claimed_side in [true, false] {
            for verdict in [Equivalent, IdenticalCode] {
                assert_eq!(Claim::judge(verdict, on_claimed_side), Claim::NotSupported);
            }
            for verdict in [Invalid, Inconclusive] {
                assert_eq!(Claim::judge(verdict, on_claimed_side), Claim::NotDecided);
            }
        }
    }

    #[test]
    fn verdicts_have_snake_case_names_in_files() {
        assert_eq!(serde_json::to_string(&Verdict::SmallButReal).unwrap(), "\"small_but_real\"");
        assert_eq!(serde_json::to_string(&Grade::OneLayout).unwrap(), "\"one_layout\"");
        assert_eq!(serde_json::to_string(&Claim::NotDecided).unwrap(), "\"not_decided\"");
    }
}
