//! The instruction sets, and which of them this machine has.

use super::Simd;
use std::fmt;

/// An instruction set that vectors of 16-bit lanes are implemented for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Isa {
    /// 32 lanes: AVX-512 with F, BW, VL and BITALG (Intel since Ice Lake, AMD since Zen 4).
    Avx512,
    /// 16 lanes: AVX2 (Intel since Haswell, AMD since Excavator).
    Avx2,
    /// 16 lanes in plain Rust, for every processor.
    Portable,
}

impl Isa {
    /// Every instruction set, the fastest first.
    pub const ALL: [Isa; 3] = [Isa::Avx512, Isa::Avx2, Isa::Portable];

    /// The name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Isa::Avx512 => "avx512",
            Isa::Avx2 => "avx2",
            Isa::Portable => "portable",
        }
    }

    /// Whether this machine has it.
    pub fn is_available(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => super::Avx512::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => super::Avx2::detect().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            Isa::Avx512 | Isa::Avx2 => false,
            Isa::Portable => super::Portable::detect().is_some(),
        }
    }

    /// The fastest that this machine has.
    pub fn detect() -> Self {
        let available = Isa::ALL.into_iter().find(|isa| isa.is_available());
        available.expect("every machine has the portable one")
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
