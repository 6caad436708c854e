//! What the program says of itself: help, manual pages, completions and suggestions.

mod common;

use common::*;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::process::Command;

/// The commands that the program's help lists.
fn commands() -> Vec<String> {
    let help = Bench::new().run("--help").exits(0).stdout;
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = list.lines().filter_map(|line| line.split_whitespace().next());
    let names: Vec<String> = names.filter(|name| *name != "help").map(String::from).collect();
    assert!(names.len() >= 10, "{names:?}");
    names
}

/// The long options that a command's help explains.
fn options(command: &str) -> BTreeSet<String> {
    let help = Bench::new().run(&format!("{command} --help")).exits(0).stdout;
    let names = help.lines().filter_map(|line| {
        let line = line.strip_prefix("  ")?.trim_start();
        let line = line.get(..4).filter(|short| short.ends_with(", ")).map_or(line, |_| &line[4..]);
        let end = line.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(line.len());
        line[..end].starts_with("--").then(|| line[..end].to_owned())
    });
    let names: BTreeSet<String> = names.collect();
    assert!(names.contains("--help") && names.contains("--color"), "{command}: {names:?}");
    names
}

#[test]
fn a_manual_page_has_every_option_of_its_command() {
    let bench = Bench::new();
    bench.run("man pages/man1").exits(0);
    let page = |name: &str| bench.read(&format!("pages/man1/{name}.1")).replace("\\-", "-");
    let program = page("sudoku-bench");
    assert_eq!(bench.run("man").exits(0).stdout.replace("\\-", "-"), program);
    assert!(program.contains("Exit codes: 0 fine"), "{program}");
    let commands = commands();
    assert_eq!(fs::read_dir(bench.path("pages/man1")).unwrap().count(), 1 + commands.len());
    for command in &commands {
        assert!(program.contains(&format!("\nsudoku-bench-{command}(1)\n")), "{program}");
        let page = page(&format!("sudoku-bench-{command}"));
        for option in options(command) {
            assert!(page.contains(&format!("\\fB{option}\\fR")), "{option} of {command}: {page}");
        }
        // An example is a line of its own, as in the help.
        let example = format!("\n  sudoku-bench {command}");
        assert!(page.contains(".SH EXAMPLES\n") && page.contains(&example), "{command}: {page}");
    }
}

#[test]
fn pages_that_cannot_be_written_are_a_failure() {
    let bench = Bench::with("");
    bench.run("man in.csv").exits(1).says(&["cannot write the pages into `in.csv`"]);
}

/// Has bash complete the last word of a command line by our script; `None` without bash.
fn completed(bench: &Bench, line: &str) -> Option<BTreeSet<String>> {
    let asked = "source ./script || exit 1; COMP_WORDS=($1); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _sudoku__bench sudoku-bench \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD - 1]}\"
        echo \"${COMPREPLY[*]}\"";
    let mut bash = Command::new("bash");
    bash.args(["--norc", "-c", asked, "bash", line]).current_dir(bench.path("."));
    let output = bash.output().ok()?;
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let words = String::from_utf8(output.stdout).unwrap();
    Some(words.split_whitespace().map(String::from).collect())
}

#[test]
fn bash_completes_every_command_and_option() {
    let bench = Bench::new();
    let script = bench.run("completions bash").exits(0).stdout;
    bench.write("script", &script);
    let Some(offered) = completed(&bench, "sudoku-bench com") else {
        return eprintln!("skipped: there is no bash");
    };
    assert_eq!(offered, ["compare", "completions"].map(String::from).into());
    let values = completed(&bench, "sudoku-bench compare --baseline b").unwrap();
    assert_eq!(values, ["bitmask", "break"].map(String::from).into());
    for command in commands() {
        let offered = completed(&bench, &format!("sudoku-bench {command} --")).unwrap();
        assert_eq!(offered, options(&command), "{command}");
    }
}

#[test]
fn each_shell_gets_a_script_that_names_all_commands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = Bench::new().run(&format!("completions {shell}")).exits(0).stdout;
        for command in commands() {
            assert!(script.contains(&command), "{command} for {shell}");
        }
    }
}

#[test]
fn every_command_has_examples_and_its_options_in_groups() {
    for command in commands() {
        let help = Bench::new().run(&format!("{command} --help")).exits(0).stdout;
        assert!(help.contains("\nExamples:\n  "), "{command}: {help}");
        let options = help.split("\nOptions:\n").nth(1).expect("options");
        let options = options.split("\n\n").take_while(|text| text.starts_with("  "));
        let rest: Vec<&str> = options.filter(|text| text.contains("  --")).collect();
        let known = ["--color", "--code"];
        assert!(rest.iter().all(|text| known.iter().any(|name| text.contains(name))), "{help}");
        let short = Bench::new().run(&format!("{command} -h")).exits(0).stdout;
        assert!(short.lines().count() < help.lines().count(), "{command}: {short}");
    }
}

#[test]
fn what_is_misspelt_gets_a_suggestion() {
    for (arguments, suggested) in [
        ("comapre", "compare"),
        ("completions basch", "bash"),
        ("compare -t erly-return", "early-return"),
        ("compare -t break,laness", "lanes"),
        ("compare --baseline brake", "break"),
        ("compare --isa portble", "portable"),
        ("compare --formt csv", "--format"),
        ("solve in.csv -t laness", "lanes"),
        ("solve in.csv --format jsn", "json"),
        ("solve in.csv --output-format line", "lines"),
        ("verify in.csv --isa portble", "portable"),
        ("show -t break,mrw", "mrv"),
        ("generate -n 1 --symmetry rotate18", "rotate180"),
        ("generate -n 1 --isa portble", "portable"),
        ("report run --merge layout", "layouts"),
        ("variants --color alway", "always"),
    ] {
        let done = Bench::new().run(arguments).exits(2);
        let tip = done.stderr.lines().find(|line| line.contains("tip: "));
        let tip = tip.unwrap_or_else(|| panic!("{arguments}: {}", done.stderr));
        assert!(tip.contains(&format!("'{suggested}'")), "{arguments}: {tip}");
    }
}

#[test]
fn color_goes_where_it_is_wanted() {
    let bench = Bench::new();
    let is_coloured = |arguments: &str, variables: &[(&str, &str)]| {
        let mut command = bench.command(arguments);
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        command.envs(variables.iter().copied());
        let done = finish(command.spawn().unwrap());
        (done.stdout + &done.stderr).contains('\x1b')
    };
    for arguments in ["--help", "compare -h", "comapre"] {
        let with = |choice: &str| format!("{choice} {arguments}");
        // The output is a pipe.
        assert!(!is_coloured(arguments, &[]));
        assert!(!is_coloured(&with("--color auto"), &[]));
        assert!(is_coloured(arguments, &[("CLICOLOR_FORCE", "1")]));
        assert!(!is_coloured(arguments, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
        assert!(is_coloured(&with("--color always"), &[]));
        assert!(is_coloured(&with("--color=always"), &[("NO_COLOR", "1")]));
        assert!(!is_coloured(&with("--color never"), &[("CLICOLOR_FORCE", "1")]));
    }
    assert!(is_coloured("compare --help --color always", &[]));
    assert!(!is_coloured("variants --code --color=always", &[]));
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn verbose_says_what_each_file_is_and_how_many_rows_were_done() {
    let bench = Bench::with(csv(&[EASY, "12", SECOND]));
    bench.write("b.txt", format!("# two\n{EASY}\n{SECOND}\n"));
    bench.write("c.gz", gzip(&lines([EASY])));
    for command in ["solve", "verify", "compare"] {
        let done = bench.run(&format!("{command} in.csv b.txt c.gz -v")).exits(5).says(&[
            "in.csv: csv, 1 column, puzzles in column 1 `puzzle`, no solutions, header on line 1\n",
            "in.csv: 3 rows done, 1 of them malformed\n",
            "b.txt: lines, one grid each\n",
            "b.txt: 2 rows done\n",
            "c.gz: gzip, csv, 1 column, puzzles in column 1, no solutions, no header\n",
            "c.gz: 1 row done\n",
        ]);
        assert!(!done.stdout.contains("rows done"), "{}", done.stdout);
        let silent = bench.run(&format!("{command} in.csv b.txt")).exits(5);
        assert!(!silent.stderr.contains("rows done"), "{}", silent.stderr);
        bench.run(&format!("{command} in.csv -v -q")).exits(2).says(&["cannot be used with"]);
    }
    bench.run("compare -v --sample 8 --passes 1 -t mrv").exits(0).says(&[
        "embedded: csv, 3 columns between commas, puzzles in column 1 `puzzle`",
        "embedded: 8 rows done\n",
    ]);
}
