//! `layouts.md`: the claim-grade report for human readers.

use super::escape::{cell, code, escape};
use super::head::{Answer, Said, claims, controls, corrected, each, forms, two_lines};
use super::how::{circumstances, input};
use super::table::Table;
use super::terms;
use super::{chart, population};
use crate::report::charts::Chart;
use crate::report::format::{interval, or_dash, percent, ratio, verdict_name};
use crate::report::{Judged, Layouts, LayoutsFile, OverLayouts, Source, count, plural};
use crate::solver::Engine;
use crate::stats::{Grade, leeway};
use std::fmt::Write;

/// So many layouts are usual. Fewer do, but Student's t makes them pay for it.
const USUAL: usize = 12;

/// The report over several layouts as Markdown, without a chart.
pub fn layouts_markdown(layouts: &Layouts) -> String {
    layouts_with_forest(layouts, None)
}

/// The report with a reference to its forest plot, which is a file beside it.
pub(in crate::report) fn layouts_with_forest(layouts: &Layouts, forest: Option<&Chart>) -> String {
    let mut text = String::new();
    let margin = layouts.settings.margin;
    let said: Vec<Said> = layouts.files.iter().map(|file| said(file, margin)).collect();
    three_lines(layouts, &said, &mut text);
    notes(layouts, &mut text);
    claims(&said, &layouts.settings.baseline, &mut text);
    if let Some(forest) = forest {
        text.push_str("## All comparisons\n\n");
        chart(forest, &mut text);
    }
    for file in &layouts.files {
        section(layouts, file, &mut text);
    }
    how(layouts, &mut text);
    text.push('\n');
    terms::terms(Grade::ClaimGrade, &mut text);
    text
}

/// What is said of a file.
fn said(file: &LayoutsFile, margin: f64) -> Said<'_> {
    let leeway = leeway(margin, file.control_bound());
    let answers = file.comparisons.iter().map(Judged::from);
    Said {
        name: &file.name,
        compared: file.population.compared,
        wrong: file.population.wrong,
        answers: answers.map(|judged| Answer::per_puzzle(judged, leeway)).collect(),
        claims: &file.claims,
    }
}

fn three_lines(layouts: &Layouts, said: &[Said], text: &mut String) {
    let baseline = &layouts.settings.baseline;
    let lead = format!(
        "Typical time of a puzzle{} over {}, as a ratio to that of {}, with {} % intervals{}",
        forms(&layouts.settings),
        number_of(layouts),
        code(baseline),
        percent(layouts.settings.confidence),
        corrected(said)
    );
    two_lines(said, baseline, &lead, text);
    let _ = writeln!(text, "How far to trust it: {}\n", trust(layouts));
}

fn number_of(layouts: &Layouts) -> String {
    plural(layouts.runs.len() as u64, "layout")
}

/// Layouts, controls, where the intervals come from, and warnings.
fn trust(layouts: &Layouts) -> String {
    let mut text = format!("claim-grade: {}", number_of(layouts));
    if layouts.runs.len() < USUAL {
        let _ = write!(text, ", where {USUAL} are usual");
    }
    let bound = layouts.files.iter().filter_map(LayoutsFile::control_bound).reduce(f64::max);
    text.push_str(&controls(bound, &layouts.settings));
    if bound.is_some() {
        text.push_str(" on average over the layouts");
    }
    if let Some(bound) = bound.filter(|&bound| bound > layouts.settings.margin) {
        let percent = bound * 100.0;
        let _ = write!(text, ", so EQUIVALENT means no more than within {percent:.2} %");
    }
    let sources: Vec<(&str, String)> = layouts
        .files
        .iter()
        .filter_map(|file| Some((file.name.as_str(), sources(file)?)))
        .collect();
    if !sources.is_empty() {
        let _ = write!(text, "; {}", each(sources.into_iter()));
    }
    let warnings: u64 = layouts.runs.iter().map(|run| run.warnings).sum();
    let _ = match warnings {
        0 => write!(text, "; no warnings."),
        _ => write!(text, "; {} in the runs' own reports.", plural(warnings, "warning")),
    };
    text
}

/// Which of the two intervals is the wider one, by variant.
fn sources(file: &LayoutsFile) -> Option<String> {
    let by = |source: Source, what: &str| {
        let of_source = file.comparisons.iter().filter(|c| c.typical.dominates == Some(source));
        let names: Vec<String> = of_source.map(|comparison| code(&comparison.variant)).collect();
        (!names.is_empty()).then(|| format!("{what} dominates for {}", names.join(", ")))
    };
    let parts = [
        by(Source::Between, "the spread between layouts"),
        by(Source::Within, "the error within one layout"),
    ];
    parts.into_iter().flatten().reduce(|one, other| format!("{one}, {other}"))
}

/// What a reader must know before any figure.
fn notes(layouts: &Layouts, text: &mut String) {
    let mut lines = String::new();
    for file in layouts.files.iter().filter(|file| file.population.wrong > 0) {
        let (name, wrong) = (escape(&file.name), plural(file.population.wrong, "puzzle"));
        let _ = writeln!(
            lines,
            "- {name}: **INVALID**: on {wrong} a variant is wrong; the runs' own reports tell more."
        );
    }
    if layouts.settings.has_lanes() {
        let _ = writeln!(
            lines,
            "- Note: {} is compared per block, and each run's own report tells of it.",
            code(Engine::Lanes.name())
        );
    }
    for difference in &layouts.differences {
        let values: Vec<String> = difference.values.iter().map(|value| escape(value)).collect();
        let _ = writeln!(
            lines,
            "- Note: the runs differ in more than the layout, {}: {}.",
            escape(&difference.what),
            values.join("; ")
        );
    }
    if !lines.is_empty() {
        let _ = writeln!(text, "{lines}");
    }
}

fn section(layouts: &Layouts, file: &LayoutsFile, text: &mut String) {
    let _ = writeln!(text, "## {}\n\n{}\n", escape(&file.name), population(&file.population));
    let has_copies = file.controls.as_ref().is_some_and(|controls| !controls.copies.is_empty());
    if !file.comparisons.is_empty() || has_copies {
        intervals(layouts, file, text);
        by_layout(layouts, file, text);
    }
}

/// Every variant against the baseline, and the copies of the baseline.
fn intervals(layouts: &Layouts, file: &LayoutsFile, text: &mut String) {
    let settings = &layouts.settings;
    let baseline = code(&settings.baseline);
    let _ = writeln!(
        text,
        "Typical time over that of {baseline}, the geometric mean over {}; the copies are \
         separately placed copies of {baseline}'s own code:\n",
        number_of(layouts)
    );
    let titles =
        ["variant", "ratio", "within one layout", "between layouts", "dominates", "verdict"];
    let mut table = Table::new(titles);
    for (name, typical, verdict) in ratios(file) {
        let dominates = or_dash(typical.dominates, |source| match source {
            Source::Within => "within".into(),
            Source::Between => "between".into(),
        });
        table.row([
            cell(name),
            ratio(typical.ratio),
            or_dash(typical.within, interval),
            interval(typical.between),
            dominates,
            verdict.into(),
        ]);
    }
    text.push_str(&table.render());
    let corrected: Vec<String> = file
        .comparisons
        .iter()
        .map(|comparison| format!("{} %", percent(comparison.corrected_confidence)))
        .collect();
    let corrected = match corrected.as_slice() {
        [] => String::new(),
        corrected => format!(
            " Those of the variants are at the confidence that Holm's correction asks for ({} \
             between layouts).",
            corrected.join(", ")
        ),
    };
    let _ = writeln!(
        text,
        "The verdict goes by the wider of the two intervals.{corrected} Those of the copies are at \
         {} %. Differences up to {} % do not matter by the margin that was set.\n",
        percent(settings.confidence),
        percent(settings.margin)
    );
}

/// All ratios of a file, with a verdict's name.
fn ratios(file: &LayoutsFile) -> impl Iterator<Item = (&str, &OverLayouts, &'static str)> {
    let copies = file.controls.iter().flat_map(|controls| &controls.copies);
    let copies = copies.map(|copy| (copy.name.as_str(), &copy.typical, "control"));
    let comparisons = file.comparisons.iter();
    comparisons.map(|c| (c.variant.as_str(), &c.typical, verdict_name(c.verdict))).chain(copies)
}

/// The ratios of each layout.
fn by_layout(layouts: &Layouts, file: &LayoutsFile, text: &mut String) {
    text.push_str("Layout by layout:\n\n");
    let names = ratios(file).map(|(name, ..)| cell(name));
    let mut table = Table::new(std::iter::once("run".to_string()).chain(names));
    for (index, run) in layouts.runs.iter().enumerate() {
        let values = ratios(file).map(|(_, typical, _)| ratio(typical.ratios[index]));
        table.row(std::iter::once(cell(&run.name)).chain(values));
    }
    text.push_str(&table.render());
}

/// The runs, and the circumstances of the first one.
fn how(layouts: &Layouts, text: &mut String) {
    text.push_str(
        "## How this was measured\n\n\
         Every run measured the same puzzles with the same settings, as its own report tells; what \
         differs is the order in which the linker placed the functions. The interval within one \
         layout has the geometric means of the runs' bounds, and covers which puzzles there are. \
         The interval between layouts is Student's t on the logarithms of the runs' ratios, and \
         covers where the code lies.\n\n",
    );
    let mut table = Table::new(["run", "date", "commit", "warnings"]);
    for run in &layouts.runs {
        let commit = or_dash(run.commit.as_deref(), |commit| {
            cell(&commit.chars().take(12).collect::<String>())
        });
        table.row([cell(&run.name), escape(&run.date), commit, count(run.warnings)]);
    }
    text.push_str(&table.render());
    text.push_str("Of the first run:\n\n");
    let _ = writeln!(text, "- Command: {}", code(&layouts.provenance.command));
    circumstances(&layouts.provenance, &layouts.settings, &layouts.timer, text);
    for file in &layouts.files {
        input(&file.name, Some(file.input_rows), Some(&file.sha256), text);
    }
}
