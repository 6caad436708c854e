//! Times of searches by how many nodes they took.

use super::Lap;
use hdrhistogram::Histogram;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Significant decimal digits that the histograms keep: the middle of what counts as one duration
/// is within 4 % of it, and a whole histogram takes a few KB.
const DIGITS: u8 = 1;

/// Durations of searches, in nanoseconds, apart by the number of nodes.
///
/// A range of nodes is half an octave wide: from 2^(k/2) to below 2^((k+1)/2), in whole numbers.
/// No nodes at all are a range of their own. Memory depends on the ranges that occur and on the
/// longest duration in each, not on the number of searches: with searches of up to five million
/// nodes it is some 100 KB.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Work {
    /// By the exponent k, plus 1; 0 where there are no nodes.
    ranges: BTreeMap<u32, Histogram<u64>>,
}

/// The searches of about as many nodes, of which there is one at least.
#[derive(Clone, Debug)]
pub struct NodeRange<'a> {
    /// The numbers of nodes that belong here.
    pub nodes: RangeInclusive<u64>,
    times: &'a Histogram<u64>,
}

impl Work {
    /// Adds a search.
    pub fn record(&mut self, lap: &Lap) {
        let times = self
            .ranges
            .entry(range_of(lap.counts.nodes))
            .or_insert_with(|| Histogram::new(DIGITS).expect("between 0 and 5 digits"));
        // It cannot hold the very largest values; they count as the largest that it can.
        if times.record(lap.min_ns).is_err() {
            times.saturating_record(lap.min_ns);
        }
    }

    /// Adds all searches of another collection.
    pub fn merge(&mut self, other: &Work) {
        for (&range, times) in &other.ranges {
            match self.ranges.get_mut(&range) {
                Some(mine) => mine.add(times).expect("both histograms are resizable"),
                None => {
                    self.ranges.insert(range, times.clone());
                }
            }
        }
    }

    /// The ranges in which there are searches, from few nodes to many.
    pub fn ranges(&self) -> impl Iterator<Item = NodeRange<'_>> {
        self.ranges.iter().map(|(&range, times)| NodeRange { nodes: nodes_in(range), times })
    }
}

impl NodeRange<'_> {
    /// How many searches.
    pub fn searches(&self) -> u64 {
        self.times.len()
    }

    /// The duration that the given percentage of the searches do not exceed, in nanoseconds, to
    /// within 5 %.
    pub fn percentile_ns(&self, percent: f64) -> u64 {
        self.times.median_equivalent(self.times.value_at_percentile(percent))
    }
}

/// The range to which a number of nodes belongs.
fn range_of(nodes: u64) -> u32 {
    // The exponent of the square is twice that of the number, rounded down after the doubling.
    u128::from(nodes).pow(2).checked_ilog2().map_or(0, |exponent| exponent + 1)
}

/// The numbers of nodes that belong to a range.
fn nodes_in(range: u32) -> RangeInclusive<u64> {
    let Some(exponent) = range.checked_sub(1) else { return 0..=0 };
    first_from(exponent).unwrap_or(u64::MAX)
        ..=first_from(exponent + 1).map_or(u64::MAX, |it| it - 1)
}

/// The smallest whole number from 2^(exponent/2) on, if 64 bits hold it.
fn first_from(exponent: u32) -> Option<u64> {
    let square = 1_u128.checked_shl(exponent)?;
    u64::try_from((square - 1).isqrt() + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::solver::Counts;

    fn lap(nodes: u64, min_ns: u64) -> Lap {
        Lap { counts: Counts { nodes, ..Counts::default() }, min_ns, median_ns: min_ns }
    }

    /// Searches of up to some 30,000 nodes and up to some seconds, as unequal as real ones.
    fn searches() -> Vec<Lap> {
        let mut random = Random::new(1, "test", 0);
        let mut up_to = |bits: u32| random.word() >> (64 - 1 - random.below(bits));
        (0..50_000).map(|_| lap(up_to(15), up_to(32))).collect()
    }

    fn collect<'a>(laps: impl IntoIterator<Item = &'a Lap>) -> Work {
        let mut work = Work::default();
        laps.into_iter().for_each(|lap| work.record(lap));
        work
    }

    #[test]
    fn every_number_of_nodes_is_in_one_range() {
        for nodes in (0..5000).chain([1 << 40, u64::MAX - 1, u64::MAX]) {
            assert!(nodes_in(range_of(nodes)).contains(&nodes), "{nodes}");
        }
        for range in 0..range_of(u64::MAX) {
            assert_eq!(nodes_in(range).end() + 1, *nodes_in(range + 1).start(), "{range}");
        }
        assert_eq!(*nodes_in(range_of(u64::MAX)).end(), u64::MAX);
    }

    #[test]
    fn ranges_are_half_an_octave_wide() {
        let ranges = [0, 1, 2, 3, 5, 6, 8, 12, 1024].map(|nodes| nodes_in(range_of(nodes)));
        let expected = [0..=0, 1..=1, 2..=2, 3..=3, 4..=5, 6..=7, 8..=11, 12..=15, 1024..=1448];
        assert_eq!(ranges, expected);
    }

    #[test]
    fn percentiles_are_those_of_the_sorted_times_to_five_percent() {
        let laps = searches();
        let work = collect(&laps);
        let mut searches = 0;
        for range in work.ranges() {
            let inside = laps.iter().filter(|lap| range.nodes.contains(&lap.counts.nodes));
            let mut times: Vec<u64> = inside.map(|lap| lap.min_ns).collect();
            times.sort_unstable();
            assert_eq!(range.searches(), times.len() as u64);
            searches += times.len();
            for percent in [10_usize, 50, 90] {
                let exact = times[(times.len() * percent).div_ceil(100) - 1] as f64;
                let found = range.percentile_ns(percent as f64) as f64;
                assert!((found - exact).abs() <= 0.05 * exact, "{found} instead of {exact}");
            }
        }
        assert_eq!(searches, laps.len());
        assert!(work.ranges().is_sorted_by(|one, other| one.nodes.end() < other.nodes.start()));
    }

    #[test]
    fn the_order_of_merging_makes_no_difference() {
        let laps = searches();
        let parts: Vec<Work> = laps.chunks(7000).map(collect).collect();
        let merge = |parts: &mut dyn Iterator<Item = &Work>| {
            let mut all = Work::default();
            parts.for_each(|part| all.merge(part));
            all
        };
        assert_eq!(merge(&mut parts.iter()), collect(&laps));
        assert_eq!(merge(&mut parts.iter().rev()), collect(&laps));
    }

    #[test]
    fn without_searches_there_is_no_range() {
        let mut work = Work::default();
        work.merge(&Work::default());
        assert_eq!(work.ranges().count(), 0);
    }

    #[test]
    fn no_search_is_out_of_range() {
        let work = collect(&[lap(0, 0), lap(u64::MAX, u64::MAX)]);
        let found = work.ranges().map(|range| (range.searches(), range.percentile_ns(50.0)));
        let found: Vec<(u64, u64)> = found.collect();
        assert_eq!(found[0], (1, 0));
        assert!(found[1].0 == 1 && found[1].1 > 1 << 62, "{found:?}");
    }
}
