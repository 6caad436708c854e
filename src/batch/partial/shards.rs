//! Which shards of a file were answered.

use super::PartialError;
use crate::dataset::Shard;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::iter;
use std::ops::RangeInclusive;

/// Some of the shards of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Record")]
pub struct Shards {
    /// Length of the file that was cut.
    pub bytes: u64,
    /// The number of shards.
    pub of: u64,
    /// Those that are here, from 1; one at least.
    pub done: BTreeSet<u64>,
}

impl Shards {
    /// One shard of a file of this length.
    pub fn one(shard: Shard, bytes: u64) -> Self {
        Shards { bytes, of: shard.of(), done: BTreeSet::from([shard.index()]) }
    }

    /// Those that are not here, in runs of consecutive ones.
    pub fn missing(&self) -> impl Iterator<Item = RangeInclusive<u64>> {
        let befores = iter::once(0).chain(self.done.iter().copied());
        let behinds = self.done.iter().copied().map(|index| index - 1).chain([self.of]);
        iter::zip(befores, behinds)
            .map(|(before, last)| before + 1..=last)
            .filter(|it| !it.is_empty())
    }

    /// Whether those of another record can be added.
    pub(super) fn allow(&self, file: &str, other: &Shards) -> Result<(), PartialError> {
        for (what, one, other) in [
            ("the length of the file", self.bytes, other.bytes),
            ("the number of shards", self.of, other.of),
        ] {
            if one != other {
                let (one, other) = (one.to_string(), other.to_string());
                return Err(PartialError::Other { what, one, other });
            }
        }
        match other.done.iter().find(|index| self.done.contains(index)) {
            Some(&index) => Err(PartialError::Twice { file: file.into(), index, of: self.of }),
            None => Ok(()),
        }
    }
}

/// Shards as they stand in a record.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    bytes: u64,
    of: u64,
    done: BTreeSet<u64>,
}

impl TryFrom<Record> for Shards {
    type Error = String;

    fn try_from(Record { bytes, of, done }: Record) -> Result<Self, String> {
        let are_shards = !done.is_empty() && done.iter().all(|&it| Shard::new(it, of).is_some());
        if are_shards {
            Ok(Shards { bytes, of, done })
        } else {
            Err("there are no such shards".into())
        }
    }
}
