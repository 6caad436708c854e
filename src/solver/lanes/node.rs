//! The candidates of one lane, outside of the board.

use super::board::ALL;
use crate::arch::Simd;
use crate::grid::{CELLS, Grid};

/// The candidates of each cell, on whole cache lines.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Node([u16; CELLS]);

/// Cells that are converted at once, if there are so many left.
const CHUNK: usize = 16;

/// The candidates for each digit of a puzzle, its 0 being an empty cell.
const CANDIDATES: [u16; 16] = {
    let mut candidates = [ALL; 16];
    let mut digit = 1;
    while digit <= 9 {
        candidates[digit] = 1 << (digit - 1);
        digit += 1;
    }
    candidates
};

/// The low and the high bytes of [`CANDIDATES`].
const CANDIDATE_BYTES: [[u8; 16]; 2] = {
    let mut bytes = [[0; 16]; 2];
    let mut digit = 0;
    while digit < 16 {
        [bytes[0][digit], bytes[1][digit]] = CANDIDATES[digit].to_le_bytes();
        digit += 1;
    }
    bytes
};

/// The digit of a cell with one candidate is the sum of what stands here for the low and for the
/// high half of its byte. Digit 9 has no bit in a byte; 255 stands for it.
const DIGITS: [[u8; 16]; 2] = {
    let mut digits = [[0; 16]; 2];
    let mut bit = 0;
    while bit < 4 {
        digits[0][1 << bit] = 1 + bit;
        digits[1][1 << bit] = 5 + bit;
        bit += 1;
    }
    [digits[0][15], digits[1][15]] = [4, 5];
    digits
};

impl Node {
    pub(super) const EMPTY: Node = Node([0; CELLS]);

    /// The candidates, row-major.
    #[inline(always)]
    pub(super) fn cells(&self) -> &[u16; CELLS] {
        &self.0
    }

    /// The candidates, to be changed.
    #[inline(always)]
    pub(super) fn cells_mut(&mut self) -> &mut [u16; CELLS] {
        &mut self.0
    }

    /// Becomes what the givens of a puzzle say.
    #[inline(always)]
    pub(super) fn read(&mut self, puzzle: &Grid, simd: impl Simd) {
        let (digits, last_digits) = puzzle.cells().as_chunks::<CHUNK>();
        let (chunks, last) = self.0.as_chunks_mut::<CHUNK>();
        for (chunk, &digits) in std::iter::zip(chunks, digits) {
            let low = simd.look_up(CANDIDATE_BYTES[0], digits);
            let high = simd.look_up(CANDIDATE_BYTES[1], digits);
            for (candidates, bytes) in std::iter::zip(chunk, std::iter::zip(low, high)) {
                *candidates = u16::from_le_bytes(bytes.into());
            }
        }
        for (candidates, digit) in std::iter::zip(last, last_digits) {
            *candidates = CANDIDATES[usize::from(digit & 15)];
        }
    }

    /// The grid, if every cell has one candidate.
    #[inline(always)]
    pub(super) fn solution(&self, simd: impl Simd) -> Grid {
        let mut cells = [0; CELLS];
        let (chunks, last) = self.0.as_chunks::<CHUNK>();
        let (digits, last_digits) = cells.as_chunks_mut::<CHUNK>();
        for (digits, chunk) in std::iter::zip(digits, chunks) {
            let bytes = chunk.map(|candidate| candidate.min(255) as u8);
            let low = simd.look_up(DIGITS[0], bytes);
            let high = simd.look_up(DIGITS[1], bytes.map(|byte| byte >> 4));
            for (digit, (low, high)) in std::iter::zip(digits, std::iter::zip(low, high)) {
                *digit = low + high;
            }
        }
        for (digit, candidate) in std::iter::zip(last_digits, last) {
            *digit = candidate.trailing_zeros() as u8 + 1;
        }
        Grid::from_digits(cells)
    }
}
