//! `compare --shard` and `report --merge shards`: a file compared in parts, as if in one run.

mod common;

use common::*;
use proptest::prelude::*;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use sudoku_bench::batch::merge_shards;
use sudoku_bench::dataset::Shard;
use sudoku_bench::measure::Latency;
use sudoku_bench::report::{
    ByteRange, FileResult, Forms, Population, PuzzleFile, Run, Settings, VariantResult, Warning,
};
use sudoku_bench::solver::Counts;

/// A file with puzzles of all kinds, rows that are none, long ones, of which a block holds fewer, and a
/// record of two lines.
fn mixed(puzzles: usize) -> String {
    let everyday = repository_file("data/everyday.csv");
    let invalid = "5".repeat(81);
    let mut text = String::from("puzzle,note\n");
    for (number, row) in everyday.lines().skip(1).take(puzzles).enumerate() {
        text += &format!("{},a\n", &row[..81]);
        match number % 29 {
            3 => text += "no grid,b\n",
            11 => text += &format!("{invalid},c\n"),
            17 => text += &format!("{UNSOLVABLE},d\n"),
            23 => text += &format!("{CLASSIC},\"e\nf\"\n"),
            1 | 7 | 13 | 19 | 25 => text += &format!("{CLASSIC},{}\n", "g".repeat(3000)),
            _ => {}
        }
    }
    text
}

const HEADER: &str =
    "file,line,form,variant,status,nodes,placements,backtracks,checks,calls,min_ns,median_ns";

fn with_header<'a>(rows: impl Iterator<Item = &'a String>) -> String {
    lines(std::iter::once(HEADER).chain(rows.map(String::as_str)))
}

/// A whole run, and its per-puzzle file.
struct Whole {
    run: Run,
    /// The rows of each row of input.
    rows: Vec<Vec<String>>,
}

impl Whole {
    fn of(puzzles: usize, options: &str) -> Self {
        let bench = Bench::with(mixed(puzzles));
        bench.run(&format!("compare in.csv -q --passes 2 {options} -o run")).exits(5);
        let run = Run::read(&bench.path("run")).unwrap();
        let text = bench.read("run/puzzles.csv");
        let mut lines = text.lines().map(String::from);
        assert_eq!(lines.next().as_deref(), Some(HEADER));
        let mut rows: Vec<Vec<String>> = Vec::new();
        let line = |row: &str| row.split(',').nth(1).unwrap().to_owned();
        for row in lines {
            match rows.last_mut() {
                Some(rows) if line(&rows[0]) == line(&row) => rows.push(row),
                _ => rows.push(vec![row]),
            }
        }
        assert_eq!(rows.len() as u64, run.files[0].population.rows);
        Whole { run, rows }
    }

    /// The runs that might have been made on parts of the file, which end at these rows.
    fn split(&self, ends: &[usize], folder: &Path) -> Vec<(PathBuf, Run)> {
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let parts = std::iter::zip(starts, ends).map(|(start, &end)| &self.rows[start..end]);
        let of = ends.len() as u64;
        let part = |(index, rows): (u64, &[Vec<String>])| {
            let folder = folder.join(index.to_string());
            fs::create_dir(&folder).unwrap();
            let text = with_header(rows.iter().flatten());
            fs::write(folder.join("puzzles.csv"), &text).unwrap();
            let sha256 = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
            let shard = Shard::new(index, of).unwrap();
            let bytes = shard.bytes(12_345);
            let whole = &self.run.files[0];
            let mut file = FileResult {
                name: whole.name.clone(),
                input_rows: Some(rows.len() as u64),
                finished: true,
                range: Some(ByteRange { from: bytes.start, to: bytes.end, length: 12_345 }),
                variants: whole.variants.iter().map(none_of).collect(),
                ..FileResult::default()
            };
            file.population.forms = whole.population.forms.is_some().then(Forms::default);
            rows.iter().for_each(|rows| add(rows, &mut file));
            // What the rows do not tell.
            if index == 1 {
                file.population.different_solutions = whole.population.different_solutions;
                (file.repeated, file.effort) = (whole.repeated, whole.effort);
            }
            let settings = Settings { shard: Some(shard.into()), ..self.run.settings.clone() };
            let puzzles = Some(PuzzleFile { name: "puzzles.csv".into(), sha256 });
            (folder, Run { settings, puzzles, files: vec![file], ..self.run.clone() })
        };
        (1..).zip(parts).map(part).collect()
    }

    /// What a merge must say.
    fn expected(&self) -> FileResult {
        let mut file = self.run.files[0].clone();
        (file.sha256, file.drift, file.order_effect) = (None, None, None);
        let is_of_times = |warning: &Warning| {
            !matches!(warning, Warning::Drift { .. } | Warning::OrderEffect { .. })
        };
        file.warnings.retain(is_of_times);
        file
    }
}

fn none_of(variant: &VariantResult) -> VariantResult {
    VariantResult {
        counts: Counts::default(),
        latency: Latency::default(),
        spread: None,
        work: Vec::new(),
        ..variant.clone()
    }
}

/// Adds what the rows of a row of input say of it.
fn add(rows: &[String], file: &mut FileResult) {
    let FileResult { population, variants, .. } = file;
    population.rows += 1;
    if rows[0].contains(",malformed,") {
        population.malformed += 1;
        return;
    }
    let laps: Vec<Lap> = records(&with_header(rows.iter()));
    let forms: Vec<&[Lap]> = laps.chunk_by(|one, other| one.form == other.form).collect();
    let is_measured = |form: &&[Lap]| form[0].min_ns.is_some();
    for form in &forms {
        match form.last().unwrap() {
            _ if is_measured(form) => {
                population.forms.iter_mut().for_each(|forms| forms.measured += 1);
            }
            last if last.status.starts_with("limit") => {
                let forms = population.forms.iter_mut();
                forms.for_each(|forms| forms.drop_puzzles(&last.variant, &last.status, 1));
            }
            _ => {}
        }
    }
    match forms.iter().find(|form| is_measured(form)) {
        Some(form) => {
            population.compared += 1;
            population.unsolvable += u64::from(form[0].status == "unsolvable");
        }
        None if laps[0].status == "invalid" => population.invalid += 1,
        None => {
            let last = forms[0].last().unwrap();
            population.drop_puzzles(&last.variant, &last.status, 1);
        }
    }
    for variant in variants {
        let own = laps.iter().filter(|lap| lap.variant == variant.name);
        for (lap, min_ns) in own.filter_map(|lap| Some((lap, lap.min_ns?))) {
            let &Lap { nodes, placements, backtracks, checks, calls, .. } = lap;
            variant.counts += Counts { nodes, placements, backtracks, checks, calls };
            variant.latency.record(min_ns);
        }
    }
}

/// A run without forms and one with, under a cap that some puzzles hit.
static WHOLES: LazyLock<[Whole; 2]> = LazyLock::new(|| {
    [
        Whole::of(330, "-t break,mrv,bitmask --max-nodes 20k"),
        Whole::of(90, "-t mrv,early-return --isomorphs 2 --max-nodes 2k"),
    ]
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_run_that_is_cut_anywhere_and_merged_is_the_run(
        which in 0..2_usize,
        cuts in proptest::collection::vec(0.0..1.0_f64, 0..6),
    ) {
        let whole = &WHOLES[which];
        let rows = whole.rows.len();
        let mut ends: Vec<usize> = cuts.iter().map(|cut| (cut * rows as f64) as usize).collect();
        ends.push(rows);
        ends.sort_unstable();
        let folder = tempfile::tempdir().unwrap();
        let mut parts = whole.split(&ends, folder.path());
        parts.rotate_left(ends.len() / 2);
        let merged = merge_shards(parts).unwrap();
        prop_assert_eq!(&merged.files[0], &whole.expected());
        let Run { settings, code, timer, warnings, .. } = &whole.run;
        prop_assert!(&merged.settings == settings && &merged.code == code);
        prop_assert!(&merged.timer == timer && &merged.warnings == warnings);
        prop_assert_eq!(merged.shards.unwrap().runs.len(), ends.len());
    }
}

#[test]
fn what_is_cut_and_merged_has_all_kinds_of_rows_and_figures() {
    for whole in &*WHOLES {
        let file = whole.expected();
        let Population { compared, unsolvable, invalid, malformed, dropped, .. } = &file.population;
        assert!([compared, unsolvable, invalid, malformed].iter().all(|&&number| number > 0));
        assert!(dropped.iter().map(|it| it.puzzles).sum::<u64>() > 0, "{dropped:?}");
        assert!(file.comparisons.iter().all(|it| it.deciles.len() == 10 && it.corrected.is_some()));
        assert!(file.variants.iter().all(|variant| !variant.work.is_empty()));
    }
    assert!(WHOLES[0].run.files[0].comparisons[0].geometric_mean.unwrap().interval.is_some());
    let with_forms = &WHOLES[1].run.files[0];
    assert!(with_forms.variants[0].spread.is_some());
    assert!(!with_forms.population.forms.as_ref().unwrap().dropped.is_empty());
}

/// A folder in which `in.csv` was compared in three shards, and as a whole.
fn bench(options: &str) -> Bench {
    let bench = Bench::with(mixed(90));
    let run = |rest: &str| {
        bench.run(&format!("compare in.csv -q -j 1 --passes 1 {options} {rest}")).exits(5);
    };
    run("-o whole");
    (1..=3).for_each(|index| run(&format!("--shard {index}/3 -o {index}")));
    bench
}

fn report(bench: &Bench, run: &str) -> Value {
    serde_json::from_str(&bench.read(&format!("{run}/report.json"))).unwrap()
}

#[test]
fn the_runs_of_all_shards_are_that_of_the_file_but_for_the_times() {
    let bench = bench("-t break,mrv,lanes --isomorphs 1 --max-nodes 20k --threads 1");
    let done = bench.run("report --merge shards 3 1 2 -o merged").exits(0);
    assert_eq!(without_charts(&bench.read("merged/report.md")), done.stdout);
    let (whole, merged) = (report(&bench, "whole"), report(&bench, "merged"));
    let (whole, file) = (&whole["files"][0], &merged["files"][0]);
    for key in [
        "name",
        "input_rows",
        "finished",
        "rows",
        "compared",
        "unsolvable",
        "different_solutions",
        "invalid",
        "malformed",
        "dropped",
        "wrong",
        "forms",
    ] {
        assert_eq!(file[key], whole[key], "{key}");
    }
    for (variant, of_whole) in
        std::iter::zip(file["variants"].as_array().unwrap(), whole["variants"].as_array().unwrap())
    {
        for key in ["name", "counts", "spread"] {
            assert_eq!(variant[key], of_whole[key]);
        }
        assert_eq!(variant["latency"]["count"], of_whole["latency"]["count"]);
        let work = |variant: &Value| -> Vec<Value> {
            let bins = variant["work"].as_array().unwrap().iter();
            bins.map(|bin| json!([bin["nodes_from"], bin["nodes_to"], bin["searches"]])).collect()
        };
        assert_eq!(work(variant), work(of_whole));
    }
    let (comparison, of_whole) = (&file["comparisons"][0], &whole["comparisons"][0]);
    assert_eq!(comparison["groups"], of_whole["groups"]);
    assert_eq!(comparison["puzzles"], of_whole["puzzles"]);
    let deciles = |comparison: &Value| -> Vec<Value> {
        let deciles = comparison["deciles"].as_array().unwrap().iter();
        deciles.map(|it| json!([it["nodes_from"], it["nodes_to"], it["puzzles"]])).collect()
    };
    assert_eq!(deciles(comparison), deciles(of_whole));
    // The rows of all per-puzzle files are those of the one, without the times.
    let searches = |run: &str| -> Vec<String> {
        let text = bench.read(&format!("{run}/puzzles.csv"));
        text.lines().skip(1).map(|row| row.rsplitn(3, ',').last().unwrap().to_owned()).collect()
    };
    assert_eq!([searches("1"), searches("2"), searches("3")].concat(), searches("whole"));
    for key in ["per_block", "throughput"] {
        assert_eq!((whole[key].is_object(), file.get(key)), (true, None), "{key}");
    }
    assert!(
        done.stdout
            .contains("; and of `lanes`, which is compared per block; and of the throughput.")
    );
}

#[test]
fn a_merged_run_is_a_folder_that_is_read_again() {
    let bench = bench("-t break,mrv");
    fs::create_dir(bench.path("merged")).unwrap();
    bench.write("merged/puzzles.csv", "of an earlier run");
    bench.write("merged/notes.txt", "mine");
    let done = bench.run("report --merge shards 1 2 3/report.json -o merged").exits(0);
    assert!(!bench.path("merged/puzzles.csv").exists());
    assert_eq!(bench.read("merged/notes.txt"), "mine");
    assert!(bench.path("merged/mrv.hgrm").exists());
    let merged = report(&bench, "merged");
    assert_eq!((&merged["puzzles"], merged["settings"].get("shard")), (&Value::Null, None));
    let runs = merged["shards"]["runs"].as_array().unwrap();
    assert_eq!(
        runs.iter().map(|run| &run["name"]).collect::<Vec<_>>(),
        ["1", "2", "3/report.json"]
    );
    assert_eq!(runs[1]["shard"], json!({"index": 2, "of": 3}));
    for (format, file) in [("md", "report.md"), ("html", "report.html"), ("csv", "summary.csv")] {
        let again = bench.run(&format!("report merged --format {format}")).exits(0).stdout;
        let direct =
            bench.run(&format!("report --merge shards 1 2 3/report.json --format {format}"));
        assert_eq!(direct.exits(0).stdout, again, "{format}");
        let written = bench.read(&format!("merged/{file}"));
        assert_eq!(if format == "md" { without_charts(&written) } else { written }, again);
    }
    bench.run("report --merge shards 3 2 1 -o model --format json").exits(0);
    assert_eq!(report(&bench, "model")["files"], merged["files"]);
    assert!(!bench.path("model/report.md").exists());
    assert!(
        done.stdout.contains("How far to trust it: one layout, from 3 shards ("),
        "{}",
        done.stdout
    );
    let commands: Vec<&str> =
        done.stdout.lines().filter(|line| line.starts_with("`sudoku-bench compare")).collect();
    assert!(commands.len() == 3 && commands[2].ends_with("--shard 3/3 -o 3`"), "{commands:?}");
    let lines = bench.run("report merged --format text").exits(0).stdout;
    assert!(lines.contains("one layout, from 3 shards ("), "{lines}");
    // Nothing that was read is written over.
    let model = bench.read("2/report.json");
    for options in ["", "--format md", "--format json"] {
        let done = bench.run(&format!("report --merge shards 1 2 3 -o 2 {options}")).exits(1);
        done.says(&["`2` has a run that is merged"]);
    }
    assert_eq!(bench.read("2/report.json"), model);
    assert!(bench.path("2/puzzles.csv").exists());
}

#[test]
fn a_shard_says_which_it_is() {
    let bench = bench("-t break,mrv");
    let length = bench.read("in.csv").len() as u64;
    let second = report(&bench, "2");
    assert_eq!(second["settings"]["shard"], json!({"index": 2, "of": 3}));
    let range = json!({"from": length / 3, "to": length * 2 / 3, "length": length});
    assert_eq!(second["files"][0]["range"], range);
    let page = bench.read("2/report.md");
    assert!(page.lines().nth(2).unwrap().ends_with(" The figures cover shard 2 of 3 of the file."));
    assert!(page.contains("sample: all rows of shard 2 of 3"), "{page}");
    assert_eq!(report(&bench, "whole")["files"][0].get("range"), None);
}

#[test]
fn machines_may_differ_and_are_named() {
    let bench = bench("-t break,mrv");
    let mut other = report(&bench, "2");
    other["provenance"]["cpu"] = json!("Another | one");
    other["settings"]["threads"] = json!(7);
    other["files"][0]["name"] = json!("elsewhere/in.csv");
    let puzzles = bench.read("2/puzzles.csv").replace("in.csv,", "elsewhere/in.csv,");
    let hash: String = Sha256::digest(&puzzles).iter().map(|byte| format!("{byte:02x}")).collect();
    other["puzzles"]["sha256"] = json!(hash);
    bench.write("2/puzzles.csv", puzzles);
    bench.write("2/report.json", other.to_string());
    let page = bench.run("report --merge shards 1 2 3 -o merged").exits(0).stdout;
    let merged = report(&bench, "merged");
    let differences = merged["shards"]["differences"].as_array().unwrap();
    let what: Vec<_> = differences.iter().map(|it| &it["what"]).collect();
    assert_eq!(what, ["processor", "solving threads"]);
    for text in [
        "one layout, from 3 shards that differ in processor, solving threads (",
        "\n- Note: the runs differ in solving threads: 1; 7.\n",
        "Another \\| one |",
        "no ratio has times of two",
    ] {
        assert!(page.contains(text), "`{text}` is missing in:\n{page}");
    }
}

#[test]
fn a_wrong_answer_in_one_shard_makes_the_report_invalid() {
    let bench = bench("-t break,mrv");
    let mut other = report(&bench, "3");
    other["files"][0]["wrong"] = json!(1);
    other["files"][0]["first_wrong"] = json!({"line": 99, "reason": "because"});
    bench.write("3/report.json", other.to_string());
    let done = bench.run("report --merge shards 1 2 3").exits(4);
    assert!(done.stdout.starts_with("# INVALID: a wrong answer on 1 puzzle\n"), "{}", done.stdout);
    assert!(done.stdout.contains("first on line 99: because"), "{}", done.stdout);
}

/// Merges shards of which the second is changed.
#[track_caller]
fn refused(bench: &Bench, change: impl FnOnce(&mut Value), text: &str) {
    let model = bench.read("2/report.json");
    let mut other = report(bench, "2");
    change(&mut other);
    bench.write("2/report.json", other.to_string());
    let done = bench.run("report --merge shards 1 2 3 -o out").exits(1).says(&[text]);
    assert_eq!((done.stdout.as_str(), done.stderr.lines().count()), ("", 1), "{}", done.stderr);
    assert!(!bench.path("out").exists());
    bench.write("2/report.json", model);
}

#[test]
fn runs_that_are_not_all_shards_of_one_file_are_refused() {
    let bench = bench("-t break,mrv");
    let merge = |runs: &str, text: &str| {
        bench.run(&format!("report --merge shards {runs}")).exits(1).says(&[text]);
    };
    merge("1 3", "shard 2/3 is missing");
    merge("2 3", "shard 1/3 is missing");
    merge("2 1", "shard 3/3 is missing");
    merge("1 2 3 2", "`2` and `2` are both shard 2/3");
    merge("1 whole", "`whole` is not the run of a shard");
    bench.run("report --merge shards 1 2 3 -o merged").exits(0);
    merge("merged", "`merged` was merged already; name the runs that it was made of");
    merge("1 nope", "cannot read `nope`");
    refused(&bench, |run| run["partial"] = json!("interrupted"), "`2` is a partial run");
    let number = "`1` is shard 1/3 and `2` is shard 2/4: the numbers of shards differ";
    refused(&bench, |run| run["settings"]["shard"]["of"] = json!(4), "`2` is damaged: the bytes");
    refused(
        &bench,
        |run| {
            run["settings"]["shard"]["of"] = json!(4);
            run["files"][0]["range"] = json!({"from": 10, "to": 20, "length": 40});
        },
        number,
    );
    refused(
        &bench,
        |run| run["files"][0]["range"] = json!({"from": 10, "to": 20, "length": 30}),
        "`1` and `2` ran on different inputs: `in.csv` has ",
    );
    refused(
        &bench,
        |run| run["files"][0]["name"] = json!("other.csv"),
        "`1` and `2` ran on different inputs: `in.csv` and `other.csv`",
    );
    refused(&bench, |run| run["files"] = json!([]), "`2` is damaged: a shard is of one file");
    refused(&bench, |run| run["puzzles"] = Value::Null, "`2` has no per-puzzle file");
}

#[test]
fn runs_that_differ_in_more_than_the_machine_are_refused() {
    let bench = bench("-t break,mrv");
    for (key, value) in [
        ("variants", json!(["break", "rescan"])),
        ("baseline", json!("mrv")),
        ("passes", json!(6)),
        ("isomorphs", json!(1)),
        ("margin", json!(0.02)),
        ("seed", json!(2)),
    ] {
        let reason = "`1` and `2` differ in a setting: ";
        refused(&bench, |run| run["settings"][key] = value, &format!("{reason}{key} "));
    }
    refused(
        &bench,
        |run| run["code"]["layout"][1] = json!(1),
        "`1` and `2` ran the same code in different layouts",
    );
    for run in ["1", "2", "3"] {
        let mut model = report(&bench, run);
        model["settings"]["variants"] = json!(["break", "mrv", "mine"]);
        bench.write(&format!("{run}/report.json"), model.to_string());
    }
    let unknown = "`1` has a variant that this program does not know: `mine`";
    bench.run("report --merge shards 1 2 3").exits(1).says(&[unknown]);
}

#[test]
fn per_puzzle_files_that_are_changed_or_lack_something_are_refused() {
    let bench = bench("-t break,mrv");
    let written = bench.read("2/puzzles.csv");
    let mut rows: Vec<&str> = written.lines().collect();
    let merge = |rows: &[&str], is_hashed: bool, text: &str| {
        let puzzles = lines(rows);
        bench.write("2/puzzles.csv", &puzzles);
        let hash: String =
            Sha256::digest(&puzzles).iter().map(|byte| format!("{byte:02x}")).collect();
        refused(
            &bench,
            |run| {
                if is_hashed {
                    run["puzzles"]["sha256"] = json!(hash);
                }
            },
            text,
        );
    };
    let last = rows.pop().unwrap();
    merge(&rows, false, "`2/puzzles.csv` was changed since its run");
    merge(&rows, true, "`2` is damaged: its puzzles.csv lacks rows");
    rows.push(last);
    rows.swap(1, 2);
    merge(&rows, true, "`2` is damaged: its puzzles.csv ");
    rows.swap(1, 2);
    rows.push(rows[1]);
    merge(&rows, true, "`2` is damaged: its puzzles.csv is not in the order of the input");
    rows.pop();
    let other = last.replacen("in.csv", "out.csv", 1);
    rows.pop();
    rows.push(&other);
    merge(&rows, true, "`2` is damaged: its puzzles.csv names another file");
    fs::remove_file(bench.path("2/puzzles.csv")).unwrap();
    refused(&bench, |_| {}, "cannot read `2/puzzles.csv`");
}

#[test]
fn what_a_shard_cannot_be_of_is_wrong_usage() {
    let bench = Bench::with(mixed(3));
    for (arguments, text) in [
        ("", "--shard takes one file"),
        ("in.csv in.csv", "--shard takes one file"),
        ("in.csv --sample 3", "a sample is drawn from all rows of a file"),
        ("in.csv --time-budget 1s", "a shard that is cut short leaves rows out"),
        ("-", "--shard takes a file"),
    ] {
        bench.run(&format!("compare {arguments} --shard 1/2")).exits(2).says(&[text]);
    }
    for shard in ["0/2", "3/2", "1", "a/b"] {
        bench.run(&format!("compare in.csv --shard {shard}")).exits(2).says(&["expected I/N"]);
    }
}

#[test]
fn shards_without_any_row_are_merged_too() {
    let bench = Bench::with(csv(&[EASY]));
    for index in 1..=4 {
        bench
            .run(&format!("compare in.csv -q -t break,mrv --passes 1 --shard {index}/4 -o {index}"))
            .exits(0);
    }
    bench.run("report --merge shards 1 2 3 4 -o merged").exits(0);
    assert_eq!(report(&bench, "merged")["files"][0]["compared"], 1);
}
