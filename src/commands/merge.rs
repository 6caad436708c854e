//! `merge`: what the parts of a batch come to together.

use super::sums::{by_solutions, by_status, times};
use crate::cli::MergeArgs;
use crate::ending::{Ending, Usage, harmless, note};
use anyhow::{Context, bail};
use humantime::format_duration;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::{BufReader, Write, stdout};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;
use sudoku_bench::batch::{PartialSummary, Partials, Shards};
use sudoku_bench::dataset::{Decoding, Input};
use sudoku_bench::report::{count, plural};

pub(crate) fn run(args: MergeArgs) -> anyhow::Result<Ending> {
    let mut named = HashSet::new();
    if let Some(path) = args.files.iter().find(|path| !named.insert(*path)) {
        bail!(Usage::new(format_args!("`{}` is named twice", path.display())));
    }
    let merged = merge(&args.files)?;
    let text = if args.partial {
        merged.line()
    } else if args.json {
        serde_json::to_string_pretty(&merged).expect("plain data") + "\n"
    } else {
        // Whatever stands in a file is not to give orders to a terminal.
        harmless(&summary(&merged))
    };
    let written = stdout().write_all(text.as_bytes()).context("cannot write the summary");
    let mut wrong = false;
    for (file, shards) in &merged.shards {
        if let Some(list) = missing(shards) {
            let number = count(shards.of - shards.done.len() as u64);
            let of = plural(shards.of, "shard");
            note(format_args!("{number} of {of} of `{file}` are missing: {list}"));
            // What is merged again may be a part.
            wrong |= !args.partial;
        }
    }
    let rows = merged.row_count();
    if let Some(expected) = args.expect_rows
        && expected != rows
    {
        note(format_args!("{} where {} were expected", plural(rows, "row"), count(expected)));
        wrong = true;
    }
    if let Some(expected) = args.expect_sum
        && expected != merged.sum
    {
        note(format_args!("the sum of the rows is {}, not {expected}", merged.sum));
        wrong = true;
    }
    Ok(Ending { wrong, failure: written.err(), ..Ending::default() })
}

/// So many runs of missing shards are named.
const NAMED: usize = 20;

/// The shards that are missing, if there are any, as job schedulers take such a list.
fn missing(shards: &Shards) -> Option<String> {
    let mut runs = shards.missing();
    let name = |run: RangeInclusive<u64>| match run.into_inner() {
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first}-{last}"),
    };
    let named: Vec<String> = runs.by_ref().take(NAMED).map(name).collect();
    let more = if runs.next().is_some() { ",…" } else { "" };
    (!named.is_empty()).then(|| named.join(",") + more)
}

/// Adds up all records of some files.
fn merge(paths: &[PathBuf]) -> anyhow::Result<PartialSummary> {
    let mut merged: Option<PartialSummary> = None;
    for path in paths {
        // Nothing here is written that an interrupt could leave half done.
        let input = Input::open(path, None)?.decoded(Decoding::default())?;
        let name = input.name().to_owned();
        let mut partials = Partials::new(BufReader::with_capacity(1 << 18, input));
        let (mut records, cannot_read) = (0, || format!("cannot read `{name}`"));
        while let Some(record) = partials.next_record().with_context(cannot_read)? {
            let place = || format!("`{name}`, line {}", partials.lines());
            let record = record.with_context(place)?;
            match &mut merged {
                None => merged = Some(record),
                Some(merged) => merged.merge(&record).with_context(place)?,
            }
            records += 1;
        }
        if records == 0 && partials.lines() > 0 {
            bail!("`{name}` has no record: it is not complete, or was made without --partial");
        }
    }
    merged.context("there are no records; `solve --partial` makes them")
}

fn summary(merged: &PartialSummary) -> String {
    let rows = plural(merged.row_count(), "row");
    let mut text = format!("{rows}: {}\n", by_status(merged.rows));
    let mut line = |line: String| writeln!(text, "{line}").expect("in memory");
    line(format!("sum of the rows: {}", merged.sum));
    if let Some(solutions) = merged.solutions {
        line(by_solutions(solutions));
    }
    line(format!("{} with {}{}", plural(merged.nodes, "node"), merged.engine, limits(merged)));
    if let Some(times) = times(&merged.latency) {
        line(times);
    }
    let processors: Vec<&str> = merged.processors.iter().map(String::as_str).collect();
    line(format!("version {} on {}", merged.version, processors.join(", ")));
    for (file, shards) in &merged.shards {
        let (done, of) = (shards.done.len() as u64, shards.of);
        line(format!("{} of {} of `{file}`", count(done), plural(of, "shard")));
    }
    text
}

/// The limits of a search, if there were any.
fn limits(merged: &PartialSummary) -> String {
    let nodes = merged.max_nodes.map(|cap| plural(cap, "node"));
    let time = merged.max_time_ns.map(Duration::from_nanos);
    let time = time.map(|time| format_duration(time).to_string());
    let limits: Vec<String> = nodes.into_iter().chain(time).collect();
    if limits.is_empty() {
        String::new()
    } else {
        format!(", at most {} each", limits.join(" and "))
    }
}
