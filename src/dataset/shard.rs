//! One of several parts of a file, each of which can be read by itself.

use super::reader::Place;
use super::record::MAX_RECORD;
use super::{Layout, Reader};
use memchr::memchr_iter;
use std::collections::HashSet;
use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::str::FromStr;

/// Bytes behind the start of a record that may decide where it ends.
const REACH: usize = MAX_RECORD + 1;

/// So many bytes before a boundary are looked at, one number after the other, until it is certain
/// where the next record begins. The first is more than two records.
const LOOKS: [usize; 3] = [1 << 18, 1 << 20, 1 << 23];

/// Bytes that are looked through for line ends at a time.
const PORTION: usize = 1 << 18;

/// The `index`th of `of` parts of a file, counted from 1: the rows that begin within its part of
/// the bytes, which is as long as that of any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    of: u64,
}

impl Shard {
    /// `None` unless 1 ≤ `index` ≤ `of`.
    pub fn new(index: u64, of: u64) -> Option<Self> {
        (1..=of).contains(&index).then_some(Shard { index, of })
    }

    /// Its place among the parts, from 1.
    pub fn index(self) -> u64 {
        self.index
    }

    /// The number of parts.
    pub fn of(self) -> u64 {
        self.of
    }

    /// Where its rows begin in a file of this length. The parts have no gaps and do not overlap.
    pub fn bytes(self, length: u64) -> Range<u64> {
        let bound = |parts: u64| {
            let bytes = u128::from(length) * u128::from(parts) / u128::from(self.of);
            u64::try_from(bytes).expect("a part of the length")
        };
        bound(self.index - 1)..bound(self.index)
    }
}

/// `I/N`.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // `parse` would take a sign.
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let parts = text.split_once('/').filter(|(index, of)| is_number(index) && is_number(of));
        let shard = parts.and_then(|(index, of)| Shard::new(index.parse().ok()?, of.parse().ok()?));
        shard.ok_or_else(|| "expected I/N with I from 1 to N, such as 3/8".into())
    }
}

/// Line ends among the first `bytes` bytes of an input; `None` if `interrupted` said so meanwhile.
///
/// # Errors
/// When reading fails.
pub fn count_line_ends(
    input: impl Read,
    bytes: u64,
    interrupted: impl Fn() -> bool,
) -> io::Result<Option<u64>> {
    let mut input = input.take(bytes);
    let mut portion = vec![0; PORTION];
    let mut count = 0;
    loop {
        match input.read(&mut portion) {
            Ok(0) => return Ok(Some(count)),
            Ok(read) => count += memchr_iter(b'\n', &portion[..read]).count() as u64,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        if interrupted() {
            return Ok(None);
        }
    }
}

impl<R: Read + Seek> Reader<R> {
    /// The same reader, which goes to the first row that begins within these bytes of the input and ends
    /// behind the last one. It has given no rows yet, and got its input at the start. Where the bytes begin or end within a
    /// record, that belongs to what lies before. `None`: `interrupted`, which is asked now and then,
    /// said so.
    ///
    /// In files of lines the first of these records is found from the bytes around it; in others, and
    /// where quotes leave it open, from all bytes before it. Unless rows are to be `numbered`, their
    /// lines may then be counted from the first of them; [`uncounted`](Reader::uncounted) tells.
    ///
    /// # Errors
    /// When reading fails.
    pub fn within(
        mut self,
        bytes: Range<u64>,
        numbered: bool,
        interrupted: impl Fn() -> bool,
    ) -> io::Result<Option<Self>> {
        if bytes.start > 0 {
            let top = self.place()?;
            match self.first_behind(bytes.start)? {
                None => {
                    self.go_to(top)?;
                    if !self.skip_to(bytes.start, &interrupted)? {
                        return Ok(None);
                    }
                }
                Some(offset) if numbered => {
                    self.input().seek(SeekFrom::Start(0))?;
                    let Some(lines) = count_line_ends(self.input(), offset, interrupted)? else {
                        return Ok(None);
                    };
                    self.go_to(Place { offset, line: 1 + lines })?;
                }
                Some(offset) => {
                    self.go_to(Place { offset, line: 1 })?;
                    self.leave_uncounted(offset);
                }
            }
        }
        self.end_at(bytes.end);
        Ok(Some(self))
    }

    /// Where the first record begins that does not begin before `boundary`, if the bytes around that
    /// leave no doubt.
    fn first_behind(&mut self, boundary: u64) -> io::Result<Option<u64>> {
        if !self.has_usual_lines() {
            return Ok(None);
        }
        for look in LOOKS {
            let Some(from) = boundary.checked_sub(look as u64).filter(|&from| from > 0) else {
                break;
            };
            self.input().seek(SeekFrom::Start(from))?;
            let mut bytes = Vec::with_capacity(look + REACH);
            self.input().take((look + REACH) as u64).read_to_end(&mut bytes)?;
            let at_end = bytes.len() < look + REACH;
            if let Some(first) = first_record(self.layout(), &bytes, at_end, look) {
                return Ok(Some(from + first as u64));
            }
        }
        Ok(None)
    }
}

/// Where the first record begins at `boundary` or behind it, if it is the same wherever the record
/// begins that holds the first of these bytes. `bytes` go on for [`REACH`] behind `boundary`, or to
/// the end of the input; `boundary` lies further than that from their start.
///
/// Records of lines end with a line end, no further than the reach from their start, but for one that
/// is cut off; that ends with the first line end behind the cut. So the record in question ends with
/// one of the line ends in reach, or with the first one after those. From each of these places on
/// the records are cut, and mostly they soon have the same ends.
fn first_record(layout: &Layout, bytes: &[u8], at_end: bool, boundary: usize) -> Option<usize> {
    debug_assert!(boundary > REACH);
    let mut ends = memchr_iter(b'\n', bytes);
    let mut starts: Vec<usize> = Vec::new();
    loop {
        // Without a line end out of reach the record may end with one that is not there.
        let end = ends.next()?;
        starts.push(end + 1);
        if end >= MAX_RECORD {
            break;
        }
    }
    let (mut first, mut passed) = (None, HashSet::new());
    // Those that lie behind are known when a cut from further ahead comes upon them.
    for mut start in starts.into_iter().rev() {
        while start < boundary && passed.insert(start) {
            start = behind_record(layout, bytes, at_end, start)?;
        }
        if start >= boundary && *first.get_or_insert(start) != start {
            return None;
        }
    }
    first
}

/// Where the record at `start` and all that it hides end.
fn behind_record(layout: &Layout, bytes: &[u8], at_end: bool, start: usize) -> Option<usize> {
    let record = layout.next(&bytes[start..], at_end)?;
    let end = start + record.consumed;
    let Some(hidden) = record.hides else { return Some(end) };
    match hidden.pass(&bytes[end..]) {
        (length, None) => Some(end + length),
        (_, Some(_)) => at_end.then_some(bytes.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Format, Hints, RowBlock};
    use super::*;
    use proptest::prelude::*;
    use std::io::Cursor;

    /// The rows of a reader with their lines.
    fn rows(mut reader: Reader<Cursor<&[u8]>>) -> Vec<(u64, Vec<u8>)> {
        let (mut block, mut rows) = (RowBlock::default(), Vec::new());
        loop {
            reader.fill(&mut block).unwrap();
            if block.rows().is_empty() {
                return rows;
            }
            rows.extend(block.rows().iter().map(|row| (row.line, block.text(row).to_vec())));
        }
    }

    fn reader(text: &[u8]) -> Reader<Cursor<&[u8]>> {
        Reader::new(Cursor::new(text), &Hints::default()).unwrap().unwrap()
    }

    /// The rows of each of `of` shards, one after the other, and the lines that none has counted
    /// before those of each.
    fn of_shards(text: &[u8], of: u64, numbered: bool) -> Vec<(u64, Vec<u8>)> {
        let shards = (1..=of).map(|index| Shard::new(index, of).unwrap());
        let shard = |shard: Shard| {
            let bytes = shard.bytes(text.len() as u64);
            let reader = reader(text).within(bytes, numbered, || false).unwrap().unwrap();
            let before = count_line_ends(text, reader.uncounted(), || false).unwrap().unwrap();
            assert!(!numbered || reader.uncounted() == 0);
            rows(reader).into_iter().map(move |(line, row)| (line + before, row))
        };
        shards.flat_map(shard).collect()
    }

    #[test]
    fn shards_are_named_by_their_place_and_number() {
        assert_eq!("3/8".parse(), Ok(Shard { index: 3, of: 8 }));
        assert_eq!(Shard { index: 3, of: 8 }.to_string(), "3/8");
        for text in
            ["", "3", "0/8", "9/8", "1/0", "0/0", "-1/8", "+1/8", "1/8/2", "a/b", " 1/8", "/"]
        {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_bytes_of_shards_have_no_gaps() {
        for (length, of) in [(0, 3), (1, 3), (10, 3), (u64::MAX, 7), (5, u64::MAX)] {
            let mut end = 0;
            for index in 1..=of.min(9) {
                let bytes = Shard { index, of }.bytes(length);
                assert!(bytes.start == end && bytes.end >= end, "{bytes:?}");
                end = bytes.end;
            }
            assert_eq!(Shard { index: of, of }.bytes(length).end, length);
        }
    }

    #[test]
    fn a_boundary_within_a_quoted_record_moves_to_its_end() {
        let puzzle = ".".repeat(81);
        let text = format!("puzzle,note\n{puzzle},\"a\nb\nc\"\n{puzzle},d\n");
        let bytes = text.as_bytes();
        for boundary in 13..text.len() as u64 {
            let [first, second] = [0..boundary, boundary..text.len() as u64]
                .map(|range| rows(reader(bytes).within(range, true, || false).unwrap().unwrap()));
            assert_eq!((first.len() + second.len()) as u64, 2, "{boundary}");
            let starts_second = text.find(&format!("{puzzle},d")).unwrap() as u64;
            assert_eq!(second.len() as u64, u64::from(boundary <= starts_second), "{boundary}");
        }
    }

    /// Lines that make it hard to tell where a record begins.
    fn hard_line() -> impl Strategy<Value = String> {
        prop_oneof![
            60 => "[.0-9]{81}(,[a-z]{0,3})?",
            20 => "[.0-9]{0,3}|[ ,x\"]{0,3}",
            20 => "\"[.0-9]{81}\",\"[a,\n\"]{0,9}\"",
            10 => "\"[.0-9]{81}\",\"([a,]{0,9}\n){0,9}\"",
            10 => Just("Puzzle,Note ".to_owned()),
            2 => (0..5000_usize).prop_map(|len| "1".repeat(len)),
            1 => (0..3_usize).prop_map(|over| "\"\n12".repeat(MAX_RECORD / 4) + &"1".repeat(over)),
            1 => (0..3_usize).prop_map(|over| "x\" ,\"\n".repeat(MAX_RECORD / 6 + over)),
            1 => (0..3000_usize).prop_map(|over| "1".repeat(MAX_RECORD - 1000 + over)),
            1 => (0..3000_usize).prop_map(|over| "\"a\nb\",".to_owned() + &"1".repeat(MAX_RECORD + over)),
        ]
    }

    fn hard_text() -> impl Strategy<Value = String> {
        let lines = proptest::collection::vec((hard_line(), 1..40_usize, any::<bool>()), 0..400);
        (any::<bool>(), any::<bool>(), lines, any::<bool>()).prop_map(
            |(marked, headed, lines, ended)| {
                let mut text = String::from(if marked { "\u{feff}" } else { "" });
                text += if headed { "puzzle,note\r\n" } else { "" };
                for (line, times, crlf) in lines {
                    let line = line + if crlf { "\r\n" } else { "\n" };
                    text += &line.repeat(if line.len() < 1000 { times } else { 1 });
                }
                text + if ended { "" } else { "53..7" }
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn the_rows_of_all_shards_are_those_of_the_file(
            text in hard_text(),
            of in prop_oneof![1..5_u64, 1..60_u64],
            numbered: bool,
        ) {
            // Not every text has a puzzle column.
            prop_assume!(Reader::new(text.as_bytes(), &Hints::default()).unwrap().is_ok());
            let whole = rows(reader(text.as_bytes()));
            prop_assert!(of_shards(text.as_bytes(), of, numbered) == whole);
        }

        /// Also where all is small: every boundary is met.
        #[test]
        fn the_rows_of_all_shards_of_a_small_file_are_those_of_the_file(
            text in "(puzzle\n)?([.1]{81}\n|\"[.1]{81}\n\"\n|[,\"\r\n1]{0,4}){0,12}",
            of in 1..400_u64,
        ) {
            prop_assume!(Reader::new(text.as_bytes(), &Hints::default()).unwrap().is_ok());
            prop_assert!(of_shards(text.as_bytes(), of, true) == rows(reader(text.as_bytes())));
        }
    }

    #[test]
    fn a_boundary_in_the_rest_of_a_line_that_is_too_long_costs_no_row() {
        let puzzle = ".".repeat(81);
        let text = format!("{}\n{puzzle}\n{puzzle}\n", "1".repeat(MAX_RECORD + 1000));
        let whole = rows(reader(text.as_bytes()));
        for boundary in (MAX_RECORD as u64 - 5..text.len() as u64).step_by(7) {
            let range = |range| reader(text.as_bytes()).within(range, true, || false);
            let parts = [0..boundary, boundary..text.len() as u64]
                .map(|bytes| rows(range(bytes).unwrap().unwrap()));
            assert!(parts.concat() == whole, "{boundary}");
        }
    }

    #[test]
    fn a_file_that_ends_before_its_shard_does_has_changed() {
        let text = format!("{}\n", ".".repeat(81)).repeat(5000);
        let length = text.len() as u64;
        for bytes in [0..length + 1, length / 2..length + 9, length + 1..length + 9] {
            let mut reader =
                reader(text.as_bytes()).within(bytes, true, || false).unwrap().unwrap();
            let mut block = RowBlock::default();
            let fault = loop {
                match reader.fill(&mut block) {
                    Ok(()) => assert!(!block.rows().is_empty(), "it is not the end"),
                    Err(fault) => break fault,
                }
            };
            assert!(fault.to_string().contains("has become shorter"), "{fault}");
        }
    }

    #[test]
    fn every_format_has_shards() {
        let puzzle =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let nine: String =
            puzzle.as_bytes().chunks(9).map(|row| format!("{}\n", row.escape_ascii())).collect();
        let texts = [
            (Format::Csv, format!("\u{feff}nr;puzzle\n{}", format!("7;{puzzle}\n").repeat(5000))),
            (Format::Csv, format!("{puzzle}\r").repeat(5000)),
            (Format::Lines, format!("# mine\n{puzzle} # hard\n").repeat(5000)),
            (Format::Grids, format!("Grid 1\n{nine}\n").repeat(900)),
            (
                Format::Json,
                format!("[{}]", vec![format!("{{\"puzzle\":\"{puzzle}\"}}"); 900].join(",\n")),
            ),
            (
                Format::OpenSudoku,
                format!(
                    "<opensudoku>{}",
                    format!("<!-- {puzzle}\n --><game data=\"{puzzle}\"/>\n").repeat(900)
                ),
            ),
        ];
        for (format, text) in texts {
            let whole = rows(reader(text.as_bytes()));
            assert!(whole.len() >= 900, "{format:?}");
            for of in [1, 2, 3, 8, 100] {
                for numbered in [true, false] {
                    let found = of_shards(text.as_bytes(), of, numbered);
                    assert!(found == whole, "{format:?} in {of}");
                }
            }
        }
    }

    #[test]
    fn the_first_record_of_a_shard_of_lines_is_found_without_the_bytes_before() {
        let row = format!("\"{}\",\"a \"\"b\"\"\"\n", ".".repeat(81));
        let text = row.repeat(20_000);
        let boundary = text.len() as u64 / 2;
        let mut reader = reader(text.as_bytes());
        let first = reader.first_behind(boundary).unwrap().unwrap();
        assert_eq!(first, boundary.next_multiple_of(row.len() as u64));
        let open = format!("{text}\"{}", "1,\n".repeat(100_000));
        let mut reader = super::tests::reader(open.as_bytes());
        assert_eq!(
            reader.first_behind(open.len() as u64 - 5).unwrap(),
            Some(open.len() as u64 - 3)
        );
    }

    #[test]
    fn the_search_for_a_shard_can_be_interrupted() {
        let text = format!("{}\n", ".".repeat(81)).repeat(10_000);
        let within = |text: &[u8]| {
            let half = text.len() as u64 / 2;
            reader(text).within(half..half + 1, true, || true).unwrap().is_none()
        };
        assert!(within(text.as_bytes()));
        assert!(within(format!("[{}", "\"\",\n".repeat(200_000)).as_bytes()));
    }
}
