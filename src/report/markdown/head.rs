//! The answer, its size, and how far to trust it, in three lines; then the claims and warnings.

use super::escape::{code, escape};
use super::{interval, or_dash, ratio};
use crate::report::{Comparison, FileResult, Finding, Partial, Run, Warning, count, plural};
use crate::stats::{Claim, Verdict};
use std::fmt::Write;

/// The first three lines of the report. The first one is its title.
pub(super) fn three_lines(run: &Run, text: &mut String) {
    let each = |say: &dyn Fn(&FileResult) -> String| {
        let say = |file: &FileResult| match run.files.len() {
            1 => say(file),
            _ => format!("{}: {}", escape(&file.name), say(file)),
        };
        run.files.iter().map(say).collect::<Vec<_>>().join("; ")
    };
    let baseline = code(&run.settings.baseline);
    let _ = writeln!(text, "# {}", each(&|file| answers(file, &run.settings.baseline)));
    let _ = writeln!(
        text,
        "Typical time of a puzzle, over that of {baseline}, with {} % intervals: {}.  ",
        percent(run.settings.confidence),
        each(&sizes)
    );
    let _ = writeln!(text, "How far to trust it: {}\n", trust(run));
}

/// A fraction as a percentage, without superfluous digits.
pub(super) fn percent(fraction: f64) -> String {
    let rounded = format!("{:.4}", fraction * 100.0);
    rounded.trim_end_matches('0').trim_end_matches('.').into()
}

/// All verdicts of a file in words.
fn answers(file: &FileResult, baseline: &str) -> String {
    if file.wrong > 0 {
        return format!("INVALID: a wrong answer on {}", plural(file.wrong, "puzzle"));
    }
    if file.compared == 0 {
        return "No puzzle was compared".into();
    }
    if file.comparisons.is_empty() {
        return format!("{} alone was measured", code(baseline));
    }
    let answers = file.comparisons.iter().map(|comparison| answer(comparison, baseline));
    answers.collect::<Vec<_>>().join("; ")
}

/// A verdict in words.
pub(super) fn answer(comparison: &Comparison, baseline: &str) -> String {
    let (variant, baseline) = (code(&comparison.variant), code(baseline));
    match comparison.verdict {
        Verdict::Invalid => format!("{variant} against {baseline}: INVALID"),
        Verdict::IdenticalCode => {
            format!("{variant} and {baseline} are IDENTICAL CODE: any difference is placement")
        }
        Verdict::Faster => format!("{variant} is FASTER than {baseline}"),
        Verdict::Slower => format!("{variant} is SLOWER than {baseline}"),
        Verdict::SmallButReal => {
            let side = if comparison.typical.ratio < 1.0 { "faster" } else { "slower" };
            format!("{variant} is {side} than {baseline}, a SMALL BUT REAL difference")
        }
        Verdict::Equivalent => format!("{variant} is EQUIVALENT to {baseline}"),
        Verdict::Inconclusive => format!("{variant} against {baseline} is INCONCLUSIVE"),
    }
}

/// The typical ratios of a file.
fn sizes(file: &FileResult) -> String {
    let size = |comparison: &Comparison| {
        format!(
            "{} {} {}",
            code(&comparison.variant),
            ratio(comparison.typical.ratio),
            or_dash(comparison.typical.interval, interval)
        )
    };
    let sizes: Vec<String> = file.comparisons.iter().map(size).collect();
    let sizes = if sizes.is_empty() { "nothing to compare".into() } else { sizes.join(", ") };
    format!("{sizes}, n = {}", plural(file.compared, "puzzle"))
}

/// Controls, layouts and warnings in a sentence or two.
fn trust(run: &Run) -> String {
    let mut text = String::from("one layout");
    let controls = run.files.iter().filter_map(|file| file.controls.as_ref()?.bound);
    match controls.reduce(f64::max) {
        Some(bound) => {
            let _ = write!(
                text,
                "; copies of {}'s own code differ from it by up to {:.2} %, so nothing below {:.2} % \
                 can be claimed",
                code(&run.settings.baseline),
                bound * 100.0,
                (2.0 * bound).max(run.settings.margin) * 100.0
            );
        }
        None => text.push_str("; no controls"),
    }
    let warnings = run.warnings.len() + run.files.iter().map(|f| f.warnings.len()).sum::<usize>();
    let _ = match warnings {
        0 => write!(text, "; no warnings."),
        _ => write!(text, "; {}, below.", plural(warnings as u64, "warning")),
    };
    match run.partial {
        Some(Partial::Interrupted) => text.push_str(
            " PARTIAL: the run was interrupted, and the figures cover the groups of puzzles that \
             were finished.",
        ),
        Some(Partial::TimeBudget) => text.push_str(
            " PARTIAL: the time budget was spent, and the figures cover puzzles of randomly chosen \
             blocks.",
        ),
        None => {}
    }
    text
}

/// The claims of the write-up and their answers, for each file.
pub(super) fn claims(run: &Run, text: &mut String) {
    if run.files.iter().all(|file| file.claims.is_empty()) {
        return;
    }
    text.push_str("## The two claims\n\n");
    for file in &run.files {
        for finding in &file.claims {
            let name = match run.files.len() {
                1 => String::new(),
                _ => format!("{}: ", escape(&file.name)),
            };
            let _ = writeln!(
                text,
                "- {name}“{}”: **{}**{}",
                finding.claim,
                in_words(finding.answer),
                figures(finding, &file.comparisons, &run.settings.baseline)
            );
        }
    }
    text.push('\n');
}

/// The answer to a claim in words.
pub(super) fn in_words(answer: Claim) -> &'static str {
    match answer {
        Claim::Supported => "supported",
        Claim::NotSupported => "not supported",
        Claim::NotDecided => "not decided",
    }
}

/// The figures behind an answer.
fn figures(finding: &Finding, comparisons: &[Comparison], baseline: &str) -> String {
    let figure = |comparison: &Comparison| {
        format!(
            "{} takes {} {} of {}'s time",
            code(&comparison.variant),
            ratio(comparison.typical.ratio),
            or_dash(comparison.typical.interval, interval),
            code(baseline)
        )
    };
    let by = comparisons.iter().filter(|comparison| finding.by.contains(&comparison.variant));
    let figures: Vec<String> = by.map(figure).collect();
    if figures.is_empty() {
        return "; the run does not compare the variants that it is about".into();
    }
    format!(": {}", figures.join(", "))
}

/// What a reader must know before any figure.
pub(super) fn warnings(run: &Run, text: &mut String) {
    let mut line = |file: Option<&FileResult>, sentence: String| {
        let name = match file {
            Some(file) if run.files.len() > 1 => format!("{}: ", escape(&file.name)),
            _ => String::new(),
        };
        let _ = writeln!(text, "- {name}{sentence}.");
    };
    let mut any = false;
    for file in run.files.iter().filter(|file| file.wrong > 0) {
        any = true;
        let first = file.first_wrong.as_ref().map_or(String::new(), |first| {
            format!("; first on line {}: {}", count(first.line), escape(&first.reason))
        });
        let wrong = plural(file.wrong, "puzzle");
        line(Some(file), format!("**INVALID**: on {wrong} a variant is wrong{first}"));
    }
    let of_run = run.warnings.iter().map(|warning| (None, warning));
    let of_files = run
        .files
        .iter()
        .flat_map(|file| file.warnings.iter().map(move |warning| (Some(file), warning)));
    for (file, warning) in of_run.chain(of_files) {
        any = true;
        line(file, sentence(warning));
    }
    if any {
        text.push('\n');
    }
}

fn sentence(warning: &Warning) -> String {
    format!("Warning: {warning}")
}
