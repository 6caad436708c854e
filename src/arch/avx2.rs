//! AVX2: 16 lanes in a 256-bit register, masks as vectors.

use super::{Kernel, Simd, Vector};
use std::arch::x86_64::*;
use std::mem::transmute;
use std::ops::{BitAnd, BitOr};

/// The token of AVX2 and the bit instructions that came with it.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Simd for Avx2 {
    type Vector = U16x16;

    fn detect() -> Option<Self> {
        let has = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has.then_some(Avx2(()))
    }

    #[inline(always)]
    fn splat(self, value: u16) -> U16x16 {
        // SAFETY: the token says that the processor has AVX2.
        U16x16(unsafe { _mm256_set1_epi16(value as i16) })
    }

    #[inline(always)]
    fn look_up(self, table: [u8; 16], places: [u8; 16]) -> [u8; 16] {
        // SAFETY: the token says that the processor has AVX2, and with it all before it; an array
        // of 16 bytes and a register of them are made of the same bits.
        unsafe {
            let places = _mm_and_si128(transmute::<[u8; 16], __m128i>(places), _mm_set1_epi8(15));
            transmute(_mm_shuffle_epi8(transmute::<[u8; 16], __m128i>(table), places))
        }
    }

    #[inline(always)]
    fn run<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        #[inline(never)]
        fn enter<K: Kernel<Avx2>>(simd: Avx2, kernel: K) -> K::Output {
            kernel.call(simd)
        }
        // SAFETY: the token says that the processor has all of these.
        unsafe { enter(self, kernel) }
    }
}

/// 16 lanes. Only the token makes the first one, so a value says that the processor has AVX2.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct U16x16(__m256i);

/// 0xffff for yes, 0 for no.
#[derive(Clone, Copy, Debug)]
pub struct Mask(__m256i);

/// A vector made by an intrinsic from vectors.
macro_rules! vector {
    ($intrinsic:ident($($operand:expr),*)) => {
        // SAFETY: the operands are vectors, so the processor has AVX2.
        U16x16(unsafe { $intrinsic($($operand),*) })
    };
}

/// A mask made by an intrinsic from vectors.
macro_rules! mask {
    ($intrinsic:ident($($operand:expr),*)) => {
        // SAFETY: the operands are vectors, so the processor has AVX2.
        Mask(unsafe { $intrinsic($($operand),*) })
    };
}

impl U16x16 {
    #[inline(always)]
    fn is_zero(self) -> Mask {
        mask!(_mm256_cmpeq_epi16(self.0, _mm256_setzero_si256()))
    }
}

impl BitAnd for U16x16 {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        vector!(_mm256_and_si256(self.0, other.0))
    }
}

impl BitOr for U16x16 {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        vector!(_mm256_or_si256(self.0, other.0))
    }
}

impl Vector for U16x16 {
    type Mask = Mask;

    const LANES: usize = 16;

    #[inline(always)]
    fn lanes(&self) -> &[u16] {
        // SAFETY: both types have the same size, any bits are values of both, and the array needs
        // no stricter alignment.
        unsafe { transmute::<&Self, &[u16; 16]>(self) }
    }

    #[inline(always)]
    fn lanes_mut(&mut self) -> &mut [u16] {
        // SAFETY: as in `lanes`.
        unsafe { transmute::<&mut Self, &mut [u16; 16]>(self) }
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        vector!(_mm256_andnot_si256(other.0, self.0))
    }

    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        self & b | (self | b) & c
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        vector!(_mm256_add_epi16(self.0, other.0))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        vector!(_mm256_min_epi16(self.0, other.0))
    }

    /// Bit by bit would be slower: looks up both halves of the low byte and adds bit 8.
    #[inline(always)]
    fn popcount(self) -> Self {
        // SAFETY: there is a vector, so the processor has AVX2.
        unsafe {
            let of_nibble = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
            ));
            let nibble = _mm256_set1_epi16(0x0f0f);
            let low = _mm256_and_si256(self.0, nibble);
            let high = _mm256_and_si256(_mm256_srli_epi16::<4>(self.0), nibble);
            let of_bytes = _mm256_add_epi8(
                _mm256_shuffle_epi8(of_nibble, low),
                _mm256_shuffle_epi8(of_nibble, high),
            );
            U16x16(_mm256_maddubs_epi16(of_bytes, _mm256_set1_epi8(1)))
        }
    }

    #[inline(always)]
    fn at_most_one(self, minus_one: Self) -> Mask {
        self.without_lowest(minus_one).is_zero()
    }

    #[inline(always)]
    fn is_disjoint(self, other: Self) -> Mask {
        (self & other).is_zero()
    }

    #[inline(always)]
    fn equals(self, other: Self) -> Mask {
        mask!(_mm256_cmpeq_epi16(self.0, other.0))
    }

    #[inline(always)]
    fn less(self, other: Self) -> Mask {
        mask!(_mm256_cmpgt_epi16(other.0, self.0))
    }

    #[inline(always)]
    fn keep(self, mask: Mask) -> Self {
        vector!(_mm256_and_si256(self.0, mask.0))
    }

    #[inline(always)]
    fn select(self, mask: Mask, other: Self) -> Self {
        vector!(_mm256_blendv_epi8(other.0, self.0, mask.0))
    }

    #[inline(always)]
    fn set(mask: Mask) -> u32 {
        // SAFETY: there is a mask, so the processor has AVX2.
        unsafe {
            // One byte a lane, still in two halves, then one bit a byte.
            let bytes = _mm256_packs_epi16(mask.0, _mm256_setzero_si256());
            let bits = _mm256_movemask_epi8(bytes) as u32;
            bits & 0xff | bits >> 8 & 0xff00
        }
    }
}
