//! Plain arrays, for every processor; in tests the measure of the other instruction sets.

use super::{Kernel, Simd, Vector};
use std::array::from_fn;
use std::ops::{BitAnd, BitOr};

const LANES: usize = 16;

/// The token of plain Rust, which every machine has.
#[derive(Clone, Copy, Debug)]
pub struct Portable(());

impl Simd for Portable {
    type Vector = U16x16;

    fn detect() -> Option<Self> {
        Some(Portable(()))
    }

    #[inline(always)]
    fn splat(self, value: u16) -> U16x16 {
        U16x16([value; LANES])
    }

    #[inline(never)]
    fn run<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        kernel.call(self)
    }
}

/// 16 lanes.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct U16x16([u16; LANES]);

/// 0xffff for yes, 0 for no.
type Mask = [u16; LANES];

impl U16x16 {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u16, u16) -> u16) -> Self {
        U16x16(from_fn(|lane| f(self.0[lane], other.0[lane])))
    }

    #[inline(always)]
    fn test(self, f: impl Fn(u16) -> bool) -> Mask {
        self.0.map(|lane| if f(lane) { u16::MAX } else { 0 })
    }
}

impl BitAnd for U16x16 {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl BitOr for U16x16 {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

impl Vector for U16x16 {
    type Mask = Mask;

    const LANES: usize = LANES;

    #[inline(always)]
    fn lanes(&self) -> &[u16] {
        &self.0
    }

    #[inline(always)]
    fn lanes_mut(&mut self) -> &mut [u16] {
        &mut self.0
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        self & b | (self | b) & c
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.zip(other, u16::wrapping_add)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(other, |a, b| (a as i16).min(b as i16) as u16)
    }

    #[inline(always)]
    fn popcount(self) -> Self {
        U16x16(self.0.map(|lane| lane.count_ones() as u16))
    }

    #[inline(always)]
    fn at_most_one(self, minus_one: Self) -> Mask {
        self.without_lowest(minus_one).test(|lane| lane == 0)
    }

    #[inline(always)]
    fn is_disjoint(self, other: Self) -> Mask {
        (self & other).test(|lane| lane == 0)
    }

    #[inline(always)]
    fn equals(self, other: Self) -> Mask {
        self.zip(other, |a, b| if a == b { u16::MAX } else { 0 }).0
    }

    #[inline(always)]
    fn less(self, other: Self) -> Mask {
        self.zip(other, |a, b| if (a as i16) < b as i16 { u16::MAX } else { 0 }).0
    }

    #[inline(always)]
    fn keep(self, mask: Mask) -> Self {
        self & U16x16(mask)
    }

    #[inline(always)]
    fn select(self, mask: Mask, other: Self) -> Self {
        self.keep(mask) | other.without(U16x16(mask))
    }

    #[inline(always)]
    fn set(mask: Mask) -> u32 {
        std::iter::zip(0.., mask).fold(0, |set, (lane, yes)| set | u32::from(yes & 1) << lane)
    }
}
