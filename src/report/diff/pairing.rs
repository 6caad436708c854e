//! Which rows of two per-puzzle files belong together.

use super::{Diff, Side};
use crate::report::{FileResult, PuzzleRow, Run};
use crate::solver::Engine;
use crate::stats::log_ratio;
use std::collections::HashMap;
use thiserror::Error;

/// Two runs cannot be held against each other. The message is a sentence for the user.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DiffError {
    /// A variant was wrong.
    #[error("{run} is INVALID, a variant gave a wrong answer on `{file}`: its times mean nothing")]
    Invalid {
        /// In which run.
        run: Side,
        /// On which file.
        file: String,
    },
    /// The runs read different numbers of files.
    #[error("OLD has {old} input files and NEW has {new}")]
    NumberOfFiles {
        /// Files of the old run.
        old: usize,
        /// Files of the new run.
        new: usize,
    },
    /// The rows of two files of the same name cannot be told apart.
    #[error("{run} has `{file}` twice, and its puzzles cannot be told apart")]
    NamedTwice {
        /// In which run.
        run: Side,
        /// Which file.
        file: String,
    },
    /// A run is of a part of a file, or made of such runs.
    #[error(
        "{run} is of shards, whose file no run has read as a whole; `diff` takes runs of whole files"
    )]
    Shards {
        /// Which run.
        run: Side,
    },
    /// A run ended before its input did.
    #[error(
        "{run} did not read `{file}` to its end, so it may be another file than in the other run"
    )]
    NotReadToEnd {
        /// Which run.
        run: Side,
        /// Which file.
        file: String,
    },
    /// The files are different ones.
    #[error("`{file}` is not the same in both runs: {what} is {old} in OLD and {new} in NEW")]
    OtherInput {
        /// The file, by its name in the new run.
        file: String,
        /// What differs.
        what: &'static str,
        /// Its value in the old run.
        old: String,
        /// Its value in the new run.
        new: String,
    },
    /// No variant ran in both.
    #[error("the runs have no variant in common")]
    NoCommonVariant,
    /// No puzzle was timed in both.
    #[error("no puzzle was timed in both runs")]
    NoCommonPuzzle,
    /// A row names a file that the run did not read.
    #[error("puzzles.csv of {run} names the file `{file}`, which its report.json does not")]
    UnknownFile {
        /// In which run.
        run: Side,
        /// Which file.
        file: String,
    },
    /// Two rows say the same of different times.
    #[error("puzzles.csv of {run} has line {line} of `{file}` twice for `{variant}`")]
    Repeated {
        /// In which run.
        run: Side,
        /// Which file.
        file: String,
        /// Physical line of the puzzle.
        line: u64,
        /// Which variant.
        variant: String,
    },
}

/// What a search is known by in both runs.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    line: u64,
    form: u32,
    /// Place of the file among the files of its run.
    file: u32,
    /// Place among the common variants.
    variant: u32,
}

/// What a run says of a search.
#[derive(Clone, Copy)]
struct Search {
    min_ns: u64,
    nodes: u64,
}

/// The pairs of one file and variant.
#[derive(Clone, Default)]
pub(super) struct Pairs {
    pairs: Vec<Pair>,
    pub(super) old_ns: u64,
    pub(super) new_ns: u64,
}

/// A form of a puzzle in both runs.
#[derive(Clone, Copy)]
struct Pair {
    /// Physical line of the puzzle.
    line: u64,
    /// The logarithm of new time over old time.
    log: f64,
    /// Whether the node counts differ.
    is_other_search: bool,
}

/// What the pairs of one file and variant say of each puzzle.
pub(super) struct Paired {
    /// For each puzzle the mean over its forms of ln(new time / old time).
    pub(super) logs: Vec<f64>,
    pub(super) old_ns: u64,
    pub(super) new_ns: u64,
    /// Puzzles on which node counts differ.
    pub(super) other_nodes: u64,
}

/// Finds the partner of every row while both files are being read.
///
/// A row waits until its partner comes. With both files in the same order, read by turns, hardly
/// any row waits; in different orders, half of each file at most.
pub struct Pairing<'a> {
    pub(super) runs: [&'a Run; 2],
    /// Names of the variants that both have, `lanes` aside.
    pub(super) variants: Vec<&'a str>,
    /// By file, then by variant.
    pub(super) pairs: Vec<Vec<Pairs>>,
    /// Whether a form of a puzzle is the same grid in both.
    shares_forms: bool,
    waiting: [HashMap<Key, Search>; 2],
    ended: [bool; 2],
}

impl<'a> Pairing<'a> {
    /// Checks that the runs had the same files, in the same order, whatever their names.
    ///
    /// # Errors
    /// When they had not, or have no variant in common, or a variant was wrong.
    pub fn new(old: &'a Run, new: &'a Run) -> Result<Self, DiffError> {
        check_alone(Side::Old, old)?;
        check_alone(Side::New, new)?;
        if old.files.len() != new.files.len() {
            let (old, new) = (old.files.len(), new.files.len());
            return Err(DiffError::NumberOfFiles { old, new });
        }
        std::iter::zip(&old.files, &new.files).try_for_each(|(old, new)| check_input(old, new))?;
        let names = old.settings.variants.iter().map(String::as_str);
        let is_common = |name: &&str| {
            *name != Engine::Lanes.name() && new.settings.variants.iter().any(|other| other == name)
        };
        let variants: Vec<&str> = names.filter(is_common).collect();
        if variants.is_empty() {
            return Err(DiffError::NoCommonVariant);
        }
        Ok(Pairing {
            runs: [old, new],
            pairs: vec![vec![Pairs::default(); variants.len()]; old.files.len()],
            variants,
            shares_forms: !draw_other_forms(old, new),
            waiting: Default::default(),
            ended: [false; 2],
        })
    }

    /// Takes a row of one run. Returns whether it can have a partner in the other: it was timed,
    /// its variant is in both, and so is the form of the puzzle. Rows that can are to be taken from
    /// both runs by turns, so that few wait.
    ///
    /// # Errors
    /// When the row names an unknown file, or says again what another row has said.
    pub fn add(&mut self, run: Side, row: &PuzzleRow<'_>) -> Result<bool, DiffError> {
        let variant = self.variants.iter().position(|name| *name == row.variant);
        let (Some(variant), Some(lap)) = (variant, row.lap) else { return Ok(false) };
        if row.form > 0 && !self.shares_forms {
            return Ok(false);
        }
        let mut files = self.runs[run.index()].files.iter();
        let Some(file) = files.position(|file| file.name == row.file) else {
            return Err(DiffError::UnknownFile { run, file: row.file.into() });
        };
        let key =
            Key { line: row.line, form: row.form, file: file as u32, variant: variant as u32 };
        let search = Search { min_ns: lap.min_ns, nodes: lap.counts.nodes };
        let other = run.other().index();
        if let Some(partner) = self.waiting[other].remove(&key) {
            let (old, new) = match run {
                Side::Old => (search, partner),
                Side::New => (partner, search),
            };
            self.pairs[file][variant].add(row.line, old, new);
        } else if !self.ended[other] && self.waiting[run.index()].insert(key, search).is_some() {
            let (file, variant) = (row.file.into(), row.variant.into());
            return Err(DiffError::Repeated { run, file, line: row.line, variant });
        }
        Ok(true)
    }

    /// Notes that a run has no more rows, so that none of the other need wait.
    pub fn end(&mut self, run: Side) {
        self.ended[run.index()] = true;
        self.waiting[run.other().index()] = HashMap::new();
    }

    /// Judges the pairs: a variant may become slower by the fraction `fail_on`, and intervals have
    /// this `confidence`.
    ///
    /// # Errors
    /// When there is no pair.
    pub fn finish(self, fail_on: f64, confidence: f64) -> Result<Diff, DiffError> {
        if self.pairs.iter().flatten().all(|pairs| pairs.pairs.is_empty()) {
            return Err(DiffError::NoCommonPuzzle);
        }
        Ok(Diff::new(self, fail_on, confidence))
    }
}

impl Pairs {
    fn add(&mut self, line: u64, old: Search, new: Search) {
        let log = log_ratio(old.min_ns, new.min_ns);
        self.pairs.push(Pair { line, log, is_other_search: old.nodes != new.nodes });
        // A clock may show 0 for what is shorter than its step.
        self.old_ns += old.min_ns.max(1);
        self.new_ns += new.min_ns.max(1);
    }

    /// Puts the forms of each puzzle together: they are not independent of each other.
    pub(super) fn by_puzzle(mut self) -> Paired {
        // Also by size, so that sums do not depend on the order of the rows.
        self.pairs.sort_unstable_by(|one, other| {
            one.line.cmp(&other.line).then(one.log.total_cmp(&other.log))
        });
        let puzzles = || self.pairs.chunk_by(|one, other| one.line == other.line);
        let mean =
            |forms: &[Pair]| forms.iter().map(|pair| pair.log).sum::<f64>() / forms.len() as f64;
        let is_other = |forms: &&[Pair]| forms.iter().any(|pair| pair.is_other_search);
        Paired {
            logs: puzzles().map(mean).collect(),
            old_ns: self.old_ns,
            new_ns: self.new_ns,
            other_nodes: puzzles().filter(is_other).count() as u64,
        }
    }
}

/// Whether the forms of a puzzle, but for the puzzle as it stands, are other grids in one run than in
/// the other: the seed decides which.
pub(super) fn draw_other_forms(old: &Run, new: &Run) -> bool {
    let have_forms = old.settings.isomorphs > 0 && new.settings.isomorphs > 0;
    have_forms && old.settings.seed != new.settings.seed
}

/// What can be wrong with a run by itself.
fn check_alone(run: Side, model: &Run) -> Result<(), DiffError> {
    if model.shards.is_some() || model.settings.shard.is_some() {
        return Err(DiffError::Shards { run });
    }
    for (index, file) in model.files.iter().enumerate() {
        let name = || file.name.clone();
        if file.population.wrong > 0 {
            return Err(DiffError::Invalid { run, file: name() });
        }
        if model.files[..index].iter().any(|earlier| earlier.name == file.name) {
            return Err(DiffError::NamedTwice { run, file: name() });
        }
        if file.sha256.is_none() {
            return Err(DiffError::NotReadToEnd { run, file: name() });
        }
    }
    Ok(())
}

fn check_input(old: &FileResult, new: &FileResult) -> Result<(), DiffError> {
    let name = new.name.clone();
    let hash = |file: &FileResult| file.sha256.clone();
    let rows = |file: &FileResult| file.input_rows.map(|rows| rows.to_string());
    let properties =
        [("its SHA-256", hash(old), hash(new)), ("its number of rows", rows(old), rows(new))];
    match properties.into_iter().find(|(_, old, new)| old != new) {
        Some((what, old, new)) => {
            let [old, new] = [old, new].map(|value| value.unwrap_or("unknown".into()));
            Err(DiffError::OtherInput { file: name, what, old, new })
        }
        None => Ok(()),
    }
}
