//! The shared collection of difficult inputs, row by row, where it is present.

mod common;

use common::{Bench, Row, TEMPLATES};
use serde_json::Value;
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
    for variant in TEMPLATES.into_iter().chain(["mrv"]) {
        let (exit, rows) = solve(file, &["-t", variant]);
        assert_eq!(exit, code, "{file} with {variant}");
        assert_eq!(rows.len(), expected.len(), "{file} with {variant}");
        for (row, expected) in std::iter::zip(&rows, expected) {
            let place = format!("{file}:{} with {variant}", row.line);
            let searched_in_vain = is_endless(expected) && expected["verdict"] != "invalid";
            if searched_in_vain && variant != "mrv" {
                assert_eq!((&*row.status, row.nodes), ("limit-nodes", Some(CAP)), "{place}");
                assert!(row.solution.is_empty(), "{place}");
                continue;
            }
            check_verdict(row, expected, &place);
            if variant != "mrv" {
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
