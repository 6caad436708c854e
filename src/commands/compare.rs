//! `compare`: variants on the same puzzles, and the report.

use super::faults::Faults;
use super::inputs::Inputs;
use crate::cli::CompareArgs;
use crate::ending::{Ending, Usage, note};
use crate::environment;
use anyhow::{Context, bail};
use rayon::ThreadPool;
use std::io::{IsTerminal, stdout};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use sudoku_bench::arch::Isa;
use sudoku_bench::batch::{Compare, Draw, Terms, code};
use sudoku_bench::dataset::{Input, Shard};
use sudoku_bench::measure::{Lineup, Race, Timer, WallClock};
use sudoku_bench::report::{
    ByteRange, Code, FileResult, Folder, Partial, PuzzlesWriter, Run, SCHEMA_VERSION, Settings,
    Warning,
};
use sudoku_bench::solver::{Engine, Limits, Variant};

/// A checked request.
struct Request {
    /// All that are compared, as they were named.
    engines: Vec<Engine>,
    /// Those of them that take one puzzle after the other.
    variants: Vec<Variant>,
    /// The instruction set of `lanes`, if it is among them.
    lanes: Option<Isa>,
    /// Index of the baseline among the variants.
    baseline: usize,
    controls: bool,
    passes: u32,
    confidence: f64,
    margin: f64,
    time_budget: Option<Duration>,
    limits: Limits<'static>,
    interrupt: &'static AtomicBool,
    inputs: Inputs,
    shard: Option<Shard>,
    sample: Option<u64>,
    isomorphs: u32,
    seed: u64,
    pool: ThreadPool,
    /// The threads whose throughput is measured, from few to many.
    crews: Vec<ThreadPool>,
    strict: bool,
}

pub(crate) fn run(mut args: CompareArgs) -> anyhow::Result<Ending> {
    let provenance = environment::provenance();
    let paths = std::mem::take(&mut args.files);
    let output = args.output.take();
    let page = output.as_ref().map(|folder| folder.join("report.html"));
    let (quiet, is_terminal) = (args.work.quiet, stdout().is_terminal());
    let request = Request::new(args)?;
    request.inputs.check(&paths)?;
    for path in output.iter().flat_map(|folder| Folder::files(folder)) {
        super::refuse_to_overwrite(&path, &paths)?;
    }
    let folder = output.map(Folder::create).transpose()?;
    let mut puzzles = folder.as_ref().map(Folder::puzzles).transpose()?;
    let mut faults = Faults::new(None, 0, request.strict)?;
    let mut files = Vec::new();
    let lineup = Lineup::of_variants(&request.variants, request.baseline, request.controls);
    let timer = Timer::of(&WallClock);
    let code = code(&lineup);
    let race = Race {
        lineup: &lineup,
        limits: request.limits,
        clock: &WallClock,
        timer,
        passes: request.passes,
        seed: request.seed,
    };
    let compared = request.files(&paths, &race, &code, puzzles.as_mut(), &mut faults, &mut files);
    if super::is_strict_stop(compared.as_ref().err()) {
        note("stopped at the first malformed row, as --strict asks; there is no report");
        drop(puzzles);
        folder.as_ref().map_or(Ok(()), Folder::clear)?;
        let wrong = files.iter().any(|file| file.population.wrong > 0);
        let interrupted = super::was_interrupted();
        return Ok(Ending { interrupted, wrong, malformed: true, ..Ending::default() });
    }
    let settings = request.settings(&paths);
    let mut failure = compared.err();
    // What was compared is told even if nothing more can be written beside it.
    let puzzles = match puzzles.map(PuzzlesWriter::finish).transpose() {
        Ok(file) => file,
        Err(error) => {
            failure.get_or_insert(error.into());
            None
        }
    };
    let partial = match &failure {
        // After a failure the flag is set as well, and the failure is what is told.
        Some(_) => Some(Partial::Failed),
        None if request.is_interrupted() => Some(Partial::Interrupted),
        None if files.iter().any(|file| !file.finished) => Some(Partial::TimeBudget),
        None => None,
    };
    let run = Run {
        schema_version: SCHEMA_VERSION,
        partial,
        timer,
        code,
        warnings: Warning::of_run(&provenance, &settings, &timer),
        provenance,
        settings,
        puzzles,
        shards: None,
        files,
    };
    let wrong = run.files.iter().any(|file| file.population.wrong > 0);
    if failure.is_none() || !run.files.is_empty() {
        // What is finished is told, whatever went wrong.
        let written = folder.map_or(Ok(()), |folder| folder.write(&run).map_err(Into::into));
        let is_written = written.is_ok();
        failure = failure.or(written.err()).or(super::report::print_run(&run).err());
        if is_terminal && is_written && !quiet {
            note(match page {
                Some(page) => format!("the whole report: {}", page.display()),
                None => {
                    "the whole report: with -o DIR, or in a file to which this is redirected".into()
                }
            });
        }
    }
    let (malformed, _) = faults.finish();
    let interrupted =
        run.partial == Some(Partial::Interrupted) || failure.is_some() && super::was_interrupted();
    Ok(Ending { interrupted, failure, wrong, malformed, ..Ending::default() })
}

impl Request {
    fn new(args: CompareArgs) -> anyhow::Result<Self> {
        check_shard(&args)?;
        let engines = args.variants;
        if (1..engines.len()).any(|index| engines[..index].contains(&engines[index])) {
            bail!(Usage::new("a variant is named twice; each can run once"));
        }
        let one_by_one = |&engine: &Engine| match engine {
            Engine::Variant(variant) => Some(variant),
            Engine::Lanes => None,
        };
        let variants: Vec<Variant> = engines.iter().filter_map(one_by_one).collect();
        let baseline = args.baseline.unwrap_or(engines[0]);
        let Engine::Variant(variant) = baseline else {
            bail!(Usage::new(
                "lanes cannot be the baseline: it takes many puzzles at once, and ratios divide by the \
                 time of each; name another variant first, or with --baseline"
            ));
        };
        let Some(baseline) = variants.iter().position(|&other| other == variant) else {
            let reason =
                format!("the baseline `{baseline}` is not among the variants; add it to -t");
            bail!(Usage::new(reason));
        };
        let lanes = args.engine.isa_if(engines.contains(&Engine::Lanes))?;
        if lanes.is_some() && args.work.max_time.is_some() {
            bail!(Usage::new(
                "lanes takes many puzzles at once and times none alone; --max-nodes limits its searches"
            ));
        }
        let crews = crews(&args.throughput_threads)?;
        let interrupt = super::interrupt();
        Ok(Request {
            engines,
            variants,
            lanes,
            baseline,
            controls: !args.no_controls,
            passes: args.passes,
            confidence: args.confidence,
            margin: args.margin,
            time_budget: args.time_budget,
            limits: Limits {
                nodes: args.max_nodes.0,
                time: args.work.max_time,
                interrupt: Some(interrupt),
            },
            interrupt,
            // The lines decide which forms a puzzle has.
            inputs: Inputs::new(&args.work, interrupt).only(args.shard, true),
            shard: args.shard,
            sample: args.sample,
            isomorphs: args.isomorphs,
            seed: args.seed,
            pool: super::pool(args.work.threads, args.work.quiet)?,
            crews,
            strict: args.work.strict,
        })
    }

    /// Compares the files one after the other, and adds what is finished to `results`.
    fn files(
        &self,
        paths: &[PathBuf],
        race: &Race<'_, WallClock>,
        code: &Code,
        mut puzzles: Option<&mut PuzzlesWriter>,
        faults: &mut Faults,
        results: &mut Vec<FileResult>,
    ) -> anyhow::Result<()> {
        let baseline = self.variants[self.baseline].name();
        let same_code = |variant: &Variant| code.is_same(variant.name(), baseline);
        let terms = Terms {
            confidence: self.confidence,
            margin: self.margin,
            identical_code: self.variants.iter().map(same_code).collect(),
        };
        let inputs: Vec<Option<&PathBuf>> = match paths {
            [] => vec![None],
            paths => paths.iter().map(Some).collect(),
        };
        let mut budget = self.time_budget;
        for (number, path) in inputs.iter().enumerate() {
            let start = Instant::now();
            let input = match path {
                None => Input::embedded(),
                Some(path) => self.inputs.open(path)?,
            };
            let (input, hash) = input.hashed();
            let name = input.name().to_owned();
            let range = self.shard.zip(input.length()).map(|(shard, length)| {
                let bytes = shard.bytes(length);
                ByteRange { from: bytes.start, to: bytes.end, length }
            });
            let share = budget.map(|left| left / (inputs.len() - number) as u32);
            let Some((reader, mut watch)) = self.inputs.begin(input, share, faults)? else { break };
            let compare = Compare {
                race: race.clone(),
                terms: &terms,
                sample: self.sample,
                isomorphs: self.isomorphs,
                lanes: self.lanes,
                // A time beyond all reckoning is no limit.
                deadline: share.and_then(|share| start.checked_add(share)),
                pool: &self.pool,
            };
            let mut draw = (!self.crews.is_empty()).then(|| Draw::new(self.seed));
            let log = puzzles.as_deref_mut();
            let result = compare.run_and_draw(&name, reader, log, draw.as_mut(), &mut watch);
            watch.warn();
            watch.sum_up();
            // It draws no more, so that nothing else is done while the throughput is measured.
            drop(watch);
            let mut result = result.with_context(|| format!("`{name}` was not compared"))?;
            result.sha256 = hash.get().map(String::from);
            result.range = range;
            budget = budget.map(|left| left.saturating_sub(start.elapsed()));
            if let Some(draw) = draw {
                compare.add_throughput(&self.crews, draw, &mut result);
            }
            results.push(result);
            if self.is_interrupted() {
                break;
            }
        }
        Ok(())
    }

    fn settings(&self, paths: &[PathBuf]) -> Settings {
        let inputs = match paths {
            [] => vec![Input::embedded().name().to_owned()],
            paths => paths.iter().map(|path| path.to_string_lossy().into_owned()).collect(),
        };
        Settings {
            inputs,
            variants: self.engines.iter().map(|engine| engine.name().into()).collect(),
            baseline: self.variants[self.baseline].name().into(),
            threads: self.pool.current_num_threads(),
            passes: self.passes,
            controls: self.controls,
            confidence: self.confidence,
            margin: self.margin,
            seed: self.seed,
            max_nodes: self.limits.nodes,
            max_time_ns: self.limits.time.map(super::nanoseconds),
            sample: self.sample,
            shard: self.shard.map(Into::into),
            isomorphs: self.isomorphs,
            throughput_threads: self.crews.iter().map(ThreadPool::current_num_threads).collect(),
            time_budget_ns: self.time_budget.map(super::nanoseconds),
        }
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }
}

/// A run on a shard takes all of its rows, so that it can be merged with those on the others.
fn check_shard(args: &CompareArgs) -> anyhow::Result<()> {
    if args.shard.is_some() && args.sample.is_some() {
        bail!(Usage::new(
            "--shard and --sample: a sample is drawn from all rows of a file, and a shard has a part \
             of them"
        ));
    }
    if args.shard.is_some() && args.time_budget.is_some() {
        bail!(Usage::new(
            "--shard and --time-budget: a shard that is cut short leaves rows out that no other has, \
             and cannot be merged; take more shards"
        ));
    }
    Ok(())
}

/// A pool for each of these numbers of threads, from few to many.
fn crews(threads: &[u16]) -> anyhow::Result<Vec<ThreadPool>> {
    let mut threads: Vec<usize> = threads.iter().map(|&threads| threads.into()).collect();
    threads.sort_unstable();
    if let Some(twice) = threads.windows(2).find(|pair| pair[0] == pair[1]) {
        bail!(Usage::new(format_args!("--threads names {} twice", twice[0])));
    }
    threads.into_iter().map(|threads| super::pool(Some(threads), true)).collect()
}
