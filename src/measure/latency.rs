//! Durations of single solves, collected.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Deserializer, Serializer, V2DeflateSerializer};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Significant decimal digits that the histogram keeps: it rounds by at most 0.1 %.
const DIGITS: u8 = 3;

/// A latency histogram with the exact minimum, maximum and total beside it. All values are in
/// nanoseconds.
///
/// As JSON it is an object of `count`, `total_ns`, `min_ns`, `max_ns` (both null when it is empty)
/// and `histogram`: HdrHistogram's V2 encoding, deflated, in base64.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(into = "Record", try_from = "Record")]
pub struct Latency {
    histogram: Histogram<u64>,
    min_ns: u64,
    max_ns: u64,
    total_ns: u64,
}

/// A file does not hold a latency histogram.
#[derive(Debug, Error)]
pub enum LatencyError {
    /// The text is not base64.
    #[error("the histogram is not base64: {0}")]
    Base64(base64::DecodeError),
    /// The bytes are not HdrHistogram's format.
    #[error("the histogram is not in HdrHistogram's V2 format: {0}")]
    Format(hdrhistogram::serialization::DeserializeError),
    /// The histogram has other steps, and would lose its digits or ours if they were added.
    #[error(
        "the histogram keeps {digits} digits of values from {lowest} on, and not {DIGITS} from 1 on"
    )]
    Bounds {
        /// Its significant digits.
        digits: u8,
        /// Its lowest value.
        lowest: u64,
    },
    /// The minimum and maximum are missing, or there where nothing is, or the wrong way round.
    #[error("`min_ns` and `max_ns` do not fit the histogram")]
    Extremes,
    /// The histogram does not hold as many values as the file says.
    #[error("the histogram holds {found} values where {said} are said")]
    Count {
        /// What the file says.
        said: u64,
        /// What the histogram holds.
        found: u64,
    },
}

impl Default for Latency {
    fn default() -> Self {
        let histogram = Histogram::new(DIGITS).expect("between 0 and 5 digits");
        Latency { histogram, min_ns: u64::MAX, max_ns: 0, total_ns: 0 }
    }
}

impl Latency {
    /// Adds one duration. The histogram grows to hold it, whatever its size.
    pub fn record(&mut self, ns: u64) {
        // It cannot hold the very largest values; they count as the largest that it can.
        if self.histogram.record(ns).is_err() {
            self.histogram.saturating_record(ns);
        }
        self.min_ns = self.min_ns.min(ns);
        self.max_ns = self.max_ns.max(ns);
        self.total_ns = self.total_ns.saturating_add(ns);
    }

    /// Adds all durations of another collection.
    pub fn merge(&mut self, other: &Latency) {
        self.histogram.add(&other.histogram).expect("both histograms are resizable");
        self.min_ns = self.min_ns.min(other.min_ns);
        self.max_ns = self.max_ns.max(other.max_ns);
        self.total_ns = self.total_ns.saturating_add(other.total_ns);
    }

    /// Number of durations.
    pub fn count(&self) -> u64 {
        self.histogram.len()
    }

    /// Sum of all durations.
    pub fn total_ns(&self) -> u64 {
        self.total_ns
    }

    /// The exact shortest duration, if there is any.
    pub fn min_ns(&self) -> Option<u64> {
        (self.count() > 0).then_some(self.min_ns)
    }

    /// The exact longest duration, if there is any.
    pub fn max_ns(&self) -> Option<u64> {
        (self.count() > 0).then_some(self.max_ns)
    }

    /// The arithmetic mean, from the exact total, if there is any duration.
    pub fn mean_ns(&self) -> Option<f64> {
        (self.count() > 0).then(|| self.total_ns as f64 / self.count() as f64)
    }

    /// The duration that the given percentage of all do not exceed, to the histogram's three
    /// digits and never outside the exact extremes; nothing of an empty collection.
    pub fn percentile_ns(&self, percent: f64) -> Option<u64> {
        let rounded = self.histogram.value_at_percentile(percent);
        (self.count() > 0).then(|| rounded.clamp(self.min_ns, self.max_ns))
    }

    /// The histogram.
    pub fn histogram(&self) -> &Histogram<u64> {
        &self.histogram
    }

    /// The steps of the histogram in which there is something, with their number of values.
    fn buckets(&self) -> impl Iterator<Item = (u64, u64)> {
        let buckets = self.histogram.iter_recorded();
        buckets.map(|bucket| (bucket.value_iterated_to(), bucket.count_at_value()))
    }
}

/// Whether they hold the same, however far their histograms have grown.
impl PartialEq for Latency {
    fn eq(&self, other: &Latency) -> bool {
        let sums = |it: &Latency| (it.min_ns, it.max_ns, it.total_ns);
        sums(self) == sums(other) && self.buckets().eq(other.buckets())
    }
}

/// A [`Latency`] as it stands in a file.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Record {
    /// Number of durations.
    count: u64,
    /// Their exact sum.
    total_ns: u64,
    /// The exact shortest; `None` where there is none.
    min_ns: Option<u64>,
    /// The exact longest; `None` where there is none.
    max_ns: Option<u64>,
    /// All of them, rounded to three digits: HdrHistogram's V2 encoding, deflated, in base64.
    histogram: String,
}

impl From<Latency> for Record {
    fn from(latency: Latency) -> Self {
        // How far it has grown depends on the order in which values came, and is written, too.
        let mut histogram = Latency::default().histogram;
        for (value, count) in latency.buckets() {
            histogram.record_n(value, count).expect("another one holds it");
        }
        let mut bytes = Vec::new();
        V2DeflateSerializer::new()
            .serialize(&histogram, &mut bytes)
            .expect("writing to memory does not fail");
        Record {
            count: latency.count(),
            total_ns: latency.total_ns,
            min_ns: latency.min_ns(),
            max_ns: latency.max_ns(),
            histogram: STANDARD.encode(bytes),
        }
    }
}

impl TryFrom<Record> for Latency {
    type Error = LatencyError;

    fn try_from(record: Record) -> Result<Self, LatencyError> {
        let bytes = STANDARD.decode(&record.histogram).map_err(LatencyError::Base64)?;
        let mut histogram: Histogram<u64> =
            Deserializer::new().deserialize(&mut bytes.as_slice()).map_err(LatencyError::Format)?;
        // A histogram that was read does not grow unless it is told to.
        histogram.auto(true);
        let (digits, lowest) = (histogram.sigfig(), histogram.low());
        if (digits, lowest) != (DIGITS, 1) {
            return Err(LatencyError::Bounds { digits, lowest });
        }
        if histogram.len() != record.count {
            return Err(LatencyError::Count { said: record.count, found: histogram.len() });
        }
        let empty = Latency::default();
        let (min_ns, max_ns) = match (record.count, record.min_ns, record.max_ns) {
            (0, None, None) => (empty.min_ns, empty.max_ns),
            (1.., Some(min_ns), Some(max_ns)) if min_ns <= max_ns => (min_ns, max_ns),
            _ => return Err(LatencyError::Extremes),
        };
        Ok(Latency { histogram, min_ns, max_ns, total_ns: record.total_ns })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_duration_is_its_own_minimum_maximum_and_percentile() {
        let mut latency = Latency::default();
        latency.record(1_234_567);
        assert_eq!(latency.min_ns(), Some(1_234_567));
        assert_eq!(latency.max_ns(), Some(1_234_567));
        assert_eq!(latency.percentile_ns(50.0), Some(1_234_567));
        assert_eq!(latency.mean_ns(), Some(1_234_567.0));
    }

    #[test]
    fn percentiles_are_those_of_the_durations_to_three_digits() {
        let mut latency = Latency::default();
        (1..=100_000).for_each(|n| latency.record(n * 100));
        for (percent, exact) in [(50.0, 5e6), (90.0, 9e6), (99.0, 9.9e6), (99.9, 9.99e6)] {
            let found = latency.percentile_ns(percent).unwrap() as f64;
            assert!((found / exact - 1.0).abs() < 1e-3, "p{percent}: {found}");
        }
    }

    #[test]
    fn of_no_duration_nothing_is_said() {
        let latency = Latency::default();
        assert_eq!(latency.min_ns(), None);
        assert_eq!(latency.max_ns(), None);
        assert_eq!(latency.mean_ns(), None);
        assert_eq!(latency.percentile_ns(50.0), None);
    }

    #[test]
    fn no_duration_is_out_of_range() {
        let mut latency = Latency::default();
        for ns in [0, 1, u64::from(u32::MAX), 1 << 50, u64::MAX] {
            latency.record(ns);
        }
        assert_eq!(latency.count(), 5);
        assert_eq!(latency.min_ns(), Some(0));
        assert_eq!(latency.max_ns(), Some(u64::MAX));
    }

    #[test]
    fn merging_is_as_good_as_recording_together() {
        let (mut left, mut right, mut both) =
            (Latency::default(), Latency::default(), Latency::default());
        for ns in (0..2000).map(|n| n * n * 31) {
            both.record(ns);
            if ns % 2 == 0 { left.record(ns) } else { right.record(ns) }
        }
        left.merge(&right);
        assert_eq!(left, both);
        left.merge(&Latency::default());
        assert_eq!(left, both);
    }

    #[test]
    fn a_collection_survives_its_json() {
        let mut latency = Latency::default();
        (1..5000).for_each(|n| latency.record(n * n));
        let json = serde_json::to_string(&latency).unwrap();
        let mut read: Latency = serde_json::from_str(&json).unwrap();
        assert_eq!(read, latency);
        read.record(u64::MAX / 2);
        assert_eq!(read.count(), 5000);
        let empty = serde_json::to_string(&Latency::default()).unwrap();
        assert_eq!(serde_json::from_str::<Latency>(&empty).unwrap(), Latency::default());
    }

    #[test]
    fn a_damaged_histogram_is_refused() {
        let json = serde_json::to_string(&Latency::default()).unwrap();
        let refused = |json: &str| serde_json::from_str::<Latency>(json).unwrap_err().to_string();
        let extremes = json.replace("\"min_ns\":null", "\"min_ns\":1");
        assert!(refused(&extremes).contains("do not fit"));
        assert!(refused(&json.replace("\"count\":0", "\"count\":3")).contains("0 values where 3"));
        assert!(refused(&json.replace("\"histogram\":\"", "\"histogram\":\"~")).contains("base64"));
    }
}
