//! The blocks of an input in random order.

use super::reader::Place;
use super::{Reader, RowBlock};
use crate::random::Random;
use std::io::{self, Read, Seek};

/// Gives the blocks of an input in random order, each as reading in order would give it.
///
/// Files are often sorted by difficulty, so that their first part says little of the whole. The
/// input is read once to find its blocks; then each is read again when its turn comes. Memory holds
/// 28 bytes for each block.
#[derive(Debug)]
pub struct Shuffled<R> {
    reader: Reader<R>,
    /// The beginning of each block in input order, and the end of the last one.
    bounds: Vec<Bound>,
    /// Numbers of the blocks that are still to come.
    order: std::vec::IntoIter<u32>,
}

/// Where a block begins and the one before it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bound {
    place: Place,
    /// Rows before it.
    rows: u64,
}

impl<R: Read + Seek> Shuffled<R> {
    /// Reads the input to its end. `reader` has given no rows yet and got its input at the start;
    /// an [`Input`](super::Input) must be [`rereadable`](super::Input::rereadable). The same seed
    /// gives the same order. `None`: `interrupted`, which is asked after each block, said so.
    ///
    /// # Errors
    /// When reading fails.
    ///
    /// # Panics
    /// When there are 2³² blocks or more.
    pub fn new(
        mut reader: Reader<R>,
        seed: u64,
        interrupted: impl Fn() -> bool,
    ) -> io::Result<Option<Self>> {
        let mut bounds = vec![Bound { place: reader.place()?, rows: 0 }];
        let (mut block, mut rows) = (RowBlock::default(), 0);
        loop {
            let place = reader.fill(&mut block).and_then(|()| reader.place());
            if interrupted() {
                // Whatever is wrong with the input now, nobody wants to know.
                return Ok(None);
            }
            let place = place?;
            if block.rows().is_empty() {
                break;
            }
            rows += block.rows().len() as u64;
            bounds.push(Bound { place, rows });
        }
        let blocks = u32::try_from(bounds.len() - 1).expect("fewer than 2^32 blocks");
        let mut order: Vec<u32> = (0..blocks).collect();
        Random::new(seed, "order of blocks", 0).shuffle(&mut order);
        Ok(Some(Shuffled { reader, bounds, order: order.into_iter() }))
    }

    /// Number of rows of the whole input.
    pub fn rows(&self) -> u64 {
        self.bounds.last().expect("there is a bound before the first block").rows
    }

    /// Replaces the rows of `block` by those of the next block. Returns the place of its first row
    /// in the input, counted from 0, or `None` when no block is left.
    ///
    /// # Errors
    /// When reading fails, or the block has other numbers of rows, lines or bytes than before.
    pub fn fill(&mut self, block: &mut RowBlock) -> io::Result<Option<u64>> {
        let Some(number) = self.order.next() else {
            block.clear();
            return Ok(None);
        };
        let [start, end] = [0, 1].map(|next| self.bounds[number as usize + next]);
        self.reader.fill_from(start.place, block)?;
        let rows = start.rows + block.rows().len() as u64;
        if (Bound { place: self.reader.place()?, rows }) != end {
            return Err(io::Error::other(format!(
                "the file has changed while it was used: from line {} on, other rows stand there \
                 now",
                start.place.line
            )));
        }
        Ok(Some(start.rows))
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::MAX_RECORD;
    use super::*;
    use crate::dataset::{Hints, Input};
    use crate::digest::hex;
    use proptest::prelude::*;
    use sha2::{Digest, Sha256};
    use std::cell::Cell;
    use std::io::Cursor;
    use std::sync::atomic::Ordering;

    /// The blocks of a text in order, each with the place of its first row.
    fn in_order(text: &[u8]) -> Vec<(u64, RowBlock)> {
        let mut reader = Reader::new(text, &Hints::default()).unwrap().unwrap();
        let (mut blocks, mut rows) = (Vec::new(), 0);
        loop {
            let mut block = RowBlock::default();
            reader.fill(&mut block).unwrap();
            if block.rows().is_empty() {
                return blocks;
            }
            let first = rows;
            rows += block.rows().len() as u64;
            blocks.push((first, block));
        }
    }

    fn shuffled<R: Read + Seek>(input: R, seed: u64) -> Shuffled<R> {
        let reader = Reader::new(input, &Hints::default()).unwrap().unwrap();
        Shuffled::new(reader, seed, || false).unwrap().expect("not interrupted")
    }

    /// The blocks that are left, each with the place of its first row.
    fn left<R: Read + Seek>(shuffled: &mut Shuffled<R>) -> io::Result<Vec<(u64, RowBlock)>> {
        let mut blocks = Vec::new();
        let mut block = RowBlock::default();
        while let Some(first) = shuffled.fill(&mut block)? {
            blocks.push((first, block.clone()));
        }
        assert_eq!(block, RowBlock::default());
        Ok(blocks)
    }

    /// The order in which the blocks of a file of 5,000 rows come.
    fn order(seed: u64) -> Vec<u64> {
        let text = format!("{}\n", ".".repeat(81)).repeat(5000);
        let blocks = left(&mut shuffled(Cursor::new(text), seed)).unwrap();
        blocks.iter().map(|(first, _)| first / 256).collect()
    }

    #[test]
    fn the_order_is_that_of_the_seed_and_never_changes() {
        let pinned = [2, 17, 3, 8, 5, 7, 9, 4, 16, 10, 13, 12, 1, 6, 19, 11, 18, 0, 14, 15];
        assert_eq!(order(1), pinned);
        assert_ne!(order(1), order(2));
    }

    /// Text of several blocks, with all that makes a row hard to find.
    fn hard_text() -> impl Strategy<Value = String> {
        let line = prop_oneof![
            60 => "[.0-9]{81}(,[a-z]{0,3})?",
            40 => "[.0-9]{0,3}|[ ,x\"]{0,3}",
            10 => "\"[.0-9]{81}\",\"[a\n\"]{0,9}\"",
            10 => Just("Puzzle,Note ".to_owned()),
            4 => (0..5000_usize).prop_map(|len| "1".repeat(len)),
            1 => (0..3_usize).prop_map(|over| "\"\n12".repeat(MAX_RECORD / 4) + &"1".repeat(over)),
            1 => (1..3000_usize).prop_map(|over| "1".repeat(MAX_RECORD + over)),
        ];
        let lines = proptest::collection::vec((line, any::<bool>()), 0..1000);
        (any::<bool>(), lines, any::<bool>()).prop_map(|(marked, lines, ended)| {
            let mut text = String::from(if marked { "\u{feff}" } else { "" });
            text += "puzzle,note\r\n";
            for (line, crlf) in lines {
                text += &line;
                text += if crlf { "\r\n" } else { "\n" };
            }
            text + if ended { "" } else { "53..7" }
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        /// Whether the input can seek by itself or its bytes are kept.
        #[test]
        fn blocks_are_those_of_reading_in_order(text in hard_text(), seed: u64) {
            let blocks = in_order(text.as_bytes());
            let hash_of_text = hex(&Sha256::digest(&text));

            let mut of_file = shuffled(Cursor::new(&text), seed);
            let rows: usize = blocks.iter().map(|(_, block)| block.rows().len()).sum();
            prop_assert_eq!(of_file.rows(), rows as u64);
            let mut found = left(&mut of_file).unwrap();

            let (pipe, hash) = Input::from_reader("pipe", None, Cursor::new(text)).hashed();
            let mut of_pipe = shuffled(pipe.rereadable(), seed);
            prop_assert_eq!(hash.get(), Some(hash_of_text.as_str()));
            prop_assert!(left(&mut of_pipe).unwrap() == found);
            prop_assert_eq!(hash.get(), Some(hash_of_text.as_str()));

            found.sort_unstable_by_key(|&(first, _)| first);
            prop_assert!(found == blocks);
        }
    }

    #[test]
    fn the_rest_of_an_overlong_line_does_not_come_again_as_a_row() {
        let text = format!("{}\n53..7\n", "1".repeat(1_000_000)).repeat(5);
        let mut found = left(&mut shuffled(Cursor::new(&text), 1)).unwrap();
        found.sort_unstable_by_key(|&(first, _)| first);
        assert!(found.len() > 1 && found == in_order(text.as_bytes()));
    }

    /// A file of `rows` puzzles.
    fn file(rows: usize) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), format!("{}\n", ".".repeat(81)).repeat(rows)).unwrap();
        file
    }

    fn open(file: &tempfile::NamedTempFile) -> Input {
        Input::open(file.path().to_str().unwrap(), None).unwrap()
    }

    #[test]
    fn a_file_that_changes_meanwhile_is_an_error() {
        let file = file(5000);
        let unchanged = std::fs::read_to_string(file.path()).unwrap();
        let fault = |changed: &str| {
            std::fs::write(file.path(), &unchanged).unwrap();
            let mut shuffled = shuffled(open(&file), 1);
            std::fs::write(file.path(), changed).unwrap();
            left(&mut shuffled).unwrap_err().to_string()
        };
        for changed in [
            String::new(),
            unchanged[..unchanged.len() / 2].to_owned(),
            unchanged[..unchanged.len() - 1].to_owned(),
            unchanged.clone() + "53..7\n",
            unchanged.replacen('\n', "\r\n", 1),
            unchanged.replacen('.', "\n", 1),
        ] {
            assert!(fault(&changed).contains("has changed while it was used"));
        }
    }

    #[test]
    fn a_file_and_the_embedded_set_are_read_again_where_they_are() {
        let file = file(5000);
        assert_eq!(left(&mut shuffled(open(&file), 1)).unwrap().len(), 20);
        assert_eq!(left(&mut shuffled(Input::embedded(), 1)).unwrap().len(), 5);
    }

    #[test]
    fn the_search_for_blocks_can_be_interrupted() {
        let file = file(100_000);
        let input = open(&file);
        let read = input.bytes_read();
        let (input, hash) = input.hashed();
        let reader = Reader::new(input, &Hints::default()).unwrap().unwrap();
        let asked = Cell::new(0);
        let interrupted = || asked.replace(asked.get() + 1) == 10;
        assert!(Shuffled::new(reader, 1, interrupted).unwrap().is_none());
        assert_eq!(asked.get(), 11);
        assert!(read.load(Ordering::Relaxed) < 1 << 20);
        assert_eq!(hash.get(), None);
    }

    #[test]
    fn a_fault_of_the_input_is_nobodys_concern_after_an_interrupt() {
        /// Fails after its last byte.
        #[derive(Debug)]
        struct Broken(Cursor<Vec<u8>>);
        impl Read for Broken {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                match self.0.read(buffer) {
                    Ok(0) => Err(io::Error::other("the disk is gone")),
                    read => read,
                }
            }
        }
        impl Seek for Broken {
            fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
                self.0.seek(to)
            }
        }
        let walk = |interrupted: bool| {
            let rows = format!("{}\n", ".".repeat(81)).repeat(300);
            let reader =
                Reader::new(Broken(Cursor::new(rows.into())), &Hints::default()).unwrap().unwrap();
            Shuffled::new(reader, 1, || interrupted)
        };
        assert_eq!(walk(false).unwrap_err().to_string(), "the disk is gone");
        assert!(walk(true).unwrap().is_none());
    }

    #[test]
    fn an_input_without_rows_has_no_blocks() {
        let mut shuffled = shuffled(Cursor::new("puzzle,note\n \n"), 1);
        assert_eq!(shuffled.rows(), 0);
        assert_eq!(left(&mut shuffled).unwrap(), []);
    }
}
