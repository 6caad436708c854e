//! The sweep: what follows from the candidates without guessing, for all lanes at once.
//!
//! A sweep goes over the rows, then in the same way over the columns. Lines (rows or columns) are
//! taken in bands of three, as a box cuts three lines, and a line in three *mini-lines*, the cells
//! that it shares with one box. The boxes need no code of their own: what follows from them
//! follows from the mini-lines of their bands, in one direction or the other. The steps for a band
//! are in `band`.

use super::band::cell;
use super::board::{ALL, Board};
use crate::arch::{Simd, Vector};

/// The sum of all candidates in a solved grid: each row holds every digit once.
const SOLVED: u16 = 9 * ALL;

/// What a sweep came to, each as a set of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Findings {
    /// Lanes without a solution.
    pub(super) contradiction: u32,
    /// Lanes that hold a solution.
    pub(super) solved: u32,
    /// Lanes in which the sweep changed nothing.
    pub(super) stuck: u32,
}

impl<V: Vector> Board<V> {
    /// Removes candidates that no solution has, row-wise and column-wise, and tells what came of
    /// it, for the lanes that are `busy`.
    #[inline(always)]
    pub(super) fn sweep(&mut self, simd: impl Simd<Vector = V>, busy: u32) -> Findings {
        let minus_one = std::hint::black_box(simd.splat(u16::MAX));
        let all = simd.splat(ALL);
        // The digits with a place in every line so far; the least of the cells; their sum.
        let mut covered = all;
        let mut least = all;
        let mut sum = simd.splat(0);
        for band in 0..3 {
            let lines = self.band::<false>(3 * band, simd, minus_one);
            covered = covered & lines;
        }
        for band in 0..3 {
            let lines = self.band::<true>(3 * band, simd, minus_one);
            covered = covered & lines;
            for line in 3 * band..3 * band + 3 {
                for place in 0..9 {
                    least = least.min(self.cells[cell::<true>(line, place)]);
                    sum = sum.plus(self.cells[cell::<true>(line, place)]);
                }
            }
        }
        let full = V::set(covered.equals(all)) & !V::set(least.equals(simd.splat(0)));
        let stuck = V::set(sum.equals(self.sum));
        let complete = V::set(sum.equals(simd.splat(SOLVED))) & full & busy;
        let solved = if complete == 0 { 0 } else { complete & self.units_are_covered(simd) };
        self.sum = sum;
        Findings {
            contradiction: busy & (!full | complete) & !solved,
            solved,
            stuck: busy & full & stuck & !complete,
        }
    }

    /// The lanes in which every row, column and box has a place for every digit. If the sum is
    /// that of a solved grid, then none has two places.
    #[inline(always)]
    fn units_are_covered(&self, simd: impl Simd<Vector = V>) -> u32 {
        let all = simd.splat(ALL);
        let mut covered = all;
        for band in 0..3 {
            let mut boxes = [simd.splat(0); 3];
            for line in 3 * band..3 * band + 3 {
                let mut row = simd.splat(0);
                let mut column = simd.splat(0);
                for (third, in_box) in boxes.iter_mut().enumerate() {
                    let [a, b, c] = self.mini_line::<false>(line, third);
                    row = row | a.or3(b, c);
                    *in_box = *in_box | a.or3(b, c);
                    let [a, b, c] = self.mini_line::<true>(line, third);
                    column = column | a.or3(b, c);
                }
                covered = covered.and3(row, column);
            }
            covered = covered.and3(boxes[0], boxes[1]) & boxes[2];
        }
        V::set(covered.equals(all))
    }
}
