//! What the commands promise, driven through the binary.

mod common;

use common::*;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;

/// Some thousand everyday puzzles with blank, damaged and conflicting lines between.
fn mixed_rows() -> String {
    let text = repository_file("data/everyday.csv");
    let mut puzzles = text.lines().skip(1).map(|line| &line[..81]);
    let mut mixed = String::from("puzzle\n");
    for number in 0..4000 {
        mixed += &match number % 40 {
            7 => "12\n".into(),
            15 => "\n".into(),
            23 => format!("55{}\n", ".".repeat(79)),
            31 => format!("{}\n", &CLASSIC[1..]),
            _ => format!("{}\n", puzzles.next().unwrap()),
        };
    }
    mixed
}

fn status_count(rows: &[Row], status: &str) -> usize {
    rows.iter().filter(|row| row.status == status).count()
}

#[test]
fn solve_writes_one_row_of_answers_for_each_row() {
    let bench = Bench::with(csv(&[EASY, "12", FULL]));
    let done = bench.run("solve in.csv -t break").exits(5);
    let rows: Vec<&str> = done.stdout.lines().collect();
    assert_eq!(rows[0], "line,puzzle,solution,status,nodes,time_ns");
    assert!(rows[1].starts_with(&format!("2,{EASY},{EASY_SOLUTION},solved,78,")), "{}", rows[1]);
    assert_eq!(rows[2], "3,,,malformed,,");
    assert!(rows[3].starts_with(&format!("4,{FULL},{FULL},solved,0,")), "{}", rows[3]);
    assert_eq!(rows.len(), 4);
}

#[test]
fn several_files_get_a_file_column_in_the_order_named() {
    let bench = Bench::new();
    bench.write("b.csv", csv(&[EASY, SECOND]));
    bench.write("a,\"1\".txt", lines([CLASSIC]));
    let arguments = ["solve", "b.csv", "a,\"1\".txt", "b.csv"];
    let done = finish(bench.command_of(&arguments).spawn().unwrap()).exits(0);
    assert!(done.stdout.starts_with("file,line,puzzle,solution,status,nodes,time_ns\nb.csv,2,"));
    let places: Vec<_> =
        done.rows().iter().map(|row| (row.file.clone().unwrap(), row.line)).collect();
    let expected = [("b.csv", 2), ("b.csv", 3), ("a,\"1\".txt", 1), ("b.csv", 2), ("b.csv", 3)];
    assert_eq!(places, expected.map(|(file, line)| (file.to_owned(), line)));
}

#[test]
fn a_dash_is_standard_input_and_output() {
    let bench = Bench::with(csv(&[SECOND]));
    let text = csv(&[EASY]);
    for arguments in ["solve - -t break", "solve - -t break -o -"] {
        let rows = bench.feed(arguments, &[&text]).exits(0).rows();
        assert_eq!(rows[0].brief(), (2, "solved", Some(EASY_NODES)));
    }
    assert!(!bench.path("-").exists());
    let rows = bench.feed("solve in.csv -", &[&text]).exits(0).rows();
    let files: Vec<_> = rows.iter().filter_map(|row| row.file.as_deref()).collect();
    assert_eq!(files, ["in.csv", "-"]);
    let report = bench.feed("compare -", &[&text]).exits(0).stdout;
    assert!(report.contains("## -\n\n1 row: 1 compared."), "{report}");
}

#[test]
fn an_existing_output_is_replaced_as_a_whole() {
    let bench = Bench::with(csv(&[EASY]));
    bench.write("out.csv", "old\n".repeat(1000));
    let done = bench.run("solve in.csv -o out.csv").exits(0);
    assert_eq!(done.stdout, "");
    assert_eq!(records::<Row>(&bench.read("out.csv")).len(), 1);
    bench.run("generate -n 1 -o out.csv").exits(0);
    assert_eq!(bench.read("out.csv").lines().count(), 2);
}

#[test]
fn the_answers_do_not_depend_on_the_number_of_threads() {
    let text = mixed_rows();
    let bench = Bench::with(&text);
    for arguments in ["-t mrv --unique", "-t break --max-nodes 2k"] {
        let run = |threads| {
            let done = bench.run(&format!("solve in.csv {arguments} -j {threads}")).exits(5);
            (without_times(&done.stdout), done.rows())
        };
        let (one, rows) = run("1");
        let not_blank = (1..).zip(text.lines()).skip(1).filter(|(_, line)| !line.is_empty());
        let expected: Vec<u64> = not_blank.map(|(number, _)| number).collect();
        assert_eq!(rows.iter().map(|row| row.line).collect::<Vec<_>>(), expected);
        assert_eq!((status_count(&rows, "malformed"), status_count(&rows, "invalid")), (200, 100));
        for threads in ["2", "5"] {
            assert!(run(threads).0 == one, "{arguments} -j {threads}");
        }
    }
}

#[test]
fn unique_tells_none_one_and_two_or_more() {
    let conflict = format!("55{}", &EMPTY[2..]);
    let puzzles = [UNSOLVABLE, EASY, TWO_SOLUTIONS, EMPTY, &conflict, "12", ENDLESS];
    let bench = Bench::with(csv(&puzzles));
    for variant in VARIANTS {
        for threads in THREADS {
            let run = format!("solve in.csv --unique -t {variant} -j {threads} --max-nodes 5k");
            let done = bench.run(&run).exits(5);
            let header = "line,puzzle,solution,status,solutions,nodes,time_ns\n";
            assert!(done.stdout.starts_with(header));
            let solutions: Vec<_> = done.rows().iter().map(|row| row.solutions).collect();
            let expected = [Some(0), Some(1), Some(2), Some(2), Some(0), None, Some(0)];
            assert_eq!(solutions, expected, "{run}");
            done.says(&["solutions: 3 have none, 1 exactly one, 2 two or more"]);
        }
    }
}

#[test]
fn a_cap_lets_a_search_of_so_many_nodes_pass_and_no_longer_one() {
    let bench = Bench::with(csv(&[CLASSIC]));
    for variant in VARIANTS {
        let run = |cap: &str| {
            let done = bench.run(&format!("solve in.csv -t {variant} --max-nodes {cap}")).exits(0);
            done.rows().remove(0)
        };
        let nodes = run("none").nodes.unwrap();
        assert!(nodes == CLASSIC_NODES || REORDERED.contains(&variant), "{variant}");
        let row = run(&nodes.to_string());
        assert_eq!(row.brief(), (2, "solved", Some(nodes)), "{variant}");
        for cap in [nodes - 1, 1, 0] {
            let row = run(&cap.to_string());
            assert_eq!(row.brief(), (2, "limit-nodes", Some(cap)), "{variant}");
            assert_eq!(row.solution, "");
        }
    }
    // Without an empty cell there is no node, hence nothing to stop.
    let bench = Bench::with(csv(&[FULL]));
    let rows = bench.run("solve in.csv --max-nodes 0").exits(0).rows();
    assert_eq!(rows[0].brief(), (2, "solved", Some(0)));
}

#[test]
fn a_time_cap_stops_an_endless_search() {
    let bench = Bench::with(csv(&[ENDLESS, ENDLESS, FULL]));
    for variant in TEMPLATES {
        let rows = bench.run(&format!("solve in.csv -t {variant} --max-time 20ms")).exits(0).rows();
        let statuses: Vec<_> = rows.iter().map(|row| &*row.status).collect();
        assert_eq!(statuses, ["limit-time", "limit-time", "solved"], "{variant}");
        assert!(rows[..2].iter().all(|row| row.time_ns >= Some(20_000_000)), "{rows:?}");
    }
    let report = bench.run("compare in.csv --max-time 20ms --max-nodes none").exits(0).stdout;
    assert!(report.contains("2 dropped for all because `break` hit the time cap"), "{report}");
}

#[test]
fn the_puzzle_column_can_be_chosen_by_name_or_number() {
    let bench = Bench::with(format!("start,puzzle,Other One\n{EASY},{SECOND},{CLASSIC}\n"));
    let nodes = |column: &str| {
        let arguments = ["solve", "in.csv", "-t", "break", "--column", column];
        let done = finish(bench.command_of(&arguments).spawn().unwrap()).exits(0);
        done.rows()[0].nodes.unwrap()
    };
    assert_eq!(["1", "2", "3"].map(nodes), [EASY_NODES, SECOND_NODES, CLASSIC_NODES]);
    assert_eq!(
        ["START", "puzzle", " other one "].map(nodes),
        [EASY_NODES, SECOND_NODES, CLASSIC_NODES]
    );
    let done = bench.run("solve in.csv --column nope").exits(1);
    done.says(&["there is no column `nope`; line 1 has `start`, `puzzle`, `Other One`"]);
    bench.run("solve in.csv --column 0").exits(2).says(&["columns are counted from 1"]);
    bench.run("compare in.csv --column 3 -o run").exits(0);
    assert_eq!(records::<Lap>(&bench.read("run/puzzles.csv"))[0].nodes, CLASSIC_NODES);
}

#[test]
fn the_errors_file_names_every_malformed_row() {
    let bench = Bench::with(csv(&["12", EASY, "", "x"]));
    bench.write("errors.txt", "old\n".repeat(9));
    bench.run("solve in.csv --errors errors.txt").exits(5).says(&["in.csv:2: ", "in.csv:5: "]);
    let errors = bench.read("errors.txt");
    let starts: Vec<&str> = errors.lines().map(|line| line.split_once(": ").unwrap().0).collect();
    assert_eq!(starts, ["in.csv:2", "in.csv:5"]);
    bench.write("in.csv", csv(&[EASY]));
    bench.run("solve in.csv --errors errors.txt").exits(0);
    assert_eq!(bench.read("errors.txt"), "", "no error, no line");
}

#[test]
fn quiet_leaves_out_the_summary_but_no_error() {
    let bench = Bench::with(csv(&[EASY]));
    assert_eq!(bench.run("solve in.csv -q").exits(0).stderr, "");
    assert_eq!(bench.run("compare in.csv -q").exits(0).stderr, "");
    assert_eq!(bench.run("generate -n 1 -q").exits(0).stderr, "");
    bench.write("in.csv", csv(&["12"]));
    assert_eq!(bench.run("solve in.csv --quiet").exits(5).stderr.lines().count(), 1);
}

#[test]
fn no_command_writes_over_what_it_reads() {
    let text = csv(&[EASY, "12"]);
    let bench = Bench::with(&text);
    fs::create_dir_all(bench.path("run")).unwrap();
    let names = ["run/puzzles.csv", "run/report.md", "run/break.hgrm"];
    names.iter().for_each(|name| bench.write(name, &text));
    let refused = [
        "solve in.csv -o in.csv",
        "solve in.csv -o ./run/../in.csv",
        "solve run/report.md in.csv -o out.csv --errors in.csv",
        "compare in.csv run/puzzles.csv -o run",
        "compare run/report.md -o ./run/",
        "compare run/break.hgrm -o run/../run",
    ];
    for arguments in refused {
        bench.run(arguments).exits(1).says(&["is an input too; write the output to another file"]);
        for name in names.iter().chain(&["in.csv"]) {
            assert_eq!(bench.read(name), text, "{arguments}");
        }
    }
    assert!(!bench.path("out.csv").exists());
    for arguments in ["solve in.csv -o x --errors x", "solve in.csv -o x --errors ./x"] {
        bench.run(arguments).exits(2).says(&["need a file each"]);
        assert!(!bench.path("x").exists());
    }
    bench.run("compare in.csv -o run").exits(5);
}

#[test]
#[cfg(unix)]
fn no_command_writes_over_what_it_reads_under_another_name() {
    let text = csv(&[EASY]);
    let bench = Bench::with(&text);
    std::os::unix::fs::symlink("in.csv", bench.path("link.csv")).unwrap();
    let open = || fs::File::open(bench.path("in.csv")).unwrap();
    let append = || fs::File::options().append(true).open(bench.path("in.csv")).unwrap();
    let refused = [
        bench.command("solve in.csv -o link.csv"),
        bench.command("solve link.csv -o in.csv"),
        with_streams(bench.command("solve - -o in.csv"), Some(open()), None),
        with_streams(bench.command("solve in.csv"), None, Some(append())),
        with_streams(bench.command("solve -"), Some(open()), Some(append())),
    ];
    for mut command in refused {
        finish(command.spawn().unwrap()).exits(1).says(&["is an input too"]);
        assert_eq!(bench.read("in.csv"), text, "{command:?}");
    }
    // Devices are no files that could be emptied.
    bench.run("solve /dev/null -o /dev/null --errors /dev/null").exits(0);
}

fn with_streams(
    mut command: std::process::Command,
    stdin: Option<fs::File>,
    stdout: Option<fs::File>,
) -> std::process::Command {
    stdin.map(|file| command.stdin(file));
    stdout.map(|file| command.stdout(file));
    command
}

#[test]
fn what_cannot_be_opened_is_named_once_and_nothing_is_touched() {
    let bench = Bench::with(csv(&[EASY]));
    bench.write("out.csv", "old");
    for command in ["solve in.csv nope.csv -o out.csv", "compare in.csv nope.csv -o run"] {
        let done = bench.run(command).exits(1).says(&["error: cannot open `nope.csv`: "]);
        assert_eq!(done.stderr.matches("nope.csv").count(), 1, "{}", done.stderr);
        assert_eq!(done.stderr.matches("os error").count(), 1, "{}", done.stderr);
        assert_eq!(done.stdout, "");
    }
    assert_eq!(bench.read("out.csv"), "old");
    assert!(!bench.path("run").exists());
    bench.run("solve .").exits(1).says(&["cannot open `.`"]);
    for command in ["solve in.csv", "generate -n 1"] {
        let done = bench.run(&format!("{command} -o no/where.csv")).exits(1);
        done.says(&["error: cannot write `no/where.csv`: "]);
    }
    bench.run("solve in.csv --errors no/where.txt").exits(1).says(&["cannot write `no/where.txt`"]);
    let done = bench.run("compare in.csv -o in.csv").exits(1).says(&["cannot write `in.csv`: "]);
    assert_eq!(done.stderr.matches("os error").count(), 1, "{}", done.stderr);
}

#[test]
fn a_failure_outweighs_malformed_rows_and_keeps_what_was_done() {
    let bench = Bench::with(csv(&["12", EASY]));
    // What a pipe brings cannot be looked at beforehand.
    let unclear = ["a,b\n1,2\n"];
    let done = bench.feed("solve in.csv - -o out.csv", &unclear).exits(1);
    done.says(&["in.csv:2: ", "cannot use `-`", "no column of line 1 (`a`, `b`)"]);
    assert_eq!(records::<Row>(&bench.read(".out.csv.partial")).len(), 2);
    let done = bench.feed("compare in.csv - -o run", &unclear).exits(1).says(&["cannot use `-`"]);
    assert!(done.stdout.contains("## in.csv\n\n2 rows: 1 compared, 1 malformed."));
    assert_eq!(without_charts(&bench.read("run/report.md")), done.stdout);
}

#[test]
fn a_file_without_puzzles_is_noticed_before_anything_is_done() {
    let bench = Bench::with(csv(&[EASY]));
    bench.write("unclear.csv", "a,b\n1,2\n");
    bench.write("out.csv", "precious");
    let done = bench.run("solve in.csv unclear.csv -o out.csv").exits(1);
    done.says(&["cannot use `unclear.csv`", "no column of line 1 (`a`, `b`)"]);
    assert_eq!(bench.read("out.csv"), "precious");
    bench.run("compare in.csv unclear.csv -o run").exits(1).says(&["cannot use `unclear.csv`"]);
    assert!(!bench.path("run").exists());
}

#[test]
fn wrong_usage_is_explained_and_ends_with_2() {
    let bench = Bench::with(csv(&[EASY]));
    let wrong = [
        ("", "Usage"),
        ("solve", "required"),
        ("sovle in.csv", "similar"),
        ("solve in.csv -j 0", "leave -j out to use all cores"),
        ("solve in.csv -t brake", "'break'"),
        ("compare in.csv -t mrv,early-retrun", "'early-return'"),
        ("solve in.csv -t break,mrv", "possible values"),
        ("solve in.csv --max-nodes 1.5", "10k or 1.5M"),
        ("solve in.csv --max-time soon", "--max-time"),
        ("compare in.csv --sample 0", "at least 1"),
        ("compare in.csv -t break,mrv,break", "named twice"),
        ("compare in.csv --baseline mrv", "`mrv` is not among the variants"),
        ("generate", "required"),
        ("generate -n few", "whole number"),
        ("generate -n 1 --clues 34-28", "28-34"),
        ("generate -n 1 --clues 20", "the fewest that can be asked for is 21"),
        ("generate -n 1 --clues 30-82", "can't have 82 clues"),
        ("generate -n 1 --clues 23 --symmetry mirror-both", "can be asked for is 24"),
        ("generate -n 1 --clues 30 --symmetry rotate90", "can't have 30 clues"),
        ("generate -n 1 --clues 35-40 --minimal", "must reach into 20-29"),
        ("generate -n 1 --symmetry rotate18", "'rotate180'"),
        ("show --baseline mrv", "--baseline"),
    ];
    for (arguments, hint) in wrong {
        let done = bench.run(arguments).exits(2).says(&[hint]);
        assert_eq!(done.stdout, "", "{arguments}");
        assert!(!done.stderr.contains('\u{1b}'), "{arguments}");
    }
}

/// The names in the first column of the report's tables, from the top to the bottom.
fn first_cells(report: &str) -> Vec<&str> {
    let rows = report.lines().filter(|line| line.starts_with("| `"));
    rows.map(|line| line.split('`').nth(1).unwrap()).collect()
}

const COPIES: [&str; 3] = ["copy-1", "copy-2", "copy-3"];

#[test]
fn the_first_three_lines_are_the_answer_its_size_and_how_far_to_trust_it() {
    let bench = Bench::with(csv(&[&[EASY, SECOND][..], &[CLASSIC; 20]].concat()));
    let report = bench.run("compare in.csv --margin 10% --confidence 99%").exits(0).stdout;
    let [answer, size, trust] = report.lines().take(3).collect::<Vec<_>>()[..] else {
        panic!("{report}")
    };
    assert!(answer.starts_with("# `early-return` "), "{answer}");
    assert!(answer.ends_with("; `rescan` is SLOWER than `break`"), "{answer}");
    assert!(
        size.contains("99 % intervals corrected for several comparisons: `early-return` ")
            && size.contains(" ["),
        "{size}"
    );
    assert!(size.trim_end().ends_with("], n = 22 puzzles."), "{size}");
    assert!(trust.starts_with("How far to trust it: one layout; copies of `break`'s"), "{trust}");
    assert!(trust.contains("can be claimed"), "{trust}");
    for claim in [
        "- “returning at once is faster than breaking”: **",
        "- “keeping arrays is faster than rescanning”: **supported**: `rescan` takes ",
    ] {
        assert!(report.contains(claim), "{report}");
    }
}

#[test]
fn compare_reports_the_templates_in_their_order() {
    let bench = Bench::with(csv(&[EASY, SECOND, CLASSIC]));
    let report = bench.run("compare in.csv").exits(0).stdout;
    assert!(report.contains("## in.csv\n\n3 rows: 3 compared.\n"));
    let expected = [&TEMPLATES[1..], &COPIES, &TEMPLATES.repeat(3)].concat();
    assert_eq!(first_cells(&report)[..expected.len()], expected);
    let nodes: u64 = EASY_NODES + SECOND_NODES + CLASSIC_NODES;
    assert!(report.contains(&sudoku_bench::report::count(nodes)), "{report}");
}

#[test]
fn without_controls_there_are_no_copies_and_a_warning() {
    let bench = Bench::with(csv(&[EASY, SECOND, CLASSIC]));
    let report = bench.run("compare in.csv --no-controls -o run").exits(0).stdout;
    assert!(first_cells(&report).iter().all(|name| !COPIES.contains(name)), "{report}");
    assert!(report.contains("- Warning: there were no controls"), "{report}");
    assert_eq!(records::<Lap>(&bench.read("run/puzzles.csv")).len(), 9);
}

#[test]
fn one_variant_alone_is_measured_and_held_against_nothing() {
    let bench = Bench::with(csv(&[EASY, SECOND]));
    let report = bench.run("compare in.csv -t rescan").exits(0).stdout;
    assert!(report.starts_with("# `rescan` alone was measured\n"), "{report}");
}

#[test]
fn where_nothing_was_compared_the_report_says_so() {
    let bench = Bench::with(csv(&[HARD]));
    let report = bench.run("compare in.csv --max-nodes 10 -o run").exits(0).stdout;
    assert!(report.starts_with("# No puzzle was compared\n"), "{report}");
    let model: Value = serde_json::from_str(&bench.read("run/report.json")).unwrap();
    assert_eq!(model["files"][0]["comparisons"], Value::Array(Vec::new()));
}

#[test]
fn a_report_names_its_inputs_by_their_hashes_and_rows() {
    let text = csv(&[EASY, "12", SECOND]);
    let bench = Bench::with(&text);
    let hash: String = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
    for options in ["", "--sample 1", "--time-budget 1h", "--sample 2 --time-budget 1h"] {
        let run = format!("compare in.csv -o run {options}");
        let report = bench.run(&run).stdout;
        let model: Value = serde_json::from_str(&bench.read("run/report.json")).unwrap();
        assert_eq!(model["files"][0]["sha256"], hash, "{options}");
        assert_eq!(model["files"][0]["input_rows"], 3, "{options}");
        assert_eq!(model["partial"], Value::Null, "{options}");
        let line = format!("- Input `in.csv`: 3 rows, SHA-256 `{hash}`");
        assert!(report.contains(&line), "{report}");
    }
    let model_of_pipe = {
        bench.feed("compare - -o run", &[&text]).exits(5);
        serde_json::from_str::<Value>(&bench.read("run/report.json")).unwrap()
    };
    assert_eq!(model_of_pipe["files"][0]["sha256"], hash);
}

#[test]
fn a_time_budget_ends_a_comparison_with_a_partial_report() {
    // Some 0.2 s of searching for each row, and 1,000 rows in blocks of random order.
    let bench = Bench::with(lines([HARD; 1000]));
    for input in ["in.csv", "-"] {
        let command = format!("compare {input} --time-budget 1s -o run -j 2 -t mrv,break");
        let text = bench.read("in.csv");
        let done = bench.feed(&command, &[&text]).exits(0);
        let model: Value = serde_json::from_str(&bench.read("run/report.json")).unwrap();
        let file = &model["files"][0];
        assert_eq!(model["partial"], "time_budget");
        assert_eq!((&file["input_rows"], &file["finished"]), (&1000.into(), &false.into()));
        let rows = file["rows"].as_u64().unwrap();
        assert!((1..1000).contains(&rows) && rows.is_multiple_of(8), "whole groups: {rows}");
        assert!(done.stdout.contains(" PARTIAL: the time budget was spent"), "{}", done.stdout);
        let laps: Vec<Lap> = records(&bench.read("run/puzzles.csv"));
        assert_eq!(laps.len() as u64, rows * 5);
    }
}

#[test]
fn a_run_is_a_folder_whose_files_agree() {
    let bench = Bench::with(csv(&[EASY, CLASSIC, UNSOLVABLE, "12", &format!("55{}", &EMPTY[2..])]));
    bench.write("more.csv", csv(&[TWO_SOLUTIONS]));
    for threads in THREADS {
        let run = format!("compare in.csv more.csv -o new/run -j {threads} -t mrv,break,rescan");
        let done = bench.run(&run).exits(5);
        assert_eq!(without_charts(&bench.read("new/run/report.md")), done.stdout);
        let puzzles = bench.read("new/run/puzzles.csv");
        check_puzzles(&puzzles);
        check_model(&bench.read("new/run/report.json"), &puzzles);
        check_summary(&bench.path("new/run/summary.csv"), &puzzles);
        let mut names: Vec<_> = fs::read_dir(bench.path("new/run"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(
            names,
            [
                "break.hgrm",
                "mrv.hgrm",
                "puzzles.csv",
                "report-deciles-1.svg",
                "report-deciles-2.svg",
                "report-forest.svg",
                "report-latency-1.svg",
                "report-latency-2.svg",
                "report-nodes-1.svg",
                "report-nodes-2.svg",
                "report.html",
                "report.json",
                "report.md",
                "rescan.hgrm",
                "summary.csv"
            ]
        );
        for name in ["break.hgrm", "mrv.hgrm"] {
            let text = bench.read(&format!("new/run/{name}"));
            assert!(text.contains("Total count    =            4]"), "{text}");
        }
    }
}

fn check_puzzles(text: &str) {
    let header =
        "file,line,form,variant,status,nodes,placements,backtracks,checks,calls,min_ns,median_ns\n";
    assert!(text.starts_with(header), "{text}");
    let left_out: Vec<&str> = text.lines().filter(|row| row.contains(",0,,malformed,")).collect();
    assert_eq!(left_out, ["in.csv,5,0,,malformed,,,,,,,"]);
    let laps = laps_of(text);
    let places: Vec<_> =
        laps.iter().map(|lap| (&*lap.file, lap.line, &*lap.variant, &*lap.status)).collect();
    let puzzles = [
        ("in.csv", 2, "solved"),
        ("in.csv", 3, "solved"),
        ("in.csv", 4, "unsolvable"),
        ("in.csv", 6, "invalid"),
        ("more.csv", 2, "solved"),
    ];
    let expected: Vec<_> = puzzles
        .iter()
        .flat_map(|&(file, line, status)| {
            let arms = ["mrv", "break", "rescan"].into_iter().chain(COPIES);
            arms.map(move |arm| (file, line, arm, status))
        })
        .collect();
    assert_eq!(places, expected);
    for lap in &laps {
        assert_eq!(lap.form, 0);
        assert_eq!(lap.min_ns.is_some(), lap.status != "invalid", "{lap:?}");
        assert!(lap.min_ns <= lap.median_ns, "{lap:?}");
    }
    for arms in laps.chunks(6) {
        let counts = |lap: &Lap| [lap.nodes, lap.placements, lap.backtracks, lap.checks];
        assert_eq!(counts(&arms[1]), counts(&arms[2]), "the templates do the same work");
        assert!(arms[3..].iter().all(|copy| counts(copy) == counts(&arms[0])), "so do copies");
    }
}

fn check_model(json: &str, puzzles: &str) {
    let model: Value = serde_json::from_str(json).unwrap();
    assert_eq!(model["schema_version"], 2);
    assert_eq!(model["puzzles"]["name"], "puzzles.csv");
    let hash: String = Sha256::digest(puzzles).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(model["puzzles"]["sha256"], hash);
    assert_eq!(model["settings"]["baseline"], "mrv");
    assert_eq!(model["partial"], Value::Null);
    let file = &model["files"][0];
    let population = ["rows", "compared", "unsolvable", "invalid", "malformed", "wrong"];
    assert_eq!(population.map(|key| file[key].as_u64().unwrap()), [5, 3, 1, 1, 1, 0]);
    assert_eq!(
        file["variants"][1]["counts"]["nodes"],
        EASY_NODES + CLASSIC_NODES + UNSOLVABLE_NODES
    );
}

fn check_summary(path: &Path, puzzles: &str) {
    let laps = laps_of(puzzles);
    let mut reader = csv::Reader::from_path(path).unwrap();
    let rows: Vec<std::collections::HashMap<String, String>> =
        reader.deserialize().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 6, "a row for each file and variant");
    for row in rows {
        let own: Vec<&Lap> = laps
            .iter()
            .filter(|lap| lap.file == row["file"] && lap.variant == row["variant"])
            .filter(|lap| lap.min_ns.is_some())
            .collect();
        let sum =
            |value: fn(&Lap) -> u64| own.iter().map(|lap| value(lap)).sum::<u64>().to_string();
        assert_eq!(row["puzzles"], own.len().to_string());
        assert_eq!(row["nodes"], sum(|lap| lap.nodes));
        assert_eq!(row["calls"], sum(|lap| lap.calls));
        assert_eq!(row["total_ns"], sum(|lap| lap.min_ns.unwrap()));
        assert_eq!(row["variant"] == "mrv", row["total_time_ratio"] == "1.0", "{row:?}");
        assert_eq!(row["variant"] == "mrv", row["typical_ratio"].is_empty(), "{row:?}");
        assert_eq!(row["variant"] == "mrv", row["verdict"].is_empty(), "{row:?}");
    }
}

#[test]
fn the_baseline_is_the_first_variant_or_the_one_named() {
    let bench = Bench::with(csv(&[EASY]));
    let runs = [
        ("", "break"),
        ("-t mrv,break", "mrv"),
        ("-t mrv,break --baseline break", "break"),
        ("--baseline rescan", "rescan"),
    ];
    for (arguments, baseline) in runs {
        let report = bench.run(&format!("compare in.csv {arguments}")).exits(0).stdout;
        assert!(report.contains(&format!("| total / `{baseline}` |")), "{report}");
        let row = report.lines().find(|line| line.starts_with(&format!("| `{baseline}`"))).unwrap();
        assert!(row.contains(" 1.0000 |"), "{row}");
    }
}

#[test]
fn a_puzzle_that_one_variant_does_not_finish_is_dropped_for_all() {
    let bench = Bench::with(csv(&[CLASSIC, EASY, HARD]));
    for (variants, ran) in [("break,rescan,mrv", 1), ("mrv,rescan", 2)] {
        for threads in THREADS {
            let run = format!("compare in.csv -t {variants} --max-nodes 4207 -o run -j {threads}");
            let report = bench.run(&run).exits(0).stdout;
            let capped = variants.split(',').nth(ran - 1).unwrap();
            let sentence = format!(
                "3 rows: 1 compared, 2 dropped for all because `{capped}` hit the nodes cap."
            );
            assert!(report.contains(&sentence), "{report}");
            let laps: Vec<Lap> = records(&bench.read("run/puzzles.csv"));
            let of = |line| laps.iter().filter(move |lap| lap.line == line);
            assert_eq!(of(2).count(), ran, "the first to hit the cap ends the counting");
            assert!(of(2).chain(of(4)).all(|lap| lap.min_ns.is_none()));
            assert_eq!(
                of(2).next_back().map(|lap| (&*lap.status, lap.nodes)),
                Some(("limit-nodes", 4207))
            );
            assert_eq!(of(3).count(), variants.split(',').count() + COPIES.len());
            let model: Value = serde_json::from_str(&bench.read("run/report.json")).unwrap();
            assert_eq!(model["files"][0]["dropped"][0]["puzzles"], 2);
        }
    }
    let report = bench.run("compare in.csv --max-nodes 4208").exits(0).stdout;
    assert!(report.contains("3 rows: 2 compared, 1 dropped"), "{report}");
}

#[test]
fn a_sample_is_drawn_by_its_seed_alone() {
    let bench = Bench::with(repository_file("data/everyday.csv"));
    let sample = |arguments: &str| {
        let run = format!("compare in.csv --max-nodes 1k -o run {arguments}");
        let report = bench.run(&run).exits(0).stdout;
        assert!(report.contains("## in.csv\n\n30 rows: "), "{report}");
        let laps: Vec<Lap> = records(&bench.read("run/puzzles.csv"));
        let mut lines: Vec<u64> = laps.into_iter().map(|lap| lap.line).collect();
        lines.dedup();
        lines
    };
    let one = sample("--sample 30 -j 1");
    assert_eq!(one.len(), 30);
    assert!(one.is_sorted() && *one.last().unwrap() > 1000, "{one:?}");
    assert_eq!(sample("--sample 30 -j 5"), one);
    assert_eq!(sample("--sample 30 --seed 1 -t rescan"), one);
    assert_ne!(sample("--sample 30 --seed 2"), one);
}

#[test]
fn a_sample_larger_than_the_file_is_the_file() {
    let bench = Bench::with(csv(&[EASY, "12", SECOND]));
    let report = bench.run("compare in.csv --sample 1M").exits(5).stdout;
    assert!(report.contains("3 rows: 2 compared, 1 malformed."), "{report}");
}

#[test]
fn without_a_file_the_puzzles_in_the_binary_are_compared() {
    let report = Bench::new().run("compare --sample 20 --max-nodes 1k").exits(0).stdout;
    assert!(report.contains("## embedded\n\n20 rows: "), "{report}");
}

#[test]
fn several_files_have_a_section_each_and_one_in_all() {
    let bench = Bench::with(csv(&[EASY, "12"]));
    bench.write("more.csv", csv(&[SECOND, SECOND]));
    let report = bench.run("compare in.csv more.csv").exits(5).stdout;
    let sections: Vec<&str> = report.lines().filter(|line| line.starts_with("## ")).collect();
    assert_eq!(sections[1..4], ["## in.csv", "## more.csv", "## all files"]);
    assert!(report.contains("## all files\n\n4 rows: 3 compared, 1 malformed."), "{report}");
}

#[test]
fn malformed_rows_show_in_the_exit_code_after_a_full_report() {
    let bench = Bench::with(csv(&["12", EASY]));
    let done =
        bench.run("compare in.csv -o run").exits(5).says(&["in.csv:2: column 1: 2 characters"]);
    assert!(done.stdout.contains("2 rows: 1 compared, 1 malformed."), "{}", done.stdout);
    assert_eq!(without_charts(&bench.read("run/report.md")), done.stdout);
}

#[test]
fn percentiles_of_a_variant_that_did_not_run_do_not_stay() {
    let bench = Bench::with(csv(&[EASY]));
    bench.run("compare in.csv -o run -t break,mrv").exits(0);
    bench.write("run/notes.txt", "mine");
    bench.run("compare in.csv -o run -t break").exits(0);
    assert!(bench.path("run/break.hgrm").exists() && !bench.path("run/mrv.hgrm").exists());
    assert_eq!(bench.read("run/notes.txt"), "mine", "what no run writes stays");
    assert_eq!(records::<Lap>(&bench.read("run/puzzles.csv")).len(), 1 + COPIES.len());
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupted_comparison_reports_what_was_done() {
    // Groups have 16 puzzles: two are finished, the third never is.
    let bench = Bench::with(csv(&[&[EASY; 33][..], &[ENDLESS, EASY]].concat()));
    for threads in THREADS {
        let run = format!("compare in.csv --max-nodes none -o run -j {threads}");
        let child = bench.command(&run).spawn().unwrap();
        wait_until_it_searches(&child);
        interrupt(&child);
        let done = finish(child).exits(130);
        assert!(done.stdout.contains(" PARTIAL: the run was interrupted"), "{}", done.stdout);
        assert!(done.stdout.contains("\n32 rows: 32 compared.\n"), "{}", done.stdout);
        assert_eq!(without_charts(&bench.read("run/report.md")), done.stdout);
        let model: Value = serde_json::from_str(&bench.read("run/report.json")).unwrap();
        assert_eq!(model["partial"], "interrupted");
        let laps: Vec<Lap> = records(&bench.read("run/puzzles.csv"));
        assert_eq!(laps.len(), 6 * 32);
        assert!(laps.iter().all(|lap| lap.nodes == EASY_NODES && lap.min_ns.is_some()));
    }
}

#[test]
fn show_draws_the_puzzle_its_solution_and_the_work() {
    let bench = Bench::new();
    let shown = bench.run(&format!("show {CLASSIC}")).exits(0).stdout;
    let texts = [
        "30 clues",
        "│ 5 3 . │ . 7 . │ . . . │",
        "The solution (there is no other)",
        "│ 5 3 4 │ 6 7 8 │ 9 1 2 │",
    ];
    assert!(texts.iter().all(|text| shown.contains(text)), "{shown}");
    let table: Vec<Vec<&str>> = shown
        .lines()
        .skip_while(|line| !line.starts_with("variant"))
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(table[0][..4], ["variant", "answer", "nodes", "placements"]);
    assert_eq!(table[1][..6], ["break", "solved", "4,208", "4,208", "4,157", "37,652"]);
    assert_eq!(table[1..].iter().map(|row| row[0]).collect::<Vec<_>>(), VARIANTS);
    let few = bench.run(&format!("show {CLASSIC} -t mrv,rescan")).exits(0).stdout;
    assert!(!few.contains("break") && few.find("mrv") < few.find("rescan"), "{few}");
}

#[test]
fn show_reads_one_or_nine_lines_from_standard_input() {
    let bench = Bench::new();
    let rows: Vec<&str> = (0..9).map(|row| &CLASSIC[row * 9..row * 9 + 9]).collect();
    let nine = lines(&rows);
    let spaced = lines(rows.iter().map(|row| row.replace('.', "0 ").replace("5", " 5\t") + "\r"));
    let without_time = |text: &str| text.split("variant").next().unwrap().to_owned();
    let expected = without_time(&bench.run(&format!("show {CLASSIC}")).exits(0).stdout);
    for text in [nine, spaced, CLASSIC.into(), format!("{CLASSIC}\n")] {
        for arguments in ["show", "show -"] {
            let shown = bench.feed(arguments, &[&text]).exits(0).stdout;
            assert_eq!(without_time(&shown), expected, "{text}");
        }
    }
}

#[test]
fn show_says_why_there_is_no_answer() {
    let bench = Bench::new();
    let conflict = format!("55{}", &CLASSIC[2..]);
    let answers = [
        (
            &*conflict,
            "Invalid: row 1 has 5 more than once; box 1 has 5 more than once. Nothing was searched.",
        ),
        (UNSOLVABLE, "There is no solution, although no givens conflict."),
        (TWO_SOLUTIONS, "A solution (there are others)"),
        (FULL, "The solution (there is no other)"),
    ];
    for (puzzle, answer) in answers {
        let shown = bench.run(&format!("show {puzzle}")).exits(0).stdout;
        assert!(shown.contains(answer), "{shown}");
    }
    let shown = bench.run(&format!("show {ENDLESS} -t break --max-nodes 10k")).exits(0).stdout;
    assert!(shown.contains("No answer within the cap") && shown.contains("limit-nodes"), "{shown}");
    // What one variant has shown stands, whatever stopped another.
    let shown = bench.run(&format!("show {ENDLESS} -t break,mrv --max-nodes 10k")).exits(0).stdout;
    assert!(shown.contains("There is no solution") && shown.contains("limit-nodes"), "{shown}");
    let bad = [("12", "2 characters"), (&EASY[1..], "80 characters"), ("", "the puzzle is empty")];
    for (text, reason) in bad {
        let done = bench.feed("show", &[text]).exits(1).says(&["error: not a puzzle: ", reason]);
        assert_eq!(done.stdout, "");
    }
    let strange = EASY.replacen('.', "a", 1);
    bench.run(&format!("show {strange}")).exits(1).says(&["character 2 is 'a'"]);
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupted_show_ends_with_130() {
    let bench = Bench::new();
    let child = bench.command(&format!("show {ENDLESS} --max-nodes none")).spawn().unwrap();
    wait_until_it_searches(&child);
    interrupt(&child);
    let done = finish(child).exits(130);
    assert!(done.stdout.contains("Interrupted."), "{}", done.stdout);
}

#[test]
fn generate_makes_the_same_unique_puzzles_on_any_number_of_threads() {
    let bench = Bench::new();
    let generate = |arguments: &str| bench.run(&format!("generate {arguments}")).exits(0).stdout;
    let one = generate("-n 400 -j 1");
    assert!(
        ["-j 2", "-j 5", "--seed 1 --clues 28-34"]
            .iter()
            .all(|a| generate(&format!("-n 400 {a}")) == one)
    );
    assert_ne!(generate("-n 400 --seed 2"), one);
    assert!(one.starts_with(&generate("-n 150")), "fewer puzzles are the first ones");
    bench.write("in.csv", &one);
    let rows = bench.run("solve in.csv --unique").exits(0).rows();
    let made: Vec<(String, String, u32)> = records(&one);
    assert_eq!((rows.len(), made.len()), (400, 400));
    for (row, (puzzle, solution, clues)) in std::iter::zip(&rows, &made) {
        assert_eq!((&row.puzzle, &row.solution, row.solutions), (puzzle, solution, Some(1)));
        assert!((28..=34).contains(clues));
        assert_eq!(puzzle.bytes().filter(|&byte| byte != b'.').count(), *clues as usize);
    }
    assert_eq!(generate("-n 0"), "puzzle,solution,clues\n");
    assert!(generate("-n 3 --clues 81").lines().skip(1).all(|row| row.ends_with(",81")));
}

#[test]
fn every_way_to_generate_gives_the_same_with_any_instruction_set() {
    let bench = Bench::new();
    let generate = |arguments: &str| bench.run(&format!("generate {arguments}")).exits(0).stdout;
    let ways = ["-n 200", "-n 60 --minimal --clues 23-25", "-n 100 --symmetry rotate180"];
    for way in ways {
        let portable = generate(&format!("{way} --isa portable"));
        assert_eq!(generate(&format!("{way} -j 1")), portable);
        assert_eq!(generate(&format!("{way} -j 5")), portable);
        bench.write("in.csv", &portable);
        bench.run("verify in.csv --require-unique -q").exits(0);
    }
    let made = |way| -> Vec<(String, String, u32)> { records(&generate(way)) };
    assert!(made(ways[1]).iter().all(|(_, _, clues)| (23..=25).contains(clues)));
    for (puzzle, ..) in made(ways[2]) {
        let pattern: Vec<bool> = puzzle.bytes().map(|byte| byte != b'.').collect();
        assert!(pattern.iter().eq(pattern.iter().rev()), "{puzzle}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupted_generation_ends_at_once_with_whole_rows() {
    let bench = Bench::new();
    // A thousand puzzles of 21 clues, which are soon queued, would take minutes.
    for clues in ["21", "28-34", "24-25 --minimal"] {
        for threads in THREADS {
            let run = format!("generate -n 100M --clues {clues} -o out.csv -j {threads}");
            let child = bench.command(&run).spawn().unwrap();
            wait_until_it_searches(&child);
            interrupt(&child);
            finish(child).exits(130);
            let text = bench.read(".out.csv.partial");
            assert!(text.ends_with('\n'));
            let count = text.lines().count() - 1;
            let whole = bench.run(&format!("generate -n {count} --clues {clues}")).exits(0).stdout;
            assert!(whole == text, "{count} puzzles of {clues} clues");
        }
    }
}

#[test]
fn every_variant_is_listed() {
    let text = Bench::new().run("variants").exits(0).stdout;
    let names: Vec<&str> =
        text.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(names, sudoku_bench::solver::Engine::ALL.map(|engine| engine.name()));
}

#[test]
fn every_command_explains_itself_with_examples() {
    let bench = Bench::new();
    for command in ["solve", "compare", "show", "generate"] {
        let help = bench.run(&format!("{command} --help")).exits(0).stdout;
        assert!(help.contains(&format!("Examples:\n  sudoku-bench {command}")), "{help}");
        assert_eq!(bench.run(&format!("help {command}")).exits(0).stdout, help);
        assert!(bench.run(&format!("{command} -h")).exits(0).stdout.contains("Usage:"));
    }
    assert!(bench.run("variants --help").exits(0).stdout.contains("List the variants"));
    let help = bench.run("--help").exits(0).stdout;
    assert!(help.contains("Exit codes: 0 fine"), "{help}");
    let version = bench.run("--version").exits(0).stdout;
    assert_eq!(version, format!("sudoku-bench {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn no_escape_reaches_what_is_no_terminal() {
    let bench = Bench::with(csv(&["12", EASY]));
    let runs = [
        ("solve in.csv", 5),
        ("compare in.csv", 5),
        ("generate -n 20", 0),
        ("show 12", 1),
        ("solve nope.csv", 1),
        ("solve in.csv -t brake", 2),
        ("solve --help", 0),
        ("--help", 0),
        ("variants", 0),
    ];
    for (arguments, code) in runs {
        let done = bench.run(arguments).exits(code);
        assert!(!done.stdout.contains('\u{1b}') && !done.stderr.contains('\u{1b}'), "{arguments}");
    }
}
