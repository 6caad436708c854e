//! Runs the binary in a folder of its own, and reads what it wrote.
// Each test file uses its part.
#![allow(dead_code, unreachable_pub)]

use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use sudoku_bench::solver::Variant;
use tempfile::TempDir;

/// Each with the nodes that the three templates need.
pub const EASY: &str =
    "3..4..8.78172364..4.98.56...417...5.7.3.8..6.68.9.3174....2.7...3.547.822.4.985.3";
pub const EASY_SOLUTION: &str =
    "365419827817236495429875631941762358753184269682953174598321746136547982274698513";
pub const EASY_NODES: u64 = 78;
pub const SECOND: &str =
    "..8152..336......55249.3..81.62...5.8..5..2142.....6894...9.7.16....4...95.321.46";
pub const SECOND_NODES: u64 = 145;
pub const SPARSE_START: &str =
    "...........5.87.1914.2..8.5..6.9.327.....25.4..3.549.1.67.4513.3.4..17.6.8..3....";
pub const SPARSE_START_NODES: u64 = 1193;
pub const HARD: &str =
    "6.........8.6..9.2..9..8..13.8.6..2.2.......39.61...7..7..25.......46.18.6.98.5.7";
pub const HARD_NODES: u64 = 45326;
pub const CLASSIC: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
pub const CLASSIC_NODES: u64 = 4208;
pub const FULL: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
/// No givens conflict, and there is no solution.
pub const UNSOLVABLE: &str =
    "...........2.87.1914.2..8.5..6.9.327.....25.4..3.549.1.67.4513.3.4..17.6.8..3....";
pub const UNSOLVABLE_NODES: u64 = 1581;
/// Its last row cannot be completed, which the templates see after ages.
pub const ENDLESS: &str =
    "....................................9....................................87654321";
pub const EMPTY: &str =
    ".................................................................................";
pub const TWO_SOLUTIONS: &str =
    "36.41982.81.23649.429875631941762358753184269682953174598321746136547982274698513";

pub const TEMPLATES: [&str; 3] = ["break", "early-return", "rescan"];
pub const VARIANTS: [&str; Variant::ALL.len()] = {
    let mut names = [""; Variant::ALL.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = Variant::ALL[index].name();
        index += 1;
    }
    names
};

/// Those that go through the cells in another order than the templates, and so through another tree.
pub const REORDERED: [&str; 2] = ["dlx", "mrv"];
pub const THREADS: [&str; 3] = ["1", "2", "5"];

/// Long enough for any test on any machine: whatever takes longer hangs.
const DEADLINE: Duration = Duration::from_secs(60);

/// What a run of the binary left behind.
#[derive(Debug)]
pub struct Done {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Done {
    /// Asserts the exit code; a failure shows everything that was said.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// Asserts that standard error mentions all of `texts`.
    #[track_caller]
    pub fn says(self, texts: &[&str]) -> Self {
        for text in texts {
            assert!(self.stderr.contains(text), "`{text}` is missing in:\n{}", self.stderr);
        }
        self
    }

    /// The rows that `solve` wrote to standard output.
    #[track_caller]
    pub fn rows(&self) -> Vec<Row> {
        records(&self.stdout)
    }
}

/// A row of answers.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Row {
    pub file: Option<String>,
    pub line: u64,
    pub puzzle: String,
    pub solution: String,
    pub status: String,
    pub solutions: Option<u8>,
    pub nodes: Option<u64>,
    pub time_ns: Option<u64>,
}

impl Row {
    /// Line, status and nodes.
    pub fn brief(&self) -> (u64, &str, Option<u64>) {
        (self.line, &self.status, self.nodes)
    }
}

/// A row of `puzzles.csv` that is that of a variant.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Lap {
    pub file: String,
    pub line: u64,
    pub form: u64,
    pub variant: String,
    pub status: String,
    pub nodes: u64,
    pub placements: u64,
    pub backtracks: u64,
    pub checks: u64,
    pub calls: u64,
    pub min_ns: Option<u64>,
    pub median_ns: Option<u64>,
}

/// The rows of a CSV text with a header.
#[track_caller]
pub fn records<T: DeserializeOwned>(text: &str) -> Vec<T> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The rows of a `puzzles.csv` but for those of malformed rows.
#[track_caller]
pub fn laps_of(text: &str) -> Vec<Lap> {
    records(&lines(text.lines().filter(|row| !row.contains(",0,,malformed,"))))
}

/// A text of one line for each item.
pub fn lines<T: AsRef<str>>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| format!("{}\n", item.as_ref())).collect()
}

/// `text` without the last field of each line, which is a time.
pub fn without_times(text: &str) -> String {
    lines(text.lines().map(|line| line.rsplit_once(',').expect("a time").0))
}

/// A file with these rows below the header `puzzle`.
pub fn csv(puzzles: &[&str]) -> String {
    lines(["puzzle"].iter().chain(puzzles))
}

/// A file of the repository, read.
pub fn repository_file(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// A folder in which the binary runs, so that files go by their bare names.
pub struct Bench(TempDir);

impl Bench {
    pub fn new() -> Self {
        Bench(tempfile::tempdir().unwrap())
    }

    /// A folder with one file, `in.csv`.
    pub fn with(text: impl AsRef<[u8]>) -> Self {
        let bench = Bench::new();
        bench.write("in.csv", text);
        bench
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).unwrap();
    }

    #[track_caller]
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The command with these arguments, which are apart by spaces.
    pub fn command(&self, arguments: &str) -> Command {
        self.command_of(&arguments.split_whitespace().collect::<Vec<_>>())
    }

    pub fn command_of(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-bench"));
        command.args(arguments).current_dir(self.0.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    #[track_caller]
    pub fn run(&self, arguments: &str) -> Done {
        finish(self.command(arguments).spawn().unwrap())
    }

    /// Runs with standard input that comes in the given portions.
    #[track_caller]
    pub fn feed<T: AsRef<[u8]>>(&self, arguments: &str, portions: &[T]) -> Done {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let portions: Vec<Vec<u8>> = portions.iter().map(|text| text.as_ref().into()).collect();
        let feeder = thread::spawn(move || {
            for portion in portions {
                // A program that refuses its arguments reads nothing.
                let _ = stdin.write_all(&portion).and_then(|()| stdin.flush());
            }
        });
        let done = finish(child);
        feeder.join().unwrap();
        done
    }
}

/// Waits for the end of a run and reads its output, as far as that was not taken.
#[track_caller]
pub fn finish(mut child: Child) -> Done {
    let stdout = child.stdout.take().map(read_aside);
    let stderr = child.stderr.take().map(read_aside);
    let status = wait(&mut child);
    let text = |reading: Option<thread::JoinHandle<Vec<u8>>>| {
        reading.map_or(String::new(), |reading| {
            String::from_utf8(reading.join().unwrap()).expect("output is UTF-8")
        })
    };
    let code = status.code().unwrap_or_else(|| panic!("killed by a signal: {status}"));
    Done { code, stdout: text(stdout), stderr: text(stderr) }
}

fn read_aside(mut from: impl Read + Send + 'static) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).unwrap();
        bytes
    })
}

#[track_caller]
fn wait(child: &mut Child) -> ExitStatus {
    let start = Instant::now();
    let mut pause = Duration::from_micros(500);
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if start.elapsed() > DEADLINE {
            child.kill().unwrap();
            panic!("the program hangs");
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Waits until something has come about.
#[track_caller]
pub fn wait_until(mut happened: impl FnMut() -> bool) {
    let start = Instant::now();
    while !happened() {
        assert!(start.elapsed() < DEADLINE, "it never happens");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Sends an interrupt, as Ctrl-C does.
#[cfg(unix)]
pub fn interrupt(child: &Child) {
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
}

/// Waits until the program has computed so long that it must be amid an endless search.
#[cfg(target_os = "linux")]
#[track_caller]
pub fn wait_until_it_searches(child: &Child) {
    let stat = format!("/proc/{}/stat", child.id());
    wait_until(|| {
        let stat = fs::read_to_string(&stat).unwrap();
        // The name, in brackets, is field 2; the time in user mode, in hundredths, field 14.
        let fields = stat.rsplit_once(')').unwrap().1.split_whitespace();
        fields.clone().nth(11).unwrap().parse::<u64>().unwrap() >= 25
    });
}

/// A report as it is printed, where charts have no place.
pub fn without_charts(markdown: &str) -> String {
    let markdown = markdown.replace("## All comparisons\n\n", "");
    let mut lines = markdown.split_inclusive('\n');
    let mut text = String::new();
    while let Some(line) = lines.next() {
        if line.starts_with("![") {
            // The blank line behind it.
            lines.next();
        } else {
            text.push_str(line);
        }
    }
    text
}
