//! `solve`: one row of answers for each row of input.

use super::faults::Faults;
use super::river::{self, BLOCKS, GROUP, Halt, PerWorker, Rows};
use crate::cli::SolveArgs;
use crate::ending::{Ending, note};
use crate::progress::{Progress, Work};
use anyhow::{Context, bail};
use rayon::ThreadPool;
use std::fs::canonicalize;
use std::io::{BufWriter, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use sudoku_bench::dataset::{Answer, Column, Input, Layout, RowBlock, RowError, RowWriter};
use sudoku_bench::grid::Grid;
use sudoku_bench::measure::{Clock, Latency, WallClock};
use sudoku_bench::pipeline;
use sudoku_bench::report::{count, duration, rate};
use sudoku_bench::solver::{Limits, Outcome, Status, Variant, count_solutions};

/// A checked request.
struct Solve {
    column: Option<Column>,
    job: Job,
    pool: ThreadPool,
    quiet: bool,
}

/// How a puzzle is to be answered.
#[derive(Clone, Copy)]
struct Job {
    variant: Variant,
    limits: Limits<'static>,
    unique: bool,
}

pub(crate) fn run(args: SolveArgs) -> anyhow::Result<Ending> {
    let inputs = river::open(&args.files)?;
    for path in [&args.output, &args.errors].into_iter().flatten() {
        refuse_to_overwrite(path, &args.files)?;
    }
    let interrupt = super::interrupt();
    let limits =
        Limits { nodes: args.max_nodes.0, time: args.work.max_time, interrupt: Some(interrupt) };
    let solve = Solve {
        column: args.work.column,
        job: Job { variant: args.variant, limits, unique: args.unique },
        pool: river::pool(args.work.threads)?,
        quiet: args.work.quiet,
    };
    let mut out = BufWriter::with_capacity(1 << 18, super::output(args.output.as_deref())?);
    let mut faults = Faults::new(args.errors.as_deref())?;
    let result = solve.files(inputs, &mut out, &mut faults, interrupt);
    // Whatever went wrong, what is done is written.
    let flushed = out.flush().context("cannot write the answers");
    let malformed = faults.finish()?;
    let (interrupted, failure) = match result.and(flushed.map_err(Halt::from)) {
        Ok(()) => (interrupt.load(Ordering::Relaxed), None),
        Err(Halt::Interrupted) => (true, None),
        Err(Halt::Failed(error)) => (false, Some(error)),
    };
    Ok(Ending { interrupted, failure, malformed, wrong: false })
}

/// An output that is also an input would be emptied before it is read.
fn refuse_to_overwrite(output: &Path, inputs: &[String]) -> anyhow::Result<()> {
    let place = |path: PathBuf| canonicalize(path).ok();
    let target = place(output.into()).filter(|target| target.is_file());
    if target.is_some() && inputs.iter().any(|input| place(input.into()) == target) {
        bail!("`{}` is an input too; write the output to another file", output.display());
    }
    Ok(())
}

impl Solve {
    fn files(
        &self,
        inputs: Vec<Input>,
        out: &mut impl Write,
        faults: &mut Faults,
        interrupt: &'static AtomicBool,
    ) -> Result<(), Halt> {
        let start = Instant::now();
        let several = inputs.len() > 1;
        let latencies = PerWorker::new(&self.pool);
        let mut tally = Tally::default();
        let mut result = Ok(());
        for (number, input) in inputs.into_iter().enumerate() {
            let name = input.name().to_owned();
            let writer = RowWriter::new(several.then_some(&name), self.job.unique);
            if number == 0 {
                let mut header = Vec::new();
                writer.header(&mut header);
                out.write_all(&header).context("cannot write the answers")?;
            }
            let mut sink = Sink { name: &name, out, faults, tally: &mut tally, interrupt };
            result = self.file(input, &writer, &latencies, &mut sink);
            if result.is_err() || interrupt.load(Ordering::Relaxed) {
                break;
            }
        }
        let failed_at_once = result.is_err() && tally.rows == [0; Status::ALL.len()];
        if !self.quiet && !failed_at_once {
            let mut latency = Latency::default();
            latencies.into_values().for_each(|one: Latency| latency.merge(&one));
            let seconds = start.elapsed().as_secs_f64();
            self.summary(&tally, &latency, seconds, interrupt.load(Ordering::Relaxed));
        }
        result
    }

    /// Sends one file down the river.
    fn file(
        &self,
        input: Input,
        writer: &RowWriter,
        latencies: &PerWorker<Latency>,
        sink: &mut Sink<impl Write>,
    ) -> Result<(), Halt> {
        let work = Work::Bytes(input.bytes_read(), input.length());
        let mut rows = Rows::new(input, self.column.as_ref(), sink.interrupt)?;
        let layout = rows.layout();
        let progress = Progress::start(sink.name, work, self.quiet);
        pipeline::run(
            &self.pool,
            BLOCKS,
            |block: &mut Block| {
                rows.fill(&mut block.rows)?;
                let groups = block.rows.rows().len().div_ceil(GROUP);
                block.groups.resize_with(groups, Mutex::default);
                Ok(groups)
            },
            |block, group| block.solve(group, &self.job, &layout, writer, latencies),
            |block| {
                progress.add(block.rows.rows().len() as u64);
                sink.drain(block, &progress)
            },
        )
    }

    fn summary(&self, tally: &Tally, latency: &Latency, seconds: f64, interrupted: bool) {
        let by_status: Vec<String> = std::iter::zip(Status::ALL, tally.rows)
            .filter(|(status, rows)| *rows > 0 && *status != Status::Interrupted)
            .map(|(status, rows)| format!("{} {status}", count(rows)))
            .collect();
        let rows = tally.rows.iter().sum();
        let cut = if interrupted { "interrupted after " } else { "" };
        let list = if by_status.is_empty() { "none".into() } else { by_status.join(", ") };
        note(format_args!("{cut}{} rows in {}: {list}", count(rows), duration(seconds * 1e9)));
        if tally.solutions.iter().any(|&rows| rows > 0) {
            let [none, one, more] = tally.solutions.map(count);
            note(format_args!(
                "solutions: {none} have none, {one} exactly one, {more} two or more"
            ));
        }
        note(format_args!(
            "{} puzzles/s, {} nodes/s with {} on {} threads",
            rate(latency.count() as f64 / seconds),
            rate(tally.nodes as f64 / seconds),
            self.job.variant,
            self.pool.current_num_threads()
        ));
        let percentiles: Vec<String> = [50.0, 90.0, 99.0, 99.9]
            .into_iter()
            .filter_map(|p| Some(format!("p{p} {}", duration(latency.percentile_ns(p)? as f64))))
            .collect();
        if let (Some(max), Some(mean)) = (latency.max_ns(), latency.mean_ns()) {
            let percentiles = percentiles.join(", ");
            let (max, mean) = (duration(max as f64), duration(mean));
            note(format_args!("time per puzzle: {percentiles}, max {max}, mean {mean}"));
        }
    }
}

/// Rows on their way, with their answers.
#[derive(Default)]
struct Block {
    rows: RowBlock,
    groups: Vec<Mutex<Group>>,
}

/// The answers to a few consecutive rows, as text and as sums.
#[derive(Default)]
struct Group {
    text: Vec<u8>,
    tally: Tally,
    faults: Vec<(u64, RowError)>,
    /// Its last rows are missing, since the run was interrupted.
    interrupted: bool,
}

/// Sums over rows.
#[derive(Clone, Copy, Default)]
struct Tally {
    /// By status, in the order of [`Status::ALL`].
    rows: [u64; Status::ALL.len()],
    /// Puzzles with no, one, and two or more solutions, where that was asked.
    solutions: [u64; 3],
    nodes: u64,
}

impl Block {
    fn solve(
        &self,
        group: usize,
        job: &Job,
        layout: &Layout,
        writer: &RowWriter,
        latencies: &PerWorker<Latency>,
    ) {
        let rows = self.rows.rows()[group * GROUP..].iter().take(GROUP);
        let puzzles = rows.map(|row| (row.line, self.rows.puzzle(layout, row)));
        let mut group = self.groups[group].lock().expect("no panic is let out of a group");
        group.solve(puzzles, job, writer, latencies);
    }
}

impl Group {
    fn solve(
        &mut self,
        puzzles: impl Iterator<Item = (u64, Result<Grid, RowError>)>,
        job: &Job,
        writer: &RowWriter,
        latencies: &PerWorker<Latency>,
    ) {
        self.text.clear();
        self.faults.clear();
        self.tally = Tally::default();
        self.interrupted = false;
        let mut times = [0; GROUP];
        let mut timed = 0;
        for (line, puzzle) in puzzles {
            let puzzle = puzzle.map_err(|error| self.faults.push((line, error))).ok();
            let solved = puzzle.as_ref().map(|puzzle| Solved::new(puzzle, job));
            let status = solved.as_ref().map_or(Status::Malformed, |solved| solved.status);
            if status == Status::Interrupted {
                self.interrupted = true;
                break;
            }
            let solved = solved.unwrap_or_default();
            if let Some(ns) = solved.time_ns {
                times[timed] = ns;
                timed += 1;
            }
            self.tally.add(status, &solved);
            let answer = Answer {
                line,
                puzzle: puzzle.as_ref(),
                solution: solved.solution.as_ref(),
                status: status.name(),
                solutions: solved.solutions,
                nodes: solved.nodes,
                time_ns: solved.time_ns,
            };
            writer.row(&answer, &mut self.text);
        }
        let mut latency = latencies.mine();
        times[..timed].iter().for_each(|&ns| latency.record(ns));
    }
}

/// The answer to one puzzle, as far as there is one.
struct Solved {
    status: Status,
    solution: Option<Grid>,
    solutions: Option<u8>,
    nodes: Option<u64>,
    time_ns: Option<u64>,
}

impl Default for Solved {
    fn default() -> Self {
        Solved {
            status: Status::Malformed,
            solution: None,
            solutions: None,
            nodes: None,
            time_ns: None,
        }
    }
}

impl Solved {
    fn new(puzzle: &Grid, job: &Job) -> Self {
        let start = WallClock.now_ns();
        let outcome = catch_unwind(AssertUnwindSafe(|| job.variant.solve(puzzle, &job.limits)));
        let time_ns = WallClock.now_ns() - start;
        let Ok(Outcome { status, solution, nodes }) = outcome else {
            return Solved { status: Status::Panic, ..Solved::default() };
        };
        let solutions = match status {
            _ if !job.unique => None,
            Status::Invalid | Status::Unsolvable => Some(0),
            Status::Interrupted => None,
            _ => count_solutions(puzzle, &job.limits),
        };
        Solved {
            status,
            solution,
            solutions,
            nodes: Some(nodes),
            time_ns: (status != Status::Invalid).then_some(time_ns),
        }
    }
}

impl Tally {
    fn add(&mut self, status: Status, solved: &Solved) {
        self.rows[status as usize] += 1;
        self.nodes += solved.nodes.unwrap_or(0);
        if let Some(solutions) = solved.solutions {
            self.solutions[usize::from(solutions)] += 1;
        }
    }

    fn merge(&mut self, other: &Tally) {
        std::iter::zip(&mut self.rows, other.rows).for_each(|(mine, rows)| *mine += rows);
        std::iter::zip(&mut self.solutions, other.solutions).for_each(|(mine, rows)| *mine += rows);
        self.nodes += other.nodes;
    }
}

/// Where finished blocks of one file go.
struct Sink<'a, W> {
    name: &'a str,
    out: &'a mut W,
    faults: &'a mut Faults,
    tally: &'a mut Tally,
    interrupt: &'static AtomicBool,
}

impl<W: Write> Sink<'_, W> {
    fn drain(&mut self, block: &mut Block, progress: &Progress) -> Result<(), Halt> {
        for group in &mut block.groups {
            let group = group.get_mut().expect("no panic is let out of a group");
            if let Err(error) = self.out.write_all(&group.text) {
                // Nobody will read what the workers still find.
                self.interrupt.store(true, Ordering::Relaxed);
                return Err(Halt::Failed(
                    anyhow::Error::from(error).context("cannot write the answers"),
                ));
            }
            self.tally.merge(&group.tally);
            for (line, error) in &group.faults {
                self.faults.tell((self.name, *line), error, progress)?;
            }
            if group.interrupted {
                return Err(Halt::Interrupted);
            }
        }
        Ok(())
    }
}
