//! One grid a line, beside other fields and comments.

use crate::dataset::layout::{Column, Hints, RowError};
use crate::dataset::record::{Kind, MAX_RECORD, Record, Rows, is_blank, line_of, samples};
use crate::grid::{Grid, GridError};
use memchr::{memchr, memchr2_iter};
use std::borrow::Cow;

/// Lines from which the fields are guessed.
const SNIFFED: usize = 100;

/// Which field of a line is the grid, counted from 0, and which the solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::dataset) struct Lines {
    separator: Separator,
    puzzle: usize,
    solution: Option<usize>,
}

/// What parts the fields of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Separator {
    /// Nothing: the line is the grid.
    None,
    /// Any run of white space, as in the exchange puzzle bank.
    WhiteSpace,
    /// Colons, as in `puzzle:count:solution` and in HoDoKu's libraries.
    Colon,
}

impl Lines {
    /// Finds the fields from the first lines of a file. The puzzle is the first grid that is not
    /// full, if there is one.
    pub(in crate::dataset) fn sniff(bytes: &[u8], at_end: bool, hints: &Hints) -> Self {
        let mut lines = Lines::find(bytes, at_end).unwrap_or(Lines::BARE);
        if let Some(Column::Number(number)) = hints.puzzle {
            lines.puzzle = number.saturating_sub(1);
        }
        if let Some(Column::Number(number)) = hints.solution {
            lines.solution = Some(number.saturating_sub(1));
        }
        lines
    }

    /// Whether a line holds a grid.
    pub(in crate::dataset) fn fits(bytes: &[u8], at_end: bool) -> bool {
        Lines::find(bytes, at_end).is_some()
    }

    const BARE: Lines = Lines { separator: Separator::None, puzzle: 0, solution: None };

    fn find(bytes: &[u8], at_end: bool) -> Option<Self> {
        let samples = samples(&Lines::BARE, bytes, at_end, SNIFFED);
        let place = |separator: Separator, wanted: fn(&Grid) -> bool| {
            samples.iter().find_map(|sample| {
                let mut fields = separator.fields(content(sample.bytes));
                fields.position(|field| read(field).is_ok_and(|grid| wanted(&grid)))
            })
        };
        [Separator::None, Separator::WhiteSpace, Separator::Colon].into_iter().find_map(
            |separator| {
                let solution = place(separator, |grid| grid.clues() == 81);
                let puzzle = place(separator, |grid| grid.clues() < 81).or(solution)?;
                let solution = solution.filter(|&place| place != puzzle);
                Some(Lines { separator, puzzle, solution })
            },
        )
    }

    fn grid(&self, row: &[u8], column: usize) -> Result<Grid, RowError> {
        let mut fields = self.separator.fields(content(row));
        match fields.nth(column) {
            Some(field) => {
                read(field).map_err(|source| RowError::NotAGrid { column: column + 1, source })
            }
            None => {
                let fields = self.separator.fields(content(row)).count();
                Err(RowError::MissingField { column: column + 1, fields })
            }
        }
    }
}

impl Rows for Lines {
    fn next(&self, bytes: &[u8], at_end: bool) -> Option<Record> {
        let reach = &bytes[..bytes.len().min(MAX_RECORD + 1)];
        let mut record = match memchr(b'\n', reach) {
            Some(end) => Record::line(Kind::Plain, end),
            None => Record::unfinished(Kind::Plain, reach, at_end)?,
        };
        // Nearly every line begins with a cell.
        let is_cell = bytes[0].is_ascii_digit() || bytes[0] == b'.';
        if record.kind == Kind::Plain && !is_cell && is_blank(content(&bytes[..record.len])) {
            record.kind = Kind::Skip;
        }
        Some(record)
    }

    fn puzzle(&self, _: Kind, row: &[u8]) -> Result<Grid, RowError> {
        match Grid::parse(row) {
            Ok(grid) if self.separator == Separator::None => Ok(grid),
            _ => self.grid(row, self.puzzle),
        }
    }

    fn solution(&self, _: Kind, row: &[u8]) -> Option<Result<Grid, RowError>> {
        let column = self.solution?;
        let is_there =
            self.separator.fields(content(row)).nth(column).is_some_and(|f| !is_blank(f));
        is_there.then(|| self.grid(row, column))
    }
}

impl Separator {
    fn fields(self, line: &[u8]) -> Box<dyn Iterator<Item = &[u8]> + '_> {
        match self {
            Separator::None => Box::new(std::iter::once(line)),
            Separator::WhiteSpace => {
                let parts = line.split(u8::is_ascii_whitespace);
                Box::new(parts.filter(|part| !part.is_empty()))
            }
            Separator::Colon => Box::new(line.split(|&byte| byte == b':')),
        }
    }
}

/// A line without the comment that ends it.
fn content(line: &[u8]) -> &[u8] {
    let line = line_of(line);
    let is_comment = |&at: &usize| line[at] == b'#' || line[at..].starts_with(b"//");
    let end = memchr2_iter(b'#', b'/', line).find(is_comment);
    &line[..end.unwrap_or(line.len())]
}

/// A grid in which a digit that was placed has a `+` before it, as HoDoKu writes it.
fn read(field: &[u8]) -> Result<Grid, GridError> {
    let mut text = Cow::Borrowed(field);
    if memchr(b'+', field).is_some() {
        let is_kept = |at: &usize| {
            field[*at] != b'+' || !field.get(at + 1).is_some_and(|next| matches!(next, b'1'..=b'9'))
        };
        text = (0..field.len()).filter(is_kept).map(|at| field[at]).collect();
    }
    Grid::parse(&text)
}
