//! Selection among the Walsh averages (xᵢ + xⱼ) / 2, i ≤ j, without listing them.
//!
//! In a table of the sums of sorted values, rows and columns rise, so that the line between the
//! sums up to a pivot and those above it is walked in one pass. Halving the pivots between two
//! sums by their bit patterns finds any of them, to the last bit, in at most 64 passes. It takes no
//! memory and no luck. Rounding does no harm, as a rounded sum too never falls when a term rises.

/// The sums of a list on both sides of a pivot.
struct Split {
    /// How many sums are at most the pivot.
    count: u64,
    /// The largest sum that is at most the pivot, or minus infinity.
    below: f64,
    /// The smallest sum above the pivot, or infinity.
    above: f64,
}

fn split(sorted: &[f64], pivot: f64) -> Split {
    let mut split = Split { count: 0, below: f64::NEG_INFINITY, above: f64::INFINITY };
    // In the row of `first`, the sums with values before `end` are at most the pivot.
    let mut end = sorted.len();
    for (i, first) in sorted.iter().enumerate() {
        while end > i && first + sorted[end - 1] > pivot {
            end -= 1;
        }
        if let Some(next) = sorted.get(end.max(i)) {
            split.above = split.above.min(first + next);
        }
        if end <= i {
            break;
        }
        split.count += (end - i) as u64;
        split.below = split.below.max(first + sorted[end - 1]);
    }
    split
}

/// How many Walsh averages of `n` values there are.
pub(super) fn averages(n: usize) -> u64 {
    let n = n as u64;
    n * (n + 1) / 2
}

/// The `rank`-th smallest Walsh average, counted from 1, of values that are sorted, finite and not
/// none.
pub(super) fn select(sorted: &[f64], rank: u64) -> f64 {
    select_sum(sorted, rank) / 2.0
}

/// The median of all Walsh averages of values that are sorted, finite and not none.
pub(super) fn median(sorted: &[f64]) -> f64 {
    let count = averages(sorted.len());
    let rank = count.div_ceil(2);
    let lower = select_sum(sorted, rank);
    if count % 2 == 1 {
        return lower / 2.0;
    }
    let split = split(sorted, lower);
    let upper = if split.count > rank { lower } else { split.above };
    (lower / 2.0 + upper / 2.0) / 2.0
}

fn select_sum(sorted: &[f64], rank: u64) -> f64 {
    let mut lo = 2.0 * sorted[0];
    let mut hi = 2.0 * sorted[sorted.len() - 1];
    // The sum sought is always from `lo` to `hi`, which are sums themselves.
    while lo < hi {
        let split = split(sorted, between(lo, hi));
        if split.count >= rank { hi = split.below } else { lo = split.above }
    }
    lo
}

/// The number in the middle of all numbers from `lo` up to, but not including, `hi`.
fn between(lo: f64, hi: f64) -> f64 {
    number(u64::midpoint(place(lo), place(hi)))
}

/// The place of a number in the order of all numbers; both zeros have the same one.
fn place(number: f64) -> u64 {
    let bits = number.to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { bits.wrapping_neg() }
}

/// The number at a place in the order of all numbers.
fn number(place: u64) -> f64 {
    f64::from_bits(if place & SIGN == 0 { place.wrapping_neg() } else { place ^ SIGN })
}

const SIGN: u64 = 1 << 63;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All Walsh averages in order, as the definition says.
    fn listed(sorted: &[f64]) -> Vec<f64> {
        let pairs =
            sorted.iter().enumerate().flat_map(|(i, x)| sorted[i..].iter().map(move |y| x + y));
        let mut averages: Vec<f64> = pairs.map(|sum| sum / 2.0).collect();
        averages.sort_by(f64::total_cmp);
        averages
    }

    /// Sorted lists: small whole numbers, which are often equal, and numbers of every size.
    fn sorted_values() -> impl Strategy<Value = Vec<f64>> {
        let coarse = (-4..=4).prop_map(f64::from);
        let fine = -1.0..1.0_f64;
        let any_size = (-1.0..1.0_f64, -300..300).prop_map(|(x, e)| x * 10_f64.powi(e));
        let value = prop_oneof![coarse, fine, any_size];
        proptest::collection::vec(value, 1..40).prop_map(|mut values| {
            values.sort_by(f64::total_cmp);
            values
        })
    }

    proptest! {
        #[test]
        fn any_walsh_average_is_found_to_the_last_bit(sorted in sorted_values()) {
            let listed = listed(&sorted);
            prop_assert_eq!(listed.len() as u64, averages(sorted.len()));
            for (index, &average) in listed.iter().enumerate() {
                prop_assert_eq!(select(&sorted, index as u64 + 1), average);
            }
        }

        #[test]
        fn the_median_is_that_of_all_averages(sorted in sorted_values()) {
            let listed = listed(&sorted);
            let (half, odd) = (listed.len() / 2, listed.len() % 2);
            prop_assert_eq!(median(&sorted), (listed[half + odd - 1] + listed[half]) / 2.0);
        }

        #[test]
        fn pragmastat_finds_the_same_median(values in proptest::collection::vec(-1.0..1.0_f64, 1..60)) {
            let mut sorted = values.clone();
            sorted.sort_by(f64::total_cmp);
            let theirs = pragmastat::estimators::raw::center(&values, false).unwrap();
            prop_assert!((median(&sorted) - theirs).abs() < 1e-12);
        }
    }

    #[test]
    fn numbers_keep_their_order_as_places() {
        let numbers = [f64::MIN, -1.5, -1.0, -f64::MIN_POSITIVE, 0.0, 1e-300, 1.0, 2.0, f64::MAX];
        assert!(numbers.is_sorted_by(|a, b| place(*a) < place(*b)));
        assert_eq!(numbers.map(|each| number(place(each))), numbers);
    }
}
