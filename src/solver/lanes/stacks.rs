//! The nodes that wait for their turn, a stack for each lane.

use super::branch::DEEPEST;
use crate::grid::CELLS;

/// The candidates of one lane, on whole cache lines.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Node(pub(super) [u16; CELLS]);

/// Nodes in the memory of one stack. With three cache lines a node it is an odd number of lines:
/// with an even one, equal depths of many lanes would compete for the same few cache sets.
const STRIDE: usize = DEEPEST + 1;

const _: () = assert!(STRIDE * size_of::<Node>() / 64 % 2 == 1);

/// The stacks of all lanes.
pub(super) struct Stacks {
    nodes: Box<[Node]>,
    /// By lane, the part of its memory that is in use, the oldest node first.
    used: Vec<(usize, usize)>,
}

impl Stacks {
    /// Empty stacks.
    pub(super) fn new(lanes: usize) -> Self {
        Stacks {
            nodes: vec![Node([0; CELLS]); lanes * STRIDE].into_boxed_slice(),
            used: vec![(0, 0); lanes],
        }
    }

    /// A new newest node, to be written.
    pub(super) fn push(&mut self, lane: usize) -> &mut Node {
        let (start, end) = &mut self.used[lane];
        if start == end {
            (*start, *end) = (0, 0);
        }
        *end += 1;
        &mut self.nodes[lane * STRIDE..][..STRIDE][*end - 1]
    }

    /// Takes the newest node, or tells that there is none.
    pub(super) fn pop(&mut self, lane: usize) -> bool {
        let (start, end) = &mut self.used[lane];
        let is_any = start < end;
        *end -= usize::from(is_any);
        is_any
    }

    /// The node that was popped last.
    pub(super) fn popped(&self, lane: usize) -> &[u16; CELLS] {
        let (_, end) = self.used[lane];
        &self.nodes[lane * STRIDE + end].0
    }

    /// Takes the oldest node, which is the last in depth-first order.
    pub(super) fn pop_oldest(&mut self, lane: usize) -> Option<&Node> {
        let (start, end) = &mut self.used[lane];
        if start == end {
            return None;
        }
        *start += 1;
        Some(&self.nodes[lane * STRIDE + *start - 1])
    }

    /// Number of nodes that wait.
    pub(super) fn len(&self, lane: usize) -> usize {
        let (start, end) = self.used[lane];
        end - start
    }

    /// Forgets all nodes.
    pub(super) fn clear(&mut self, lane: usize) {
        self.used[lane] = (0, 0);
    }
}
