//! Time of each variant on a fixed set of puzzles, as nodes per second, timed as `compare` times
//! (no probe) and as `solve` runs it (with the probe that counts nodes and can stop).

mod common;

use common::embedded;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use sudoku_bench::grid::Grid;
use sudoku_bench::measure::{Arm, WallClock};
use sudoku_bench::solver::{Limits, Variant};

fn templates(criterion: &mut Criterion) {
    // They stand for all.
    let puzzles: Vec<Grid> = embedded().into_iter().step_by(10).collect();
    for variant in Variant::ALL {
        let arm: Arm<WallClock> = Arm::variant(variant);
        let nodes = puzzles.iter().map(|p| arm.count(p, &Limits::default()).counts.nodes).sum();
        let mut group = criterion.benchmark_group(variant.name());
        group.throughput(Throughput::Elements(nodes));
        group.bench_function("bare", |b| {
            b.iter(|| {
                puzzles.iter().for_each(|puzzle| _ = black_box(arm.time(puzzle, &WallClock, 1)))
            });
        });
        group.bench_function("limit", |b| {
            let solve = |puzzle| _ = black_box(variant.solve(puzzle, &Limits::default()));
            b.iter(|| puzzles.iter().for_each(solve));
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = templates
}
criterion_main!(benches);
