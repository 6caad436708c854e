//! The only room with `unsafe`: what the processor offers, behind safe wrappers.
//!
//! [`Simd`] and [`Vector`] are the operations on vectors of 16-bit lanes, once for every
//! instruction set of [`Isa`]. A token of a set exists only where the processor has it, and
//! vectors come from tokens only, so that whoever holds either may execute its instructions.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod isa;
mod portable;
mod simd;
mod tag;
#[cfg(test)]
mod tests;

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
pub use isa::Isa;
pub use portable::Portable;
pub use simd::{Kernel, MAX_LANES, Simd, Vector};
pub use tag::tag;
