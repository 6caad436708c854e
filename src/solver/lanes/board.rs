//! The candidates of the puzzles in all lanes.

use super::node::Node;
use super::set::take;
use super::stacks::Stacks;
use crate::arch::{Simd, Vector};
use crate::grid::CELLS;

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

    /// Puts into each lane of a set the node that was popped for it.
    #[inline(always)]
    pub(super) fn insert(&mut self, mut set: u32, stacks: &Stacks) {
        while set.count_ones() > 4 {
            self.insert_abreast::<4>(take(&mut set), stacks);
        }
        match set.count_ones() {
            1 => self.insert_abreast::<1>(take(&mut set), stacks),
            2 => self.insert_abreast::<2>(take(&mut set), stacks),
            3 => self.insert_abreast::<3>(take(&mut set), stacks),
            4 => self.insert_abreast::<4>(take(&mut set), stacks),
            _ => {}
        }
    }

    /// Does this for some lanes, cell by cell: what goes to neighbouring lanes shares a cache
    /// line, which takes less time than one lane after the other.
    #[inline(always)]
    fn insert_abreast<const N: usize>(&mut self, lanes: [usize; N], stacks: &Stacks) {
        let mut nodes = [&Node::EMPTY; N];
        for (node, lane) in std::iter::zip(&mut nodes, lanes) {
            *node = stacks.popped(lane);
        }
        // Two loops, of which the inner one is unrolled, and the outer one ends as foreseen.
        for row in 0..9 {
            for cell in 9 * row..9 * row + 9 {
                for n in 0..N {
                    self.cells[cell].lanes_mut()[lanes[n] % V::LANES] = nodes[n].cells()[cell];
                }
            }
        }
        for lane in lanes {
            self.sum.lanes_mut()[lane % V::LANES] = 0;
        }
    }

    /// Copies the candidates of a lane.
    #[inline(always)]
    pub(super) fn extract(&self, lane: usize, node: &mut Node) {
        let lane = lane % V::LANES;
        for (cell, candidates) in std::iter::zip(&self.cells, node.cells_mut()) {
            *candidates = cell.lanes()[lane];
        }
    }

    /// Takes a digit, given as a candidate, from some cells of a lane.
    #[inline(always)]
    pub(super) fn remove(&mut self, lane: usize, cells: &[u8], digit: u16) {
        let lane = lane % V::LANES;
        for &cell in cells {
            self.cells[usize::from(cell)].lanes_mut()[lane] &= !digit;
        }
        self.sum.lanes_mut()[lane] = 0;
    }
}
