//! Wilcoxon's signed ranks: the Hodges–Lehmann estimate, its interval, and the test of 0.

use super::{Estimate, Interval, null, walsh};

/// Paired differences, sorted for the estimates and the test of Wilcoxon's signed ranks.
///
/// The differences are assumed to lie symmetrically around the centre sought, and to be independent.
/// Where neighbours in a file are alike, interval and p value say too much: when the puzzles of a
/// group of 16 share a tenth of the variance of d, the interval at 95 % covers some 79 %
/// (`tests/coverage.rs`). [`geometric_mean`](super::geometric_mean) then stays right.
///
/// Up to 50 of them the null distribution is exact, beyond that normal.
#[derive(Clone, Debug)]
pub struct SignedRank {
    sorted: Vec<f64>,
}

/// Differences of the same size, with their mean rank by size.
struct Tie {
    /// Twice the mean rank, a whole number.
    doubled_rank: u64,
    /// How many are negative.
    negative: u64,
    /// How many there are.
    count: u64,
}

impl SignedRank {
    /// Sorts the differences; `None` when there are none.
    ///
    /// # Panics
    /// When a difference is not finite.
    pub fn new(mut differences: Vec<f64>) -> Option<Self> {
        assert!(differences.iter().all(|d| d.is_finite()), "differences are finite");
        differences.sort_unstable_by(f64::total_cmp);
        (!differences.is_empty()).then_some(SignedRank { sorted: differences })
    }

    /// The Hodges–Lehmann estimate of the centre: the median of the averages of all n (n + 1) / 2
    /// pairs of differences, each difference paired with itself too.
    pub fn pseudo_median(&self) -> f64 {
        walsh::median(&self.sorted)
    }

    /// The interval of the centre, bounded by two of those averages; `None` where the number of
    /// differences is too small for that confidence (at 95 %, below 6).
    ///
    /// Without ties and zeros it leaves out 0 exactly if the p value is at most 1 - `confidence`.
    /// It takes no notice of ties, which can only make it a little wider than it need be.
    pub fn interval(&self, confidence: f64) -> Option<Interval> {
        let rank = null::lower_bound_rank(self.sorted.len(), 1.0 - confidence);
        let mirrored = walsh::averages(self.sorted.len()) + 1 - rank;
        (rank > 0).then(|| Interval {
            lo: walsh::select(&self.sorted, rank),
            hi: walsh::select(&self.sorted, mirrored),
        })
    }

    /// Estimate and interval as ratios, where the differences are logarithms of ratios.
    pub fn estimate(&self, confidence: f64) -> Estimate {
        Estimate::from_log(self.pseudo_median(), self.interval(confidence))
    }

    /// The p value of the two-sided test of the centre 0. That of a large sample can be so small
    /// that it is rounded to 0; see [`ln_p_value`](Self::ln_p_value).
    pub fn p_value(&self) -> f64 {
        self.ln_p_value().exp()
    }

    /// The natural logarithm of the p value, which orders p values of any size.
    ///
    /// Differences of the same size share their mean rank, and zeros get ranks but count for
    /// neither side: what scipy's `wilcoxon` calls `zero_method="pratt"`. Up to 50 differences this
    /// is the exact permutation test, whatever the ties. Beyond that it is scipy's
    /// `method="asymptotic", correction=True`.
    pub fn ln_p_value(&self) -> f64 {
        let (mut total, mut negative, mut squares) = (0, 0, 0.0);
        for tie in self.nonzero_ties() {
            total += tie.count * tie.doubled_rank;
            negative += tie.negative * tie.doubled_rank;
            squares += tie.count as f64 * (tie.doubled_rank as f64).powi(2);
        }
        let smaller = negative.min(total - negative);
        if self.sorted.len() <= null::EXACT {
            let ranks = self
                .nonzero_ties()
                .flat_map(|tie| std::iter::repeat_n(tie.doubled_rank as usize, tie.count as usize));
            return (2.0 * null::lower_tails(ranks)[smaller as usize]).min(1.0).ln();
        }
        // Signs by chance give a rank r the variance r² / 4. Sums of doubled ranks are halved.
        let deviation = squares.sqrt() / 4.0;
        let distance = (total as f64 / 2.0 - smaller as f64) / 2.0;
        null::ln_two_sided(((distance - 0.5) / deviation).max(0.0))
    }

    /// The differences other than 0, from the smallest size to the largest. Zeros have the first
    /// ranks.
    fn nonzero_ties(&self) -> impl Iterator<Item = Tie> {
        let (mut negative, rest) = self.sorted.split_at(self.sorted.partition_point(|&d| d < 0.0));
        let (zeros, mut positive) = rest.split_at(rest.partition_point(|&d| d == 0.0));
        let mut ranked = zeros.len() as u64;
        std::iter::from_fn(move || {
            let sizes = [negative.last().map(|d| -d), positive.first().copied()];
            let size = sizes.into_iter().flatten().reduce(f64::min)?;
            let left = negative.partition_point(|&d| d < -size);
            let right = positive.partition_point(|&d| d <= size);
            let minus = (negative.len() - left) as u64;
            let count = minus + right as u64;
            (negative, positive) = (&negative[..left], &positive[right..]);
            let doubled_rank = 2 * ranked + count + 1;
            ranked += count;
            Some(Tie { doubled_rank, negative: minus, count })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::assert_close;
    use proptest::prelude::*;

    /// In R and numpy, with i = 1, …, n: i * 7919 % 1009 / 1009 - 0.45. All differ in size.
    fn distinct(n: u32) -> Vec<f64> {
        (1..=n).map(|i| f64::from(i * 7919 % 1009) / 1009.0 - 0.45).collect()
    }

    /// In R and numpy, with i = 1, …, n: i * 7919 % 11 - 4. Many ties, and zeros.
    fn tied(n: u32) -> Vec<f64> {
        (1..=n).map(|i| f64::from(i * 7919 % 11) - 4.0).collect()
    }

    fn signed_rank(differences: Vec<f64>) -> SignedRank {
        SignedRank::new(differences).unwrap()
    }

    #[test]
    fn estimates_and_exact_intervals_are_those_of_r() {
        // wilcox.test(x, conf.int = TRUE, exact = TRUE, conf.level = confidence)
        for (n, confidence, estimate, lo, hi) in [
            (6, 0.95, 0.019276511397423174, -0.35981169474727454, 0.39836471754212094),
            (7, 0.95, 0.09509415262636271, -0.20817641228939546, 0.39836471754212094),
            (12, 0.95, 0.06437066402378591, -0.1323587710604559, 0.26110009910802773),
            (12, 0.90, 0.06437066402378591, -0.08726461843409318, 0.21600594648166502),
            (12, 0.99, 0.06437066402378591, -0.20817641228939546, 0.33691774033696725),
            (25, 0.95, 0.06238850346878097, -0.07289395441030724, 0.1852824578790882),
            (49, 0.95, 0.06238850346878097, -0.015411298315163552, 0.15455896927651136),
            (50, 0.95, 0.06238850346878097, -0.015411298315163552, 0.15257680872150642),
            (50, 0.999, 0.06238850346878097, -0.08924677898909812, 0.21402378592666005),
        ] {
            let data = signed_rank(distinct(n));
            let interval = data.interval(confidence).unwrap();
            assert_close(data.pseudo_median(), estimate, 1e-13);
            assert_close(interval.lo, lo, 1e-13);
            assert_close(interval.hi, hi, 1e-13);
        }
    }

    #[test]
    fn approximate_intervals_are_rs_exact_ones_here() {
        // wilcox.test(x, conf.int = TRUE, exact = TRUE)
        for (n, estimate, lo, hi) in [
            (60, 0.060406342913776, -0.015411298315163552, 0.1382061446977205),
            (200, 0.05445986124876117, 0.013825569871159543, 0.09757185332011892),
            (1000, 0.05049554013875124, 0.032160555004955405, 0.06883052527254706),
        ] {
            let data = signed_rank(distinct(n));
            let interval = data.interval(0.95).unwrap();
            assert_close(data.pseudo_median(), estimate, 1e-13);
            assert_close(interval.lo, lo, 1e-13);
            assert_close(interval.hi, hi, 1e-13);
        }
    }

    #[test]
    fn with_ties_and_zeros_the_averages_still_bound_the_interval() {
        // w <- outer(x, x, "+") / 2; s <- sort(w[lower.tri(w, diag = TRUE)]); q <- qsignrank(.025, n)
        // c(median(s), s[q], s[n * (n + 1) / 2 + 1 - q])
        for (n, estimate, lo, hi) in
            [(12, 1.5, -1.0, 4.0), (13, 1.5, -0.5, 4.0), (60, 1.25, 0.5, 2.0)]
        {
            let data = signed_rank(tied(n));
            assert_eq!(data.pseudo_median(), estimate);
            assert_eq!(data.interval(0.95), Some(Interval { lo, hi }));
        }
    }

    #[test]
    fn exact_p_values_are_those_of_scipy() {
        // scipy.stats.wilcoxon(x, method="exact").pvalue
        for (n, p) in [(5, 0.4375), (6, 0.84375), (12, 0.5185546875), (50, 0.11393994202132163)] {
            assert_close(signed_rank(distinct(n)).p_value(), p, 1e-12);
        }
    }

    #[test]
    fn exact_p_values_with_ties_and_zeros_are_those_of_scipys_permutation_test() {
        // scipy.stats.wilcoxon(x, zero_method="pratt", method=PermutationMethod(n_resamples=inf))
        for (n, p) in [(8, 0.046875), (12, 0.208984375), (13, 0.1201171875)] {
            assert_close(signed_rank(tied(n)).p_value(), p, 1e-12);
        }
    }

    #[test]
    fn approximate_p_values_are_those_of_scipy() {
        // scipy.stats.wilcoxon(x, method="asymptotic", correction=True).pvalue
        for (n, p) in
            [(51, 0.13985773072192037), (200, 0.009809015023805552), (1000, 1.5744526793081325e-07)]
        {
            assert_close(signed_rank(distinct(n)).p_value() / p, 1.0, 1e-9);
        }
        for (shift, p) in [(0.1, 1.214841517184832e-44), (0.5, 3.3308557866329633e-165)] {
            let shifted = distinct(1000).into_iter().map(|d| d + shift).collect();
            assert_close(signed_rank(shifted).p_value() / p, 1.0, 1e-9);
        }
    }

    #[test]
    fn approximate_p_values_with_ties_and_zeros_are_those_of_scipy() {
        // scipy.stats.wilcoxon(x, zero_method="pratt", method="asymptotic", correction=True).pvalue
        for (n, p) in [(60, 0.005668711818850221), (200, 2.4221353447926157e-05)] {
            assert_close(signed_rank(tied(n)).p_value() / p, 1.0, 1e-9);
        }
    }

    #[test]
    fn p_values_too_small_for_a_number_keep_their_logarithm() {
        let [less, more] = [10_000, 20_000].map(|n| signed_rank(vec![1.0; n]));
        assert_eq!(less.p_value(), 0.0);
        assert!(more.ln_p_value() < less.ln_p_value());
        assert!(more.ln_p_value().is_finite());
    }

    #[test]
    fn zeros_alone_are_no_difference() {
        for n in [1, 6, 50, 51, 1000] {
            let zeros = signed_rank(vec![0.0; n]);
            assert_eq!(zeros.p_value(), 1.0);
            assert_eq!(zeros.estimate(0.95).ratio, 1.0);
        }
    }

    #[test]
    fn too_few_differences_have_no_interval() {
        assert!(SignedRank::new(vec![]).is_none());
        assert_eq!(signed_rank(distinct(5)).interval(0.95), None);
        assert!(signed_rank(distinct(6)).interval(0.95).is_some());
        assert_eq!(signed_rank(vec![0.25]).pseudo_median(), 0.25);
    }

    #[test]
    #[should_panic(expected = "finite")]
    fn a_difference_that_is_no_number_is_refused() {
        SignedRank::new(vec![0.0, f64::NAN]);
    }

    #[test]
    fn an_interval_inside_the_margins_is_scipys_equivalence() {
        // y = x * .02 + .001; max(wilcoxon(y + margin, alternative="greater", method="exact").pvalue,
        //                         wilcoxon(y - margin, alternative="less", method="exact").pvalue)
        for (n, margin, p) in [
            (12, 0.004, 0.150634765625),
            (12, 0.005, 0.07568359375),
            (12, 0.006, 0.026123046875),
            (12, 0.007, 0.008056640625),
            (12, 0.008, 0.00341796875),
            (12, 0.009, 0.001220703125),
            (40, 0.004, 0.05748320258771855),
            (40, 0.005, 0.004131881380089908),
            (40, 0.006, 0.00031922875314194243),
        ] {
            let data = signed_rank(distinct(n).into_iter().map(|d| d * 0.02 + 0.001).collect());
            for alpha in [0.1, 0.05, 0.025, 0.01, 0.005, 0.001] {
                let interval = data.interval(1.0 - 2.0 * alpha).unwrap();
                let inside = -margin < interval.lo && interval.hi < margin;
                assert_eq!(inside, p <= alpha, "n {n}, margin {margin}, alpha {alpha}");
            }
        }
    }

    #[test]
    fn a_million_differences_are_no_burden() {
        let data = signed_rank((0..1_000_000).map(|i| f64::from(i) / 1e6 - 0.4).collect());
        assert_close(data.pseudo_median(), 0.1, 1e-6);
        assert!(data.interval(0.95).unwrap().width() < 0.0012);
    }

    proptest! {
        #[test]
        fn the_interval_leaves_out_0_exactly_where_the_test_rejects_it(
            values in proptest::collection::vec(-1.0..1.5_f64, 6..90),
            confidence in 0.5..0.99_f64,
        ) {
            let data = signed_rank(values);
            let Some(interval) = data.interval(confidence) else { return Ok(()) };
            let rejected = data.p_value() <= 1.0 - confidence;
            prop_assert_eq!(!interval.contains(0.0), rejected);
        }

        /// With `misrate` m, pragmastat takes the first rank whose tail is not below m / 2, and from
        /// there one average further in: its bounds may miss the centre a little more often than m.
        #[test]
        fn pragmastats_bounds_lie_one_average_further_in(
            values in proptest::collection::vec(-1.0..1.0_f64, 7..50),
        ) {
            let theirs = pragmastat::estimators::raw::center_bounds(&values, 0.05, false).unwrap();
            let data = signed_rank(values);
            let n = data.sorted.len();
            let rank = null::lower_bound_rank(n, 0.05) + 1;
            let last = walsh::averages(n) + 1 - rank;
            prop_assert!((theirs.lower - walsh::select(&data.sorted, rank)).abs() < 1e-12);
            prop_assert!((theirs.upper - walsh::select(&data.sorted, last)).abs() < 1e-12);
        }
    }
}
