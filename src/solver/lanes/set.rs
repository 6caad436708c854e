//! Sets of lanes: bit k is lane k.

/// The lanes of a set, the lowest first.
#[inline(always)]
pub(super) fn lanes(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = set.trailing_zeros() as usize;
        let is_any = set != 0;
        set &= set.wrapping_sub(1);
        is_any.then_some(lane)
    })
}

/// Takes the lowest lanes out of a set that has so many.
#[inline(always)]
pub(super) fn take<const N: usize>(set: &mut u32) -> [usize; N] {
    let mut taken = [0; N];
    for lane in &mut taken {
        *lane = set.trailing_zeros() as usize;
        *set &= set.wrapping_sub(1);
    }
    taken
}
