//! What a file is made of: its format, and where its rows hold their puzzles.

use super::format::{BlockError, Csv, Format, Grids, Json, Lines, OpenSudoku};
use super::record::{Kind, MAX_RECORD, Record, Rows, head, quote};
use crate::grid::{Grid, GridError, plural};
use std::fmt;
use thiserror::Error;

/// A column as a user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Column {
    /// By its header, without regard to case and outer spaces.
    Name(String),
    /// By its place, counted from 1.
    Number(usize),
}

/// What a user says of a file; the rest is found out from its first bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// The format.
    pub format: Option<Format>,
    /// The column of the puzzles.
    pub puzzle: Option<Column>,
    /// The column of the solutions.
    pub solution: Option<Column>,
}

impl Hints {
    /// The largest number by which a column is named; 0 where none is.
    pub(super) fn largest_number(&self) -> usize {
        let number = |column: &Option<Column>| match column {
            Some(Column::Number(number)) => *number,
            Some(Column::Name(_)) | None => 0,
        };
        number(&self.puzzle).max(number(&self.solution))
    }

    /// A column by its number must be there in at least one of the first rows, of which the widest
    /// has `width` columns. Without rows there is nothing to be missed.
    pub(super) fn within(&self, width: usize) -> Result<(), LayoutError> {
        let number = self.largest_number();
        if width > 0 && number > width {
            return Err(LayoutError::NoSuchNumber { number, width });
        }
        Ok(())
    }
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
    /// The numbered column is beyond all of the first rows.
    #[error("there is no column {number}; the first rows have {}", plural(*width, "column"))]
    NoSuchNumber {
        /// The number asked for, counted from 1.
        number: usize,
        /// Columns of the widest row.
        width: usize,
    },
    /// Two columns have the name of the column that is looked for.
    #[error(
        "line {line} names the column `{name}` more than once; choose one with {option} NUMBER"
    )]
    DuplicateColumn {
        /// The doubled name.
        name: String,
        /// Physical line of the header.
        line: u64,
        /// The option that chooses.
        option: &'static str,
    },
    /// The file has no columns that could be named like this.
    #[error("the format `{format}` has no columns by {by}; leave {option} out")]
    NoColumns {
        /// The format's name.
        format: &'static str,
        /// How the column was named.
        by: &'static str,
        /// The option that names it.
        option: &'static str,
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
    #[error("column {column} is missing: the row has {}", plural(*fields, "field"))]
    MissingField {
        /// The puzzle column, counted from 1.
        column: usize,
        /// Number of fields seen.
        fields: usize,
    },
    /// A quoted field begins and never ends.
    #[error(
        "a quoted field is not closed within {MAX_RECORD} bytes in {start}; the next line is read as \
         a row of its own"
    )]
    OpenQuote {
        /// How the line begins.
        start: String,
    },
    /// The line is too long to be a row.
    #[error("the line {start} is longer than {MAX_RECORD} bytes")]
    Overlong {
        /// How the line begins.
        start: String,
    },
    /// A puzzle of several lines is not a grid.
    #[error(transparent)]
    Block(#[from] BlockError),
}

/// The format of a file, and where its rows hold their puzzles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout(Form);

/// One member a family of formats.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    Csv(Csv),
    Lines(Lines),
    Grids(Grids),
    Json(Json),
    OpenSudoku(OpenSudoku),
}

impl Layout {
    /// Finds the layout of a file that begins with `bytes`, without a byte order mark.
    pub(super) fn sniff(bytes: &[u8], at_end: bool, hints: &Hints) -> Result<Self, LayoutError> {
        let head = head(bytes);
        let (bytes, at_end) = (head, at_end && head.len() == bytes.len());
        let is_named = [&hints.puzzle, &hints.solution]
            .into_iter()
            .any(|column| matches!(column, Some(Column::Name(_))));
        let sniffed = || match Format::sniff(bytes, at_end) {
            // Only columns have names.
            Format::Lines | Format::Grids if is_named => Format::Csv,
            format => format,
        };
        let format = hints.format.unwrap_or_else(sniffed);
        refuse_useless(hints, format)?;
        Ok(Layout(match format {
            Format::Csv => Form::Csv(Csv::sniff(bytes, at_end, hints)?),
            Format::Lines => Form::Lines(Lines::sniff(bytes, at_end, hints)?),
            Format::Grids => Form::Grids(Grids),
            Format::Json => Form::Json(Json::new(hints)),
            Format::OpenSudoku => Form::OpenSudoku(OpenSudoku),
        }))
    }

    fn rows(&self) -> &dyn Rows {
        match &self.0 {
            Form::Csv(csv) => csv,
            Form::Lines(lines) => lines,
            Form::Grids(grids) => grids,
            Form::Json(json) => json,
            Form::OpenSudoku(games) => games,
        }
    }

    /// Whether every record ends with a line, and all that decides where lies in a bounded number of
    /// bytes, but for the rest of a line that is too long.
    pub(super) fn is_of_lines(&self) -> bool {
        matches!(self.0, Form::Csv(_) | Form::Lines(_))
    }

    /// The record at the start of `bytes`; see [`Rows::next`].
    pub(super) fn next(&self, bytes: &[u8], at_end: bool) -> Option<Record> {
        self.rows().next(bytes, at_end)
    }

    /// The puzzle of a row.
    pub(super) fn puzzle(&self, kind: Kind, row: &[u8]) -> Result<Grid, RowError> {
        match kind {
            Kind::OpenQuote => Err(RowError::OpenQuote { start: quote(row) }),
            Kind::Overlong => Err(RowError::Overlong { start: quote(row) }),
            _ => self.rows().puzzle(kind, row),
        }
    }

    /// The solution that stands beside the puzzle of a row; `None` where none belongs to a row, and an
    /// inner `None` where it is missing.
    pub(super) fn solution(
        &self,
        kind: Kind,
        row: &[u8],
    ) -> Option<Result<Option<Grid>, RowError>> {
        match kind {
            Kind::OpenQuote | Kind::Overlong => None,
            _ => self.rows().solution(kind, row),
        }
    }

    /// The columns of the file, where its format has columns.
    pub fn columns(&self) -> Option<Columns<'_>> {
        match &self.0 {
            Form::Csv(csv) => Some(csv.columns()),
            Form::Lines(_) | Form::Grids(_) | Form::Json(_) | Form::OpenSudoku(_) => None,
        }
    }
}

/// One phrase: the format, and where its rows hold their puzzles, such as ``csv, column 2 `quiz` ``.
/// With `{:#}`, all that was found out: the columns and what stands between them, the places of
/// puzzles and solutions, and the header.
impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.0 {
            Form::Csv(csv) => {
                write!(f, "{}, ", Format::Csv.name())?;
                csv.fmt(f)
            }
            Form::Lines(lines) => {
                f.write_str(Format::Lines.name())?;
                lines.fmt(f)
            }
            Form::Grids(_) => f.write_str(Format::Grids.name()),
            Form::Json(json) => {
                f.write_str(Format::Json.name())?;
                json.fmt(f)
            }
            Form::OpenSudoku(_) => f.write_str(Format::OpenSudoku.name()),
        }
    }
}

/// A hint that a format cannot follow must not be passed over in silence.
fn refuse_useless(hints: &Hints, format: Format) -> Result<(), LayoutError> {
    for (column, option) in [(&hints.puzzle, "--column"), (&hints.solution, "--solution-column")] {
        let by = match (format, column) {
            (Format::Grids | Format::OpenSudoku, Some(Column::Name(_))) => "name",
            (Format::Grids | Format::OpenSudoku | Format::Json, Some(Column::Number(_))) => {
                "number"
            }
            _ => continue,
        };
        return Err(LayoutError::NoColumns { format: format.name(), by, option });
    }
    Ok(())
}

/// The columns of a file with columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns<'a> {
    /// The byte between two fields.
    pub delimiter: u8,
    /// The header line as it stands in the file, without its line end; `None` when there is none.
    pub header: Option<&'a [u8]>,
    /// The place of the puzzles, counted from 0.
    pub puzzle: usize,
    /// The place of the solutions, counted from 0, where there are any.
    pub solution: Option<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    /// What is said of a file, in short and in full.
    fn phrases(text: &str, hints: &Hints) -> [String; 2] {
        let layout = Layout::sniff(text.as_bytes(), true, hints).unwrap();
        [format!("{layout}"), format!("{layout:#}")]
    }

    #[test]
    fn a_layout_says_what_was_found_out() {
        let named = Hints {
            puzzle: Some(Column::Name("A".into())),
            solution: Some(Column::Name("b".into())),
            ..Hints::default()
        };
        for (text, hints, short, full) in [
            (
                format!("\n# mine\npuzzle,solution\n{PUZZLE},{SOLUTION}\n"),
                Hints::default(),
                "csv, column 1 `puzzle`",
                "csv, 2 columns between commas, puzzles in column 1 `puzzle`, solutions in column 2 \
                 `solution`, header on line 3",
            ),
            (
                format!("7;{PUZZLE};x\n"),
                Hints::default(),
                "csv, column 2",
                "csv, 3 columns between semicolons, puzzles in column 2, no solutions, no header",
            ),
            (
                format!("{PUZZLE}\n"),
                Hints::default(),
                "csv, column 1",
                "csv, 1 column, puzzles in column 1, no solutions, no header",
            ),
            (format!("# mine\n{PUZZLE}\n"), Hints::default(), "lines", "lines, one grid each"),
            (
                format!("x {PUZZLE} {SOLUTION}\n"),
                Hints::default(),
                "lines, column 2",
                "lines, fields between white space, puzzles in column 2, solutions in column 3",
            ),
            (
                format!("{{\"a\":\"{PUZZLE}\"}}"),
                named,
                "json, key `a`",
                "json, key `a`, solution key `b`",
            ),
            ("<opensudoku>".into(), Hints::default(), "opensudoku", "opensudoku"),
        ] {
            assert_eq!(phrases(&text, &hints), [short, full], "{text}");
        }
    }
}
