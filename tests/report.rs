//! `report`: saved runs again, and several layouts as one.

mod common;

use common::{Bench, Done, repository_file, without_charts};
use serde_json::{Value, json};

const RUN: &str = "compare in.csv -q -j 1 --passes 1 -t break,early-return";

/// A folder with the run of a few puzzles in `one`.
fn bench(compare: &str) -> Bench {
    let rows: String =
        repository_file("data/everyday.csv").split_inclusive('\n').take(11).collect();
    let bench = Bench::with(rows);
    bench.run(&format!("{compare} -o one")).exits(0);
    bench
}

fn report(bench: &Bench, run: &str) -> Value {
    serde_json::from_str(&bench.read(&format!("{run}/report.json"))).unwrap()
}

/// Writes a run that is as `one` but for some changes.
fn write(bench: &Bench, run: &str, change: impl FnOnce(&mut Value)) {
    let mut report = report(bench, "one");
    change(&mut report);
    std::fs::create_dir_all(bench.path(run)).unwrap();
    bench.write(&format!("{run}/report.json"), report.to_string());
}

/// Gives a result a ratio, and an interval that reaches from it by this factor.
fn set(result: &mut Value, ratio: f64, factor: f64) {
    let interval = json!({"lo": ratio / factor, "hi": ratio * factor});
    result["typical"] = json!({"ratio": ratio, "interval": interval});
    if result.get("corrected").is_some() {
        result["corrected"] = interval;
    }
}

/// Writes a run into the folder `a`, `b`, … for each layout, with the ratio of the first
/// comparison.
fn write_layouts(bench: &Bench, ratios: &[f64], factor: f64) -> String {
    let names = ["a", "b", "c", "d"];
    for (index, ratio) in ratios.iter().enumerate() {
        write(bench, names[index], |report| {
            report["code"]["layout"][1] = json!(1000 + index);
            set(&mut report["files"][0]["comparisons"][0], *ratio, factor);
        });
    }
    names[..ratios.len()].join(" ")
}

fn merge(bench: &Bench, runs: &str) -> Done {
    bench.run(&format!("report --merge layouts {runs} -o out"))
}

/// The model of a merge, after a look at the rendering.
fn merged(bench: &Bench, runs: &str) -> Value {
    let done = merge(bench, runs).exits(0);
    assert_eq!(without_charts(&bench.read("out/layouts.md")), done.stdout);
    serde_json::from_str(&bench.read("out/layouts.json")).unwrap()
}

#[track_caller]
fn assert_close(found: &Value, expected: f64) {
    let found = found.as_f64().unwrap_or_else(|| panic!("{found} is no number"));
    assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
}

#[test]
fn a_report_overwrites_no_model_and_leaves_no_chart_of_another_run() {
    let bench = bench("compare in.csv -q -j 1");
    let model = bench.read("one/report.json");
    std::fs::create_dir(bench.path("two")).unwrap();
    for file in ["report.md", "report-forest.svg"] {
        bench.write(&format!("two/{file}"), &model);
        let done = bench.run(&format!("report two/{file} -o two")).exits(1);
        done.says(&["is an input too"]);
        assert_eq!(bench.read(&format!("two/{file}")), model);
        std::fs::remove_file(bench.path(&format!("two/{file}"))).unwrap();
    }
    bench.write("two/report-deciles-9.svg", "");
    bench.write("two/latency-1.svg", "mine");
    bench.run("report one -o two --format html").exits(0);
    assert!(bench.path("two/report-deciles-9.svg").exists(), "it belongs to a report.md");
    bench.run("report one -o two").exits(0);
    assert!(!bench.path("two/report-deciles-9.svg").exists());
    assert!(bench.path("two/report-deciles-1.svg").exists());
    assert_eq!(bench.read("two/latency-1.svg"), "mine");
}

#[test]
fn a_saved_run_is_reported_again_to_the_byte() {
    let bench = bench("compare in.csv -q -j 1");
    let written = bench.read("one/report.md");
    for path in ["one", "one/report.json"] {
        let done = bench.run(&format!("report {path} -o again/deeper")).exits(0);
        assert_eq!(done.stdout, without_charts(&written));
        assert_eq!(bench.read("again/deeper/report.md"), written);
    }
    assert!(!bench.path("again/deeper/report.json").exists());
}

#[test]
fn scripted_ratios_over_layouts_give_exact_figures() {
    let bench = bench(RUN);
    let runs = write_layouts(&bench, &[1.02, 1.03, 1.05, 1.04], 1.001);
    let layouts = merged(&bench, &runs);
    assert_eq!(layouts["schema_version"], 1);
    assert_eq!(layouts["runs"][1]["name"], "b");
    assert_eq!(layouts["runs"][1]["layout"][1], 1001);
    let comparison = &layouts["files"][0]["comparisons"][0];
    assert_eq!(comparison["ratios"], json!([1.02, 1.03, 1.05, 1.04]));
    // x = log([1.02, 1.03, 1.05, 1.04]); exp(scipy.stats.ttest_1samp(x, 0).confidence_interval())
    assert_close(&comparison["ratio"], 1.0349396095096088);
    assert_close(&comparison["between"]["lo"], 1.0145992429129305);
    assert_close(&comparison["between"]["hi"], 1.0556877533801001);
    assert_close(&comparison["p_value"], 0.011792457403120087);
    assert_close(&comparison["within"]["lo"], 1.0349396095096088 / 1.001);
    assert_close(&comparison["within"]["hi"], 1.0349396095096088 * 1.001);
    assert_close(&comparison["corrected_confidence"], 0.95);
    assert_eq!(comparison["decisive"], comparison["between"]);
    assert_eq!(comparison["dominates"], "between");
    assert_eq!(comparison["verdict"], "slower");
    assert_eq!(layouts["files"][0]["claims"][0]["answer"], "not_supported");
}

#[test]
fn each_comparison_has_the_level_that_holm_asks_for() {
    let bench = bench("compare in.csv -q -j 1 --passes 1");
    let ratios = [(0.99, 3.9), (1.0, 4.0), (1.01, 4.1)];
    for (index, (near, far)) in ratios.into_iter().enumerate() {
        write(&bench, ["a", "b", "c"][index], |report| {
            report["code"]["layout"][1] = json!(index);
            let comparisons = &mut report["files"][0]["comparisons"];
            set(&mut comparisons[0], near, 1.001);
            set(&mut comparisons[1], far, 2.0);
        });
    }
    let layouts = merged(&bench, "a b c");
    let comparisons = &layouts["files"][0]["comparisons"];
    // The second has the smaller p-value.
    assert_close(&comparisons[0]["corrected_confidence"], 0.95);
    assert_close(&comparisons[1]["corrected_confidence"], 0.975);
    assert_eq!(comparisons[0]["dominates"], "between");
    assert_eq!(comparisons[1]["dominates"], "within");
    assert_eq!(comparisons[1]["verdict"], "slower");
    assert_eq!(layouts["files"][0]["claims"][1]["answer"], "supported");
}

#[test]
fn the_copies_bound_what_placement_makes_over_all_layouts() {
    let bench = bench(RUN);
    for (index, ratio) in [1.001, 1.003, 1.002].into_iter().enumerate() {
        write(&bench, ["a", "b", "c"][index], |report| {
            report["code"]["layout"][1] = json!(index);
            let copies = &mut report["files"][0]["controls"]["copies"];
            set(&mut copies[0], ratio, 1.0001);
            set(&mut copies[1], 1.0, 1.004);
            set(&mut copies[2], 1.0, 1.0);
        });
    }
    let controls = &merged(&bench, "a b c")["files"][0]["controls"];
    let dominates = ["between", "within", "within"];
    for (copy, dominates) in std::iter::zip(controls["copies"].as_array().unwrap(), dominates) {
        assert_eq!(copy["dominates"], dominates, "{copy}");
    }
    // exp(scipy.stats.ttest_1samp(log([1.001, 1.003, 1.002]), 0).confidence_interval().high) - 1
    assert_close(&controls["bound"], 0.004486887005777677);
}

#[test]
fn the_first_lines_give_the_answer_its_size_and_how_far_to_trust_it() {
    let bench = bench(RUN);
    let runs = write_layouts(&bench, &[1.02, 1.03, 1.05, 1.04], 1.001);
    let page = merge(&bench, &runs).exits(0).stdout;
    let lines: Vec<&str> = page.lines().collect();
    assert_eq!(lines[0], "# `early-return` is SLOWER than `break`");
    assert!(
        lines[1].contains(": `early-return` 1.0349 [1.0146, 1.0557], n = 10 puzzles."),
        "{}",
        lines[1]
    );
    assert!(lines[2].starts_with("How far to trust it: claim-grade: 4 layouts"), "{}", lines[2]);
    assert!(lines[2].contains("between layouts dominates for `early-return`"), "{}", lines[2]);
    for text in ["“returning at once is faster than breaking”: **not supported**", "SHA-256 `"]
    {
        assert!(page.contains(text), "`{text}` is missing in:\n{page}");
    }
}

#[test]
fn a_report_of_layouts_is_replaced_as_a_whole() {
    let bench = bench(RUN);
    let runs = write_layouts(&bench, &[1.02, 1.03, 1.05], 1.001);
    let first = merged(&bench, &runs);
    assert_eq!(merged(&bench, "a b")["runs"].as_array().unwrap().len(), 2);
    assert_eq!(merged(&bench, &runs), first);
}

#[test]
fn other_circumstances_are_told_and_do_not_matter() {
    let bench = bench(RUN);
    let runs = write_layouts(&bench, &[1.02, 1.03], 1.001);
    let mut other = report(&bench, "b");
    other["provenance"]["cpu"] = json!("A faster one");
    other["settings"]["threads"] = json!(7);
    other["files"][0]["name"] = json!("elsewhere.csv");
    bench.write("b/report.json", other.to_string());
    let differences = &merged(&bench, &runs)["differences"];
    let what: Vec<_> = differences.as_array().unwrap().iter().map(|d| &d["what"]).collect();
    assert_eq!(what, ["processor", "solving threads"]);
    assert_eq!(differences[1]["values"], json!(["1", "7"]));
    let page = bench.read("out/layouts.md");
    assert!(page.contains("the runs differ in more than the layout, solving threads: 1; 7"));
}

#[test]
fn a_wrong_answer_in_one_layout_makes_the_report_invalid() {
    let bench = bench(RUN);
    let runs = write_layouts(&bench, &[1.02, 1.03], 1.001);
    let mut other = report(&bench, "b");
    other["files"][0]["wrong"] = json!(3);
    bench.write("b/report.json", other.to_string());
    let done = merge(&bench, &runs).exits(4);
    assert!(done.stdout.starts_with("# INVALID: a wrong answer on 3 puzzles\n"), "{}", done.stdout);
    bench.run("report b").exits(4);
}

/// Merges two layouts, of which the second is changed.
fn refused(change: impl FnOnce(&mut Value), texts: &[&str]) {
    let bench = bench(RUN);
    write_layouts(&bench, &[1.02, 1.03], 1.001);
    let mut other = report(&bench, "b");
    change(&mut other);
    bench.write("b/report.json", other.to_string());
    let done = merge(&bench, "a b").exits(1).says(texts);
    assert_eq!((done.stdout.as_str(), done.stderr.lines().count()), ("", 1), "{}", done.stderr);
    assert!(!bench.path("out").exists());
}

#[test]
fn runs_that_differ_in_more_than_the_layout_are_refused() {
    let settings = [
        ("variants", json!(["break", "rescan"]), "variants break,early-return and break,rescan"),
        ("baseline", json!("early-return"), "baseline break and early-return"),
        ("passes", json!(6), "passes 1 and 6"),
        ("controls", json!(false), "controls true and false"),
        ("confidence", json!(0.99), "confidence 0.95 and 0.99"),
        ("margin", json!(0.02), "margin 0.01 and 0.02"),
        ("max_nodes", Value::Null, "node cap 5000000 and none"),
        ("max_time_ns", json!(5), "time cap none and 5 ns"),
        ("sample", json!(10), "sample none and 10"),
        ("seed", json!(2), "seed 1 and 2"),
    ];
    for (key, value, reason) in settings {
        let reason = format!("`a` and `b` differ in a setting: {reason}");
        refused(|report| report["settings"][key] = value, &[&reason]);
    }
}

#[test]
fn runs_on_different_inputs_are_refused() {
    let reason = "`a` and `b` ran on different inputs";
    let bytes = "`in.csv` has not the bytes of `in.csv`";
    refused(|report| report["files"][0]["sha256"] = json!("00"), &[reason, bytes]);
    refused(|report| report["files"][0]["input_rows"] = json!(11), &[reason, bytes]);
    let unknown = "the SHA-256 of `in.csv` is not known";
    refused(|report| report["files"][0]["sha256"] = Value::Null, &[reason, unknown]);
    refused(|report| report["files"] = json!([]), &[reason, "1 file and 0 files"]);
    let compared = "`a` and `b` did not compare the same puzzles of `in.csv`: 10 and 9";
    refused(|report| report["files"][0]["compared"] = json!(9), &[compared]);
}

#[test]
fn a_partial_run_is_refused() {
    refused(|report| report["partial"] = json!("time_budget"), &["`b` is a partial run"]);
}

#[test]
fn runs_of_other_code_or_of_the_same_layout_are_refused() {
    let layout = "`a` and `b` have the same layout: the addresses did not move";
    refused(|report| report["code"]["layout"][1] = json!(1000), &[layout]);
    let function = |hash: &str| json!({"arm": "break", "offset": 0, "bytes": 1, "instructions": 1, "sha256": hash});
    let bench = bench(RUN);
    for (run, hash) in [("a", "00"), ("b", "01")] {
        write(&bench, run, |report| report["code"]["functions"] = json!([function(hash)]));
    }
    merge(&bench, "a b").exits(1).says(&["`a` and `b` ran different machine code of `break`"]);
}

#[test]
fn another_commit_is_refused_unless_the_code_is_known_to_be_the_same() {
    let bench = bench(RUN);
    let arms = report(&bench, "one")["code"]["layout"].as_array().unwrap().len();
    let write = |run: &str, commit: &str, known: usize| {
        write(&bench, run, |report| {
            let function = |arm| {
                let arm = format!("arm {arm}");
                json!({"arm": arm, "offset": 0, "bytes": 1, "instructions": 1, "sha256": "00"})
            };
            report["code"]["functions"] = (0..known).map(function).collect();
            report["code"]["layout"][1] = json!(commit.len());
            report["provenance"]["commit"] = json!(commit);
        });
    };
    write("a", "c0ffee", arms);
    write("b", "decade0", arms);
    let layouts = merged(&bench, "a b");
    assert_eq!(layouts["differences"][0]["what"], "commit");
    write("b", "decade0", arms - 1);
    merge(&bench, "a b").exits(1).says(&["`a` and `b` were built differently (commit c0ffee"]);
}

#[test]
fn a_report_that_is_missing_damaged_or_of_another_version_is_named() {
    let bench = bench(RUN);
    write_layouts(&bench, &[1.02, 1.03], 1.001);
    merge(&bench, "a").exits(1).says(&["1 run cannot show what the layout makes", "12 are usual"]);
    for report in ["report", "report --merge layouts a"] {
        bench.run(&format!("{report} nope")).exits(1).says(&["cannot read `nope`"]);
        bench.write("b/report.json", "{\"schema_version\": 1}");
        let version = "`b/report.json` has schema_version 1, and this program reads 2";
        bench.run(&format!("{report} b")).exits(1).says(&[version]);
        for text in ["", "[]", "{\"schema_version\": 2}", "{\"schema_version\": 2, "] {
            bench.write("b/report.json", text);
            let damaged = "`b/report.json` is not the report of a run";
            bench.run(&format!("{report} b")).exits(1).says(&[damaged]);
        }
    }
    refused(
        |report| set(&mut report["files"][0]["comparisons"][0], 0.0, 1.0),
        &["`b/report.json` is not the report of a run: a ratio is not positive"],
    );
    let corrected = |report: &mut Value, lo: f64, hi: f64| {
        report["files"][0]["comparisons"][0]["corrected"] = json!({"lo": lo, "hi": hi});
    };
    refused(|report| corrected(report, 0.0, 1.0), &["`b` is damaged"]);
    refused(|report| corrected(report, 1.1, 0.9), &["`b` is damaged"]);
    refused(|report| report["files"][0]["comparisons"] = json!([]), &["`b` is damaged"]);
}

#[test]
fn several_runs_without_a_merge_are_wrong_usage() {
    let bench = bench(RUN);
    let done = bench.run("report one one").exits(2);
    done.says(&["`--merge layouts` or `--merge shards` puts several together"]);
    bench.run("report").exits(2);
    bench.run("report --merge files one").exits(2);
}
