//! What the program writes is what docs/files.md says, and its JSON is as the schemas in docs say.

mod common;

use common::*;
use jsonschema::Validator;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use sudoku_bench::batch::{SolutionCheck, Verdict};
use sudoku_bench::solver::Status;

fn schema(name: &str) -> Value {
    serde_json::from_str(&repository_file(&format!("docs/{name}.schema.json"))).unwrap()
}

fn validator(name: &str) -> Validator {
    jsonschema::validator_for(&schema(name)).unwrap()
}

#[track_caller]
fn assert_valid(validator: &Validator, name: &str, file: &Value) {
    let errors = validator.iter_errors(file);
    let errors = lines(errors.map(|error| format!("{}: {error}", error.instance_path())));
    assert!(errors.is_empty(), "{name}:\n{errors}");
}

fn json_of(bench: &Bench, name: &str) -> Value {
    serde_json::from_str(&bench.read(name)).unwrap()
}

/// A folder with `in.csv`, which has this many rows.
fn bench(rows: usize) -> Bench {
    let everyday = repository_file("data/everyday.csv");
    Bench::with(everyday.split_inclusive('\n').take(1 + rows).collect::<String>())
}

/// A folder in which `run` has a bit of everything.
fn bench_of_a_rich_run() -> Bench {
    let bench = bench(256);
    let options = "-t break,mrv,lanes --isomorphs 2 --threads 1,2 --max-nodes 2k --passes 1";
    bench.run(&format!("compare in.csv -q {options} -o run")).exits(0);
    bench
}

/// The files of this name below a folder of the repository; none if it is not there, as in the
/// package.
fn saved(folder: &str, name: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let (mut folders, mut files) = (vec![folder], Vec::new());
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            eprintln!("skipped: {} cannot be read", folder.display());
            continue;
        };
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.ends_with(name) {
                files.push(path);
            }
        }
    }
    files
}

#[test]
fn saved_files_are_as_the_schemas_say() {
    for (name, folder) in [("report", "results"), ("report", "tests"), ("layouts", "results")] {
        let validator = validator(name);
        for path in saved(folder, &format!("{name}.json")) {
            let file = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
            assert_valid(&validator, &path.display().to_string(), &file);
        }
    }
}

#[test]
fn reports_of_all_kinds_are_as_the_schema_says() {
    let validator = validator("report");
    let report = |bench: &Bench| {
        let report = json_of(bench, "run/report.json");
        assert_valid(&validator, "run", &report);
        report
    };

    let rich = report(&bench_of_a_rich_run());
    let file = &rich["files"][0];
    for key in ["forms", "per_block", "throughput", "controls"] {
        assert!(file[key].is_object(), "{key}: {file}");
    }
    assert_ne!(file["dropped"], json!([]));

    let few = bench(20);
    few.run("compare in.csv -q --no-controls --sample 9 --max-time 1m -o run").exits(0);
    assert_eq!(report(&few)["files"][0]["comparisons"].as_array().unwrap().len(), 2);
    few.run("compare in.csv in.csv -q --time-budget 1ns -o run").exits(0);
    assert_eq!(report(&few)["partial"], "time_budget");

    let odd = Bench::with(csv(&[EASY, "no grid", &"5".repeat(81), UNSOLVABLE]));
    odd.run("compare in.csv -q -o run").exits(5);
    assert_eq!(report(&odd)["files"][0]["malformed"], 1);
    odd.write("in.csv", csv(&["no grid"]));
    odd.run("compare in.csv -q -t break,lanes -o run").exits(5);
    assert_eq!(report(&odd)["files"][0]["compared"], 0);
}

#[test]
fn several_layouts_are_as_the_schema_says() {
    let bench = bench(20);
    bench.run("compare in.csv -q -t break,mrv --passes 1 -o run").exits(0);
    for layout in [1, 2] {
        let mut report = json_of(&bench, "run/report.json");
        report["code"]["layout"][1] = json!(layout);
        fs::create_dir(bench.path(&layout.to_string())).unwrap();
        bench.write(&format!("{layout}/report.json"), report.to_string());
    }
    bench.run("report --merge layouts 1 2 -o out").exits(0);
    assert_valid(&validator("layouts"), "out", &json_of(&bench, "out/layouts.json"));
    let written = ["layouts-forest.svg", "layouts.html", "layouts.json", "layouts.md"];
    assert_eq!(files_in(&bench, "out"), written.map(String::from).into());
}

/// The places of all values in a file, of arrays those of the first item alone.
fn places(value: &Value, place: &str, places: &mut Vec<String>) {
    places.push(place.into());
    match value {
        Value::Array(items) => {
            items.iter().take(1).for_each(|item| self::places(item, &format!("{place}/0"), places));
        }
        Value::Object(keys) => {
            keys.iter()
                .for_each(|(key, value)| self::places(value, &format!("{place}/{key}"), places));
        }
        _ => {}
    }
}

#[test]
fn a_damaged_report_is_not_as_the_schema_says() {
    let validator = validator("report");
    let report = json_of(&bench_of_a_rich_run(), "run/report.json");
    let mut all = Vec::new();
    places(&report, "", &mut all);
    let damaged = |place: &str, damage: &dyn Fn(&mut Value)| {
        let mut report = report.clone();
        damage(report.pointer_mut(place).unwrap());
        assert!(!validator.is_valid(&report), "{place}");
    };
    for place in &all {
        // Nothing is an object in one report and something else in another.
        let other = if report.pointer(place).unwrap().is_object() { json!(0) } else { json!({}) };
        damaged(place, &|value| *value = other.clone());
        damaged(place, &|value| match value {
            Value::Number(number) => *value = json!(number.to_string()),
            Value::Null => *value = json!([]),
            _ => *value = json!(0),
        });
        if let Some((parent, key)) = place.rsplit_once('/')
            && report.pointer(parent).unwrap().is_object()
        {
            damaged(parent, &|object| {
                let object = object.as_object_mut().unwrap();
                let value = object.remove(key).unwrap();
                object.insert(format!("{key}_"), value);
            });
        }
    }
    damaged("/files/0/comparisons/0/verdict", &|verdict| *verdict = json!("quick"));
    damaged("/schema_version", &|version| *version = json!(1));
    damaged("/settings/seed", &|seed| *seed = json!(-1));
}

/// A table of the page.
struct Table {
    /// The heading above it.
    heading: String,
    /// The first of its column names.
    kind: String,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// What stands in back quotes in the first column.
    fn names(&self) -> Vec<&str> {
        self.rows.iter().map(|row| unquoted(&row[0])).collect()
    }
}

#[track_caller]
fn unquoted(cell: &str) -> &str {
    let name = cell.strip_prefix('`').and_then(|cell| cell.strip_suffix('`'));
    name.unwrap_or_else(|| panic!("{cell} is not in back quotes"))
}

/// The tables of docs/files.md.
fn tables() -> Vec<Table> {
    let (mut tables, mut heading, mut within) = (Vec::<Table>::new(), String::new(), false);
    for line in repository_file("docs/files.md").lines() {
        if line.starts_with('#') {
            heading = line.trim_start_matches(['#', ' ']).into();
        }
        let Some(row) = line.strip_prefix("| ").and_then(|line| line.strip_suffix('|')) else {
            // The line below the column names belongs to the table.
            within &= line.starts_with("|-");
            continue;
        };
        let row: Vec<String> = row.split(" | ").map(|cell| cell.trim().into()).collect();
        if within {
            tables.last_mut().unwrap().rows.push(row);
        } else {
            let kind = row[0].clone();
            tables.push(Table { heading: heading.clone(), kind, rows: Vec::new() });
            within = true;
        }
    }
    tables
}

#[track_caller]
fn table<'a>(tables: &'a [Table], heading: &str, kind: &str) -> &'a Table {
    let mut found = tables.iter().filter(|it| it.heading == heading && it.kind == kind);
    match (found.next(), found.next()) {
        (Some(table), None) => table,
        _ => panic!("there is not one table of `{kind}` below `{heading}`"),
    }
}

/// The name that the page has for the values of a schema.
fn type_of(schema: &Value) -> String {
    let name = |value: &Value| value.as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    match (&schema["$ref"], &schema["anyOf"], &schema["type"]) {
        (Value::String(_), ..) => name(&schema["$ref"]),
        (_, Value::Array(any), _) => any.iter().map(type_of).collect::<Vec<_>>().join(" or "),
        (_, _, Value::Array(any)) => any.iter().map(name).collect::<Vec<_>>().join(" or "),
        (_, _, kind) if kind == "array" => format!("array of {}", type_of(&schema["items"])),
        (_, _, kind) => name(kind),
    }
}

/// The keys of objects of a schema, with their types.
fn keys_of(schema: &Value) -> BTreeSet<(String, String)> {
    let required = schema["required"].as_array().unwrap();
    let properties: &Map<String, Value> = schema["properties"].as_object().unwrap();
    let keys = properties.iter().map(|(key, property)| {
        let or_absent = if required.contains(&json!(key)) { "" } else { ", or absent" };
        (key.clone(), type_of(property) + or_absent)
    });
    keys.collect()
}

#[test]
fn the_page_has_the_keys_types_and_values_of_the_schemas_and_no_others() {
    let tables = tables();
    let mut described = BTreeSet::new();
    for (name, root) in [("report", "Run"), ("layouts", "Layouts")] {
        let schema = schema(name);
        let types = schema["$defs"].as_object().unwrap().iter();
        for (heading, schema) in types.chain([(&root.to_owned(), &schema)]) {
            described.insert(heading.clone());
            let kinds = schema["oneOf"].as_array();
            if heading == "Warning" {
                let table = table(&tables, heading, "`kind`");
                for (row, kind) in std::iter::zip(&table.rows, kinds.unwrap()) {
                    let mut keys = keys_of(kind);
                    keys.retain(|(key, _)| key != "kind");
                    assert_eq!(unquoted(&row[0]), kind["properties"]["kind"]["const"]);
                    let told = row[1].split('`').skip(1).step_by(2);
                    let keys: BTreeSet<&str> = keys.iter().map(|(key, _)| &**key).collect();
                    assert_eq!(told.collect::<BTreeSet<_>>(), keys, "{}", row[0]);
                }
                assert_eq!(table.rows.len(), kinds.unwrap().len());
            } else if let Some(values) = kinds {
                let values: Vec<&str> =
                    values.iter().map(|value| value["const"].as_str().unwrap()).collect();
                assert_eq!(table(&tables, heading, "value").names(), values, "{heading}");
            } else {
                let rows = &table(&tables, heading, "key").rows;
                let told = rows.iter().map(|row| (unquoted(&row[0]).into(), row[1].clone()));
                assert_eq!(told.collect::<BTreeSet<_>>(), keys_of(schema), "{heading}");
                let keys: BTreeSet<_> = rows.iter().map(|row| &row[0]).collect();
                assert_eq!(keys.len(), rows.len(), "{heading} has a key twice");
            }
        }
    }
    // Types are headings of their own level within the two files.
    let page = repository_file("docs/files.md");
    let headings = page.lines().filter_map(|line| line.strip_prefix("### "));
    let types = headings.filter(|heading| heading.bytes().all(|byte| byte.is_ascii_alphabetic()));
    assert_eq!(types.map(String::from).collect::<BTreeSet<_>>(), described);
}

#[test]
fn the_page_has_the_columns_that_are_written() {
    let tables = tables();
    let bench = bench_of_a_rich_run();
    bench.run("verify in.csv in.csv -q -o verdicts.csv").exits(0);
    let header = |text: &str| text.lines().next().unwrap().to_owned();
    let written = [
        ("`solve`", bench.run("solve in.csv in.csv -q --unique --rate").exits(0).stdout),
        ("`verify`", bench.read("verdicts.csv")),
        ("`generate`", bench.run("generate -n 0 -q").exits(0).stdout),
        ("`puzzles.csv`", bench.read("run/puzzles.csv")),
        ("`summary.csv`", bench.read("run/summary.csv")),
    ];
    for (heading, text) in written {
        let columns = table(&tables, heading, "column").names().join(",");
        assert_eq!(header(&text), columns, "{heading}");
    }
}

#[test]
fn the_page_has_the_words_of_solve_and_verify() {
    let tables = tables();
    // An interrupted search has no row.
    let answers = Status::ALL.into_iter().filter(|&status| status != Status::Interrupted);
    let answers: Vec<&str> = answers.map(Status::name).collect();
    for (heading, column, words) in [
        ("`solve`", "`status`", &answers[..]),
        ("`verify`", "`verdict`", &Verdict::NAMES),
        ("`verify`", "`solution_check`", &SolutionCheck::NAMES),
    ] {
        let columns = table(&tables, heading, "column");
        let row = columns.rows.iter().find(|row| row[0] == column).unwrap();
        let told: BTreeSet<&str> = row[2].split('`').skip(1).step_by(2).collect();
        assert_eq!(told, words.iter().copied().collect(), "{column}");
    }
}

/// The names of the files in a folder.
fn files_in(bench: &Bench, folder: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(bench.path(folder)).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn the_page_has_the_files_of_a_run() {
    let tables = tables();
    let names = table(&tables, "`compare -o`", "file").names();
    let told = names.iter().flat_map(|name| {
        let of_input = name.replace("-N.", "-1.");
        ["break", "mrv"].map(|variant| of_input.replace("VARIANT", variant))
    });
    assert_eq!(files_in(&bench_of_a_rich_run(), "run"), told.collect());
}

/// The type of a value as the page names it.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        _ => "object",
    }
}

#[test]
fn the_page_has_the_keys_of_a_record() {
    let bench = Bench::with(csv(&[EASY]));
    let options = "-t mrv --max-nodes 9k --max-time 9s --unique --shard 1/1";
    bench.run(&format!("solve in.csv -q --partial {options} -o out.csv")).exits(0);
    let record: Value =
        serde_json::from_str(&bench.run("merge out.csv --json").exits(0).stdout).unwrap();
    let keys = record.as_object().unwrap();
    let written: Vec<_> = keys.iter().map(|(key, value)| (key.as_str(), kind(value))).collect();
    let tables = tables();
    let rows = &table(&tables, "`--partial`", "key").rows;
    let mut told: Vec<_> =
        rows.iter().map(|row| (unquoted(&row[0]), row[1].trim_end_matches(" or null"))).collect();
    told.sort_unstable();
    assert_eq!(told, written);
}

#[test]
fn the_page_has_the_keys_of_a_checkpoint() {
    let tables = tables();
    let bench = Bench::with(csv(&[EASY, "no grid"]));
    bench.run("solve in.csv -q --strict -o out.csv").exits(5);
    let checkpoint = json_of(&bench, ".out.csv.partial.json");
    let keys = checkpoint.as_object().unwrap().iter().map(|(key, value)| (key.clone(), value));
    let input = checkpoint["inputs"][0].as_object().unwrap().iter();
    let all = keys.chain(input.map(|(key, value)| (format!("inputs[].{key}"), value)));
    let written: BTreeSet<_> = all.map(|(key, value)| (key, kind(value).to_owned())).collect();
    let rows = &table(&tables, "Until it is complete", "key").rows;
    let told = rows.iter().map(|row| {
        let kind = row[1].trim_end_matches(" or null");
        (unquoted(&row[0]).to_owned(), kind.to_owned())
    });
    assert_eq!(told.collect::<BTreeSet<_>>(), written);
}
