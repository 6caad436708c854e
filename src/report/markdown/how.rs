//! How the figures came about, and with what code.

use super::escape::{cell, code, escape};
use super::table::Table;
use crate::measure::Timer;
use crate::report::format::percent;
use crate::report::{
    ByteRange, Provenance, Run, Settings, ShardPlace, ShardRuns, count, duration, plural,
};
use crate::solver::Engine;
use std::fmt::Write;

/// The functions that were timed.
pub(super) fn machine_code(run: &Run, text: &mut String) {
    text.push_str("## Machine code\n\n");
    if let Some(reason) = &run.code.not_checked {
        let _ = writeln!(text, "Not checked: {}.\n", escape(reason));
        return;
    }
    text.push_str(
        "The recursive function in which each variant spends its time, and the copies of the \
         baseline's; functions with the same number in the last column are the same sequence of \
         instructions:\n\n",
    );
    let mut table = Table::new(["variant", "bytes", "instructions", "address", "code"]);
    let mut seen: Vec<&str> = Vec::new();
    for function in &run.code.functions {
        let hash = function.code.sha256.as_str();
        let number = seen.iter().position(|other| *other == hash).unwrap_or_else(|| {
            seen.push(hash);
            seen.len() - 1
        });
        table.row([
            cell(&function.arm),
            count(function.code.bytes),
            count(function.code.instructions),
            format!("{:#x}", function.code.offset),
            (number + 1).to_string(),
        ]);
    }
    text.push_str(&table.render());
}

/// The design in short, and the circumstances.
pub(super) fn how(run: &Run, text: &mut String) {
    let settings = &run.settings;
    text.push_str("## How this was measured\n\n");
    let passes = settings.passes;
    let times = if passes == 1 { "once".into() } else { format!("{passes} times") };
    let _ = writeln!(
        text,
        "Every variant solved the same puzzles on the same thread. First each counted its work; then \
         groups of 16 puzzles were walked {times}, all variants and copies solving each puzzle in a \
         random order, the next time in its reverse. The time of a puzzle is the shortest of its \
         measurements. The typical ratio is the Hodges–Lehmann estimate with the signed-rank \
         interval; the intervals of the geometric mean and of the total time come from whole groups. \
         The rates in the tables of times are those of one thread.\n\n\
         `nodes` are calls of the recursive function that reach an empty cell, `placements` digits \
         written, `backtracks` digits erased, `checks` turns of the digit loop, `calls` all calls of \
         the recursive function.\n"
    );
    if settings.isomorphs > 0 {
        text.push_str(
            "Each puzzle was solved as it stands and in equivalent forms: digits renamed, bands, \
             stacks, rows within bands and columns within stacks in another order, and with an even \
             chance rows and columns exchanged. All variants had the same forms. A puzzle counts \
             once, however many forms it has: by the mean logarithm of its forms' ratios. A form on \
             which a variant hit a cap is left out for all variants, and the mean is that of the \
             others. Total times are those of all forms.\n\n",
        );
    }
    if settings.has_lanes() && run.shards.is_none() {
        let _ = writeln!(
            text,
            "{} solved the puzzles that all others had answered, a block of 256 rows at a time, {times}; \
             its time for a block is the shortest. Its solutions were checked, and are not compared \
             with those of the others.\n",
            code(Engine::Lanes.name())
        );
    }
    if run.shards.is_some() {
        text.push_str("Of the run on the first shard:\n\n");
    }
    circumstances(&run.provenance, settings, &run.timer, text);
    if run.shards.is_some() {
        text.push_str("\nOf all of them:\n\n");
    }
    inputs(run, text);
}

/// What ran, on what machine, and what was asked.
pub(super) fn circumstances(
    provenance: &Provenance,
    settings: &Settings,
    timer: &Timer,
    text: &mut String,
) {
    let mut line = |title: &str, value: String| {
        let _ = writeln!(text, "- {title}: {value}");
    };
    let cap = match (settings.max_nodes, settings.max_time_ns) {
        (None, None) => "none".into(),
        (Some(nodes), None) => format!("{} nodes", count(nodes)),
        (None, Some(ns)) => duration(ns as f64),
        (Some(nodes), Some(ns)) => format!("{} nodes, {}", count(nodes), duration(ns as f64)),
    };
    let sample = match (settings.sample, settings.shard) {
        (Some(rows), _) => format!("{} rows drawn from each file", count(rows)),
        (None, Some(ShardPlace { index, of })) => {
            format!("all rows of shard {} of {}", count(index), count(of))
        }
        (None, None) => "all rows".into(),
    };
    let forms = match settings.isomorphs {
        0 => String::new(),
        isomorphs => format!("; {} of each", plural(u64::from(isomorphs), "other form")),
    };
    line("Puzzles", format!("cap per puzzle: {cap}; sample: {sample}{forms}"));
    if let Some(ns) = settings.time_budget_ns {
        line("Time budget", duration(ns as f64));
    }
    line(
        "Settings",
        format!(
            "{}, {}, confidence {} %, margin {} %, seed {}",
            plural(u64::from(settings.passes), "pass"),
            if settings.controls { "3 controls" } else { "no controls" },
            percent(settings.confidence),
            percent(settings.margin),
            settings.seed
        ),
    );
    let load = provenance.load_average.map_or("unknown".into(), |load| format!("{load:.2}"));
    line(
        "Machine",
        format!(
            "{}, {}, {}, load average at the start {load}",
            escape(&provenance.cpu),
            plural(provenance.cores as u64, "core"),
            plural(settings.threads as u64, "solving thread")
        ),
    );
    line(
        "Clock",
        format!(
            "a reading takes {}, its smallest step is {}",
            duration(timer.cost_ns),
            duration(timer.step_ns as f64)
        ),
    );
    let flags = match provenance.flags.as_slice() {
        [] => "none".into(),
        flags => code(&flags.join(" ")),
    };
    let commit = escape(&provenance.source());
    let version = escape(&provenance.version);
    line("Program", format!("sudoku-bench {version}, commit {commit}"));
    line(
        "Build",
        format!(
            "{}, {}, {}, flags: {flags}, target features: {}",
            escape(&provenance.rustc),
            escape(&provenance.profile),
            code(&provenance.target),
            code(&provenance.target_features.join(" "))
        ),
    );
    line("Date", escape(&provenance.date));
}

/// How to have it measured again.
pub(super) fn reproduce(run: &Run, text: &mut String) {
    let Provenance { command, version, rustc, .. } = &run.provenance;
    let (commands, are) = match &run.shards {
        None => (code(command), "That is the command as it was typed"),
        Some(ShardRuns { runs, .. }) => (
            runs.iter().map(|run| code(&run.command)).collect::<Vec<_>>().join("\n\n"),
            "Those are the commands as they were typed",
        ),
    };
    let _ = writeln!(
        text,
        "\n## How to reproduce\n\n\
         {commands}\n\n\
         {are}, with sudoku-bench {} from commit {}, built by {}. \
         The same seed gives the same choices and orders. {}\n",
        escape(version),
        escape(&run.provenance.source()),
        escape(rustc),
        match run.partial {
            None => "The counters come out the same, and the times as the machine has them.",
            Some(_) => "This run was cut short; how far another one gets is up to the machine.",
        }
    );
}

fn inputs(run: &Run, text: &mut String) {
    for file in &run.files {
        input(&file.name, file.input_rows, file.sha256.as_deref(), text);
        if let Some(ByteRange { from, to, length }) = file.range {
            let [from, to, length] = [from, to, length].map(count);
            let _ = writeln!(text, "- Rows: those that begin in bytes {from} to {to} of {length}");
        }
    }
    for file in &run.files {
        let effort = &file.effort;
        let name =
            if run.files.len() > 1 { format!(" for {}", code(&file.name)) } else { String::new() };
        let _ = writeln!(
            text,
            "- Time{name}: {} of measured searches and {} of counting, in {} by the wall clock; {}",
            duration(effort.timed_ns as f64),
            duration(effort.counting_ns as f64),
            duration(effort.wall_ns as f64),
            match file.repeated {
                0 => "no search was too short for the clock".into(),
                repeated => format!(
                    "on {} a search was so short that it was repeated within one measurement",
                    plural(repeated, "puzzle")
                ),
            }
        );
    }
}

/// One input file.
pub(super) fn input(name: &str, rows: Option<u64>, sha256: Option<&str>, text: &mut String) {
    let rows = rows.map_or("not read to the end".into(), |rows| plural(rows, "row"));
    let hash = sha256.map_or(String::new(), |hash| format!(", SHA-256 {}", code(hash)));
    let _ = writeln!(text, "- Input {}: {rows}{hash}", code(name));
}
