//! Every operation of every instruction set that this machine has, against plain arrays.

use super::{Kernel, Portable, Simd, Vector};
use crate::random::Random;

/// Does every operation once; the masks as sets.
struct Everything<V> {
    a: V,
    b: V,
    c: V,
}

impl<S: Simd> Kernel<S> for Everything<S::Vector> {
    type Output = ([(&'static str, S::Vector); 15], [(&'static str, u32); 6]);

    #[inline(always)]
    fn call(self, simd: S) -> Self::Output {
        let Everything { a, b, c } = self;
        let minus_one = std::hint::black_box(simd.splat(u16::MAX));
        let vectors = [
            ("splat", simd.splat(0x1ff)),
            ("and", a & b),
            ("or", a | b),
            ("without", a.without(b)),
            ("majority", a.majority(b, c)),
            ("or3", a.or3(b, c)),
            ("and3", a.and3(b, c)),
            ("plus", a.plus(b)),
            ("min", a.min(b)),
            ("popcount", a.popcount()),
            ("without_lowest", a.without_lowest(minus_one)),
            ("keep equal", a.keep(a.equals(b))),
            ("keep less", a.keep(a.less(b))),
            ("select equal", c.select(a.equals(b), a)),
            ("select single", a.select(a.at_most_one(minus_one), b)),
        ];
        let masks = [
            ("at_most_one", S::Vector::set(a.at_most_one(minus_one))),
            ("at_most_two", S::Vector::set(a.at_most_two(minus_one))),
            ("at_most_three", S::Vector::set(a.at_most_three(minus_one))),
            ("is_disjoint", S::Vector::set(a.is_disjoint(b))),
            ("equals", S::Vector::set(a.equals(b))),
            ("less", S::Vector::set(a.less(b))),
        ];
        (vectors, masks)
    }
}

/// Random values of so many bits; every other one of few bits.
fn random_vector<S: Simd>(simd: S, random: &mut Random, bits: u32) -> S::Vector {
    let mut vector = simd.splat(0);
    for lane in vector.lanes_mut() {
        let mask = if random.below(2) == 0 { random.below(1 << bits) } else { u32::MAX };
        *lane = (random.below(1 << bits) & random.below(1 << bits) & mask) as u16;
    }
    vector
}

/// The lanes of a vector from `first` on, as plain arrays.
fn plain_part(plain: Portable, vector: &impl Vector, first: usize) -> <Portable as Simd>::Vector {
    let mut part = plain.splat(0);
    part.lanes_mut().copy_from_slice(&vector.lanes()[first..][..PLAIN]);
    part
}

/// Lanes of the plain arrays.
const PLAIN: usize = <Portable as Simd>::Vector::LANES;

/// Does nothing on a machine without the instruction set. (Miri has those that it is told to have:
/// see `scripts/evidence/miri.sh`.)
fn agrees_with_plain_arrays<S: Simd>() {
    let Some(simd) = S::detect() else {
        return eprintln!("skipped: this machine does not have {}", std::any::type_name::<S>());
    };
    let plain = Portable::detect().unwrap();
    for round in 0..if cfg!(miri) { 20 } else { 10_000 } {
        let mut random = Random::new(1, "vectors", round);
        // Candidates have 9 bits; `min` and `less` are for values of 15.
        let bits = if round % 2 == 0 { 9 } else { 15 };
        let [a, mut b, c] = [0; 3].map(|_| random_vector(simd, &mut random, bits));
        let lane = random.below(S::Vector::LANES as u32) as usize;
        b.lanes_mut()[lane] = a.lanes()[lane];
        let (vectors, masks) = simd.run(Everything { a, b, c });
        for first in (0..S::Vector::LANES).step_by(PLAIN) {
            let [a, b, c] = [a, b, c].map(|vector| plain_part(plain, &vector, first));
            let expected = plain.run(Everything { a, b, c });
            for ((name, mine), (_, expected)) in std::iter::zip(&vectors, expected.0) {
                let mine = &mine.lanes()[first..][..PLAIN];
                assert_eq!(mine, expected.lanes(), "{name} of {a:?}, {b:?} and {c:?}");
            }
            for ((name, mine), (_, expected)) in std::iter::zip(masks, expected.1) {
                assert_eq!(mine >> first & 0xffff, expected, "{name} of {a:?} and {b:?}");
            }
        }
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn avx2_agrees_with_plain_arrays() {
    agrees_with_plain_arrays::<super::Avx2>();
}

#[test]
#[cfg(target_arch = "x86_64")]
fn avx512_agrees_with_plain_arrays() {
    agrees_with_plain_arrays::<super::Avx512>();
}

/// Looks bytes up in a table, once.
struct LookUp([u8; 16], [u8; 16]);

impl<S: Simd> Kernel<S> for LookUp {
    type Output = [u8; 16];

    #[inline(always)]
    fn call(self, simd: S) -> [u8; 16] {
        simd.look_up(self.0, self.1)
    }
}

fn looks_up_what_stands_in_the_table<S: Simd>() {
    let Some(simd) = S::detect() else {
        return eprintln!("skipped: this machine does not have {}", std::any::type_name::<S>());
    };
    for round in 0..if cfg!(miri) { 20 } else { 1000 } {
        let mut random = Random::new(3, "vectors", round);
        let [table, places] = [(); 2].map(|()| [0; 16].map(|_: u8| random.below(256) as u8));
        // Also where the upper bits of a place are set.
        let expected = places.map(|place| table[usize::from(place % 16)]);
        assert_eq!(simd.run(LookUp(table, places)), expected);
    }
}

#[test]
fn every_instruction_set_looks_up_what_stands_in_the_table() {
    looks_up_what_stands_in_the_table::<Portable>();
    #[cfg(target_arch = "x86_64")]
    looks_up_what_stands_in_the_table::<super::Avx2>();
    #[cfg(target_arch = "x86_64")]
    looks_up_what_stands_in_the_table::<super::Avx512>();
}

#[test]
fn plain_arrays_do_what_the_names_say() {
    let plain = Portable::detect().unwrap();
    let mut random = Random::new(2, "vectors", 0);
    let [a, b, c] = [0; 3].map(|_| random_vector(plain, &mut random, 15));
    let (vectors, masks) = plain.run(Everything { a, b, c });
    for lane in 0..PLAIN {
        let [a, b, c] = [a, b, c].map(|vector| vector.lanes()[lane]);
        let is_single = a.count_ones() <= 1;
        let expected = [
            0x1ff,
            a & b,
            a | b,
            a & !b,
            a & b | a & c | b & c,
            a | b | c,
            a & b & c,
            a + b,
            a.min(b),
            a.count_ones() as u16,
            a & a.wrapping_sub(1),
            if a == b { a } else { 0 },
            if a < b { a } else { 0 },
            if a == b { c } else { a },
            if is_single { a } else { b },
        ];
        assert_eq!(vectors.map(|(_, vector)| vector.lanes()[lane]), expected);
        let ones = a.count_ones();
        let expected = [is_single, ones <= 2, ones <= 3, a & b == 0, a == b, a < b];
        assert_eq!(masks.map(|(_, set)| set >> lane & 1 == 1), expected);
    }
}
