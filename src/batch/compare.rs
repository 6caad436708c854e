//! All arms on every puzzle of a file.

use super::per_worker::PerWorker;
use super::{BLOCKS, BatchError, GROUP, Observer, fill, groups};
use crate::dataset::{Layout, Reader, RowBlock, RowError, sample};
use crate::measure::{Arm, Clock, Latency, Race, Raced};
use crate::pipeline;
use crate::report::{Figures, FileResult, PuzzlesWriter, VariantResult, Wrong};
use crate::solver::{Counts, Limits, Status};
use rayon::ThreadPool;
use std::io::Read;
use std::sync::Mutex;

/// How puzzles are to be compared.
pub struct Compare<'a, C> {
    /// The contenders.
    pub arms: &'a [Arm<C>],
    /// Index of the arm by whose time the others' are divided.
    pub baseline: usize,
    /// Caps of the counting pass. Its interrupt stops the reading too, and after a failed output
    /// it is set, so that searches end.
    pub limits: Limits<'a>,
    /// The clock of the timed pass.
    pub clock: &'a C,
    /// Rows to draw at random, if not all.
    pub sample: Option<u64>,
    /// Seed of the sample and of the order of arms.
    pub seed: u64,
    /// The solving threads.
    pub pool: &'a ThreadPool,
}

impl<C: Clock> Compare<'_, C> {
    /// Compares the arms on the rows of `reader`, which is the file of this `name`. Each puzzle
    /// and arm gives a row of `puzzles`, if there is such a file.
    ///
    /// # Errors
    /// When reading, the per-puzzle file or the observer fails.
    pub fn run<R: Read + Send>(
        &self,
        name: &str,
        mut reader: Reader<R>,
        puzzles: Option<&mut PuzzlesWriter>,
        observer: &mut impl Observer,
    ) -> Result<FileResult, BatchError> {
        let layout = reader.layout().clone();
        let mut next_rows = |block: &mut RowBlock| {
            fill(&mut reader, block, || self.limits.is_interrupted()).map(|_| ())
        };
        let mut drawn = match self.sample {
            Some(size) => Some(sample(&mut next_rows, size, self.seed)?.into_iter()),
            None => None,
        };
        let mut next_index = 0;
        let fill = |block: &mut Block| {
            match &mut drawn {
                None => next_rows(&mut block.rows)?,
                Some(_) if self.limits.is_interrupted() => block.rows.clear(),
                Some(blocks) => block.rows = blocks.next().unwrap_or_default(),
            }
            let rows = block.rows.rows().len();
            block.first_index = next_index;
            next_index += rows as u64;
            block.groups.resize_with(groups(rows), Mutex::default);
            Ok(groups(rows))
        };
        let race = Race::new(self.arms, self.limits, self.clock, self.seed);
        let latencies: PerWorker<Vec<Latency>> = PerWorker::new(self.pool);
        let mut sums = Sums {
            arms: self.arms,
            counts: vec![Counts::default(); self.arms.len()],
            result: FileResult { name: name.into(), ..FileResult::default() },
            puzzles,
        };
        pipeline::run(
            self.pool,
            BLOCKS,
            fill,
            |block: &Block, group| block.race(group, &race, &layout, &latencies),
            |block| {
                let drained = sums.drain(block, observer);
                // Nobody will read what the workers still measure.
                drained.inspect_err(|_| self.limits.interrupt())
            },
        )?;
        let (counts, result) = (sums.counts, sums.result);
        Ok(FileResult { variants: self.variants(counts, latencies), ..result })
    }

    /// The results of the arms: what each worker timed is put together.
    fn variants(
        &self,
        counts: Vec<Counts>,
        latencies: PerWorker<Vec<Latency>>,
    ) -> Vec<VariantResult> {
        let mut merged = vec![Latency::default(); self.arms.len()];
        for worker in latencies.into_values() {
            std::iter::zip(&mut merged, &worker).for_each(|(all, one)| all.merge(one));
        }
        let baseline_ns = merged[self.baseline].total_ns();
        std::iter::zip(self.arms, std::iter::zip(counts, merged))
            .map(|(arm, (counts, latency))| VariantResult {
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
    /// Empty for a group that was interrupted.
    groups: Vec<Mutex<Vec<Result<Raced, RowError>>>>,
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
        let puzzles = rows.map(|row| self.rows.puzzle(layout, row));
        let mut raced: Vec<_> = (self.first_index + first as u64..)
            .zip(puzzles)
            .map(|(index, puzzle)| Ok(race.run(index, &puzzle?)))
            .collect();
        if raced.contains(&Ok(Raced::Interrupted)) {
            // What it got done would be its easy puzzles.
            raced.clear();
        }
        record(&raced, &mut latencies.mine());
        *self.groups[group].lock().expect(NO_PANIC) = raced;
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
struct Sums<'a, C> {
    arms: &'a [Arm<C>],
    counts: Vec<Counts>,
    result: FileResult,
    puzzles: Option<&'a mut PuzzlesWriter>,
}

impl<C: Clock> Sums<'_, C> {
    fn drain(&mut self, block: &mut Block, observer: &mut impl Observer) -> Result<(), BatchError> {
        for (rows, group) in block.rows.rows().chunks(GROUP).zip(&mut block.groups) {
            let raced = group.get_mut().expect(NO_PANIC);
            for (row, raced) in std::iter::zip(rows, &*raced) {
                self.result.rows += 1;
                match raced {
                    Ok(raced) => self.puzzle(row.line, raced)?,
                    Err(reason) => {
                        self.result.malformed += 1;
                        observer.malformed(row.line, reason).map_err(BatchError::Note)?;
                    }
                }
            }
            observer.rows(raced.len() as u64);
        }
        Ok(())
    }

    fn puzzle(&mut self, line: u64, raced: &Raced) -> Result<(), BatchError> {
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
                let rows = laps.iter();
                self.log(
                    line,
                    rows.map(|lap| (lap.counted.status, lap.counted.counts, Some(lap.ns))),
                )
            }
            Raced::Dropped(counted) => {
                let last = counted.len() - 1;
                let status = counted[last].status.name();
                self.result.drop_puzzles(self.arms[last].name(), status, 1);
                self.log(line, counted.iter().map(|arm| (arm.status, arm.counts, None)))
            }
            Raced::Invalid => {
                self.result.invalid += 1;
                let each = self.arms.iter().map(|_| (Status::Invalid, Counts::default(), None));
                self.log(line, each)
            }
            // Its group was cleared.
            Raced::Interrupted => Ok(()),
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
    ) -> Result<(), BatchError> {
        let Some(puzzles) = &mut self.puzzles else { return Ok(()) };
        for (arm, (status, counts, ns)) in std::iter::zip(self.arms, rows) {
            let place = (self.result.name.as_str(), line);
            puzzles.write(place, (arm.name(), status.name()), &counts, ns)?;
        }
        Ok(())
    }
}
