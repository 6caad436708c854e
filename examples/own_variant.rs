//! Races a solver of your own against the templates.
//!
//! Run it with `cargo run --release --example own_variant`.
//!
//! A solver is a type that implements `Search`. It tells its probe what it does, so that its work
//! is counted beside its time; the probe that is timed does nothing and costs nothing.
//!
//! For close races, also mark the recursive function `#[inline(never)]` and call
//! `sudoku_bench::arch::tag` in it, with a number of its own: both keep its code apart from that
//! of the others.

use std::io::{self, Cursor};
use sudoku_bench::batch::{Compare, Observer, Terms};
use sudoku_bench::dataset::{EMBEDDED, Hints, Reader, RowError};
use sudoku_bench::grid::{CELLS, Grid};
use sudoku_bench::measure::{Arm, Lineup, Race, Timer, WallClock};
use sudoku_bench::report::{count, duration};
use sudoku_bench::solver::{Limits, Probe, Search, Variant};

/// `early-return` from the last cell to the first, with the same three arrays of marks: what does
/// the order of the cells change?
struct Backwards {
    board: [[u8; 9]; 9],
    row: [[bool; 9]; 9],
    col: [[bool; 9]; 9],
    cell: [[[bool; 9]; 3]; 3],
}

impl Search for Backwards {
    fn new(puzzle: &Grid) -> Self {
        let cells = puzzle.cells();
        Backwards {
            board: std::array::from_fn(|x| std::array::from_fn(|y| cells[x * 9 + y])),
            row: [[false; 9]; 9],
            col: [[false; 9]; 9],
            cell: [[[false; 9]; 3]; 3],
        }
    }

    fn run<P: Probe>(&mut self, probe: &mut P) -> bool {
        for x in 0..9 {
            for y in 0..9 {
                if self.board[x][y] != 0 {
                    self.mark(x, y, usize::from(self.board[x][y] - 1), true);
                }
            }
        }
        self.dfs(probe, 8, 9)
    }

    fn grid(&self) -> Grid {
        let cells: [u8; CELLS] = std::array::from_fn(|cell| self.board[cell / 9][cell % 9]);
        Grid::from_cells(cells).expect("digits only")
    }
}

impl Backwards {
    /// Fills the empty cells before column `y` of row `x`.
    #[inline(never)]
    fn dfs<P: Probe>(&mut self, probe: &mut P, mut x: usize, mut y: usize) -> bool {
        probe.call();
        if y == 0 {
            if x == 0 {
                return true;
            }
            y = 9;
            x -= 1;
        }
        y -= 1;
        if self.board[x][y] != 0 {
            return self.dfs(probe, x, y);
        }
        if probe.node() {
            return true;
        }
        for i in 0..9 {
            probe.check();
            if [self.row[x][i], self.col[y][i], self.cell[x / 3][y / 3][i]] == [false; 3] {
                self.board[x][y] = i as u8 + 1;
                self.mark(x, y, i, true);
                probe.placement();
                if self.dfs(probe, x, y) {
                    return true;
                }
                self.board[x][y] = 0;
                self.mark(x, y, i, false);
                probe.backtrack();
            }
        }
        false
    }

    fn mark(&mut self, x: usize, y: usize, i: usize, used: bool) {
        self.row[x][i] = used;
        self.col[y][i] = used;
        self.cell[x / 3][y / 3][i] = used;
    }
}

/// Nobody watches this run.
struct Quiet;

impl Observer for Quiet {
    fn rows(&mut self, _: u64) {}
    fn malformed(&mut self, line: u64, reason: &RowError) -> io::Result<()> {
        println!("line {line}: {reason}");
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let contenders = vec![
        Arm::variant(Variant::EarlyReturn),
        Arm::variant(Variant::Rescan),
        Arm::of::<Backwards>("backwards"),
    ];
    // The first is the baseline; three copies of its code show what chance and placement make.
    let lineup = Lineup::new(contenders, 0).with_controls(Arm::copies(Variant::EarlyReturn));
    let compare = Compare {
        race: Race {
            lineup: &lineup,
            limits: Limits { nodes: Some(100_000), ..Limits::default() },
            clock: &WallClock,
            timer: Timer::of(&WallClock),
            passes: 6,
            seed: 1,
        },
        terms: &Terms { confidence: 0.95, margin: 0.01, identical_code: vec![None; 3] },
        sample: Some(400),
        isomorphs: 0,
        lanes: None,
        deadline: None,
        pool: &rayon::ThreadPoolBuilder::new().build()?,
    };
    let reader = Reader::new(Cursor::new(EMBEDDED), &Hints::default())??;
    let result = compare.run("embedded", reader, None, &mut Quiet)?;

    let left_out: u64 = result.population.dropped.iter().map(|dropped| dropped.puzzles).sum();
    println!(
        "{} puzzles of the embedded set compared, {left_out} left out at the cap",
        result.population.compared
    );
    for variant in &result.variants {
        println!(
            "{:<13} {:>10} nodes  {:>8}  {:>6.2} ns per node",
            variant.name,
            count(variant.counts.nodes),
            duration(variant.latency.total_ns() as f64),
            variant.figures.ns_per_node.unwrap_or(0.0)
        );
    }
    for comparison in &result.comparisons {
        let (name, ratio) = (&comparison.variant, comparison.typical.ratio);
        println!(
            "{name:<13} {:?}: typically {ratio:.3} of early-return's time",
            comparison.verdict
        );
    }
    Ok(())
}
