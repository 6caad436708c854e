//! `verify`: what it says of puzzles and of the solutions beside them.

mod common;

use common::*;
use serde::Deserialize;
use std::fs::File;
use sudoku_bench::grid::Grid;
use sudoku_bench::solver::{Limits, Variant, count_solutions};

/// A row of verdicts.
#[derive(Clone, Debug, Deserialize, PartialEq)]
struct Verdict {
    file: Option<String>,
    line: u64,
    puzzle: String,
    verdict: String,
    solutions: Option<u8>,
    solution_check: String,
}

impl Verdict {
    fn brief(&self) -> (&str, &str) {
        (&self.verdict, &self.solution_check)
    }
}

/// The two solutions of `TWO_SOLUTIONS`.
const FIRST: &str = EASY_SOLUTION;
const OTHER: &str =
    "367419825815236497429875631941762358753184269682953174598321746136547982274698513";
/// `FIRST` without four cells, two of its boxes among them.
const BOXES: &str =
    "36541982781.23.49542987563194176235875318426968295317459832174613.54.982274698513";
/// Fills `BOXES` so that every row and column is right, and no box of the four that matter.
const LATIN: &str =
    "365419827816237495429875631941762358753184269682953174598321746137546982274698513";

/// Takes millions of nodes to see that there is no solution.
const SLOW: &str =
    ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........";

/// A file with puzzles and solutions.
fn pairs(rows: &[(&str, &str)]) -> String {
    lines(
        ["puzzle,solution".to_owned()]
            .into_iter()
            .chain(rows.iter().map(|(puzzle, solution)| format!("{puzzle},{solution}"))),
    )
}

/// `text` with the character at `place` replaced.
fn with(text: &str, place: usize, character: &str) -> String {
    format!("{}{character}{}", &text[..place], &text[place + 1..])
}

/// Sixteen givens of `FULL`, which are too few for one solution.
fn sixteen_clues() -> String {
    let is_given = |cell: usize| cell > 0 && cell.is_multiple_of(5);
    FULL.char_indices().map(|(cell, digit)| if is_given(cell) { digit } else { '.' }).collect()
}

/// What `verify -o -` says of each row of a file.
#[track_caller]
fn verdicts(bench: &Bench, arguments: &str, code: i32) -> Vec<Verdict> {
    records(&bench.run(&format!("verify in.csv -o - {arguments}")).exits(code).stdout)
}

#[test]
fn every_kind_of_puzzle_gets_its_verdict() {
    let bench = Bench::with(csv(&[
        EASY,
        TWO_SOLUTIONS,
        &sixteen_clues(),
        EMPTY,
        &EMPTY.replace('.', "0"),
        FULL,
        UNSOLVABLE,
        &format!("55{}", &EMPTY[2..]),
        &with(&with(FULL, 79, "9"), 80, "7"),
        "12",
    ]));
    let found = verdicts(&bench, "", 4);
    let expected = [
        ("unique", Some(1)),
        ("multiple", Some(2)),
        ("multiple", Some(2)),
        ("multiple", Some(2)),
        ("multiple", Some(2)),
        ("unique", Some(1)),
        ("unsolvable", Some(0)),
        ("invalid", Some(0)),
        ("invalid", Some(0)),
        ("malformed", None),
    ];
    let found: Vec<_> =
        found.iter().map(|row| (row.line, row.verdict.as_str(), row.solutions)).collect();
    let expected: Vec<_> =
        (2..).zip(expected).map(|(line, (verdict, count))| (line, verdict, count)).collect();
    assert_eq!(found, expected);
    let done = bench.run("verify in.csv").exits(4);
    done.says(&[
        "in.csv:8: the puzzle has no solution",
        "in.csv:9: the givens conflict: row 1 has 5 more than once",
        "in.csv:10: the givens conflict: column 8 has 9 more than once",
        "in.csv:11: column 1: 2 characters",
    ]);
}

#[test]
fn every_kind_of_solution_is_told_from_the_others() {
    let conflicting = &with(EASY, 0, "8");
    let rows = [
        (EASY, EASY_SOLUTION, ("unique", "match")),
        (FULL, FULL, ("unique", "match")),
        (TWO_SOLUTIONS, FIRST, ("multiple", "match")),
        (TWO_SOLUTIONS, OTHER, ("multiple", "differs")),
        (BOXES, LATIN, ("unique", "not-valid")),
        (EASY, &with(EASY_SOLUTION, 1, "."), ("unique", "not-valid")),
        (EASY, FULL, ("unique", "contradicts")),
        (EASY, &EASY_SOLUTION[1..], ("unique", "malformed")),
        (EASY, "", ("unique", "missing")),
        (EASY, "  ", ("unique", "missing")),
        (TWO_SOLUTIONS, LATIN, ("multiple", "not-valid")),
        (TWO_SOLUTIONS, FULL, ("multiple", "contradicts")),
        (TWO_SOLUTIONS, "none", ("multiple", "malformed")),
        (TWO_SOLUTIONS, "", ("multiple", "missing")),
        (UNSOLVABLE, LATIN, ("unsolvable", "not-valid")),
        (UNSOLVABLE, FULL, ("unsolvable", "contradicts")),
        (UNSOLVABLE, "none", ("unsolvable", "malformed")),
        (UNSOLVABLE, "", ("unsolvable", "missing")),
        (conflicting, LATIN, ("invalid", "not-valid")),
        (conflicting, EASY_SOLUTION, ("invalid", "contradicts")),
        (conflicting, "none", ("invalid", "malformed")),
        (conflicting, "", ("invalid", "missing")),
        ("12", EASY_SOLUTION, ("malformed", "")),
        ("12", "12", ("malformed", "")),
    ];
    let text = pairs(&rows.map(|(puzzle, solution, _)| (puzzle, solution)));
    // A row that ends before its solution has none.
    let bench = Bench::with(text + EASY + "\n");
    let found = verdicts(&bench, "", 4);
    for (row, (puzzle, solution, expected)) in found.iter().zip(rows) {
        assert_eq!(row.brief(), expected, "{puzzle} {solution}");
    }
    assert_eq!(found.last().unwrap().brief(), ("unique", "missing"));
    assert_eq!(found.len(), rows.len() + 1);
}

#[test]
fn a_cap_stops_the_count_and_what_it_leaves_open_is_not_called_wrong() {
    let few = &format!("9{}", &EMPTY[1..]);
    let rows = [(EMPTY, FULL), (EMPTY, LATIN), (few, FULL), (few, "")];
    let bench = Bench::with(pairs(&rows));
    let found = verdicts(&bench, "--max-nodes 3", 4);
    let brief: Vec<_> = found.iter().map(Verdict::brief).collect();
    assert_eq!(
        brief,
        [
            ("limit-nodes", "valid"),
            ("limit-nodes", "not-valid"),
            ("limit-nodes", "contradicts"),
            ("limit-nodes", "missing"),
        ]
    );
    assert!(found.iter().all(|row| row.solutions.is_none()));
    bench.write("in.csv", pairs(&rows[..1]));
    bench.run("verify in.csv --max-nodes 3").exits(0);
    bench.write("slow.csv", csv(&[SLOW]));
    let slow = bench.run("verify slow.csv --max-time 1ms").exits(0);
    assert!(slow.stdout.contains("limit-time"), "{}", slow.stdout);
    let strict = bench.run("verify in.csv --max-nodes 3 --require-unique").exits(4);
    strict.says(&["in.csv:2: whether the puzzle is unique was not found (limit-nodes)"]);
}

#[test]
fn each_reason_names_the_place() {
    let cases = [
        (BOXES, LATIN.to_owned(), "box 1 of the solution has 6 more than once"),
        (EASY, with(EASY_SOLUTION, 4, "9"), "row 1 of the solution has 9 more than once"),
        (EASY, with(EASY_SOLUTION, 4, "."), "the solution is empty at r1c5"),
        (
            EASY,
            with(&with(EASY_SOLUTION, 4, "."), 80, "."),
            "the solution has 2 empty cells, the first at r1c5",
        ),
        (EASY, FULL.to_owned(), "the solution has 5 at r1c1, where the puzzle gives 3"),
        (
            EASY,
            EASY_SOLUTION[1..].to_owned(),
            "the solution is no grid: column 2: 80 characters where a 9x9 grid has 81",
        ),
    ];
    let rows: Vec<(&str, &str)> =
        cases.iter().map(|(puzzle, solution, _)| (*puzzle, solution.as_str())).collect();
    let bench = Bench::with(pairs(&rows));
    let done = bench.run("verify in.csv --errors errors.txt").exits(4);
    let expected: Vec<String> =
        (2..).zip(&cases).map(|(line, case)| format!("in.csv:{line}: {}", case.2)).collect();
    assert_eq!(bench.read("errors.txt"), lines(&expected));
    assert!(done.stderr.starts_with(&lines(&expected)), "{}", done.stderr);
}

#[test]
fn standard_error_shows_twenty_findings_and_the_errors_file_all() {
    let rows: Vec<(&str, &str)> =
        (0..50).map(|row| if row % 2 == 0 { ("12", "") } else { (EASY, FULL) }).collect();
    let bench = Bench::with(pairs(&rows));
    let done = bench.run("verify in.csv").exits(4);
    assert_eq!(done.stderr.lines().filter(|line| line.starts_with("in.csv:")).count(), 20);
    done.says(&["… and 30 more malformed or untrue rows; `verify --errors FILE` keeps them all"]);
    let done = bench.run("verify in.csv --errors all.txt").exits(4);
    assert!(done.stderr.contains("… and 30 more malformed or untrue rows\n"), "{}", done.stderr);
    assert_eq!(bench.read("all.txt").lines().count(), 50);
}

#[test]
fn the_exit_code_tells_what_is_wrong() {
    let sound = [(EASY, EASY_SOLUTION), (TWO_SOLUTIONS, OTHER), (SECOND, ""), (EMPTY, FULL)];
    let cases = [
        ("", sound.to_vec(), 0),
        ("--require-unique", sound.to_vec(), 4),
        ("--require-unique", vec![(EASY, EASY_SOLUTION), (SECOND, "")], 0),
        ("", vec![("12", "")], 5),
        ("", vec![(EASY, LATIN)], 4),
        ("", vec![(EASY, FULL)], 4),
        ("", vec![(EASY, "12")], 4),
        ("", vec![(UNSOLVABLE, "")], 4),
        ("", vec![("12", ""), (UNSOLVABLE, "")], 4),
        ("", vec![("12", ""), (TWO_SOLUTIONS, OTHER)], 5),
        ("--require-unique", vec![("12", ""), (TWO_SOLUTIONS, OTHER)], 4),
    ];
    let bench = Bench::new();
    for (arguments, rows, code) in cases {
        bench.write("in.csv", pairs(&rows));
        for quiet in ["", "-q"] {
            bench.run(&format!("verify in.csv {arguments} {quiet}")).exits(code);
        }
    }
    // A failure outweighs what is untrue.
    bench.write("in.csv", pairs(&[(EASY, FULL)]));
    let done = bench.feed("verify in.csv -", &["a,b\n1,2\n"]).exits(1);
    assert!(done.stdout.starts_with("in.csv: 1 row, 1 untrue\n"), "{}", done.stdout);
    done.says(&["cannot use `-`"]);
}

#[test]
fn strict_stops_at_the_first_malformed_row_whatever_else_is_untrue() {
    let bench = Bench::with(pairs(&[(EASY, EASY_SOLUTION), (EASY, ""), ("12", ""), (EASY, FULL)]));
    let done = bench.run("verify in.csv --strict -o rows.csv").exits(5);
    let done = done.says(&["in.csv:4: column 1: 2 characters", "stopped at the first malformed"]);
    assert!(done.stdout.starts_with("in.csv: 2 rows, 0 untrue\n"), "{}", done.stdout);
    assert_eq!(records::<Verdict>(&bench.read(".rows.csv.partial")).len(), 2);
    bench.write("in.csv", pairs(&[(EASY, FULL), ("12", "")]));
    bench.run("verify in.csv --strict").exits(4);
}

#[test]
fn a_name_that_ends_in_gz_is_compressed() {
    let bench = Bench::with(csv(&[EASY; 1000]));
    bench.run("verify in.csv -o rows.csv").exits(0);
    bench.run("verify in.csv -o rows.csv.gz").exits(0);
    let mut text = String::new();
    let file = File::open(bench.path("rows.csv.gz")).unwrap();
    std::io::Read::read_to_string(&mut flate2::read::MultiGzDecoder::new(file), &mut text).unwrap();
    assert_eq!(text, bench.read("rows.csv"));
}

#[test]
fn a_file_without_solutions_has_none_to_check() {
    let bench = Bench::with(csv(&[EASY, TWO_SOLUTIONS]));
    let found = verdicts(&bench, "", 0);
    assert!(found.iter().all(|row| row.solution_check.is_empty()));
    let done = bench.run("verify in.csv").exits(0);
    assert!(!done.stdout.contains("solution"), "{}", done.stdout);
    bench.write("in.csv", "");
    assert_eq!(bench.run("verify in.csv").exits(0).stdout, "in.csv: 0 rows, 0 untrue\n");
}

#[test]
fn the_solution_column_can_be_chosen() {
    let bench = Bench::with(format!("quiz,mine,solution\n{EASY},{FULL},{EASY_SOLUTION}\n"));
    assert_eq!(verdicts(&bench, "", 0)[0].brief(), ("unique", "match"));
    assert_eq!(verdicts(&bench, "--solution-column mine", 4)[0].brief(), ("unique", "contradicts"));
    assert_eq!(verdicts(&bench, "--solution-column 3", 0)[0].brief(), ("unique", "match"));
}

#[test]
fn the_summary_has_a_table_for_each_file_and_one_for_all() {
    let bench = Bench::new();
    bench.write("a.csv", pairs(&[(EASY, EASY_SOLUTION), (EASY, FULL), ("12", ""), (EASY, "")]));
    bench.write("b.csv", csv(&[TWO_SOLUTIONS]));
    let done = bench.run("verify a.csv b.csv -o rows.csv").exits(4);
    let expected = "\
a.csv: 4 rows, 1 untrue
  puzzle    unique                   3   75.0 %
  puzzle    malformed                1   25.0 %
  solution  match                    1   25.0 %
  solution  contradicts              1   25.0 %
  solution  missing                  1   25.0 %
b.csv: 1 row, 0 untrue
  puzzle    multiple                 1  100.0 %
all files: 5 rows, 1 untrue
  puzzle    unique                   3   60.0 %
  puzzle    multiple                 1   20.0 %
  puzzle    malformed                1   20.0 %
  solution  match                    1   20.0 %
  solution  contradicts              1   20.0 %
  solution  missing                  1   20.0 %
";
    assert_eq!(done.stdout, expected);
    done.says(&["5 rows in ", " rows/s on "]);
    let rows = bench.read("rows.csv");
    assert!(rows.starts_with("file,line,puzzle,verdict,solutions,solution_check\na.csv,2,"));
    let places: Vec<(Option<String>, u64)> =
        records::<Verdict>(&rows).into_iter().map(|row| (row.file, row.line)).collect();
    let expected = [("a.csv", 2), ("a.csv", 3), ("a.csv", 4), ("a.csv", 5), ("b.csv", 2)];
    assert_eq!(places, expected.map(|(file, line)| (Some(file.to_owned()), line)));
    // With the rows on standard output, the tables are elsewhere.
    let done = bench.run("verify a.csv b.csv -o -").exits(4).says(&["all files: 5 rows"]);
    assert_eq!(done.stdout, rows);
    let done = bench.run("verify b.csv -o - -q").exits(0);
    assert_eq!(done.stderr, "");
}

#[test]
fn many_rows_are_as_an_independent_count_has_them_on_any_number_of_threads() {
    let everyday = repository_file("data/everyday.csv");
    let mut text = String::from("puzzle,solution\n");
    let mut expected = Vec::new();
    for (number, puzzle) in everyday.lines().skip(1).map(|line| &line[..81]).take(2000).enumerate()
    {
        // Every other puzzle loses a given, after which it often has several solutions.
        let given = puzzle.find(|cell: char| cell.is_ascii_digit() && cell != '0').unwrap();
        let puzzle = if number % 2 == 0 { puzzle.to_owned() } else { with(puzzle, given, ".") };
        let grid = Grid::parse(puzzle.as_bytes()).unwrap();
        let solution = Variant::Break.solve(&grid, &Limits::default()).solution.unwrap();
        let (solution, check) = match number % 5 {
            0 => (String::new(), "missing"),
            1 => (with(&solution.to_string(), number % 81, "."), "not-valid"),
            2 => (solution.to_string()[1..].to_owned(), "malformed"),
            _ => (solution.to_string(), "solves"),
        };
        text += &format!("{puzzle},{solution}\n");
        let verdict = match count_solutions(&grid, &Limits::default()) {
            Some(1) => "unique",
            _ => "multiple",
        };
        expected.push((verdict, check));
    }
    assert!(expected.iter().any(|row| row.0 == "multiple"));
    let bench = Bench::with(&text);
    let first = bench.run("verify in.csv -o - -j 1").exits(4);
    let found: Vec<Verdict> = records(&first.stdout);
    assert_eq!(found.len(), expected.len());
    for (row, (verdict, check)) in found.iter().zip(expected) {
        let as_expected = match check {
            "solves" if verdict == "unique" => row.solution_check == "match",
            "solves" => ["match", "differs"].contains(&&*row.solution_check),
            _ => row.solution_check == check,
        };
        assert!(as_expected && row.verdict == verdict, "{row:?}, not {verdict} and {check}");
    }
    let summary = bench.run("verify in.csv -j 1").exits(4).stdout;
    for threads in ["2", "5"] {
        assert!(bench.run(&format!("verify in.csv -o - -j {threads}")).stdout == first.stdout);
        assert_eq!(bench.run(&format!("verify in.csv -j {threads}")).stdout, summary);
    }
}

#[test]
fn outputs_need_a_file_each_and_are_no_inputs() {
    let text = csv(&[EASY]);
    let bench = Bench::with(&text);
    bench.run("verify in.csv -o in.csv").exits(1).says(&["is an input too"]);
    bench.run("verify in.csv --errors in.csv").exits(1).says(&["is an input too"]);
    assert_eq!(bench.read("in.csv"), text);
    bench.run("verify in.csv -o x --errors ./x").exits(2).says(&["need a file each"]);
    bench.run("verify in.csv --errors -").exits(2).says(&["name a file for the errors"]);
    bench.run("verify in.csv -o no/where.csv").exits(1).says(&["cannot write `no/where.csv`"]);
    bench.run("verify nope.csv").exits(1).says(&["cannot open `nope.csv`"]);
    bench.run("verify").exits(2);
    let stdout = || File::create(bench.path("out.txt")).unwrap();
    for (arguments, code) in [("-o out.txt", 2), ("-o -", 0), ("-o rows.csv", 0)] {
        let mut command = bench.command(&format!("verify in.csv {arguments}"));
        finish(command.stdout(stdout()).spawn().unwrap()).exits(code);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupt_leaves_the_rows_before_the_first_that_was_not_finished() {
    use std::io::Write;
    use std::process::Stdio;
    use std::thread;
    use sudoku_bench::report::count;
    let bench = Bench::new();
    let mut command = bench.command("verify - -o rows.csv -j 2");
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let rows = lines([EASY, EMPTY]).repeat(1000);
    let feeder = thread::spawn(move || while stdin.write_all(rows.as_bytes()).is_ok() {});
    wait_until_it_searches(&child);
    interrupt(&child);
    let done = finish(child).exits(130).says(&["interrupted after "]);
    assert!(done.stdout.contains(", interrupted\n"), "{}", done.stdout);
    feeder.join().unwrap();
    let rows: Vec<Verdict> = records(&bench.read(".rows.csv.partial"));
    assert!(!rows.is_empty());
    assert!((1..).zip(&rows).all(|(line, row)| row.line == line));
    assert!(done.stdout.starts_with(&format!("-: {} row", count(rows.len() as u64))));
}

#[test]
#[cfg(unix)]
fn a_closed_pipe_is_quiet() {
    let bench = Bench::with(csv(&vec![EASY; 20_000]));
    for arguments in ["verify in.csv -o -", "verify in.csv"] {
        let mut child = bench.command(arguments).spawn().unwrap();
        drop(child.stdout.take());
        let done = finish(child).exits(0);
        assert!(!done.stderr.contains("error"), "{}", done.stderr);
    }
}

#[test]
fn a_solution_can_be_missing_in_every_format_that_has_solutions() {
    let objects = format!(
        "{{\"puzzle\":\"{EASY}\",\"solution\":\"{EASY_SOLUTION}\"}}\n\
         {{\"puzzle\":\"{EASY}\",\"solution\":null}}\n"
    );
    let texts = [
        pairs(&[(EASY, EASY_SOLUTION), (EASY, "")]),
        format!("{EASY}:1:{EASY_SOLUTION}\n{EASY}:1:\n"),
        format!("{EASY} {EASY_SOLUTION}\n{EASY}\n"),
        objects,
    ];
    for text in texts {
        let bench = Bench::with(&text);
        bench.run("verify in.csv -o out.csv").exits(0);
        let rows: Vec<Verdict> = records(&bench.read("out.csv"));
        let checks: Vec<&str> = rows.iter().map(|row| &*row.solution_check).collect();
        assert_eq!(checks, ["match", "missing"], "{text}");
    }
}

#[test]
fn a_file_whose_solutions_nobody_looked_at_does_not_pass_in_silence() {
    let note = "no solutions were found beside the puzzles; --solution-column names their column";
    let bench = Bench::with(lines(["Sudoku;Ergebnis", &format!("{EASY};{}", &FIRST[1..])]));
    bench.run("verify in.csv").exits(0).says(&[note]);
    let done = bench.run("verify in.csv --solution-column Ergebnis").exits(4);
    assert!(!done.stderr.contains(note), "{}", done.stderr);
}
