//! Estimates with groups of puzzles as units.
//!
//! Puzzles that are neighbours in a file may be alike, and a few hard ones can make up most of a
//! file's time. The error therefore comes from the delete-one-group jackknife, which makes no
//! assumption about what goes on inside a group, with Student's t of groups - 1 degrees of freedom.
//! On groups of 16 puzzles with heavy-tailed times it covers as much as it says, from about 40
//! groups on (`tests/coverage.rs`).

use super::{Estimate, Interval, student};
use serde::{Deserialize, Serialize};

/// With fewer groups than this there is no interval: it would promise too much.
pub const MIN_GROUPS: usize = 20;

/// The logarithms of the ratios in one group of puzzles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LogSum {
    /// The sum of ln(t_other / t_baseline).
    pub sum: f64,
    /// The number of puzzles.
    pub count: u32,
}

/// The times of one group of puzzles, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// The sum of the baseline's times.
    pub baseline: u64,
    /// The sum of the other arm's times.
    pub other: u64,
}

/// The geometric mean of the ratios of all puzzles. Groups without a puzzle are passed over;
/// `None` when there is no other.
pub fn geometric_mean(groups: &[LogSum], confidence: f64) -> Option<Estimate> {
    let groups = || groups.iter().filter(|group| group.count > 0);
    let sum: f64 = groups().map(|group| group.sum).sum();
    let count: u64 = groups().map(|group| u64::from(group.count)).sum();
    let mean = |sum: f64, count: u64| sum / count as f64;
    let without = groups().map(|group| mean(sum - group.sum, count - u64::from(group.count)));
    (count > 0).then(|| estimate(mean(sum, count), without, confidence))
}

/// The other arm's time for all puzzles over that of the baseline. Groups without a time are passed
/// over; `None` when an arm has no time at all.
pub fn ratio_of_totals(groups: &[Totals], confidence: f64) -> Option<Estimate> {
    let groups = || groups.iter().filter(|group| **group != Totals::default());
    let baseline: u64 = groups().map(|group| group.baseline).sum();
    let other: u64 = groups().map(|group| group.other).sum();
    let log_ratio = |baseline: u64, other: u64| (other as f64 / baseline as f64).ln();
    let without = groups().map(|group| log_ratio(baseline - group.baseline, other - group.other));
    (baseline > 0 && other > 0).then(|| estimate(log_ratio(baseline, other), without, confidence))
}

/// An estimate of a ratio: its logarithm, and what that is `without` each of the groups.
fn estimate(
    log_ratio: f64,
    without: impl Iterator<Item = f64> + Clone,
    confidence: f64,
) -> Estimate {
    Estimate::from_log(log_ratio, jackknife(log_ratio, without, confidence))
}

fn jackknife(
    centre: f64,
    without: impl Iterator<Item = f64> + Clone,
    confidence: f64,
) -> Option<Interval> {
    let groups = without.clone().count();
    if groups < MIN_GROUPS {
        return None;
    }
    let count = groups as f64;
    let mean = without.clone().sum::<f64>() / count;
    let squares: f64 = without.map(|value| (value - mean).powi(2)).sum();
    let standard_error = ((count - 1.0) / count * squares).sqrt();
    student::interval(centre, standard_error, groups as u64 - 1, confidence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::assert_close;

    fn log_sums() -> Vec<LogSum> {
        let sum = |i: u32| f64::from(i * 7919 % 101) / 1000.0 - 0.03;
        (1..=24).map(|i| LogSum { sum: sum(i), count: 16 - i % 3 }).collect()
    }

    fn totals() -> Vec<Totals> {
        let time = |i: u64, factor, modulus| i * i * factor % modulus;
        let group = |i| Totals {
            baseline: 1000 + time(i, 7919, 100_003),
            other: 990 + time(i, 7927, 100_019),
        };
        (1..=24).map(group).collect()
    }

    // The values below are from numpy and scipy, where `without` holds ln of the estimate without
    // each group (numpy.delete), and `log_ratio` that of all:
    //     error = numpy.sqrt(23 / 24 * ((without - without.mean()) ** 2).sum())
    //     numpy.exp(log_ratio + scipy.stats.t.ppf([.025, .975], 23) * error)

    #[test]
    fn the_geometric_mean_has_the_jackknife_interval_of_numpy() {
        let found = geometric_mean(&log_sums(), 0.95).unwrap();
        assert_close(found.ratio, 1.0013064081642122, 1e-12);
        assert_close(found.interval.unwrap().lo, 1.0004951924884635, 1e-12);
        assert_close(found.interval.unwrap().hi, 1.002118281585123, 1e-12);
    }

    #[test]
    fn the_ratio_of_totals_has_the_jackknife_interval_of_numpy() {
        let found = ratio_of_totals(&totals(), 0.95).unwrap();
        assert_close(found.ratio, 1.0231251814544124, 1e-12);
        assert_close(found.interval.unwrap().lo, 1.0142373261694921, 1e-12);
        assert_close(found.interval.unwrap().hi, 1.0320909218353822, 1e-12);
    }

    #[test]
    fn fewer_than_twenty_groups_have_no_interval() {
        let interval = |groups| geometric_mean(&log_sums()[..groups], 0.95).unwrap().interval;
        assert_eq!(interval(MIN_GROUPS - 1), None);
        assert!(interval(MIN_GROUPS).is_some());
        let interval = |groups| ratio_of_totals(&totals()[..groups], 0.95).unwrap().interval;
        assert_eq!(interval(MIN_GROUPS - 1), None);
        assert!(interval(MIN_GROUPS).is_some());
    }

    #[test]
    fn empty_groups_change_nothing() {
        let padded = [log_sums(), vec![LogSum::default(); 50]].concat();
        assert_eq!(geometric_mean(&padded, 0.95), geometric_mean(&log_sums(), 0.95));
        let padded = [vec![Totals::default(); 50], totals()].concat();
        assert_eq!(ratio_of_totals(&padded, 0.95), ratio_of_totals(&totals(), 0.95));
    }

    #[test]
    fn without_puzzles_there_is_no_estimate() {
        assert_eq!(geometric_mean(&[LogSum::default(); 30], 0.95), None);
        assert_eq!(ratio_of_totals(&[Totals::default(); 30], 0.95), None);
        assert_eq!(ratio_of_totals(&[Totals { baseline: 5, other: 0 }; 30], 0.95), None);
    }

    #[test]
    fn an_estimate_that_hangs_on_one_group_has_no_interval() {
        let mut groups = vec![Totals { baseline: 5, other: 0 }; 30];
        groups[7].other = 100;
        assert_eq!(ratio_of_totals(&groups, 0.95).unwrap().interval, None);
    }
}
