//! The crate's only source of randomness: a generator whose sequence never changes.
//!
//! Puzzles, orders and samples must come out the same on any machine and with any version of any
//! crate. So the bits come from ChaCha8, whose output is specified, and the way from a seed to a
//! key and from bits to integers is our own and written down here.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A seeded generator.
///
/// The 32-byte ChaCha8 key is the seed (little-endian, 8 bytes), the domain's bytes, and zeros;
/// the stream is the cipher's 64-bit stream number. Equal arguments give equal sequences, and any
/// other seed, domain or stream an unrelated one.
#[derive(Clone, Debug)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// The generator of a `seed`, for one use (`domain`) and one item of that use (`stream`).
    ///
    /// # Panics
    /// When `domain` has more than 24 bytes.
    pub fn new(seed: u64, domain: &str, stream: u64) -> Self {
        let mut key = [0; 32];
        let (head, tail) = key.split_at_mut(8);
        head.copy_from_slice(&seed.to_le_bytes());
        tail[..domain.len()].copy_from_slice(domain.as_bytes());
        let mut cipher = ChaCha8Rng::from_seed(key);
        cipher.set_stream(stream);
        Random(cipher)
    }

    /// A number from 0 to `n - 1`, each equally likely.
    ///
    /// Lemire's method: the high half of a 32-bit word times `n`, where the few words that would
    /// make some numbers likelier than others are drawn again.
    ///
    /// # Panics
    /// When `n` is 0.
    pub fn below(&mut self, n: u32) -> u32 {
        assert!(n > 0, "no number is below 0");
        loop {
            let product = u64::from(self.0.next_u32()) * u64::from(n);
            let low = product as u32;
            // 2³² mod n of the low halves are one too many for their number. As that is less than
            // n, the division, which takes longer than all the rest, is hardly ever needed.
            if low >= n || low >= n.wrapping_neg() % n {
                return (product >> 32) as u32;
            }
        }
    }

    /// A number of 64 random bits: two 32-bit words, the first one being the low half.
    pub fn word(&mut self) -> u64 {
        let [low, high] = [self.0.next_u32(), self.0.next_u32()].map(u64::from);
        high << 32 | low
    }

    /// Puts `items` into a random order, each equally likely.
    ///
    /// Fisher and Yates: from the last place down to the second, each place gets one of the items
    /// up to it.
    ///
    /// # Panics
    /// When there are 2³² items or more.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let places = u32::try_from(last + 1).expect("fewer than 2^32 items");
            items.swap(last, self.below(places) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draws(mut random: Random) -> Vec<u32> {
        (0..8).map(|_| random.below(1000)).collect()
    }

    #[test]
    fn the_sequence_never_changes() {
        assert_eq!(draws(Random::new(1, "test", 0)), [436, 867, 5, 832, 356, 127, 45, 23]);
        let mut items: Vec<u32> = (0..12).collect();
        Random::new(1, "test", 0).shuffle(&mut items);
        assert_eq!(items, [4, 1, 8, 3, 11, 6, 10, 2, 7, 0, 9, 5]);
        let mut random = Random::new(1, "test", 0);
        assert_eq!([random.word(), random.word()], [16001276356796049181, 15365679993241207966]);
    }

    #[test]
    fn seed_domain_and_stream_each_make_another_sequence() {
        let reference = draws(Random::new(1, "test", 0));
        assert_eq!(draws(Random::new(1, "test", 0)), reference);
        assert_ne!(draws(Random::new(2, "test", 0)), reference);
        assert_ne!(draws(Random::new(1, "tests", 0)), reference);
        assert_ne!(draws(Random::new(1, "test", 1)), reference);
        assert_ne!(draws(Random::new(1, "test", 1 << 32)), reference);
    }

    /// Pearson's statistic of `counts` against equal counts.
    fn chi_square(counts: &[u32]) -> f64 {
        let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
        counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum()
    }

    #[test]
    fn numbers_are_equally_likely() {
        let mut random = Random::new(1, "test", 0);
        for n in [2, 9, 81] {
            let mut counts = vec![0; n as usize];
            for _ in 0..1000 * n {
                counts[random.below(n) as usize] += 1;
            }
            // Its mean is n - 1 and its variance 2n - 2; the bound lies five deviations above.
            let freedom = f64::from(n - 1);
            assert!(chi_square(&counts) < freedom + 5.0 * (2.0 * freedom).sqrt(), "{counts:?}");
        }
    }

    #[test]
    fn a_bound_near_the_word_size_is_unbiased_too() {
        // Without drawing again, the numbers divisible by three would come up twice as often.
        let mut random = Random::new(1, "test", 0);
        let mut counts = [0; 3];
        for _ in 0..9000 {
            counts[random.below(3 << 30) as usize % 3] += 1;
        }
        assert!(chi_square(&counts) < 12.0, "{counts:?}");
    }

    #[test]
    fn orders_are_equally_likely() {
        let mut random = Random::new(1, "test", 0);
        let mut counts = [0; 27];
        for _ in 0..6000 {
            let mut items = [0, 1, 2];
            random.shuffle(&mut items);
            counts[items[0] * 9 + items[1] * 3 + items[2]] += 1;
        }
        let orders: Vec<u32> = counts.into_iter().filter(|&count| count > 0).collect();
        assert_eq!(orders.len(), 6);
        assert!(chi_square(&orders) < 25.0, "{orders:?}");
    }

    #[test]
    fn nothing_to_choose_from_is_fine() {
        let mut random = Random::new(1, "test", 0);
        assert_eq!(random.below(1), 0);
        random.shuffle::<u8>(&mut []);
    }
}
