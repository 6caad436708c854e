//! `mrv`: bit masks of used digits, and the choice with the fewest alternatives comes first
//! ("minimum remaining values").
//!
//! That is a cell with at most one candidate, else a digit with at most one place left in a unit,
//! else the cell with the fewest candidates. Without a candidate or a place, it goes back.
//!
//! It finds the answer in a small fraction of the templates' nodes, which makes it their oracle
//! and the test of uniqueness. As it goes through the cells in another order than they do, it may
//! find another one of several solutions.

use super::{Enumerate, NoProbe, Probe, Search};
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
    /// By unit (rows, then columns, then boxes): bit d is set when digit d stands in it.
    used: [u16; 27],
}

/// The row, column and box of a cell among the 27 units.
fn units(cell: usize) -> [usize; 3] {
    [Grid::row(cell), 9 + Grid::column(cell), 18 + Grid::box_of(cell)]
}

impl<const COPY: u32> Search for Mrv<COPY> {
    fn new(puzzle: &Grid) -> Self {
        Mrv { cells: *puzzle.cells(), empty: [0; CELLS], used: [0; 27] }
    }

    fn run<P: Probe>(&mut self, probe: &mut P) -> bool {
        self.enumerate(probe, &mut 1)
    }

    fn grid(&self) -> Grid {
        Grid::from_cells(self.cells).expect("digits only")
    }
}

impl<const COPY: u32> Enumerate for Mrv<COPY> {
    fn enumerate<P: Probe>(&mut self, probe: &mut P, missing: &mut u8) -> bool {
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
        self.fill(probe, unfilled, missing)
    }
}

impl<const COPY: u32> Mrv<COPY> {
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

    /// The choice with the fewest alternatives among the first `unfilled` empty cells, as a place
    /// in `empty` and the digits to try there: a cell with at most one candidate, else a digit
    /// with one place left in a unit, else the cell with the fewest candidates (always the first
    /// of equals). No digits: a dead end.
    fn fewest(&self, unfilled: usize) -> (usize, u16) {
        let mut candidates = [0; CELLS];
        let mut best = (0, 0);
        let mut fewest = u32::MAX;
        // By unit, the digits with at least one place and with at least two.
        let (mut once, mut twice) = ([0_u16; 27], [0_u16; 27]);
        for (slot, mine) in candidates[..unfilled].iter_mut().enumerate() {
            let [row, column, box_] = units(usize::from(self.empty[slot]));
            *mine = DIGITS & !(self.used[row] | self.used[column] | self.used[box_]);
            if mine.count_ones() < fewest {
                best = (slot, *mine);
                fewest = mine.count_ones();
                if fewest <= 1 {
                    return best;
                }
            }
            for unit in [row, column, box_] {
                twice[unit] |= once[unit] & *mine;
                once[unit] |= *mine;
            }
        }
        if std::iter::zip(once, self.used).any(|(once, used)| once | used != DIGITS) {
            return (0, 0);
        }
        for (slot, mine) in candidates[..unfilled].iter().enumerate() {
            let [row, column, box_] = units(usize::from(self.empty[slot]));
            let single = |unit: usize| once[unit] & !twice[unit];
            let hidden = mine & (single(row) | single(column) | single(box_));
            if hidden != 0 {
                return (slot, hidden & hidden.wrapping_neg());
            }
        }
        best
    }

    fn flip(&mut self, cell: usize, bit: u16) {
        for unit in units(cell) {
            self.used[unit] ^= bit;
        }
    }
}

/// The copy that tells whether a puzzle is unique. A copy that is also timed would be compiled here
/// once for all, apart from the other copies and called in another way than they are.
const UNTIMED: u32 = u32::MAX;

/// Whether the puzzle has exactly one solution.
pub fn is_unique(puzzle: &Grid) -> bool {
    let mut missing = 2;
    puzzle.is_consistent() && {
        Mrv::<UNTIMED>::new(puzzle).enumerate(&mut NoProbe, &mut missing);
        missing == 1
    }
}
