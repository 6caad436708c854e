//! Sets of lanes: bit k is lane k.

use crate::arch::MAX_LANES;

/// The lanes of a set, the lowest first.
pub(super) fn lanes(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = set.trailing_zeros() as usize;
        let is_any = set != 0;
        set &= set.wrapping_sub(1);
        is_any.then_some(lane)
    })
}

/// The lanes of a set as a list.
pub(super) struct Group([usize; MAX_LANES], usize);

impl Group {
    pub(super) fn of(set: u32) -> Self {
        let mut group = Group([0; MAX_LANES], 0);
        for lane in lanes(set) {
            group.0[group.1] = lane;
            group.1 += 1;
        }
        group
    }

    pub(super) fn lanes(&self) -> &[usize] {
        &self.0[..self.1]
    }
}
