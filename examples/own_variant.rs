//! Races a solver of your own against the templates.
//!
//! Run it with `cargo run --release --example own_variant`.
//!
//! A solver is a type that implements `Search`. It tells its probe what it does, so that its work
//! is counted beside its time; the probe that is timed does nothing and costs nothing.

use std::collections::BTreeMap;
use sudoku_bench::dataset::{EMBEDDED, Reader, RowBlock};
use sudoku_bench::grid::{CELLS, Grid};
use sudoku_bench::measure::{Arm, Race, Raced, WallClock};
use sudoku_bench::report::{count, duration};
use sudoku_bench::solver::{Limits, Probe, Search, Variant};

/// The first template from the last cell to the first: is the order of the cells that important?
struct Backwards([u8; CELLS]);

impl Search for Backwards {
    fn new(puzzle: &Grid) -> Self {
        Backwards(*puzzle.cells())
    }

    fn run<P: Probe>(&mut self, probe: &mut P) -> bool {
        self.fill(probe, CELLS)
    }

    fn grid(&self) -> Grid {
        Grid::from_cells(self.0).expect("digits only")
    }
}

impl Backwards {
    /// Fills the empty ones of the first `unfilled` cells.
    fn fill<P: Probe>(&mut self, probe: &mut P, unfilled: usize) -> bool {
        probe.call();
        let Some(cell) = (0..unfilled).rev().find(|&cell| self.0[cell] == 0) else {
            return true;
        };
        if probe.node() {
            return true;
        }
        for digit in 1..=9 {
            probe.check();
            if self.fits(cell, digit) {
                self.0[cell] = digit;
                probe.placement();
                if self.fill(probe, cell) {
                    return true;
                }
                self.0[cell] = 0;
                probe.backtrack();
            }
        }
        false
    }

    fn fits(&self, cell: usize, digit: u8) -> bool {
        (0..CELLS).all(|other| {
            let peers = Grid::row(other) == Grid::row(cell)
                || Grid::column(other) == Grid::column(cell)
                || Grid::box_of(other) == Grid::box_of(cell);
            !peers || self.0[other] != digit
        })
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut reader = Reader::new(EMBEDDED, None)??;
    let layout = reader.layout().clone();
    let mut block = RowBlock::default();
    reader.fill(&mut block)?;

    let arms: Vec<Arm<WallClock>> = vec![
        Arm::variant(Variant::Break),
        Arm::variant(Variant::EarlyReturn),
        Arm::variant(Variant::Rescan),
        Arm::of::<Backwards>("backwards"),
    ];
    let limits = Limits { nodes: Some(100_000), ..Limits::default() };
    let race = Race::new(&arms, limits, &WallClock, 1);
    let mut sums: BTreeMap<&str, (u64, u64, u64)> = BTreeMap::new();
    for (index, row) in (0..).zip(block.rows()) {
        match race.run(index, &block.puzzle(&layout, row)?) {
            Raced::Measured(laps) => {
                for (arm, lap) in arms.iter().zip(laps) {
                    let (puzzles, nodes, ns) = sums.entry(arm.name()).or_default();
                    *puzzles += 1;
                    *nodes += lap.counted.counts.nodes;
                    *ns += lap.ns;
                }
            }
            // Too hard for one of them: it counts for none.
            Raced::Dropped(_) | Raced::Interrupted => {}
            Raced::Invalid => println!("line {}: the givens conflict", row.line),
            Raced::Wrong(disagreement) => println!("line {}: {disagreement}", row.line),
        }
    }
    for (name, (puzzles, nodes, ns)) in sums {
        let (nodes, time) = (count(nodes), duration(ns as f64));
        println!("{name:<13} {puzzles} puzzles, {nodes:>10} nodes, {time}");
    }
    Ok(())
}
