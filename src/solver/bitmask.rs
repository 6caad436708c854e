//! `bitmask`: the cells and digits in the order of the templates, with three arrays of bit masks in
//! place of their three arrays of booleans.
//!
//! One look at a row, a column and a box tells all digits that can stand in a cell, so that only
//! these are tried, and a list of the empty cells saves the calls for the others. The search tree is
//! that of the templates: nodes, placements and backtracks are theirs, checks and calls are fewer.

use super::{Probe, Search};
use crate::arch::tag;
use crate::grid::{CELLS, Grid};

/// One bit for each digit: bit k stands for k + 1.
const ALL: u16 = 0b1_1111_1111;

/// The solver's state for one puzzle. `COPY` numbers separately placed copies of its code.
#[derive(Clone, Debug)]
pub struct Bitmask<const COPY: u32 = 0> {
    cells: [u8; CELLS],
    /// The empty cells in their order; the first `unfilled` are valid.
    empty: [u8; CELLS],
    unfilled: usize,
    /// The digits that stand in each row.
    row: [u16; 9],
    /// The digits that stand in each column.
    column: [u16; 9],
    /// The digits that stand in each box.
    box_: [u16; 9],
}

impl<const COPY: u32> Search for Bitmask<COPY> {
    fn new(puzzle: &Grid) -> Self {
        Bitmask {
            cells: *puzzle.cells(),
            empty: [0; CELLS],
            unfilled: 0,
            row: [0; 9],
            column: [0; 9],
            box_: [0; 9],
        }
    }

    fn run<P: Probe>(&mut self, probe: &mut P) -> bool {
        for cell in 0..CELLS {
            match self.cells[cell] {
                0 => {
                    self.empty[self.unfilled] = cell as u8;
                    self.unfilled += 1;
                }
                digit => self.flip(cell, 1 << (digit - 1)),
            }
        }
        self.fill(probe, 0)
    }

    fn grid(&self) -> Grid {
        Grid::from_cells(self.cells).expect("digits only")
    }
}

impl<const COPY: u32> Bitmask<COPY> {
    /// Fills the empty cells from the `place`-th on. `true`: they are filled, or the probe asked to
    /// stop.
    #[inline(never)]
    fn fill<P: Probe>(&mut self, probe: &mut P, place: usize) -> bool {
        tag::<4, COPY>();
        probe.call();
        if place == self.unfilled {
            return true;
        }
        if probe.node() {
            return true;
        }
        let cell = usize::from(self.empty[place]);
        let used = self.row[Grid::row(cell)]
            | self.column[Grid::column(cell)]
            | self.box_[Grid::box_of(cell)];
        let mut candidates = ALL & !used;
        while candidates != 0 {
            probe.check();
            // The lowest bit is the smallest digit.
            let bit = candidates & candidates.wrapping_neg();
            candidates ^= bit;
            self.cells[cell] = 1 + bit.trailing_zeros() as u8;
            self.flip(cell, bit);
            probe.placement();
            if self.fill(probe, place + 1) {
                return true;
            }
            self.flip(cell, bit);
            self.cells[cell] = 0;
            probe.backtrack();
        }
        false
    }

    /// Puts a digit into the masks of its cell's row, column and box, or takes it out again.
    fn flip(&mut self, cell: usize, bit: u16) {
        self.row[Grid::row(cell)] ^= bit;
        self.column[Grid::column(cell)] ^= bit;
        self.box_[Grid::box_of(cell)] ^= bit;
    }
}
