//! What several threads do together, or one with nothing else to do.

use super::escape::cell;
use super::or_dash;
use super::table::Table;
use crate::report::{FileResult, Run, Settings, Throughput, plural, rate};
use std::fmt::Write;

/// The throughput of a file, or that it was not measured although it should have been.
pub(super) fn throughput(run: &Run, file: &FileResult, text: &mut String) {
    match &file.throughput {
        Some(throughput) => {
            introduction(throughput, file, &run.settings, text);
            rates(throughput, &run.settings, text);
        }
        None if is_missing(run, file) => text.push_str(
            "Throughput was asked for and not measured, since the run was cut short.\n\n",
        ),
        None => {}
    }
}

/// Whether there would be a throughput, had the run not ended before. There is none without a
/// puzzle, or after a wrong answer, however long it goes on.
fn is_missing(run: &Run, file: &FileResult) -> bool {
    let population = &file.population;
    let is_measurable = !file.finished || population.compared > 0;
    let is_asked = !run.settings.throughput_threads.is_empty();
    is_asked && run.partial.is_some() && is_measurable && population.wrong == 0
}

/// What was done to find the rates.
fn introduction(
    throughput: &Throughput,
    file: &FileResult,
    settings: &Settings,
    text: &mut String,
) {
    let puzzles = plural(throughput.puzzles, "puzzle");
    let puzzles = match throughput.puzzles {
        drawn if drawn < file.population.compared => {
            format!("{puzzles} of those compared, drawn at random")
        }
        1 => "the one puzzle compared".into(),
        _ => format!("all {puzzles} compared"),
    };
    let passes = plural(u64::from(throughput.passes), "pass");
    let (solvers, brackets) = match settings.throughput_threads[..] {
        [1] => ("one thread".into(), String::new()),
        [threads] => (format!("{threads} threads together"), String::new()),
        [fewest, ..] => (
            "each number of threads together".into(),
            format!("; in brackets it stands over that of {}", plural(fewest as u64, "thread")),
        ),
        [] => ("several threads together".into(), String::new()),
    };
    let _ = writeln!(
        text,
        "Throughput: {puzzles}, solved by {solvers}, all in memory, nothing being counted and no \
         puzzle timed by itself; in one pass several times, where that would be over too soon or \
         leave threads idle. The rate is by the wall clock while all threads are busy, that of the \
         fastest of {passes}{brackets}:\n"
    );
}

/// The rates of the variants, by the number of threads.
fn rates(throughput: &Throughput, settings: &Settings, text: &mut String) {
    let titles = settings.throughput_threads.iter().map(|&threads| {
        let threads = plural(threads as u64, "thread");
        format!("puzzles/s, {threads}")
    });
    let mut table = Table::new(std::iter::once("variant".to_string()).chain(titles));
    for variant in &settings.variants {
        let find = |&threads: &usize| {
            let mut rates = throughput.rates.iter();
            let found = rates.find(|it| it.variant == *variant && it.threads == threads);
            found.map(|found| found.puzzles_per_s)
        };
        let first = settings.throughput_threads.first().and_then(find);
        let show = |puzzles_per_s: f64| match first {
            Some(first) if settings.throughput_threads.len() > 1 => {
                format!("{} (×{:.2})", rate(puzzles_per_s), puzzles_per_s / first)
            }
            _ => rate(puzzles_per_s),
        };
        let values = settings.throughput_threads.iter().map(|threads| or_dash(find(threads), show));
        table.row(std::iter::once(cell(variant)).chain(values));
    }
    text.push_str(&table.render());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Partial, ThreadRate};
    use std::path::Path;

    /// What is said of a file with so many compared puzzles whose throughput was measured with so
    /// many of them.
    fn text_of(compared: u64, puzzles: u64, threads: &[usize]) -> String {
        let mut run = run(threads);
        let rate = |&threads: &usize| ThreadRate {
            variant: run.settings.variants[0].clone(),
            threads,
            puzzles_per_s: 1e4 * threads as f64,
        };
        let rates = threads.iter().map(rate).collect();
        run.files[0].throughput = Some(Throughput { puzzles, passes: 3, rates });
        run.files[0].population.compared = compared;
        text(&run)
    }

    fn run(threads: &[usize]) -> Run {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/renderings/report.json");
        let mut run = Run::read(&path).unwrap();
        run.settings.throughput_threads = threads.to_vec();
        run
    }

    fn text(run: &Run) -> String {
        let mut text = String::new();
        throughput(run, &run.files[0], &mut text);
        text
    }

    #[test]
    fn it_says_how_many_puzzles_were_taken() {
        let begins = |compared, puzzles, beginning: &str| {
            let text = text_of(compared, puzzles, &[1, 2]);
            assert!(text.starts_with(&format!("Throughput: {beginning}, solved by ")), "{text}");
        };
        begins(20_000, 16_384, "16,384 puzzles of those compared, drawn at random");
        begins(20_000, 1, "1 puzzle of those compared, drawn at random");
        begins(1000, 1000, "all 1,000 puzzles compared");
        begins(1, 1, "the one puzzle compared");
    }

    #[test]
    fn only_several_numbers_of_threads_are_held_against_the_first() {
        for (threads, solvers) in [(1, "one thread"), (3, "3 threads together")] {
            let text = text_of(9, 9, &[threads]);
            assert!(text.contains(&format!("solved by {solvers}, ")), "{text}");
            assert!(!text.contains("in brackets") && !text.contains('×'), "{text}");
        }
        let text = text_of(9, 9, &[1, 3]);
        assert!(text.contains("solved by each number of threads together, "), "{text}");
        assert!(text.contains("; in brackets it stands over that of 1 thread:"), "{text}");
        assert!(text.contains("(×1.00)") && text.contains("(×3.00)"), "{text}");
    }

    #[test]
    fn throughput_that_the_end_of_the_run_left_out_is_missed_and_no_other() {
        let mut cut = run(&[1]);
        cut.partial = Some(Partial::Interrupted);
        let missing = "Throughput was asked for and not measured, since the run was cut short.\n\n";
        assert_eq!(text(&cut), missing);
        let mut early = cut.clone();
        (early.files[0].finished, early.files[0].population.compared) = (false, 0);
        assert_eq!(text(&early), missing);

        let mut unasked = cut.clone();
        unasked.settings.throughput_threads.clear();
        let mut without_puzzle = cut.clone();
        without_puzzle.files[0].population.compared = 0;
        let mut wrong = cut;
        wrong.files[0].population.wrong = 1;
        for run in [run(&[1]), unasked, without_puzzle, wrong] {
            assert_eq!(text(&run), "");
        }
    }
}
