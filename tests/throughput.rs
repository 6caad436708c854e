//! `compare --threads` and the times by nodes, driven through the binary.

mod common;

use common::*;
use serde_json::{Value, json};

/// A folder with some everyday puzzles, and behind them one without a solution and one that breaks
/// the rules.
fn bench() -> Bench {
    let text = repository_file("data/everyday.csv");
    let puzzles = text.lines().skip(1).take(60).map(String::from);
    Bench::with(lines(puzzles.chain([UNSOLVABLE.into(), format!("44{}", ".".repeat(79))])))
}

fn report(bench: &Bench, folder: &str) -> Value {
    serde_json::from_str(&bench.read(&format!("{folder}/report.json"))).unwrap()
}

/// The cells of a file's throughput, each of which has a positive rate.
fn cells(file: &Value) -> Vec<(String, u64)> {
    let rates = file["throughput"]["rates"].as_array().unwrap();
    let cell = |rate: &Value| {
        assert!(rate["puzzles_per_s"].as_f64().unwrap() > 0.0, "{rate}");
        (rate["variant"].as_str().unwrap().into(), rate["threads"].as_u64().unwrap())
    };
    rates.iter().map(cell).collect()
}

#[test]
fn every_variant_has_a_rate_with_every_number_of_threads() {
    let bench = bench();
    let run = "compare in.csv -q -j 1 --threads 2,1 --sample 50 --passes 2 -o run";
    let page = bench.run(run).exits(0).stdout;
    let report = report(&bench, "run");
    assert_eq!(report["settings"]["throughput_threads"], json!([1, 2]));
    assert_eq!(report["settings"]["threads"], 1);
    let file = &report["files"][0];
    assert_eq!(file["throughput"]["puzzles"], file["compared"]);
    assert_eq!(file["throughput"]["passes"], 3);
    let of_both = |name: &str| [1, 2].map(|threads| (name.to_owned(), threads));
    assert_eq!(cells(file), TEMPLATES.map(of_both).concat());
    for text in ["Throughput: ", "| puzzles/s, 1 thread |", "(×1.00) |", "fastest of 3 passes"] {
        assert!(page.contains(text), "`{text}` is missing in:\n{page}");
    }
    // The run reads back as it was.
    assert_eq!(bench.run("report run").exits(0).stdout, page);
}

#[test]
fn lanes_have_rates_as_well_and_every_file_has_its_own() {
    let bench = bench();
    bench.write("other.csv", csv(&[EASY, SECOND]));
    let run = "compare in.csv other.csv -q -t lanes,mrv --baseline mrv --no-controls --passes 1";
    let page = bench.run(&format!("{run} --isomorphs 1 --threads 3 -o run")).exits(0).stdout;
    let report = report(&bench, "run");
    for (file, puzzles) in [(0, 61), (1, 2)] {
        let file = &report["files"][file];
        // As they stand, the one without a solution too, and not the one that breaks the rules.
        assert_eq!(file["throughput"]["puzzles"], puzzles);
        assert_eq!(cells(file), [("mrv".into(), 3), ("lanes".into(), 3)]);
    }
    assert_eq!(page.matches("| puzzles/s, 3 threads |").count(), 2, "{page}");
    let rows: Vec<&str> = page.lines().skip_while(|line| !line.contains("3 threads |")).collect();
    assert!(rows[2].starts_with("| `lanes` | ") && rows[3].starts_with("| `mrv` "), "{page}");
}

#[test]
fn without_the_option_nothing_is_said_of_it() {
    let bench = bench();
    let page = bench.run("compare in.csv -q -t break,mrv --passes 1 -o run").exits(0).stdout;
    let report = report(&bench, "run");
    assert_eq!(report["settings"].get("throughput_threads"), None);
    assert_eq!(report["files"][0].get("throughput"), None);
    assert!(!page.contains("Throughput"), "{page}");
}

#[test]
fn a_spent_budget_leaves_no_throughput() {
    let bench = bench();
    let run = "compare in.csv -q -t break,mrv --passes 1 --threads 1";
    let missing = "Throughput was asked for and not measured, since the run was cut short.";
    let page = bench.run(&format!("{run} --time-budget 1ns -o none")).exits(0).stdout;
    assert!(page.contains(missing), "{page}");
    assert_eq!(report(&bench, "none")["files"][0].get("throughput"), None);
    let page = bench.run(&format!("{run} --time-budget 10m -o all")).exits(0).stdout;
    assert!(!page.contains(missing), "{page}");
    assert_eq!(cells(&report(&bench, "all")["files"][0]).len(), 2);
}

#[test]
fn numbers_of_threads_that_make_no_sense_are_wrong_usage() {
    let bench = bench();
    for threads in ["0", "1,0", "1025", "-1", "1.5", "many", "1,", ",", ""] {
        bench.run(&format!("compare in.csv --threads={threads}")).exits(2);
    }
    for threads in ["1,1", "2,1,2", "1 --threads 1"] {
        let done = bench.run(&format!("compare in.csv --threads {threads}")).exits(2);
        done.says(&["--threads names ", " twice"]);
    }
    bench.run("compare in.csv --threads").exits(2);
}

#[test]
fn more_threads_than_cores_are_a_warning_of_the_run() {
    let bench = Bench::with(csv(&[EASY]));
    let more = std::thread::available_parallelism().unwrap().get() + 1;
    let run =
        format!("compare in.csv -q -t mrv --no-controls --passes 1 --threads 1,{more} -o run");
    let done = bench.run(&run).exits(0);
    assert!(done.stdout.contains(&format!("the throughput of {more} threads is that of ")));
    assert_eq!(done.stderr, "");
    let warnings = &report(&bench, "run")["warnings"];
    let expected = json!({ "kind": "more_threads_than_cores", "threads": more, "cores": more - 1 });
    assert!(warnings.as_array().unwrap().contains(&expected), "{warnings}");
}

#[test]
fn runs_with_other_numbers_of_threads_are_comparable() {
    let bench = bench();
    for (folder, threads) in [("a", ""), ("b", "--threads 1,2")] {
        let run = "compare in.csv -q -j 1 --passes 1 -t break,mrv";
        bench.run(&format!("{run} {threads} -o {folder}")).exits(0);
    }
    let page = bench.run("diff a b --fail-on 99%").exits(0).stdout;
    assert!(page.contains("61 puzzles in both runs"), "{page}");
    let mut other = report(&bench, "b");
    other["code"]["layout"][1] = json!(7);
    bench.write("b/report.json", other.to_string());
    bench.run("report --merge layouts a b").exits(0);
}

#[test]
fn all_measured_searches_are_in_the_times_by_nodes() {
    let bench = bench();
    bench.run("compare in.csv -q -j 2 -t break,mrv --passes 1 --isomorphs 2 -o run").exits(0);
    for variant in report(&bench, "run")["files"][0]["variants"].as_array().unwrap() {
        let bins = variant["work"].as_array().unwrap();
        let number = |bin: &Value, key: &str| bin[key].as_u64().unwrap();
        let searches: u64 = bins.iter().map(|bin| number(bin, "searches")).sum();
        assert_eq!(variant["latency"]["count"], searches);
        for bin in bins {
            let times = ["p10_ns", "p50_ns", "p90_ns"].map(|key| number(bin, key));
            assert!(times.is_sorted() && number(bin, "searches") > 0, "{bin}");
            assert!(number(bin, "nodes_from") <= number(bin, "nodes_to"), "{bin}");
        }
        let is_behind =
            |pair: &[Value]| number(&pair[0], "nodes_to") < number(&pair[1], "nodes_from");
        assert!(bins.windows(2).all(is_behind), "{bins:?}");
    }
}
