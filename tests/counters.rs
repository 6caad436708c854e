//! The templates do exactly the work that was counted for known puzzles.
//!
//! The values in `counters.csv` were counted with the templates' original C++ code, and the
//! verdicts and solutions confirmed by other solvers. The columns from `naive_result` on say what
//! the bare templates do, without a check of the givens; `nodes` of `>n` means that nobody has
//! waited for the end. A longer list of the same form is read from the folder of shared reference
//! data, if there is one.

mod bare;

use bare::{Run, TEMPLATES, at_most};
use rayon::prelude::*;
use serde::Deserialize;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use sudoku_bench::grid::Grid;
use sudoku_bench::solver::{Counts, Limits, Outcome, Status, Stop, Variant, count_solutions};

/// Searches of more nodes than this take seconds, and are left to an ignored test.
const LONG: u64 = 12_000_000;

/// Where a search is stopped that would not end.
const CAP: u64 = 100_000;

#[derive(Deserialize)]
struct Row {
    name: String,
    puzzle: String,
    verdict: String,
    solution_count: String,
    solution: String,
    naive_result: String,
    nodes: String,
    placements: Option<u64>,
    backtracks: Option<u64>,
    checks: Option<u64>,
    calls_break: Option<u64>,
    calls_return: Option<u64>,
    calls_rescan: Option<u64>,
    naive_board: String,
}

fn read(path: &Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

fn parse(text: &str) -> Grid {
    Grid::parse(text.as_bytes()).unwrap()
}

impl Row {
    /// How many nodes a template needs; `None` when that isn't known.
    fn nodes(&self) -> Option<u64> {
        self.nodes.parse().ok()
    }

    /// The five counters of each template, in the order of [`TEMPLATES`].
    fn counts(&self, nodes: u64) -> [Counts; 3] {
        [self.calls_break, self.calls_return, self.calls_rescan].map(|calls| Counts {
            nodes,
            placements: self.placements.unwrap(),
            backtracks: self.backtracks.unwrap(),
            checks: self.checks.unwrap(),
            calls: calls.unwrap(),
        })
    }

    fn check(&self) {
        let puzzle = parse(&self.puzzle);
        match self.nodes() {
            Some(nodes) => self.bare_templates_do_what_was_counted(&puzzle, nodes),
            None => self.bare_templates_stop_at_a_cap(&puzzle),
        }
        for variant in Variant::TEMPLATES {
            let limits = if self.nodes().is_some() { Limits::default() } else { at_most(CAP) };
            assert_eq!(variant.solve(&puzzle, &limits), self.outcome(), "{}: {variant}", self.name);
        }
        self.mrv_finds_as_many_solutions(&puzzle);
    }

    fn bare_templates_do_what_was_counted(&self, puzzle: &Grid, nodes: u64) {
        let found: bool = self.naive_result.parse().unwrap();
        // A failed search takes everything back.
        let grid = if found { parse(&self.naive_board) } else { *puzzle };
        for ((variant, run), counts) in TEMPLATES.into_iter().zip(self.counts(nodes)) {
            let expected = Run { found, stopped: None, counts, grid };
            assert_eq!(run(puzzle, &Limits::default()), expected, "{}: {variant}", self.name);
        }
    }

    fn bare_templates_stop_at_a_cap(&self, puzzle: &Grid) {
        for (variant, run) in TEMPLATES {
            let run = run(puzzle, &at_most(CAP));
            assert_eq!(run.stopped, Some(Stop::Nodes), "{}: {variant}", self.name);
            assert_eq!(run.counts.nodes, CAP, "{}: {variant}", self.name);
        }
    }

    /// The answer of every template, under [`CAP`] where the number of nodes isn't known.
    fn outcome(&self) -> Outcome {
        let unsolved = |status, nodes| Outcome { status, solution: None, nodes };
        match (self.verdict.as_str(), self.nodes()) {
            ("invalid", _) => unsolved(Status::Invalid, 0),
            (_, None) => unsolved(Status::LimitNodes, CAP),
            ("unsolvable", Some(nodes)) => unsolved(Status::Unsolvable, nodes),
            ("unique" | "multiple", Some(nodes)) => {
                Outcome { status: Status::Solved, solution: Some(parse(&self.solution)), nodes }
            }
            (other, _) => panic!("{}: no such verdict as {other}", self.name),
        }
    }

    fn mrv_finds_as_many_solutions(&self, puzzle: &Grid) {
        let solutions = match self.solution_count.as_str() {
            "0" => 0,
            "1" => 1,
            _ => 2,
        };
        match count_solutions(puzzle, &at_most(CAP)) {
            Some(counted) => assert_eq!(counted, solutions, "{}", self.name),
            None => assert_eq!(self.nodes(), None, "{}: mrv, too, gives up", self.name),
        }
        let outcome = Variant::Mrv.solve(puzzle, &at_most(CAP));
        if self.verdict == "invalid" {
            assert_eq!(outcome, self.outcome(), "{}: mrv", self.name);
        }
        if self.verdict == "unique" {
            assert_eq!(outcome.solution, Some(parse(&self.solution)), "{}: mrv", self.name);
        }
    }
}

/// The longer list; `None`, after a note, when it isn't there.
fn shared_rows() -> Option<Vec<Row>> {
    let shared = match std::env::var_os("SUDOKU_BENCH_SHARED") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"),
    };
    let path = shared.join("reference/counters.csv");
    if !path.exists() {
        // Written past the test harness, which would hide the note of a test that passes.
        let _ = writeln!(stderr(), "note: nothing was compared, as there is no {}", path.display());
        return None;
    }
    let rows = read(&path);
    assert!(!rows.is_empty(), "{} has no rows", path.display());
    Some(rows)
}

#[test]
fn known_puzzles_take_exactly_the_known_work() {
    let rows = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/counters.csv"));
    assert!(rows.len() >= 12);
    rows.par_iter().for_each(Row::check);
}

#[test]
fn the_shared_puzzles_take_exactly_the_known_work() {
    let rows = shared_rows().unwrap_or_default();
    rows.par_iter()
        .filter(|row| row.nodes().is_none_or(|nodes| nodes <= LONG))
        .for_each(Row::check);
}

#[test]
#[ignore = "150 million nodes for each template; half a minute in a release build"]
fn the_longest_shared_puzzles_take_exactly_the_known_work() {
    let rows = shared_rows().unwrap_or_default();
    rows.par_iter()
        .filter(|row| row.nodes().is_some_and(|nodes| nodes > LONG))
        .for_each(Row::check);
}
