//! What becomes of an output when a run does not go to its end, and how that of `solve` goes on.

mod common;

use common::*;
use serde_json::Value;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;
use sudoku_bench::output::{Names, Partial};

/// The text of a file, decompressed as its name says.
#[track_caller]
fn unpacked(bench: &Bench, name: &str) -> String {
    let bytes = fs::read(bench.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let packed = Path::new(name.trim_end_matches(".partial"));
    match packed.extension().unwrap().to_str().unwrap() {
        "gz" => {
            let mut text = String::new();
            flate2::read::MultiGzDecoder::new(&*bytes).read_to_string(&mut text).unwrap();
            text
        }
        "zst" => String::from_utf8(zstd::decode_all(&*bytes).unwrap()).unwrap(),
        _ => String::from_utf8(bytes).unwrap(),
    }
}

/// The names in the folder that are hidden.
fn hidden(bench: &Bench) -> Vec<String> {
    let names = fs::read_dir(bench.path("")).unwrap();
    let mut names: Vec<String> =
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name.starts_with('.'));
    names.sort();
    names
}

/// The checkpoint of `out.csv`.
#[track_caller]
fn checkpoint(bench: &Bench) -> Value {
    serde_json::from_str(&bench.read(".out.csv.partial.json")).unwrap()
}

/// Three easy rows, one malformed and one that is searched for ever, and an easy one.
fn endless_rows() -> String {
    csv(&[EASY, "12", SECOND, SPARSE_START, ENDLESS, EASY])
}

/// Has a run of `arguments` stopped by Ctrl-C amid an endless search.
#[track_caller]
#[cfg(target_os = "linux")]
fn interrupted(bench: &Bench, arguments: &str) -> Done {
    let child = bench.command(arguments).spawn().unwrap();
    wait_until_it_searches(&child);
    interrupt(&child);
    finish(child).exits(130)
}

#[test]
#[cfg(target_os = "linux")]
fn an_unfinished_output_never_bears_the_final_name() {
    let bench = Bench::with(endless_rows());
    bench.write("out.csv", "old");
    let done = interrupted(&bench, "generate -n 100M -o out.csv");
    done.says(&["finished rows are in `.out.csv.partial`"]);
    assert_eq!(bench.read("out.csv"), "old");
    assert_eq!(hidden(&bench), [".out.csv.partial"]);
    let done = interrupted(&bench, "solve in.csv -o out.csv -t break");
    done.says(&["`.out.csv.partial`", "--resume continues"]);
    assert_eq!(bench.read("out.csv"), "old");
    assert_eq!(records::<Row>(&bench.read(".out.csv.partial")).len(), 4);
    assert_eq!(hidden(&bench), [".out.csv.partial", ".out.csv.partial.json"]);
    let state = checkpoint(&bench);
    assert_eq!(state["schema_version"], 2);
    assert_eq!(state["inputs"][0]["rows"], 4);
    assert_eq!(state["output_bytes"], bench.read(".out.csv.partial").len());
    assert_eq!(state["rows"], serde_json::json!({"solved": 3, "malformed": 1}));
    // Whoever does not ask for the rest gets everything anew, and is told.
    bench.write("in.csv", csv(&[EASY]));
    let done = bench.run("solve in.csv -o out.csv").exits(0);
    done.says(&["`.out.csv.partial`, unfinished by an earlier run, is discarded"]);
    assert_eq!(records::<Row>(&bench.read("out.csv")).len(), 1);
    assert_eq!(hidden(&bench), [""; 0]);
}

#[test]
fn a_complete_output_leaves_nothing_beside_it_whatever_its_rows() {
    let bench = Bench::with(csv(&[EASY, "12"]));
    for (command, code) in [("solve in.csv", 5), ("verify in.csv", 5), ("generate -n 2", 0)] {
        bench.run(&format!("{command} -o out.csv")).exits(code);
        assert_eq!(bench.read("out.csv").lines().count(), 3);
        assert_eq!(hidden(&bench), [""; 0]);
    }
}

#[test]
#[cfg(unix)]
fn an_output_keeps_its_permissions_and_a_link_stays_a_link() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let bench = Bench::with(csv(&[EASY]));
    fs::create_dir(bench.path("far")).unwrap();
    bench.write("far/out.csv", "old");
    fs::set_permissions(bench.path("far/out.csv"), PermissionsExt::from_mode(0o640)).unwrap();
    symlink("far/out.csv", bench.path("link.csv")).unwrap();
    symlink("far/new.csv", bench.path("dangling.csv")).unwrap();
    for (link, file) in [("link.csv", "far/out.csv"), ("dangling.csv", "far/new.csv")] {
        bench.run(&format!("solve in.csv -o {link}")).exits(0);
        assert!(fs::symlink_metadata(bench.path(link)).unwrap().is_symlink());
        assert_eq!(records::<Row>(&bench.read(file)).len(), 1);
    }
    let mode = fs::metadata(bench.path("far/out.csv")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_no_place_in_a_folder_is_written_directly() {
    let bench = Bench::with(csv(&[EASY]));
    bench.run("solve in.csv -o /dev/null").exits(0);
    bench.run("solve in.csv -o /dev/full").exits(1).says(&["No space left on device"]);
    // The shell's own file, not another of the same name.
    let mut file = File::create(bench.path("all.csv")).unwrap();
    file.write_all(b"before\n").unwrap();
    let mut command = bench.command("solve in.csv -o /dev/stdout");
    finish(command.stdout(file.try_clone().unwrap()).spawn().unwrap()).exits(0);
    file.write_all(b"after\n").unwrap();
    let piped = bench.run("solve in.csv -o /dev/stdout").exits(0);
    assert_eq!(piped.rows().len(), 1);
    assert_eq!(hidden(&bench), [""; 0]);
}

#[test]
fn an_output_that_cannot_be_made_is_noticed_before_anything_is_done() {
    let bench = Bench::with(format!("{}{ENDLESS}\n", csv(&[EASY])));
    fs::create_dir(bench.path("folder")).unwrap();
    let commands = ["solve in.csv -t break", "verify in.csv", "generate -n 100G"];
    for command in commands {
        for output in ["no/where.csv", "folder", "folder/", "in.csv/out.csv"] {
            let done = bench.run(&format!("{command} -o {output}")).exits(1);
            done.says(&[&format!("cannot write `{output}`: ")]);
            assert_eq!(hidden(&bench), [""; 0]);
        }
    }
}

#[test]
fn what_cannot_be_read_is_noticed_before_an_unfinished_output_is_begun_anew() {
    let bench = Bench::with(csv(&[EASY]));
    fs::create_dir(bench.path("folder")).unwrap();
    bench.write(".out.csv.partial", "of before");
    for input in ["folder", "nowhere.csv"] {
        bench.run(&format!("solve in.csv {input} -o out.csv")).exits(1).says(&["cannot open"]);
        assert_eq!(bench.read(".out.csv.partial"), "of before");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupt_in_the_first_moments_replaces_nothing() {
    let bench = Bench::new();
    let mut random = sudoku_bench::random::Random::new(1, "first moments", 0);
    let mut stopped = 0;
    for _ in 0..40 {
        bench.write("out.csv", "old");
        let mut child = bench.command("generate -n 100k -o out.csv").spawn().unwrap();
        std::thread::sleep(Duration::from_micros(random.below(20_000).into()));
        interrupt(&child);
        // At first nobody listens, and it is killed; or, where a shell has it ignore the signal as it
        // does in the background, it goes on to its end.
        if !child.wait().unwrap().success() {
            stopped += 1;
            assert_eq!(bench.read("out.csv"), "old");
        }
    }
    assert!(stopped > 0, "no interrupt was heard");
}

#[test]
#[cfg(unix)]
fn a_link_in_the_place_of_the_hidden_file_is_not_written_through() {
    let bench = Bench::with(csv(&[EASY]));
    bench.write("other.csv", "other");
    std::os::unix::fs::symlink("other.csv", bench.path(".out.csv.partial")).unwrap();
    bench.run("solve in.csv -o out.csv").exits(1).says(&["`.out.csv.partial` is a link"]);
    assert_eq!(bench.read("other.csv"), "other");
}

#[test]
fn a_name_that_promises_what_is_not_written_is_refused() {
    let bench = Bench::with(csv(&[EASY]));
    for command in ["solve in.csv", "verify in.csv", "generate -n 1"] {
        let done = bench.run(&format!("{command} -o out.csv.xz")).exits(2);
        done.says(&["`.xz` files cannot be written", ".gz or .zst"]);
        assert!(!bench.path("out.csv.xz").exists());
    }
    let done = bench.run("solve in.csv --errors e.txt.gz").exits(2);
    done.says(&["reasons are plain text"]);
}

#[test]
fn the_hidden_files_are_no_input_and_no_errors_file() {
    let bench = Bench::with(csv(&[EASY]));
    for name in [".out.csv.partial", ".out.csv.partial.json", ".out.csv.partial.json.new"] {
        bench.write(name, csv(&[EASY]));
        for command in ["solve", "verify"] {
            let run = format!("{command} {name} -o out.csv");
            bench.run(&run).exits(1).says(&["is an input too"]);
            let run = format!("{command} in.csv -o out.csv --errors {name}");
            bench.run(&run).exits(2).says(&["need a file each"]);
            assert_eq!(bench.read(name), csv(&[EASY]));
        }
    }
}

#[test]
fn compressed_output_holds_the_same_rows() {
    let bench = Bench::with(repository_file("data/sparse.csv"));
    let plain = without_times(&bench.run("solve in.csv").exits(0).stdout);
    for name in ["out.csv.gz", "out.csv.zst"] {
        bench.run(&format!("solve in.csv -o {name}")).exits(0);
        assert!(without_times(&unpacked(&bench, name)) == plain);
        let length = fs::metadata(bench.path(name)).unwrap().len();
        assert!(length * 2 < plain.len() as u64, "{length}");
    }
    let plain = bench.run("generate -n 100").exits(0).stdout;
    for name in ["new.csv.gz", "new.csv.zst"] {
        bench.run(&format!("generate -n 100 -o {name}")).exits(0);
        assert_eq!(unpacked(&bench, name), plain);
    }
}

/// Rows that keep a run busy for seconds, a malformed one in every hundred.
fn slow_rows(rows: usize) -> String {
    lines((0..rows).map(|n| match n % 100 {
        13 => "12",
        n if n % 2 == 0 => HARD,
        _ => EASY,
    }))
}

/// Kills a run once it has noted more rows than before, and then some random time later. `false`:
/// it came to its end before that.
#[cfg(unix)]
fn is_killed(bench: &Bench, out: &str, mut child: Child, delay: Duration) -> bool {
    let state = bench.path(&format!(".{out}.partial.json"));
    let rows = || {
        let state: Value = serde_json::from_str(&fs::read_to_string(&state).ok()?).ok()?;
        state["inputs"].as_array()?.iter().map(|input| input["rows"].as_u64()).sum::<Option<u64>>()
    };
    let before = rows().unwrap_or(0);
    wait_until(|| child.try_wait().unwrap().is_some() || rows().is_some_and(|now| now > before));
    std::thread::sleep(delay);
    child.kill().unwrap();
    let code = child.wait().unwrap().code();
    assert!([None, Some(5)].contains(&code), "{code:?}");
    code.is_none()
}

#[test]
#[cfg(unix)]
fn a_run_that_is_killed_again_and_again_ends_as_if_it_never_was() {
    let bench = Bench::with(slow_rows(5000));
    bench.write("more.csv", slow_rows(4000));
    let options = "-t break --max-nodes 40k in.csv more.csv";
    let whole = bench.run(&format!("solve {options} --errors whole.txt")).exits(5).stdout;
    let mut random = sudoku_bench::random::Random::new(1, "moments", 0);
    for out in ["out.csv", "out.csv.gz", "out.csv.zst"] {
        let run = format!("solve {options} -o {out} --errors errors.txt");
        // The first moments, in which there is not much to go on with.
        let mut delay = || Duration::from_millis(random.below(250).into());
        let mut first = bench.command(&run).spawn().unwrap();
        std::thread::sleep(delay() / 10);
        first.kill().unwrap();
        first.wait().unwrap();
        if !bench.path(&format!(".{out}.partial.json")).exists() {
            bench.run(&format!("{run} --resume")).exits(1).says(&["nothing to resume"]);
            assert!(is_killed(&bench, out, bench.command(&run).spawn().unwrap(), delay()));
        }
        let mut kills = 0;
        loop {
            assert!(!bench.path(out).exists());
            let child = bench.command(&format!("{run} --resume")).spawn().unwrap();
            if !is_killed(&bench, out, child, delay()) {
                break;
            }
            kills += 1;
        }
        assert!(kills > 0, "{out}");
        assert!(without_times(&unpacked(&bench, out)) == without_times(&whole), "{out}");
        assert!(bench.read("errors.txt") == bench.read("whole.txt"), "{out}");
        assert_eq!(hidden(&bench), [""; 0]);
    }
}

/// A bench where a run of `arguments` was interrupted after four rows. The endless search is then
/// capped.
#[cfg(target_os = "linux")]
fn unfinished(arguments: &str) -> Bench {
    let bench = Bench::with(endless_rows());
    bench.write("more.csv", csv(&[SECOND]));
    interrupted(&bench, arguments);
    bench
}

#[test]
#[cfg(target_os = "linux")]
fn after_an_interrupt_the_rest_follows_and_is_told_apart() {
    // A pause makes the last block too long for the two others to be ready.
    let rows: Vec<&str> = std::iter::repeat_n(EASY, 700).chain([HARD; 1500]).collect();
    let bench = Bench::with(csv(&rows));
    let whole = bench.run("solve in.csv --unique -t break").exits(0);
    for out in ["out.csv", "out.csv.zst"] {
        let run = format!("solve in.csv --unique -t break -o {out}");
        let child = bench.command(&run).spawn().unwrap();
        wait_until_it_searches(&child);
        interrupt(&child);
        let done = finish(child).exits(130);
        let partial = unpacked(&bench, &format!(".{out}.partial"));
        let kept = records::<Row>(&partial).len();
        done.says(&[&format!(
            "interrupted after {} row",
            sudoku_bench::report::count(kept as u64)
        )]);
        assert!(kept < 2200);
        let done = bench.run(&format!("{run} --resume")).exits(0);
        done.says(&["2,200 rows in ", "2,200 solved", "0 have none, 2,200 exactly one"]);
        let text = unpacked(&bench, out);
        assert!(text.starts_with(&partial), "times stay as well");
        assert!(without_times(&text) == without_times(&whole.stdout));
        assert_eq!(hidden(&bench), [""; 0]);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn rows_of_before_are_in_the_sums_but_not_in_the_times() {
    let bench = unfinished("solve in.csv -o out.csv -t break --max-nodes 1G --errors e.txt");
    assert_eq!(bench.read("e.txt").lines().count(), 1);
    // As if the cap had been lower all the time.
    let state = bench.read(".out.csv.partial.json");
    bench.write(".out.csv.partial.json", state.replace("1000000000", "100000"));
    let run = "solve in.csv -o out.csv -t break --max-nodes 100k --errors e.txt --resume";
    let done = bench.run(run).exits(5).says(&[
        "6 rows in ",
        "4 solved, 1 malformed, 1 limit-nodes",
        "4 rows had been done before; times and rates are those of the other 2 rows",
    ]);
    assert!(!done.stderr.contains("e.txt"), "{}", done.stderr);
    assert_eq!(bench.read("e.txt").lines().count(), 1);
    assert_eq!(records::<Row>(&bench.read("out.csv")).len(), 6);
}

#[test]
#[cfg(target_os = "linux")]
fn other_options_cannot_continue_a_run() {
    let bench = unfinished("solve in.csv -o out.csv -t break");
    let [partial, state] = [".out.csv.partial", ".out.csv.partial.json"].map(|f| bench.read(f));
    for (options, reason) in [
        ("-t mrv", "--variant was break and is mrv now"),
        ("-t break --unique", "--unique was off and is on now"),
        ("-t break --max-nodes 10k", "--max-nodes was none and is 10000 now"),
        ("-t break --max-time 1s", "--max-time was none and is 1s now"),
        ("-t break --column puzzle", "--column was not given and is `puzzle` now"),
        ("-t break --errors e.txt", "--errors was none and is e.txt now"),
        ("-t break more.csv", "the inputs were `in.csv` and are `in.csv`, `more.csv` now"),
    ] {
        let done = bench.run(&format!("solve in.csv {options} -o out.csv --resume")).exits(1);
        done.says(&["error: cannot resume: ", reason]);
        assert_eq!(bench.read(".out.csv.partial"), partial, "{options}");
        assert_eq!(bench.read(".out.csv.partial.json"), state, "{options}");
    }
    assert!(!bench.path("out.csv").exists() && !bench.path("e.txt").exists());
}

#[test]
#[cfg(target_os = "linux")]
fn an_input_that_has_changed_cannot_be_continued() {
    let bench = unfinished("solve in.csv -o out.csv -t break");
    let input = bench.path("in.csv");
    let [partial, state] = [".out.csv.partial", ".out.csv.partial.json"].map(|f| bench.read(f));
    let modified = fs::metadata(&input).unwrap().modified().unwrap();
    let write = |text: &str, modified| {
        fs::write(&input, text).unwrap();
        File::options().write(true).open(&input).unwrap().set_modified(modified).unwrap();
    };
    let refused = |reason: &str| {
        bench.run("solve in.csv -o out.csv -t break --resume").exits(1).says(&[reason]);
        assert_eq!(bench.read(".out.csv.partial"), partial);
        assert_eq!(bench.read(".out.csv.partial.json"), state);
    };
    write(&endless_rows(), modified + Duration::from_nanos(1000));
    refused("cannot resume: `in.csv` has changed: its modification time differs");
    write(&(endless_rows() + "\n"), modified);
    refused("cannot resume: `in.csv` has changed: its length differs");
    write(&endless_rows().replacen('3', "4", 1), modified);
    refused("the input has changed: its first 4 rows are not those that were answered before");
    write(&endless_rows().replace("\n12\n", "\n\n12"), modified);
    refused("the input has changed: its first 4 rows");
    // A row that was not answered yet may be another, though nobody should count on it.
    write(&endless_rows().replace(ENDLESS, UNSOLVABLE), modified);
    bench.run("solve in.csv -o out.csv -t break --resume").exits(5);
    let rows: Vec<Row> = records(&bench.read("out.csv"));
    assert_eq!(rows.iter().filter(|row| row.status == "solved").count(), 4);
}

#[test]
#[cfg(target_os = "linux")]
fn damage_to_what_a_run_left_behind_is_told() {
    let run = "solve in.csv -o out.csv -t break --errors e.txt";
    let bench = unfinished(run);
    let names = ["e.txt", ".out.csv.partial", ".out.csv.partial.json"];
    let kept = names.map(|name| bench.read(name));
    let refused = |name: &str, text: &str, reason: &str| {
        names.iter().zip(&kept).for_each(|(name, text)| bench.write(name, text));
        bench.write(name, text);
        bench.run(&format!("{run} --resume")).exits(1).says(&[reason]);
        assert_eq!(bench.read(name), text);
    };
    refused("e.txt", "in.csv:3", "cannot resume: `e.txt` is shorter than it was");
    refused(".out.csv.partial", "line", "cannot resume: `.out.csv.partial` is shorter than it was");
    let state = ".out.csv.partial.json";
    refused(state, "{", "`.out.csv.partial.json` does not say how far the run got (");
    refused(state, "{}", "missing field");
    let later = kept[2].replace("\"schema_version\": 2", "\"schema_version\": 99");
    refused(state, &later, "its schema_version is 99, known is 2");
    fs::remove_file(bench.path(state)).unwrap();
    bench.run(&format!("{run} --resume")).exits(1).says(&["does not say how far the run got"]);
}

#[test]
fn there_must_be_something_to_resume() {
    let bench = Bench::with(csv(&[EASY]));
    let resume = "solve in.csv -o out.csv --resume";
    bench.run(resume).exits(1).says(&["nothing to resume: there is no unfinished `out.csv`"]);
    bench.run("solve in.csv -o out.csv").exits(0);
    bench.run(resume).exits(1).says(&["nothing to resume: `out.csv` is complete"]);
    for arguments in [
        "solve in.csv --resume",
        "solve in.csv -o - --resume",
        "solve - -o out.csv --resume",
        "solve in.csv - -o out.csv --resume",
        "solve in.csv -o /dev/null --resume",
    ] {
        bench.feed(arguments, &[EASY]).exits(2).says(&["a pipe cannot be read again"]);
    }
}

#[test]
#[cfg(unix)]
fn two_runs_do_not_write_one_output() {
    let bench = Bench::with(csv(&[EASY]));
    let path = bench.path("out.csv");
    let begin = || Partial::create(Names::of(&path).unwrap(), None);
    let first = begin().unwrap();
    first.writer().unwrap().write_all(b"half").unwrap();
    for arguments in ["solve in.csv -o out.csv", "solve in.csv -o out.csv --errors errors.txt"] {
        bench.run(arguments).exits(1).says(&["`out.csv`: another run is writing it"]);
    }
    assert!(!bench.path("errors.txt").exists());
    first.complete().unwrap();
    assert_eq!(bench.read("out.csv"), "half");
    bench.run("solve in.csv -o out.csv").exits(0);
    assert_ne!(bench.read("out.csv"), "half");
}

#[test]
#[cfg(target_os = "linux")]
fn a_pipe_leaves_what_was_done_without_a_promise() {
    let bench = Bench::new();
    let mut child =
        bench.command("solve - -t break -o out.csv.zst").stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(endless_rows().as_bytes()).unwrap();
    drop(stdin);
    wait_until_it_searches(&child);
    interrupt(&child);
    let done = finish(child).exits(130).says(&["finished rows are in `.out.csv.zst.partial`"]);
    assert!(!done.stderr.contains("--resume"), "{}", done.stderr);
    assert_eq!(records::<Row>(&unpacked(&bench, ".out.csv.zst.partial")).len(), 4);
    assert_eq!(hidden(&bench), [".out.csv.zst.partial"]);
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupt_outweighs_an_output_that_fails() {
    let bench = Bench::with(endless_rows());
    let done = interrupted(&bench, "solve in.csv -t break -o /dev/full");
    done.says(&["No space left on device"]);
    let full = || File::options().write(true).open("/dev/full").unwrap();
    let child = bench.command("compare in.csv --max-nodes none").stdout(full()).spawn().unwrap();
    wait_until_it_searches(&child);
    interrupt(&child);
    finish(child).exits(130);
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupt_writes_to_standard_output_what_is_done() {
    let bench = Bench::with(endless_rows());
    let done = interrupted(&bench, "solve in.csv -t break");
    assert_eq!(done.rows().len(), 4);
    assert!(!done.stderr.contains("--resume"), "{}", done.stderr);
}

/// A disk that is full, as far as this process is concerned.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_leaves_a_part_that_can_be_continued() {
    let bench = Bench::with(repository_file("data/everyday.csv"));
    let run = format!("{} solve in.csv -o out.csv", env!("CARGO_BIN_EXE_sudoku-bench"));
    let script = format!("trap '' XFSZ; ulimit -f 400; exec {run}");
    let mut command = std::process::Command::new("bash");
    command.args(["-c", &script]).current_dir(bench.path("")).stderr(Stdio::piped());
    let done = finish(command.spawn().unwrap()).exits(1);
    done.says(&["error: ", "cannot write the answers", "--resume continues"]);
    assert!(!bench.path("out.csv").exists());
    bench.run("solve in.csv -o out.csv --resume").exits(0);
    let whole = bench.run("solve in.csv").exits(0).stdout;
    assert!(without_times(&bench.read("out.csv")) == without_times(&whole));
}

#[test]
fn strict_stops_at_the_first_malformed_row() {
    let mut puzzles = vec![EASY; 300];
    puzzles.extend(["12", EASY, "13"]);
    let bench = Bench::with(csv(&puzzles));
    for threads in THREADS {
        let done = bench.run(&format!("solve in.csv --strict -j {threads}")).exits(5);
        assert_eq!(done.rows().len(), 300);
        let done =
            done.says(&["in.csv:302: ", "stopped at the first malformed row", "300 rows in"]);
        assert!(!done.stderr.contains("in.csv:304"), "{}", done.stderr);
    }
    let run = "solve in.csv -o out.csv --errors e.txt";
    bench
        .run(&format!("{run} --strict"))
        .exits(5)
        .says(&["--resume in place of --strict continues"]);
    assert!(!bench.path("out.csv").exists());
    assert_eq!(bench.read("e.txt").lines().count(), 1);
    bench.run(&format!("{run} --strict --resume")).exits(5);
    // Without it the row is answered as malformed and named once.
    bench.run(&format!("{run} --resume")).exits(5);
    let rows: Vec<Row> = records(&bench.read("out.csv"));
    assert_eq!(rows.len(), 303);
    assert_eq!(bench.read("e.txt").lines().count(), 2);

    let done = bench.run("compare in.csv --strict -o run").exits(5);
    assert_eq!(done.stdout, "");
    done.says(&["in.csv:302: ", "there is no report"]);
    assert_eq!(fs::read_dir(bench.path("run")).unwrap().count(), 0);
    bench.write("in.csv", csv(&[EASY; 3]));
    bench.run("solve in.csv --strict").exits(0);
    bench.run("compare in.csv --strict").exits(0);
}

#[test]
fn more_threads_than_cores_are_allowed_with_one_note() {
    let bench = Bench::with(csv(&[EASY]));
    for command in ["solve in.csv", "compare in.csv", "generate -n 1"] {
        let done = bench.run(&format!("{command} -j 64")).exits(0);
        assert_eq!(done.stderr.matches("-j 64: only ").count(), 1, "{}", done.stderr);
        let quiet = bench.run(&format!("{command} -j 64 -q")).exits(0);
        assert_eq!(quiet.stderr, "");
        let one = bench.run(&format!("{command} -j 1")).exits(0);
        assert!(!one.stderr.contains("only"), "{}", one.stderr);
    }
}
