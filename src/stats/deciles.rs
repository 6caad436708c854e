//! Puzzles in ten parts by a size.

/// Puzzles in ascending order of a key, such as the nodes they take, cut into ten parts that differ
/// by one puzzle at most. Puzzles of the same key stand in the order in which they were given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deciles {
    order: Vec<u32>,
}

impl Deciles {
    /// Sorts the puzzles, each given by its key.
    ///
    /// # Panics
    /// When there are 2³² puzzles or more.
    pub fn new(keys: &[u64]) -> Self {
        let count = u32::try_from(keys.len()).expect("fewer than 2^32 puzzles");
        let mut order: Vec<u32> = (0..count).collect();
        order.sort_unstable_by_key(|&index| (keys[index as usize], index));
        Deciles { order }
    }

    /// The ten parts, from the smallest keys to the largest, as indices of the keys. With fewer than
    /// ten puzzles, some parts are empty.
    pub fn parts(&self) -> impl Iterator<Item = &[u32]> {
        let start = |part: usize| self.order.len() * part / 10;
        (0..10).map(move |part| &self.order[start(part)..start(part + 1)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_hold_every_puzzle_once_in_ascending_order() {
        let keys: Vec<u64> = (0..1003).map(|index| index * 7919 % 50).collect();
        let deciles = Deciles::new(&keys);
        let order = deciles.parts().collect::<Vec<_>>().concat();
        assert!(order.is_sorted_by_key(|&index| (keys[index as usize], index)));
        assert_eq!(order.len(), keys.len());
        assert!(deciles.parts().all(|part| [100, 101].contains(&part.len())));
    }

    #[test]
    fn equal_keys_keep_their_order() {
        let deciles = Deciles::new(&[5; 20]);
        let parts: Vec<&[u32]> = deciles.parts().collect();
        assert_eq!(parts[0], [0, 1]);
        assert_eq!(parts[9], [18, 19]);
    }

    #[test]
    fn few_puzzles_leave_parts_empty() {
        assert_eq!(Deciles::new(&[3, 1]).parts().collect::<Vec<_>>().concat(), [1, 0]);
        assert_eq!(Deciles::new(&[]).parts().map(<[u32]>::len).sum::<usize>(), 0);
    }
}
