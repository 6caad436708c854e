//! Cuts an input into blocks of rows.

use super::format::DELIMITERS;
use super::record::{Hidden, Kind, Record, head, quoted_end};
use super::{Hints, Layout, LayoutError, RowError, Strays};
use crate::grid::Grid;
use memchr::memchr_iter;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};

/// Rows in a full block.
pub const BLOCK_ROWS: usize = 256;

/// Rows in a group. All blocks but the last are made of whole groups, unless rows are very long.
pub const GROUP_ROWS: usize = 16;

/// A block of long rows ends behind the group that comes so far, so that memory does not follow their
/// width.
const BLOCK_BYTES: usize = 96 * 1024;

/// A block of very long rows ends here, be the group whole or not.
const MOST_BYTES: usize = 192 * 1024;

/// Bytes asked for at a time.
const CHUNK: usize = 256 * 1024;

/// UTF-8's byte order mark, which spreadsheets put before the first header.
pub(super) const BOM: &[u8] = b"\xef\xbb\xbf";

/// A row as it stands in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Physical line on which the row begins, counted from 1.
    pub line: u64,
    kind: Kind,
    start: usize,
    end: usize,
}

/// Up to [`BLOCK_ROWS`] consecutive rows with their bytes, fewer when they are long; made to be used again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowBlock {
    bytes: Vec<u8>,
    rows: Vec<Row>,
}

impl RowBlock {
    /// The rows, in input order.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The puzzle that `row`, a row of this block, holds.
    ///
    /// # Errors
    /// When the row is not a grid; the reason names the column.
    pub fn puzzle(&self, layout: &Layout, row: &Row) -> Result<Grid, RowError> {
        layout.puzzle(row.kind, self.text(row))
    }

    /// The solution that stands beside it in the file; `None` where none belongs to a row, and an
    /// inner `None` where it is missing.
    pub fn solution(&self, layout: &Layout, row: &Row) -> Option<Result<Option<Grid>, RowError>> {
        layout.solution(row.kind, self.text(row))
    }

    /// The bytes of `row`, a row of this block, as they stand in the file, without the line end.
    pub fn text(&self, row: &Row) -> &[u8] {
        &self.bytes[row.start..row.end]
    }

    /// Removes all rows, keeping the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.rows.clear();
    }

    /// A copy of `row`, a row of this block.
    pub(super) fn copy(&self, row: &Row) -> OwnedRow {
        OwnedRow { row: *row, bytes: self.text(row).into() }
    }

    /// Appends a row that was copied.
    pub(super) fn push(&mut self, OwnedRow { row, bytes }: &OwnedRow) {
        self.append(row.line, row.kind, bytes);
    }

    fn is_full(&self) -> bool {
        let (rows, bytes) = (self.rows.len(), self.bytes.len());
        rows >= BLOCK_ROWS
            || bytes >= MOST_BYTES
            || bytes >= BLOCK_BYTES && rows.is_multiple_of(GROUP_ROWS)
    }

    fn append(&mut self, line: u64, kind: Kind, bytes: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.rows.push(Row { line, kind, start, end: self.bytes.len() });
    }
}

/// A row outside a block.
pub(super) struct OwnedRow {
    row: Row,
    bytes: Box<[u8]>,
}

/// A place between two blocks of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Bytes before it.
    pub(super) offset: u64,
    /// Physical line that begins there.
    pub(super) line: u64,
}

/// Reads rows from an input whose layout it has found out.
///
/// Blank lines and repetitions of the header are no rows.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    layout: Layout,
    /// `buffer[start..]` is read and not yet cut.
    buffer: Vec<u8>,
    start: usize,
    /// Bytes of the input before the buffer.
    offset: u64,
    at_end: bool,
    /// Reading failed, which the rows read before it must not suffer from.
    fault: Option<io::Error>,
    /// Physical line at `start`.
    line: u64,
    /// What hides the bytes at `start`, and the line on which it began.
    hidden: Option<(Hidden, u64)>,
    /// A carriage return alone ends a line, as it once did on some systems.
    lone_returns: bool,
    strays: Strays,
    /// Rows that begin at this offset or later are not read.
    end: u64,
    /// Bytes before the first row whose lines are left out of the count.
    uncounted: u64,
}

impl<R: Read> Reader<R> {
    /// Reads the first chunk of `input` and finds its layout; `hints` say what the user knows
    /// better.
    ///
    /// # Errors
    /// When reading fails, or no puzzle column can be made out.
    pub fn new(input: R, hints: &Hints) -> io::Result<Result<Self, LayoutError>> {
        let mut reader = Reader {
            input,
            layout: Layout::sniff(&[], true, &Hints::default()).expect("no rows, no fault"),
            buffer: Vec::new(),
            start: 0,
            offset: 0,
            at_end: false,
            fault: None,
            line: 1,
            hidden: None,
            lone_returns: false,
            strays: Strays::default(),
            end: u64::MAX,
            uncounted: 0,
        };
        // Rows that trickle in are not held back until the whole chunk is there.
        let is_enough = |read: &[u8]| {
            let read = read.strip_prefix(BOM).unwrap_or(read);
            head(read).len() < read.len()
        };
        while !reader.at_end && !is_enough(&reader.buffer) {
            match reader.read_more() {
                Err(fault) if reader.buffer.is_empty() => return Err(fault),
                Err(fault) => {
                    reader.fault = Some(fault);
                    break;
                }
                Ok(()) => {}
            }
        }
        reader.lone_returns = first_line_end(head(&reader.buffer)).is_some_and(|end| {
            reader.buffer[end] == b'\r' && reader.buffer.get(end + 1) != Some(&b'\n')
        });
        reader.end_lines(0);
        reader.start = if reader.buffer.starts_with(BOM) { BOM.len() } else { 0 };
        let sniffed = Layout::sniff(&reader.buffer[reader.start..], reader.at_end, hints);
        Ok(sniffed.map(|layout| Reader { layout, ..reader }))
    }

    /// Where to look, later, for what was met that is no row though a user would expect one.
    pub fn strays(&self) -> Strays {
        self.strays.clone()
    }

    /// Where the rows hold their puzzles.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Bytes at the start of the input whose lines the numbers of rows leave out; 0 for a reader that
    /// has not been told to read [`within`](Reader::within) some bytes only.
    pub fn uncounted(&self) -> u64 {
        self.uncounted
    }

    /// Replaces the rows of `block` by the next ones; by none when there are none left.
    ///
    /// # Errors
    /// When reading fails. The rows before the fault come first, in a block of their own.
    pub fn fill(&mut self, block: &mut RowBlock) -> io::Result<()> {
        block.clear();
        while !block.is_full() {
            match self.next() {
                Some(record) => self.take(record, block),
                None if self.at_end || self.is_over() || self.fault.is_some() => break,
                None => self.fault = self.read_more().err(),
            }
        }
        match self.fault.take_if(|_| block.rows.is_empty()) {
            Some(fault) => Err(fault),
            None if block.rows.is_empty() && !self.has_its_end() => {
                Err(io::Error::other("the file has become shorter while it was read"))
            }
            None => Ok(()),
        }
    }

    /// The next record of the buffer, if it is there as a whole.
    fn next(&mut self) -> Option<Record> {
        self.skip_hidden();
        let rest = &self.buffer[self.start..];
        if rest.is_empty() || self.is_over() || self.hidden.is_some() {
            return None;
        }
        self.layout.next(rest, self.at_end)
    }

    /// Whether the input went as far as the rows that are to be read.
    fn has_its_end(&self) -> bool {
        self.end == u64::MAX || self.offset + self.start as u64 >= self.end
    }

    /// Whether the next record is beyond what is to be read.
    fn is_over(&self) -> bool {
        self.hidden.is_none() && self.offset + self.start as u64 >= self.end
    }

    /// Drops what the buffer has of what is hidden.
    fn skip_hidden(&mut self) {
        let Some((hidden, line)) = self.hidden else { return };
        let rest = &self.buffer[self.start..];
        let (mut length, left) = hidden.pass(rest);
        self.hidden = left.map(|left| (left, line));
        if self.at_end && left.is_some() {
            length = rest.len();
            if let Some(start) = hidden.start() {
                self.strays.add(line, start);
            }
        }
        self.line += memchr_iter(b'\n', &rest[..length]).count() as u64;
        self.start += length;
    }

    /// Moves a record from the buffer into the block, if it is a row.
    fn take(&mut self, record: Record, block: &mut RowBlock) {
        let rest = &self.buffer[self.start..];
        let bytes = &rest[..record.len];
        match record.kind {
            Kind::Skip => {}
            Kind::Stray => self.strays.add(self.line, bytes),
            kind => block.append(self.line, kind, bytes),
        }
        self.hidden = record.hides.map(|hidden| (hidden, self.line));
        self.line += record.lines(rest);
        self.start += record.consumed;
    }

    /// Moves what is left to the front of the buffer and reads another chunk behind it.
    fn read_more(&mut self) -> io::Result<()> {
        self.buffer.drain(..self.start);
        self.offset += self.start as u64;
        self.start = 0;
        let kept = self.buffer.len();
        self.buffer.resize(kept + CHUNK, 0);
        let count = loop {
            match self.input.read(&mut self.buffer[kept..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        self.buffer.truncate(kept + *count.as_ref().unwrap_or(&0));
        self.at_end = count? == 0;
        self.end_lines(kept.saturating_sub(1));
        Ok(())
    }

    /// Where lines end with a carriage return alone, gives those from `from` on the usual end.
    fn end_lines(&mut self, from: usize) {
        if !self.lone_returns {
            return;
        }
        let length = self.buffer.len();
        for at in from..length {
            // The last byte read may be the first half of a CRLF.
            let is_alone = match self.buffer.get(at + 1) {
                Some(next) => *next != b'\n',
                None => self.at_end,
            };
            if self.buffer[at] == b'\r' && is_alone {
                self.buffer[at] = b'\n';
            }
        }
    }
}

/// Where the first line ends. Line ends within a quoted field do not count.
fn first_line_end(bytes: &[u8]) -> Option<usize> {
    let (mut at, mut begins_field) = (0, true);
    while at < bytes.len() {
        let quoted =
            if begins_field && bytes[at] == b'"' { quoted_end(bytes, at + 1) } else { None };
        match bytes[at] {
            b'\n' | b'\r' => return Some(at),
            byte => begins_field = DELIMITERS.contains(&byte),
        }
        at = quoted.unwrap_or(at + 1);
    }
    None
}

impl<R: Read + Seek> Reader<R> {
    /// Where the next block begins. It can be found again when the input stood at its start when
    /// the reader got it.
    pub(super) fn place(&mut self) -> io::Result<Place> {
        self.skip_hidden();
        while self.hidden.is_some() && !self.at_end {
            self.read_more()?;
            self.skip_hidden();
        }
        Ok(Place { offset: self.offset + self.start as u64, line: self.line })
    }

    /// Replaces the rows of `block` by those from `place` on, and goes on from there. A fault of
    /// the reading costs the whole block.
    pub(super) fn fill_from(&mut self, place: Place, block: &mut RowBlock) -> io::Result<()> {
        self.go_to(place)?;
        self.fill(block)?;
        self.fault.take().map_or(Ok(()), Err)
    }

    /// Goes on reading from `place`.
    pub(super) fn go_to(&mut self, place: Place) -> io::Result<()> {
        self.offset = self.input.seek(SeekFrom::Start(place.offset))?;
        self.line = place.line;
        self.buffer.clear();
        self.start = 0;
        self.at_end = false;
        self.hidden = None;
        self.fault = None;
        Ok(())
    }

    /// Passes over all that begins before so many bytes of the input. `false`: `interrupted`, which
    /// is asked now and then, said so.
    pub(super) fn skip_to(
        &mut self,
        offset: u64,
        interrupted: impl Fn() -> bool,
    ) -> io::Result<bool> {
        let mut skipped = RowBlock::default();
        loop {
            // What a record hides, and what begins behind it, may lie on both sides of the place.
            self.skip_hidden();
            if self.hidden.is_none() && self.offset + self.start as u64 >= offset {
                break;
            }
            match self.next() {
                Some(record) => {
                    self.take(record, &mut skipped);
                    skipped.clear();
                }
                None if self.at_end => break,
                None if interrupted() => return Ok(false),
                None => self.read_more()?,
            }
        }
        self.strays.clear();
        // What hides the rest of the input was met before.
        self.hidden = None;
        Ok(true)
    }

    /// Rows that begin at this offset or later are not read.
    pub(super) fn end_at(&mut self, offset: u64) {
        self.end = offset;
    }

    /// The numbers of rows leave out the lines of so many bytes at the start of the input.
    pub(super) fn leave_uncounted(&mut self, bytes: u64) {
        self.uncounted = bytes;
    }

    /// Whether the input has a row a line, which ends as usual.
    pub(super) fn has_usual_lines(&self) -> bool {
        self.layout.is_of_lines() && !self.lone_returns
    }

    /// The input, for whoever goes to a place in it before more is read.
    pub(super) fn input(&mut self) -> &mut R {
        &mut self.input
    }
}

#[cfg(test)]
mod tests {
    use super::super::Format;
    use super::super::record::MAX_RECORD;
    use super::*;
    use proptest::prelude::*;

    /// Gives out its bytes in small portions.
    struct Trickle<'a>(&'a [u8], usize);

    impl Read for Trickle<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            let (head, tail) = self.0.split_at(count);
            buffer[..count].copy_from_slice(head);
            self.0 = tail;
            Ok(count)
        }
    }

    fn read_all(input: impl Read) -> Vec<(u64, Result<String, String>)> {
        let mut reader = Reader::new(input, &Hints::default()).unwrap().unwrap();
        let layout = reader.layout().clone();
        let (mut block, mut rows) = (RowBlock::default(), Vec::new());
        loop {
            reader.fill(&mut block).unwrap();
            if block.rows().is_empty() {
                return rows;
            }
            assert!(reader.buffer.len() <= MAX_RECORD + 2 * CHUNK);
            for row in block.rows() {
                let puzzle = block.puzzle(&layout, row);
                rows.push((
                    row.line,
                    puzzle.map(|grid| grid.to_string()).map_err(|error| error.to_string()),
                ));
            }
        }
    }

    const PUZZLE: &str =
        "3..4..8.78172364..4.98.56...417...5.7.3.8..6.68.9.3174....2.7...3.547.822.4.985.3";

    #[test]
    fn lines_are_counted_as_an_editor_counts_them() {
        let text =
            format!("\u{feff}puzzle,x\r\n\r\n{PUZZLE},\r\n \r\n\"{PUZZLE}\",\"a\nb\"\n12,\r\n");
        let lines: Vec<(u64, bool)> = read_all(text.as_bytes())
            .into_iter()
            .map(|(line, puzzle)| (line, puzzle == Ok(PUZZLE.into())))
            .collect();
        assert_eq!(lines, [(3, true), (5, true), (7, false)]);
    }

    #[test]
    fn a_repeated_header_is_no_row_and_an_empty_field_is_one() {
        let again = "puzzle,n\r\n\u{feff}Puzzle,N \n";
        let text = format!("puzzle,n\n{PUZZLE},1\n{again},2\n\"\",3\n");
        let rows = read_all(text.as_bytes());
        assert_eq!(rows.iter().map(|row| row.0).collect::<Vec<_>>(), [2, 5, 6]);
        assert!(rows[1].1.as_ref().unwrap_err().contains("empty"));
    }

    #[test]
    fn a_line_without_end_costs_one_row_and_no_memory() {
        let text = format!("{}\n{PUZZLE}\n", "1".repeat(3_000_000));
        let rows = read_all(text.as_bytes());
        assert_eq!(rows.len(), 2);
        assert!(rows[0].1.as_ref().unwrap_err().contains("longer than"));
        assert_eq!(rows[1], (2, Ok(PUZZLE.into())));
    }

    #[test]
    fn markup_of_any_length_hides_its_inside_and_nothing_else() {
        let game = format!("<game data='{PUZZLE}'/>");
        for length in [65_520, 65_536, 200_000, 1_000_000] {
            for (start, end) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")] {
                let inside = format!("{game}\n").repeat(length / (game.len() + 1));
                let inside = format!("{inside}{}", "-".repeat(length - inside.len()));
                let text = format!("<opensudoku>{start}{inside}{end}{game}\n{game}");
                let line = 1 + inside.matches('\n').count() as u64;
                for portion in [7919, usize::MAX] {
                    let rows = read_all(Trickle(text.as_bytes(), portion));
                    let puzzle: Result<String, String> = Ok(PUZZLE.into());
                    assert_eq!(rows, [(line, puzzle.clone()), (line + 1, puzzle)], "{length}");
                }
                let open = &text[..text.find(end).unwrap()];
                let mut reader = Reader::new(open.as_bytes(), &Hints::default()).unwrap().unwrap();
                let mut block = RowBlock::default();
                reader.fill(&mut block).unwrap();
                assert!(block.rows().is_empty());
                assert_eq!(reader.strays().get().iter().map(|it| it.line).collect::<Vec<_>>(), [1]);
            }
        }
    }

    #[test]
    fn a_lone_carriage_return_ends_a_line_where_it_ends_the_first() {
        let text = format!("puzzle,x\r{PUZZLE},\r\r{PUZZLE},\r\n12,\r");
        for portion in [1, 2, 3, 83, 1000] {
            let rows = read_all(Trickle(text.as_bytes(), portion));
            let lines: Vec<(u64, bool)> = rows.iter().map(|row| (row.0, row.1.is_ok())).collect();
            assert_eq!(lines, [(2, true), (4, true), (5, false)], "{portion} bytes at a time");
        }
    }

    #[test]
    fn a_carriage_return_between_quotes_ends_no_line() {
        let row = format!("1,{PUZZLE},\"x\ry\"");
        let text = format!("5\" disk,puzzle,note\n{row}\n");
        let mut reader = Reader::new(text.as_bytes(), &Hints::default()).unwrap().unwrap();
        let mut block = RowBlock::default();
        reader.fill(&mut block).unwrap();
        assert_eq!(block.text(&block.rows()[0]), row.as_bytes());
        let text = format!("puzzle,\"a\rb\"\n{PUZZLE},\"\r\"\n{PUZZLE},\n");
        let mut reader = Reader::new(text.as_bytes(), &Hints::default()).unwrap().unwrap();
        let mut block = RowBlock::default();
        reader.fill(&mut block).unwrap();
        let texts: Vec<&[u8]> = block.rows().iter().map(|row| block.text(row)).collect();
        let [first, second] = [",\"\r\"", ","].map(|end| format!("{PUZZLE}{end}"));
        assert_eq!(texts, [first.as_bytes(), second.as_bytes()]);
    }

    #[test]
    fn rows_before_a_read_error_are_not_lost() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("the disk is gone"))
            }
        }
        let text = format!("{PUZZLE}\n").repeat(10_000);
        let mut reader =
            Reader::new(text.as_bytes().chain(Broken), &Hints::default()).unwrap().unwrap();
        let (mut block, mut rows) = (RowBlock::default(), 0);
        let error = loop {
            match reader.fill(&mut block) {
                Ok(()) => rows += block.rows().len(),
                Err(error) => break error,
            }
        };
        assert_eq!(rows, 10_000);
        assert_eq!(error.to_string(), "the disk is gone");
    }

    #[test]
    fn a_file_of_nothing_has_no_rows() {
        assert_eq!(read_all(&b""[..]), []);
        assert_eq!(read_all(&b"\n \n"[..]), []);
        assert_eq!(read_all(&b"puzzle,solution\n"[..]), []);
        assert_eq!(read_all(BOM), []);
    }

    proptest! {
        /// However the bytes arrive, the rows are the same, and no row is lost: without quotes
        /// there are as many as lines that are not blank.
        #[test]
        fn rows_do_not_depend_on_how_the_bytes_arrive(
            lines in proptest::collection::vec("[.0-9]{0,3}|[ ,x\"]{0,3}", 0..600),
            portion in 1..5000_usize,
        ) {
            let text = format!("puzzle\n{}", lines.join("\n"));
            let whole = read_all(text.as_bytes());
            prop_assert_eq!(&read_all(Trickle(text.as_bytes(), portion)), &whole);
            if !text.contains('"') {
                let rows = lines.iter().filter(|line| !line.trim().is_empty()).count();
                prop_assert_eq!(whole.len(), rows);
            }
        }

        /// Whatever the lines are and however they arrive: a line with a digit is a row, or a
        /// comment, and no other line becomes two.
        #[test]
        fn no_line_that_could_be_a_row_is_lost(
            lines in proptest::collection::vec(line(), 0..130),
            portion in 1..3000_usize,
        ) {
            let text = lines.join("\n");
            prop_assume!(Layout::sniff(head(text.as_bytes()), true, &Hints::default()).is_ok());
            let rows: Vec<u64> = read_all(text.as_bytes()).iter().map(|row| row.0).collect();
            let piped = read_all(Trickle(text.as_bytes(), portion));
            prop_assert_eq!(piped.iter().map(|row| row.0).collect::<Vec<_>>(), rows.clone());
            prop_assert!(rows.is_sorted_by(|left, right| left < right));
            for (number, line) in (1..).zip(&lines) {
                let is_blank = line.trim().is_empty();
                prop_assert!(!(is_blank && rows.contains(&number)));
                let has_cell = line.contains(|c: char| c.is_ascii_digit());
                if has_cell && !line.starts_with('#') {
                    prop_assert!(rows.contains(&number), "line {}: {:?}", number, line);
                }
            }
        }

        #[test]
        fn no_bytes_upset_any_format(
            bytes in prop_oneof![
                proptest::collection::vec(any::<u8>(), 0..2000),
                "[0-9.;:,\"#+ \r\nxp]{0,600}".prop_map(String::into_bytes),
            ],
            portion in 1..700_usize,
        ) {
            for format in Format::ALL {
                let hints = Hints { format: Some(format), ..Hints::default() };
                let Ok(mut reader) = Reader::new(Trickle(&bytes, portion), &hints).unwrap() else {
                    continue;
                };
                let layout = reader.layout().clone();
                let mut block = RowBlock::default();
                loop {
                    reader.fill(&mut block).unwrap();
                    if block.rows().is_empty() {
                        break;
                    }
                    for row in block.rows() {
                        let _ = block.puzzle(&layout, row);
                        let _ = block.solution(&layout, row);
                    }
                }
            }
        }
    }

    /// Lines as they come in files of one row a line, and damaged ones.
    fn line() -> impl Strategy<Value = String> {
        prop_oneof![
            4 => Just(PUZZLE.to_owned()),
            1 => Just(PUZZLE.replace('.', " ")),
            1 => Just(PUZZLE[1..].to_owned()),
            1 => Just(format!("{PUZZLE} # of mine")),
            1 => Just(format!("7 {PUZZLE} 7.2")),
            1 => Just(format!("{PUZZLE};7")),
            1 => Just(format!(":0:x:{PUZZLE}:::")),
            1 => Just("# 1".to_owned()),
            1 => Just("Smith, Jones".to_owned()),
            2 => "[0-9.,;: \\x00]{0,12}",
        ]
    }
}
