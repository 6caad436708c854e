//! What a run on shards was made of.

use super::escape::{cell, code, escape};
use super::table::Table;
use crate::report::format::or_dash;
use crate::report::{Run, Settings, ShardRun, ShardRuns, count};
use crate::solver::Engine;
use std::fmt::Write;

/// The runs on shards, how they differ, and what was not put together; nothing of another run.
pub(super) fn shards(run: &Run, text: &mut String) {
    let Some(ShardRuns { runs, differences }) = &run.shards else { return };
    text.push_str(
        "## Shards\n\n\
         The file was compared in parts, each by a run of its own. All that is said here of ratios \
         was made anew from the times of all puzzles, and rows are in groups by their place in the \
         whole file:\n\n",
    );
    let titles = ["run", "shard", "rows", "processor", "cores", "threads", "date", "commit"];
    let mut table = Table::new(titles.into_iter().chain(["warnings"]));
    for ShardRun { name, shard, date, commit, cpu, cores, threads, rows, warnings, .. } in runs {
        table.row([
            cell(name),
            format!("{} of {}", shard.index, shard.of),
            count(*rows),
            escape(cpu),
            cores.to_string(),
            threads.to_string(),
            escape(date),
            or_dash(commit.as_deref(), |it| cell(&it.chars().take(12).collect::<String>())),
            count(*warnings),
        ]);
    }
    text.push_str(&table.render());
    for difference in differences {
        let values: Vec<String> = difference.values.iter().map(|value| escape(value)).collect();
        let _ = writeln!(
            text,
            "- Note: the runs differ in {}: {}.",
            escape(&difference.what),
            values.join("; ")
        );
    }
    if !differences.is_empty() {
        text.push_str(
            "\nEach puzzle was timed with all variants on one machine, so that no ratio has times of \
             two. Where machines make different ratios, all figures are those of this mixture; an \
             interval covers which puzzles there are, not which machines.\n\n",
        );
    }
    let _ = writeln!(text, "{}\n", left_out(&run.settings));
}

/// What only the runs' own reports have.
fn left_out(settings: &Settings) -> String {
    let mut all = String::from(
        "Only the runs' own reports tell how the machine changed in the course of a run, and what \
         came of the place in the order",
    );
    if settings.has_lanes() {
        let _ = write!(all, "; and of {}, which is compared per block", code(Engine::Lanes.name()));
    }
    if !settings.throughput_threads.is_empty() {
        all.push_str("; and of the throughput");
    }
    all + "."
}
