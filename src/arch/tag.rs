//! The mark that keeps two functions of equal machine code apart.

use std::arch::asm;

/// Marks the function it is inlined into as copy `COPY` of template `TEMPLATE`.
///
/// LLVM merges functions whose code is identical, and then both share one address and one
/// alignment. A benchmark needs them apart. The assembly is a comment: it emits no instruction,
/// touches no register and no memory, but its text differs for every pair of numbers.
#[inline(always)]
pub fn tag<const TEMPLATE: u32, const COPY: u32>() {
    // SAFETY: the assembly is a comment; it has no effect at run time.
    unsafe {
        asm!(
            "/* template {} copy {} */",
            const TEMPLATE,
            const COPY,
            options(nomem, nostack, preserves_flags)
        );
    }
}
