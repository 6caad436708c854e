//! `mrv`: bit masks of used digits, and the empty cell with the fewest candidates comes first
//! ("minimum remaining values").
//!
//! It finds the answer in a small fraction of the templates' nodes, which makes it their oracle
//! and the test of uniqueness.

use super::{Limit, Limits, NoProbe, Probe, Search};
use crate::arch::tag;
use crate::grid::{CELLS, Grid};

/// Bits 1–9: one for each digit.
const DIGITS: u16 = 0b11_1111_1110;

/// The solver's state for one puzzle. `COPY` numbers separately placed copies of its code.
#[derive(Clone, Debug)]
pub struct Mrv<const COPY: u32 = 0> {
    cells: [u8; CELLS],
    /// The empty cells; those not yet filled stand first.
    empty: [u8; CELLS],
    /// Bit d is set when digit d stands in the row, column or box.
    rows: [u16; 9],
    columns: [u16; 9],
    boxes: [u16; 9],
}

impl<const COPY: u32> Search for Mrv<COPY> {
    fn new(puzzle: &Grid) -> Self {
        Mrv {
            cells: *puzzle.cells(),
            empty: [0; CELLS],
            rows: [0; 9],
            columns: [0; 9],
            boxes: [0; 9],
        }
    }

    fn run<P: Probe>(&mut self, probe: &mut P) -> bool {
        self.enumerate(probe, 1) > 0
    }

    fn grid(&self) -> Grid {
        Grid::from_cells(self.cells).expect("digits only")
    }
}

impl<const COPY: u32> Mrv<COPY> {
    /// Marks the givens and searches until `limit` solutions are found; the cells then hold the
    /// last of them. Returns how many there were, at most `limit`.
    fn enumerate<P: Probe>(&mut self, probe: &mut P, limit: u8) -> u8 {
        let mut unfilled = 0;
        for cell in 0..CELLS {
            match self.cells[cell] {
                0 => {
                    self.empty[unfilled] = cell as u8;
                    unfilled += 1;
                }
                digit => self.flip(cell, 1 << digit),
            }
        }
        let mut missing = limit;
        self.fill(probe, unfilled, &mut missing);
        limit - missing
    }

    /// Fills the first `unfilled` of the empty cells in every way until `missing` solutions are
    /// found. `true`: found them all, or stopped by the probe.
    #[inline(never)]
    fn fill<P: Probe>(&mut self, probe: &mut P, unfilled: usize, missing: &mut u8) -> bool {
        tag::<3, COPY>();
        probe.call();
        if unfilled == 0 {
            *missing -= 1;
            return *missing == 0;
        }
        if probe.node() {
            return true;
        }
        let (slot, mut candidates) = self.fewest(unfilled);
        let last = unfilled - 1;
        self.empty.swap(slot, last);
        let cell = usize::from(self.empty[last]);
        while candidates != 0 {
            probe.check();
            let bit = candidates & candidates.wrapping_neg();
            candidates ^= bit;
            self.cells[cell] = bit.trailing_zeros() as u8;
            self.flip(cell, bit);
            probe.placement();
            if self.fill(probe, last, missing) {
                return true;
            }
            self.flip(cell, bit);
            self.cells[cell] = 0;
            probe.backtrack();
        }
        self.empty.swap(slot, last);
        false
    }

    /// The place in `empty` of the cell with the fewest candidates (the first of equals), and
    /// those candidates.
    fn fewest(&self, unfilled: usize) -> (usize, u16) {
        let mut best = (0, DIGITS);
        let mut fewest = u32::MAX;
        for slot in 0..unfilled {
            let cell = usize::from(self.empty[slot]);
            let used = self.rows[Grid::row(cell)]
                | self.columns[Grid::column(cell)]
                | self.boxes[Grid::box_of(cell)];
            let candidates = DIGITS & !used;
            let count = candidates.count_ones();
            if count < fewest {
                best = (slot, candidates);
                fewest = count;
                if count <= 1 {
                    break;
                }
            }
        }
        best
    }

    fn flip(&mut self, cell: usize, bit: u16) {
        self.rows[Grid::row(cell)] ^= bit;
        self.columns[Grid::column(cell)] ^= bit;
        self.boxes[Grid::box_of(cell)] ^= bit;
    }
}

/// The number of solutions: 0, 1, or 2 for "two or more". `None` when a limit stopped the count.
///
/// Givens that conflict leave no solution.
pub fn count_solutions(puzzle: &Grid, limits: &Limits) -> Option<u8> {
    if !puzzle.is_consistent() {
        return Some(0);
    }
    let mut probe = Limit::new(limits);
    let found = Mrv::<0>::new(puzzle).enumerate(&mut probe, 2);
    match probe.stopped() {
        Some(_) => (found == 2).then_some(2),
        None => Some(found),
    }
}

/// Whether the puzzle has exactly one solution.
pub fn is_unique(puzzle: &Grid) -> bool {
    puzzle.is_consistent() && Mrv::<0>::new(puzzle).enumerate(&mut NoProbe, 2) == 1
}
