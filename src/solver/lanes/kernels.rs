//! What is compiled once for each instruction set, and called by the engine, which is not.

use super::board::Board;
use super::branch::Choice;
use super::sweep::Findings;
use crate::arch::{Kernel, Simd};
use crate::grid::Grid;

/// See [`Board::sweep`].
pub(super) struct Sweep<'a, V>(pub(super) &'a mut Board<V>, pub(super) u32);

impl<S: Simd> Kernel<S> for Sweep<'_, S::Vector> {
    type Output = Findings;

    #[inline(always)]
    fn call(self, simd: S) -> Findings {
        self.0.sweep(simd, self.1)
    }
}

/// See [`Board::choose`].
pub(super) struct Choose<'a, V>(pub(super) &'a Board<V>);

impl<S: Simd> Kernel<S> for Choose<'_, S::Vector> {
    type Output = Choice<S::Vector>;

    #[inline(always)]
    fn call(self, simd: S) -> Choice<S::Vector> {
        self.0.choose(simd)
    }
}

/// See [`Board::load`].
pub(super) struct Load<'a, V, const N: usize>(
    pub(super) &'a mut Board<V>,
    pub(super) [usize; N],
    pub(super) [&'a Grid; N],
);

impl<S: Simd, const N: usize> Kernel<S> for Load<'_, S::Vector, N> {
    type Output = ();

    #[inline(always)]
    fn call(self, _simd: S) {
        self.0.load(self.1, self.2);
    }
}

/// See [`Board::solution`].
pub(super) struct Solution<'a, V>(pub(super) &'a Board<V>, pub(super) usize);

impl<S: Simd> Kernel<S> for Solution<'_, S::Vector> {
    type Output = Grid;

    #[inline(always)]
    fn call(self, _simd: S) -> Grid {
        self.0.solution(self.1)
    }
}
