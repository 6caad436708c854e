//! `report.md`: a run for human readers.

use super::{FileResult, Run, VariantResult, count, duration, plural, rate};
use std::fmt::Write;

/// The report as Markdown.
pub fn markdown(run: &Run) -> String {
    let mut text = String::from("# Comparison of Sudoku templates\n\n");
    warnings(run, &mut text);
    for file in &run.files {
        section(run, file, &mut text);
    }
    if run.files.len() > 1 {
        section(run, &run.total(), &mut text);
    }
    how(run, &mut text);
    text
}

/// What a reader must know before any figure.
fn warnings(run: &Run, text: &mut String) {
    let wrong: Vec<&FileResult> = run.files.iter().filter(|file| file.wrong > 0).collect();
    for file in &wrong {
        let _ = write!(
            text,
            "**INVALID**: on {} of {} a variant is wrong",
            plural(file.wrong, "puzzle"),
            escape(&file.name)
        );
        if let Some(first) = &file.first_wrong {
            let _ = write!(text, "; first on line {}: {}", first.line, escape(&first.reason));
        }
        text.push_str(".\n");
    }
    if run.interrupted {
        text.push_str(
            "**Partial**: the run was interrupted; the figures cover the groups of puzzles that were \
             finished.\n",
        );
    }
    if !wrong.is_empty() || run.interrupted {
        text.push('\n');
    }
}

fn section(run: &Run, file: &FileResult, text: &mut String) {
    let _ = writeln!(text, "## {}\n\n{}\n", escape(&file.name), population(file));
    text.push_str("Time of all puzzles:\n\n");
    let baseline = format!("total / {}", cell(&run.settings.baseline));
    let columns: [Column; 6] = [
        ("total", |v| duration(v.latency.total_ns() as f64)),
        (&baseline, |v| or_dash(v.figures.total_time_ratio, ratio)),
        ("ns per node", |v| or_dash(v.figures.ns_per_node, |ns| format!("{ns:.2}"))),
        ("puzzles/s", |v| or_dash(v.figures.puzzles_per_s, rate)),
        ("nodes/s", |v| or_dash(v.figures.nodes_per_s, rate)),
        ("mean", |v| or_dash(v.figures.mean_ns, duration)),
    ];
    table(file, &columns, text);
    text.push_str("Time of a puzzle (p90: 90 % of them took at most this long):\n\n");
    let percentiles: [Column; 6] = [
        ("min", |v| or_dash(v.latency.min_ns(), nanoseconds)),
        ("p50", |v| or_dash(v.figures.p50_ns, nanoseconds)),
        ("p90", |v| or_dash(v.figures.p90_ns, nanoseconds)),
        ("p99", |v| or_dash(v.figures.p99_ns, nanoseconds)),
        ("p99.9", |v| or_dash(v.figures.p999_ns, nanoseconds)),
        ("max", |v| or_dash(v.latency.max_ns(), nanoseconds)),
    ];
    table(file, &percentiles, text);
    text.push_str("Work:\n\n");
    let work: [Column; 5] = [
        ("nodes", |v| count(v.counts.nodes)),
        ("placements", |v| count(v.counts.placements)),
        ("backtracks", |v| count(v.counts.backtracks)),
        ("checks", |v| count(v.counts.checks)),
        ("calls", |v| count(v.counts.calls)),
    ];
    table(file, &work, text);
}

/// A column's title, and its value for a variant.
type Column<'a> = (&'a str, fn(&VariantResult) -> String);

/// A table with a row for each variant.
fn table(file: &FileResult, columns: &[Column], text: &mut String) {
    let mut rows = vec![
        std::iter::once("variant")
            .chain(columns.iter().map(|c| c.0))
            .map(String::from)
            .collect::<Vec<_>>(),
    ];
    for variant in &file.variants {
        let values = columns.iter().map(|(_, value)| value(variant));
        rows.push(std::iter::once(cell(&variant.name)).chain(values).collect());
    }
    let widths: Vec<usize> = (0..=columns.len())
        .map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0))
        .collect();
    for (number, row) in rows.iter().enumerate() {
        for (column, (cell, &width)) in std::iter::zip(row, &widths).enumerate() {
            let _ = match column {
                0 => write!(text, "| {cell:<width$} |"),
                _ => write!(text, " {cell:>width$} |"),
            };
        }
        text.push('\n');
        if number == 0 {
            for (column, width) in widths.iter().enumerate() {
                let _ = match column {
                    0 => write!(text, "|{}|", "-".repeat(width + 2)),
                    _ => write!(text, "{}:|", "-".repeat(width + 1)),
                };
            }
            text.push('\n');
        }
    }
    text.push('\n');
}

/// How many rows there were, and what became of them.
fn population(file: &FileResult) -> String {
    let mut parts = vec![format!("{} compared", count(file.compared))];
    let mut add = |number: u64, what: &str| {
        if number > 0 {
            parts.push(format!("{} {what}", count(number)));
        }
    };
    for dropped in &file.dropped {
        let limit = dropped.status.strip_prefix("limit-").unwrap_or(&dropped.status);
        add(
            dropped.puzzles,
            &format!("dropped for all because {} hit the {limit} cap", code(&dropped.variant)),
        );
    }
    add(file.invalid, "with conflicting givens");
    add(file.malformed, "malformed");
    add(file.wrong, "answered wrongly");
    let mut text = format!("{}: {}.", plural(file.rows, "row"), parts.join(", "));
    if file.unsolvable > 0 {
        let _ = write!(text, " {} of the compared have no solution.", count(file.unsolvable));
    }
    if file.different_solutions > 0 {
        let _ = write!(
            text,
            " On {} the variants found different solutions, all right.",
            plural(file.different_solutions, "puzzle")
        );
    }
    text
}

/// How the figures came about.
fn how(run: &Run, text: &mut String) {
    let (provenance, settings) = (&run.provenance, &run.settings);
    text.push_str("## How this was measured\n\n");
    let _ = writeln!(
        text,
        "Every variant solved the same puzzles on the same thread, first counting its work, then \
         once against the clock. `total` is the sum of the times of single puzzles, and the rates \
         are those of one thread. One timed pass is an observation, not a verdict: differences of \
         some percent can be chance, and placement of the code alone can make them.\n\n\
         `nodes` are calls of the recursive function that reach an empty cell, `placements` digits \
         written, `backtracks` digits erased, `checks` turns of the digit loop, `calls` all calls of \
         the recursive function.\n"
    );
    let cap = match (settings.max_nodes, settings.max_time_ns) {
        (None, None) => "none".into(),
        (Some(nodes), None) => format!("{} nodes", count(nodes)),
        (None, Some(ns)) => duration(ns as f64),
        (Some(nodes), Some(ns)) => format!("{} nodes, {}", count(nodes), duration(ns as f64)),
    };
    let sample = settings
        .sample
        .map_or("all rows".into(), |rows| format!("{} rows drawn from each file", count(rows)));
    let _ = writeln!(text, "- Command: {}", code(&provenance.command));
    let _ = writeln!(text, "- Cap per puzzle: {cap}; sample: {sample}; seed: {}", settings.seed);
    let _ = writeln!(
        text,
        "- Machine: {}, {}, {}",
        escape(&provenance.cpu),
        plural(provenance.cores as u64, "core"),
        plural(settings.threads as u64, "solving thread")
    );
    let _ = writeln!(text, "- sudoku-bench {}, {}", provenance.version, provenance.date);
}

/// A ratio, with more decimals where it is small.
fn ratio(ratio: f64) -> String {
    if ratio < 0.1 { format!("{ratio:.5}") } else { format!("{ratio:.3}") }
}

fn nanoseconds(ns: u64) -> String {
    duration(ns as f64)
}

fn or_dash<T>(value: Option<T>, show: impl Fn(T) -> String) -> String {
    value.map_or("–".into(), show)
}

/// Text that Markdown shows as it is.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '\n' | '\r' => escaped.push(' '),
            '|' | '\\' | '`' | '*' | '_' | '<' | '>' | '[' | ']' | '#' | '&' | '~' => {
                escaped.extend(['\\', character]);
            }
            _ => escaped.push(character),
        }
    }
    escaped
}

/// Code style within a table, where GitHub wants a pipe escaped even in code.
fn cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// Text in code style: the fence is longer than any run of back quotes in it.
fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_a_table() {
        assert_eq!(cell("a|b"), "`a\\|b`");
        assert_eq!(code("a|b"), "`a|b`");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(code("two\nlines"), "`two lines`");
        assert_eq!(escape("a|b <i>\n"), "a\\|b \\<i\\> ");
    }
}
