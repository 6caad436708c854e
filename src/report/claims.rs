//! The two claims of the LeetCode 37 write-up, answered from comparisons.

use super::{Finding, Judged};
use crate::solver::Variant;
use crate::stats::Claim;

/// That each of some variants is faster than each of some others.
struct Statement {
    claim: &'static str,
    faster: &'static [Variant],
    slower: &'static [Variant],
}

const STATEMENTS: [Statement; 2] = [
    Statement {
        claim: "returning at once is faster than breaking",
        faster: &[Variant::EarlyReturn],
        slower: &[Variant::Break],
    },
    Statement {
        claim: "keeping arrays is faster than rescanning",
        faster: &[Variant::Break, Variant::EarlyReturn],
        slower: &[Variant::Rescan],
    },
];

/// Answers the claims from the comparisons with `baseline`. Where several comparisons bear on a
/// claim, they must all say the same, or it is not decided.
pub fn findings(baseline: &str, answers: &[Judged]) -> Vec<Finding> {
    STATEMENTS.iter().map(|statement| statement.judge(baseline, answers)).collect()
}

impl Statement {
    fn judge(&self, baseline: &str, answers: &[Judged]) -> Finding {
        let names = |variants: &[Variant], name| variants.iter().any(|v| v.name() == name);
        let mut by = Vec::new();
        let mut judged = Vec::new();
        for &Judged { variant, ratio, verdict, .. } in answers {
            let on_claimed_side = if names(self.faster, variant) && names(self.slower, baseline) {
                ratio < 1.0
            } else if names(self.slower, variant) && names(self.faster, baseline) {
                ratio > 1.0
            } else {
                continue;
            };
            by.push(variant.to_owned());
            judged.push(Claim::judge(verdict, on_claimed_side));
        }
        let all = |answer| !judged.is_empty() && judged.iter().all(|&other| other == answer);
        let answer =
            [Claim::Supported, Claim::NotSupported].into_iter().find(|&answer| all(answer));
        Finding { claim: self.claim.into(), answer: answer.unwrap_or(Claim::NotDecided), by }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Verdict;

    fn given(variant: Variant, ratio: f64, verdict: Verdict) -> Judged<'static> {
        Judged { variant: variant.name(), ratio, interval: None, verdict }
    }

    fn claims(baseline: Variant, answers: &[Judged]) -> [Claim; 2] {
        let findings = findings(baseline.name(), answers);
        [findings[0].answer, findings[1].answer]
    }

    #[test]
    fn a_claim_is_supported_from_either_side() {
        let at_once = given(Variant::EarlyReturn, 0.9, Verdict::Faster);
        let rescan = given(Variant::Rescan, 4.0, Verdict::Slower);
        let both = claims(Variant::Break, &[at_once, rescan]);
        assert_eq!(both, [Claim::Supported, Claim::Supported]);
        let breaking = given(Variant::Break, 1.1, Verdict::Slower);
        let rescan = given(Variant::Rescan, 0.8, Verdict::Faster);
        let both = claims(Variant::EarlyReturn, &[breaking, rescan]);
        assert_eq!(both, [Claim::Supported, Claim::NotSupported]);
    }

    #[test]
    fn no_difference_does_not_support_a_claim() {
        for verdict in [Verdict::Equivalent, Verdict::IdenticalCode] {
            let at_once = given(Variant::EarlyReturn, 0.999, verdict);
            assert_eq!(claims(Variant::Break, &[at_once])[0], Claim::NotSupported);
        }
        let at_once = given(Variant::EarlyReturn, 0.98, Verdict::Inconclusive);
        assert_eq!(claims(Variant::Break, &[at_once])[0], Claim::NotDecided);
    }

    #[test]
    fn comparisons_that_disagree_decide_nothing() {
        let breaking = given(Variant::Break, 0.3, Verdict::Faster);
        let at_once = given(Variant::EarlyReturn, 0.99, Verdict::Inconclusive);
        let findings = findings("rescan", &[breaking, at_once]);
        assert_eq!(findings[1].answer, Claim::NotDecided);
        assert_eq!(findings[1].by, ["break", "early-return"]);
    }

    #[test]
    fn without_a_comparison_that_bears_on_it_a_claim_is_open() {
        let mrv = given(Variant::Mrv, 0.1, Verdict::Faster);
        assert_eq!(claims(Variant::Break, &[mrv]), [Claim::NotDecided; 2]);
    }
}
