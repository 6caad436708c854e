//! Time of each variant on a fixed set of puzzles, as nodes per second, timed as `compare` times
//! (no probe) and as `solve` runs it (with the probe that counts nodes and can stop).

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use sudoku_bench::dataset::{EMBEDDED, Hints, Reader, RowBlock};
use sudoku_bench::grid::Grid;
use sudoku_bench::measure::{Arm, WallClock};
use sudoku_bench::solver::{Limits, Variant};

/// Every tenth puzzle of the embedded set.
fn puzzles() -> Vec<Grid> {
    let mut reader = Reader::new(EMBEDDED, &Hints::default()).expect("memory").expect("a CSV file");
    let layout = reader.layout().clone();
    let (mut block, mut puzzles) = (RowBlock::default(), Vec::new());
    loop {
        reader.fill(&mut block).expect("memory");
        if block.rows().is_empty() {
            return puzzles.into_iter().step_by(10).collect();
        }
        let rows = block.rows().iter();
        puzzles.extend(rows.map(|row| block.puzzle(&layout, row).expect("a puzzle")));
    }
}

fn templates(criterion: &mut Criterion) {
    let puzzles = puzzles();
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
