//! Student's t, for means of few numbers.

use super::Interval;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// The interval `centre` ± t · `standard_error`; `None` without a degree of freedom, or when the
/// standard error is not a number.
pub(super) fn interval(
    centre: f64,
    standard_error: f64,
    freedom: u64,
    confidence: f64,
) -> Option<Interval> {
    let margin = quantile((1.0 - confidence) / 2.0, freedom)? * standard_error;
    margin.is_finite().then(|| Interval::around(centre, margin))
}

/// What a t of so many degrees of freedom exceeds with the chance `tail`; `None` for no freedom.
fn quantile(tail: f64, freedom: u64) -> Option<f64> {
    let freedom = freedom as f64;
    if freedom > 2000.0 {
        // The inversion in statrs loses its digits as freedom grows, and is wrong by far at 10⁷.
        // The expansion about the normal quantile (Abramowitz and Stegun, 26.7.5) gains them.
        let z = -Normal::standard().inverse_cdf(tail);
        let first = (z.powi(3) + z) / 4.0;
        let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
        return Some(z + first / freedom + second / freedom.powi(2));
    }
    // By symmetry from the lower tail, which is not rounded to 1.
    Some(-StudentsT::new(0.0, 1.0, freedom).ok()?.inverse_cdf(tail))
}

/// The interval of the mean over runs (x̄ ± t · s / √n), given a logarithm of a ratio for each.
/// Those of one variant in several layouts of the program make placement a random error. `None`
/// for fewer than two runs.
pub fn between_runs(logs: &[f64], confidence: f64) -> Option<Interval> {
    let (mean, standard_error, freedom) = mean(logs)?;
    interval(mean, standard_error, freedom, confidence)
}

/// The two-sided p-value of the t test that the mean over runs is 0; the interval of
/// [`between_runs`] leaves out 0 where it is less than 1 - confidence. `None` for fewer than two
/// runs.
pub fn between_runs_p_value(logs: &[f64]) -> Option<f64> {
    let (mean, standard_error, freedom) = mean(logs)?;
    if mean == 0.0 {
        // Even where nothing varies.
        return Some(1.0);
    }
    let t = mean.abs() / standard_error;
    // The lower tail is not rounded to 1.
    Some(2.0 * StudentsT::new(0.0, 1.0, freedom as f64).ok()?.cdf(-t))
}

/// The mean, its standard error and the degrees of freedom of that; `None` without one.
fn mean(values: &[f64]) -> Option<(f64, f64, u64)> {
    let count = values.len() as f64;
    let freedom = values.len().checked_sub(1).filter(|&freedom| freedom > 0)?;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Some((mean, (squares / freedom as f64 / count).sqrt(), freedom as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::assert_close;

    #[test]
    fn quantiles_are_those_of_r_for_any_freedom() {
        // qt(.975, c(1, 2, 11, 19, 47, 1000, 62499)); qt(1 - .001 / 2, c(2, 19, 47, 62499))
        // scipy.stats.t.isf(.025, [1e7, 1e9]) and t.isf(.0005, 1e7) for the larger ones
        let at_95 = [
            (1, 12.706204736174694),
            (2, 4.302652729749462),
            (11, 2.200985160091639),
            (19, 2.093024054408309),
            (47, 2.0117405137297655),
            (1000, 1.9623390808264076),
            (62_499, 1.9600019422096429),
            (10_000_000, 1.959964221767205),
            (1_000_000_000, 1.959963986912325),
        ];
        let at_999 = [
            (2, 31.599054576445365),
            (19, 3.883405852592132),
            (47, 3.5099012834495156),
            (62_499, 3.2906824163638735),
            (10_000_000, 3.2905277044652217),
        ];
        for (confidence, quantiles) in [(0.95, at_95.as_slice()), (0.999, &at_999)] {
            for &(freedom, expected) in quantiles {
                assert_close(quantile((1.0 - confidence) / 2.0, freedom).unwrap(), expected, 1e-9);
            }
        }
    }

    #[test]
    fn the_two_ways_to_a_quantile_meet() {
        for tail in [0.25, 0.05, 0.025, 0.005, 0.0005, 0.00005] {
            let [last, next] = [2000, 2001].map(|freedom| quantile(tail, freedom).unwrap());
            assert!(next < last && last - next < 4e-6, "{tail}: {last}, {next}");
        }
    }

    #[test]
    fn the_interval_between_runs_is_that_of_rs_t_test() {
        // t.test((1:12 * 5) %% 13 / 1000 - .004)$conf.int, and with conf.level = .99
        let runs: Vec<f64> = (1..=12).map(|i| f64::from(i * 5 % 13) / 1000.0 - 0.004).collect();
        for (confidence, lo, hi) in [
            (0.95, 0.00020914201345385665, 0.004790857986546144),
            (0.99, -0.0007326259121592508, 0.005732625912159251),
        ] {
            let interval = between_runs(&runs, confidence).unwrap();
            assert_close(interval.lo, lo, 1e-11);
            assert_close(interval.hi, hi, 1e-11);
        }
    }

    #[test]
    fn the_p_value_between_runs_is_that_of_scipy() {
        // scipy.stats.ttest_1samp(runs, 0).pvalue
        let runs: Vec<f64> = (1..=12).map(|i| f64::from(i * 5 % 13) / 1000.0 - 0.004).collect();
        let far = [0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 0].map(|i| 1.371 + f64::from(i) / 1e4);
        for (runs, expected) in [
            (runs.as_slice(), 0.03511291924206062),
            (&[0.1, -0.3], 0.7048327646991335),
            (&[0.001, -0.002, 0.0015], 0.8927887465162205),
            (&[1.371, 1.369, 1.3705, 1.372], 2.0910023738875804e-10),
            (&far, 1.4326419326275772e-41),
        ] {
            let p_value = between_runs_p_value(runs).unwrap();
            assert_close(p_value.ln(), f64::ln(expected), 1e-9);
        }
    }

    #[test]
    fn runs_that_agree_to_the_digit_leave_no_doubt() {
        assert_eq!(between_runs_p_value(&[0.25; 3]), Some(0.0));
        assert_eq!(between_runs_p_value(&[0.0; 3]), Some(1.0));
    }

    #[test]
    fn one_run_says_nothing_about_others() {
        assert_eq!(between_runs_p_value(&[]), None);
        assert_eq!(between_runs_p_value(&[0.1]), None);
        assert_eq!(between_runs(&[], 0.95), None);
        assert_eq!(between_runs(&[0.1], 0.95), None);
        assert_eq!(between_runs(&[0.25; 3], 0.95), Some(Interval { lo: 0.25, hi: 0.25 }));
    }
}
