//! The first rows of a file, and what they say of its columns.

use super::{Csv, Header, PUZZLE, SOLUTION};
use crate::dataset::format::columns::{Grids, puzzle_column, solution_column};
use crate::dataset::format::csv::fields::fields;
use crate::dataset::layout::{Column, Hints, LayoutError};
use crate::dataset::record::{Sample, line_of, quote, samples};
use crate::grid::Grid;

/// Fields of a header that a message shows.
const SHOWN: usize = 20;

/// A longer field is no header name.
const LONGEST_NAME: usize = 40;

/// The first rows of a file, cut into fields.
pub(super) struct Table<'a> {
    delimiter: u8,
    rows: Vec<Row<'a>>,
    /// The same rows as grids.
    grids: Vec<Grids>,
}

struct Row<'a> {
    sample: Sample<'a>,
    /// The fields without outer white space.
    fields: Vec<Vec<u8>>,
    /// The fields in lower case.
    names: Vec<String>,
}

/// A column to look for: what the user says of it, its usual names, and the option that names it.
struct Sought<'a> {
    wanted: Option<&'a Column>,
    names: &'a [&'a str],
    option: &'static str,
}

impl<'a> Table<'a> {
    /// Cuts the rows at `delimiter`.
    pub(super) fn new(bytes: &'a [u8], at_end: bool, delimiter: u8) -> Self {
        let bare = Csv::bare(delimiter);
        let mut table = Table { delimiter, rows: Vec::new(), grids: Vec::new() };
        for sample in samples(&bare, bytes, at_end, usize::MAX) {
            let raw = fields(sample.kind, sample.bytes, delimiter);
            let fields: Vec<Vec<u8>> = raw.iter().map(|field| field.trim_ascii().into()).collect();
            let name = |field: &Vec<u8>| String::from_utf8_lossy(field).trim().to_lowercase();
            let names = fields.iter().map(name).collect();
            table.grids.push(raw.iter().map(|field| Grid::parse(field).ok()).collect());
            table.rows.push(Row { sample, fields, names });
        }
        table
    }

    /// How well the delimiter fits: the number of rows that hold a grid, and whether a column has
    /// the name of a puzzle column.
    pub(super) fn fit(&self) -> (usize, bool) {
        let rows = self.grids.iter().filter(|row| row.iter().any(Option::is_some)).count();
        (rows, self.row_with(|name| PUZZLE.contains(&name)).is_some())
    }

    /// The number of columns of the widest row.
    pub(super) fn width(&self) -> usize {
        self.rows.iter().map(|row| row.fields.len()).max().unwrap_or(0)
    }

    /// Before the first grid, the first row with a field whose name is wanted; a comment only if
    /// there is no other.
    fn row_with(&self, is_wanted: impl Fn(&str) -> bool) -> Option<usize> {
        let is_grid = |row: &Grids| row.iter().any(Option::is_some);
        let end = self.grids.iter().position(is_grid).unwrap_or(self.rows.len());
        let is_named = |row: &usize| self.rows[*row].names.iter().any(|name| is_wanted(name));
        let plain = (0..end).find(|row| is_named(row) && !self.rows[*row].is_comment());
        plain.or_else(|| (0..end).find(is_named))
    }

    /// The columns.
    ///
    /// The header is the first row in which a column has the name that is looked for; text that is
    /// no row may stand before it. A file without such a header has its puzzles where the first
    /// grid stands that is not full, and its solutions where others solve them; its first row may
    /// still be a header, of other names.
    pub(super) fn layout(&self, hints: &Hints) -> Result<Csv, LayoutError> {
        let puzzle = Sought { wanted: hints.puzzle.as_ref(), names: &PUZZLE, option: "--column" };
        let solution = Sought {
            wanted: hints.solution.as_ref(),
            names: &SOLUTION,
            option: "--solution-column",
        };
        let csv = Csv { width: self.width(), ..Csv::bare(self.delimiter) };
        let named = self.row_with(|name| puzzle.is(name));
        let comments = (0..self.rows.len()).take_while(|&row| self.is_comment(row)).count();
        let head = named.unwrap_or(comments);
        let (Some(row), Some(grids)) = (self.rows.get(head), self.grids.get(head)) else {
            return Ok(csv);
        };
        let holds_grid = grids.iter().any(Option::is_some);
        let (named, solution) = (row.find(&puzzle, holds_grid)?, row.find(&solution, holds_grid)?);
        let by_number = matches!(hints.puzzle, Some(Column::Number(_)));
        let first_grid = || puzzle_column(&self.grids).or_else(|| self.damaged_column());
        let (place, has_header) = match named {
            Some(place) if by_number => (place, !holds_grid && row.is_header(place)),
            Some(place) => (place, true),
            // In a single column a header of names that we do not know could as well be a damaged
            // row, which must not get lost.
            None => match first_grid() {
                Some(place) => (place, !holds_grid && row.fields.len() > 1 && row.is_header(place)),
                None if row.fields.len() == 1 => (0, false),
                None => {
                    let header = row.header();
                    return Err(LayoutError::NoPuzzleColumn { line: row.sample.line, header });
                }
            },
        };
        let by_content = named.is_none() || by_number;
        let solution =
            solution.or_else(|| by_content.then(|| solution_column(&self.grids, place))?);
        let header = has_header
            .then(|| Header { bytes: line_of(row.sample.bytes).to_vec(), line: row.sample.line });
        let comments = (0..head).filter(|&row| self.is_comment(row));
        let comments = comments.map(|row| line_of(self.rows[row].sample.bytes).to_vec()).collect();
        Ok(Csv { puzzle: place, solution, header, comments, ..csv })
    }

    /// Whether a row is a comment where no row has come before it. What holds a grid, be it
    /// damaged, is none.
    fn is_comment(&self, row: usize) -> bool {
        let (grids, row) = (&self.grids[row], &self.rows[row]);
        row.is_comment()
            && grids.iter().all(Option::is_none)
            && !row.fields.iter().any(|field| is_damaged(field))
    }

    /// The column of the first field that must have been a grid.
    fn damaged_column(&self) -> Option<usize> {
        self.rows.iter().find_map(|row| row.fields.iter().position(|field| is_damaged(field)))
    }
}

impl Sought<'_> {
    /// Whether this is a name of the column.
    fn is(&self, name: &str) -> bool {
        match self.wanted {
            Some(Column::Name(wanted)) => wanted.trim().to_lowercase() == name,
            _ => self.names.contains(&name),
        }
    }
}

impl Row<'_> {
    /// Whether it begins like a comment. Where spreadsheets fail, they write `#NAME?` and the like, and `#` alone is the name of a column.
    fn is_comment(&self) -> bool {
        let is_failure = |text: &[u8]| {
            let text = text.to_ascii_uppercase();
            text == b"N/A" || text.ends_with(b"!") || text.ends_with(b"?")
        };
        let text = self.fields.first().and_then(|field| field.strip_prefix(b"#"));
        text.is_some_and(|text| !is_failure(text) && (!text.is_empty() || self.fields.len() == 1))
    }

    /// The place of the column of this name.
    fn by_name(&self, name: &str, option: &'static str) -> Result<Option<usize>, LayoutError> {
        let mut places = (0..self.names.len()).filter(|&index| self.names[index] == name);
        match (places.next(), places.next()) {
            (_, Some(_)) => {
                let line = self.sample.line;
                Err(LayoutError::DuplicateColumn { name: name.into(), line, option })
            }
            (place, None) => Ok(place),
        }
    }

    /// The fields as a message shows them.
    fn header(&self) -> String {
        let more = if self.fields.len() > SHOWN { ", …" } else { "" };
        let shown = self.fields.iter().take(SHOWN).map(|field| quote(field));
        shown.collect::<Vec<_>>().join(", ") + more
    }

    /// The place of a column that the user names, or that has one of its usual names here.
    fn find(&self, sought: &Sought, holds_grid: bool) -> Result<Option<usize>, LayoutError> {
        match sought.wanted {
            Some(Column::Number(number)) => Ok(Some(number.saturating_sub(1))),
            Some(Column::Name(name)) => {
                let absent = |header| LayoutError::NoSuchColumn {
                    name: name.clone(),
                    line: self.sample.line,
                    header,
                };
                if holds_grid {
                    return Err(absent("a grid, so there is no header".into()));
                }
                let place = self.by_name(&name.trim().to_lowercase(), sought.option)?;
                place.map(Some).ok_or_else(|| absent(self.header()))
            }
            None if holds_grid => Ok(None),
            None => {
                for name in sought.names {
                    if let Some(place) = self.by_name(name, sought.option)? {
                        return Ok(Some(place));
                    }
                }
                Ok(None)
            }
        }
    }

    /// Whether these can only be names of columns, that of the puzzles at `place`.
    fn is_header(&self, place: usize) -> bool {
        let is_text = |field: &Vec<u8>| {
            let (letters, cells) = letters_and_cells(field);
            letters >= cells
        };
        self.fields.get(place).is_some_and(|field| is_name(field))
            && self.fields.iter().all(|field| is_text(field) && !is_value(field))
    }
}

/// Numbers of letters, and of characters that could be cells of a grid. An `x` alone is a letter.
fn letters_and_cells(field: &[u8]) -> (usize, usize) {
    if field.eq_ignore_ascii_case(b"x") {
        return (1, 0);
    }
    let is_cell = |byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b'*' | b'?' | b'x' | b'X');
    let cells = field.iter().filter(|byte| is_cell(byte)).count();
    let letters = String::from_utf8_lossy(field).chars().filter(|c| c.is_alphabetic()).count();
    let marks = field.iter().filter(|byte| byte.eq_ignore_ascii_case(&b'x')).count();
    (letters - marks, cells)
}

/// Whether a field reads like the name of a column rather than like a damaged grid. Where
/// spreadsheets fail, they write `#NAME?` and the like.
fn is_name(field: &[u8]) -> bool {
    let (letters, cells) = letters_and_cells(field);
    letters > cells && field[0] != b'#'
        || letters > 0 && letters == cells && field[0].is_ascii_alphabetic()
}

/// Whether a field is nobody's column name: a long text, or what programs write for a value that is
/// not there.
fn is_value(field: &[u8]) -> bool {
    let absent = [&b"null"[..], b"none", b"nan", b"na", b"n/a", b"<na>", b"#n/a"];
    field.len() > LONGEST_NAME || absent.iter().any(|absent| field.eq_ignore_ascii_case(absent))
}

/// Whether a field, which is no grid, must have been one, or is one of another size.
fn is_damaged(field: &[u8]) -> bool {
    field.len() >= 16 && letters_and_cells(field).1 > field.len() / 2
}
