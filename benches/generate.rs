//! Puzzles made per second on one thread.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rayon::ThreadPoolBuilder;
use std::convert::Infallible;
use std::hint::black_box;
use std::ops::RangeInclusive;
use std::sync::atomic::AtomicBool;
use sudoku_bench::arch::Isa;
use sudoku_bench::generate::{Clues, Generate, Pattern, Request};

const USUAL: RangeInclusive<u32> = 28..=34;
const ANY: RangeInclusive<u32> = 0..=81;

fn generate(criterion: &mut Criterion) {
    let pool = ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let mut group = criterion.benchmark_group("generate");
    let requests = [
        ("28-34 clues", 10_000, Clues::Number(USUAL), Pattern::None),
        ("minimal", 4_000, Clues::Minimal(ANY), Pattern::None),
        ("rotate180", 10_000, Clues::Number(USUAL), Pattern::Rotate180),
        ("minimal, rotate180", 200, Clues::Minimal(ANY), Pattern::Rotate180),
    ];
    for (name, count, clues, pattern) in requests {
        let request = &Request::new(1, clues, pattern).expect("usual puzzles");
        let (isa, interrupt) = (Isa::detect(), &AtomicBool::new(false));
        let generate = Generate { request, count, pool: &pool, isa, interrupt };
        group.throughput(Throughput::Elements(count));
        group.bench_function(name, |b| {
            b.iter(|| {
                let made = generate.run(|puzzles| {
                    black_box(puzzles);
                    Ok::<_, Infallible>(())
                });
                assert_eq!(made, Ok(count));
            });
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = generate
}
criterion_main!(benches);
