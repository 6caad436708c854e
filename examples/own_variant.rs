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

use sudoku_bench::dataset::{EMBEDDED, Reader, RowBlock};
use sudoku_bench::grid::{CELLS, Grid};
use sudoku_bench::measure::{Arm, Race, Raced, WallClock};
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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The reader fills blocks of 256 puzzles; the first is enough here.
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
    // Nodes and nanoseconds, in the order of the arms.
    let mut sums = vec![(0, 0); arms.len()];
    let (mut compared, mut left_out) = (0, 0);
    for (index, row) in (0..).zip(block.rows()) {
        match race.run(index, &block.puzzle(&layout, row)?) {
            Raced::Measured(laps) => {
                compared += 1;
                for ((nodes, ns), lap) in sums.iter_mut().zip(laps) {
                    *nodes += lap.counted.counts.nodes;
                    *ns += lap.ns;
                }
            }
            // Too hard for one of them: it counts for none.
            Raced::Dropped(_) => left_out += 1,
            Raced::Interrupted => unreachable!("nothing here interrupts"),
            Raced::Invalid => println!("line {}: the givens conflict", row.line),
            Raced::Wrong(disagreement) => println!("line {}: {disagreement}", row.line),
        }
    }
    println!(
        "The first block of the embedded set, {} puzzles: {compared} compared, {left_out} left out at the cap",
        block.rows().len()
    );
    for (arm, (nodes, ns)) in arms.iter().zip(sums) {
        let (name, per_node) = (arm.name(), ns as f64 / nodes as f64);
        let (nodes, time) = (count(nodes), duration(ns as f64));
        println!("{name:<13} {nodes:>10} nodes  {time:>8}  {per_node:>6.2} ns per node");
    }
    Ok(())
}
