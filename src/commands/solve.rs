//! `solve`: one row of answers for each row of input.

use super::faults::Faults;
use crate::cli::SolveArgs;
use crate::ending::{Ending, Usage, is_closed_pipe, note};
use anyhow::{Context, bail};
use rayon::ThreadPool;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use sudoku_bench::batch::{Solve, Solved, Summary};
use sudoku_bench::dataset::{Hints, Input, RowWriter};
use sudoku_bench::report::{count, duration, plural, rate};
use sudoku_bench::solver::{Limits, Status, Variant};

/// A checked request.
struct Request {
    variant: Variant,
    limits: Limits<'static>,
    interrupt: &'static AtomicBool,
    unique: bool,
    hints: Hints,
    pool: ThreadPool,
    quiet: bool,
}

pub(crate) fn run(args: SolveArgs) -> anyhow::Result<Ending> {
    super::check(&args.files, &args.work.hints())?;
    let output = args.output.as_deref().unwrap_or(Path::new("-"));
    super::refuse_to_overwrite(output, &args.files)?;
    if let Some(errors) = &args.errors {
        if errors == Path::new("-") {
            bail!(Usage::new("the answers go to standard output; name a file for the errors"));
        }
        super::refuse_to_overwrite(errors, &args.files)?;
        let place = super::place(errors, "/dev/stdout");
        if place.is_some() && place == super::place(output, "/dev/stdout") {
            bail!(Usage::new("the answers and the errors need a file each"));
        }
    }
    let interrupt = super::interrupt();
    let request = Request {
        variant: args.variant,
        limits: Limits {
            nodes: args.max_nodes.0,
            time: args.work.max_time,
            interrupt: Some(interrupt),
        },
        interrupt,
        unique: args.unique,
        hints: args.work.hints(),
        pool: super::pool(args.work.threads)?,
        quiet: args.work.quiet,
    };
    let mut out = BufWriter::with_capacity(1 << 18, super::output(output)?);
    let mut faults = Faults::new(args.errors.as_deref())?;
    let start = Instant::now();
    let mut total = Summary::default();
    let solved = request.files(&args.files, &mut out, &mut faults, &mut total);
    // Whatever went wrong, what is done is written.
    let flushed = out.flush().context("cannot write the answers");
    let seconds = start.elapsed().as_secs_f64();
    let (malformed, noted) = faults.finish();
    let failure = solved.and(flushed).and(noted).err();
    let told = match &failure {
        None => true,
        Some(error) => total.rows != [0; Status::ALL.len()] && !is_closed_pipe(error),
    };
    if told && !request.quiet {
        request.summarise(&total, seconds);
    }
    Ok(Ending { interrupted: total.interrupted, failure, malformed, ..Ending::default() })
}

impl Request {
    fn files(
        &self,
        names: &[String],
        out: &mut impl Write,
        faults: &mut Faults,
        total: &mut Summary,
    ) -> anyhow::Result<()> {
        for (number, name) in names.iter().enumerate() {
            let writer = RowWriter::new((names.len() > 1).then_some(name), self.unique);
            if number == 0 {
                let mut header = Vec::new();
                writer.header(&mut header);
                out.write_all(&header).context("cannot write the answers")?;
            }
            let input = Input::open(name, Some(self.interrupt))?;
            let mut watch = faults.watch(&input, None, self.quiet);
            let reader = match super::reader(input, &self.hints) {
                Err(_) if self.interrupt.load(Ordering::Relaxed) => {
                    total.interrupted = true;
                    break;
                }
                reader => reader?,
            };
            let solve = Solve {
                answer: |puzzle: &_| Solved::by(self.variant, puzzle, &self.limits, self.unique),
                pool: &self.pool,
                writer: &writer,
                interrupt: self.interrupt,
            };
            let (summary, result) = solve.run(reader, out, &mut watch);
            total.merge(&summary);
            result.with_context(|| format!("`{name}` was not solved to its end"))?;
            if total.interrupted {
                break;
            }
        }
        Ok(())
    }

    fn summarise(&self, total: &Summary, seconds: f64) {
        let rows: u64 = total.rows.iter().sum();
        let by_status: Vec<String> = std::iter::zip(Status::ALL, total.rows)
            .filter(|(_, rows)| *rows > 0)
            .map(|(status, rows)| format!("{} {status}", count(rows)))
            .collect();
        let list = if by_status.is_empty() { "none".into() } else { by_status.join(", ") };
        let cut = if total.interrupted { "interrupted after " } else { "" };
        note(format_args!("{cut}{} in {}: {list}", plural(rows, "row"), duration(seconds * 1e9)));
        if self.unique {
            let [none, one, more] = total.solutions.map(count);
            note(format_args!(
                "solutions: {none} have none, {one} exactly one, {more} two or more"
            ));
        }
        let latency = &total.latency;
        let searched = std::iter::zip(Status::ALL, total.rows)
            .filter(|(status, _)| !matches!(status, Status::Malformed | Status::Invalid))
            .map(|(_, rows)| rows)
            .sum::<u64>();
        note(format_args!(
            "{} puzzles/s, {} nodes/s with {} on {}",
            rate(searched as f64 / seconds),
            rate(total.nodes as f64 / seconds),
            self.variant,
            plural(self.pool.current_num_threads() as u64, "thread")
        ));
        let percentiles: String = [50.0, 90.0, 99.0, 99.9]
            .into_iter()
            .filter_map(|p| Some(format!("p{p} {}, ", duration(latency.percentile_ns(p)? as f64))))
            .collect();
        if let (Some(max), Some(mean)) = (latency.max_ns(), latency.mean_ns()) {
            let (max, mean) = (duration(max as f64), duration(mean));
            note(format_args!("time per puzzle: {percentiles}max {max}, mean {mean}"));
        }
    }
}
