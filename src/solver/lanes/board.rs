//! The candidates of the puzzles in all lanes.

use crate::arch::{Simd, Vector};
use crate::grid::{CELLS, Grid};

/// All nine digits, as the candidates of a cell.
pub(super) const ALL: u16 = 0x1ff;

/// The candidates of a puzzle in each lane: bit d for digit d + 1.
pub(super) struct Board<V> {
    /// The cells, row-major.
    pub(super) cells: [V; CELLS],
    /// The sum of the cells after the last sweep, 0 in a lane that changed since by other means.
    /// Candidates only ever go, so an equal sum is an equal board.
    pub(super) sum: V,
    /// Of the band in work, by line and box: the digits that each mini-line can hold.
    pub(super) holds: [[V; 3]; 3],
    /// Of the band in work: the digits that two cells of a mini-line can hold, or all three.
    pub(super) twice: [[V; 3]; 3],
}

impl<V: Vector> Board<V> {
    /// A board without any candidates.
    pub(super) fn new(simd: impl Simd<Vector = V>) -> Self {
        Board {
            cells: [simd.splat(0); CELLS],
            sum: simd.splat(0),
            holds: [[simd.splat(0); 3]; 3],
            twice: [[simd.splat(0); 3]; 3],
        }
    }

    /// Puts puzzles into lanes. Several side by side take less time than one after another.
    #[inline(always)]
    pub(super) fn load<const N: usize>(&mut self, lanes: [usize; N], puzzles: [&Grid; N]) {
        const CANDIDATES: [u16; 16] = {
            let mut candidates = [ALL; 16];
            let mut digit = 1;
            while digit <= 9 {
                candidates[digit] = 1 << (digit - 1);
                digit += 1;
            }
            candidates
        };
        self.put(lanes, |n, cell| CANDIDATES[usize::from(puzzles[n].cells()[cell] & 15)]);
    }

    /// Puts candidates into lanes. Several side by side take less time than one after another.
    #[inline(always)]
    pub(super) fn insert<const N: usize>(&mut self, lanes: [usize; N], nodes: [&[u16; CELLS]; N]) {
        self.put(lanes, |n, cell| nodes[n][cell]);
    }

    /// Puts what `candidates` says into lanes: for each its number among them, and a cell.
    #[inline(always)]
    fn put<const N: usize>(&mut self, lanes: [usize; N], candidates: impl Fn(usize, usize) -> u16) {
        for cell in 0..CELLS {
            for (n, lane) in lanes.into_iter().enumerate() {
                self.cells[cell].lanes_mut()[lane % V::LANES] = candidates(n, cell);
            }
        }
        for lane in lanes {
            self.sum.lanes_mut()[lane] = 0;
        }
    }

    /// Copies the candidates of a lane.
    #[inline(always)]
    pub(super) fn extract(&self, lane: usize, node: &mut [u16; CELLS]) {
        let lane = lane % V::LANES;
        for (cell, candidates) in std::iter::zip(&self.cells, node) {
            *candidates = cell.lanes()[lane];
        }
    }

    /// Takes a digit, given as a candidate, from some cells of a lane.
    pub(super) fn remove(&mut self, lane: usize, cells: &[u8], digit: u16) {
        for &cell in cells {
            self.cells[usize::from(cell)].lanes_mut()[lane] &= !digit;
        }
        self.sum.lanes_mut()[lane] = 0;
    }

    /// The grid of a lane in which every cell has one candidate.
    #[inline(always)]
    pub(super) fn solution(&self, lane: usize) -> Grid {
        let mut node = [0; CELLS];
        self.extract(lane, &mut node);
        let mut cells = [0; CELLS];
        for (cell, candidate) in std::iter::zip(&mut cells, node) {
            *cell = candidate.trailing_zeros() as u8 + 1;
        }
        Grid::from_cells(cells).expect("every cell has one of nine candidates")
    }
}
