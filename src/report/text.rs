//! The short report for a terminal, in colours.

use super::format::{
    count, duration, interval, is_unsafe, or_dash, plural, rate, ratio, verdict_name,
};
use super::markdown::{population, trust};
use super::{FileResult, Finding, PerBlock, Run, ThreadRate, Wrong};
use crate::stats::{Claim, Interval, Verdict};
use anstyle::{AnsiColor, Style};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The verdicts with the main figures, a table for each file, with the escape sequences of a
/// terminal; whoever prints it takes them out where there is none.
pub fn text(run: &Run) -> String {
    let mut text = String::new();
    for file in &run.files {
        let name = styled(BOLD, &clean(&file.name));
        let _ = writeln!(text, "{name}: {}", population(&file.population).replace('`', ""));
        wrong(file, &mut text);
        table(run, file, &mut text);
        throughput(file, &mut text);
        for finding in &file.claims {
            claim(finding, &mut text);
        }
        text.push('\n');
    }
    let _ = writeln!(text, "How far to trust it: {}", clean(&trust(run).replace('`', "")));
    for warning in run.warnings.iter().chain(run.files.iter().flat_map(|file| &file.warnings)) {
        let _ = writeln!(text, "  Warning: {}.", clean(&warning.to_string().replace('`', "")));
    }
    text
}

const BOLD: Style = Style::new().bold();

/// The colour of a verdict.
fn style(verdict: Verdict) -> Style {
    let colour = match verdict {
        Verdict::Faster | Verdict::SmallButReal => AnsiColor::Green,
        Verdict::Slower => AnsiColor::Yellow,
        Verdict::Invalid => AnsiColor::Red,
        Verdict::Equivalent | Verdict::IdenticalCode => AnsiColor::Cyan,
        Verdict::Inconclusive => return Style::new().dimmed(),
    };
    colour.on_default().bold()
}

fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// A text without what a terminal would obey.
fn clean(text: &str) -> String {
    text.replace(is_unsafe, "\u{fffd}")
}

/// The first puzzle on which a variant is wrong, if there is one.
fn wrong(file: &FileResult, text: &mut String) {
    let Some(Wrong { line, reason }) = &file.first_wrong else { return };
    let puzzles = plural(file.population.wrong, "puzzle");
    let first = format!("first on line {}: {}", count(*line), clean(reason));
    let line = format!("INVALID: on {puzzles} a variant is wrong; {first}");
    let _ = writeln!(text, "  {}", styled(style(Verdict::Invalid), &line));
}

/// What several threads do together, a line for each number of them.
fn throughput(file: &FileResult, text: &mut String) {
    let rates = file.throughput.iter().flat_map(|throughput| &throughput.rates);
    let mut by_threads: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for ThreadRate { variant, threads, puzzles_per_s } in rates {
        let figure = format!("{} {}", clean(variant), rate(*puzzles_per_s));
        by_threads.entry(*threads).or_default().push(figure);
    }
    for (threads, figures) in by_threads {
        let threads = plural(threads as u64, "thread");
        let _ = writeln!(text, "  puzzles/s on {threads}: {}", figures.join(", "));
    }
}

/// A row of cells, and the style of the third one, which is the verdict.
type Row = ([String; 6], Style);

fn table(run: &Run, file: &FileResult, text: &mut String) {
    let over = format!("time / {}", run.settings.baseline);
    let titles = ["variant", &over, "verdict", "p50", "p99", "puzzles/s"].map(String::from);
    let mut rows: Vec<Row> = vec![(titles, Style::new().dimmed())];
    for variant in &file.variants {
        let comparison = file.comparisons.iter().find(|other| other.variant == variant.name);
        let (size, verdict) = match comparison {
            Some(it) => (size(Some(it.typical.ratio), it.corrected), Some(it.verdict)),
            None => (String::new(), None),
        };
        let times = [variant.figures.p50_ns, variant.figures.p99_ns];
        let [p50, p99] = times.map(|time| or_dash(time, |ns| duration(ns as f64)));
        let puzzles = or_dash(variant.figures.puzzles_per_s, rate);
        let is_baseline = variant.name == run.settings.baseline;
        let word = verdict.map_or(if is_baseline { "baseline" } else { "–" }, verdict_name);
        let style = verdict.map_or(Style::new().dimmed(), style);
        rows.push(([variant.name.clone(), size, word.into(), p50, p99, puzzles], style));
    }
    if let Some(it) = &file.per_block {
        let dash = || "–".to_string();
        let size = size(it.typical.map(|typical| typical.ratio), it.corrected);
        let puzzles = or_dash(PerBlock::puzzles_per_s(it)[0], rate);
        let (name, word) = (format!("{} (per block)", it.variant), verdict_name(it.verdict).into());
        rows.push(([name, size, word, dash(), dash(), puzzles], style(it.verdict)));
    }
    let width = |column: usize| rows.iter().map(|(cells, _)| cells[column].chars().count()).max();
    let widths: [usize; 6] = std::array::from_fn(|column| width(column).unwrap_or(0));
    for (cells, style) in &rows {
        let mut line = String::from(" ");
        for (column, (cell, width)) in std::iter::zip(cells, widths).enumerate() {
            let cell = clean(cell);
            let cell = match column {
                0..=2 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            };
            let cell = if column == 2 { styled(*style, &cell) } else { cell };
            let _ = write!(line, " {cell} ");
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

fn size(typical: Option<f64>, bounds: Option<Interval>) -> String {
    match bounds {
        Some(bounds) => format!("{} {}", or_dash(typical, ratio), interval(bounds)),
        None => or_dash(typical, ratio),
    }
}

fn claim(finding: &Finding, text: &mut String) {
    let (answer, style) = match finding.answer {
        Claim::Supported => ("supported", AnsiColor::Green.on_default()),
        Claim::NotSupported => ("not supported", AnsiColor::Yellow.on_default()),
        Claim::NotDecided => ("not decided", Style::new().dimmed()),
    };
    let _ = writeln!(text, "  “{}”: {}", clean(&finding.claim), styled(style, answer));
}
