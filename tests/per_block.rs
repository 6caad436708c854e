//! `compare -t …,lanes`, driven through the binary.

mod common;

use common::*;
use serde_json::{Value, json};

/// A folder with so many everyday puzzles, and behind them a row that is no puzzle and one that
/// breaks the rules.
fn bench(puzzles: usize) -> Bench {
    let text = repository_file("data/everyday.csv");
    let puzzles = text.lines().skip(1).take(puzzles).map(String::from);
    let others = ["4".repeat(80), format!("44{}", ".".repeat(79))];
    Bench::with(lines(puzzles.chain(others)))
}

fn report(bench: &Bench, folder: &str) -> Value {
    serde_json::from_str(&bench.read(&format!("{folder}/report.json"))).unwrap()
}

/// The rows of `lanes` in a puzzles.csv.
fn rows_of_lanes(bench: &Bench, folder: &str) -> Vec<String> {
    let text = bench.read(&format!("{folder}/puzzles.csv"));
    text.lines().filter(|row| row.contains(",lanes,")).map(String::from).collect()
}

#[test]
fn twenty_blocks_make_a_verdict_that_says_per_block() {
    let bench = bench(20 * 256 + 1);
    let run = "compare in.csv -q -j 1 --passes 1 -t break,mrv,lanes --baseline mrv -o run";
    let page = bench.run(run).exits(5).stdout;
    let report = report(&bench, "run");
    assert_eq!(report["settings"]["variants"], json!(["break", "mrv", "lanes"]));
    let file = &report["files"][0];
    let per_block = &file["per_block"];
    assert_eq!((&per_block["blocks"], &per_block["short_blocks"]), (&json!(20), &json!(1)));
    assert_eq!((&per_block["puzzles"], &per_block["dropped"]), (&json!(20 * 256), &json!(0)));
    let ratio = per_block["typical"]["ratio"].as_f64().unwrap();
    assert!(ratio.is_finite() && ratio > 0.0, "{ratio}");
    assert!(!per_block["corrected"].is_null() && !per_block["controls"]["bound"].is_null());
    // It is none of the variants that have a time for each puzzle.
    assert_eq!(file["variants"].as_array().unwrap().len(), 2);
    assert_eq!(file["comparisons"].as_array().unwrap().len(), 1);
    assert!(page.lines().next().unwrap().contains("`lanes` (per block)"), "{page}");
    for text in ["`lanes` per block ", "Per block: `lanes` takes", "| per block ", "are guesses"] {
        assert!(page.contains(text), "`{text}` is missing in:\n{page}");
    }
    assert!(page.contains(" 1 block with fewer puzzles than 192 was left out"), "{page}");
    assert_eq!(bench.run("report run").exits(0).stdout, page);
    assert!(!bench.read("run/summary.csv").contains("lanes"));
}

#[test]
fn fewer_blocks_make_none_and_the_report_says_so() {
    let bench = bench(300);
    let done = bench.run("compare in.csv -q -j 1 --passes 1 -t break,lanes -o run").exits(5);
    let file = &report(&bench, "run")["files"][0];
    assert_eq!(
        (&file["per_block"]["blocks"], &file["per_block"]["short_blocks"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(file["per_block"]["verdict"], "inconclusive");
    assert!(file["per_block"]["corrected"].is_null());
    let page = done.stdout;
    assert!(page.starts_with("# `lanes` (per block) against `break` is INCONCLUSIVE\n"), "{page}");
    let warning = "a verdict on `lanes` takes 20 blocks of 256 rows with 192 puzzles at least, and there is 1.";
    assert!(page.contains(warning), "{page}");
}

#[test]
fn without_a_whole_block_there_is_no_ratio() {
    let page = bench(5).run("compare in.csv -q -j 1 --passes 1 -t break,lanes").exits(5).stdout;
    for text in ["`lanes` per block –, n = 5 puzzles", "no block of 256 rows had the 192 puzzles"]
    {
        assert!(page.contains(text), "`{text}` is missing in:\n{page}");
    }
}

#[test]
fn a_block_of_many_rows_and_few_puzzles_is_short() {
    let bench = Bench::new();
    let text = repository_file("data/everyday.csv");
    let puzzles = text.lines().skip(1).take(195).map(String::from);
    bench.write("in.csv", lines(puzzles.chain(std::iter::repeat_n("4".repeat(80), 61))));
    let run = "compare in.csv -q -j 1 --passes 1 -t mrv,lanes --no-controls";
    let page = bench.run(&format!("{run} -o run")).exits(5).stdout;
    let blocks = |folder| {
        let per_block = &report(&bench, folder)["files"][0]["per_block"];
        (per_block["blocks"].clone(), per_block["short_blocks"].clone())
    };
    assert_eq!(blocks("run"), (json!(1), json!(0)));
    // `lanes` is the only comparison, and has no controls either.
    assert!(page.contains("- Warning: there were no controls"), "{page}");
    bench.run(&format!("{run} --max-nodes 50 -o capped")).exits(5);
    let file = &report(&bench, "capped")["files"][0];
    assert!(file["compared"].as_u64().unwrap() < 192, "the cap drops some");
    assert_eq!(blocks("capped"), (json!(0), json!(1)));
}

#[test]
fn each_measured_puzzle_has_a_row_with_status_and_nodes_and_no_time() {
    let bench = bench(280);
    let run = "compare in.csv -q --passes 1 -t break,lanes --max-nodes 1k --isomorphs 1";
    bench.run(&format!("{run} -j 1 -o one")).exits(5);
    bench.run(&format!("{run} -j 3 -o three --isa portable")).exits(5);
    let rows = rows_of_lanes(&bench, "one");
    let file = &report(&bench, "one")["files"][0];
    assert_eq!(json!(rows.len()), file["forms"]["measured"]);
    assert!(rows.len() < 2 * 280 && rows.len() > 280, "the cap drops some: {}", rows.len());
    for row in &rows {
        let fields: Vec<&str> = row.split(',').collect();
        assert_eq!(fields[3..5], ["lanes", "solved"]);
        assert!(fields[5].parse::<u64>().is_ok() && fields[6..] == [""; 6], "{row}");
    }
    assert_eq!(rows_of_lanes(&bench, "three"), rows);
    let isa = |folder| report(&bench, folder)["files"][0]["per_block"]["isa"].clone();
    assert_eq!(isa("three"), "portable");
}

#[test]
fn what_lanes_cannot_do_is_refused_with_the_reason() {
    let bench = bench(2);
    let reason = "lanes cannot be the baseline: it takes many puzzles at once";
    for variants in ["lanes", "lanes,break", "break,lanes --baseline lanes"] {
        bench.run(&format!("compare in.csv -t {variants}")).exits(2).says(&[reason]);
    }
    let done = bench.run("compare in.csv -t break,mrv --isa portable").exits(2);
    done.says(&["--isa is for lanes, which do not run here"]);
    let done = bench.run("compare in.csv -t break,lanes --max-time 1s").exits(2);
    done.says(&["lanes takes many puzzles at once and times none alone"]);
    bench.run("compare in.csv -t break,lanes,lanes").exits(2).says(&["named twice"]);
    bench.run("compare in.csv -t break,lanes --isa neon").exits(2);
}

#[test]
fn diff_leaves_lanes_out_and_says_so() {
    let bench = bench(40);
    for (folder, variants) in
        [("old", "mrv,lanes"), ("new", "lanes,mrv --baseline mrv"), ("without", "mrv")]
    {
        let run = "compare in.csv -q -j 1 --passes 1 --no-controls";
        bench.run(&format!("{run} -t {variants} -o {folder}")).exits(5);
    }
    let page = bench.run("diff old new --fail-on 99%").exits(0).stdout;
    assert!(page.contains("- `lanes` is left out: it takes many puzzles at once"), "{page}");
    assert!(page.contains("40 puzzles in both runs"), "{page}");
    let page = bench.run("diff old without --fail-on 99%").exits(0).stdout;
    assert!(page.contains("- Only OLD has `lanes`."), "{page}");
}

#[test]
fn merged_layouts_refer_to_the_reports_of_the_runs() {
    let bench = bench(40);
    bench.run("compare in.csv -q -j 1 --passes 1 -t break,mrv,lanes -o a").exits(5);
    let mut other = report(&bench, "a");
    other["code"]["layout"][1] = json!(7);
    std::fs::create_dir(bench.path("b")).unwrap();
    bench.write("b/report.json", other.to_string());
    let page = bench.run("report --merge layouts a b").exits(0).stdout;
    let note = "- Note: `lanes` is compared per block, and each run's own report tells of it.";
    assert!(page.contains(note), "{page}");
}
