//! `compare --isomorphs`: puzzles in equivalent forms, driven through the binary.

mod common;

use common::*;
use serde_json::Value;
use std::collections::BTreeSet;

/// A folder with some everyday puzzles, a row that is no puzzle, and one that breaks the rules.
fn bench() -> Bench {
    let text = repository_file("data/everyday.csv");
    let puzzles = text.lines().skip(1).take(40).map(String::from);
    let others = ["4".repeat(80), format!("44{}", ".".repeat(79))];
    Bench::with(lines(puzzles.chain(others)))
}

fn report(bench: &Bench, folder: &str) -> Value {
    serde_json::from_str(&bench.read(&format!("{folder}/report.json"))).unwrap()
}

/// The rows of a puzzles.csv without the times.
fn searches(bench: &Bench, folder: &str) -> BTreeSet<String> {
    let text = bench.read(&format!("{folder}/puzzles.csv"));
    text.lines().skip(1).map(|row| row.rsplitn(3, ',').last().unwrap().to_owned()).collect()
}

#[test]
fn forms_are_the_same_in_a_sample_in_any_order_and_on_any_number_of_threads() {
    let bench = bench();
    let run = "compare in.csv -q -t break,mrv --passes 1 --isomorphs 3";
    bench.run(&format!("{run} -j 1 -o all")).exits(5);
    bench.run(&format!("{run} -j 3 --time-budget 10m -o shuffled")).exits(5);
    let all = searches(&bench, "all");
    assert_eq!(searches(&bench, "shuffled"), all);
    // Two variants and three copies on four forms of forty puzzles; conflicting givens have one form,
    // and what is no puzzle has one row.
    assert_eq!(all.len(), 5 * 4 * 40 + 5 + 1);
    bench.run(&format!("{run} -j 2 --sample 9 -o some"));
    let some = searches(&bench, "some");
    assert!(some.len() > 100 && some.is_subset(&all), "{some:?}");
    bench.run(&format!("{run} -j 2 --seed 2 -o other")).exits(5);
    assert!(!searches(&bench, "other").is_subset(&all));
    bench.run("compare in.csv -q -t break,mrv --passes 1 --isomorphs 5 -o more").exits(5);
    assert!(searches(&bench, "more").is_superset(&all));
}

#[test]
fn rows_stay_rows_and_forms_are_counted_apart() {
    let bench = bench();
    let done =
        bench.run("compare in.csv -q -t break,mrv --passes 1 --isomorphs 9 --max-nodes 400 -o run");
    done.exits(5);
    let report = report(&bench, "run");
    assert_eq!(report["settings"]["isomorphs"], 9);
    let file = &report["files"][0];
    let number = |value: &Value| value.as_u64().unwrap();
    let dropped = |of: &Value| -> u64 {
        of.as_array().unwrap().iter().map(|dropped| number(&dropped["puzzles"])).sum()
    };
    let puzzles = number(&file["compared"]) + dropped(&file["dropped"]);
    assert_eq!((puzzles, number(&file["rows"])), (40, 42));
    assert_eq!((number(&file["invalid"]), number(&file["malformed"])), (1, 1));
    let forms = &file["forms"];
    assert_eq!(number(&forms["measured"]) + dropped(&forms["dropped"]), 400);
    // Under so low a cap a puzzle often loses forms and seldom all of them.
    assert!(dropped(&forms["dropped"]) > 10 * dropped(&file["dropped"]));
    assert_eq!(file["comparisons"][0]["puzzles"], file["compared"]);
    for variant in file["variants"].as_array().unwrap() {
        assert_eq!(variant["latency"]["count"], forms["measured"]);
        assert!(variant["spread"].as_f64().unwrap() >= 1.0);
    }
    let page = bench.read("run/report.md");
    for text in [
        ", the mean of its 10 forms, over that of `break`",
        "Of the puzzles' forms ",
        " dropped for all because `break` hit the nodes cap.",
        "by the mean nodes of `break`",
        "| spread over forms |",
        "sample: all rows; 9 other forms of each",
    ] {
        assert!(page.contains(text), "`{text}` is missing in:\n{page}");
    }
}

#[test]
fn without_other_forms_nothing_is_said_of_them() {
    let bench = bench();
    bench.run("compare in.csv -q -t break,mrv --passes 1 -o run").exits(5);
    let report = report(&bench, "run");
    assert_eq!(report["settings"]["isomorphs"], 0);
    assert_eq!(report["files"][0].get("forms"), None);
    assert_eq!(report["files"][0]["variants"][0].get("spread"), None);
    assert!(!bench.read("run/report.md").contains("forms"));
}

#[test]
fn runs_with_other_forms_are_paired_by_what_they_have_in_common() {
    let bench = bench();
    for (folder, isomorphs) in [("none", 0), ("three", 3), ("five", 5)] {
        let run = "compare in.csv -q -j 1 -t break,mrv --passes 1 --no-controls";
        bench.run(&format!("{run} --isomorphs {isomorphs} -o {folder}")).exits(5);
    }
    for runs in ["none five", "five three"] {
        let page = bench.run(&format!("diff {runs} --fail-on 99%")).stdout;
        let says = |text: &str| assert!(page.contains(text), "`{text}` is missing in:\n{page}");
        says("40 puzzles in both runs, 0 only in OLD, 0 only in NEW.");
        says("| isomorphs ");
    }
}

#[test]
fn runs_with_other_seeds_are_paired_by_the_puzzles_as_they_stand() {
    let bench = bench();
    for seed in [1, 2] {
        let run = "compare in.csv -q -j 1 -t break,mrv --passes 1 --no-controls --isomorphs 3";
        bench.run(&format!("{run} --seed {seed} -o {seed}")).exits(5);
    }
    let page = bench.run("diff 1 2 --fail-on 99%").stdout;
    let note = "- The runs have other seeds and so other forms of the puzzles: ";
    assert!(page.contains(note) && page.contains("40 puzzles in both runs"), "{page}");
    // Other grids would be other searches.
    assert!(!page.contains("has changed"), "{page}");
}

#[test]
fn layouts_with_other_forms_are_not_merged() {
    let bench = bench();
    for (folder, isomorphs) in [("a", 1), ("b", 2)] {
        let run = "compare in.csv -q -j 1 -t break,mrv --passes 1";
        bench.run(&format!("{run} --isomorphs {isomorphs} -o {folder}")).exits(5);
    }
    let reason = "`a` and `b` differ in a setting: isomorphs 1 and 2";
    bench.run("report --merge layouts a b").exits(1).says(&[reason]);
}

#[test]
fn a_silly_number_of_forms_is_wrong_usage() {
    for number in ["101", "-1", "1.5", "many"] {
        bench().run(&format!("compare in.csv --isomorphs={number}")).exits(2);
    }
}
