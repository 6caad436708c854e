//! Grids of nine lines, with or without titles, sections, frames and blank lines between them.

mod line;

use self::line::{Line, cells, classify, is_loose_blank, is_nine_spaces, is_number, is_spaced};
use super::block::{BlockError, grid_of, grid_of_rows, is_like_grid};
use crate::dataset::layout::RowError;
use crate::dataset::record::{
    Kind, MAX_RECORD, Record, Rows, in_reach, is_blank, line_of, samples,
};
use crate::grid::Grid;
use memchr::memchr;

/// Grids that follow each other without anything between them are counted off by nine. A run of no
/// more rows is looked at as a whole, so that a row too few or too many shifts no grid of it. Of a
/// longer one the end is looked at like this, and tells of one anywhere in it.
const RUN: usize = 16 * 9;

/// So many bands of three rows at most, with a blank line between any two, are grids: of more it is
/// not certain in time whether one is missing.
const BANDS: usize = 100 * 3;

/// Bytes that are looked at to find the format.
const SNIFFED: usize = 8 * 1024;

/// Puzzles of nine lines. Where a space is an empty cell, a blank line may be a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dataset) struct Grids;

impl Grids {
    /// Whether a file that begins with `bytes` holds grids of several lines: there are rows of
    /// nine cells or a grid can be read, no line is a whole grid, and no field is quoted.
    pub(in crate::dataset) fn fits(bytes: &[u8]) -> bool {
        let bytes = &bytes[..bytes.len().min(SNIFFED)];
        let mut rows = 0;
        for line in bytes.split(|&byte| byte == b'\n') {
            if is_quoted(line) {
                return false;
            }
            if classify(line) == Line::Row {
                if is_like_grid(line) {
                    return false;
                }
                rows += usize::from(is_nine(line));
            }
        }
        // The first grid of a run that breaks off where the bytes do.
        let first = || {
            memchr::memchr_iter(b'\n', bytes).nth(8).is_some_and(|end| read(&bytes[..end]).is_ok())
        };
        rows >= 3
            || samples(&Grids, bytes, true, 3).iter().any(|block| read(block.bytes).is_ok())
            || first()
    }
}

impl Rows for Grids {
    fn next(&self, bytes: &[u8], at_end: bool) -> Option<Record> {
        let (bytes, at_end) = in_reach(bytes, at_end);
        let text = Text { bytes, at_end };
        let Some((line, next)) = text.line(0)? else {
            return Record::unfinished(Kind::Block, bytes, at_end);
        };
        let skip = Record { consumed: next, ..Record::part(Kind::Skip, line.len()) };
        match classify(line) {
            Line::Row
                if is_number(line, true)
                    && are_grids(text.rows_ahead(text.behind_blanks(next)?)?) =>
            {
                Some(skip)
            }
            Line::Row => text.grid(),
            Line::Blank if is_nine_spaces(line) => {
                let run = text.run(0, is_spaced_row)?;
                if run.is_grids() { Some(run.first()) } else { Some(skip) }
            }
            Line::Blank => Some(text.shifted_tail(next)?.unwrap_or(skip)),
            Line::Frame | Line::Note => Some(skip),
            Line::Section => text.section(next),
            Line::Puzzle | Line::Text => {
                let kind = if text.is_title(next)? { Kind::Skip } else { Kind::Stray };
                Some(Record { kind, ..skip })
            }
        }
    }

    fn puzzle(&self, _kind: Kind, block: &[u8]) -> Result<Grid, RowError> {
        Ok(read(block)?)
    }
}

/// The part of an input on which a record may depend.
struct Text<'a> {
    bytes: &'a [u8],
    at_end: bool,
}

/// A line without its `\n`, and where the next one begins.
type At<'a> = (&'a [u8], usize);

/// Rows without anything between them but lines of a frame.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    rows: usize,
    /// The last line of the first grid, without and with its line end.
    grid: (usize, usize),
    /// The last line of all.
    all: (usize, usize),
}

impl Run {
    fn is_grids(&self) -> bool {
        self.rows > RUN || self.rows.is_multiple_of(9)
    }

    /// The first grid, or all rows when they are not whole grids.
    fn first(&self) -> Record {
        let (len, consumed) = if self.is_grids() { self.grid } else { self.all };
        Record { consumed, ..Record::part(Kind::Block, len) }
    }
}

// In all of these an outer `None` says that it takes more bytes to know.
impl<'a> Text<'a> {
    fn is_cut_off(&self) -> bool {
        self.bytes.len() > MAX_RECORD
    }

    /// The line that begins at `at`; an inner `None` where there is none within reach.
    fn line(&self, at: usize) -> Option<Option<At<'a>>> {
        let rest = &self.bytes[at..];
        match memchr(b'\n', rest) {
            Some(end) => Some(Some((&rest[..end], at + end + 1))),
            None if self.at_end && !rest.is_empty() => Some(Some((rest, self.bytes.len()))),
            None => (self.at_end || self.is_cut_off()).then_some(None),
        }
    }

    /// Whether the line at `at` is a row.
    fn is_row_at(&self, at: usize) -> Option<bool> {
        Some(self.line(at)?.is_some_and(|(line, _)| classify(line) == Line::Row))
    }

    /// The grid, whole or damaged, whose first row is at the start.
    fn grid(&self) -> Option<Record> {
        if let Some(record) = self.in_long_run() {
            return Some(record);
        }
        if let Some(record) = self.with_blank_rows(0)? {
            return Some(record);
        }
        if let Some(record) = self.bands()? {
            return Some(record);
        }
        let run = self.run(0, |line| classify(line) == Line::Row)?;
        let spaced = self.run(0, is_spaced_row)?;
        let is_spaced = spaced.rows > run.rows && (spaced.is_grids() || !run.is_grids());
        Some(if is_spaced { spaced } else { run }.first())
    }

    /// The first grid of a run too long to be looked at as a whole, if all of the run that would be
    /// are nine usual cells a line. It would be found otherwise, too, in more time.
    fn in_long_run(&self) -> Option<Record> {
        let end = [&b"\n"[..], b"\r\n"]
            .into_iter()
            .find(|end| self.bytes.get(9..).is_some_and(|rest| rest.starts_with(end)))?;
        let width = 9 + end.len();
        let rows = self.bytes.get(..(RUN + 1) * width)?;
        let (len, consumed) = (9 * width - 1, 9 * width);
        let record = Record { consumed, ..Record::part(Kind::Block, len) };
        let are = |is_cell: fn(u8) -> bool| {
            rows.chunks_exact(width).all(|row| {
                row[..9].iter().fold(true, |all, byte| all & is_cell(*byte)) && row.ends_with(end)
            })
        };
        let is_usual = are(|byte| Grid::cell(char::from(byte)).is_some())
            || are(|byte| (byte == b' ') | matches!(byte, b'1'..=b'9'));
        is_usual.then_some(record)
    }

    /// The rows from `at` on.
    fn run(&self, mut at: usize, is_row: impl Fn(&[u8]) -> bool) -> Option<Run> {
        let mut run = Run::default();
        while run.rows <= RUN {
            let Some((line, next)) = self.line(at)? else { break };
            if is_row(line) {
                if is_number(line, run.rows.is_multiple_of(9))
                    && self.is_number_of_grid(run.rows, next)?
                {
                    break;
                }
                run.rows += 1;
                run.all = (at + line.len(), next);
                if run.rows == 9 {
                    run.grid = run.all;
                }
            } else if classify(line) != Line::Frame
                || run.rows.is_multiple_of(9)
                || !self.is_row_at(next)?
            {
                break;
            }
            at = next;
        }
        Some(run)
    }

    /// Behind the blank lines at `at`.
    fn behind_blanks(&self, mut at: usize) -> Option<usize> {
        while let Some((line, next)) = self.line(at)?
            && is_loose_blank(line)
        {
            at = next;
        }
        Some(at)
    }

    /// Whether a number alone, after so many rows, is the title of a grid at `at`. Where a grid can
    /// begin it is, however that one is damaged, unless it is one of the rows of whole grids.
    fn is_number_of_grid(&self, rows: usize, at: usize) -> Option<bool> {
        let ahead = self.rows_ahead(at)?;
        let can_begin = rows > 0 && rows.is_multiple_of(9);
        Some(ahead == 9 || can_begin && (ahead == 8 || ahead % 9 != 8))
    }

    /// The number of rows from `at` on, also in bands, up to a number alone, if most have nine cells;
    /// else 0. What is above a [`RUN`] does not matter.
    fn rows_ahead(&self, mut at: usize) -> Option<usize> {
        let (mut rows, mut nines, mut is_parted) = (0, 0, true);
        while rows <= RUN {
            let Some((line, next)) = self.line(at)? else { break };
            match classify(line) {
                Line::Row if is_number(line, rows == 9) => break,
                Line::Row => {
                    rows += 1;
                    nines += usize::from(is_nine(line));
                    is_parted = false;
                }
                Line::Frame => {}
                Line::Blank if !is_parted && matches!(rows, 3 | 6) => is_parted = true,
                _ => break,
            }
            at = next;
        }
        Some(if nines >= 7 && 10 * nines >= 7 * rows { rows } else { 0 })
    }

    /// The grid at the start, where a blank line parts its bands of three rows, as it may part the
    /// grids as well. Bands that are no whole grids are all one record, since it is not certain which
    /// of them belong together; so are bands with spaces for empty cells, between which the blank
    /// lines could be rows. Of bands whose end is too far away, as many are one record as whole grids
    /// would have, so that those behind them are whole grids only if all are. An inner `None` where
    /// there are no such bands.
    fn bands(&self) -> Option<Option<Record>> {
        let is_row = |line: &[u8]| classify(line) == Line::Row;
        let (mut at, mut bands, mut whole, mut is_spaced) = (0, 0, 0, false);
        let (mut grid, mut thirds, mut all) = ((0, 0), (0, 0), (0, 0));
        while bands <= BANDS {
            // A number alone where a grid can begin is its title, however that grid is damaged.
            let is_title = |(line, _): At| is_row(line) && is_number(line, true);
            if bands > 0 && bands.is_multiple_of(3) && self.line(at)?.is_some_and(is_title) {
                break;
            }
            let band = self.run(at, is_row)?;
            if !matches!(band.rows, 2..=4) {
                break;
            }
            bands += 1;
            is_spaced |= self.has_space(at, band.all.1);
            whole += usize::from(bands <= 3 && band.rows == 3);
            all = band.all;
            at = all.1;
            if bands == 3 {
                grid = all;
            }
            let Some((line, next)) = self.line(at)? else { break };
            if bands.is_multiple_of(3) {
                thirds = all;
            }
            if !is_loose_blank(line) {
                break;
            }
            at = next;
        }
        if whole < 2 || bands < if is_spaced { 3 } else { 2 } {
            return Some(None);
        }
        let is_endless = bands > BANDS || self.is_cut_off() && self.line(at)?.is_none();
        let (len, consumed) = if is_endless && thirds.1 > 0 {
            thirds
        } else if bands.is_multiple_of(3) && !is_spaced {
            grid
        } else {
            all
        };
        Some(Some(Record { consumed, ..Record::part(Kind::Block, len) }))
    }

    /// Whether one of these lines can be a row in which a space is an empty cell.
    fn has_space(&self, from: usize, to: usize) -> bool {
        let lines = self.bytes[from..to].split(|&byte| byte == b'\n');
        lines.into_iter().any(|line| is_spaced(line) && line.contains(&b' '))
    }

    /// The grid at `start` when a space is its empty cell and blank lines, whose spaces were
    /// trimmed, are rows of it. An inner `None` where that is not so, or not certain: the grid
    /// begins and ends with a row of digits, and no other row follows; or it ends with the file,
    /// where up to two blank rows at its end may be trimmed as well.
    fn with_blank_rows(&self, start: usize) -> Option<Option<Record>> {
        let (mut at, mut lines, mut rows, mut blank_rows) = (start, 0, 0, 0);
        let mut last = (start, start);
        let mut has_space = false;
        while lines < 9 {
            let Some((line, next)) = self.line(at)? else { break };
            if !is_spaced(line) {
                break;
            }
            lines += 1;
            has_space |= line.contains(&b' ');
            if is_loose_blank(line) {
                if lines == 1 {
                    return Some(None);
                }
            } else {
                blank_rows += lines - 1 - rows;
                rows = lines;
                last = (at + line.len(), next);
            }
            at = next;
        }
        let block =
            |len, consumed| Some(Some(Record { consumed, ..Record::part(Kind::Block, len) }));
        let (len, consumed) = last;
        if !has_space {
            return Some(None);
        }
        if rows == 9 && blank_rows > 0 && !self.is_row_at(consumed)? {
            return block(len, consumed);
        }
        if matches!(rows, 7 | 8) && is_blank(&self.bytes[consumed..]) && len < consumed {
            if self.at_end {
                // The line end is what is left of the first row that is missing.
                return block(consumed, consumed);
            }
            return self.is_cut_off().then_some(None);
        }
        Some(None)
    }

    /// A blank line before `next`, together with what would be a grid whose last rows are missing,
    /// if the blank line were not its first row. That is a damaged grid, since either may be true.
    fn shifted_tail(&self, next: usize) -> Option<Option<Record>> {
        let tail = self.with_blank_rows(next)?.filter(|grid| grid.len == grid.consumed);
        Some(tail.filter(|grid| self.bytes[..grid.len].ends_with(b"\n")))
    }

    /// A section that holds no puzzle, with its content, which ends at a blank line, a comment or
    /// another section. One of an unknown name with rows in it is a stray.
    fn section(&self, content: usize) -> Option<Record> {
        let (mut at, mut has_content, mut has_rows) = (content, false, false);
        while let Some((line, next)) = self.line(at)? {
            match classify(line) {
                Line::Blank if has_content => break,
                Line::Note | Line::Puzzle | Line::Section => break,
                Line::Blank => {}
                Line::Row => (has_content, has_rows) = (true, true),
                Line::Frame | Line::Text => has_content = true,
            }
            at = next;
        }
        let name = self.bytes[..content].trim_ascii().to_ascii_lowercase();
        let is_known = [&b"[state]"[..], b"[solution", b"[pencil", b"[cand"]
            .iter()
            .any(|it| name.starts_with(it));
        let kind = if has_rows && !is_known { Kind::Stray } else { Kind::Skip };
        Some(Record::part(kind, at))
    }

    /// Whether a title whose next line is at `at` has a grid.
    fn is_title(&self, mut at: usize) -> Option<bool> {
        while let Some((line, next)) = self.line(at)? {
            match classify(line) {
                Line::Row | Line::Puzzle => return Some(true),
                Line::Text | Line::Section => return Some(false),
                Line::Blank if is_nine_spaces(line) => return Some(true),
                Line::Blank | Line::Frame | Line::Note => at = next,
            }
        }
        Some(false)
    }
}

/// Whether so many rows are whole grids.
fn are_grids(rows: usize) -> bool {
    rows > 0 && rows.is_multiple_of(9)
}

/// Whether a field of a line is quoted: the grids of a CSV file may have nine lines as well.
fn is_quoted(line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(b"\"")
        || line.windows(2).any(|two| matches!(two, [b',' | b';' | b'\t', b'"']))
}

/// Whether a row has nine cells.
fn is_nine(line: &[u8]) -> bool {
    str::from_utf8(line).is_ok_and(|text| cells(text).is_some_and(|cells| cells.len() == 9))
}

/// Whether a line is a row, blank or not, of a grid with spaces as empty cells.
fn is_spaced_row(line: &[u8]) -> bool {
    is_spaced(line) && !is_loose_blank(line)
}

/// The grid in a block of lines.
fn read(block: &[u8]) -> Result<Grid, BlockError> {
    let is_tail = block.ends_with(b"\n");
    let lines = || block.strip_suffix(b"\n").unwrap_or(block).split(|&byte| byte == b'\n');
    if lines().all(is_spaced) && block.contains(&b' ') {
        return read_spaced(&lines().map(line_of).collect::<Vec<_>>(), is_tail);
    }
    let bands = 1 + lines().filter(|line| is_blank(line)).count();
    let mut uneven = None;
    let mut rows = Vec::new();
    for line in lines().filter(|line| classify(line) == Line::Row) {
        // A row in doubt has nine characters, so that worse faults can be told first.
        rows.push(cells(&String::from_utf8_lossy(line)).unwrap_or_else(|| {
            uneven.get_or_insert(rows.len() + 1);
            vec!['.'; 9]
        }));
    }
    match (grid_of_rows(&rows), uneven) {
        (Ok(_) | Err(BlockError::Blank { .. } | BlockError::Cells(_)), Some(row)) => {
            Err(BlockError::Spacing { row })
        }
        (Err(BlockError::Rows { .. }), _) if bands > 3 => Err(BlockError::Bands { bands }),
        // What is left of a longer run has fewer rows than a grid less than those that are looked at.
        (Err(BlockError::Rows { rows }), _) if (RUN - 8..RUN).contains(&rows) => {
            Err(BlockError::Run { rows })
        }
        (grid, _) => grid,
    }
}

/// The grid in which spaces are empty cells. `is_tail`: its last rows, which are blank, may be
/// missing. Spaces at the ends of rows may be missing too, but from all or from none.
fn read_spaced(lines: &[&[u8]], is_tail: bool) -> Result<Grid, BlockError> {
    let is_damaged = lines.first().is_some_and(|line| is_loose_blank(line));
    let rows = lines.len() - usize::from(is_damaged);
    if is_damaged || !(rows == 9 || is_tail && matches!(rows, 7 | 8)) {
        return Err(BlockError::Rows { rows });
    }
    let is_untrimmed = lines.iter().any(|line| line.ends_with(b" "));
    let is_short = |line: &&[u8]| is_untrimmed && line.len() != 9 && !line.is_empty();
    if let Some(row) = lines.iter().position(is_short) {
        return Err(BlockError::Width { row: row + 1, cells: lines[row].len() });
    }
    // Without a row that begins with a space, those at the starts of rows are trimmed as well: no
    // puzzle has its whole first column given.
    let is_trimmed = |line: &&[u8]| line.len() < 9 && !line.is_empty();
    if let Some(row) = lines.iter().position(is_trimmed)
        && !lines.iter().any(|line| line.starts_with(b" "))
    {
        return Err(BlockError::Spacing { row: row + 1 });
    }
    let mut cells = [' '; 81];
    for (row, line) in std::iter::zip(cells.chunks_mut(9), lines) {
        for (cell, &byte) in std::iter::zip(row, *line) {
            *cell = char::from(byte);
        }
    }
    grid_of(cells)
}

#[cfg(test)]
mod tests {
    use super::super::block::reading::{self, PUZZLE};
    use super::*;

    /// The grid in nine lines, with `empty` for an empty cell.
    fn lines(empty: &str) -> Vec<String> {
        let rows = PUZZLE.as_bytes().chunks(9);
        rows.map(|row| String::from_utf8_lossy(row).replace('.', empty)).collect()
    }

    fn text(rows: &[String]) -> String {
        rows.iter().map(|row| format!("{row}\n")).collect()
    }

    fn read_all(text: &str) -> Vec<(u64, String)> {
        reading::read_all(&Grids, text)
    }

    #[track_caller]
    fn assert_reads(text: &str, expected: &[(u64, &str)]) {
        reading::assert_reads(&Grids, text, expected);
    }

    #[test]
    fn every_mark_of_an_empty_cell_is_read() {
        for mark in ["0", ".", "*", "_", "-", "x", "X", "?"] {
            assert_reads(&text(&lines(mark)), &[(1, "puzzle")]);
        }
    }

    #[test]
    fn grids_follow_each_other_with_or_without_something_between() {
        let grid = text(&lines("."));
        assert_reads(&grid.repeat(30), &(0..30).map(|n| (9 * n + 1, "puzzle")).collect::<Vec<_>>());
        let crlf = grid.replace('\n', "\r\n").repeat(30);
        assert_reads(&crlf, &(0..30).map(|n| (9 * n + 1, "puzzle")).collect::<Vec<_>>());
        assert_reads(&format!("{grid}\n \n{grid}"), &[(1, "puzzle"), (12, "puzzle")]);
        assert_reads(
            &format!("# a\nGrid 1\n{grid}Grid 2\n\n{grid}"),
            &[(3, "puzzle"), (14, "puzzle")],
        );
        assert_reads(&text(&lines(".")).replace('\n', "\r\n"), &[(1, "puzzle")]);
    }

    #[test]
    fn a_row_too_few_or_too_many_costs_its_grid_and_shifts_no_other() {
        let grid = text(&lines("."));
        let short = text(&lines(".")[1..]);
        assert_reads(&format!("{short}\n{grid}"), &[(1, "the grid has 8 rows"), (10, "puzzle")]);
        assert_reads(
            &format!("A 1\n{short}A 2\n{grid}"),
            &[(2, "the grid has 8 rows"), (11, "puzzle")],
        );
        let long = format!("{grid}.........\n");
        assert_reads(&format!("{long}\n{grid}"), &[(1, "the grid has 10 rows"), (12, "puzzle")]);
        assert_reads(&format!("{grid}{short}{grid}"), &[(1, "the grid has 26 rows")]);
        assert_reads("1\n", &[(1, "the grid has 1 row")]);
    }

    #[test]
    fn a_row_too_few_in_a_run_of_any_length_is_told_at_its_end() {
        let (grid, short) = (text(&lines(".")), text(&lines(".")[1..]));
        for before in [0, 1, 20, 200] {
            let run = format!("{}{short}{}", grid.repeat(before), grid.repeat(40));
            let found = read_all(&format!("{run}\n{grid}"));
            assert_eq!(found.last().unwrap().1, "puzzle");
            let last_of_run = &found[found.len() - 2].1;
            assert!(last_of_run.starts_with("143 rows stand together"), "{last_of_run}");
        }
    }

    /// The grid in three bands with a blank line between them.
    fn banded() -> String {
        lines(".").chunks(3).map(text).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn blank_lines_may_part_the_bands_of_a_grid() {
        let (grid, plain) = (banded(), text(&lines(".")));
        assert_reads(&grid, &[(1, "puzzle")]);
        assert_reads(&grid.replace('\n', "\r\n"), &[(1, "puzzle")]);
        assert_reads(&grid.replace("\n\n", "\n \n"), &[(1, "puzzle")]);
        assert_reads(&format!("{grid}\n{grid}\n\n{grid}"), &[1, 13, 26].map(|at| (at, "puzzle")));
        assert_reads(&format!("A 1\n{grid}A 2\n\n{grid}"), &[2, 15].map(|at| (at, "puzzle")));
        assert_reads(&format!("{plain}\n{grid}\n{plain}"), &[1, 11, 23].map(|at| (at, "puzzle")));
        assert_reads(
            &grid.replace('.', ". "),
            &[(1, "row 1 of the grid is spaced unevenly, so that its columns are not certain")],
        );
        let many = format!("{grid}\n").repeat(40);
        assert_reads(&many, &(0..40).map(|n| (12 * n + 1, "puzzle")).collect::<Vec<_>>());
    }

    #[test]
    fn a_damaged_band_costs_its_grid_and_shifts_no_other() {
        let grid = banded();
        let rows: Vec<&str> = grid.split_inclusive('\n').collect();
        let without = |at: usize| [&rows[..at], &rows[at + 1..]].concat().concat();
        for at in [0, 2, 4, 5, 8, 10] {
            let text = format!("{grid}\n{}\n{grid}", without(at));
            assert_reads(&text, &[(1, "puzzle"), (13, "the grid has 8 rows"), (24, "puzzle")]);
        }
        let narrow = grid.replacen("8172364..", "8172364.", 1);
        let reason = "row 2 of the grid has 8 cells";
        assert_reads(&format!("{narrow}\n{grid}"), &[(1, reason), (13, "puzzle")]);
        // A band that is missing could be that of any grid beside it.
        let lost = rows[4..].concat();
        let found = read_all(&format!("{lost}\n{grid}"));
        assert_eq!(found.len(), 1);
        assert!(found[0].1.starts_with("5 bands of rows stand together"), "{found:?}");
        assert_reads(&format!("{lost}\n\n{grid}"), &[(1, "the grid has 6 rows"), (10, "puzzle")]);
        // Without a blank line two bands are one of six rows, which leaves no whole grid beside it.
        for (at, expected) in [
            (3, ["puzzle", "the grid has 6 rows", "4 bands"]),
            (7, ["4 bands", "the grid has 6 rows", "puzzle"]),
        ] {
            let found = read_all(&format!("{grid}\n{}\n{grid}", without(at)));
            assert_eq!(found.len(), expected.len());
            for ((_, what), expected) in std::iter::zip(&found, expected) {
                assert!(what.starts_with(expected), "{found:?}");
            }
        }
        // Rows with spaces for empty cells have blank rows as well.
        let spaced = "1  4  7\n 2  5  8\n  3  6  9\n";
        let found = read_all(&[spaced; 3].join("\n"));
        assert_eq!(found, [(1, "the grid has 11 rows".into())]);
    }

    #[test]
    fn a_missing_band_mixes_no_grids_however_many_follow() {
        // Other digits in each grid, so that a shift would be seen.
        let grids: Vec<String> = (0..450)
            .map(|n: usize| {
                let digit = |cell: char| match cell.to_digit(10) {
                    Some(digit) => char::from_digit((digit + n as u32) % 9 + 1, 10).unwrap(),
                    None => cell,
                };
                banded().chars().map(digit).collect()
            })
            .collect();
        let known: Vec<String> =
            grids.iter().map(|grid| grid.replace('\n', "").replace(PUZZLE, "puzzle")).collect();
        for count in [2, 16, 17, 60, 100, 101, 250, 450] {
            let whole = grids[..count].join("\n");
            let found = read_all(&whole);
            assert!(found.iter().all(|row| known.contains(&row.1) || row.1.contains(" bands ")));
            assert_eq!(
                found.iter().filter(|row| known.contains(&row.1)).count(),
                (count - 1) % 100 + 1
            );
            for lost in [0, 3, 3 * (count / 2) + 1, 3 * count - 1] {
                let mut bands: Vec<&str> = whole.split("\n\n").collect();
                bands.remove(lost);
                let found = read_all(&bands.join("\n\n"));
                let is_refused = |what: &str| what.contains(" bands ") || what.contains("rows");
                assert!(found.iter().all(|row| is_refused(&row.1)), "{found:?}");
                // Two blank lines, or a title, end the run.
                for end in ["\n\n", "\nGrid 7\n"] {
                    let text = format!("{}\n{end}{}", bands.join("\n\n"), grids[0]);
                    assert!(known.contains(&read_all(&text).last().unwrap().1));
                }
            }
        }
    }

    #[test]
    fn a_number_alone_above_a_grid_is_its_title() {
        for ending in ["", ".", ")", " "] {
            for grid in [text(&lines(".")), banded()] {
                let height = grid.lines().count() as u64 + 1;
                let text: String = (1..=30).map(|n| format!("{n}{ending}\n{grid}")).collect();
                let expected = (0..30).map(|n| (2 + n * height, "puzzle")).collect::<Vec<_>>();
                assert_reads(&text, &expected);
                let apart = text.replace(&grid, &format!("{grid}\n"));
                assert_eq!(read_all(&apart).len(), 30);
            }
        }
        let grid = text(&lines("."));
        for grid in [&grid, &banded()] {
            for (blank, lines) in [("\n", 1), ("\r\n \n", 2)] {
                let height = grid.lines().count() as u64;
                let text = format!("20241130\n{blank}{grid}\n2.\n{blank}{grid}");
                assert_reads(&text, &[(2 + lines, "puzzle"), (4 + 2 * lines + height, "puzzle")]);
            }
        }
        for (damaged, reason) in [
            (text(&lines(".")[1..]), "row 1 of the grid has 1 cell"),
            (format!("{grid}.........\n"), "the grid has 11 rows"),
            (grid.replacen("8172364..", "8172364.", 1), "row 2 of the grid has 8 cells"),
        ] {
            let read = read_all(&format!("1\n{grid}2\n{damaged}3\n{grid}"));
            let rows: Vec<&str> = read.iter().map(|row| row.1.as_str()).collect();
            assert_eq!(rows, ["puzzle", reason, "puzzle"]);
        }
        // Nine cells are a row, whatever they look like.
        let first = grid.replacen("3..4..8.7", "12345678.", 1);
        assert_eq!(read_all(&format!("{grid}{first}"))[1].1[..9], first[..9]);
        // Elsewhere it is a row that has lost its other cells.
        let mut rows = lines(".");
        rows[3] = "41".into();
        let damaged = text(&rows);
        let expected = [(1, "puzzle"), (10, "row 4 of the grid has 2 cells"), (19, "puzzle")];
        assert_reads(&format!("{grid}{damaged}{grid}"), &expected);
        assert_reads("7\n", &[(1, "the grid has 1 row")]);
    }

    #[test]
    fn a_damaged_row_is_named() {
        let damaged = |row: usize, text: &str| {
            let mut rows = lines(".");
            rows[row - 1] = text.into();
            self::text(&rows)
        };
        assert_reads(&damaged(3, "4.98.56."), &[(1, "row 3 of the grid has 8 cells")]);
        assert_reads(&damaged(3, "1,2"), &[(1, "row 3 of the grid has 2 cells")]);
        let uneven = "row 2 of the grid is spaced unevenly, so that its columns are not certain";
        assert_reads(&damaged(2, "8 172364.."), &[(1, uneven)]);
        let blank = "row 2 of the grid has a blank cell, where other empty cells have a mark";
        assert_reads(&damaged(2, "8,1,7,2,3,6,4,,."), &[(1, blank)]);
        let letter = "character 12 is 'O', neither a digit nor `.`";
        assert!(read_all(&damaged(2, "81O2364.."))[0].1.starts_with(&letter[..21]));
    }

    #[test]
    fn a_grid_of_another_size_is_named() {
        let text = "1.3.A.C.EF.2.4.6\n".repeat(16);
        let reason = "256 characters make a 16x16 grid, which is not supported (only 9x9)";
        assert!(read_all(&text)[0].1.starts_with(&reason[..35]));
        assert_eq!(read_all(&text).len(), 1);
    }

    #[test]
    fn a_title_without_a_grid_is_a_stray() {
        let grid = text(&lines("0"));
        assert_reads(&format!("Grid 01\n{grid}Grid 02\n"), &[(2, "puzzle"), (11, "stray")]);
        assert_reads(&format!("Grid 00\nGrid 01\n{grid}"), &[(1, "stray"), (3, "puzzle")]);
    }

    #[test]
    fn only_the_puzzle_section_holds_a_row() {
        let grid = text(&lines("."));
        let full = "534678912\n".repeat(9);
        let sdk = format!("#A me\n[Puzzle]\n{grid}[State]\n{full}");
        assert_reads(&sdk, &[(3, "puzzle")]);
        assert_reads(
            &format!("{sdk}{sdk}\n{grid}"),
            &[(3, "puzzle"), (24, "puzzle"), (44, "puzzle")],
        );
        assert_reads(&format!("[Puzle]\n{grid}"), &[(1, "stray")]);
        assert_reads("[Puzzle]\n[State]\n", &[(1, "stray")]);
    }

    /// The grid in a frame of `top`, `middle` and `bottom`, with `bar` at the boxes.
    fn framed(top: &str, middle: &str, bottom: &str, bar: &str, empty: &str) -> String {
        let mut text = format!("{top}\n");
        for (index, row) in lines(empty).iter().enumerate() {
            if matches!(index, 3 | 6) {
                text += &format!("{middle}\n");
            }
            text += &format!("{bar}{}{bar}{}{bar}{}{bar}\n", &row[..3], &row[3..6], &row[6..]);
        }
        text + bottom + "\n"
    }

    #[test]
    fn frames_of_several_programs_are_no_cells() {
        let simple = framed(" *-----------*", " |---+---+---|", " *-----------*", "|", ".");
        assert_reads(&simple.repeat(2), &[(2, "puzzle"), (15, "puzzle")]);
        let ruled = framed("+---+---+---+", "+---+---+---+", "+---+---+---+", "|", "0");
        assert_reads(&ruled.repeat(2), &[(2, "puzzle"), (15, "puzzle")]);
        let hodoku = framed(".---.---.---.", ":---+---+---:", "'---'---'---'", "|", ".");
        assert_reads(&hodoku, &[(2, "puzzle")]);
        let spaces = framed("+---+---+---+", "+---+---+---+", "+---+---+---+", "|", " ");
        assert_reads(&spaces, &[(2, "puzzle")]);
        let short = simple.replacen(" |---+---+---|\n|.4", "|.4", 1).replacen("|3..|", "|3..", 1);
        assert_reads(
            &format!("{short}\n{simple}"),
            &[
                (2, "row 1 of the grid is spaced unevenly, so that its columns are not certain"),
                (15, "puzzle"),
            ],
        );
        let lost = simple.replacen("|3..|4..|8.7|\n", "", 1);
        assert_reads(&format!("{lost}{simple}"), &[(2, "the grid has 8 rows"), (14, "puzzle")]);
    }

    #[test]
    fn spaces_are_empty_cells_whether_trimmed_or_not() {
        let full = text(&lines(" "));
        let trimmed: String = full.lines().map(|line| format!("{}\n", line.trim_end())).collect();
        assert!(trimmed.len() < full.len());
        for grid in [full.clone(), trimmed.clone()] {
            assert_reads(&format!("{grid}\n{grid}"), &[(1, "puzzle"), (11, "puzzle")]);
            assert_reads(&format!("{grid}{grid}"), &[(1, "puzzle"), (10, "puzzle")]);
        }
        let mixed = trimmed.replacen('\n', "  \n", 1);
        assert!(read_all(&mixed)[0].1.contains("cells"));
    }

    #[test]
    fn rows_that_lost_their_first_spaces_are_not_shifted() {
        let trimmed: String = lines(" ").iter().map(|line| format!("{}\n", line.trim())).collect();
        let reason = "row 1 of the grid is spaced unevenly, so that its columns are not certain";
        let first = trimmed.lines().position(|line| line.len() < 9).unwrap() + 1;
        assert_reads(&trimmed, &[(1, &reason.replace("row 1", &format!("row {first}")))]);
    }

    /// Eight rows with spaces for empty cells.
    const EIGHT: &str =
        "1  4  7\n 2  5  8\n  3  6  9\n7  1  4\n 8  2  5\n  9  3  6\n4  7  1\n 5  8\n";

    #[test]
    fn a_blank_line_is_a_row_where_nothing_else_is_possible() {
        let (head, tail) = EIGHT.split_at(27);
        let inner = format!("{head}\n{tail}");
        let grid =
            "1..4..7...2..5..8...3..6..9.........7..1..4...8..2..5...9..3..64..7..1...5..8....";
        assert_reads(&inner, &[(1, grid)]);
        assert_eq!(read_all(&format!("{inner}\nGrid 2\n{inner}")).len(), 2);
        // The next grid could as well be the end of this one.
        let following = format!("{inner}{inner}");
        assert!(read_all(&following).iter().any(|(_, what)| what.contains("rows")));
    }

    #[test]
    fn blank_rows_may_be_missing_at_the_end_of_the_file_only() {
        for end in ["", "\n", "\n\n\n"] {
            let read = read_all(&format!("{EIGHT}{end}"));
            assert_eq!(read.len(), 1);
            assert!(read[0].1.ends_with("..."), "{read:?}");
            assert!(read[0].1.starts_with("1..4..7..."), "{read:?}");
        }
        // A blank row could have been the first or the last one.
        assert_reads(&format!("Grid\n\n{EIGHT}"), &[(2, "the grid has 8 rows")]);
        assert_reads(EIGHT.trim_end(), &[(1, "the grid has 8 rows")]);
        assert_reads(
            &format!("{EIGHT}\n{}", text(&lines(" "))),
            &[(1, "the grid has 8 rows"), (10, "puzzle")],
        );
    }

    #[test]
    fn the_format_is_known_by_rows_of_nine_without_a_whole_grid() {
        let grid = text(&lines("."));
        assert!(Grids::fits(grid.as_bytes()));
        assert!(Grids::fits(
            format!("A long citation {PUZZLE}, said N.\n\nGrid 1\n{grid}").as_bytes()
        ));
        assert!(Grids::fits(text(&lines(" ")).as_bytes()));
        assert!(Grids::fits(&text(&lines(" ")).repeat(20).as_bytes()[..1000]));
        for other in [
            format!("{PUZZLE}\n").repeat(3),
            format!("A citation\n123456789\n123456789\n123456789\n{PUZZLE}\n"),
            format!("puzzle\n\"{}\"\n", grid.trim_end()),
            format!("puzzle,n\n1,\"{}\"\n", grid.trim_end()),
            "puzzle,solution\n12,34\n".into(),
            String::new(),
        ] {
            assert!(!Grids::fits(other.as_bytes()), "{other}");
        }
    }
}
