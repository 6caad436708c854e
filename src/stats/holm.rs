//! Holm's correction for several comparisons.

/// The significance level of each comparison under Holm's step-down procedure, so that the chance
/// of any false "differs" is at most `alpha`.
///
/// Given are the logarithms of the p values, as p values of large samples are too small for a
/// number. Of m comparisons, the one with the smallest p gets alpha / m, the next alpha / (m - 1),
/// and so on; from the first on that is not rejected at its level, all have that level. The
/// interval at the confidence 1 - level leaves out "no difference" exactly where the procedure
/// rejects it; all of these intervals together do not cover with the chance 1 - `alpha`. Equal
/// values are taken in the order in which they are given.
pub fn holm(ln_p_values: &[f64], alpha: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..ln_p_values.len()).collect();
    order.sort_by(|&a, &b| ln_p_values[a].total_cmp(&ln_p_values[b]));
    let mut levels = vec![alpha; ln_p_values.len()];
    let mut left = ln_p_values.len();
    for index in order {
        levels[index] = alpha / left as f64;
        // Once one is not rejected, neither is any larger p at the same level: `left` stays.
        if ln_p_values[index] <= levels[index].ln() {
            left -= 1;
        }
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::assert_close;

    fn logs(p_values: &[f64]) -> Vec<f64> {
        p_values.iter().map(|p| p.ln()).collect()
    }

    fn assert_levels(p_values: &[f64], expected: &[f64]) {
        for (level, expected) in holm(&logs(p_values), 0.05).into_iter().zip(expected) {
            assert_close(level, *expected, 1e-12);
        }
    }

    #[test]
    fn levels_grow_until_one_is_not_rejected() {
        assert_levels(&[0.01, 0.04, 0.03, 0.005], &[0.05 / 3.0, 0.025, 0.025, 0.0125]);
        assert_levels(&[0.02, 0.001, 0.03], &[0.025, 0.05 / 3.0, 0.05]);
        assert_levels(&[0.9, 0.8], &[0.025, 0.025]);
        assert_levels(&[0.9], &[0.05]);
        assert_levels(&[], &[]);
    }

    #[test]
    fn the_levels_reject_what_rs_adjusted_p_values_do() {
        for (p_values, adjusted) in [
            // p.adjust(c(.01, .04, .03, .005), "holm")
            (vec![0.01, 0.04, 0.03, 0.005], vec![0.03, 0.06, 0.06, 0.02]),
            // p.adjust(c(.04, .001, .02, .6, .012), "holm")
            (vec![0.04, 0.001, 0.02, 0.6, 0.012], vec![0.08, 0.005, 0.06, 0.6, 0.048]),
        ] {
            for alpha in [0.004, 0.01, 0.025, 0.04, 0.05, 0.07, 0.1, 0.7] {
                let levels = holm(&logs(&p_values), alpha);
                let rejected = p_values.iter().zip(levels).map(|(p, level)| *p <= level);
                let expected = adjusted.iter().map(|p| *p <= alpha);
                assert!(rejected.eq(expected), "{p_values:?} at {alpha}");
            }
        }
    }

    #[test]
    fn p_values_too_small_for_a_number_are_still_ordered() {
        let levels = holm(&[-2000.0, -3000.0, -1000.0], 0.06);
        for (level, expected) in levels.into_iter().zip([0.03, 0.02, 0.06]) {
            assert_close(level, expected, 1e-12);
        }
    }
}
