//! The short report for a terminal, in colours.

use super::format::{duration, interval, or_dash, plural, rate, ratio, verdict_name};
use super::markdown::trust;
use super::{FileResult, Finding, PerBlock, Run};
use crate::stats::{Claim, Interval, Verdict};
use anstyle::{AnsiColor, Style};
use std::fmt::Write;

/// The verdicts with the main figures, a table for each file, with the escape sequences of a
/// terminal; whoever prints it takes them out where there is none.
pub fn text(run: &Run) -> String {
    let mut text = String::new();
    for file in &run.files {
        let compared = plural(file.population.compared, "puzzle");
        let _ = writeln!(text, "{}", styled(BOLD, &format!("{}: {compared}", clean(&file.name))));
        if file.population.wrong > 0 {
            let wrong = plural(file.population.wrong, "puzzle");
            let line = format!("INVALID: on {wrong} a variant is wrong");
            let _ = writeln!(text, "{}", styled(style(Verdict::Invalid), &line));
        }
        table(run, file, &mut text);
        for finding in &file.claims {
            claim(finding, &mut text);
        }
        text.push('\n');
    }
    let _ = writeln!(text, "How far to trust it: {}", trust(run).replace('`', ""));
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

/// A name without what a terminal would obey.
fn clean(name: &str) -> String {
    name.replace(char::is_control, "\u{fffd}")
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
        let word = verdict.map_or("baseline", verdict_name).into();
        let style = verdict.map_or(Style::new().dimmed(), style);
        rows.push(([variant.name.clone(), size, word, p50, p99, puzzles], style));
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
    let _ = writeln!(text, "  “{}”: {}", finding.claim, styled(style, answer));
}
