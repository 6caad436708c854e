//! A random sample of rows.

use super::{BLOCK_ROWS, RowBlock, reader::OwnedRow};
use crate::random::Random;
use std::collections::BinaryHeap;

/// Takes all rows that `fill` gives, block by block until it gives none, and keeps `size` of
/// them, each equally likely, in input order. The same seed keeps the same rows. Memory holds the
/// sample, not the file.
///
/// Every row draws a number, and those with the smallest numbers stay.
///
/// # Errors
/// Those of `fill`.
pub fn sample<E>(
    mut fill: impl FnMut(&mut RowBlock) -> Result<(), E>,
    size: u64,
    seed: u64,
) -> Result<Vec<RowBlock>, E> {
    let mut random = Random::new(seed, "sample of rows", 0);
    // The largest number on top, with the place of its row in `kept`.
    let mut numbers: BinaryHeap<(u64, usize)> = BinaryHeap::new();
    let mut kept: Vec<(u64, OwnedRow)> = Vec::new();
    let mut block = RowBlock::default();
    let mut index = 0;
    loop {
        fill(&mut block)?;
        if block.rows().is_empty() {
            break;
        }
        for row in block.rows() {
            let number = random.word();
            let largest = numbers.peek().copied();
            if (kept.len() as u64) < size {
                numbers.push((number, kept.len()));
                kept.push((index, block.copy(row)));
            } else if let Some((_, place)) = largest.filter(|&(largest, _)| number < largest) {
                numbers.pop();
                numbers.push((number, place));
                kept[place] = (index, block.copy(row));
            }
            index += 1;
        }
    }
    kept.sort_unstable_by_key(|&(index, _)| index);
    let block_of = |rows: &[(u64, OwnedRow)]| {
        let mut block = RowBlock::default();
        rows.iter().for_each(|(_, row)| block.push(row));
        block
    };
    Ok(kept.chunks(BLOCK_ROWS).map(block_of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{Hints, Reader};

    /// The physical lines of a sample of a file of 3,000 rows.
    fn lines(size: u64, seed: u64) -> Vec<u64> {
        let text = format!("{}\n", ".".repeat(81)).repeat(3000);
        let mut reader = Reader::new(text.as_bytes(), &Hints::default()).unwrap().unwrap();
        let blocks = sample(|block| reader.fill(block), size, seed).unwrap();
        blocks.iter().flat_map(RowBlock::rows).map(|row| row.line).collect()
    }

    #[test]
    fn a_sample_has_its_size_and_the_order_of_the_file() {
        for size in [0, 1, 255, 256, 257, 2999] {
            let lines = lines(size, 1);
            assert_eq!(lines.len() as u64, size);
            assert!(lines.is_sorted_by(|left, right| left < right));
        }
        assert_eq!(lines(3000, 1), (1..=3000).collect::<Vec<_>>());
        assert_eq!(lines(u64::MAX, 1).len(), 3000);
    }

    #[test]
    fn the_seed_decides_and_no_part_of_the_file_is_preferred() {
        assert_eq!(lines(100, 1), lines(100, 1));
        assert_ne!(lines(100, 1), lines(100, 2));
        let mut halves = [0; 2];
        for seed in 0..40 {
            lines(50, seed).into_iter().for_each(|line| halves[usize::from(line > 1500)] += 1);
        }
        // 2,000 draws: six standard deviations are 134.
        assert!(halves.iter().all(|&half| (866..=1134).contains(&half)), "{halves:?}");
    }
}
