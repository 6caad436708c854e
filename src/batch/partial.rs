//! What a part of a batch came to, as one line among its rows: read, written and added up here.

use crate::dataset::{PARTIAL_MARK as MARK, Shard};
use crate::measure::Latency;
use crate::solver::Status;
use serde::{Deserialize, Serialize};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{self, BufRead, Read};
use std::str::FromStr;
use thiserror::Error;
use xxhash_rust::xxh64::xxh64;

/// Version of the record, which stands behind its mark. It changes with the meaning of a key.
const VERSION: &str = "1";

/// No record is longer. That of 100,000 shards has a megabyte.
const MAX_LINE: u64 = 16 << 20;

/// The seed that Spark SQL's `xxhash64` has, so that a cluster can add up its rows by itself.
const SEED: u64 = 42;

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
    pub max_nodes: Option<u64>,
    /// The time cap of a search.
    pub max_time_ns: Option<u64>,
    /// Rows by status, in the order of [`Status::ALL`].
    #[serde(with = "by_status")]
    pub rows: [u64; Status::ALL.len()],
    /// The sum of the hashes of all rows of the input, in whatever order.
    pub sum: Sum,
    /// Puzzles with no, one, and two or more solutions, if that was asked.
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

/// Some of the shards of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shards {
    /// The number of shards that the file was cut into.
    pub of: u64,
    /// Those that are here, from 1.
    pub done: BTreeSet<u64>,
}

/// A wrapping sum of hashes, in hexadecimal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Sum(pub u64);

/// A line that begins as a record is none, or records cannot be added.
#[derive(Debug, Error)]
pub enum PartialError {
    /// Another version of the record.
    #[error("the record has version {0}, and this program reads {VERSION}")]
    Version(String),
    /// It is not what it should be behind its version.
    #[error("the record is damaged: {0}")]
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
    #[error("shard {shard} of `{file}` was counted before")]
    Twice {
        /// The file.
        file: String,
        /// Which of its shards.
        shard: Shard,
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
        let mut shards = self.shards.clone();
        for (file, theirs) in &other.shards {
            match shards.entry(file.clone()) {
                Entry::Vacant(entry) => _ = entry.insert(theirs.clone()),
                Entry::Occupied(mut entry) => entry.get_mut().add(file, theirs)?,
            }
        }
        let rows = sums(self.rows, other.rows)?;
        let [nodes] = sums([self.nodes], [other.nodes])?;
        let solutions = match (self.solutions, other.solutions) {
            (Some(mine), Some(theirs)) => Some(sums(mine, theirs)?),
            _ => None,
        };
        *self = PartialSummary { rows, nodes, solutions, shards, ..std::mem::take(self) };
        self.sum.0 = self.sum.0.wrapping_add(other.sum.0);
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

impl Shards {
    /// One shard of a file.
    pub fn one(shard: Shard) -> Self {
        Shards { of: shard.of(), done: BTreeSet::from([shard.index()]) }
    }

    /// Those that are not here.
    pub fn missing(&self) -> impl Iterator<Item = u64> {
        (1..=self.of).filter(|index| !self.done.contains(index))
    }

    fn add(&mut self, file: &str, other: &Shards) -> Result<(), PartialError> {
        if self.of != other.of {
            let (one, other) = (self.of.to_string(), other.of.to_string());
            return Err(PartialError::Other { what: "the number of shards", one, other });
        }
        if let Some(&index) = self.done.intersection(&other.done).next() {
            let shard = Shard::new(index, self.of).ok_or(PartialError::TooLarge)?;
            return Err(PartialError::Twice { file: file.into(), shard });
        }
        self.done.extend(&other.done);
        Ok(())
    }
}

fn sums<const N: usize>(mut mine: [u64; N], theirs: [u64; N]) -> Result<[u64; N], PartialError> {
    for (mine, theirs) in std::iter::zip(&mut mine, theirs) {
        *mine = mine.checked_add(theirs).ok_or(PartialError::TooLarge)?;
    }
    Ok(mine)
}

impl Sum {
    /// Adds the hash of a row, XXH64 with the seed 42 of its bytes without the line end.
    pub fn add_row(&mut self, row: &[u8]) {
        let hash = xxh64(row.strip_suffix(b"\r").unwrap_or(row), SEED);
        self.0 = self.0.wrapping_add(hash);
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl From<Sum> for String {
    fn from(sum: Sum) -> Self {
        sum.to_string()
    }
}

impl FromStr for Sum {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = Some(text).filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let sum = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        sum.map(Sum).ok_or_else(|| "expected 16 hexadecimal digits".into())
    }
}

impl TryFrom<String> for Sum {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

/// Rows by status as an object, by the names of the statuses that a row can have.
mod by_status {
    use super::{BTreeMap, Status};
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    type Rows = [u64; Status::ALL.len()];

    pub(super) fn serialize<S: Serializer>(rows: &Rows, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(std::iter::zip(Status::ALL, rows).filter_map(|(status, rows)| {
            (status != Status::Interrupted).then_some((status.name(), rows))
        }))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Rows, D::Error> {
        let mut rows = Rows::default();
        for (name, count) in BTreeMap::<String, u64>::deserialize(from)? {
            let known = Status::ALL.into_iter().find(|status| status.name() == name);
            let unknown = || D::Error::custom(format!("there is no status `{name}`"));
            rows[known.ok_or_else(unknown)? as usize] = count;
        }
        Ok(rows)
    }
}

/// Finds the records among the rows of a file, of which memory holds none.
pub struct Partials<R> {
    input: R,
    line: u64,
    text: Vec<u8>,
}

impl<R: BufRead> Partials<R> {
    /// From the start of a file.
    pub fn new(input: R) -> Self {
        Partials { input, line: 0, text: Vec::new() }
    }

    /// Lines that were read.
    pub fn lines(&self) -> u64 {
        self.line
    }

    /// The next record, which stands on the last line that was read; `None` when there is no more.
    ///
    /// # Errors
    /// When reading fails. What is no record though it begins as one is an inner error.
    pub fn next_record(&mut self) -> io::Result<Option<Result<PartialSummary, PartialError>>> {
        loop {
            self.text.clear();
            if self.read_line(MARK.len() as u64)? == 0 {
                return Ok(None);
            }
            self.line += 1;
            if self.text == MARK.as_bytes() {
                self.read_line(MAX_LINE)?;
                let record = match self.text.strip_suffix(b"\n") {
                    None if self.text.len() as u64 > MAX_LINE => Err(PartialError::Overlong),
                    line => PartialSummary::parse(line.unwrap_or(&self.text).trim_ascii_end()),
                };
                return Ok(Some(record));
            }
            if !self.text.ends_with(b"\n") {
                self.input.skip_until(b'\n')?;
            }
        }
    }

    /// Appends so many bytes at most of a line.
    fn read_line(&mut self, most: u64) -> io::Result<usize> {
        self.input.by_ref().take(most).read_until(b'\n', &mut self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
                    (file.to_owned(), Shards::one(shard))
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
            let cut = &line[..MARK.len() + 2 + place % (line.len() - MARK.len() - 3)];
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
            let shards = Shards::one(Shard::new(index, of).unwrap());
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
        let refusal = |line: &str| read(line).pop().unwrap().unwrap_err().to_string();
        let other = line.replacen("#partial,1,", "#partial,2,", 1);
        assert_eq!(refusal(&other), "the record has version 2, and this program reads 1");
        assert!(refusal("#partial,").contains("version"));
        assert!(refusal("#partial,1").contains("damaged"));
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
    fn a_record_without_end_costs_no_memory() {
        let endless = format!("#partial,1,{}", "1".repeat(20 << 20));
        let mut partials = Partials::new(endless.as_bytes());
        let refusal = partials.next_record().unwrap().unwrap().unwrap_err();
        assert!(refusal.to_string().contains("longer than 16 MiB"), "{refusal}");
        assert!(partials.text.capacity() <= 64 << 20);
    }
}
