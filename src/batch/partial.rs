//! What a part of a batch came to, as one line among its rows: read, written and added up here.

mod by_status;
mod reader;
mod shards;
mod sum;

pub use reader::Partials;
pub use shards::Shards;
pub use sum::Sum;

use self::reader::MAX_LINE;
use crate::dataset::PARTIAL_MARK as MARK;
use crate::measure::Latency;
use crate::solver::Status;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use thiserror::Error;

/// Version of the record, which stands behind its mark. It changes with the meaning of a key.
const VERSION: &str = "1";

/// What the answers to some of the rows of a batch add up to.
///
/// In a file it is a line by itself: `#partial`, the version of the record and a JSON object of these
/// fields, with commas between them. It may stand anywhere among the rows, and several may.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartialSummary {
    /// Version of the program that answered.
    pub version: String,
    /// What solved: a variant, or `lanes`.
    pub engine: String,
    /// The node cap of a search.
    #[serde(deserialize_with = "Option::deserialize")]
    pub max_nodes: Option<u64>,
    /// The time cap of a search.
    #[serde(deserialize_with = "Option::deserialize")]
    pub max_time_ns: Option<u64>,
    /// Rows by status, in the order of [`Status::ALL`].
    #[serde(with = "by_status")]
    pub rows: [u64; Status::ALL.len()],
    /// The sum of the hashes of all rows of the input, in whatever order.
    pub sum: Sum,
    /// Puzzles with no, one, and two or more solutions, if that was asked.
    #[serde(deserialize_with = "Option::deserialize")]
    pub solutions: Option<[u64; 3]>,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Times of all searches; empty for `lanes`, which times none alone.
    pub latency: Latency,
    /// Model names of the processors that worked on it.
    pub processors: BTreeSet<String>,
    /// The shards that were answered, by the name of their file as it was typed.
    pub shards: BTreeMap<String, Shards>,
}

/// A line that begins as a record is none, or records cannot be added.
#[derive(Debug, Error)]
pub enum PartialError {
    /// Another version of the record.
    #[error("the record has version {0}, and this program reads {VERSION}")]
    Version(String),
    /// It is not what it should be behind its version.
    #[error("the record is damaged")]
    Damaged(#[from] serde_json::Error),
    /// It has no end, or a very late one.
    #[error("the record is longer than {} MiB", MAX_LINE >> 20)]
    Overlong,
    /// Sums of different things.
    #[error("{what} is {other} here and {one} before; only results of the same kind add up")]
    Other {
        /// What differs.
        what: &'static str,
        /// Its value before.
        one: String,
        /// Its value now.
        other: String,
    },
    /// The same rows would count twice.
    #[error("shard {index}/{of} of `{file}` was counted before")]
    Twice {
        /// The file.
        file: String,
        /// Which of its shards, from 1.
        index: u64,
        /// The number of its shards.
        of: u64,
    },
    /// The sums are beyond 64 bits.
    #[error("the sums are too large: a record is damaged")]
    TooLarge,
}

impl PartialSummary {
    /// Adds another one.
    ///
    /// # Errors
    /// When it is of another program or asked for something else, or has a shard that is in already.
    /// Then nothing was added.
    pub fn merge(&mut self, other: &PartialSummary) -> Result<(), PartialError> {
        let or_none = |cap: Option<u64>| cap.map_or("none".into(), |cap| cap.to_string());
        let kind = |it: &PartialSummary| {
            [
                ("the program's version", it.version.clone()),
                ("the engine", it.engine.clone()),
                ("the node cap", or_none(it.max_nodes)),
                ("the time cap in nanoseconds", or_none(it.max_time_ns)),
                ("the counting of solutions", it.solutions.is_some().to_string()),
            ]
        };
        for ((what, one), (_, other)) in std::iter::zip(kind(self), kind(other)) {
            if one != other {
                return Err(PartialError::Other { what, one, other });
            }
        }
        for (file, theirs) in &other.shards {
            self.shards.get(file).map_or(Ok(()), |mine| mine.allow(file, theirs))?;
        }
        let rows = sums(self.rows, other.rows)?;
        let [nodes] = sums([self.nodes], [other.nodes])?;
        let solutions = match (self.solutions, other.solutions) {
            (Some(mine), Some(theirs)) => Some(sums(mine, theirs)?),
            _ => None,
        };
        (self.rows, self.nodes, self.solutions) = (rows, nodes, solutions);
        for (file, theirs) in &other.shards {
            let mine = self.shards.entry(file.clone()).or_insert_with(|| theirs.clone());
            mine.done.extend(&theirs.done);
        }
        self.sum += other.sum;
        self.latency.merge(&other.latency);
        self.processors.extend(other.processors.iter().cloned());
        Ok(())
    }

    /// Number of rows.
    pub fn row_count(&self) -> u64 {
        self.rows.iter().fold(0, |sum, rows| sum.saturating_add(*rows))
    }

    /// The record, a line with its end.
    pub fn line(&self) -> String {
        let json = serde_json::to_string(self).expect("plain data");
        format!("{MARK}{VERSION},{json}\n")
    }

    /// The record that a line is, which begins as one.
    fn parse(line: &[u8]) -> Result<Self, PartialError> {
        let fields = &line[MARK.len().min(line.len())..];
        let comma = fields.iter().position(|&byte| byte == b',').unwrap_or(fields.len());
        let (version, json) = fields.split_at(comma);
        if version != VERSION.as_bytes() {
            return Err(PartialError::Version(String::from_utf8_lossy(version).into_owned()));
        }
        Ok(serde_json::from_slice(json.get(1..).unwrap_or_default())?)
    }
}

fn sums<const N: usize>(mut mine: [u64; N], theirs: [u64; N]) -> Result<[u64; N], PartialError> {
    for (mine, theirs) in std::iter::zip(&mut mine, theirs) {
        *mine = mine.checked_add(theirs).ok_or(PartialError::TooLarge)?;
    }
    Ok(mine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Shard;
    use proptest::prelude::*;
    use std::io::{self, Read};

    fn summaries() -> impl Strategy<Value = PartialSummary> {
        let times = proptest::collection::vec(
            prop_oneof![0..5000_u64, 0..1_000_000_000_u64, any::<u64>()],
            0..20,
        );
        let rows = proptest::collection::vec(0..1_000_000_000_u64, 7);
        let shard =
            proptest::option::of((proptest::sample::select(vec!["a.csv", "b"]), 0..1000_u64));
        (times, rows, any::<u64>(), any::<u32>(), "[ab ,\"]{0,3}", shard).prop_map(
            |(times, rows, sum, nodes, processor, shard)| {
                let mut latency = Latency::default();
                times.into_iter().for_each(|ns| latency.record(ns));
                let mut by_status = [0; Status::ALL.len()];
                by_status[..7].copy_from_slice(&rows);
                let shards = shard.map(|(file, index)| {
                    let shard = Shard::new(index + 1, 1000).unwrap();
                    (file.to_owned(), Shards::one(shard, 7))
                });
                PartialSummary {
                    rows: by_status,
                    sum: Sum(sum),
                    solutions: Some([u64::from(nodes), 1, 2]),
                    nodes: nodes.into(),
                    latency,
                    processors: [processor].into(),
                    shards: shards.into_iter().collect(),
                    ..PartialSummary::default()
                }
            },
        )
    }

    fn read(text: &str) -> Vec<Result<PartialSummary, PartialError>> {
        let mut partials = Partials::new(text.as_bytes());
        std::iter::from_fn(|| partials.next_record().unwrap()).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn a_record_comes_back(summary in summaries()) {
            let text = format!("line,puzzle\n1,..\n{}2,..\r\n", summary.line());
            prop_assert_eq!(read(&text).pop().unwrap().unwrap(), summary);
        }

        #[test]
        fn a_record_that_lost_a_byte_or_its_end_is_damaged(summary in summaries(), place: usize) {
            let line = summary.line();
            // A digit that is lost leaves another number, and a letter of a name another name.
            let cut = &line[..MARK.len() + 3 + place % (line.len() - MARK.len() - 4)];
            prop_assert!(read(cut).pop().unwrap().is_err());
            let at = place % line.len();
            if line.is_char_boundary(at) && "{}[]:\"".contains(&line[at..=at]) {
                let damaged = [&line[..at], &line[at + 1..]].concat();
                prop_assert!(read(&damaged).pop().is_none_or(|record| record.is_err()));
            }
        }

        /// In whatever order, and whatever was merged before.
        #[test]
        fn any_order_and_nesting_gives_the_same(
            summaries in proptest::collection::vec(summaries(), 1..8),
            order in Just((0..8_usize).collect::<Vec<_>>()).prop_shuffle(),
            cut in 0..8_usize,
        ) {
            let merge = |all: &[PartialSummary]| -> Option<PartialSummary> {
                let (first, others) = all.split_first()?;
                let mut merged = first.clone();
                for other in others {
                    merged.merge(other).ok()?;
                }
                Some(merged)
            };
            let whole = merge(&summaries);
            let shuffled: Vec<_> =
                order.into_iter().filter_map(|place| summaries.get(place).cloned()).collect();
            let (left, right) = shuffled.split_at(cut.min(shuffled.len()));
            let parts: Vec<_> = [left, right].into_iter().filter_map(|part| {
                // Merged parts are written and read again.
                read(&merge(part)?.line()).pop()?.ok()
            }).collect();
            prop_assume!(whole.is_some());
            let nested = merge(&parts);
            prop_assert_eq!(nested.as_ref().map(PartialSummary::line), whole.as_ref().map(PartialSummary::line));
            prop_assert_eq!(nested, whole);
        }

        #[test]
        fn any_bytes_are_read_to_their_end(
            bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'#'), any::<u8>()], 0..200),
            lines in proptest::collection::vec("(#partial,1?,?)?[{}a\":0-9\n]{0,9}", 0..9),
        ) {
            for text in [bytes, lines.join("\n").into_bytes()] {
                let mut partials = Partials::new(&text[..]);
                while let Some(record) = partials.next_record().unwrap() {
                    prop_assert!(record.is_err());
                }
                let ends = text.iter().filter(|byte| **byte == b'\n').count();
                let last = !text.is_empty() && !text.ends_with(b"\n");
                prop_assert_eq!(partials.lines(), (ends + usize::from(last)) as u64);
            }
        }
    }

    /// The sums were found with the reference implementation of xxHash.
    #[test]
    fn the_hash_of_a_row_is_that_of_spark() {
        for (row, sum) in [
            ("", "98b1582b0977e704"),
            ("53..7", "fd557c060f872204"),
            (&".".repeat(81), "7aa4ce021503482e"),
        ] {
            let mut sums = [Sum::default(); 2];
            sums[0].add_row(row.as_bytes());
            sums[1].add_row(format!("{row}\r").as_bytes());
            assert_eq!(sums.map(|sum| sum.to_string()), [sum, sum], "{row}");
        }
    }

    #[test]
    fn what_is_not_of_one_kind_is_not_added() {
        let one = PartialSummary { version: "1.0.0".into(), ..PartialSummary::default() };
        let shard = |index, of| {
            let shards = Shards::one(Shard::new(index, of).unwrap(), 7);
            PartialSummary { shards: [("a".to_owned(), shards)].into(), ..one.clone() }
        };
        let large = PartialSummary { nodes: u64::MAX, ..one.clone() };
        for (left, right, reason) in [
            (&one, PartialSummary { version: "1.0.1".into(), ..one.clone() }, "1.0.1 here"),
            (&one, PartialSummary { engine: "mrv".into(), ..one.clone() }, "the engine"),
            (
                &one,
                PartialSummary { max_nodes: Some(7), ..one.clone() },
                "node cap is 7 here and none",
            ),
            (&one, PartialSummary { max_time_ns: Some(7), ..one.clone() }, "time cap"),
            (&one, PartialSummary { solutions: Some([0; 3]), ..one.clone() }, "solutions"),
            (&shard(1, 3), shard(1, 3), "shard 1/3 of `a` was counted before"),
            (&shard(1, 3), shard(2, 4), "the number of shards is 4 here and 3 before"),
            (&large, large.clone(), "too large"),
        ] {
            let mut merged = left.clone();
            let refusal = merged.merge(&right).unwrap_err().to_string();
            assert!(refusal.contains(reason), "{refusal}");
            assert_eq!(&merged, left);
        }
    }

    #[test]
    fn records_of_other_versions_and_with_other_histograms_are_refused() {
        let line = PartialSummary::default().line();
        let refusal = |line: &str| {
            let error = read(line).pop().unwrap().unwrap_err();
            let cause =
                std::error::Error::source(&error).map_or(String::new(), |it| format!(": {it}"));
            format!("{error}{cause}")
        };
        let other = line.replacen("#partial,1,", "#partial,2,", 1);
        assert_eq!(refusal(&other), "the record has version 2, and this program reads 1");
        assert!(refusal("#partial,1,{").starts_with("the record is damaged: EOF"));
        // What begins otherwise is a row of somebody else.
        for line in
            ["#partial", "#partial,", "#partial,1", "#partial,1,", "#partial,,{", "#partial,x,{"]
        {
            assert!(read(line).is_empty(), "{line}");
        }
        for (digits, lowest) in [(2, 1), (3, 1000)] {
            use base64::Engine;
            use hdrhistogram::Histogram;
            use hdrhistogram::serialization::{Serializer, V2DeflateSerializer};
            let histogram: Histogram<u64> =
                Histogram::new_with_bounds(lowest, 1_000_000_000, digits).unwrap();
            let mut bytes = Vec::new();
            V2DeflateSerializer::new().serialize(&histogram, &mut bytes).unwrap();
            let mut record = serde_json::to_value(PartialSummary::default()).unwrap();
            let text = base64::engine::general_purpose::STANDARD.encode(bytes);
            record["latency"]["histogram"] = text.into();
            let refusal = refusal(&format!("#partial,1,{record}"));
            assert!(refusal.contains("digits of values from"), "{refusal}");
        }
    }

    #[test]
    fn a_record_that_lacks_a_key_or_has_another_one_is_damaged() {
        let shards = Shards::one(Shard::new(3, 9).unwrap(), 7);
        let record = PartialSummary {
            shards: [("a".to_owned(), shards)].into(),
            ..PartialSummary::default()
        };
        let record = serde_json::to_value(record).unwrap();
        let refused = |record: &serde_json::Value| {
            let mut records = read(&format!("#partial,1,{record}"));
            records.pop().unwrap().is_err()
        };
        assert!(!refused(&record));
        for place in ["", "/rows", "/latency", "/shards/a"] {
            let keys: Vec<String> =
                record.pointer(place).unwrap().as_object().unwrap().keys().cloned().collect();
            let change = |change: &dyn Fn(&mut serde_json::Map<String, serde_json::Value>)| {
                let mut record = record.clone();
                change(record.pointer_mut(place).unwrap().as_object_mut().unwrap());
                assert!(refused(&record), "{record}");
            };
            // Where nothing was timed, there is no shortest and no longest time.
            for key in keys.iter().filter(|key| !["min_ns", "max_ns"].contains(&key.as_str())) {
                change(&|object| _ = object.remove(key));
            }
            if place != "/latency" {
                change(&|object| _ = object.insert("interrupted".into(), 1.into()));
            }
        }
        for (of, done) in [(9, vec![]), (9, vec![0]), (9, vec![10]), (0, vec![0])] {
            let mut record = record.clone();
            record["shards"]["a"] = serde_json::json!({"bytes": 7, "of": of, "done": done});
            assert!(refused(&record), "{record}");
        }
    }

    #[test]
    fn many_shards_are_added_one_after_the_other() {
        let mut merged = PartialSummary::default();
        for index in 1..=100_000 {
            let shard = Shards::one(Shard::new(index, 100_000).unwrap(), 7);
            let shards = [("a".to_owned(), shard)].into();
            merged.merge(&PartialSummary { shards, ..PartialSummary::default() }).unwrap();
        }
        assert_eq!(merged.shards["a"].missing().next(), None);
    }

    #[test]
    fn a_record_without_end_costs_no_memory() {
        let endless = io::BufReader::new(b"#partial,1,{".chain(io::repeat(b'1')));
        let refusal = Partials::new(endless).next_record().unwrap().unwrap().unwrap_err();
        assert!(refusal.to_string().contains("longer than 16 MiB"), "{refusal}");
    }
}
