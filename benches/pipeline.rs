//! The ceiling of the river: how fast rows flow when the solver does nothing, as a ratio to a
//! plain copy of the same file that counts its lines.
//!
//! Both read the same file and write to the same kind of output, one after the other in each
//! round, so that a machine whose speed drifts slows both. The ratio is that of rows per second;
//! the copy uses one thread, the river two solving threads beside its reader and its sink.

use criterion::{Criterion, Throughput};
use std::fs::File;
use std::hint::black_box;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use sudoku_bench::batch::{By, Observer, Solve, Solved};
use sudoku_bench::dataset::{EMBEDDED, Hints, Input, Reader, RowError, RowWriter};
use sudoku_bench::solver::Status;

const ROWS: usize = 1_000_000;
const ROUNDS: usize = 15;

/// Bytes that the copy moves at a time, and that the river collects before it writes.
const CHUNK: usize = 256 * 1024;

struct Nobody;

impl Observer for Nobody {
    fn rows(&mut self, _: u64) {}
    fn malformed(&mut self, _: u64, reason: &RowError) -> io::Result<()> {
        Err(io::Error::other(reason.clone()))
    }
}

/// Memory that is written over and over: what a copy costs without a file.
struct Scratch(Vec<u8>);

impl Write for Scratch {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len().min(self.0.len());
        self.0[..count].copy_from_slice(&bytes[..count]);
        black_box(&mut self.0);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Copies a file and counts its lines.
fn copy(input: &Path, mut out: impl Write) -> io::Result<usize> {
    let mut file = File::open(input)?;
    let mut chunk = vec![0; CHUNK];
    let mut lines = 0;
    loop {
        let count = file.read(&mut chunk)?;
        if count == 0 {
            return Ok(lines);
        }
        lines += memchr::memchr_iter(b'\n', &chunk[..count]).count();
        out.write_all(&chunk[..count])?;
    }
}

/// Sends a file down the river, past a solver that does nothing.
fn river(input: &Path, pool: &rayon::ThreadPool, out: impl Write) -> io::Result<usize> {
    let name = input.to_str().expect("a path of our own");
    let reader =
        Reader::new(Input::open(name, None).map_err(io::Error::other)?, &Hints::default())?;
    let solve = Solve {
        by: By::each(|puzzle: &_| {
            black_box(puzzle);
            Solved::without_answer(Status::Unsolvable)
        }),
        pool,
        writer: &RowWriter::new(None, false),
        sums_rows: false,
        interrupt: &AtomicBool::new(false),
    };
    let mut out = io::BufWriter::with_capacity(CHUNK, out);
    let (summary, result) = solve.run(reader.map_err(io::Error::other)?, &mut out, &mut Nobody);
    result.map_err(io::Error::other)?;
    out.flush()?;
    Ok(summary.rows.iter().sum::<u64>() as usize)
}

/// Makes a row from a puzzle and its solution.
type Form = fn(&str, &str) -> String;

/// The inputs, in the forms in which users have them.
const INPUTS: [(&str, Form); 3] = [
    ("puzzle,solution CSV", |puzzle, solution| format!("{puzzle},{solution}\n")),
    ("CSV in quotes", |puzzle, solution| format!("\"{puzzle}\",\"{solution}\"\n")),
    ("bare lines", |puzzle, _| format!("{puzzle}\n")),
];

/// A file of a million rows: the embedded set in some form, repeated.
fn input(path: PathBuf, form: Form) -> PathBuf {
    let text = std::str::from_utf8(EMBEDDED).expect("digits and commas");
    let rows: Vec<String> = text
        .lines()
        .skip(1)
        .map(|line| {
            let mut fields = line.split(',');
            form(fields.next().expect("a puzzle"), fields.next().expect("a solution"))
        })
        .collect();
    let mut file = io::BufWriter::new(File::create(&path).expect("a temporary file"));
    for row in rows.iter().cycle().take(ROWS) {
        file.write_all(row.as_bytes()).expect("room for a temporary file");
    }
    file.into_inner().expect("room for a temporary file");
    path
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Runs both in turn and prints the median rates, and the median of the rounds' ratios.
fn ratio(label: &str, mut copy: impl FnMut() -> usize, mut river: impl FnMut() -> usize) {
    let rate = |run: &mut dyn FnMut() -> usize| {
        let start = Instant::now();
        assert_eq!(run(), ROWS);
        ROWS as f64 / start.elapsed().as_secs_f64()
    };
    rate(&mut copy);
    rate(&mut river);
    let rounds: Vec<(f64, f64)> =
        (0..ROUNDS).map(|_| (rate(&mut copy), rate(&mut river))).collect();
    println!(
        "{label:<32} copy {:>5.1} M rows/s, river {:>5.1} M rows/s, ratio {:.2}",
        median(rounds.iter().map(|round| round.0).collect()) / 1e6,
        median(rounds.iter().map(|round| round.1).collect()) / 1e6,
        median(rounds.iter().map(|round| round.1 / round.0).collect())
    );
}

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
    let inputs = INPUTS
        .map(|(label, form)| (label, input(folder.path().join(format!("{label}.csv")), form)));
    let out = folder.path().join("out");
    let scratch = || Scratch(vec![0; CHUNK]);
    let to_file = || File::create(&out).expect("a temporary file");

    let mut criterion = Criterion::default().sample_size(10).configure_from_args();
    for (label, path) in &inputs {
        let mut group = criterion.benchmark_group(*label);
        group.throughput(Throughput::Elements(ROWS as u64));
        group.bench_function("copy", |b| b.iter(|| copy(path, scratch()).unwrap()));
        group.bench_function("river", |b| b.iter(|| river(path, &pool, scratch()).unwrap()));
    }
    criterion.final_summary();
    // A run for one benchmark or a profiler wants nothing else.
    if std::env::args().skip(1).any(|argument| argument != "--bench") {
        return;
    }
    for (label, path) in &inputs {
        ratio(
            &format!("{label}, to memory"),
            || copy(path, scratch()).unwrap(),
            || river(path, &pool, scratch()).unwrap(),
        );
        ratio(
            &format!("{label}, to a file"),
            || copy(path, to_file()).unwrap(),
            || river(path, &pool, to_file()).unwrap(),
        );
    }
}
