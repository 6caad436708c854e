//! Which field of a row holds the puzzle.

use super::cut::{Kind, MAX_RECORD};
use crate::grid::{Grid, GridError};
use memchr::memchr_iter;
use std::cell::RefCell;
use thiserror::Error;

/// Header names of the puzzle column, the preferred ones first.
const NAMES: [&str; 8] =
    ["puzzle", "puzzles", "quiz", "quizzes", "question", "sudoku", "grid", "board"];

/// UTF-8's byte order mark, which spreadsheets put before the first header.
pub(super) const BOM: &[u8] = b"\xef\xbb\xbf";

/// Fields are separated by this byte.
const DELIMITER: u8 = b',';

/// The puzzle column as a user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Column {
    /// By its header, without regard to case and outer spaces.
    Name(String),
    /// By its place, counted from 1.
    Number(usize),
}

/// The columns of a file do not say where its puzzles are.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LayoutError {
    /// The named column is not in the header.
    #[error("there is no column `{name}`; line {line} has {header}")]
    NoSuchColumn {
        /// The name asked for.
        name: String,
        /// Physical line of the header.
        line: u64,
        /// What stands there.
        header: String,
    },
    /// Two columns have the name of the puzzle column.
    #[error(
        "line {line} names the column `{name}` more than once; choose one with --column NUMBER"
    )]
    DuplicateColumn {
        /// The doubled name.
        name: String,
        /// Physical line of the header.
        line: u64,
    },
    /// The first row has carriage returns in it: the lines of the file end with nothing else.
    #[error("line {line} has carriage returns in it; lines must end with a line feed")]
    CarriageReturns {
        /// Physical line of the first row.
        line: u64,
    },
    /// There are several columns, none is named like a puzzle column, and none holds a grid.
    #[error("no column of line {line} ({header}) holds puzzles; name one with --column")]
    NoPuzzleColumn {
        /// Physical line of the first row.
        line: u64,
        /// What stands there.
        header: String,
    },
}

/// Why a row gives no puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RowError {
    /// The puzzle field is not a grid.
    #[error("column {column}: {source}")]
    NotAGrid {
        /// The puzzle column, counted from 1.
        column: usize,
        /// What is wrong with it.
        source: GridError,
    },
    /// The row ends before the puzzle column.
    #[error("column {column} is missing: the row has {fields}")]
    MissingField {
        /// The puzzle column, counted from 1.
        column: usize,
        /// Number of fields seen.
        fields: usize,
    },
    /// A quoted field begins and never ends.
    #[error(
        "a quoted field is not closed within {MAX_RECORD} bytes; the next line is read as a row of its \
         own"
    )]
    OpenQuote,
    /// The line is too long to be a row.
    #[error("the line is longer than {MAX_RECORD} bytes")]
    Overlong,
}

/// A record that [`Layout::sniff`] may look at.
pub(super) struct Sample<'a> {
    pub(super) line: u64,
    pub(super) kind: Kind,
    pub(super) bytes: &'a [u8],
}

/// The puzzle column and the header line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The puzzle column, counted from 0.
    column: usize,
    /// The header line, which is no row wherever it stands.
    header: Option<Vec<u8>>,
}

impl Layout {
    /// Finds the puzzle column from the first records of a file.
    ///
    /// The first record is data when one of its fields is a grid; otherwise it is a header when a
    /// field has a name of a puzzle column. A file without a usable header has its puzzles where
    /// the first grid stands that is not full.
    pub(super) fn sniff(samples: &[Sample], wanted: Option<&Column>) -> Result<Self, LayoutError> {
        let rows: Vec<Vec<Vec<u8>>> =
            samples.iter().map(|sample| fields(sample.kind, sample.bytes)).collect();
        let (Some(first), Some(sample)) = (rows.first(), samples.first()) else {
            return Ok(Layout { column: 0, header: None });
        };
        if line_of(sample.bytes).contains(&b'\r') {
            return Err(LayoutError::CarriageReturns { line: sample.line });
        }
        let holds_grid = first.iter().any(|field| Grid::parse(field).is_ok());
        let names: Vec<String> =
            first.iter().map(|field| String::from_utf8_lossy(field).to_lowercase()).collect();
        let with_header = |column| Layout { column, header: Some(line_of(sample.bytes).to_vec()) };
        let header = || first.iter().map(|f| quote(f)).collect::<Vec<_>>().join(", ");

        let by_name = |name: &str| {
            let mut places = (0..names.len()).filter(|&index| names[index] == name);
            match (places.next(), places.next()) {
                (_, Some(_)) => {
                    Err(LayoutError::DuplicateColumn { name: name.into(), line: sample.line })
                }
                (place, None) => Ok(place),
            }
        };
        match wanted {
            Some(Column::Name(name)) if holds_grid => {
                return Err(LayoutError::NoSuchColumn {
                    name: name.clone(),
                    line: sample.line,
                    header: "a grid, so there is no header".into(),
                });
            }
            Some(Column::Name(name)) => {
                return by_name(&name.trim().to_lowercase())?.map(with_header).ok_or_else(|| {
                    LayoutError::NoSuchColumn {
                        name: name.clone(),
                        line: sample.line,
                        header: header(),
                    }
                });
            }
            Some(Column::Number(number)) => {
                let column = number.saturating_sub(1);
                let is_header = !holds_grid && first.get(column).is_some_and(|f| is_word(f));
                return Ok(match is_header {
                    true => with_header(column),
                    false => Layout { column, header: None },
                });
            }
            None => {}
        }
        if !holds_grid {
            for name in NAMES {
                if let Some(column) = by_name(name)? {
                    return Ok(with_header(column));
                }
            }
        }
        match first_grid(&rows) {
            // A header of names that we do not know. In a single column it could as well be a
            // damaged row, which must not get lost.
            Some(column)
                if !holds_grid
                    && first.len() > 1
                    && first.get(column).is_some_and(|field| is_word(field)) =>
            {
                Ok(with_header(column))
            }
            Some(column) => Ok(Layout { column, header: None }),
            None if first.len() == 1 => Ok(Layout { column: 0, header: None }),
            None => Err(LayoutError::NoPuzzleColumn { line: sample.line, header: header() }),
        }
    }

    pub(super) fn delimiter(&self) -> u8 {
        DELIMITER
    }

    /// Whether the line is the header (again), as it comes in files that were joined: also with a
    /// byte order mark, in other case, or with outer white space.
    pub(super) fn is_header(&self, line: &[u8]) -> bool {
        self.header.as_deref().is_some_and(|header| {
            let line = line.strip_prefix(BOM).unwrap_or(line);
            line.trim_ascii().eq_ignore_ascii_case(header.trim_ascii())
        })
    }

    /// The puzzle of a plain or quoted row.
    pub(super) fn puzzle(&self, kind: Kind, row: &[u8]) -> Result<Grid, RowError> {
        let missing = |fields| Err(RowError::MissingField { column: self.column + 1, fields });
        let not_a_grid = |source| RowError::NotAGrid { column: self.column + 1, source };
        match kind {
            Kind::Plain => match nth_field(line_of(row), self.column) {
                Ok(field) => Grid::parse(field.trim_ascii()).map_err(not_a_grid),
                Err(fields) => missing(fields),
            },
            Kind::Quoted => {
                let fields = Unquoted::new(line_of(row));
                match fields.get(self.column) {
                    Some(field) => Grid::parse(field).map_err(not_a_grid),
                    None => missing(fields.len()),
                }
            }
            Kind::OpenQuote => Err(RowError::OpenQuote),
            Kind::Overlong => Err(RowError::Overlong),
        }
    }
}

/// A record without the carriage return that a CRLF line end leaves.
fn line_of(record: &[u8]) -> &[u8] {
    record.strip_suffix(b"\r").unwrap_or(record)
}

/// The field at `index` of a line without quotes; when there is none, how many there are.
fn nth_field(line: &[u8], index: usize) -> Result<&[u8], usize> {
    let mut start = 0;
    let mut seen = 0;
    for end in memchr_iter(DELIMITER, line) {
        if seen == index {
            return Ok(&line[start..end]);
        }
        seen += 1;
        start = end + 1;
    }
    if seen == index { Ok(&line[start..]) } else { Err(seen + 1) }
}

/// All fields of a record, without quotes and outer white space.
fn fields(kind: Kind, record: &[u8]) -> Vec<Vec<u8>> {
    let line = line_of(record);
    match kind {
        Kind::Quoted => {
            let fields = Unquoted::new(line);
            (0..fields.len()).filter_map(|index| Some(fields.get(index)?.to_vec())).collect()
        }
        _ => {
            line.split(|&byte| byte == DELIMITER).map(|field| field.trim_ascii().to_vec()).collect()
        }
    }
}

thread_local! {
    /// Each worker's parser of RFC 4180 records, since building one takes longer than solving most
    /// puzzles. (A clone of one, in csv-core 0.1.13, finds no fields.)
    static PARSER: RefCell<csv_core::Reader> = RefCell::new(
        csv_core::ReaderBuilder::new()
            .delimiter(DELIMITER)
            .terminator(csv_core::Terminator::Any(b'\n'))
            .build(),
    );
}

/// The fields of a line with quotes.
struct Unquoted {
    /// All fields, one behind the other.
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl Unquoted {
    fn new(line: &[u8]) -> Self {
        let mut text = vec![0; line.len()];
        let mut ends = vec![0; memchr_iter(DELIMITER, line).count() + 2];
        let (_, _, written, complete) = PARSER.with_borrow_mut(|parser| {
            parser.reset();
            parser.read_record(line, &mut text, &mut ends)
        });
        // The last field ends with the input, not with a terminator.
        ends[complete] = written;
        ends.truncate(complete + 1);
        Unquoted { text, ends }
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    /// The field at `index`, without outer white space.
    fn get(&self, index: usize) -> Option<&[u8]> {
        let end = *self.ends.get(index)?;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        Some(self.text[start..end].trim_ascii())
    }
}

/// The column of the first grid with an empty cell, else of the first grid.
fn first_grid(rows: &[Vec<Vec<u8>>]) -> Option<usize> {
    let column_of = |wanted: fn(&Grid) -> bool| {
        rows.iter().find_map(|row| {
            row.iter().position(|field| Grid::parse(field).is_ok_and(|grid| wanted(&grid)))
        })
    };
    column_of(|grid| grid.clues() < 81).or_else(|| column_of(|_| true))
}

/// Whether a field reads like a column name rather than like a damaged grid.
fn is_word(field: &[u8]) -> bool {
    !field.is_empty() && !field.iter().any(|byte| byte.is_ascii_digit() || *byte == b'.')
}

/// A field as an error message shows it: short, in back quotes.
fn quote(field: &[u8]) -> String {
    let text = String::from_utf8_lossy(field);
    match text.char_indices().nth(24) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str =
        "3..4..8.78172364..4.98.56...417...5.7.3.8..6.68.9.3174....2.7...3.547.822.4.985.3";
    const SOLUTION: &str =
        "365419827817236495429875631941762358753184269682953174598321746136547982274698513";

    fn sniff(lines: &[&str], column: Option<Column>) -> Result<Layout, LayoutError> {
        let samples: Vec<Sample> = (1..)
            .zip(lines)
            .map(|(line, text)| Sample {
                line,
                kind: if text.contains('"') { Kind::Quoted } else { Kind::Plain },
                bytes: text.as_bytes(),
            })
            .collect();
        Layout::sniff(&samples, column.as_ref())
    }

    fn column_of(lines: &[&str]) -> (usize, bool) {
        let layout = sniff(lines, None).unwrap();
        (layout.column, layout.header.is_some())
    }

    #[test]
    fn a_header_is_found_by_name_in_any_case_and_place() {
        assert_eq!(column_of(&["Puzzle, SOLUTION "]), (0, true));
        assert_eq!(column_of(&["id, Quizzes ,x"]), (1, true));
        assert_eq!(column_of(&["\"id\",\"puzzle\"\r"]), (1, true));
        assert_eq!(column_of(&["board,puzzle"]), (1, true));
    }

    #[test]
    fn without_a_header_the_first_grid_that_is_not_full_is_the_puzzle() {
        let row = format!("7,{SOLUTION},{PUZZLE}");
        assert_eq!(column_of(&[&row]), (2, false));
        assert_eq!(column_of(&[SOLUTION]), (0, false));
        assert_eq!(column_of(&[&PUZZLE[1..], PUZZLE]), (0, false));
    }

    #[test]
    fn a_header_of_unknown_names_is_no_row() {
        let row = format!("7,{PUZZLE}");
        assert_eq!(column_of(&["nr,start", &row]), (1, true));
        assert!(matches!(sniff(&["a,b", "1,2"], None), Err(LayoutError::NoPuzzleColumn { .. })));
    }

    #[test]
    fn a_column_can_be_chosen_by_name_or_number() {
        let row = format!("7,{PUZZLE},{SOLUTION}");
        let chosen = |column| sniff(&["nr,puzzle,Other", &row], Some(column)).unwrap();
        assert_eq!(chosen(Column::Name(" other".into())).column, 2);
        assert_eq!(chosen(Column::Number(3)).column, 2);
        assert!(chosen(Column::Number(3)).header.is_some());
        assert_eq!(sniff(&[&row], Some(Column::Number(2))).unwrap().header, None);
        let error = sniff(&["nr,puzzle"], Some(Column::Name("grid".into()))).unwrap_err();
        assert_eq!(error.to_string(), "there is no column `grid`; line 1 has `nr`, `puzzle`");
    }

    #[test]
    fn a_doubled_puzzle_column_is_refused_not_guessed() {
        let error = sniff(&["puzzle,solution,Puzzle"], None).unwrap_err();
        assert_eq!(error, LayoutError::DuplicateColumn { name: "puzzle".into(), line: 1 });
    }

    #[test]
    fn fields_lose_quotes_and_outer_spaces() {
        let read = |kind, text: &str| fields(kind, text.as_bytes());
        assert_eq!(read(Kind::Quoted, "\"a\"\"b\",\"\",c\r"), [&b"a\"b"[..], b"", b"c"]);
        assert_eq!(read(Kind::Quoted, "\"a\nb\","), [&b"a\nb"[..], b""]);
        assert_eq!(read(Kind::Quoted, "\"\""), [b""]);
        assert_eq!(read(Kind::Plain, " a ,"), [&b"a"[..], b""]);
    }

    #[test]
    fn ragged_rows_say_what_is_missing() {
        let layout = Layout { column: 1, header: None };
        assert_eq!(
            layout.puzzle(Kind::Plain, b"7"),
            Err(RowError::MissingField { column: 2, fields: 1 })
        );
        let row = format!("7,{PUZZLE},extra,\r");
        assert_eq!(layout.puzzle(Kind::Plain, row.as_bytes()).unwrap().to_string(), PUZZLE);
        let row = format!("\"7\",\"{PUZZLE}\"\r");
        assert_eq!(layout.puzzle(Kind::Quoted, row.as_bytes()).unwrap().to_string(), PUZZLE);
    }
}
