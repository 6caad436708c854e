//! `solve`: one row of answers for each row of input.

mod form;
mod output;

use self::form::Form;
use self::output::Output;
use super::faults::Faults;
use super::inputs::Inputs;
use super::outlet::Target;
use super::sums::{by_solutions, by_status, times};
use crate::cli::{OutputFormat, SolveArgs};
use crate::ending::{Ending, Usage, is_closed_pipe, note};
use crate::environment;
use anyhow::{Context, bail};
use humantime::format_duration;
use rayon::ThreadPool;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use sudoku_bench::arch::Isa;
use sudoku_bench::batch::{
    BatchError, By, PartialSummary, Question, Shards, Solve, Solved, Summary,
};
use sudoku_bench::dataset::{Column, Format, Hints, Shard};
use sudoku_bench::grid::Grid;
use sudoku_bench::output::{CHECKPOINT_VERSION, Checkpoint, InputState};
use sudoku_bench::report::{duration, plural, rate};
use sudoku_bench::solver::lanes::{Answer, Goal};
use sudoku_bench::solver::{Engine, Limits, Status, Variant};

/// A checked request.
struct Request {
    engine: Engine,
    isa: Isa,
    limits: Limits<'static>,
    interrupt: &'static AtomicBool,
    form: Form,
    shard: Option<Shard>,
    /// Whether it ends with a record of what it adds up to.
    partial: bool,
    inputs: Inputs,
    pool: ThreadPool,
    quiet: bool,
}

pub(crate) fn run(args: SolveArgs) -> anyhow::Result<Ending> {
    let form = Form::new(&args)?;
    if engine(&args) == Engine::Lanes && args.work.max_time.is_some() {
        bail!(Usage::new(
            "lanes takes many puzzles at once and times none alone; --max-nodes limits its searches"
        ));
    }
    let isa = args.engine.isa_if(engine(&args) == Engine::Lanes)?.unwrap_or_else(Isa::detect);
    let interrupt = super::interrupt();
    let inputs = Inputs::new(&args.work, interrupt).only(args.shard, form.is_numbered());
    for (name, layout) in inputs.check(&args.files)? {
        form.writer(&name, &layout)?;
    }
    let target = Target::new(args.output.as_deref(), "answers")?;
    let contents = "the answers and the errors";
    super::refuse_overlaps(target.files(), args.errors.as_deref(), &args.files, contents)?;
    // A run that was continued would not know all its times.
    let is_resumable = target.names().is_some() && !args.partial;
    let fresh = if is_resumable { checkpoint(&args) } else { None };
    let checkpoint = match (target.names(), fresh) {
        (Some(names), Some(fresh)) if args.resume => {
            let unfinished = names.unfinished()?;
            unfinished.allows(&fresh)?;
            Some(unfinished)
        }
        _ if args.resume => bail!(Usage::new(
            "--resume takes an output file, -o, and input files; a pipe cannot be read again"
        )),
        (_, fresh) => fresh,
    };
    let before = checkpoint.as_ref().map_or(Summary::default(), sums);
    let kept = checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.errors_bytes);
    let request = Request {
        engine: engine(&args),
        isa,
        limits: Limits {
            nodes: args.max_nodes.0,
            time: args.work.max_time,
            interrupt: Some(interrupt),
        },
        interrupt,
        form,
        shard: args.shard,
        partial: args.partial,
        inputs,
        pool: super::pool(args.work.threads, args.work.quiet)?,
        quiet: args.work.quiet,
    };
    let mut output = Output::open(target, checkpoint, args.resume)?;
    let mut faults = Faults::new(args.errors.as_deref(), kept, args.work.strict)?;
    let start = Instant::now();
    let mut total = before.clone();
    let mut shards = BTreeMap::new();
    let mut solved = request.files(&args.files, &mut output, &mut faults, &mut total, &mut shards);
    let has_panicked = total.rows[Status::Panic as usize] > 0;
    // Who runs a task again must not find what it failed with.
    if request.partial && solved.is_ok() && !total.interrupted && !has_panicked {
        solved = output.record(&request.record(&total, shards).line());
    }
    let seconds = start.elapsed().as_secs_f64();
    let complete = solved.is_ok() && !total.interrupted;
    let cause = solved.as_ref().err().and_then(|error| error.downcast_ref::<BatchError>());
    let changed = matches!(cause, Some(BatchError::Changed(_)));
    let way_on = match cause {
        // Data that is damaged is no better the next time.
        Some(BatchError::Read(error)) if error.kind() == ErrorKind::InvalidData => None,
        Some(BatchError::Malformed { .. }) => Some("--resume in place of --strict"),
        _ => Some("--resume"),
    };
    let hint = output.hint(way_on);
    // Whatever went wrong, what is done is written.
    let written = output.finish(complete);
    let hint = hint.filter(|_| (!complete || written.is_err()) && !changed);
    let (_, noted) = faults.finish();
    let mut failure = solved.and(written).and(noted).err();
    let strict = super::is_strict_stop(failure.as_ref());
    let told = match &failure {
        None => true,
        Some(error) => total.rows != [0; Status::ALL.len()] && !is_closed_pipe(error),
    };
    if told && !changed && !request.quiet {
        request.summarise(&total, &before, seconds);
    }
    if strict {
        note("stopped at the first malformed row, as --strict asks");
        failure = None;
    }
    if let Some(hint) = hint {
        note(hint);
    }
    failure = failure.or(super::panicked(total.rows[Status::Panic as usize]));
    let malformed = strict || total.rows[Status::Malformed as usize] > 0;
    let interrupted = total.interrupted || failure.is_some() && super::was_interrupted();
    Ok(Ending { interrupted, failure, malformed, ..Ending::default() })
}

/// The engine that solves. A time limit takes one that solves one puzzle after the other.
fn engine(args: &SolveArgs) -> Engine {
    let default = match args.work.max_time {
        None => Engine::Lanes,
        Some(_) => Engine::Variant(Variant::Mrv),
    };
    args.variant.unwrap_or(default)
}

/// What a run begins with, if it can be continued: all inputs are files.
fn checkpoint(args: &SolveArgs) -> Option<Checkpoint> {
    let input = |path: &PathBuf| {
        let metadata = std::fs::metadata(path).ok()?;
        let is_file = path != Path::new("-") && metadata.is_file();
        is_file.then(|| InputState::new(&path.to_string_lossy(), &metadata))
    };
    let column = |column: &Option<Column>| match column {
        None => "not given".into(),
        Some(Column::Name(name)) => format!("`{name}`"),
        Some(Column::Number(number)) => number.to_string(),
    };
    let none = || "none".to_owned();
    let switch = |is_on| if is_on { "on" } else { "off" }.to_owned();
    let output_format = match args.output_format {
        OutputFormat::Csv => "csv",
        OutputFormat::Lines => "lines",
    };
    let Hints { format, puzzle, solution } = args.work.hints();
    let options = [
        ("--column", column(&puzzle)),
        ("--errors", args.errors.as_ref().map_or_else(none, |path| path.display().to_string())),
        ("--format", format.map_or("not given", Format::name).into()),
        ("--keep-columns", switch(args.keep_columns)),
        ("--max-nodes", args.max_nodes.0.map_or_else(none, |nodes| nodes.to_string())),
        (
            "--max-time",
            args.work.max_time.map_or_else(none, |time| format_duration(time).to_string()),
        ),
        ("--output-format", output_format.into()),
        ("--rate", switch(args.rate)),
        ("--shard", args.shard.map_or_else(none, |shard| shard.to_string())),
        ("--solution-column", column(&solution)),
        ("--unique", switch(args.unique)),
        ("--variant", engine(args).name().into()),
    ];
    Some(Checkpoint {
        schema_version: CHECKPOINT_VERSION,
        version: env!("CARGO_PKG_VERSION").into(),
        options: options.map(|(option, value)| (option.to_owned(), value)).into(),
        inputs: args.files.iter().map(input).collect::<Option<_>>()?,
        output_bytes: 0,
        errors_bytes: 0,
        rows: BTreeMap::new(),
        solutions: [0; 3],
        nodes: 0,
    })
}

/// The sums of what an earlier run has done; it tells no times.
fn sums(checkpoint: &Checkpoint) -> Summary {
    let rows = |status: Status| checkpoint.rows.get(status.name()).copied().unwrap_or(0);
    Summary {
        rows: Status::ALL.map(rows),
        solutions: checkpoint.solutions,
        nodes: checkpoint.nodes,
        ..Summary::default()
    }
}

impl Request {
    fn files(
        &self,
        paths: &[PathBuf],
        output: &mut Output,
        faults: &mut Faults,
        total: &mut Summary,
        shards: &mut BTreeMap<String, Shards>,
    ) -> anyhow::Result<()> {
        for (number, path) in paths.iter().enumerate() {
            let input = self.inputs.open(path)?;
            let name = input.name().to_owned();
            if let Some((shard, length)) = self.shard.zip(input.length()) {
                shards.insert(name.clone(), Shards::one(shard, length));
            }
            let Some((reader, mut watch)) = self.inputs.begin(input, None, faults)? else {
                total.interrupted = true;
                break;
            };
            let writer = self.form.writer(&name, reader.layout())?;
            // The outputs of shards are put together.
            if number == 0 && self.shard.is_none_or(|shard| shard.index() == 1) {
                let mut header = Vec::new();
                writer.header(&mut header);
                output.header(&header)?;
            }
            let solve = Solve {
                by: self.by(),
                pool: &self.pool,
                writer: &writer,
                sums_rows: self.partial,
                interrupt: self.interrupt,
            };
            output.begin_input(number, total);
            let (summary, result) = solve.run(reader, output, &mut watch);
            watch.warn();
            watch.sum_up();
            total.merge(&summary);
            result.with_context(|| format!("`{name}` was not solved to its end"))?;
            if total.interrupted {
                break;
            }
            output.end_input();
        }
        Ok(())
    }

    /// How puzzles get their answers.
    fn by(&self) -> By<impl Fn(&Grid) -> Solved + Sync, impl Fn(&Grid, &Answer) -> Solved + Sync> {
        let unique = self.form.unique;
        let rated = move |solved: Solved, puzzle: &_| match self.form.rate {
            true => solved.rated(self.engine, puzzle, &self.limits),
            false => solved,
        };
        let by_lanes = move |puzzle: &_, found: &_| rated(Solved::by_lanes(found, unique), puzzle);
        let goal = if unique { Goal::CountToTwo } else { Goal::First };
        let question = Question { isa: self.isa, goal, max_nodes: self.limits.nodes };
        let variant = match self.engine {
            Engine::Lanes => return By::Lanes(question, by_lanes),
            Engine::Variant(variant) => variant,
        };
        By::Each(move |puzzle: &_| rated(Solved::by(variant, puzzle, &self.limits, unique), puzzle))
    }

    /// The engine, and of the lanes also the instruction set.
    fn engine_name(&self) -> String {
        match self.engine {
            Engine::Lanes => format!("{} ({})", self.engine, self.isa),
            Engine::Variant(variant) => variant.to_string(),
        }
    }

    /// What is told of the total for `merge`.
    fn record(&self, total: &Summary, shards: BTreeMap<String, Shards>) -> PartialSummary {
        PartialSummary {
            version: env!("CARGO_PKG_VERSION").into(),
            engine: self.engine.name().into(),
            max_nodes: self.limits.nodes,
            max_time_ns: self.limits.time.map(super::nanoseconds),
            rows: total.rows,
            sum: total.sum,
            solutions: self.form.unique.then_some(total.solutions),
            nodes: total.nodes,
            latency: total.latency.clone(),
            processors: [environment::cpu()].into(),
            shards,
        }
    }

    /// `before` is what of the total an earlier run has done.
    fn summarise(&self, total: &Summary, before: &Summary, seconds: f64) {
        let rows: u64 = total.rows.iter().sum();
        let list = by_status(total.rows);
        let cut = if total.interrupted { "interrupted after " } else { "" };
        note(format_args!("{cut}{} in {}: {list}", plural(rows, "row"), duration(seconds * 1e9)));
        if self.form.unique {
            note(by_solutions(total.solutions));
        }
        let searched = |sums: &Summary| {
            iter::zip(Status::ALL, sums.rows)
                .filter(|(status, _)| !matches!(status, Status::Malformed | Status::Invalid))
                .map(|(_, rows)| rows)
                .sum::<u64>()
        };
        let earlier: u64 = before.rows.iter().sum();
        if earlier > 0 {
            let (earlier, later) = (plural(earlier, "row"), plural(rows - earlier, "row"));
            note(format_args!(
                "{earlier} had been done before; times and rates are those of the other {later}"
            ));
        }
        let searched = searched(total) - searched(before);
        // Lanes need no guess for most puzzles.
        let nodes = match (self.engine, total.nodes - before.nodes) {
            (Engine::Lanes, 0) => String::new(),
            (_, nodes) => format!(", {} nodes/s", rate(nodes as f64 / seconds)),
        };
        note(format_args!(
            "{} puzzles/s{nodes} with {} on {}",
            rate(searched as f64 / seconds),
            self.engine_name(),
            plural(self.pool.current_num_threads() as u64, "thread")
        ));
        if let Some(times) = times(&total.latency) {
            note(times);
        }
    }
}
