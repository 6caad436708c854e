//! Two runs against each other, for human readers.

use super::escape::{cell, code, escape};
use super::table::Table;
use crate::report::format::{estimate, percent, ratio};
use crate::report::{Change, Diff, FileDiff, Note, count, plural};
use crate::solver::Engine;
use std::fmt::Write;

/// What became of the variants, as Markdown.
pub fn diff_markdown(diff: &Diff) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "# {}", answer(diff));
    let _ = writeln!(
        text,
        "Time of a puzzle in NEW over that in OLD. A variant is slower if the interval of its \
         typical ratio, at {} % for each by itself, lies above 1 + the limit: {} %, or what copies \
         of the baseline made in either run if that is more.\n",
        percent(diff.confidence),
        percent(diff.fail_on)
    );
    for note in &diff.notes {
        let _ = writeln!(text, "- {}.", sentence(note));
    }
    if !diff.notes.is_empty() {
        text.push('\n');
    }
    diff.files.iter().for_each(|file| section(file, &mut text));
    differences(diff, &mut text);
    text
}

/// All answers in words, the worst first.
fn answer(diff: &Diff) -> String {
    let changes = [Change::Slower, Change::Faster, Change::NotDecided, Change::Within];
    let answers = changes.into_iter().filter_map(|change| {
        let names = names(diff, change);
        (!names.is_empty()).then(|| format!("{}: {}", in_words(change), names.join(", ")))
    });
    answers.collect::<Vec<_>>().join("; ")
}

/// The variants with this answer, each with its file if there are several.
fn names(diff: &Diff, change: Change) -> Vec<String> {
    let of_file = |file: &FileDiff| {
        let variants = file.variants.iter().filter(move |variant| variant.change == change);
        let place = match diff.files.len() {
            1 => String::new(),
            _ => format!(" on {}", code(&file.name)),
        };
        variants.map(|variant| format!("{}{place}", code(&variant.name))).collect::<Vec<_>>()
    };
    diff.files.iter().flat_map(of_file).collect()
}

fn in_words(change: Change) -> &'static str {
    match change {
        Change::Slower => "SLOWER beyond the limit",
        Change::Faster => "FASTER beyond the limit",
        Change::Within => "NO CHANGE beyond the limit",
        Change::NotDecided => "NOT DECIDED",
    }
}

fn sentence(note: &Note) -> String {
    match note {
        Note::NoControls { run, file } => format!(
            "Warning: {run} has no bound from copies of the baseline on {}, so the effect of \
             placement there is not known",
            code(file)
        ),
        Note::OtherPasses { old, new } => format!(
            "Warning: a time is the shortest of {old} in OLD and of {new} in NEW; the more there are, \
             the shorter it is"
        ),
        Note::OnlyIn { run, variant } => format!("Only {run} has {}", code(variant)),
        Note::PerBlock => format!(
            "{} is left out: it takes many puzzles at once and has no time for one",
            code(Engine::Lanes.name())
        ),
        Note::OtherForms => {
            "The runs have other seeds and so other forms of the puzzles: each puzzle \
                             is held against itself as it stands, and its other forms are left out"
                .into()
        }
        Note::OtherNodes { file, variant, puzzles } => format!(
            "The algorithm of {} has changed: other node counts on {} of {}",
            code(variant),
            plural(*puzzles, "puzzle"),
            code(file)
        ),
        Note::CommonFactor { file, factor } => format!(
            "All variants moved together on {}, by a factor of about {}: rather a faster or slower \
             machine or moment than a change of one variant",
            code(file),
            ratio(*factor)
        ),
    }
}

fn section(file: &FileDiff, text: &mut String) {
    let bound = |bound: Option<f64>| match bound {
        Some(bound) => format!("{:.2} %", bound * 100.0),
        None => "unknown".into(),
    };
    let _ = writeln!(
        text,
        "## {}\n\n{} in both runs, {} only in OLD, {} only in NEW. Limit {:.2} %; copies of the \
         baseline: {} in OLD, {} in NEW.\n",
        escape(&file.name),
        plural(file.puzzles, "puzzle"),
        count(file.only_old),
        count(file.only_new),
        file.limit * 100.0,
        bound(file.old_bound),
        bound(file.new_bound)
    );
    let mut table = Table::new(["variant", "typical puzzle", "total time", "NEW against OLD"]);
    for variant in &file.variants {
        table.row([
            cell(&variant.name),
            estimate(variant.typical),
            ratio(variant.total_time_ratio),
            in_words(variant.change).into(),
        ]);
    }
    if !file.variants.is_empty() {
        text.push_str(&table.render());
    }
}

fn differences(diff: &Diff, text: &mut String) {
    text.push_str("## What differs beside the times\n\n");
    if diff.differences.is_empty() {
        text.push_str("Nothing: settings, build and processor are the same.\n");
        return;
    }
    let mut table = Table::new(["what", "OLD", "NEW"]);
    for difference in &diff.differences {
        let value = |text: &String| escape(if text.is_empty() { "none" } else { text });
        let [old, new] = &difference.values[..] else { continue };
        table.row([difference.what.clone(), value(old), value(new)]);
    }
    text.push_str(table.render().trim_end());
    text.push('\n');
}
