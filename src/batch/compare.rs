//! All arms on every puzzle of a file.

use super::blocks::{BlockHeat, Blocks, Entered};
use super::forms::Forms;
use super::group::{Entry, Group, first_wrong, is_solvable};
use super::per_worker::PerWorker;
use super::samples::Samples;
use super::source::Source;
use super::{BLOCKS, BatchError, Draw, GROUP, Observer, Terms, groups};
use crate::arch::Isa;
use crate::dataset::{BLOCK_ROWS, Layout, Reader, RowBlock};
use crate::measure::{Arm, Clock, Known, Lap, Latency, NodeRange, Race, Raced, Work};
use crate::pipeline;
use crate::report::{self, Figures, FileResult, PuzzlesWriter, VariantResult, WorkBin, Wrong};
use crate::solver::{Counts, Engine, Status};
use rayon::ThreadPool;
use std::io::{Read, Seek};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
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
    /// How many equivalent forms of each puzzle race beside the puzzle as it stands. They are drawn
    /// from the seed of the race.
    pub isomorphs: u32,
    /// Whether `lanes` is compared, too, block by block, and with which instruction set, which this
    /// machine has.
    pub lanes: Option<Isa>,
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
        self.run_and_draw(name, reader, puzzles, None, observer)
    }

    /// The same, and draws some of the compared puzzles.
    ///
    /// # Errors
    /// Those of [`run`](Compare::run).
    pub fn run_and_draw<R: Read + Seek + Send>(
        &self,
        name: &str,
        reader: Reader<R>,
        puzzles: Option<&mut PuzzlesWriter>,
        draw: Option<&mut Draw>,
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
            *block.missing.get_mut() = groups;
            Ok(groups)
        };
        let times: PerWorker<Vec<Times>> = PerWorker::new(self.pool);
        let mut result = FileResult { name: name.into(), ..FileResult::default() };
        result.population.forms = (self.isomorphs > 0).then(report::Forms::default);
        let mut sums = Sums {
            arms: self.race.lineup.arms(),
            baseline: self.race.lineup.baseline(),
            counts: vec![Counts::default(); self.race.lineup.contenders().len()],
            samples: Samples::new(self.race.lineup, self.isomorphs),
            blocks: self.lanes.map(Blocks::new),
            result,
            puzzles,
            layout: &layout,
            draw,
        };
        pipeline::run(
            self.pool,
            self.blocks(),
            fill,
            pipeline::each(|block: &Block, group| {
                if !self.is_late() {
                    block.race(group, self, &layout, &times);
                }
                // Whoever ends the last group has the measured puzzles of the block solved together.
                if block.missing.fetch_sub(1, Ordering::AcqRel) == 1
                    && let Some(isa) = self.lanes
                {
                    block.race_lanes(isa, self, &layout);
                }
            }),
            |block| {
                let drained = sums.drain(block, observer);
                // Nobody will read what the workers still measure.
                drained.inspect_err(|_| limits.interrupt())
            },
        )?;
        let Sums { counts, mut samples, blocks, mut result, .. } = sums;
        result.input_rows = source.input_rows();
        result.finished = source.rows() == Some(result.population.rows);
        result.variants = self.variants(&counts, times, &mut samples);
        self.terms.judge(self.race.lineup, samples, blocks, &mut result);
        result.effort.wall_ns = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        Ok(result)
    }

    /// Blocks between reader and sink: fewer with more forms, as their results wait in them, but
    /// enough to keep every worker busy while one block is read and another one written.
    fn blocks(&self) -> usize {
        let busy = self.pool.current_num_threads().div_ceil(BLOCK_ROWS / GROUP);
        (BLOCKS / (1 + self.isomorphs as usize)).max(busy + 2)
    }

    /// Whether the deadline has passed.
    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| deadline <= Instant::now())
    }

    /// The results of the contenders: what each worker timed is put together.
    fn variants(
        &self,
        counts: &[Counts],
        times: PerWorker<Vec<Times>>,
        samples: &mut Samples,
    ) -> Vec<VariantResult> {
        let lineup = self.race.lineup;
        let mut merged = vec![Times::default(); lineup.contenders().len()];
        for worker in times.into_values() {
            std::iter::zip(&mut merged, &worker).for_each(|(all, one)| all.merge(one));
        }
        let baseline_ns = merged[lineup.baseline()].latency.total_ns();
        std::iter::zip(counts, merged)
            .enumerate()
            .map(|(arm, (&counts, Times { latency, work }))| VariantResult {
                name: lineup.arms()[arm].name().into(),
                figures: Figures::new(&counts, &latency, baseline_ns),
                counts,
                latency,
                spread: samples.take_spread(arm),
                work: work.ranges().map(work_bin).collect(),
            })
            .collect()
    }
}

/// The times of a contender, each measured form of a puzzle by itself.
#[derive(Clone, Default)]
struct Times {
    latency: Latency,
    work: Work,
}

impl Times {
    fn record(&mut self, lap: &Lap) {
        self.latency.record(lap.min_ns);
        self.work.record(lap);
    }

    fn merge(&mut self, other: &Times) {
        self.latency.merge(&other.latency);
        self.work.merge(&other.work);
    }
}

pub(super) fn work_bin(range: NodeRange) -> WorkBin {
    WorkBin {
        nodes_from: *range.nodes.start(),
        nodes_to: *range.nodes.end(),
        searches: range.searches(),
        p10_ns: range.percentile_ns(10.0),
        p50_ns: range.percentile_ns(50.0),
        p90_ns: range.percentile_ns(90.0),
    }
}

/// Rows on their way, with what became of each.
#[derive(Default)]
struct Block {
    rows: RowBlock,
    /// Place of the first row in the input, from 0.
    first_index: u64,
    /// There is none where the group was not begun or was interrupted.
    groups: Vec<Mutex<Option<Group>>>,
    /// Groups that are not done.
    missing: AtomicUsize,
    /// What `lanes` made of the block, if it was to.
    lanes: Mutex<Option<BlockHeat>>,
}

const NO_PANIC: &str = "a panic of an arm is caught in the race";

impl Block {
    fn race<C: Clock>(
        &self,
        group: usize,
        compare: &Compare<C>,
        layout: &Layout,
        times: &PerWorker<Vec<Times>>,
    ) {
        let first = group * GROUP;
        let rows = self.rows.rows()[first..].iter().take(GROUP);
        let rows = (self.first_index + first as u64..)
            .zip(rows)
            .map(|(place, row)| (place, row.line, self.rows.puzzle(layout, row)));
        let Some(raced) = Group::race(rows, &compare.race, compare.isomorphs) else { return };
        let contenders = compare.race.lineup.contenders().len();
        record(&raced, contenders, &mut times.mine());
        *self.groups[group].lock().expect(NO_PANIC) = Some(raced);
    }

    /// Runs `lanes` on what was measured. All groups are done.
    fn race_lanes<C: Clock>(&self, isa: Isa, compare: &Compare<C>, layout: &Layout) {
        let mut groups: Vec<_> =
            self.groups.iter().map(|group| group.lock().expect(NO_PANIC)).collect();
        let mut entered = Vec::new();
        for (first, group) in (0..).step_by(GROUP).zip(&mut groups) {
            let Some(group) = group.as_mut() else { continue };
            for (row, forms) in (first..).zip(&mut group.puzzles) {
                let place = &self.rows.rows()[row];
                let (Ok(puzzle), Ok(forms)) = (self.rows.puzzle(layout, place), forms) else {
                    continue;
                };
                if first_wrong(forms).is_some() {
                    continue;
                }
                let seed = compare.race.seed;
                let puzzles = Forms::new(puzzle, place.line, compare.isomorphs, seed);
                for (puzzle, entry) in std::iter::zip(puzzles, forms) {
                    if let Raced::Measured { solved, .. } = entry.raced {
                        let known = Known { puzzle, is_solvable: solved };
                        entered.push(Entered { row, known, entry });
                    }
                }
            }
        }
        let heat = BlockHeat::race(&compare.race, isa, entered);
        *self.lanes.lock().expect(NO_PANIC) = heat;
    }
}

/// Adds the times of a group to those of its worker, contender by contender.
fn record(group: &Group, contenders: usize, times: &mut Vec<Times>) {
    times.resize_with(contenders, Times::default);
    for laps in group.measured().flatten() {
        std::iter::zip(&mut *times, laps).for_each(|(all, lap)| all.record(lap));
    }
}

/// Adds up the blocks of one file, in input order.
struct Sums<'a, C> {
    arms: &'a [Arm<C>],
    baseline: usize,
    /// By contender.
    counts: Vec<Counts>,
    samples: Samples,
    /// If `lanes` is compared.
    blocks: Option<Blocks>,
    result: FileResult,
    puzzles: Option<&'a mut PuzzlesWriter>,
    layout: &'a Layout,
    draw: Option<&'a mut Draw>,
}

impl<C: Clock> Sums<'_, C> {
    fn drain(&mut self, block: &mut Block, observer: &mut impl Observer) -> Result<(), BatchError> {
        for (rows, group) in block.rows.rows().chunks(GROUP).zip(&mut block.groups) {
            let Some(group) = group.get_mut().expect(NO_PANIC).take() else { continue };
            for (row, puzzle) in std::iter::zip(rows, &group.puzzles) {
                self.result.population.rows += 1;
                match puzzle {
                    Ok(forms) => {
                        self.puzzle(row.line, forms)?;
                        if let Some(draw) = &mut self.draw
                            && let Some(is_solvable) = is_solvable(forms)
                            && let Ok(puzzle) = block.rows.puzzle(self.layout, row)
                        {
                            draw.add(row.line, Known { puzzle, is_solvable });
                        }
                    }
                    Err(reason) => {
                        self.result.population.malformed += 1;
                        self.log_left_out(row.line, Status::Malformed.name())?;
                        observer.malformed(row.line, reason).map_err(BatchError::Note)?;
                        if observer.is_strict() {
                            return Err(BatchError::Malformed { line: row.line });
                        }
                    }
                }
            }
            self.result.effort.counting_ns += group.counting_ns;
            self.result.effort.timed_ns += group.timed_ns;
            self.samples.add(&group, self.baseline);
            observer.rows(group.puzzles.len() as u64);
        }
        let heat = block.lanes.get_mut().expect(NO_PANIC).take();
        if let (Some(blocks), Some(heat)) = (&mut self.blocks, heat) {
            self.result.effort.counting_ns += heat.counting_ns;
            self.result.effort.timed_ns += heat.timed_ns;
            blocks.add(heat);
        }
        Ok(())
    }

    /// Adds what became of a puzzle in each of its forms.
    fn puzzle(&mut self, line: u64, forms: &[Entry]) -> Result<(), BatchError> {
        if let Some((form, disagreement)) = first_wrong(forms) {
            self.result.population.wrong += 1;
            let reason = match form {
                0 => disagreement.to_string(),
                form => format!("in form {form} of the puzzle, {disagreement}"),
            };
            self.result.first_wrong.get_or_insert(Wrong { line, reason });
            return self.log_left_out(line, "wrong");
        }
        self.populate(forms);
        for (form, entry) in (0..).zip(forms) {
            match &entry.raced {
                Raced::Measured { solved, laps, .. } => {
                    for (sum, lap) in std::iter::zip(&mut self.counts, laps) {
                        *sum += lap.counts;
                    }
                    let status = if *solved { Status::Solved } else { Status::Unsolvable };
                    let times = |lap: &Lap| Some((lap.min_ns, lap.median_ns));
                    let each = laps.iter().map(|lap| (status, lap.counts, times(lap)));
                    self.log((line, form), each)?;
                    self.log_lanes((line, form), entry.lanes)?;
                }
                Raced::Dropped(counted) => {
                    let each = counted.iter().map(|&(status, counts)| (status, counts, None));
                    self.log((line, form), each)?;
                }
                Raced::Invalid => {
                    let each = self.arms.iter().map(|_| (Status::Invalid, Counts::default(), None));
                    self.log((line, form), each)?;
                }
                Raced::Wrong(_) => unreachable!("none of its forms is wrong"),
            }
        }
        Ok(())
    }

    /// Counts a puzzle on which nobody is wrong: as compared if any of its forms was, else as what
    /// it is as it stands.
    fn populate(&mut self, forms: &[Entry]) {
        let FileResult { population, repeated: repeated_puzzles, .. } = &mut self.result;
        let (mut unsolvable, mut differ, mut repeats) = (None, false, false);
        for form in forms {
            match &form.raced {
                Raced::Measured { solved, solutions_differ, repeated, .. } => {
                    unsolvable = Some(!solved);
                    differ |= solutions_differ;
                    repeats |= repeated;
                    population.forms.iter_mut().for_each(|forms| forms.measured += 1);
                }
                Raced::Dropped(counted) => {
                    let (variant, status) = stopped(self.arms, counted);
                    let forms = population.forms.iter_mut();
                    forms.for_each(|forms| forms.drop_puzzles(variant, status, 1));
                }
                Raced::Invalid | Raced::Wrong(_) => {}
            }
        }
        match (unsolvable, &forms[0].raced) {
            (Some(unsolvable), _) => {
                population.compared += 1;
                population.unsolvable += u64::from(unsolvable);
                population.different_solutions += u64::from(differ);
                *repeated_puzzles += u64::from(repeats);
            }
            (None, Raced::Dropped(counted)) => {
                let (variant, status) = stopped(self.arms, counted);
                population.drop_puzzles(variant, status, 1);
            }
            (None, _) => population.invalid += 1,
        }
    }

    /// Writes the rows of a form of the puzzle at a line: one for each arm that ran.
    fn log(
        &mut self,
        (line, form): (u64, u32),
        rows: impl Iterator<Item = (Status, Counts, Option<(u64, u64)>)>,
    ) -> Result<(), BatchError> {
        let Some(puzzles) = &mut self.puzzles else { return Ok(()) };
        for (arm, (status, counts, times)) in std::iter::zip(self.arms, rows) {
            let place = (self.result.name.as_str(), line, form);
            puzzles.write(place, (arm.name(), status.name()), &counts, times)?;
        }
        Ok(())
    }

    /// Writes that of the row at a line there is nothing else to write.
    fn log_left_out(&mut self, line: u64, status: &str) -> Result<(), BatchError> {
        let Some(puzzles) = &mut self.puzzles else { return Ok(()) };
        puzzles.write_left_out((&self.result.name, line), status)?;
        Ok(())
    }

    /// Writes the row of `lanes`, if it ran.
    fn log_lanes(
        &mut self,
        (line, form): (u64, u32),
        lanes: Option<(Status, u64)>,
    ) -> Result<(), BatchError> {
        let (Some(puzzles), Some((status, guesses))) = (&mut self.puzzles, lanes) else {
            return Ok(());
        };
        let place = (self.result.name.as_str(), line, form);
        puzzles.write_untimed(place, (Engine::Lanes.name(), status.name()), guesses)?;
        Ok(())
    }
}

/// The name of the arm that a limit stopped, and the limit's.
fn stopped<C: Clock>(
    arms: &[Arm<C>],
    counted: &[(Status, Counts)],
) -> (&'static str, &'static str) {
    let last = counted.len() - 1;
    (arms[last].name(), counted[last].0.name())
}
