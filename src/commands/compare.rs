//! `compare`: variants on the same puzzles, and the report.

use super::faults::Faults;
use super::river::{self, BLOCKS, GROUP, PerWorker, Rows};
use crate::cli::CompareArgs;
use crate::ending::Ending;
use crate::environment;
use crate::progress::{Progress, Work};
use anyhow::{Context, bail};
use rayon::ThreadPool;
use std::io::{Write, stdout};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use sudoku_bench::dataset::{Column, Input, Layout, RowBlock, RowError, sample};
use sudoku_bench::measure::{Arm, Latency, Race, Raced, WallClock};
use sudoku_bench::pipeline;
use sudoku_bench::report::{
    Figures, FileResult, Folder, PuzzlesWriter, Run, SCHEMA_VERSION, Settings, VariantResult,
    Wrong, markdown,
};
use sudoku_bench::solver::{Counts, Limits, Status};

/// A checked request.
struct Compare {
    arms: Vec<Arm<WallClock>>,
    /// Index of the arm by whose time the others' are divided.
    baseline: usize,
    limits: Limits<'static>,
    column: Option<Column>,
    sample: Option<u64>,
    seed: u64,
    pool: ThreadPool,
    quiet: bool,
    interrupt: &'static AtomicBool,
}

pub(crate) fn run(mut args: CompareArgs) -> anyhow::Result<Ending> {
    let provenance = environment::provenance();
    let files = std::mem::take(&mut args.files);
    let inputs = if files.is_empty() { vec![Input::embedded()] } else { river::open(&files)? };
    let output = args.output.take();
    let compare = Compare::new(args)?;
    let folder = output.map(Folder::create).transpose()?;
    let mut puzzles = folder.as_ref().map(Folder::puzzles).transpose()?;
    let mut faults = Faults::new(None)?;
    let mut files = Vec::new();
    for input in inputs {
        files.push(compare.file(input, puzzles.as_mut(), &mut faults)?);
        if compare.is_interrupted() {
            break;
        }
    }
    let run = Run {
        schema_version: SCHEMA_VERSION,
        provenance,
        settings: compare.settings(),
        interrupted: compare.is_interrupted(),
        puzzles: puzzles.map(PuzzlesWriter::finish).transpose()?,
        files,
    };
    if let Some(folder) = folder {
        folder.write(&run)?;
    }
    let malformed = faults.finish()?;
    let wrong = run.files.iter().any(|file| file.wrong > 0);
    let printed = stdout().write_all(markdown(&run).as_bytes());
    let failure = printed.context("cannot write the report").err();
    Ok(Ending { interrupted: run.interrupted, failure, wrong, malformed })
}

impl Compare {
    fn new(args: CompareArgs) -> anyhow::Result<Self> {
        let variants = args.variants;
        if (1..variants.len()).any(|index| variants[..index].contains(&variants[index])) {
            bail!("a variant is named twice; each can run once");
        }
        let baseline = args.baseline.unwrap_or(variants[0]);
        let Some(baseline) = variants.iter().position(|&variant| variant == baseline) else {
            bail!("the baseline `{baseline}` is not among the variants; add it to -t");
        };
        let interrupt = super::interrupt();
        Ok(Compare {
            arms: variants.into_iter().map(Arm::variant).collect(),
            baseline,
            limits: Limits {
                nodes: args.max_nodes.0,
                time: args.work.max_time,
                interrupt: Some(interrupt),
            },
            column: args.work.column,
            sample: args.sample,
            seed: args.seed,
            pool: river::pool(args.work.threads)?,
            quiet: args.work.quiet,
            interrupt,
        })
    }

    fn settings(&self) -> Settings {
        Settings {
            variants: self.arms.iter().map(|arm| arm.name().into()).collect(),
            baseline: self.arms[self.baseline].name().into(),
            threads: self.pool.current_num_threads(),
            seed: self.seed,
            max_nodes: self.limits.nodes,
            max_time_ns: self.limits.time.map(|time| time.as_nanos() as u64),
            sample: self.sample,
        }
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// Sends the rows of one file, or a sample of them, down the river.
    fn file(
        &self,
        input: Input,
        puzzles: Option<&mut PuzzlesWriter>,
        faults: &mut Faults,
    ) -> anyhow::Result<FileResult> {
        let name = input.name().to_owned();
        let progress =
            Progress::start(&name, Work::Bytes(input.bytes_read(), input.length()), self.quiet);
        let mut rows = Rows::new(input, self.column.as_ref(), self.interrupt)?;
        let layout = rows.layout();
        let mut drawn = match self.sample {
            Some(size) => Some(sample(|block| rows.fill(block), size, self.seed)?.into_iter()),
            None => None,
        };
        let mut next_index = 0;
        let fill = |block: &mut Block| {
            match &mut drawn {
                None => _ = rows.fill(&mut block.rows)?,
                Some(blocks) => block.rows = blocks.next().unwrap_or_default(),
            }
            block.first_index = next_index;
            next_index += block.rows.rows().len() as u64;
            let groups = block.rows.rows().len().div_ceil(GROUP);
            block.groups.resize_with(groups, Mutex::default);
            Ok(groups)
        };
        let race = Race::new(&self.arms, self.limits, &WallClock, self.seed);
        let latencies: PerWorker<Vec<Latency>> = PerWorker::new(&self.pool);
        let mut sink = Sink {
            arms: &self.arms,
            counts: vec![Counts::default(); self.arms.len()],
            result: FileResult { name, ..FileResult::default() },
            puzzles,
            faults,
        };
        pipeline::run(
            &self.pool,
            BLOCKS,
            fill,
            |block: &Block, group| block.race(group, &race, &layout, &latencies),
            |block| sink.drain(block, &progress),
        )?;
        Ok(self.file_result(sink.result, &sink.counts, latencies))
    }

    fn file_result(
        &self,
        result: FileResult,
        counts: &[Counts],
        latencies: PerWorker<Vec<Latency>>,
    ) -> FileResult {
        let mut merged = vec![Latency::default(); self.arms.len()];
        for worker in latencies.into_values() {
            std::iter::zip(&mut merged, &worker).for_each(|(all, one)| all.merge(one));
        }
        let baseline_ns = merged[self.baseline].total_ns();
        let variants = std::iter::zip(&self.arms, std::iter::zip(counts, merged))
            .map(|(arm, (&counts, latency))| VariantResult {
                name: arm.name().into(),
                figures: Figures::new(&counts, &latency, baseline_ns),
                counts,
                latency,
            })
            .collect();
        FileResult { variants, ..result }
    }
}

/// Rows on their way, with what became of each.
#[derive(Default)]
struct Block {
    rows: RowBlock,
    /// Place of the first row in the input, from 0.
    first_index: u64,
    groups: Vec<Mutex<Vec<Result<Raced, RowError>>>>,
}

impl Block {
    fn race(
        &self,
        group: usize,
        race: &Race<WallClock>,
        layout: &Layout,
        latencies: &PerWorker<Vec<Latency>>,
    ) {
        let first = group * GROUP;
        let rows = self.rows.rows()[first..].iter().take(GROUP);
        let puzzles = rows.map(|row| self.rows.puzzle(layout, row));
        let raced: Vec<_> = (self.first_index + first as u64..)
            .zip(puzzles)
            .map(|(index, puzzle)| Ok(race.run(index, &puzzle?)))
            .collect();
        record(&raced, &mut latencies.mine());
        *self.groups[group].lock().expect("no panic is let out of a race") = raced;
    }
}

/// Adds the times of a group to those of its worker, arm by arm.
fn record(raced: &[Result<Raced, RowError>], latencies: &mut Vec<Latency>) {
    for raced in raced {
        if let Ok(Raced::Measured(laps)) = raced {
            latencies.resize(laps.len(), Latency::default());
            std::iter::zip(&mut *latencies, laps).for_each(|(all, lap)| all.record(lap.ns));
        }
    }
}

/// Adds up the blocks of one file, in input order.
struct Sink<'a> {
    arms: &'a [Arm<WallClock>],
    counts: Vec<Counts>,
    result: FileResult,
    puzzles: Option<&'a mut PuzzlesWriter>,
    faults: &'a mut Faults,
}

impl Sink<'_> {
    fn drain(&mut self, block: &mut Block, progress: &Progress) -> anyhow::Result<()> {
        progress.add(block.rows.rows().len() as u64);
        let raced = block.groups.iter_mut().flat_map(|group| group.get_mut().expect("see above"));
        for (row, raced) in std::iter::zip(block.rows.rows(), raced) {
            self.result.rows += 1;
            match raced {
                Ok(raced) => self.puzzle(row.line, raced)?,
                Err(error) => {
                    self.result.malformed += 1;
                    self.faults.tell((&self.result.name, row.line), error, progress)?;
                }
            }
        }
        Ok(())
    }

    fn puzzle(&mut self, line: u64, raced: &Raced) -> anyhow::Result<()> {
        match raced {
            Raced::Measured(laps) => {
                self.result.compared += 1;
                let first = &laps[0].counted;
                self.result.unsolvable += u64::from(first.status == Status::Unsolvable);
                let differ = laps.iter().any(|lap| lap.counted.solution != first.solution);
                self.result.different_solutions += u64::from(differ);
                for (sum, lap) in std::iter::zip(&mut self.counts, laps) {
                    *sum += lap.counted.counts;
                }
                let rows = laps.iter().map(|lap| (lap.counted.status, lap.counted.counts, lap.ns));
                self.log(line, rows.map(|(status, counts, ns)| (status, counts, Some(ns))))
            }
            Raced::Dropped(counted) => {
                let last = counted.len() - 1;
                let status = counted[last].status;
                match status {
                    Status::Interrupted => self.result.interrupted += 1,
                    _ => self.result.drop_puzzles(self.arms[last].name(), status.name(), 1),
                }
                self.log(line, counted.iter().map(|c| (c.status, c.counts, None)))
            }
            Raced::Invalid => {
                self.result.invalid += 1;
                let each = self.arms.iter().map(|_| (Status::Invalid, Counts::default(), None));
                self.log(line, each)
            }
            Raced::Wrong(disagreement) => {
                self.result.wrong += 1;
                let wrong = || Wrong { line, reason: disagreement.to_string() };
                self.result.first_wrong.get_or_insert_with(wrong);
                Ok(())
            }
        }
    }

    /// Writes a puzzle's rows: one for each arm that ran.
    fn log(
        &mut self,
        line: u64,
        rows: impl Iterator<Item = (Status, Counts, Option<u64>)>,
    ) -> anyhow::Result<()> {
        let Some(puzzles) = &mut self.puzzles else { return Ok(()) };
        for (arm, (status, counts, ns)) in std::iter::zip(self.arms, rows) {
            let place = (self.result.name.as_str(), line);
            puzzles.write(place, (arm.name(), status.name()), &counts, ns)?;
        }
        Ok(())
    }
}
