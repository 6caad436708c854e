//! The nodes that wait for their turn, a stack for each lane.

use super::branch::DEEPEST;
use super::node::Node;

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
            nodes: vec![Node::EMPTY; lanes * STRIDE].into_boxed_slice(),
            used: vec![(0, 0); lanes],
        }
    }

    /// A new newest node, to be written.
    #[inline(always)]
    pub(super) fn push(&mut self, lane: usize) -> &mut Node {
        let (start, end) = &mut self.used[lane];
        if start == end {
            (*start, *end) = (0, 0);
        }
        *end += 1;
        &mut self.nodes[lane * STRIDE..][..STRIDE][*end - 1]
    }

    /// A new node in a stack that is empty: to be written, and then as if it were popped.
    pub(super) fn start(&mut self, lane: usize) -> &mut Node {
        self.clear(lane);
        &mut self.nodes[lane * STRIDE]
    }

    /// Takes the newest node, or tells that there is none.
    pub(super) fn pop(&mut self, lane: usize) -> bool {
        let (start, end) = &mut self.used[lane];
        let is_any = start < end;
        *end -= usize::from(is_any);
        is_any
    }

    /// The node that was popped last.
    #[inline(always)]
    pub(super) fn popped(&self, lane: usize) -> &Node {
        let (_, end) = self.used[lane];
        &self.nodes[lane * STRIDE + end]
    }

    /// Gives the oldest node of a lane, which is the last in depth-first order, to a helper, as if
    /// it were popped there. Or tells that there is none.
    pub(super) fn give_oldest(&mut self, lane: usize, helper: usize) -> bool {
        let (start, end) = &mut self.used[lane];
        if start == end {
            return false;
        }
        *start += 1;
        let oldest = self.nodes[lane * STRIDE + *start - 1];
        *self.start(helper) = oldest;
        true
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
