//! The whole way from a clock to a report, with a clock that is scripted: given durations, the
//! figures are exact.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::io::{self, Cursor};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use sudoku_bench::arch::Isa;
use sudoku_bench::batch::{Compare, Observer, Terms};
use sudoku_bench::dataset::{Hints, Reader, RowError};
use sudoku_bench::grid::Grid;
use sudoku_bench::measure::{Arm, Clock, Lineup, Race, Timer};
use sudoku_bench::report::{
    Code, Comparison, FileResult, Provenance, PuzzlesWriter, Run, SCHEMA_VERSION, Settings,
    markdown, summary,
};
use sudoku_bench::solver::{Limits, Mrv, Probe, Search};
use sudoku_bench::stats::Verdict;

thread_local! {
    /// Nanoseconds that scripted searches have taken on this thread.
    static NOW: Cell<u64> = const { Cell::new(0) };
    /// How often an arm has searched a puzzle with the clock running.
    static SEARCHES: RefCell<HashMap<(u64, String), usize>> = RefCell::default();
}

/// Shows what scripted searches have taken, and is free to look at.
struct ScriptedClock;

impl Clock for ScriptedClock {
    type Moment = u64;
    fn now(&self) -> u64 {
        NOW.get()
    }
    fn ns(&self, start: u64, end: u64) -> u64 {
        end - start
    }
}

const PASSES: usize = 6;

/// What disturbs each pass, in nanoseconds: the shortest time is the true one, and the median lies
/// 4 above it.
const DISTURBANCES: [u64; PASSES] = [5, 0, 9, 1, 7, 3];

/// Takes `TIMES` hundredths of the puzzle's own duration, when it is timed.
struct Scripted<const ARM: u64, const TIMES: u64> {
    puzzle: Grid,
    honest: Mrv<9>,
}

/// The duration that a puzzle stands for, in nanoseconds: each has its own.
fn duration(puzzle: &Grid) -> u64 {
    let cells = puzzle.cells().iter().enumerate();
    100 * cells.map(|(cell, &digit)| (cell as u64 + 7) * u64::from(digit)).sum::<u64>()
}

impl<const ARM: u64, const TIMES: u64> Search for Scripted<ARM, TIMES> {
    fn new(puzzle: &Grid) -> Self {
        Scripted { puzzle: *puzzle, honest: Mrv::new(puzzle) }
    }

    fn run<P: Probe>(&mut self, probe: &mut P) -> bool {
        // Only the probe that is timed has no size.
        if std::mem::size_of::<P>() == 0 {
            let pass = SEARCHES.with_borrow_mut(|searches| {
                let count = searches.entry((ARM, self.puzzle.to_string())).or_default();
                *count += 1;
                (*count - 1) % PASSES
            });
            let true_ns = duration(&self.puzzle) * TIMES / 100;
            NOW.set(NOW.get() + true_ns + DISTURBANCES[pass]);
        }
        self.honest.run(probe)
    }

    fn grid(&self) -> Grid {
        self.honest.grid()
    }
}

/// Hears of nothing.
struct Deaf;

impl Observer for Deaf {
    fn rows(&mut self, _: u64) {}
    fn malformed(&mut self, _: u64, _: &RowError) -> io::Result<()> {
        Ok(())
    }
}

/// Distinct puzzles of the embedded set.
fn puzzles(count: usize) -> Vec<Grid> {
    let text = include_str!("../data/embedded.csv");
    let lines = text.lines().filter(|line| line.len() >= 81 && !line.starts_with("puzzle"));
    lines.take(count).map(|line| Grid::parse(&line.as_bytes()[..81]).unwrap()).collect()
}

/// The comparison of a baseline with arms that take exactly 0.97, 1, and 2 times as long.
fn compare(puzzles: &[Grid], threads: usize, file: Option<&mut PuzzlesWriter>) -> FileResult {
    compare_forms(puzzles, 0, threads, file)
}

/// The same with this number of other forms of each puzzle.
fn compare_forms(
    puzzles: &[Grid],
    isomorphs: u32,
    threads: usize,
    file: Option<&mut PuzzlesWriter>,
) -> FileResult {
    let contenders = vec![
        Arm::of::<Scripted<0, 100>>("base"),
        Arm::of::<Scripted<1, 97>>("faster"),
        Arm::of::<Scripted<2, 100>>("same"),
        Arm::of::<Scripted<3, 200>>("slower"),
    ];
    let copies = [Arm::of::<Scripted<4, 100>>("copy-1"), Arm::of::<Scripted<5, 100>>("copy-2")];
    let lineup = Lineup::new(contenders, 0).with_controls(copies);
    race(&lineup, puzzles, isomorphs, threads, file)
}

/// The comparison of the arms of a line-up.
fn race(
    lineup: &Lineup<ScriptedClock>,
    puzzles: &[Grid],
    isomorphs: u32,
    threads: usize,
    file: Option<&mut PuzzlesWriter>,
) -> FileResult {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let text: String = puzzles.iter().map(|puzzle| format!("{puzzle}\n")).collect();
    let reader = Reader::new(Cursor::new(text), &Hints::default()).unwrap().unwrap();
    let compare = Compare {
        race: Race {
            lineup,
            limits: Limits::default(),
            clock: &ScriptedClock,
            timer: Timer::of(&ScriptedClock),
            passes: PASSES as u32,
            seed: 1,
        },
        terms: &Terms { confidence: 0.95, margin: 0.01, identical_code: vec![None; 4] },
        sample: None,
        isomorphs,
        lanes: None,
        deadline: None,
        pool: &pool,
    };
    compare.run("scripted", reader, file, &mut Deaf).unwrap()
}

fn close(value: f64, expected: f64) -> bool {
    (value / expected - 1.0).abs() < 1e-12
}

/// Whether a comparison says exactly this ratio, in every estimate.
fn is_exactly(comparison: &Comparison, ratio: f64) -> bool {
    let deciles = comparison.deciles.iter().map(|decile| decile.typical);
    let estimates = [Some(comparison.typical), comparison.geometric_mean, comparison.total_time];
    estimates.into_iter().map(Option::unwrap).chain(deciles).all(|estimate| {
        let interval = estimate.interval.expect("there are puzzles enough");
        [estimate.ratio, interval.lo, interval.hi].into_iter().all(|value| close(value, ratio))
    })
}

#[test]
fn scripted_durations_give_exact_figures() {
    let puzzles = puzzles(500);
    let folder = tempfile::tempdir().unwrap();
    let mut file = PuzzlesWriter::create(folder.path().join("puzzles.csv")).unwrap();
    let result = compare(&puzzles, 2, Some(&mut file));
    file.finish().unwrap();

    assert_eq!(
        (result.population.rows, result.population.compared, result.input_rows),
        (500, 500, Some(500))
    );
    assert!(result.finished);
    assert_eq!(
        (result.population.wrong, result.repeated, result.population.different_solutions),
        (0, 0, 0)
    );

    let [faster, same, slower] = &result.comparisons[..] else { panic!("three comparisons") };
    assert!(is_exactly(faster, 0.97) && is_exactly(same, 1.0) && is_exactly(slower, 2.0));
    assert_eq!(faster.verdict, Verdict::Faster);
    assert_eq!(same.verdict, Verdict::Equivalent);
    assert_eq!(slower.verdict, Verdict::Slower);
    assert_eq!((faster.wins, faster.ties, faster.losses), (500, 0, 0));
    assert_eq!((same.wins, same.ties, same.losses), (0, 500, 0));
    assert_eq!((slower.wins, slower.ties, slower.losses), (0, 0, 500));
    assert_eq!((slower.puzzles, slower.groups, slower.deciles.len()), (500, 32, 10));
    assert!(slower.deciles.iter().all(|decile| decile.puzzles == 50));

    let controls = result.controls.unwrap();
    assert_eq!(controls.bound, Some(0.0));
    assert_eq!(controls.copies.len(), 2);

    let durations = || puzzles.iter().map(duration);
    for (variant, times) in std::iter::zip(&result.variants, [100, 97, 100, 200]) {
        let expected = || durations().map(|ns| ns * times / 100);
        assert_eq!(variant.latency.total_ns(), expected().sum::<u64>());
        assert_eq!(variant.latency.min_ns(), expected().min());
        assert_eq!(variant.latency.max_ns(), expected().max());
        let nodes = variant.counts.nodes as f64;
        assert!(close(
            variant.figures.ns_per_node.unwrap(),
            expected().sum::<u64>() as f64 / nodes
        ));
    }
    // Each arm searched each puzzle once for each disturbance.
    let all_arms = 100 + 97 + 100 + 200 + 100 + 100;
    let true_ns: u64 = durations().map(|ns| PASSES as u64 * ns * all_arms / 100).sum();
    let disturbances: u64 = 500 * 6 * DISTURBANCES.iter().sum::<u64>();
    assert_eq!(result.effort.timed_ns, true_ns + disturbances);
    assert_eq!(result.effort.counting_ns, 0);

    let rows = std::fs::read_to_string(folder.path().join("puzzles.csv")).unwrap();
    let mut rows = rows.lines().skip(1);
    for (index, puzzle) in puzzles.iter().enumerate() {
        let arms = ["base", "faster", "same", "slower", "copy-1", "copy-2"];
        for (arm, times) in std::iter::zip(arms, [100, 97, 100, 200, 100, 100]) {
            let row: Vec<&str> = rows.next().unwrap().split(',').collect();
            let ns = duration(puzzle) * times / 100;
            assert_eq!(row[..5], ["scripted", &(index + 1).to_string(), "0", arm, "solved"]);
            assert_eq!(row[10..], [ns.to_string(), (ns + 4).to_string()]);
        }
    }
    assert_eq!(rows.next(), None);
}

/// A run of one file, on a machine that nobody knows.
fn run(file: FileResult) -> Run {
    let unknown = || "unknown".to_string();
    Run {
        schema_version: SCHEMA_VERSION,
        provenance: Provenance {
            command: "sudoku-bench compare scripted".into(),
            cores: 3,
            ..Provenance::default()
        },
        settings: Settings {
            inputs: vec!["scripted".into()],
            baseline: "base".into(),
            passes: PASSES as u32,
            controls: true,
            confidence: 0.95,
            margin: 0.01,
            ..Settings::default()
        },
        partial: None,
        timer: Timer::of(&ScriptedClock),
        code: Code { layout: vec![0; 6], not_checked: Some(unknown()), functions: Vec::new() },
        warnings: Vec::new(),
        puzzles: None,
        shards: None,
        files: vec![file],
    }
}

#[test]
fn the_report_shows_the_scripted_figures() {
    let puzzles = puzzles(500);
    let run = run(compare(&puzzles, 2, None));
    let report = markdown(&run);
    let head: Vec<&str> = report.lines().take(3).collect();
    assert_eq!(
        head,
        [
            "# `faster` is FASTER than `base`; `same` is EQUIVALENT to `base` within 1 %; `slower` is SLOWER \
             than `base`",
            "Typical time of a puzzle, over that of `base`, with 95 % intervals corrected for \
             several comparisons: `faster` 0.9700 \
             [0.9700, 0.9700], `same` 1.0000 [1.0000, 1.0000], `slower` 2.0000 [2.0000, 2.0000], \
             n = 500 puzzles.  ",
            "How far to trust it: one layout; copies of `base`'s own code differ from it by up to \
             0.00 %, so no difference below the margin, 1.00 %, can be claimed; no warnings.",
        ]
    );
    let rows: Vec<String> = report
        .lines()
        .map(|line| line.split('|').map(str::trim).collect::<Vec<_>>().join("|"))
        .collect();
    let has = |row: &str| rows.iter().any(|line| line == row);
    let two = "2.0000 [2.0000, 2.0000]";
    assert!(has(&format!("|`slower`|{two}|[2.0000, 2.0000]|{two}|{two}|0 : 0 : 500|SLOWER|")));
    let summary = summary(&run);
    let total: u64 = puzzles.iter().map(|puzzle| 2 * duration(puzzle)).sum();
    let slower = summary.lines().find(|line| line.contains(",slower,")).unwrap();
    assert!(slower.starts_with("scripted,slower,500,") && slower.contains(&format!(",{total},")));
    assert!(slower.ends_with("slower"), "the verdict: {slower}");
    // And once more from the file.
    let json = serde_json::to_string(&run).unwrap();
    assert_eq!(markdown(&serde_json::from_str(&json).unwrap()), report);
}

#[test]
fn threads_change_no_figure() {
    let puzzles = puzzles(300);
    let [one, four] = [1, 4].map(|threads| {
        let mut result = compare(&puzzles, threads, None);
        // Of the real clock.
        result.effort.wall_ns = 0;
        // The reference puzzle has no passes, so its disturbance depends on what its thread did.
        (result.drift, result.warnings) = (None, Vec::new());
        result
    });
    assert_eq!(one, four);
}

#[test]
fn every_form_of_a_puzzle_is_raced_by_every_arm() {
    let puzzles = puzzles(40);
    let folder = tempfile::tempdir().unwrap();
    let mut file = PuzzlesWriter::create(folder.path().join("puzzles.csv")).unwrap();
    let result = compare_forms(&puzzles, 3, 2, Some(&mut file));
    file.finish().unwrap();
    assert_eq!((result.population.rows, result.population.compared), (40, 40));
    let forms = result.population.forms.as_ref().unwrap();
    assert_eq!((forms.measured, forms.dropped.len()), (160, 0));
    // Each arm takes its part of a duration that is another one for each form.
    let [faster, same, slower] = &result.comparisons[..] else { panic!("three comparisons") };
    for (comparison, ratio) in [(faster, 0.97), (same, 1.0), (slower, 2.0)] {
        assert!(close(comparison.typical.ratio, ratio), "{comparison:?}");
        assert!(close(comparison.geometric_mean.unwrap().ratio, ratio));
        assert!(close(comparison.total_time.unwrap().ratio, ratio));
        assert_eq!((comparison.puzzles, comparison.groups), (40, 3));
    }
    assert_eq!((faster.wins, same.ties, slower.losses), (40, 40, 40));
    assert!(result.variants.iter().all(|variant| variant.latency.count() == 160));

    let rows = std::fs::read_to_string(folder.path().join("puzzles.csv")).unwrap();
    let mut rows = rows.lines().skip(1);
    let mut distinct = HashSet::new();
    for (index, puzzle) in puzzles.iter().enumerate() {
        for form in 0..4 {
            let of_form: Vec<Vec<&str>> =
                rows.by_ref().take(6).map(|row| row.split(',').collect()).collect();
            let base_ns: u64 = of_form[0][10].parse().unwrap();
            if form == 0 {
                assert_eq!(base_ns, duration(puzzle));
            }
            distinct.insert(base_ns);
            let arms = ["base", "faster", "same", "slower", "copy-1", "copy-2"];
            for (row, (arm, times)) in
                std::iter::zip(of_form, std::iter::zip(arms, [100, 97, 100, 200, 100, 100]))
            {
                let place = [(index + 1).to_string(), form.to_string()];
                assert_eq!(row[1..4], [&place[0], &place[1], arm]);
                assert_eq!(row[10], (base_ns * times / 100).to_string());
            }
        }
    }
    assert_eq!(rows.next(), None);
    assert!(distinct.len() > 120, "forms are other grids: {}", distinct.len());
}

#[test]
fn threads_change_no_form() {
    let puzzles = puzzles(100);
    let [one, four] = [1, 4].map(|threads| {
        let mut result = compare_forms(&puzzles, 4, threads, None);
        result.effort.wall_ns = 0;
        (result.drift, result.warnings) = (None, Vec::new());
        result
    });
    assert_eq!(one, four);
}

/// Takes a time that is the same for all forms of a puzzle, and another one for other puzzles.
struct BlindToForms<const ARM: u64> {
    puzzle: Grid,
    honest: Mrv<10>,
}

impl<const ARM: u64> Search for BlindToForms<ARM> {
    fn new(puzzle: &Grid) -> Self {
        BlindToForms { puzzle: *puzzle, honest: Mrv::new(puzzle) }
    }

    fn run<P: Probe>(&mut self, probe: &mut P) -> bool {
        let givens = self.puzzle.cells().iter().filter(|&&digit| digit > 0).count() as u64;
        let each = (1..=9).map(|digit| self.puzzle.cells().iter().filter(|&&d| d == digit).count());
        let pairs: usize = each.map(|count| count * count).sum();
        NOW.set(NOW.get() + 100_000 + ARM * (givens * 977 + pairs as u64 * 7919) % 9973);
        self.honest.run(probe)
    }

    fn grid(&self) -> Grid {
        self.honest.grid()
    }
}

#[test]
fn forms_that_are_alike_narrow_no_interval() {
    let arms = vec![Arm::of::<BlindToForms<0>>("base"), Arm::of::<BlindToForms<1>>("other")];
    let lineup = Lineup::new(arms, 0);
    let [once, often] = [0, 9].map(|isomorphs| race(&lineup, &puzzles(400), isomorphs, 2, None));
    let comparisons = [&once, &often].map(|result| &result.comparisons[0]);
    let bounds = comparisons.map(|comparison| {
        let estimates =
            [Some(comparison.typical), comparison.geometric_mean, comparison.total_time];
        estimates.map(|estimate| estimate.unwrap().interval.unwrap())
    });
    for (once, often) in std::iter::zip(bounds[0], bounds[1]) {
        assert!(once.width() > 1e-4, "the puzzles differ");
        assert!(close(once.lo, often.lo) && close(once.hi, often.hi), "{once:?} {often:?}");
    }
    assert_eq!(comparisons.map(|comparison| comparison.puzzles), [400, 400]);
    assert!((comparisons[0].ln_p_value - comparisons[1].ln_p_value).abs() < 1e-9);
    assert_eq!(often.variants[0].latency.count(), 4000);
}

/// Lies about grids whose first cell is a 9.
struct Liar(Mrv<11>, bool);

impl Search for Liar {
    fn new(puzzle: &Grid) -> Self {
        Liar(Mrv::new(puzzle), puzzle.cells()[0] == 9)
    }

    fn run<P: Probe>(&mut self, probe: &mut P) -> bool {
        self.0.run(probe) && !self.1
    }

    fn grid(&self) -> Grid {
        self.0.grid()
    }
}

#[test]
fn a_lie_in_any_form_is_found() {
    let lineup = Lineup::new(vec![Arm::of::<Mrv<12>>("honest"), Arm::of::<Liar>("liar")], 0);
    let mut puzzles = puzzles(60);
    puzzles.retain(|puzzle| puzzle.cells()[0] != 9);
    assert_eq!(race(&lineup, &puzzles, 0, 1, None).population.wrong, 0);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("puzzles.csv");
    let mut file = PuzzlesWriter::create(path.clone()).unwrap();
    let result = race(&lineup, &puzzles, 20, 1, Some(&mut file));
    file.finish().unwrap();
    let population = &result.population;
    assert!(population.wrong > 0);
    // Each of them has one row, which says no more.
    let rows = std::fs::read_to_string(path).unwrap();
    let wrong = rows.lines().filter(|row| row.contains(",wrong,")).collect::<Vec<_>>();
    assert_eq!(wrong.len() as u64, population.wrong);
    assert!(wrong.iter().all(|row| row.ends_with(",0,,wrong,,,,,,,")), "{wrong:?}");
    assert_eq!(population.compared + population.wrong, puzzles.len() as u64);
    assert_eq!(population.forms.as_ref().unwrap().measured, 21 * population.compared);
    let reason = result.first_wrong.unwrap().reason;
    assert!(
        reason.starts_with("in form ") && reason.contains("`liar` says unsolvable"),
        "{reason}"
    );
    assert!(result.comparisons.iter().all(|other| other.verdict == Verdict::Invalid));
}

#[test]
fn a_lie_that_all_tell_is_found_by_another_form() {
    let lineup = Lineup::new(vec![Arm::of::<Liar>("liar")], 0);
    let mut puzzles = puzzles(60);
    puzzles.retain(|puzzle| puzzle.cells()[0] != 9);
    let result = race(&lineup, &puzzles, 20, 1, None);
    let population = &result.population;
    assert!(population.wrong > 0);
    assert_eq!(population.compared + population.wrong, puzzles.len() as u64);
    assert_eq!(population.unsolvable, 0);
    let reason = result.first_wrong.unwrap().reason;
    let expected = "all say that there is no solution, and form 0 of the same puzzle has one";
    assert!(reason.starts_with("in form ") && reason.ends_with(expected), "{reason}");
}

/// Lets 10 ns pass at each look.
#[derive(Default)]
struct TickingClock(AtomicU64);

impl Clock for TickingClock {
    type Moment = u64;
    fn now(&self) -> u64 {
        self.0.fetch_add(10, Ordering::Relaxed)
    }
    fn ns(&self, start: u64, end: u64) -> u64 {
        end - start
    }
}

#[test]
fn lanes_are_compared_block_by_block_and_corrected_with_the_others() {
    let contenders = vec![Arm::of::<Mrv<13>>("base"), Arm::of::<Mrv<14>>("other")];
    let lineup = Lineup::new(contenders, 0).with_controls([Arm::of::<Mrv<15>>("copy-1")]);
    let clock = TickingClock::default();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let puzzle =
        "3..4..8.78172364..4.98.56...417...5.7.3.8..6.68.9.3174....2.7...3.547.822.4.985.3\n";
    let compare = Compare {
        race: Race {
            lineup: &lineup,
            limits: Limits::default(),
            clock: &clock,
            timer: Timer::default(),
            passes: 2,
            seed: 1,
        },
        terms: &Terms { confidence: 0.95, margin: 0.01, identical_code: vec![None; 2] },
        sample: None,
        isomorphs: 1,
        lanes: Some(Isa::Portable),
        deadline: None,
        pool: &pool,
    };
    let text = puzzle.repeat(20 * 256 + 1);
    let reader = Reader::new(Cursor::new(text), &Hints::default()).unwrap().unwrap();
    let result = compare.run("blocks", reader, None, &mut Deaf).unwrap();
    let per_block = result.per_block.unwrap();
    assert_eq!((per_block.blocks, per_block.short_blocks), (20, 1));
    // Both forms of each puzzle.
    assert_eq!(per_block.puzzles, 20 * 256 * 2);
    // Whatever is timed takes 10 ns: a puzzle by an arm, and a block by lanes.
    let (typical, total) = (per_block.typical.unwrap(), per_block.total_time.unwrap());
    let interval = per_block.corrected.unwrap();
    for ratio in [typical.ratio, total.ratio, interval.lo, interval.hi] {
        assert!(close(ratio, 1.0 / 512.0), "{ratio}");
    }
    assert_eq!((per_block.total_ns, per_block.baseline_ns), (20 * 10, 20 * 512 * 10));
    assert_eq!(per_block.control_bound(), Some(0.0));
    assert_eq!(per_block.verdict, Verdict::Faster);
    // Of two comparisons the one that differs needs more confidence.
    assert!(close(per_block.corrected_confidence, 0.975));
    assert!(close(result.comparisons[0].corrected_confidence, 0.95));
}

#[test]
fn with_too_few_puzzles_there_is_no_interval_and_a_warning() {
    let result = compare(&puzzles(5), 1, None);
    let slower = &result.comparisons[2];
    assert_eq!((slower.typical.ratio, slower.typical.interval), (2.0, None));
    assert_eq!(slower.verdict, Verdict::Inconclusive);
    assert!(slower.total_time.unwrap().interval.is_none());
    let kinds: Vec<String> = result
        .warnings
        .iter()
        .map(|w| serde_json::to_value(w).unwrap()["kind"].to_string())
        .collect();
    assert!(kinds.contains(&"\"too_few_puzzles\"".into()), "{kinds:?}");
    assert!(kinds.contains(&"\"too_few_groups\"".into()), "{kinds:?}");
}

#[test]
fn after_the_deadline_nothing_is_begun() {
    let lineup = Lineup::new(vec![Arm::of::<Scripted<0, 100>>("base")], 0);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let text: String = puzzles(600).iter().map(|puzzle| format!("{puzzle}\n")).collect();
    let race = Race {
        lineup: &lineup,
        limits: Limits::default(),
        clock: &ScriptedClock,
        timer: Timer::default(),
        passes: 2,
        seed: 1,
    };
    let terms = Terms { confidence: 0.95, margin: 0.01, identical_code: vec![None] };
    let deadline = Some(Instant::now());
    let compare = Compare {
        race,
        terms: &terms,
        sample: None,
        isomorphs: 0,
        lanes: None,
        deadline,
        pool: &pool,
    };
    let reader = Reader::new(Cursor::new(text), &Hints::default()).unwrap().unwrap();
    let result = compare.run("late", reader, None, &mut Deaf).unwrap();
    assert_eq!((result.population.rows, result.input_rows, result.finished), (0, Some(600), false));
    assert!(result.comparisons.is_empty());
}
