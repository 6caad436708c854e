//! The answer, its size, and how far to trust it, in three lines; then the claims and warnings.

use super::escape::{code, escape};
use crate::report::format::{interval, is_unsafe, or_dash, percent, ratio, verdict_name};
use crate::report::{
    FileResult, Finding, Judged, Partial, PerBlock, Run, Settings, ShardPlace, ShardRuns, count,
    plural,
};
use crate::stats::{Claim, Grade, Interval, Verdict, leeway};
use std::fmt::Write;

/// What the head says of one file, be it from one layout or from several.
pub(super) struct Said<'a> {
    pub(super) name: &'a str,
    pub(super) compared: u64,
    pub(super) wrong: u64,
    pub(super) answers: Vec<Answer<'a>>,
    pub(super) claims: &'a [Finding],
}

/// What the head says of one variant.
pub(super) struct Answer<'a> {
    variant: &'a str,
    /// Whether the ratio is that of a block of puzzles, not that of a puzzle.
    is_per_block: bool,
    ratio: Option<f64>,
    interval: Option<Interval>,
    verdict: Verdict,
    /// What counts as no difference: the margin, or the control bound if that is larger.
    leeway: f64,
}

impl<'a> Answer<'a> {
    /// From a comparison puzzle by puzzle.
    pub(super) fn per_puzzle(judged: Judged<'a>, leeway: f64) -> Self {
        let Judged { variant, ratio, interval, verdict } = judged;
        Answer { variant, is_per_block: false, ratio: Some(ratio), interval, verdict, leeway }
    }

    /// The ratio with its interval, as far as they are known.
    fn size(&self) -> String {
        let size = or_dash(self.ratio, ratio);
        self.interval.map_or(size.clone(), |bounds| format!("{size} {}", interval(bounds)))
    }

    fn per_block(per_block: &'a PerBlock, margin: f64) -> Self {
        Answer {
            variant: &per_block.variant,
            is_per_block: true,
            ratio: per_block.typical.map(|typical| typical.ratio),
            interval: per_block.corrected,
            verdict: per_block.verdict,
            leeway: leeway(margin, per_block.control_bound()),
        }
    }
}

impl<'a> Said<'a> {
    /// What is said of a file of one run.
    pub(super) fn of(file: &'a FileResult, margin: f64) -> Self {
        let leeway = leeway(margin, file.control_bound());
        let per_puzzle = file.comparisons.iter().map(Judged::from);
        let per_puzzle = per_puzzle.map(|judged| Answer::per_puzzle(judged, leeway));
        let per_block = file.per_block.iter().map(|it| Answer::per_block(it, margin));
        Said {
            name: &file.name,
            compared: file.population.compared,
            wrong: file.population.wrong,
            answers: per_puzzle.chain(per_block).collect(),
            claims: &file.claims,
        }
    }
}

/// The first three lines of the report. The first one is its title.
pub(super) fn three_lines(run: &Run, files: &[Said], text: &mut String) {
    let baseline = &run.settings.baseline;
    let sizes = format!(
        "Typical time of a puzzle{}, over that of {}, with {} % intervals{}",
        forms(&run.settings),
        code(baseline),
        percent(run.settings.confidence),
        corrected(files)
    );
    two_lines(files, baseline, &sizes, text);
    let _ = writeln!(text, "How far to trust it: {}\n", trust(run));
}

/// In how many forms each puzzle was solved, if there were several.
pub(super) fn forms(settings: &Settings) -> String {
    match settings.isomorphs {
        0 => String::new(),
        isomorphs => format!(", the mean of its {} forms", count(u64::from(isomorphs) + 1)),
    }
}

/// That intervals are wider where several comparisons are made.
pub(super) fn corrected(files: &[Said]) -> &'static str {
    // An engine with too few blocks is not tested.
    let tested = |answer: &&Answer| !answer.is_per_block || answer.interval.is_some();
    let several = files.iter().any(|file| file.answers.iter().filter(tested).count() > 1);
    if several { " corrected for several comparisons" } else { "" }
}

/// The answers and their sizes; `lead` tells what these are.
pub(super) fn two_lines(files: &[Said], baseline: &str, lead: &str, text: &mut String) {
    if files.is_empty() {
        text.push_str("# No puzzle was compared\nThere is nothing to compare.  \n");
        return;
    }
    let answers = files.iter().map(|file| (file.name, answers(file, baseline)));
    let _ = writeln!(text, "# {}", each(answers));
    let sizes = files.iter().map(|file| (file.name, sizes(file)));
    let _ = writeln!(text, "{lead}: {}.  ", each(sizes));
}

/// What is said of each file, with its name if there are several.
pub(super) fn each<'a>(files: impl ExactSizeIterator<Item = (&'a str, String)>) -> String {
    let count = files.len();
    files.map(|(name, what)| prefix(name, count) + &what).collect::<Vec<_>>().join("; ")
}

/// The name of a file before what is said of it, if there are several.
fn prefix(name: &str, files: usize) -> String {
    if files > 1 { format!("{}: ", escape(name)) } else { String::new() }
}

/// All verdicts of a file in words.
fn answers(file: &Said, baseline: &str) -> String {
    if file.wrong > 0 {
        return format!("INVALID: a wrong answer on {}", plural(file.wrong, "puzzle"));
    }
    if file.compared == 0 {
        return "No puzzle was compared".into();
    }
    if file.answers.is_empty() {
        return format!("{} alone was measured", code(baseline));
    }
    let answers = file.answers.iter().map(|answer| in_a_sentence(answer, baseline));
    answers.collect::<Vec<_>>().join("; ")
}

/// A verdict in words.
fn in_a_sentence(answer: &Answer, baseline: &str) -> String {
    let unit = if answer.is_per_block { " (per block)" } else { "" };
    let (variant, baseline) = (code(answer.variant) + unit, code(baseline));
    match answer.verdict {
        Verdict::Invalid => format!("{variant} against {baseline}: INVALID"),
        Verdict::IdenticalCode => {
            format!("{variant} and {baseline} are IDENTICAL CODE: any difference is placement")
        }
        Verdict::Faster => format!("{variant} is FASTER than {baseline}"),
        Verdict::Slower => format!("{variant} is SLOWER than {baseline}"),
        Verdict::SmallButReal => {
            let is_faster = answer.ratio.is_some_and(|ratio| ratio < 1.0);
            let side = if is_faster { "faster" } else { "slower" };
            format!("{variant} is {side} than {baseline}, a SMALL BUT REAL difference")
        }
        Verdict::Equivalent => {
            let leeway = percent((answer.leeway * 1e4).round() / 1e4);
            format!("{variant} is EQUIVALENT to {baseline} within {leeway} %")
        }
        Verdict::Inconclusive => format!("{variant} against {baseline} is INCONCLUSIVE"),
    }
}

/// The typical ratios of a file.
fn sizes(file: &Said) -> String {
    let size = |answer: &Answer| {
        let unit = if answer.is_per_block { " per block" } else { "" };
        format!("{}{unit} {}", code(answer.variant), answer.size())
    };
    let sizes: Vec<String> = file.answers.iter().map(size).collect();
    let sizes = if sizes.is_empty() { "nothing to compare".into() } else { sizes.join(", ") };
    format!("{sizes}, n = {}", plural(file.compared, "puzzle"))
}

/// What the copies of the baseline tell, given their bound if there is one.
pub(super) fn controls(bound: Option<f64>, settings: &Settings) -> String {
    match bound {
        Some(bound) => format!(
            "; copies of {}'s own code differ from it by up to {:.2} %",
            code(&settings.baseline),
            bound * 100.0
        ),
        None if settings.controls => {
            "; too few puzzles to tell how far copies of its code differ".into()
        }
        None => "; no controls".into(),
    }
}

/// Controls, layouts and warnings in a sentence or two.
pub(in crate::report) fn trust(run: &Run) -> String {
    let mut text = String::from("one layout");
    if let Some(shards) = &run.shards {
        text.push_str(&merged(shards));
    }
    let bound = run.files.iter().filter_map(FileResult::control_bound).reduce(f64::max);
    text.push_str(&controls(bound, &run.settings));
    let least = |bound| Grade::OneLayout.needed(run.settings.margin, Some(bound)) * 100.0;
    if let Some(bound) = bound {
        let rule = if 2.0 * bound > run.settings.margin { "twice that" } else { "the margin" };
        let least = least(bound);
        let _ = write!(text, ", so no difference below {rule}, {least:.2} %, can be claimed");
    }
    let of_blocks = |file: &FileResult| file.per_block.as_ref()?.controls.as_ref()?.bound;
    if let Some(bound) = run.files.iter().filter_map(of_blocks).reduce(f64::max) {
        let _ = write!(text, ", and per block none below {:.2} %", least(bound));
    }
    let _ = match run.warning_count() {
        0 => write!(text, "; no warnings."),
        warnings => write!(text, "; {}.", plural(warnings, "warning")),
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
        Some(Partial::Failed) => text
            .push_str(" PARTIAL: the run failed, and the figures cover what was finished before."),
        None => {}
    }
    if let Some(ShardPlace { index, of }) = run.settings.shard {
        let (index, of) = (count(index), count(of));
        let _ = write!(text, " The figures cover shard {index} of {of} of the file.");
    }
    let (files, inputs) = (run.files.len(), run.settings.inputs.len());
    if files < inputs {
        let _ = write!(text, " Of {} only {files} was begun.", plural(inputs as u64, "file"));
    }
    text
}

/// From how many shards a run was made, and in what they differ.
fn merged(shards: &ShardRuns) -> String {
    let number = plural(shards.runs.len() as u64, "shard");
    let what: Vec<String> = shards.differences.iter().map(|it| escape(&it.what)).collect();
    let differ = match what.as_slice() {
        [] => String::new(),
        what => format!(" that differ in {}", what.join(", ")),
    };
    match shards.runs.iter().map(|run| run.warnings).sum() {
        0 => format!(", from {number}{differ}"),
        warnings => {
            format!(
                ", from {number}{differ} ({} in their own reports)",
                plural(warnings, "warning")
            )
        }
    }
}

/// The claims of the write-up and their answers, for each file.
pub(super) fn claims(files: &[Said], baseline: &str, text: &mut String) {
    let is_about = |finding: &Finding| !finding.by.is_empty();
    if !files.iter().any(|file| file.claims.iter().any(is_about)) {
        return;
    }
    text.push_str("## The two claims of the LeetCode 37 write-up\n\n");
    for file in files {
        for finding in file.claims {
            let _ = writeln!(
                text,
                "- {}“{}”: **{}**{}",
                prefix(file.name, files.len()),
                escape(&finding.claim),
                in_words(finding.answer),
                figures(finding, &file.answers, baseline)
            );
        }
    }
    text.push('\n');
}

/// The answer to a claim in words.
fn in_words(answer: Claim) -> &'static str {
    match answer {
        Claim::Supported => "supported",
        Claim::NotSupported => "not supported",
        Claim::NotDecided => "not decided",
    }
}

/// The figures behind an answer.
fn figures(finding: &Finding, answers: &[Answer], baseline: &str) -> String {
    let figure = |answer: &Answer| {
        format!(
            "{} takes {} of {}'s time, {}",
            code(answer.variant),
            answer.size(),
            code(baseline),
            verdict_name(answer.verdict)
        )
    };
    let by = answers.iter().filter(|answer| finding.by.iter().any(|name| name == answer.variant));
    let figures: Vec<String> = by.map(figure).collect();
    if figures.is_empty() {
        return "; the run does not compare the variants that it is about".into();
    }
    format!(": {}", figures.join(", "))
}

/// What is worse than any warning: answers that are wrong.
pub(super) fn wrong(run: &Run, text: &mut String) {
    for file in run.files.iter().filter(|file| file.population.wrong > 0) {
        let first = file.first_wrong.as_ref().map_or(String::new(), |first| {
            format!("; first on line {}: {}", count(first.line), escape(&first.reason))
        });
        let (name, wrong) =
            (prefix(&file.name, run.files.len()), plural(file.population.wrong, "puzzle"));
        let _ = writeln!(text, "- {name}**INVALID**: on {wrong} a variant is wrong{first}.\n");
    }
}

/// What makes the figures less trustworthy.
pub(super) fn warnings(run: &Run, text: &mut String) {
    let of_run = run.warnings.iter().map(|warning| (String::new(), warning));
    let of_files = run.files.iter().flat_map(|file| {
        let name = prefix(&file.name, run.files.len());
        file.warnings.iter().map(move |warning| (name.clone(), warning))
    });
    let mut warnings = of_run.chain(of_files).peekable();
    if warnings.peek().is_none() {
        return;
    }
    text.push_str("## Warnings\n\n");
    for (name, warning) in warnings {
        let warning = warning.to_string().replace(is_unsafe, "\u{fffd}");
        let _ = writeln!(text, "- {name}Warning: {warning}.");
    }
    text.push('\n');
}
