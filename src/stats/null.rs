//! The signed-rank statistic when signs are a matter of chance.

use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::erf::erfc;

/// Up to so many values the exact distribution is used.
pub(super) const EXACT: usize = 50;

/// The chances P(V ≤ 0), P(V ≤ 1), … of the sum V of those `ranks` that get a plus, when each gets
/// one with the chance ½. Exact for up to 50 ranks: all chances are multiples of 2⁻⁵⁰.
pub(super) fn lower_tails(ranks: impl Iterator<Item = usize>) -> Vec<f64> {
    let mut chances = vec![1.0];
    for rank in ranks {
        chances.resize(chances.len() + rank, 0.0);
        for sum in (0..chances.len()).rev() {
            let with = sum.checked_sub(rank).map_or(0.0, |rest| chances[rest]);
            chances[sum] = (chances[sum] + with) / 2.0;
        }
    }
    let mut tail = 0.0;
    for chance in &mut chances {
        tail += *chance;
        *chance = tail;
    }
    chances
}

/// The rank of the Walsh average that is the lower bound of the two-sided interval at 1 - `level`,
/// of `n` values that all differ in size; 0 when there is no such interval.
///
/// It is the number of outcomes V = 0, 1, … that reject at `level`. Beyond [`EXACT`] values that
/// follows from the normal approximation with a correction for continuity of ½, whose tails are a
/// little too heavy: the rank is the exact one or a little lower.
pub(super) fn lower_bound_rank(n: usize, level: f64) -> u64 {
    if n <= EXACT {
        let tails = lower_tails(1..=n);
        return tails.iter().take_while(|&tail| 2.0 * tail <= level).count() as u64;
    }
    let n = n as f64;
    let mean = n * (n + 1.0) / 4.0;
    let deviation = (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0).sqrt();
    (mean + 0.5 + Normal::standard().inverse_cdf(level / 2.0) * deviation) as u64
}

/// The logarithm of the chance that a normal number is at least `z` ≥ 0 deviations from its mean,
/// on either side.
pub(super) fn ln_two_sided(z: f64) -> f64 {
    let x = z / std::f64::consts::SQRT_2;
    if x < 25.0 {
        return erfc(x).ln();
    }
    // erfc(x) soon is too small for a number; this series is then as good as exact.
    let inverse = 0.5 / (x * x);
    let series = 1.0 - inverse * (1.0 - 3.0 * inverse * (1.0 - 5.0 * inverse));
    -x * x - x.ln() - 0.5 * std::f64::consts::PI.ln() + series.ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::assert_close;

    #[test]
    fn the_smallest_samples_have_the_chances_of_the_textbook() {
        assert_eq!(lower_tails(1..=3), [1, 2, 3, 5, 6, 7, 8].map(|count| f64::from(count) / 8.0));
        assert_eq!(lower_tails(std::iter::empty()), [1.0]);
    }

    #[test]
    fn the_smallest_sample_with_an_interval_is_known() {
        // At 95 % it is 6, as 2 / 2⁵ > 5 % ≥ 2 / 2⁶.
        assert_eq!([4, 5, 6, 7].map(|n| lower_bound_rank(n, 0.05)), [0, 0, 1, 3]);
        assert_eq!(lower_bound_rank(8, 0.005), 0);
        assert_eq!(lower_bound_rank(9, 0.005), 1);
    }

    #[test]
    fn beyond_the_exact_range_the_rank_is_rs_or_a_little_lower() {
        // qsignrank(a / 2, n) for n of 51, 60, 100, 200, 500, 1000
        let levels = [
            (0.05, [454, 649, 1956, 8445, 56291, 232347]),
            (0.01, [391, 568, 1780, 7945, 54308, 226731]),
            (0.001, [320, 477, 1579, 7369, 52014, 220225]),
        ];
        for (level, ranks) in levels {
            for (n, exact) in [51, 60, 100, 200, 500, 1000].into_iter().zip(ranks) {
                let rank = lower_bound_rank(n, level);
                assert!((exact * 39 / 40..=exact).contains(&rank), "{rank} for {exact}");
            }
        }
    }

    #[test]
    fn logarithms_of_tails_are_those_of_scipy() {
        // numpy.log(2) + scipy.stats.norm.logsf(z)
        for (z, expected) in [
            (0.0, 0.0),
            (3.0, -5.914579040950405),
            (20.0, -203.22400819053735),
            (35.0, -616.2819540813626),
            (36.0, -651.8100804132387),
            (50.0, -1254.13821395886),
            (900.0, -405007.0281873506),
        ] {
            assert_close(ln_two_sided(z), expected, 1e-10);
        }
    }
}
