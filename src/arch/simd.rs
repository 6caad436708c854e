//! What every instruction set can do with vectors of 16-bit lanes.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr};

/// The most lanes that a vector of any instruction set has; a set of lanes fits a `u32`.
pub const MAX_LANES: usize = 32;

/// The token of an instruction set: who has one may execute its instructions.
pub trait Simd: Copy + Debug {
    /// A vector register of 16-bit lanes.
    type Vector: Vector;

    /// The token, on a machine that has the instruction set.
    fn detect() -> Option<Self>;

    /// The vector with `value` in all lanes.
    fn splat(self, value: u16) -> Self::Vector;

    /// What stands in `table` at each of the places, of which only the lower four bits count.
    #[inline(always)]
    fn look_up(self, table: [u8; 16], places: [u8; 16]) -> [u8; 16] {
        places.map(|place| table[usize::from(place & 15)])
    }

    /// Calls `kernel` from a function that is compiled for this instruction set. What the kernel
    /// calls in turn must be `#[inline(always)]` to become part of that function: anything else
    /// is compiled for the oldest processor, and each vector operation in it stays a call.
    fn run<K: Kernel<Self>>(self, kernel: K) -> K::Output;
}

/// Code that is compiled once for each instruction set. See [`Simd::run`].
pub trait Kernel<S: Simd> {
    /// What it returns.
    type Output;

    /// Does it; to be marked `#[inline(always)]`.
    fn call(self, simd: S) -> Self::Output;
}

/// A vector of 16-bit lanes. Except where something else is said, an operation takes lane by lane.
pub trait Vector: Copy + Debug + BitAnd<Output = Self> + BitOr<Output = Self> {
    /// Yes or no for each lane.
    type Mask: Copy + Debug;

    /// Number of lanes; a power of two.
    const LANES: usize;

    /// The lanes in memory.
    fn lanes(&self) -> &[u16];

    /// The lanes in memory, to be changed.
    fn lanes_mut(&mut self) -> &mut [u16];

    /// The bits of `self` that `other` does not have.
    fn without(self, other: Self) -> Self;

    /// The bits that two or three of the vectors have.
    fn majority(self, b: Self, c: Self) -> Self;

    /// The bits that one of the vectors has at least.
    #[inline(always)]
    fn or3(self, b: Self, c: Self) -> Self {
        self | b | c
    }

    /// The bits that all three vectors have.
    #[inline(always)]
    fn and3(self, b: Self, c: Self) -> Self {
        self & b & c
    }

    /// The sum, modulo 2¹⁶.
    fn plus(self, other: Self) -> Self;

    /// The smaller one, for values below 2¹⁵.
    fn min(self, other: Self) -> Self;

    /// The number of bits that are set.
    fn popcount(self) -> Self;

    /// `self` without its lowest set bit. `minus_one` has −1 in all lanes, and is given from
    /// outside so that the compiler does not know it: it would make a population count of the
    /// test for a single bit, which is slower where there is one and much slower elsewhere.
    #[inline(always)]
    fn without_lowest(self, minus_one: Self) -> Self {
        self & self.plus(minus_one)
    }

    /// Which lanes have no bit or one.
    fn at_most_one(self, minus_one: Self) -> Self::Mask;

    /// Which lanes have no more than two bits.
    #[inline(always)]
    fn at_most_two(self, minus_one: Self) -> Self::Mask {
        self.without_lowest(minus_one).at_most_one(minus_one)
    }

    /// Which lanes have no more than three bits.
    #[inline(always)]
    fn at_most_three(self, minus_one: Self) -> Self::Mask {
        self.without_lowest(minus_one).at_most_two(minus_one)
    }

    /// Which lanes have no bit in common with those of `other`.
    fn is_disjoint(self, other: Self) -> Self::Mask;

    /// Which lanes are equal.
    fn equals(self, other: Self) -> Self::Mask;

    /// Which lanes are less than those of `other`, for values below 2¹⁵.
    fn less(self, other: Self) -> Self::Mask;

    /// The lanes of `self` where `mask` says yes, 0 elsewhere.
    fn keep(self, mask: Self::Mask) -> Self;

    /// The lanes of `self` where `mask` says yes, those of `other` elsewhere.
    fn select(self, mask: Self::Mask, other: Self) -> Self;

    /// The mask as a set: bit k is lane k.
    fn set(mask: Self::Mask) -> u32;
}
