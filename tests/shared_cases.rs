//! The shared collection of difficult inputs, row by row, where it is present.

mod common;

use common::{Bench, REORDERED, Row, VARIANTS};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// More than any search of the collection needs that ends by itself.
const CAP: u64 = 200_000;

/// The folder beside the repository, unless the environment names another.
fn shared() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    std::env::var_os("SUDOKU_BENCH_SHARED").map_or_else(beside, PathBuf::from)
}

/// The file names of the collection, and what is expected of their rows.
fn expected_rows() -> Option<serde_json::Map<String, Value>> {
    let path = shared().join("cases/expected_rows.json");
    match fs::read(&path) {
        Ok(text) => Some(serde_json::from_slice(&text).expect("the collection is JSON")),
        Err(error) => {
            eprintln!("skipped: {} cannot be read ({error})", path.display());
            None
        }
    }
}

fn solve(file: &str, arguments: &[&str]) -> (i32, Vec<Row>) {
    let path = shared().join("cases/inputs").join(file).canonicalize().expect("listed, so there");
    let bench = Bench::new();
    let cap = CAP.to_string();
    let base = ["solve", path.to_str().unwrap(), "--unique", "--max-nodes", &cap];
    let done = common::finish(bench.command_of(&[&base, arguments].concat()).spawn().unwrap());
    (done.code, done.rows())
}

/// Whether the expectation says that the bare search never ends.
fn is_endless(expected: &Value) -> bool {
    expected["nodes"] == "timeout"
}

fn status(expected: &Value) -> &str {
    match expected["verdict"].as_str() {
        Some("unique" | "multiple") => "solved",
        Some(verdict) => verdict,
        None => {
            assert!(expected["error"].is_string(), "{expected}");
            "malformed"
        }
    }
}

fn solutions(expected: &Value) -> Option<u8> {
    match expected["verdict"].as_str()? {
        "unique" => Some(1),
        "multiple" => Some(2),
        _ => Some(0),
    }
}

/// What every variant must say of a row.
fn check_verdict(row: &Row, expected: &Value, place: &str) {
    assert_eq!(Some(row.line), expected["line"].as_u64(), "{place}");
    assert_eq!(row.status, status(expected), "{place}");
    assert_eq!(row.solutions, solutions(expected), "{place}");
    let puzzle = expected["puzzle"].as_str().unwrap_or("");
    assert_eq!(row.puzzle, puzzle.replace('0', "."), "{place}");
    assert_eq!(row.solution.is_empty(), row.status != "solved", "{place}");
    if expected["verdict"] == "unique" {
        assert_eq!(Some(&*row.solution), expected["solution"].as_str(), "{place}");
    }
}

/// What a template must say beyond: the first solution in digit order, and the nodes.
fn check_template(row: &Row, expected: &Value, place: &str) {
    if row.status == "solved" {
        assert_eq!(Some(&*row.solution), expected["solution"].as_str(), "{place}");
    }
    let nodes = match &*row.status {
        "malformed" => None,
        "invalid" => Some(0),
        _ => expected["nodes"].as_u64(),
    };
    assert_eq!(row.nodes, nodes, "{place}");
}

fn check_file(file: &str, expected: &[Value]) {
    let code = if expected.iter().any(|row| row["error"].is_string()) { 5 } else { 0 };
    for variant in VARIANTS {
        let (exit, rows) = solve(file, &["-t", variant]);
        assert_eq!(exit, code, "{file} with {variant}");
        assert_eq!(rows.len(), expected.len(), "{file} with {variant}");
        for (row, expected) in std::iter::zip(&rows, expected) {
            let place = format!("{file}:{} with {variant}", row.line);
            let searched_in_vain = is_endless(expected) && expected["verdict"] != "invalid";
            if searched_in_vain && !REORDERED.contains(&variant) {
                assert_eq!((&*row.status, row.nodes), ("limit-nodes", Some(CAP)), "{place}");
                assert!(row.solution.is_empty(), "{place}");
                continue;
            }
            check_verdict(row, expected, &place);
            if !REORDERED.contains(&variant) {
                check_template(row, expected, &place);
            }
        }
    }
}

#[test]
fn every_row_of_the_collection_is_answered_as_expected() {
    let Some(files) = expected_rows() else { return };
    assert!(!files.is_empty());
    for (file, expected) in &files {
        check_file(file, expected.as_array().expect("a list of rows"));
    }
}

/// A file, its exit code, and for each row its line with the nodes of `break`, none where the row is
/// malformed.
type Described = (&'static str, i32, &'static [(u64, Option<u64>)]);

/// The files of which the collection's page tells the rows.
const DESCRIBED: [Described; 24] = [
    ("C32c_utf16le.csv", 0, &[(2, Some(78)), (3, Some(145))]),
    ("C34_blank_lines.csv", 5, &[(3, Some(78)), (6, Some(145)), (8, None)]),
    (
        "C35_ragged.csv",
        5,
        &[
            (2, Some(78)),
            (3, Some(145)),
            (4, Some(1193)),
            (5, Some(16882)),
            (6, None),
            (7, Some(6635)),
        ],
    ),
    ("C36_duplicate_column.csv", 1, &[]),
    ("C39_no_header.csv", 0, &[(1, Some(78)), (2, Some(145))]),
    ("C41_open_quote.csv", 5, &[(2, Some(78)), (3, None), (4, Some(1193)), (5, Some(16882))]),
    (
        "C43_two_members.csv.gz",
        0,
        &[(2, Some(78)), (3, Some(145)), (4, Some(1193)), (5, Some(16882))],
    ),
    ("C44_truncated.csv.gz", 1, &[(2, Some(78)), (3, Some(145)), (4, Some(1193))]),
    ("C44c_gzip_without_extension.csv", 0, &[(2, Some(78)), (3, Some(145))]),
    ("C45_window28.csv.zst", 1, &[]),
    ("C57_header_only.csv", 0, &[]),
    ("C57b_zero_bytes.csv", 0, &[]),
    ("C64_long_line.txt", 5, &[(1, None), (2, Some(78))]),
    ("F05_exchange_bank.txt", 0, &[(1, Some(45326)), (2, Some(138_963))]),
    ("F07_euler96.txt", 0, &[(2, Some(1193)), (12, Some(16882))]),
    ("F09_leetcode.json", 0, &[(1, Some(45326))]),
    ("F11_sdm.sdm", 0, &[(1, Some(78)), (2, Some(145))]),
    ("F12_sadman.sdk", 0, &[(6, Some(16882))]),
    ("F14_simple_sudoku.ss", 0, &[(2, Some(6635))]),
    ("F15_opensudoku.opensudoku", 0, &[(4, Some(78)), (5, Some(145))]),
    ("F16_hodoku_library.txt", 0, &[(1, Some(45326)), (2, Some(11917))]),
    ("F18_trailing_comment.txt", 0, &[(1, Some(78)), (2, Some(145))]),
    ("F19_vborg_semicolon.csv", 0, &[(2, Some(78))]),
    ("F21_space_as_empty.txt", 0, &[(1, Some(1193)), (2, Some(6635))]),
];

#[test]
fn files_that_the_collection_describes_in_words_have_the_rows_it_tells_of() {
    if expected_rows().is_none() {
        return;
    }
    for (file, code, expected) in DESCRIBED {
        let (exit, rows) = solve(file, &["-t", "break"]);
        assert_eq!(exit, code, "{file}");
        let rows: Vec<_> = rows.iter().map(|row| (row.line, row.nodes)).collect();
        assert_eq!(rows, expected, "{file}");
    }
    let (exit, rows) = solve("C45_window28.csv.zst", &["-t", "break", "--long-window"]);
    assert_eq!((exit, rows.len()), (0, 2));
}

/// The `solution_check` of each row of a file of the collection.
fn verify(file: &str) -> Vec<String> {
    let path = shared().join("cases/inputs").join(file).canonicalize().expect("listed, so there");
    let bench = Bench::new();
    let arguments = ["verify", path.to_str().unwrap(), "--max-nodes", "200k", "-o", "out.csv"];
    common::finish(bench.command_of(&arguments).spawn().unwrap());
    let rows: Vec<HashMap<String, String>> = common::records(&bench.read("out.csv"));
    rows.into_iter().map(|mut row| row.remove("solution_check").expect("a column")).collect()
}

/// What `verify` calls the collection's judgements of a solution column.
fn solution_check(expected: &Value) -> Option<&'static str> {
    match expected["check"].as_str()? {
        "match" => Some("match"),
        "differs_but_valid" => Some("differs"),
        "expected_not_a_valid_grid" => Some("not-valid"),
        other => panic!("an unknown judgement: {other}"),
    }
}

#[test]
fn every_solution_column_of_the_collection_is_judged_as_expected() {
    let Some(files) = expected_rows() else { return };
    let mut judged = 0;
    for (file, expected) in &files {
        let checks = verify(file);
        let rows = expected.as_array().expect("a list of rows");
        assert_eq!(checks.len(), rows.len(), "{file}");
        for (check, row) in std::iter::zip(checks, rows) {
            if let Some(expected) = solution_check(row) {
                assert_eq!(check, expected, "{file}: {row}");
                judged += 1;
            }
        }
    }
    assert!(judged >= 20);
}

#[test]
fn the_collection_is_answered_alike_on_any_number_of_threads() {
    let Some(files) = expected_rows() else { return };
    let without_time = |(code, rows): (i32, Vec<Row>)| {
        (code, rows.into_iter().map(|row| Row { time_ns: None, ..row }).collect::<Vec<_>>())
    };
    for file in files.keys() {
        let one = without_time(solve(file, &["-t", "break", "-j", "1"]));
        for threads in ["2", "5"] {
            let many = without_time(solve(file, &["-t", "break", "-j", threads]));
            assert_eq!(many, one, "{file} on {threads} threads");
        }
    }
}
