//! Puzzles per second of every engine on the embedded data, everyday puzzles and sparse ones, on
//! one thread and in memory; at the end as a table.
//!
//! All engines get the same puzzles. Those that take one at a time are called as `solve` calls
//! them, with the probe that counts nodes and can stop. The lanes get each set ten times in one go,
//! as a long file would keep them busy.

mod common;

use common::embedded;
use criterion::{Criterion, SamplingMode, Throughput};
use serde::Deserialize;
use std::hint::black_box;
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use sudoku_bench::arch::Isa;
use sudoku_bench::grid::Grid;
use sudoku_bench::report::count;
use sudoku_bench::solver::lanes::{Answer, Desk, Goal, Lanes};
use sudoku_bench::solver::{Limits, Variant};

/// Name of a set, and its rows in the embedded data, which holds one after the other.
const SETS: [(&str, std::ops::Range<usize>); 2] = [("everyday", 0..1000), ("sparse", 1000..1100)];

/// How often the lanes get a set in one go.
const REPEATS: usize = 10;

fn main() {
    let mut criterion = Criterion::default().sample_size(10).configure_from_args();
    let puzzles = embedded();
    for (set, rows) in SETS {
        bench(&mut criterion, set, &puzzles[rows]);
    }
    criterion.final_summary();
    table();
}

/// The lanes with each instruction set of this machine and each goal, by the names of the rows.
fn lanes() -> impl Iterator<Item = (String, Isa, Goal)> {
    let goals = [("first", Goal::First), ("count", Goal::CountToTwo)];
    let available = Isa::ALL.into_iter().filter(|isa| isa.is_available());
    available.flat_map(move |isa| goals.map(|(goal, it)| (format!("lanes {isa} {goal}"), isa, it)))
}

fn bench(criterion: &mut Criterion, set: &str, puzzles: &[Grid]) {
    let mut group = criterion.benchmark_group(set);
    group.sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Elements(puzzles.len() as u64));
    for variant in Variant::ALL {
        group.bench_function(variant.name(), |b| {
            let solve = |puzzle| _ = black_box(variant.solve(puzzle, &Limits::default()));
            b.iter(|| puzzles.iter().for_each(solve));
        });
    }
    group.throughput(Throughput::Elements((REPEATS * puzzles.len()) as u64));
    for (name, isa, goal) in lanes() {
        let mut lanes = Lanes::new(isa, goal, None);
        group.bench_function(&name, |b| {
            b.iter(|| {
                let mut desk = Repeated { puzzles, handed_out: 0 };
                lanes.finish(&mut desk, &AtomicBool::new(false));
            });
        });
    }
    group.finish();
}

/// Hands out the puzzles again and again.
struct Repeated<'a> {
    puzzles: &'a [Grid],
    handed_out: usize,
}

impl Desk for Repeated<'_> {
    fn next(&mut self) -> Option<(u64, &Grid)> {
        let number = self.handed_out;
        self.handed_out += 1;
        (number < REPEATS * self.puzzles.len())
            .then(|| (number as u64, &self.puzzles[number % self.puzzles.len()]))
    }

    fn answer(&mut self, _ticket: u64, answer: &Answer) {
        black_box(answer);
    }
}

/// Prints what was measured last as a Markdown table, if everything was.
fn table() {
    let variants = Variant::ALL.map(|variant| (variant.name().to_owned(), 1));
    let names = variants.into_iter().chain(lanes().map(|(name, ..)| (name, REPEATS)));
    println!("\n| puzzles/s, one thread | {} | {} |", SETS[0].0, SETS[1].0);
    println!("|---|---:|---:|");
    for (name, repeats) in names {
        let rates: Option<Vec<String>> = SETS
            .iter()
            .map(|(set, rows)| {
                let rate = (repeats * rows.len()) as f64 / seconds(set, &name)?;
                Some(rough(rate.round() as u64))
            })
            .collect();
        match rates {
            Some(rates) => println!("| `{name}` | {} |", rates.join(" | ")),
            None => println!("| `{name}` | not measured | |"),
        }
    }
}

/// The time of one iteration in the fastest sample, from the files of criterion. On a machine with
/// other work the mean says more about that work.
fn seconds(set: &str, name: &str) -> Option<f64> {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("target"), PathBuf::from);
    let path = target.join("criterion").join(set).join(name).join("new/sample.json");
    let Samples { iters, times } =
        serde_json::from_slice(&std::fs::read(path).ok()?).expect("criterion writes JSON");
    iter::zip(times, iters).map(|(ns, iters)| ns / iters / 1e9).min_by(f64::total_cmp)
}

/// What criterion keeps of a benchmark: by sample, the number of iterations and the nanoseconds
/// that they took.
#[derive(Deserialize)]
struct Samples {
    iters: Vec<f64>,
    times: Vec<f64>,
}

/// A number cut to three significant digits.
fn rough(number: u64) -> String {
    let unit = 10_u64.pow((number.max(1).ilog10() + 1).saturating_sub(3));
    count(number / unit * unit)
}
