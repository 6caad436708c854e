//! What is compiled once for each instruction set, and called by the engine, which is not.

use super::board::Board;
use super::branch::Choice;
use super::node::Node;
use super::stacks::Stacks;
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

/// See [`Board::guess`].
pub(super) struct Guess<'a, V>(
    pub(super) &'a mut Board<V>,
    pub(super) u32,
    pub(super) &'a Choice<V>,
    pub(super) &'a mut Stacks,
);

impl<S: Simd> Kernel<S> for Guess<'_, S::Vector> {
    type Output = ();

    #[inline(always)]
    fn call(self, _simd: S) {
        self.0.guess(self.1, self.2, self.3);
    }
}

/// See [`Board::insert`].
pub(super) struct Insert<'a, V>(pub(super) &'a mut Board<V>, pub(super) u32, pub(super) &'a Stacks);

impl<S: Simd> Kernel<S> for Insert<'_, S::Vector> {
    type Output = ();

    #[inline(always)]
    fn call(self, _simd: S) {
        self.0.insert(self.1, self.2);
    }
}

/// See [`Node::read`].
pub(super) struct Read<'a>(pub(super) &'a mut Node, pub(super) &'a Grid);

impl<S: Simd> Kernel<S> for Read<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self, simd: S) {
        self.0.read(self.1, simd);
    }
}

/// The grid of a lane in which every cell has one candidate.
pub(super) struct Solution<'a, V>(pub(super) &'a Board<V>, pub(super) usize);

impl<S: Simd> Kernel<S> for Solution<'_, S::Vector> {
    type Output = Grid;

    #[inline(always)]
    fn call(self, simd: S) -> Grid {
        let mut node = Node::EMPTY;
        self.0.extract(self.1, &mut node);
        node.solution(simd)
    }
}
