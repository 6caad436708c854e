//! The runs on the shards of a file as one run on the whole of it.

use super::compare::work_bin;
use super::samples::Samples;
use super::{GROUP, Terms};
use crate::measure::{Lap, Lineup, WallClock, Work};
use crate::report::{
    FileResult, Named, PuzzleRow, PuzzlesReader, Run, Settings, ShardRuns, ShardsError, Warning,
    agreed,
};
use crate::solver::{Engine, Variant};
use std::path::{Path, PathBuf};

/// Makes one run of those on the shards of a file, which come in any order, each with its folder or
/// its `report.json`. All that is said of times is made anew from the per-puzzle files, and comes out
/// as if one run had measured them: rows are put into groups by their place in the whole file.
///
/// What needs more than the times of puzzles is left out: `lanes`, the throughput, and how the
/// machine changed in the course of a run.
///
/// # Errors
/// When the runs are not those of all shards of one file, differ in more than the machine, or cannot
/// be read.
pub fn merge_shards(mut runs: Vec<(PathBuf, Run)>) -> Result<Run, ShardsError> {
    runs.sort_by_key(|(_, run)| run.settings.shard.map(|shard| shard.index));
    let named = |(path, run): (PathBuf, Run)| {
        let name = path.display().to_string();
        (path, (name, run))
    };
    let (paths, runs): (Vec<PathBuf>, Vec<Named>) = runs.into_iter().map(named).unzip();
    let shards = ShardRuns::of(&runs)?;
    let (name, first) = &runs[0];
    let lineup = lineup(name, &first.settings)?;
    let mut puzzles = Puzzles::new(&lineup, first.settings.isomorphs);
    let mut result = FileResult {
        name: first.files[0].name.clone(),
        input_rows: Some(0),
        finished: true,
        ..FileResult::default()
    };
    for (path, run) in std::iter::zip(&paths, &runs) {
        puzzles.read(path, run)?;
        add(&run.1.files[0], &mut result);
    }
    let (mut samples, work) = puzzles.finish();
    for (arm, (variant, work)) in std::iter::zip(&mut result.variants, work).enumerate() {
        variant.spread = samples.take_spread(arm);
        variant.work = work.ranges().map(work_bin).collect();
    }
    result.find_figures(&first.settings.baseline);
    terms(&runs, &lineup).judge(&lineup, samples, None, &mut result);
    Ok(Run {
        settings: Settings { shard: None, ..first.settings.clone() },
        warnings: warnings(&runs),
        puzzles: None,
        shards: Some(shards),
        files: vec![result],
        ..first.clone()
    })
}

/// The line-up of a run.
fn lineup(name: &str, settings: &Settings) -> Result<Lineup<WallClock>, ShardsError> {
    let timed = settings.variants.iter().filter(|variant| *variant != Engine::Lanes.name());
    let find = |variant: &String| {
        variant.parse().map_err(|_| ShardsError::Variant(name.into(), variant.clone()))
    };
    let variants: Vec<Variant> = timed.map(find).collect::<Result<_, _>>()?;
    let baseline = variants.iter().position(|variant| variant.name() == settings.baseline);
    let baseline = baseline.ok_or_else(|| damaged(name, "its baseline is none of its variants"))?;
    Ok(Lineup::of_variants(&variants, baseline, settings.controls))
}

/// How the runs judged, and what all of them say of the code.
fn terms(runs: &[Named], lineup: &Lineup<WallClock>) -> Terms {
    let Settings { confidence, margin, ref baseline, .. } = runs[0].1.settings;
    let identical =
        |variant: &str| agreed(runs.iter().map(|(_, run)| run.code.is_same(variant, baseline)));
    let identical_code = lineup.contenders().iter().map(|arm| identical(arm.name())).collect();
    Terms { confidence, margin, identical_code }
}

/// What speaks against any of the runs as a whole, each said once.
fn warnings(runs: &[Named]) -> Vec<Warning> {
    let mut all: Vec<Warning> = Vec::new();
    for warning in runs.iter().flat_map(|(_, run)| &run.warnings) {
        if !all.contains(warning) {
            all.push(warning.clone());
        }
    }
    all
}

/// Adds what a run says of its shard, as far as that adds up.
fn add(shard: &FileResult, result: &mut FileResult) {
    result.add(shard);
    let rows = |file: &FileResult| file.input_rows;
    result.input_rows = rows(result).zip(rows(shard)).map(|(rows, more)| rows + more);
    if result.first_wrong.is_none() {
        result.first_wrong.clone_from(&shard.first_wrong);
    }
    result.effort.counting_ns += shard.effort.counting_ns;
    result.effort.timed_ns += shard.effort.timed_ns;
    result.effort.wall_ns += shard.effort.wall_ns;
}

fn damaged(name: &str, reason: &str) -> ShardsError {
    ShardsError::Damaged(name.into(), reason.into())
}

/// The puzzles of all runs, put together from the rows of their per-puzzle files.
struct Puzzles<'a> {
    lineup: &'a Lineup<WallClock>,
    samples: Samples,
    /// By contender.
    work: Vec<Work>,
    /// The rows of input of the group that is being filled. Each has the measured forms of its
    /// puzzle, if there are any, and each form has the laps of the arms.
    group: Vec<Vec<Vec<Lap>>>,
    /// Those of the form that is being read.
    laps: Vec<Lap>,
    /// The last line of input.
    line: u64,
}

impl<'a> Puzzles<'a> {
    fn new(lineup: &'a Lineup<WallClock>, isomorphs: u32) -> Self {
        Puzzles {
            lineup,
            samples: Samples::new(lineup, isomorphs),
            work: vec![Work::default(); lineup.contenders().len()],
            group: Vec::with_capacity(GROUP),
            laps: Vec::with_capacity(lineup.arms().len()),
            line: 0,
        }
    }

    /// Reads the per-puzzle file of the next shard.
    fn read(&mut self, path: &Path, (name, run): &Named) -> Result<(), ShardsError> {
        let file = &run.files[0];
        let puzzles = run.puzzles.as_ref().ok_or_else(|| ShardsError::NoPuzzles(name.clone()))?;
        let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
        let mut reader = PuzzlesReader::open(folder, puzzles)?;
        let mut rows = 0;
        while let Some(row) = reader.next_row()? {
            if row.file != file.name {
                return Err(damaged(name, "its puzzles.csv names another file"));
            }
            rows += u64::from(self.begins(&row));
            self.add(&row).map_err(|reason| damaged(name, reason))?;
        }
        if !self.laps.is_empty() || rows != file.population.rows {
            return Err(damaged(name, "its puzzles.csv lacks rows, or has too many"));
        }
        Ok(())
    }

    /// Whether a row is the first one of a row of input.
    fn begins(&self, row: &PuzzleRow<'_>) -> bool {
        let first = self.lineup.arms()[0].name();
        row.form == 0 && (row.variant.is_empty() || row.variant == first)
    }

    fn add(&mut self, row: &PuzzleRow<'_>) -> Result<(), &'static str> {
        if row.line < self.line {
            return Err("its puzzles.csv is not in the order of the input");
        }
        self.line = row.line;
        if self.begins(row) {
            if self.group.len() == GROUP {
                self.end_group();
            }
            self.group.push(Vec::new());
        }
        let arms = self.lineup.arms();
        match (row.lap, self.group.last_mut()) {
            (Some(lap), Some(forms)) if row.variant == arms[self.laps.len()].name() => {
                self.laps.push(lap);
                if self.laps.len() == arms.len() {
                    let laps = std::mem::take(&mut self.laps);
                    std::iter::zip(&mut self.work, &laps).for_each(|(work, lap)| work.record(lap));
                    forms.push(laps);
                }
                Ok(())
            }
            (None, Some(_)) if self.laps.is_empty() => Ok(()),
            _ => Err("its puzzles.csv does not have the variants in their order"),
        }
    }

    fn end_group(&mut self) {
        let puzzles = self.group.iter().filter(|forms| !forms.is_empty());
        let puzzles = puzzles.map(|forms| forms.iter().map(Vec::as_slice).collect());
        self.samples.add_puzzles(puzzles, self.lineup.baseline());
        self.group.clear();
    }

    /// The times of all puzzles, and those of each contender by nodes.
    fn finish(mut self) -> (Samples, Vec<Work>) {
        self.end_group();
        (self.samples, self.work)
    }
}
