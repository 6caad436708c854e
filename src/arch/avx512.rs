//! AVX-512: 32 lanes in a 512-bit register, masks as bits.

use super::{Kernel, Simd, Vector};
use std::arch::x86_64::*;
use std::mem::transmute;
use std::ops::{BitAnd, BitOr};

/// The token of AVX-512 F, BW, VL and BITALG, with all of AVX2.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(super::Avx2);

impl Simd for Avx512 {
    type Vector = U16x32;

    fn detect() -> Option<Self> {
        let avx2 = super::Avx2::detect()?;
        let has = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512bitalg");
        has.then_some(Avx512(avx2))
    }

    #[inline(always)]
    fn splat(self, value: u16) -> U16x32 {
        // SAFETY: the token says that the processor has AVX-512.
        U16x32(unsafe { _mm512_set1_epi16(value as i16) })
    }

    #[inline(always)]
    fn look_up(self, table: [u8; 16], places: [u8; 16]) -> [u8; 16] {
        self.0.look_up(table, places)
    }

    #[inline(always)]
    fn run<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bitalg")]
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        #[inline(never)]
        fn enter<K: Kernel<Avx512>>(simd: Avx512, kernel: K) -> K::Output {
            kernel.call(simd)
        }
        // SAFETY: the token says that the processor has all of these.
        unsafe { enter(self, kernel) }
    }
}

/// 32 lanes. Only the token makes the first one, so a value says that the processor has AVX-512.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct U16x32(__m512i);

/// A vector made by an intrinsic from vectors.
macro_rules! vector {
    ($intrinsic:ident $(::<$number:literal>)? ($($operand:expr),*)) => {
        // SAFETY: the operands are vectors, so the processor has AVX-512.
        U16x32(unsafe { $intrinsic $(::<$number>)? ($($operand),*) })
    };
}

/// A mask made by an intrinsic from vectors.
macro_rules! mask {
    ($intrinsic:ident($($operand:expr),*)) => {
        // SAFETY: the operands are vectors, so the processor has AVX-512.
        unsafe { $intrinsic($($operand),*) }
    };
}

impl U16x32 {
    /// Which lanes have no more than `most` bits.
    #[inline(always)]
    fn at_most(self, most: i16) -> u32 {
        mask!(_mm512_cmple_epu16_mask(self.popcount().0, _mm512_set1_epi16(most)))
    }
}

impl BitAnd for U16x32 {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        vector!(_mm512_and_si512(self.0, other.0))
    }
}

impl BitOr for U16x32 {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        vector!(_mm512_or_si512(self.0, other.0))
    }
}

impl Vector for U16x32 {
    type Mask = u32;

    const LANES: usize = 32;

    #[inline(always)]
    fn lanes(&self) -> &[u16] {
        // SAFETY: both types have the same size, any bits are values of both, and the array needs
        // no stricter alignment.
        unsafe { transmute::<&Self, &[u16; 32]>(self) }
    }

    #[inline(always)]
    fn lanes_mut(&mut self) -> &mut [u16] {
        // SAFETY: as in `lanes`.
        unsafe { transmute::<&mut Self, &mut [u16; 32]>(self) }
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        vector!(_mm512_andnot_si512(other.0, self.0))
    }

    // The number of a ternary operation is its truth table: bit 4a + 2b + c is its value.

    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        vector!(_mm512_ternarylogic_epi32::<0b1110_1000>(self.0, b.0, c.0))
    }

    #[inline(always)]
    fn or3(self, b: Self, c: Self) -> Self {
        vector!(_mm512_ternarylogic_epi32::<0b1111_1110>(self.0, b.0, c.0))
    }

    #[inline(always)]
    fn and3(self, b: Self, c: Self) -> Self {
        vector!(_mm512_ternarylogic_epi32::<0b1000_0000>(self.0, b.0, c.0))
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        vector!(_mm512_add_epi16(self.0, other.0))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        vector!(_mm512_min_epi16(self.0, other.0))
    }

    #[inline(always)]
    fn popcount(self) -> Self {
        vector!(_mm512_popcnt_epi16(self.0))
    }

    /// Not by a population count, which only one port can do, and the comparison too.
    #[inline(always)]
    fn at_most_one(self, minus_one: Self) -> u32 {
        self.is_disjoint(self.plus(minus_one))
    }

    #[inline(always)]
    fn at_most_two(self, _minus_one: Self) -> u32 {
        self.at_most(2)
    }

    #[inline(always)]
    fn at_most_three(self, _minus_one: Self) -> u32 {
        self.at_most(3)
    }

    #[inline(always)]
    fn is_disjoint(self, other: Self) -> u32 {
        mask!(_mm512_testn_epi16_mask(self.0, other.0))
    }

    #[inline(always)]
    fn equals(self, other: Self) -> u32 {
        mask!(_mm512_cmpeq_epi16_mask(self.0, other.0))
    }

    #[inline(always)]
    fn less(self, other: Self) -> u32 {
        mask!(_mm512_cmplt_epi16_mask(self.0, other.0))
    }

    #[inline(always)]
    fn keep(self, mask: u32) -> Self {
        vector!(_mm512_maskz_mov_epi16(mask, self.0))
    }

    #[inline(always)]
    fn select(self, mask: u32, other: Self) -> Self {
        vector!(_mm512_mask_mov_epi16(other.0, mask, self.0))
    }

    #[inline(always)]
    fn set(mask: u32) -> u32 {
        mask
    }
}
