//! `diff`: two run folders against each other, driven through the binary. The times of the second
//! run are made from those of the first, so that the figures are known.

mod common;

use common::*;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs;

/// A folder with a run `old` of so many puzzles, and `new`, a copy of it. Both have a control bound
/// of 0.1 %, whatever the machine made.
fn bench() -> Bench {
    let text = repository_file("data/everyday.csv");
    let bench = Bench::with(lines(text.lines().take(1 + 30)));
    bench.run("compare in.csv -t break,rescan --passes 1 -j 1 -o old").exits(0);
    report(&bench, "old", |report| *bound(report) = 0.001.into());
    fs::create_dir(bench.path("new")).unwrap();
    for name in ["report.json", "puzzles.csv"] {
        fs::copy(bench.path(&format!("old/{name}")), bench.path(&format!("new/{name}"))).unwrap();
    }
    bench
}

/// Changes a report.json.
fn report(bench: &Bench, folder: &str, change: impl Fn(&mut Value)) {
    let name = format!("{folder}/report.json");
    let mut report: Value = serde_json::from_str(&bench.read(&name)).unwrap();
    change(&mut report);
    bench.write(&name, report.to_string());
}

fn bound(report: &mut Value) -> &mut Value {
    &mut report["files"][0]["controls"]["bound"]
}

/// Replaces a puzzles.csv, and its hash in report.json.
fn puzzles(bench: &Bench, folder: &str, text: &str) {
    bench.write(&format!("{folder}/puzzles.csv"), text);
    let hash = Sha256::digest(text);
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    report(bench, folder, |report| report["puzzles"]["sha256"] = hash.clone().into());
}

/// The rows of a puzzles.csv with each time of `variant` in percent of what it was.
fn slowed(rows: &str, variant: &str, percent: u64) -> String {
    lines(rows.lines().map(|line| {
        let mut fields: Vec<String> = line.split(',').map(String::from).collect();
        if fields[3] == variant {
            let ns: u64 = fields[10].parse().unwrap();
            fields[10] = (ns * percent / 100).to_string();
        }
        fields.join(",")
    }))
}

fn first_line(done: &Done) -> &str {
    done.stdout.lines().next().unwrap()
}

#[test]
fn a_run_against_itself_is_no_change() {
    let done = bench().run("diff old old --fail-on 0").exits(0);
    assert_eq!(first_line(&done), "# NO CHANGE beyond the limit: `break`, `rescan`");
    let says = |text: &str| assert!(done.stdout.contains(text), "{text}: {}", done.stdout);
    says("## in.csv\n\n30 puzzles in both runs, 0 only in OLD, 0 only in NEW.");
    says("| `break`  | 1.0000 [1.0000, 1.0000] |     1.0000 | NO CHANGE beyond the limit |");
    says("Nothing: settings, build and processor are the same.");
    assert!(!done.stdout.contains("\n- "), "{}", done.stdout);
    assert_eq!(done.stderr, "");
}

#[test]
fn a_variant_that_became_slower_fails_the_gate() {
    let bench = bench();
    puzzles(&bench, "new", &slowed(&bench.read("old/puzzles.csv"), "rescan", 120));
    let done = bench.run("diff old new").exits(3);
    let expected = "# SLOWER beyond the limit: `rescan`; NO CHANGE beyond the limit: `break`";
    assert_eq!(first_line(&done), expected);
    assert!(done.stdout.contains("| `rescan` | 1.2000 [1.2000, 1.2000] |"), "{}", done.stdout);
    let done = bench.run("diff new old").exits(0);
    let expected = "# FASTER beyond the limit: `rescan`; NO CHANGE beyond the limit: `break`";
    assert_eq!(first_line(&done), expected);
}

#[test]
fn the_limit_is_the_users_or_what_copies_made() {
    let bench = bench();
    puzzles(&bench, "new", &slowed(&bench.read("old/puzzles.csv"), "rescan", 120));
    bench.run("diff old new --fail-on 19.9%").exits(3);
    bench.run("diff old new --fail-on 25%").exits(0);
    bench.run("diff old new --fail-on 0.25").exits(0);
    bench.run("diff old new --fail-on 100%").exits(2);
    for folder in ["old", "new"] {
        report(&bench, folder, |report| *bound(report) = 0.25.into());
        let done = bench.run("diff old new").exits(0);
        assert!(done.stdout.contains("Limit 25.00 %"), "{}", done.stdout);
        report(&bench, folder, |report| *bound(report) = Value::Null);
        let warning = format!("- Warning: {} has no bound", folder.to_uppercase());
        let done = bench.run("diff old new").exits(3);
        assert!(done.stdout.contains(&warning), "{}", done.stdout);
    }
}

#[test]
fn all_variants_slower_together_are_noted() {
    let bench = bench();
    let text = bench.read("old/puzzles.csv");
    puzzles(&bench, "new", &slowed(&slowed(&text, "rescan", 120), "break", 120));
    let done = bench.run("diff old new").exits(3);
    let note = "- All variants moved together on `in.csv`, by a factor of about 1.2000";
    assert!(done.stdout.contains(note), "{}", done.stdout);
}

#[test]
fn the_order_of_the_rows_does_not_matter() {
    let bench = bench();
    let text = slowed(&bench.read("old/puzzles.csv"), "rescan", 120);
    puzzles(&bench, "new", &text);
    let expected = bench.run("diff old new").exits(3).stdout;
    let mut rows: Vec<&str> = text.lines().collect();
    rows[1..].reverse();
    puzzles(&bench, "new", &lines(rows));
    assert_eq!(bench.run("diff old new").exits(3).stdout, expected);
    assert!(bench.run("diff new old").exits(0).stdout.contains("`rescan` | 0.8333"));
}

#[test]
fn of_a_sample_and_the_whole_file_the_common_puzzles_count() {
    let bench = bench();
    bench.run("compare in.csv -t rescan,mrv --passes 1 -j 1 --sample 10 -o part").exits(0);
    report(&bench, "part", |report| *bound(report) = 1e9.into());
    for (runs, only) in [
        ("part old", "0 only in OLD, 20 only in NEW"),
        ("old part", "20 only in OLD, 0 only in NEW"),
    ] {
        let done = bench.run(&format!("diff {runs}")).exits(0);
        let says = |text: &str| assert!(done.stdout.contains(text), "{text}: {}", done.stdout);
        says(&format!("10 puzzles in both runs, {only}."));
        says(" has `break`.\n");
        says(" has `mrv`.\n");
        says("| sample ");
        assert_eq!(first_line(&done), "# NO CHANGE beyond the limit: `rescan`");
    }
}

#[test]
fn puzzles_that_only_one_run_timed_are_left_out() {
    let bench = bench();
    let text = bench.read("old/puzzles.csv");
    let without_time = |line: &str| match line.split(',').nth(1) {
        Some("2") => format!("{},,", line.rsplitn(3, ',').last().unwrap()),
        _ => line.into(),
    };
    puzzles(&bench, "new", &lines(text.lines().map(without_time)));
    let done = bench.run("diff old new").exits(0);
    assert!(done.stdout.contains("29 puzzles in both runs, 1 only in OLD"), "{}", done.stdout);
}

#[test]
fn other_node_counts_are_noted_and_no_error() {
    let bench = bench();
    let more_nodes = |line: &str| {
        let mut fields: Vec<String> = line.split(',').map(String::from).collect();
        if fields[3] == "rescan" && fields[1] != "2" {
            fields[5] += "0";
        }
        fields.join(",")
    };
    puzzles(&bench, "new", &lines(bench.read("old/puzzles.csv").lines().map(more_nodes)));
    let done = bench.run("diff old new").exits(0);
    let note =
        "- The algorithm of `rescan` has changed: other node counts on 29 puzzles of `in.csv`.";
    assert!(done.stdout.contains(note), "{}", done.stdout);
}

#[test]
fn runs_of_different_inputs_are_refused() {
    let bench = bench();
    bench.write("in.csv", bench.read("in.csv") + EASY + "\n");
    bench.run("compare in.csv -t rescan --passes 1 -j 1 -o other").exits(0);
    let done = bench.run("diff old other").exits(1);
    let done = done.says(&["error: `in.csv` is not the same in both runs: its SHA-256 is "]);
    assert_eq!(done.stdout, "");
    bench.run("compare in.csv in.csv -t rescan --passes 1 -j 1 -o other").exits(0);
    bench.run("diff old other").exits(1).says(&["NEW has `in.csv` twice"]);
    report(&bench, "new", |report| report["files"][0]["sha256"] = Value::Null);
    bench.run("diff new old").exits(1).says(&["OLD did not read `in.csv` to its end"]);
}

#[test]
fn a_changed_file_of_puzzles_is_refused() {
    let bench = bench();
    bench.write("new/puzzles.csv", slowed(&bench.read("old/puzzles.csv"), "rescan", 90));
    let done = bench.run("diff old new").exits(1);
    let done = done.says(&["`new/puzzles.csv` was changed since its run"]);
    assert_eq!(done.stdout, "");
}

#[test]
fn what_is_missing_is_named() {
    let bench = bench();
    bench.run("diff old nowhere").exits(1).says(&["cannot read `nowhere`: "]);
    fs::remove_file(bench.path("new/puzzles.csv")).unwrap();
    bench.run("diff old new").exits(1).says(&["cannot read `new/puzzles.csv`: "]);
    report(&bench, "new", |report| report["puzzles"] = Value::Null);
    bench.run("diff old new").exits(1).says(&["`new` has no per-puzzle file"]);
}

#[test]
fn damage_is_named_with_its_place() {
    let bench = bench();
    let text = bench.read("old/puzzles.csv");
    let damage = |line: usize, change: &dyn Fn(&str) -> String| {
        let changed = text.lines().enumerate().map(|(index, old)| match index + 1 == line {
            true => change(old),
            false => old.into(),
        });
        puzzles(&bench, "new", &lines(changed));
        bench.run("diff old new").exits(1)
    };
    damage(1, &|header| header.replace("line", "row"))
        .says(&["`new/puzzles.csv`, line 1: the header"]);
    damage(7, &|row| format!("{row},1"))
        .says(&["`new/puzzles.csv`, line 7: 13 fields instead of 12"]);
    let no_number = |row: &str| row.replacen(",0,", ",x,", 1);
    damage(5, &no_number).says(&["`new/puzzles.csv`, line 5: `form`: invalid digit"]);
    let no_time = |row: &str| format!("{},x,1", row.rsplitn(3, ',').last().unwrap());
    damage(9, &no_time).says(&["`new/puzzles.csv`, line 9: `min_ns`: "]);
    // Nobody but `lanes` may have nodes alone.
    let no_checks = |row: &str| {
        let mut fields: Vec<&str> = row.split(',').collect();
        fields[8] = "";
        fields.join(",")
    };
    damage(6, &no_checks).says(&["`new/puzzles.csv`, line 6: `checks`: "]);
    bench.write("new/report.json", "{\n  \"schema_version\": 2,\n  oops");
    bench
        .run("diff old new")
        .exits(1)
        .says(&["`new/report.json` is not the report of a run: ", "at line 3 column 3"]);
    bench.write("new/report.json", "{\"schema_version\": 1}");
    bench.run("diff old new").exits(1).says(&["`new/report.json` has schema_version 1, and this"]);
}
