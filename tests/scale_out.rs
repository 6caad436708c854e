//! Parts of a batch: together they are the whole, and what is missing is missed.

mod common;

use common::*;
use proptest::prelude::*;
use std::io::{self, Cursor};
use std::process::Stdio;
use std::sync::atomic::AtomicBool;
use sudoku_bench::batch::{By, Observer, PartialSummary, Solve, Solved, Summary};
use sudoku_bench::dataset::{Hints, Reader, RowError, RowWriter, Shard};
use sudoku_bench::grid::Grid;
use sudoku_bench::solver::Status;

/// Hears of nothing.
struct Deaf;

impl Observer for Deaf {
    fn rows(&mut self, _: u64) {}
    fn malformed(&mut self, _: u64, _: &RowError) -> io::Result<()> {
        Ok(())
    }
}

/// An answer that follows from the puzzle, time and all.
fn answer(puzzle: &Grid) -> Solved {
    let clues = puzzle.clues() as u64;
    let solved = [Status::Solved, Status::Unsolvable, Status::LimitNodes][puzzle.clues() % 3];
    Solved {
        nodes: Some(clues),
        time_ns: Some((clues + 1).pow(5)),
        solutions: Some((clues % 3) as u8),
        ..Solved::without_answer(solved)
    }
}

fn partial(summary: &Summary) -> PartialSummary {
    PartialSummary {
        rows: summary.rows,
        sum: summary.sum,
        solutions: Some(summary.solutions),
        nodes: summary.nodes,
        latency: summary.latency.clone(),
        ..PartialSummary::default()
    }
}

/// The rows that answer a shard of `text`, and what they add up to.
fn solve(text: &str, shard: Shard) -> (String, PartialSummary) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let reader = Reader::new(Cursor::new(text), &Hints::default()).unwrap().unwrap();
    let bytes = shard.bytes(text.len() as u64);
    let solve = Solve {
        by: By::each(answer),
        pool: &pool,
        writer: &RowWriter::new(None, true),
        sums_rows: true,
        interrupt: &AtomicBool::new(false),
    };
    let reader = reader.within(bytes, true, || false).unwrap().unwrap();
    let mut rows = Vec::new();
    let (summary, result) = solve.run(reader, &mut rows, &mut Deaf);
    result.unwrap();
    (String::from_utf8(rows).unwrap(), partial(&summary))
}

/// Some long enough that a shard is looked for around its first byte.
fn texts() -> impl Strategy<Value = String> {
    let row = prop_oneof![
        20 => "[.1]{81}(,[a-z]{0,3})?",
        4 => "\"[.1]{81}\",\"[a,\n\"]{0,9}\"",
        3 => "[.0-9]{0,3}|[ ,x\"]{0,3}",
        1 => Just("Puzzle,Note".to_owned()),
        1 => "#partial(,1(,\\{\\}?)?)?",
    ];
    let rows = proptest::collection::vec((row, prop_oneof![Just("\n"), Just("\r\n")]), 0..900);
    (rows, prop_oneof![3 => Just(1_usize), 1 => Just(20)]).prop_map(|(rows, times)| {
        let rows: String = rows.into_iter().flat_map(|(row, end)| [row, end.into()]).collect();
        format!("puzzle,note\n{}", rows.repeat(times))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Rows, sums and every bucket of the histogram.
    #[test]
    fn shards_together_are_the_whole(text in texts(), of in prop_oneof![1..9_u64, 1..200_u64]) {
        let (rows, whole) = solve(&text, Shard::new(1, 1).unwrap());
        let mut all_rows = String::new();
        let mut merged: Option<PartialSummary> = None;
        for index in 1..=of {
            let (rows, part) = solve(&text, Shard::new(index, of).unwrap());
            all_rows += &rows;
            match &mut merged {
                None => merged = Some(part),
                Some(merged) => merged.merge(&part).unwrap(),
            }
        }
        prop_assert!(all_rows == rows);
        prop_assert_eq!(merged, Some(whole));
    }
}

/// The header of the output.
const HEADER: &str = "line,puzzle,solution,status,nodes,time_ns";

/// A folder with `in.csv`: a header, puzzles, one quoted with a line end, and rows that are no grids.
fn bench() -> Bench {
    let mut text = repository_file("data/embedded.csv");
    text += &format!("\"{EASY}\",\"a\nb\"\n{UNSOLVABLE}\nno grid\n\n{TWO_SOLUTIONS}\n");
    Bench::with(text)
}

#[test]
fn the_outputs_of_shards_one_after_the_other_are_that_of_the_file() {
    let bench = bench();
    let options = ["", "--unique --rate", "--keep-columns", "--output-format lines"];
    for options in options {
        let whole = bench.run(&format!("solve in.csv -q {options}")).exits(5).stdout;
        for of in [1, 2, 7] {
            let mut parts = String::new();
            for index in 1..=of {
                let name = format!("part-{index}.csv");
                bench.run(&format!("solve in.csv -q {options} --shard {index}/{of} -o {name}"));
                parts += &bench.read(&name);
            }
            assert!(parts == whole, "{options} in {of}");
        }
    }
}

#[test]
fn a_shard_names_lines_of_the_file_whether_rows_have_numbers_or_not() {
    // Of a long file the lines before the shard are only counted where that is needed.
    for puzzles in [10, 12_000] {
        let mut rows = vec![EASY; puzzles];
        rows.extend(["no grid", SECOND]);
        let bench = Bench::with(csv(&rows));
        for options in ["", "--keep-columns", "--output-format lines", "--keep-columns --strict"] {
            let done =
                bench.run(&format!("solve in.csv {options} --shard 9/9 -o out.csv")).exits(5);
            done.says(&[&format!("in.csv:{}: column 1: 6 characters", puzzles + 2)]);
        }
        bench.run("solve in.csv -q --shard 9/9 -o out.csv").exits(5);
        assert_eq!(
            records::<Row>(&format!("{HEADER}\n{}", bench.read("out.csv"))).pop().unwrap().line,
            puzzles as u64 + 3
        );
    }
}

#[test]
fn records_of_shards_add_up_to_the_record_of_the_file() {
    let bench = bench();
    bench.run("solve in.csv -q --unique --partial -o whole.csv").exits(5);
    for index in 1..=5 {
        bench.run(&format!("solve in.csv -q --unique --partial --shard {index}/5 -o {index}.csv"));
    }
    let json = |arguments: &str| -> serde_json::Value {
        serde_json::from_str(&bench.run(arguments).exits(0).stdout).unwrap()
    };
    let mut whole = json("merge whole.csv --json");
    let merged = json("merge 3.csv 1.csv 5.csv 4.csv 2.csv --json");
    assert_eq!(merged["shards"]["in.csv"]["done"], serde_json::json!([1, 2, 3, 4, 5]));
    whole["shards"] = merged["shards"].clone();
    assert_eq!(merged, whole);
    let (rows, sum) = (whole["rows"].as_object().unwrap(), whole["sum"].as_str().unwrap());
    let rows: u64 = rows.values().map(|rows| rows.as_u64().unwrap()).sum();
    let text = bench.read("whole.csv");
    let is_row = |line: &&str| !line.starts_with("line,") && !line.starts_with("#partial,");
    assert_eq!(text.lines().filter(is_row).count() as u64, rows);

    // Merged ones are merged again, and from one stream in any order.
    bench.run("merge 5.csv 2.csv").exits(4).says(&["3 of 5 shards of `in.csv` are missing"]);
    let part = bench.run("merge 5.csv 2.csv --partial").exits(0);
    let part = part.says(&["3 of 5 shards of `in.csv` are missing: 1,3-4"]);
    bench.write("5-2.csv", part.stdout);
    let all = ["1.csv", "5-2.csv", "3.csv", "4.csv"].map(|name| bench.read(name));
    let mut lines: Vec<&str> = all.iter().flat_map(|text| text.lines()).collect();
    lines.sort_unstable();
    let expected = format!("--expect-rows {rows} --expect-sum {sum}");
    let done = bench.feed(&format!("merge - --json {expected}"), &[lines.join("\n")]).exits(0);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&done.stdout).unwrap(), merged);
}

#[test]
fn rows_that_are_not_those_expected_are_a_wrong_answer() {
    let bench = Bench::with(csv(&[EASY, SECOND]));
    bench.run("solve in.csv -q --partial -o out.csv").exits(0);
    let done = bench.run("merge out.csv --expect-rows 2").exits(0);
    assert!(done.stdout.starts_with("2 rows: 2 solved\nsum of the rows: "), "{}", done.stdout);
    bench.run("merge out.csv --expect-rows 3").exits(4).says(&["2 rows where 3 were expected"]);
    let sum = "--expect-sum 00000000000000ff";
    bench.run(&format!("merge out.csv {sum}")).exits(4).says(&[", not 00000000000000ff"]);
    bench.run("merge out.csv --expect-sum xyz").exits(2).says(&["16 hexadecimal digits"]);
}

#[test]
fn the_sum_of_rows_does_not_depend_on_their_order_or_line_ends() {
    let sum = |text: &str| {
        let bench = Bench::with(text);
        bench.run("solve in.csv -q --partial -o out.csv");
        let merged = bench.run("merge out.csv --json").exits(0).stdout;
        let merged: serde_json::Value = serde_json::from_str(&merged).unwrap();
        merged["sum"].as_str().unwrap().to_owned()
    };
    let rows = sum(&csv(&[EASY, "no grid", SECOND]));
    assert_eq!(sum(&csv(&[SECOND, EASY, "no grid"])), rows);
    assert_eq!(sum(&csv(&["no grid", SECOND, EASY]).replace('\n', "\r\n")), rows);
    assert_ne!(sum(&csv(&[SECOND, EASY, "no grit"])), rows);
    assert_ne!(sum(&csv(&[EASY, "no grid", SECOND, SECOND])), rows);
}

#[test]
fn headers_and_partitions_without_rows_are_harmless() {
    let bench = Bench::new();
    let mut all = String::new();
    for portion in [String::new(), "puzzle\n".into(), format!("puzzle\n{EASY}\n"), EASY.into()] {
        all += &bench.feed("solve - -q --partial", &[portion]).exits(0).stdout;
    }
    bench.write("all.csv", &all);
    bench.run("merge all.csv --expect-rows 2").exits(0);
    // An output with records can be read as any other.
    let verified = bench.run("verify all.csv").exits(0).stdout;
    assert!(verified.starts_with("all.csv: 2 rows, 0 untrue"), "{verified}");
}

#[test]
fn output_without_a_record_or_with_a_damaged_one_is_no_result() {
    let bench = Bench::with(csv(&[EASY]));
    bench.run("solve in.csv -q -o rows.csv").exits(0);
    bench.run("solve in.csv -q --partial -o out.csv").exits(0);
    bench.run("merge rows.csv").exits(1).says(&["`rows.csv` has no record", "--partial"]);
    bench.run("merge out.csv rows.csv").exits(1).says(&["`rows.csv` has no record"]);
    let out = bench.read("out.csv");
    bench.write("cut.csv", &out[..out.len() - 20]);
    bench.run("merge cut.csv").exits(1).says(&["`cut.csv`, line 3", "the record is damaged"]);
    bench.write("none.csv", "");
    bench.run("merge none.csv").exits(1).says(&["there are no records"]);
    bench.run("merge none.csv out.csv").exits(0);
    bench.run("merge gone.csv").exits(1).says(&["cannot open `gone.csv`"]);
    bench.run("merge - -").exits(2).says(&["`-` is named twice"]);
    bench.run("merge out.csv out.csv").exits(2).says(&["`out.csv` is named twice"]);
    bench.run("solve in.csv -q --partial -o out.csv.gz").exits(0);
    bench.run("merge out.csv.gz --expect-rows 1").exits(0);
}

#[test]
fn a_reader_that_has_gone_does_not_make_missing_rows_fine() {
    let bench = Bench::with(csv(&[EASY]));
    bench.run("solve in.csv -q --partial -o out.csv").exits(0);
    let mut child = bench.command("merge out.csv --expect-rows 7");
    let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let done = finish(child).exits(4);
    done.says(&["1 row where 7 were expected"]);
}

#[test]
fn a_row_that_only_looks_like_a_record_is_a_row() {
    let rows = ["id,puzzle", "#partial", &format!("#partial,{EASY}"), &format!("2,{SECOND}")];
    let bench = Bench::with(lines(rows));
    bench.run("solve in.csv -q --keep-columns --partial -o out.csv").exits(5);
    let merged = bench.run("merge out.csv --expect-rows 3").exits(0).stdout;
    assert!(merged.starts_with("3 rows: 2 solved, 1 malformed"), "{merged}");
}

#[test]
fn an_unclosed_comment_is_named_by_the_shard_in_which_it_begins_and_no_other() {
    let game = format!("<game data=\"{EASY}\"/>\n");
    let bench = Bench::with(format!("<opensudoku>\n{game}<!--\n{}", game.repeat(9)));
    let warnings = (1..=5).map(|index| {
        let done = bench.run(&format!("solve in.csv --shard {index}/5 -o out.csv")).exits(0);
        done.stderr.matches("no puzzle belongs to").count()
    });
    assert_eq!(warnings.sum::<usize>(), 1);
}

#[test]
fn a_shard_without_rows_is_no_cause_for_a_warning() {
    let bench = Bench::with(csv(&[EASY]));
    let done = bench.run("solve in.csv --shard 90/90 -o out.csv").exits(0);
    assert!(!done.stderr.contains("warning"), "{}", done.stderr);
}

#[test]
fn shards_of_files_of_different_lengths_are_not_those_of_one() {
    let bench = Bench::with(csv(&[EASY, SECOND]));
    bench.run("solve in.csv -q --shard 1/2 --partial -o 1.csv").exits(0);
    bench.write("in.csv", csv(&[EASY, SECOND, EASY]));
    bench.run("solve in.csv -q --shard 2/2 --partial -o 2.csv").exits(0);
    bench.run("merge 1.csv 2.csv").exits(1).says(&["the length of the file is"]);
}

#[test]
fn a_run_that_did_not_end_leaves_no_record() {
    let bench = Bench::with(csv(&[EASY, "no grid", SECOND]));
    let done = bench.run("solve in.csv -q --partial --strict").exits(5);
    assert!(!done.stdout.contains("#partial"), "{}", done.stdout);
    bench.run("solve in.csv -q --partial --strict -o out.csv").exits(5);
    assert!(!bench.path("out.csv").exists());
    assert!(!bench.read(".out.csv.partial").contains("#partial"));
}

#[test]
fn shards_of_what_cannot_be_cut_are_refused() {
    let bench = Bench::with(csv(&[EASY]));
    let gzip = bench.run("solve in.csv -q --keep-columns -o in.csv.gz");
    gzip.exits(0);
    for (arguments, reason) in [
        ("solve in.csv --shard 3/2", "expected I/N"),
        ("solve in.csv in.csv --shard 1/2", "--shard takes one file"),
        ("solve - --shard 1/2", "is a pipe"),
        ("solve in.csv.gz --shard 1/2", "is gzip"),
        ("solve in.csv --partial --resume -o out.csv", "cannot be used with"),
    ] {
        bench.run(arguments).exits(2).says(&[reason]);
    }
    // Another shard is not continued.
    bench.run("solve in.csv --strict -q --shard 1/2 -o out.csv").exits(0);
    bench.write("in.csv", csv(&[EASY, "no grid"]));
    bench.run("solve in.csv --strict -q --shard 1/1 -o out.csv").exits(5);
    let done = bench.run("solve in.csv -q --shard 1/2 -o out.csv --resume").exits(1);
    done.says(&["--shard was 1/1 and is 1/2 now"]);
    bench.run("solve in.csv -q --shard 1/1 -o out.csv --resume").exits(5);
}
