//! Where to guess when a sweep changes nothing any more.
//!
//! The rule is that of tdoku's author: in the undecided band with the fewest ways to place its
//! digits, a digit with as few ways as possible but more than one. A digit has at most six ways
//! to stand in a band: in each line a mini-line of its own, and each in a box of its own.

use super::board::Board;
use super::node::Node;
use super::set::lanes;
use super::stacks::Stacks;
use crate::arch::{Simd, Vector};

/// The most guesses on the way from a puzzle to a solution: every guess decides in which
/// mini-line of one of 18 lines one of the nine digits stands.
pub(super) const DEEPEST: usize = 18 * 9;

/// The six ways for three lines to take three boxes.
const WAYS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// A band and a digit to guess with, in each lane.
pub(super) struct Choice<V> {
    /// 0–2 a band of rows, 3–5 one of columns.
    pub(super) band: V,
    /// The digits, as candidates, that have the fewest ways there; at least one in every lane
    /// that holds neither a solution nor a contradiction.
    pub(super) digits: V,
}

impl<V: Vector> Board<V> {
    /// Chooses, in all lanes.
    #[inline(always)]
    pub(super) fn choose(&self, simd: impl Simd<Vector = V>) -> Choice<V> {
        let none = simd.splat(0);
        let mut choice = Choice { band: none, digits: none };
        let mut fewest = simd.splat(i16::MAX as u16);
        for band in 0..6 {
            let mut holds = [[none; 3]; 3];
            for (line, holds) in holds.iter_mut().enumerate() {
                for (chute, holds) in holds.iter_mut().enumerate() {
                    let [x, y, z] = if band < 3 {
                        self.mini_line::<false>(3 * band + line, chute)
                    } else {
                        self.mini_line::<true>(3 * (band - 3) + line, chute)
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
            choice.digits = digits.select(better, choice.digits);
            choice.band = simd.splat(band as u16).select(better, choice.band);
        }
        choice
    }

    /// Guesses in each lane of a set: goes on with the guess, and leaves its opposite for later.
    #[inline(always)]
    pub(super) fn guess(&mut self, set: u32, choice: &Choice<V>, stacks: &mut Stacks) {
        for lane in lanes(set) {
            let opposite = stacks.push(lane);
            self.extract(lane, opposite);
            let lane = lane % V::LANES;
            let band = usize::from(choice.band.lanes()[lane]);
            let guess = Guess::new(opposite, band, choice.digits.lanes()[lane]);
            for cell in guess.inside {
                opposite.cells_mut()[usize::from(cell)] &= !guess.digit;
            }
            self.remove(lane, guess.outside.as_flattened(), guess.digit);
        }
    }
}

/// The sum of three numbers of one bit, in each bit: its ones and its twos.
#[inline(always)]
fn sum3<V: Vector>(a: V, b: V, c: V) -> (V, V) {
    let twos = a.majority(b, c);
    (a.and3(b, c) | a.or3(b, c).without(twos), twos)
}

/// The cells of each mini-line, by band (0–2 rows, 3–5 columns), line and box.
const MINI_LINES: [[[[u8; 3]; 3]; 3]; 6] = {
    let mut cells = [[[[0; 3]; 3]; 3]; 6];
    let mut i = 0;
    while i < 81 {
        let (band, line, chute, place) = (i / 27, i / 9 % 3, i / 3 % 3, i % 3);
        cells[band][line][chute][place] = i as u8;
        cells[3 + band][line][chute][place] = (9 * (3 * chute + place) + 3 * band + line) as u8;
        i += 1;
    }
    cells
};

/// A guess: a digit stands in a certain mini-line, or else it does not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guess {
    /// The digit, as a candidate.
    pub(super) digit: u16,
    /// The cells of the mini-line.
    pub(super) inside: [u8; 3],
    /// The other cells of the line.
    pub(super) outside: [[u8; 3]; 2],
}

impl Guess {
    /// The guess to make on a board of candidates: the lowest of `digits`, the first line of the
    /// band where it has several mini-lines, and the first of these.
    #[inline(always)]
    pub(super) fn new(node: &Node, band: usize, digits: u16) -> Self {
        let candidates = node.cells();
        let digit = digits & digits.wrapping_neg();
        for minis in MINI_LINES[band] {
            let holds = minis.map(|[a, b, c]| {
                let cells = [a, b, c].map(|cell| candidates[usize::from(cell)]);
                (cells[0] | cells[1] | cells[2]) & digit != 0
            });
            let (inside, outside) = match holds {
                [true, true, _] | [true, _, true] => (minis[0], [minis[1], minis[2]]),
                [false, true, true] => (minis[1], [minis[0], minis[2]]),
                _ => continue,
            };
            return Guess { digit, inside, outside };
        }
        unreachable!("a digit with several ways has a line with several mini-lines");
    }
}
