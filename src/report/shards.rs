//! Runs on the shards of one file, put together: whether they may be, and what is told of them.

use super::agreement::{Named, Unlike, complete, same_code, same_settings};
use super::circumstances::{build, flags, machine};
use super::{Difference, PuzzlesError, Run};
use crate::dataset::Shard;
use serde::{Deserialize, Serialize};
use std::path::Path;
use thiserror::Error;

/// The part of a file that a run compared: the `index`th of `of`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShardPlace {
    /// Its place among the parts, from 1.
    pub index: u64,
    /// The number of parts.
    pub of: u64,
}

/// Bytes of a file. The rows that begin within them are a shard's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ByteRange {
    /// Bytes of the file before them.
    pub from: u64,
    /// Bytes of the file up to their end.
    pub to: u64,
    /// Bytes of the whole file.
    pub length: u64,
}

/// The runs that a merged one is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShardRuns {
    /// In the order of their shards.
    pub runs: Vec<ShardRun>,
    /// In what builds and machines the runs differ.
    pub differences: Vec<Difference>,
}

/// One of the runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShardRun {
    /// The folder or file as it was named.
    pub name: String,
    /// Its shard.
    pub shard: ShardPlace,
    /// The command as typed.
    pub command: String,
    /// Start of the run, UTC, RFC 3339.
    pub date: String,
    /// The git commit it was built from, in hexadecimal.
    pub commit: Option<String>,
    /// Model name of the processor.
    pub cpu: String,
    /// Processor cores it might use.
    pub cores: usize,
    /// Solving threads.
    pub threads: usize,
    /// Rows of its shard.
    pub rows: u64,
    /// Number of warnings in the run's own report.
    pub warnings: u64,
}

/// Why runs are not put together as shards of one file. The first fields name the runs in question.
#[derive(Debug, Error)]
pub enum ShardsError {
    /// There is no run.
    #[error("there is no run to merge")]
    None,
    /// A run is a merged one.
    #[error("`{0}` was merged already; name the runs that it was made of instead")]
    Merged(String),
    /// A run had whole files.
    #[error("`{0}` is not the run of a shard; `compare --shard` makes such runs")]
    NoShard(String),
    /// The runs had different numbers of shards.
    #[error("`{0}` is shard {1} and `{2}` is shard {3}: the numbers of shards differ")]
    Number(String, Shard, String, Shard),
    /// Two runs had the same shard.
    #[error("`{0}` and `{1}` are both shard {2}")]
    Twice(String, String, Shard),
    /// No run had this shard.
    #[error("shard {0} is missing")]
    Missing(Shard),
    /// The runs had different files.
    #[error("`{0}` and `{1}` ran on different inputs: {2}")]
    Inputs(String, String, String),
    /// They are not of one thing.
    #[error(transparent)]
    Unlike(#[from] Unlike),
    /// The code lies elsewhere.
    #[error(
        "`{0}` and `{1}` ran the same code in different layouts, which have speeds of their own; \
         run all shards by the same program"
    )]
    Layout(String, String),
    /// A variant is none of this program.
    #[error("`{0}` has a variant that this program does not know: `{1}`")]
    Variant(String, String),
    /// The per-puzzle file cannot be used.
    #[error(transparent)]
    Puzzles(#[from] PuzzlesError),
    /// The run has no per-puzzle file.
    #[error("`{0}` has no per-puzzle file")]
    NoPuzzles(String),
    /// What a run says does not hang together.
    #[error("`{0}` is damaged: {1}")]
    Damaged(String, String),
}

impl From<Shard> for ShardPlace {
    fn from(shard: Shard) -> Self {
        ShardPlace { index: shard.index(), of: shard.of() }
    }
}

impl ShardRuns {
    /// Sees to it that runs, which are sorted by their shards, make up one file and belong together,
    /// as far as their reports tell.
    ///
    /// # Errors
    /// Where they do not.
    pub(crate) fn of(runs: &[Named]) -> Result<Self, ShardsError> {
        complete(runs)?;
        let shards: Vec<Shard> =
            runs.iter().map(|(name, run)| shard(name, run)).collect::<Result<_, _>>()?;
        all_there(runs, &shards)?;
        for other in &runs[1..] {
            same_input(&runs[0], other)?;
            same_settings(&runs[0], other)?;
            same_code(&runs[0], other)?;
            if other.1.code.layout != runs[0].1.code.layout {
                return Err(ShardsError::Layout(runs[0].0.clone(), other.0.clone()));
            }
        }
        let circumstances = |(_, run): &Named| {
            [build(&run.provenance), vec![flags(&run.provenance)], machine(run)].concat()
        };
        let circumstances: Vec<_> = runs.iter().map(circumstances).collect();
        let runs = std::iter::zip(runs, shards).map(|(run, shard)| shard_run(run, shard));
        Ok(ShardRuns { runs: runs.collect(), differences: Difference::among(&circumstances) })
    }
}

/// The shard that a run had, by what its report says.
fn shard(name: &str, run: &Run) -> Result<Shard, ShardsError> {
    if run.shards.is_some() {
        return Err(ShardsError::Merged(name.into()));
    }
    let Some(ShardPlace { index, of }) = run.settings.shard else {
        return Err(ShardsError::NoShard(name.into()));
    };
    let damaged = |reason: &str| ShardsError::Damaged(name.into(), reason.into());
    let shard = Shard::new(index, of).ok_or_else(|| damaged("there is no such shard"))?;
    let [file] = run.files.as_slice() else { return Err(damaged("a shard is of one file")) };
    let bytes = file.range.filter(|range| shard.bytes(range.length) == (range.from..range.to));
    bytes.map(|_| shard).ok_or_else(|| damaged("the bytes are not those of its shard"))
}

/// That there is a run for each shard, in the order of the shards.
fn all_there(runs: &[Named], shards: &[Shard]) -> Result<(), ShardsError> {
    let first = *shards.first().ok_or(ShardsError::None)?;
    let name = |index: usize| runs[index].0.clone();
    if let Some(index) = shards.iter().position(|shard| shard.of() != first.of()) {
        return Err(ShardsError::Number(name(0), first, name(index), shards[index]));
    }
    for (place, &shard) in shards.iter().enumerate() {
        let expected = place as u64 + 1;
        if shard.index() < expected {
            return Err(ShardsError::Twice(name(place - 1), name(place), shard));
        }
        if shard.index() > expected {
            return Err(missing(expected, first));
        }
    }
    let count = shards.len() as u64;
    if count < first.of() { Err(missing(count + 1, first)) } else { Ok(()) }
}

/// That the shard of this number is missing beside `other`.
fn missing(index: u64, other: Shard) -> ShardsError {
    ShardsError::Missing(Shard::new(index, other.of()).expect("no more than there are"))
}

/// That two runs had the same file, as far as its name and length tell: no run has read it all.
fn same_input((one, first): &Named, (other, run): &Named) -> Result<(), ShardsError> {
    let (left, right) = (&first.files[0], &run.files[0]);
    let length = |run: &Run| run.files[0].range.map_or(0, |range| range.length);
    // Each machine may have it in another place.
    let differ = if Path::new(&left.name).file_name() != Path::new(&right.name).file_name() {
        format!("`{}` and `{}`", left.name, right.name)
    } else if length(first) != length(run) {
        format!("`{}` has {} and {} bytes", left.name, length(first), length(run))
    } else {
        return Ok(());
    };
    Err(ShardsError::Inputs(one.clone(), other.clone(), differ))
}

fn shard_run((name, run): &Named, shard: Shard) -> ShardRun {
    let provenance = run.provenance.clone();
    ShardRun {
        name: name.clone(),
        shard: shard.into(),
        command: provenance.command,
        date: provenance.date,
        commit: provenance.commit,
        cpu: provenance.cpu,
        cores: provenance.cores,
        threads: run.settings.threads,
        rows: run.files[0].population.rows,
        warnings: run.warning_count(),
    }
}
