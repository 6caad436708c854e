//! `verify`: whether the puzzles of a file are sound, and the solutions beside them true.

use super::faults::Faults;
use super::inputs::Inputs;
use super::outlet::{Outlet, Target};
use crate::cli::VerifyArgs;
use crate::ending::{Ending, is_closed_pipe, note};
use anyhow::Context;
use rayon::ThreadPool;
use std::fmt::Write as _;
use std::io::{Write, stdout};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use sudoku_bench::batch::{By, Question, SolutionCheck, Tally, Verdict, Verified, Verify};
use sudoku_bench::dataset::VerdictWriter;
use sudoku_bench::report::{count, duration, plural, rate};
use sudoku_bench::solver::Limits;
use sudoku_bench::solver::lanes::Goal;

/// A checked request.
struct Request {
    limits: Limits<'static>,
    /// `None` where a search has a limit of time, since the lanes time none alone.
    question: Option<Question>,
    interrupt: &'static AtomicBool,
    require_unique: bool,
    inputs: Inputs,
    pool: ThreadPool,
    quiet: bool,
}

pub(crate) fn run(args: VerifyArgs) -> anyhow::Result<Ending> {
    let interrupt = super::interrupt();
    let inputs = Inputs::new(&args.work, interrupt);
    inputs.check(&args.files)?;
    let target = |path: &Path| Target::new(Some(path), "verdicts");
    let target = args.output.as_deref().map(target).transpose()?;
    let rows_replace_summary = args.output.as_deref() == Some(Path::new("-"));
    let files = target.iter().filter(|_| !rows_replace_summary).flat_map(Target::files);
    let written = iter::once("-".into()).chain(files);
    let contents = "the summary, the verdicts and the errors";
    super::refuse_overlaps(written, args.errors.as_deref(), &args.files, contents)?;
    let request = Request {
        limits: Limits {
            nodes: args.max_nodes.0,
            time: args.work.max_time,
            interrupt: Some(interrupt),
        },
        question: args.engine.isa_if(args.work.max_time.is_none())?.map(|isa| Question {
            isa,
            goal: Goal::CountToTwo,
            max_nodes: args.max_nodes.0,
        }),
        interrupt,
        require_unique: args.require_unique,
        inputs,
        pool: super::pool(args.work.threads, args.work.quiet)?,
        quiet: args.work.quiet,
    };
    let mut out = target.map(|target| target.create(None)).transpose()?;
    let mut faults = Faults::new(args.errors.as_deref(), 0, args.work.strict)?;
    let start = Instant::now();
    let mut tallies = Vec::new();
    let verified = request.files(&args.files, out.as_mut(), &mut faults, &mut tallies);
    // Whatever went wrong, what is done is written.
    let mut total = Tally::default();
    tallies.iter().for_each(|(_, tally)| total.merge(tally));
    let complete = verified.is_ok() && !total.interrupted;
    let hint = out.as_ref().and_then(Outlet::hint);
    let written = out.map_or(Ok(()), |out| out.finish(complete));
    let hint = hint.filter(|_| !complete || written.is_err());
    let seconds = start.elapsed().as_secs_f64();
    let (_, noted) = faults.finish_as("malformed or untrue", "verify");
    let mut failure = verified.and(written).and(noted).err();
    let strict = super::is_strict_stop(failure.as_ref());
    if failure.as_ref().is_none_or(|error| total.rows() > 0 && !is_closed_pipe(error)) {
        let page = page(&tallies, &total);
        if !rows_replace_summary {
            let told = stdout().write_all(page.as_bytes()).context("cannot write the summary");
            failure = failure.or(told.err());
        } else if !request.quiet {
            note(page.trim_end());
        }
        if !request.quiet {
            request.summarise(&total, seconds);
        }
    }
    if strict {
        note("stopped at the first malformed row, as --strict asks");
        failure = None;
    }
    if let Some(hint) = hint {
        note(hint);
    }
    let panics = iter::zip(Verdict::NAMES, total.verdicts).filter(|(name, _)| *name == "panic");
    failure = failure.or(super::panicked(panics.map(|(_, rows)| rows).sum()));
    Ok(Ending {
        interrupted: total.interrupted || failure.is_some() && super::was_interrupted(),
        failure,
        wrong: total.untrue > 0,
        malformed: strict || total.malformed > 0,
        ..Ending::default()
    })
}

impl Request {
    /// Verifies one file after the other, and adds what was found in each to `tallies`.
    fn files(
        &self,
        paths: &[PathBuf],
        mut out: Option<&mut Outlet>,
        faults: &mut Faults,
        tallies: &mut Vec<(String, Tally)>,
    ) -> anyhow::Result<()> {
        for (number, path) in paths.iter().enumerate() {
            let input = self.inputs.open(path)?;
            let name = input.name().to_owned();
            let writer = VerdictWriter::new((paths.len() > 1).then_some(&name));
            if let (0, Some(out)) = (number, &mut out) {
                let mut header = Vec::new();
                writer.header(&mut header);
                out.put(&header)?;
            }
            let Some((reader, mut watch)) = self.inputs.begin(input, None, faults)? else {
                tallies.push((name.clone(), Tally { interrupted: true, ..Tally::default() }));
                break;
            };
            let each = |puzzle: &_, solution| Verified::of(puzzle, solution, &self.limits);
            let verify = Verify {
                by: match self.question {
                    None => By::Each(each),
                    Some(question) => By::Lanes(question, Verified::by_lanes),
                },
                require_unique: self.require_unique,
                pool: &self.pool,
                interrupt: self.interrupt,
            };
            let rows = out.as_mut().map(|out| (&writer, &mut **out));
            let (tally, result) = verify.run(reader, rows, &mut watch);
            watch.warn();
            watch.sum_up();
            let interrupted = tally.interrupted;
            tallies.push((name.clone(), tally));
            result.with_context(|| format!("`{name}` was not verified to its end"))?;
            if interrupted {
                break;
            }
        }
        Ok(())
    }

    /// Says how long it took, which is not the same from run to run as what was found is.
    fn summarise(&self, total: &Tally, seconds: f64) {
        let rows = total.rows();
        let cut = if total.interrupted { "interrupted after " } else { "" };
        note(format_args!(
            "{cut}{} in {}: {} rows/s on {}",
            plural(rows, "row"),
            duration(seconds * 1e9),
            rate(rows as f64 / seconds),
            plural(self.pool.current_num_threads() as u64, "thread")
        ));
        if rows > 0 && total.checks.iter().sum::<u64>() == 0 {
            note(
                "no solutions were found beside the puzzles; --solution-column names their column",
            );
        }
    }
}

/// What was found, as a table for each file and, if there are several, one for all.
fn page(tallies: &[(String, Tally)], total: &Tally) -> String {
    let mut page = String::new();
    for (name, tally) in tallies {
        table(name, tally, &mut page);
    }
    if tallies.len() > 1 {
        table("all files", total, &mut page);
    }
    page
}

fn table(title: &str, tally: &Tally, page: &mut String) {
    let rows = tally.rows();
    let cut = if tally.interrupted { ", interrupted" } else { "" };
    let _ = writeln!(page, "{title}: {}, {} untrue{cut}", plural(rows, "row"), count(tally.untrue));
    let puzzles = std::iter::zip(Verdict::NAMES, tally.verdicts);
    let solutions = std::iter::zip(SolutionCheck::NAMES, tally.checks);
    let kinds =
        puzzles.map(|line| ("puzzle", line)).chain(solutions.map(|line| ("solution", line)));
    for (kind, (name, number)) in kinds.filter(|(_, (_, number))| *number > 0) {
        let share = 100.0 * number as f64 / rows as f64;
        let number = count(number);
        let _ = writeln!(page, "  {kind:<8}  {name:<11}  {number:>13}  {share:>5.1} %");
    }
}
