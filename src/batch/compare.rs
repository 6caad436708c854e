//! All arms on every puzzle of a file.

use super::per_worker::PerWorker;
use super::samples::Samples;
use super::source::Source;
use super::{BLOCKS, BatchError, GROUP, Observer, Terms, groups};
use crate::dataset::{Layout, Reader, RowBlock, RowError};
use crate::measure::{Arm, Clock, Heat, Lap, Latency, Race, Raced};
use crate::pipeline;
use crate::report::{Figures, FileResult, PuzzlesWriter, VariantResult, Wrong};
use crate::solver::{Counts, Status};
use rayon::ThreadPool;
use std::io::{Read, Seek};
use std::sync::Mutex;
use std::time::Instant;

/// How puzzles are to be compared.
pub struct Compare<'a, C> {
    /// Who races and how. Its interrupt stops the reading too, and after a failed output it is set,
    /// so that searches end.
    pub race: Race<'a, C>,
    /// How the times are judged.
    pub terms: &'a Terms,
    /// Rows to draw at random, if not all. The seed is that of the race.
    pub sample: Option<u64>,
    /// When no further group of puzzles is begun. With a deadline the blocks of rows come in random
    /// order.
    pub deadline: Option<Instant>,
    /// The solving threads.
    pub pool: &'a ThreadPool,
}

impl<C: Clock> Compare<'_, C> {
    /// Compares the arms on the rows of `reader`, which is the file of this `name`. Each puzzle
    /// and arm gives a row of `puzzles`, if there is such a file.
    ///
    /// # Errors
    /// When reading, the per-puzzle file or the observer fails.
    pub fn run<R: Read + Seek + Send>(
        &self,
        name: &str,
        reader: Reader<R>,
        puzzles: Option<&mut PuzzlesWriter>,
        observer: &mut impl Observer,
    ) -> Result<FileResult, BatchError> {
        let start = Instant::now();
        let limits = self.race.limits;
        let layout = reader.layout().clone();
        let interrupted = || limits.is_interrupted();
        let (shuffled, seed) = (self.deadline.is_some(), self.race.seed);
        let mut source = Source::new(reader, self.sample, shuffled, seed, interrupted)?;
        if let Some(rows) = source.rows() {
            observer.expect(rows);
        }
        let fill = |block: &mut Block| {
            // Whoever is late is not begun.
            block.first_index = source.fill(&mut block.rows, || interrupted() || self.is_late())?;
            let groups = groups(block.rows.rows().len());
            block.groups.clear();
            block.groups.resize_with(groups, Mutex::default);
            Ok(groups)
        };
        let latencies: PerWorker<Vec<Latency>> = PerWorker::new(self.pool);
        let mut sums = Sums {
            arms: self.race.lineup.arms(),
            baseline: self.race.lineup.baseline(),
            counts: vec![Counts::default(); self.race.lineup.contenders().len()],
            samples: Samples::new(self.race.lineup.arms().len()),
            result: FileResult { name: name.into(), ..FileResult::default() },
            puzzles,
        };
        pipeline::run(
            self.pool,
            BLOCKS,
            fill,
            pipeline::each(|block: &Block, group| {
                if !self.is_late() {
                    block.race(group, &self.race, &layout, &latencies);
                }
            }),
            |block| {
                let drained = sums.drain(block, observer);
                // Nobody will read what the workers still measure.
                drained.inspect_err(|_| limits.interrupt())
            },
        )?;
        let (counts, samples, mut result) = (sums.counts, sums.samples, sums.result);
        result.input_rows = source.input_rows();
        result.finished = source.rows() == Some(result.population.rows);
        result.variants = self.variants(&counts, latencies);
        self.terms.judge(self.race.lineup, samples, &mut result);
        result.effort.wall_ns = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        Ok(result)
    }

    /// Whether the deadline has passed.
    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| deadline <= Instant::now())
    }

    /// The results of the contenders: what each worker timed is put together.
    fn variants(
        &self,
        counts: &[Counts],
        latencies: PerWorker<Vec<Latency>>,
    ) -> Vec<VariantResult> {
        let lineup = self.race.lineup;
        let mut merged = vec![Latency::default(); lineup.contenders().len()];
        for worker in latencies.into_values() {
            std::iter::zip(&mut merged, &worker).for_each(|(all, one)| all.merge(one));
        }
        let baseline_ns = merged[lineup.baseline()].total_ns();
        std::iter::zip(lineup.contenders(), std::iter::zip(counts, merged))
            .map(|(arm, (&counts, latency))| VariantResult {
                name: arm.name().into(),
                figures: Figures::new(&counts, &latency, baseline_ns),
                counts,
                latency,
            })
            .collect()
    }
}

/// Rows on their way, with what became of each.
#[derive(Default)]
struct Block {
    rows: RowBlock,
    /// Place of the first row in the input, from 0.
    first_index: u64,
    groups: Vec<Mutex<Option<Group>>>,
}

/// What became of the rows of a group. There is none where the group was not begun or was
/// interrupted: what it got done would be its easy puzzles.
struct Group {
    /// The heat has a result for each row that is a grid.
    grids: Vec<Result<(), RowError>>,
    heat: Heat,
}

const NO_PANIC: &str = "a panic of an arm is caught in the race";

impl Block {
    fn race<C: Clock>(
        &self,
        group: usize,
        race: &Race<C>,
        layout: &Layout,
        latencies: &PerWorker<Vec<Latency>>,
    ) {
        let first = group * GROUP;
        let rows = self.rows.rows()[first..].iter().take(GROUP);
        let (mut puzzles, mut grids) = (Vec::with_capacity(GROUP), Vec::with_capacity(GROUP));
        for (index, row) in (self.first_index + first as u64..).zip(rows) {
            let puzzle = self.rows.puzzle(layout, row);
            grids.push(puzzle.map(|puzzle| puzzles.push((index, puzzle))));
        }
        if let Some(heat) = race.run(&puzzles) {
            record(&heat, race.lineup.contenders().len(), &mut latencies.mine());
            *self.groups[group].lock().expect(NO_PANIC) = Some(Group { grids, heat });
        }
    }
}

/// Adds the times of a group to those of its worker, contender by contender.
fn record(heat: &Heat, contenders: usize, latencies: &mut Vec<Latency>) {
    latencies.resize(contenders, Latency::default());
    for raced in &heat.raced {
        if let Raced::Measured { laps, .. } = raced {
            std::iter::zip(&mut *latencies, laps).for_each(|(all, lap)| all.record(lap.min_ns));
        }
    }
}

/// Adds up the blocks of one file, in input order.
struct Sums<'a, C> {
    arms: &'a [Arm<C>],
    baseline: usize,
    /// By contender.
    counts: Vec<Counts>,
    samples: Samples,
    result: FileResult,
    puzzles: Option<&'a mut PuzzlesWriter>,
}

impl<C: Clock> Sums<'_, C> {
    fn drain(&mut self, block: &mut Block, observer: &mut impl Observer) -> Result<(), BatchError> {
        for (rows, group) in block.rows.rows().chunks(GROUP).zip(&mut block.groups) {
            let Some(Group { grids, heat }) = group.get_mut().expect(NO_PANIC).take() else {
                continue;
            };
            let mut raced = heat.raced.iter();
            for (row, grid) in std::iter::zip(rows, &grids) {
                self.result.population.rows += 1;
                match grid {
                    Ok(()) => self.puzzle(row.line, raced.next().expect("a result for each"))?,
                    Err(reason) => {
                        self.result.population.malformed += 1;
                        observer.malformed(row.line, reason).map_err(BatchError::Note)?;
                        if observer.is_strict() {
                            return Err(BatchError::Malformed { line: row.line });
                        }
                    }
                }
            }
            self.result.effort.counting_ns += heat.counting_ns;
            self.result.effort.timed_ns += heat.timed_ns;
            self.samples.add(&heat, self.baseline);
            observer.rows(grids.len() as u64);
        }
        Ok(())
    }

    fn puzzle(&mut self, line: u64, raced: &Raced) -> Result<(), BatchError> {
        match raced {
            Raced::Measured { solved, solutions_differ, repeated, laps } => {
                self.result.population.compared += 1;
                self.result.population.unsolvable += u64::from(!solved);
                self.result.population.different_solutions += u64::from(*solutions_differ);
                self.result.repeated += u64::from(*repeated);
                for (sum, lap) in std::iter::zip(&mut self.counts, laps) {
                    *sum += lap.counts;
                }
                let status = if *solved { Status::Solved } else { Status::Unsolvable };
                let times = |lap: &Lap| Some((lap.min_ns, lap.median_ns));
                self.log(line, laps.iter().map(|lap| (status, lap.counts, times(lap))))
            }
            Raced::Dropped(counted) => {
                let last = counted.len() - 1;
                let status = counted[last].0.name();
                self.result.population.drop_puzzles(self.arms[last].name(), status, 1);
                self.log(line, counted.iter().map(|&(status, counts)| (status, counts, None)))
            }
            Raced::Invalid => {
                self.result.population.invalid += 1;
                let each = self.arms.iter().map(|_| (Status::Invalid, Counts::default(), None));
                self.log(line, each)
            }
            Raced::Wrong(disagreement) => {
                self.result.population.wrong += 1;
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
        rows: impl Iterator<Item = (Status, Counts, Option<(u64, u64)>)>,
    ) -> Result<(), BatchError> {
        let Some(puzzles) = &mut self.puzzles else { return Ok(()) };
        for (arm, (status, counts, times)) in std::iter::zip(self.arms, rows) {
            let place = (self.result.name.as_str(), line);
            puzzles.write(place, (arm.name(), status.name()), &counts, times)?;
        }
        Ok(())
    }
}
