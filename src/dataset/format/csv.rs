//! Fields between commas, tabs or semicolons, with or without a header.

mod cut;
mod fields;

use self::cut::next_record;
use self::fields::{Unquoted, fields, nth_field};
use crate::dataset::layout::{Column, Columns, Hints, LayoutError, RowError};
use crate::dataset::reader::BOM;
use crate::dataset::record::{Kind, Record, Rows, Sample, is_blank, line_of, quote, samples};
use crate::grid::Grid;

/// Header names of the puzzle column, the preferred ones first.
pub(super) const PUZZLE: [&str; 8] =
    ["puzzle", "puzzles", "quiz", "quizzes", "question", "sudoku", "grid", "board"];

/// Header names of the solution column, the preferred ones first.
pub(super) const SOLUTION: [&str; 4] = ["solution", "solutions", "answer", "answers"];

/// What may part fields, the likelier ones first.
const DELIMITERS: [u8; 4] = *b",\t;|";

/// A longer field is no header name.
const LONGEST_NAME: usize = 40;

/// Records from which the columns are guessed.
const SNIFFED: usize = 100;

/// Where the rows hold puzzle and solution, counted from 0, and the header line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::dataset) struct Csv {
    delimiter: u8,
    puzzle: usize,
    solution: Option<usize>,
    /// The header line, which is no row wherever it stands.
    header: Option<Vec<u8>>,
}

/// What a file is if this is its delimiter.
struct Found {
    csv: Result<Csv, LayoutError>,
    /// A name or a grid says so.
    holds_puzzles: bool,
    /// Fields of the first record.
    width: usize,
}

impl Found {
    fn new(delimiter: u8, bytes: &[u8], at_end: bool, hints: &Hints) -> Self {
        let bare = Csv::bare(delimiter);
        let samples = samples(&bare, bytes, at_end, SNIFFED);
        let read = |sample: &Sample| fields(sample.kind, sample.bytes, delimiter);
        let rows: Vec<Fields> = samples.iter().map(read).collect();
        let Some(sample) = samples.first() else {
            return Found { csv: Ok(bare), holds_puzzles: false, width: 0 };
        };
        let csv = with_columns(bare, sample, &rows, hints);
        let is_grid_at = |column: usize| {
            let field =
                |row: &Fields| row.get(column).is_some_and(|field| Grid::parse(field).is_ok());
            rows.iter().any(field)
        };
        let holds_puzzles = match &csv {
            Ok(csv) => is_grid_at(csv.puzzle) || csv.is_named(),
            // The columns are there, and doubled.
            Err(error) => matches!(error, LayoutError::DuplicateColumn { .. }),
        };
        Found { csv, holds_puzzles, width: rows[0].len() }
    }
}

/// The fields of a record.
type Fields = Vec<Vec<u8>>;

/// `csv` with the columns that the first rows show, of which `sample` is the first.
fn with_columns(
    csv: Csv,
    sample: &Sample,
    rows: &[Fields],
    hints: &Hints,
) -> Result<Csv, LayoutError> {
    let first = First::new(sample.line, &rows[0]);
    let puzzle = Sought { wanted: hints.puzzle.as_ref(), names: &PUZZLE, option: "--column" };
    let solution =
        Sought { wanted: hints.solution.as_ref(), names: &SOLUTION, option: "--solution-column" };
    let (named, solution) = (first.find(&puzzle)?, first.find(&solution)?);
    let by_number = matches!(hints.puzzle, Some(Column::Number(_)));
    // A header of names that we do not know. In a single column it could as well be a damaged
    // row, which must not get lost.
    let is_name_at = |column: usize| {
        !first.holds_grid && first.fields.get(column).is_some_and(|field| is_name(field))
    };
    let (puzzle, has_header) = match (named, first_grid(rows)) {
        (Some(place), _) if by_number => (place, is_name_at(place)),
        (Some(place), _) => (place, true),
        (None, Some(place)) => (place, first.fields.len() > 1 && is_name_at(place)),
        (None, None) if first.fields.len() == 1 => (0, false),
        (None, None) => {
            let header = first.header();
            return Err(LayoutError::NoPuzzleColumn { line: first.line, header });
        }
    };
    let solution = solution.filter(|&place| place != puzzle).or_else(|| solved(rows, puzzle));
    let header = has_header.then(|| line_of(sample.bytes).to_vec());
    Ok(Csv { puzzle, solution, header, ..csv })
}

/// A column to look for: what the user says of it, its usual names, and the option that names it.
struct Sought<'a> {
    wanted: Option<&'a Column>,
    names: &'a [&'a str],
    option: &'static str,
}

/// The first record of a file.
struct First {
    line: u64,
    fields: Fields,
    /// The fields in lower case.
    names: Vec<String>,
    holds_grid: bool,
}

impl First {
    fn new(line: u64, fields: &Fields) -> Self {
        let lower = |field: &Vec<u8>| String::from_utf8_lossy(field).to_lowercase();
        First {
            line,
            fields: fields.clone(),
            names: fields.iter().map(lower).collect(),
            holds_grid: fields.iter().any(|field| Grid::parse(field).is_ok()),
        }
    }

    /// The place of the column of this name.
    fn by_name(&self, name: &str, option: &'static str) -> Result<Option<usize>, LayoutError> {
        let mut places = (0..self.names.len()).filter(|&index| self.names[index] == name);
        match (places.next(), places.next()) {
            (_, Some(_)) => {
                Err(LayoutError::DuplicateColumn { name: name.into(), line: self.line, option })
            }
            (place, None) => Ok(place),
        }
    }

    /// The fields as a message shows them.
    fn header(&self) -> String {
        self.fields.iter().map(|field| quote(field)).collect::<Vec<_>>().join(", ")
    }

    /// The place of a column that the user names, or that has one of its usual names in the
    /// header.
    fn find(&self, sought: &Sought) -> Result<Option<usize>, LayoutError> {
        match sought.wanted {
            Some(Column::Number(number)) => Ok(Some(number.saturating_sub(1))),
            Some(Column::Name(name)) => {
                let absent = |header| LayoutError::NoSuchColumn {
                    name: name.clone(),
                    line: self.line,
                    header,
                };
                if self.holds_grid {
                    return Err(absent("a grid, so there is no header".into()));
                }
                let place = self.by_name(&name.trim().to_lowercase(), sought.option)?;
                place.map(Some).ok_or_else(|| absent(self.header()))
            }
            None if self.holds_grid => Ok(None),
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
}

impl Csv {
    /// Finds delimiter and columns from the first records of a file.
    ///
    /// The first record is data when one of its fields is a grid; otherwise it is a header when a
    /// field has a name of a puzzle column. A file without a usable header has its puzzles where
    /// the first grid stands that is not full.
    pub(in crate::dataset) fn sniff(
        bytes: &[u8],
        at_end: bool,
        hints: &Hints,
    ) -> Result<Self, LayoutError> {
        let mut found = DELIMITERS.map(|delimiter| Found::new(delimiter, bytes, at_end, hints));
        // Where nothing speaks for any of them, what would be a comma's file has a comma's faults.
        let best = found.iter().position(|found| found.holds_puzzles).unwrap_or(0);
        std::mem::replace(&mut found[best].csv, Ok(Csv::bare(b',')))
    }

    /// Whether columns speak of themselves: the puzzle column has a name, or holds a grid beside
    /// other fields.
    pub(in crate::dataset) fn fits(bytes: &[u8], at_end: bool) -> bool {
        let found = |delimiter| Found::new(delimiter, bytes, at_end, &Hints::default());
        DELIMITERS.into_iter().map(found).any(|found| {
            found.holds_puzzles
                && (found.width > 1 || found.csv.is_ok_and(|csv| csv.header.is_some()))
        })
    }

    fn bare(delimiter: u8) -> Self {
        Csv { delimiter, puzzle: 0, solution: None, header: None }
    }

    pub(in crate::dataset) fn columns(&self) -> Columns<'_> {
        Columns {
            delimiter: self.delimiter,
            header: self.header.as_deref(),
            puzzle: self.puzzle,
            solution: self.solution,
        }
    }

    /// Whether the puzzle column has one of its usual names.
    fn is_named(&self) -> bool {
        self.header.as_deref().is_some_and(|header| {
            let kind = if header.contains(&b'"') { Kind::Quoted } else { Kind::Plain };
            let first = First::new(1, &fields(kind, header, self.delimiter));
            first.names.get(self.puzzle).is_some_and(|name| PUZZLE.contains(&name.as_str()))
        })
    }

    /// Whether the line is the header (again), as it comes in files that were joined: also with a
    /// byte order mark, in other case, or with outer white space.
    fn is_header(&self, line: &[u8]) -> bool {
        self.header.as_deref().is_some_and(|header| {
            let line = line.strip_prefix(BOM).unwrap_or(line);
            line.trim_ascii().eq_ignore_ascii_case(header.trim_ascii())
        })
    }

    /// Calls `read` with the field at `column`, without quotes.
    fn field<T>(
        &self,
        kind: Kind,
        row: &[u8],
        column: usize,
        read: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, RowError> {
        let missing = |fields| RowError::MissingField { column: column + 1, fields };
        match kind {
            Kind::Quoted => {
                let fields = Unquoted::new(line_of(row), self.delimiter);
                fields.get(column).map(read).ok_or_else(|| missing(fields.len()))
            }
            _ => {
                let field = nth_field(line_of(row), column, self.delimiter).map_err(missing)?;
                Ok(read(field))
            }
        }
    }

    fn grid(&self, kind: Kind, row: &[u8], column: usize) -> Result<Grid, RowError> {
        let not_a_grid = |source| RowError::NotAGrid { column: column + 1, source };
        self.field(kind, row, column, Grid::parse)?.map_err(not_a_grid)
    }
}

impl Rows for Csv {
    fn next(&self, bytes: &[u8], at_end: bool) -> Option<Record> {
        let mut record = next_record(bytes, self.delimiter, at_end)?;
        let row = &bytes[..record.len];
        if is_blank(row) || self.is_header(row) {
            record.kind = Kind::Skip;
        }
        Some(record)
    }

    fn puzzle(&self, kind: Kind, row: &[u8]) -> Result<Grid, RowError> {
        self.grid(kind, row, self.puzzle)
    }

    fn solution(&self, kind: Kind, row: &[u8]) -> Option<Result<Grid, RowError>> {
        let column = self.solution?;
        let is_blank = |field: &[u8]| field.trim_ascii().is_empty();
        let is_empty = self.field(kind, row, column, is_blank).unwrap_or(true);
        (!is_empty).then(|| self.grid(kind, row, column))
    }
}

/// The column of the first grid with an empty cell, else of the first grid.
fn first_grid(rows: &[Fields]) -> Option<usize> {
    let column_of = |wanted: fn(&Grid) -> bool| {
        rows.iter().find_map(|row| {
            row.iter().position(|field| Grid::parse(field).is_ok_and(|grid| wanted(&grid)))
        })
    };
    column_of(|grid| grid.clues() < 81).or_else(|| column_of(|_| true))
}

/// The first column beside the puzzles that holds a full grid.
fn solved(rows: &[Fields], puzzle: usize) -> Option<usize> {
    let is_full = |field: &[u8]| Grid::parse(field).is_ok_and(|grid| grid.clues() == 81);
    rows.iter()
        .find_map(|row| (0..row.len()).find(|&column| column != puzzle && is_full(&row[column])))
}

/// Whether a field reads like a column name, and not like a damaged grid.
fn is_name(field: &[u8]) -> bool {
    let is_mark = |byte: &u8| matches!(byte, b'x' | b'X');
    field.first().is_some_and(|first| first.is_ascii_alphabetic() || !first.is_ascii())
        && field.len() <= LONGEST_NAME
        && !field.iter().all(is_mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str =
        "3..4..8.78172364..4.98.56...417...5.7.3.8..6.68.9.3174....2.7...3.547.822.4.985.3";
    const SOLUTION: &str =
        "365419827817236495429875631941762358753184269682953174598321746136547982274698513";

    fn sniff(lines: &[&str], column: Option<Column>) -> Result<Csv, LayoutError> {
        let hints = Hints { puzzle: column, ..Hints::default() };
        Csv::sniff(lines.join("\n").as_bytes(), true, &hints)
    }

    fn column_of(lines: &[&str]) -> (usize, bool) {
        let layout = sniff(lines, None).unwrap();
        (layout.puzzle, layout.header.is_some())
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
        assert_eq!(chosen(Column::Name(" other".into())).puzzle, 2);
        assert_eq!(chosen(Column::Number(3)).puzzle, 2);
        assert!(chosen(Column::Number(3)).header.is_some());
        assert_eq!(sniff(&[&row], Some(Column::Number(2))).unwrap().header, None);
        let error = sniff(&["nr,puzzle"], Some(Column::Name("grid".into()))).unwrap_err();
        assert_eq!(error.to_string(), "there is no column `grid`; line 1 has `nr`, `puzzle`");
    }

    #[test]
    fn a_doubled_puzzle_column_is_refused_not_guessed() {
        let error = sniff(&["puzzle,solution,Puzzle"], None).unwrap_err();
        assert_eq!(
            error,
            LayoutError::DuplicateColumn { name: "puzzle".into(), line: 1, option: "--column" }
        );
    }

    #[test]
    fn ragged_rows_say_what_is_missing() {
        let layout = Csv { delimiter: b',', puzzle: 1, solution: None, header: None };
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
