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
