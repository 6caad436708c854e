//! `report.md`: a run for human readers.

mod diff;
mod escape;
mod head;
mod how;
mod layouts;
mod per_block;
mod shards;
mod table;
mod terms;
mod throughput;

use super::charts::{Chart, Charts, FileCharts};
use super::format::{estimate, interval, or_dash, percent, ratio, verdict_name};
use super::{
    Comparison, Dropped, FileResult, Population, Run, VariantResult, count, duration, plural, rate,
};
use crate::stats::Grade;
pub use diff::diff_markdown;
use escape::{cell, code, escape};
use head::Said;
pub(super) use head::trust;
pub use layouts::layouts_markdown;
pub(super) use layouts::layouts_with_forest;
use per_block::per_block;
use std::fmt::Write;
use table::Table;
use throughput::throughput;

/// The report as Markdown, without charts.
pub fn markdown(run: &Run) -> String {
    with_charts(run, &Charts::default())
}

/// The report with references to charts, which are files beside it.
pub(super) fn with_charts(run: &Run, charts: &Charts) -> String {
    let mut text = String::new();
    let said: Vec<Said> =
        run.files.iter().map(|file| Said::of(file, run.settings.margin)).collect();
    head::three_lines(run, &said, &mut text);
    head::wrong(run, &mut text);
    head::claims(&said, &run.settings.baseline, &mut text);
    if let Some(forest) = &charts.forest {
        text.push_str("## All comparisons\n\n");
        chart(forest, &mut text);
    }
    let none = FileCharts::default();
    for (number, file) in run.files.iter().enumerate() {
        section(run, file, charts.files.get(number).unwrap_or(&none), &mut text);
    }
    if run.files.len() > 1 {
        section(run, &run.total(), &none, &mut text);
    }
    head::warnings(run, &mut text);
    shards::shards(run, &mut text);
    how::machine_code(run, &mut text);
    how::how(run, &mut text);
    how::reproduce(run, &mut text);
    terms::terms(Grade::OneLayout, &mut text);
    text
}

/// A reference to a chart.
fn chart(chart: &Chart, text: &mut String) {
    let _ = writeln!(text, "![{}]({})\n", escape(&chart.title), chart.name);
}

fn section(run: &Run, file: &FileResult, charts: &FileCharts, text: &mut String) {
    let _ = writeln!(text, "## {}\n\n{}\n", escape(&file.name), population(&file.population));
    charts.all().for_each(|of_file| chart(of_file, text));
    if !file.comparisons.is_empty() {
        comparisons(run, file, text);
        deciles(run, file, text);
    }
    if let Some(result) = &file.per_block {
        per_block(result, &run.settings, text);
    }
    times(run, file, text);
    throughput(run, file, text);
}

/// Every variant against the baseline, and the copies of the baseline.
fn comparisons(run: &Run, file: &FileResult, text: &mut String) {
    let baseline = code(&run.settings.baseline);
    let confidence = percent(run.settings.confidence);
    let _ = writeln!(
        text,
        "Time over that of {baseline}, with {confidence} % intervals; the copies are separately \
         placed copies of {baseline}'s own code:\n"
    );
    let titles = ["variant", "typical puzzle", "for the verdict", "geometric mean", "total time"];
    let mut table = Table::new(titles.into_iter().chain(["faster : same : slower", "verdict"]));
    for comparison in &file.comparisons {
        let verdict = verdict_name(comparison.verdict);
        let Comparison { wins, ties, losses, .. } = comparison;
        table.row([
            cell(&comparison.variant),
            estimate(comparison.typical),
            or_dash(comparison.corrected, interval),
            or_dash(comparison.geometric_mean, estimate),
            or_dash(comparison.total_time, estimate),
            format!("{} : {} : {}", count(*wins), count(*ties), count(*losses)),
            verdict.into(),
        ]);
    }
    for copy in file.controls.iter().flat_map(|controls| &controls.copies) {
        let dash = || "–".to_string();
        let typical = estimate(copy.typical);
        table.row([cell(&copy.name), typical, dash(), dash(), dash(), dash(), "control".into()]);
    }
    text.push_str(&table.render());
    let corrected: Vec<String> = file
        .comparisons
        .iter()
        .map(|comparison| format!("{} %", percent(comparison.corrected_confidence)))
        .collect();
    let _ = writeln!(
        text,
        "`for the verdict`: the typical puzzle's interval at the confidence that Holm's correction \
         asks for ({}). Differences up to {} % do not matter by the margin that was set.\n",
        corrected.join(", "),
        percent(run.settings.margin)
    );
}

/// The typical ratio by the size of the search.
fn deciles(run: &Run, file: &FileResult, text: &mut String) {
    let _ = writeln!(
        text,
        "The typical ratio by the {}nodes of {}, a tenth of the puzzles in each row:\n",
        if run.settings.isomorphs > 0 { "mean " } else { "" },
        code(&run.settings.baseline)
    );
    let names = file.comparisons.iter().map(|comparison| cell(&comparison.variant));
    let mut table =
        Table::new(["nodes".to_string(), "puzzles".to_string()].into_iter().chain(names));
    let first = &file.comparisons[0].deciles;
    for (number, decile) in first.iter().enumerate() {
        let range = format!("{} – {}", count(decile.nodes_from), count(decile.nodes_to));
        let ratios = file.comparisons.iter().map(|comparison| {
            or_dash(comparison.deciles.get(number), |decile| estimate(decile.typical))
        });
        table.row([range, count(decile.puzzles)].into_iter().chain(ratios));
    }
    text.push_str(&table.render());
}

/// Times and work of each variant.
fn times(run: &Run, file: &FileResult, text: &mut String) {
    let one = run.settings.timed_thing();
    let all = if run.settings.isomorphs > 0 { "all forms of all puzzles" } else { "all puzzles" };
    let _ = writeln!(text, "Time of {all}, each at its fastest:\n");
    let baseline = format!("total / {}", cell(&run.settings.baseline));
    let columns: [Column; 6] = [
        ("total", |v| duration(v.latency.total_ns() as f64)),
        (&baseline, |v| or_dash(v.figures.total_time_ratio, ratio)),
        ("ns per node", |v| or_dash(v.figures.ns_per_node, |ns| format!("{ns:.2}"))),
        ("puzzles/s", |v| or_dash(v.figures.puzzles_per_s, rate)),
        ("nodes/s", |v| or_dash(v.figures.nodes_per_s, rate)),
        ("mean", |v| or_dash(v.figures.mean_ns, duration)),
    ];
    by_variant(file, &columns, text);
    let _ = writeln!(text, "Time of {one} (p90: 90 % of them took at most this long):\n");
    let percentiles: [Column; 6] = [
        ("min", |v| or_dash(v.latency.min_ns(), nanoseconds)),
        ("p50", |v| or_dash(v.figures.p50_ns, nanoseconds)),
        ("p90", |v| or_dash(v.figures.p90_ns, nanoseconds)),
        ("p99", |v| or_dash(v.figures.p99_ns, nanoseconds)),
        ("p99.9", |v| or_dash(v.figures.p999_ns, nanoseconds)),
        ("max", |v| or_dash(v.latency.max_ns(), nanoseconds)),
    ];
    by_variant(file, &percentiles, text);
    text.push_str("Work:\n\n");
    let work: [Column; 5] = [
        ("nodes", |v| count(v.counts.nodes)),
        ("placements", |v| count(v.counts.placements)),
        ("backtracks", |v| count(v.counts.backtracks)),
        ("checks", |v| count(v.counts.checks)),
        ("calls", |v| count(v.counts.calls)),
    ];
    by_variant(file, &work, text);
    if file.variants.iter().any(|variant| variant.spread.is_some()) {
        text.push_str(
            "How much the form of a puzzle matters: the most nodes of a form over the fewest, among \
             the forms that were measured, and the median of that over the puzzles:\n\n",
        );
        let spread: [Column; 1] =
            [("spread over forms", |v| or_dash(v.spread, |spread| format!("{spread:.2}")))];
        by_variant(file, &spread, text);
    }
}

/// A column's title, and its value for a variant.
type Column<'a> = (&'a str, fn(&VariantResult) -> String);

/// A table with a row for each variant.
fn by_variant(file: &FileResult, columns: &[Column], text: &mut String) {
    let titles = columns.iter().map(|column| column.0);
    let mut table = Table::new(std::iter::once("variant").chain(titles));
    for variant in &file.variants {
        let values = columns.iter().map(|(_, value)| value(variant));
        table.row(std::iter::once(cell(&variant.name)).chain(values));
    }
    text.push_str(&table.render());
}

/// How many rows there were, and what became of them.
pub(super) fn population(of: &Population) -> String {
    let mut parts = vec![format!("{} compared", count(of.compared))];
    let mut add = |number: u64, what: &str| {
        if number > 0 {
            parts.push(format!("{} {what}", count(number)));
        }
    };
    for dropped in &of.dropped {
        add(dropped.puzzles, &because(dropped));
    }
    add(of.invalid, "with conflicting givens");
    add(of.malformed, "malformed");
    add(of.wrong, "answered wrongly");
    let mut text = format!("{}: {}.", plural(of.rows, "row"), parts.join(", "));
    if of.unsolvable > 0 {
        let _ = write!(text, " {} of the compared have no solution.", count(of.unsolvable));
    }
    if of.different_solutions > 0 {
        let _ = write!(
            text,
            " On {} the variants found different solutions, all right.",
            plural(of.different_solutions, "puzzle")
        );
    }
    if let Some(forms) = &of.forms {
        let _ = write!(text, " Of the puzzles' forms {} were measured", count(forms.measured));
        for dropped in &forms.dropped {
            let _ = write!(text, ", {} {}", count(dropped.puzzles), because(dropped));
        }
        text.push('.');
    }
    text
}

/// Why puzzles or forms of them were dropped.
fn because(dropped: &Dropped) -> String {
    let limit = dropped.status.strip_prefix("limit-").unwrap_or(&dropped.status);
    format!("dropped for all because {} hit the {} cap", code(&dropped.variant), escape(limit))
}

fn nanoseconds(ns: u64) -> String {
    duration(ns as f64)
}
