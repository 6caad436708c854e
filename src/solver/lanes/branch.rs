//! Where to guess when a sweep changes nothing any more.
//!
//! The rule is that of tdoku's author: in the undecided band with the fewest ways to place its
//! digits, a digit with two ways, else one with three, else one with more. A digit has at most six
//! ways to stand in a band: in each line a mini-line of its own, and each in a box of its own.

use super::board::Board;
use super::set::lanes;
use super::stacks::Stacks;
use crate::arch::{Simd, Vector};

/// The most guesses on the way from a puzzle to a solution: every guess decides in which
/// mini-line of one of 18 lines one of the nine digits stands.
pub(super) const DEEPEST: usize = 18 * 9;

/// The six ways for three lines to take three boxes.
const WAYS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// What to guess in each lane that holds neither a solution nor a contradiction: that a digit
/// stands in a certain mini-line.
pub(super) struct Choice<V> {
    /// The digit, as a candidate: of several the lowest.
    pub(super) digit: V,
    /// The place of the mini-line in [`MINI_LINES`]: of the first line of the band where the digit
    /// has several mini-lines the first of these.
    pub(super) mini_line: V,
}

impl<V: Vector> Board<V> {
    /// Chooses, in all lanes.
    #[inline(always)]
    pub(super) fn choose(&self, simd: impl Simd<Vector = V>) -> Choice<V> {
        let none = simd.splat(0);
        let (mut best_band, mut best_digits, mut best_holds) = (none, none, [[none; 3]; 3]);
        let mut fewest = simd.splat(i16::MAX as u16);
        for band in 0..6 {
            let mut holds = [[none; 3]; 3];
            for (line, holds) in holds.iter_mut().enumerate() {
                for (third, holds) in holds.iter_mut().enumerate() {
                    let [x, y, z] = if band < 3 {
                        self.mini_line::<false>(3 * band + line, third)
                    } else {
                        self.mini_line::<true>(3 * (band - 3) + line, third)
                    };
                    *holds = x.or3(y, z);
                }
            }
            let mut ways = [none; 6];
            for (way, [a, b, c]) in WAYS.into_iter().enumerate() {
                ways[way] = holds[0][a].and3(holds[1][b], holds[2][c]);
            }
            // The number of ways of each digit in binary: ones, twos and fours.
            let (ones_a, twos_a) = sum3(ways[0], ways[1], ways[2]);
            let (ones_b, twos_b) = sum3(ways[3], ways[4], ways[5]);
            let carry = ones_a & ones_b;
            let ones = (ones_a | ones_b).without(carry);
            let fours = twos_a.majority(twos_b, carry);
            let (twos, _) = sum3(twos_a, twos_b, carry);
            let twofold = twos.popcount();
            let fourfold = fours.popcount();
            let all_ways = ones
                .popcount()
                .plus(twofold.plus(twofold))
                .plus(fourfold.plus(fourfold).plus(fourfold.plus(fourfold)));
            // A digit has 1, 2, 3, 4 or 6 ways. Two come before three, and three before more.
            let two = twos.without(ones | fours);
            let three = (twos & ones).without(fours);
            let digits = three.select(two.equals(none), two);
            let digits = fours.select(digits.equals(none), digits);
            let all_ways = fewest.select(digits.equals(none), all_ways);
            let better = all_ways.less(fewest);
            fewest = all_ways.select(better, fewest);
            best_digits = digits.select(better, best_digits);
            best_band = simd.splat(9 * band as u16).select(better, best_band);
            for line in 0..3 {
                for third in 0..3 {
                    let best = &mut best_holds[line][third];
                    *best = holds[line][third].select(better, *best);
                }
            }
        }
        let digit = best_digits.without(best_digits.without_lowest(simd.splat(u16::MAX)));
        let mut mini_line = none;
        for line in (0..3).rev() {
            let [a, b, c] = best_holds[line];
            let several = digit & a.majority(b, c);
            // If it is not the first of several mini-lines, it is the second.
            let first = simd.splat(3 * line as u16);
            let first_or_second =
                simd.splat(3 * line as u16 + 1).select(a.is_disjoint(digit), first);
            mini_line = mini_line.select(several.equals(none), first_or_second);
        }
        Choice { digit, mini_line: best_band.plus(mini_line) }
    }

    /// Guesses in each lane of a set: goes on with the guess, and leaves its opposite for later.
    #[inline(always)]
    pub(super) fn guess(&mut self, set: u32, choice: &Choice<V>, stacks: &mut Stacks) {
        for lane in lanes(set) {
            let opposite = stacks.push(lane);
            self.extract(lane, opposite);
            let lane = lane % V::LANES;
            let digit = choice.digit.lanes()[lane];
            let MiniLine { inside, outside } =
                MINI_LINES[usize::from(choice.mini_line.lanes()[lane])];
            for cell in inside {
                opposite.cells_mut()[usize::from(cell)] &= !digit;
            }
            self.remove(lane, &outside, digit);
        }
    }
}

/// The sum of three numbers of one bit, in each bit: its ones and its twos.
#[inline(always)]
fn sum3<V: Vector>(a: V, b: V, c: V) -> (V, V) {
    let twos = a.majority(b, c);
    (a.and3(b, c) | a.or3(b, c).without(twos), twos)
}

/// The cells of a mini-line, and the others of its line.
#[derive(Clone, Copy)]
struct MiniLine {
    inside: [u8; 3],
    outside: [u8; 6],
}

/// The cells of a mini-line, by its place in [`MINI_LINES`].
#[cfg(test)]
pub(super) fn cells_of(mini_line: usize) -> [usize; 3] {
    MINI_LINES[mini_line].inside.map(usize::from)
}

/// All mini-lines, by band (three of rows, three of columns), line and box.
const MINI_LINES: [MiniLine; 54] = {
    let mut mini_lines = [MiniLine { inside: [0; 3], outside: [0; 6] }; 54];
    let mut number = 0;
    while number < 54 {
        let (columns, line, third) = (number >= 27, number / 3 % 9, number % 3);
        let mut place = 0;
        while place < 9 {
            let cell = if columns { 9 * place + line } else { 9 * line + place } as u8;
            let mini_line = &mut mini_lines[number];
            if place / 3 == third {
                mini_line.inside[place % 3] = cell;
            } else {
                // The boxes before this one come first, then those behind it.
                let places_before = if place / 3 > third { 3 } else { 0 };
                mini_line.outside[place - places_before] = cell;
            }
            place += 1;
        }
        number += 1;
    }
    mini_lines
};
