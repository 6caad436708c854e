//! What the formats of several lines have in common: from rows of cells to a grid.

use crate::grid::{Grid, GridError, plural};
use thiserror::Error;

/// Why a puzzle of several lines gives no grid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BlockError {
    /// There are too few rows, or too many.
    #[error("the grid has {}", plural(*rows, "row"))]
    Rows {
        /// Rows seen.
        rows: usize,
    },
    /// So many rows stand together that there may be more of them before these.
    #[error(
        "{rows} rows stand together, which are no whole grids; here or above them, where rows follow \
         each other without a blank line, one is missing or too many"
    )]
    Run {
        /// Rows seen.
        rows: usize,
    },
    /// So many bands of rows stand together that it is not certain which of them are a grid.
    #[error(
        "{bands} bands of rows stand together with one blank line between any two, and it is not \
         certain which of them are a grid; part the grids by titles or by two blank lines"
    )]
    Bands {
        /// Bands seen.
        bands: usize,
    },
    /// A row has too few cells, or too many.
    #[error("row {row} of the grid has {}", plural(*cells, "cell"))]
    Width {
        /// The row, counted from 1.
        row: usize,
        /// Cells seen.
        cells: usize,
    },
    /// A row has nine characters and spaces that could be empty cells.
    #[error("row {row} of the grid is spaced unevenly, so that its columns are not certain")]
    Spacing {
        /// The row, counted from 1.
        row: usize,
    },
    /// A cell is a space or nothing at all, though others are empty by a mark.
    #[error("row {row} of the grid has a blank cell, where other empty cells have a mark")]
    Blank {
        /// The row, counted from 1.
        row: usize,
    },
    /// A cell of a JSON board is neither a digit nor a mark of an empty cell.
    #[error("row {row}, column {column} of the board is {value}, no digit and no empty cell")]
    Cell {
        /// The row, counted from 1.
        row: usize,
        /// The column, counted from 1.
        column: usize,
        /// What stands there, cut off when it is long.
        value: String,
    },
    /// The cells are not those of a 9×9 grid.
    #[error(transparent)]
    Cells(#[from] GridError),
    /// A JSON text is broken, or breaks off.
    #[error("not valid JSON: {reason}")]
    Json {
        /// What the parser says.
        reason: String,
    },
    /// A JSON value is something else than a board.
    #[error("{found} where a board is expected")]
    NoBoard {
        /// What it is.
        found: &'static str,
    },
    /// A JSON object has two puzzles, or two solutions.
    #[error("the object has the key `{key}` more than once")]
    DoubledKey {
        /// The key in lower case, cut off when it is long.
        key: String,
    },
    /// A JSON object has no puzzle.
    #[error("the object has no key that holds a puzzle")]
    NoKey,
    /// An XML tag is broken.
    #[error("not a valid XML tag: {reason}")]
    Tag {
        /// What the parser says.
        reason: String,
    },
    /// A `<game>` tag does not hold a puzzle.
    #[error("the tag has no attribute `data`")]
    NoData,
    /// The cells are stored with notes, in a version that is not known.
    #[error("the cells are stored as `version: {version}`, which is not supported")]
    Version {
        /// The version, cut off when it is long.
        version: String,
    },
    /// The cells are stored with notes, and one of them is not as the version wants it.
    #[error("stored cell {cell} is damaged")]
    StoredCell {
        /// The cell, counted from 1.
        cell: usize,
    },
}

/// A shorter text was never meant as a whole grid: one has 81 cells, of which 18 may be spaces that
/// were trimmed.
const WHOLE: usize = 60;

/// Whether a text must have been meant as a whole grid, be it damaged, rather than as a row of one,
/// a name, a remark or a hash: it is as long, and almost all of it are cells and what may part them.
pub(super) fn is_like_grid(text: &[u8]) -> bool {
    let is_gap = |byte: &&u8| byte.is_ascii_whitespace() || b",;|".contains(byte);
    let (cells, others): (Vec<u8>, Vec<u8>) = text
        .iter()
        .filter(|byte| !is_gap(byte))
        .partition(|byte| Grid::cell(char::from(**byte)).is_some());
    text.len() >= WHOLE && cells.len() > 4 * others.len()
}

/// Whether a character can stand in a cell, where a space is an empty one.
pub(super) fn is_cell(character: char) -> bool {
    character == ' ' || Grid::cell(character).is_some()
}

/// The grid of these characters, row by row, where a space is an empty cell.
pub(super) fn grid_of(cells: impl IntoIterator<Item = char>) -> Result<Grid, BlockError> {
    let usual = |cell| if cell == ' ' { '.' } else { cell };
    let text: String = cells.into_iter().map(usual).collect();
    Ok(Grid::parse(text.as_bytes())?)
}

/// The grid of these rows.
pub(super) fn grid_of_rows(rows: &[Vec<char>]) -> Result<Grid, BlockError> {
    let side = rows.len();
    if matches!(side, 4 | 6 | 16 | 25 | 36) && rows.iter().all(|row| row.len() == side) {
        return Err(GridError::OtherSize { length: side * side, side }.into());
    }
    if side != 9 {
        return Err(BlockError::Rows { rows: side });
    }
    if let Some(row) = rows.iter().position(|row| row.len() != 9) {
        return Err(BlockError::Width { row: row + 1, cells: rows[row].len() });
    }
    let is_marked = rows.iter().flatten().any(|cell| Grid::cell(*cell) == Some(0));
    match rows.iter().position(|row| row.contains(&' ')) {
        Some(row) if is_marked => Err(BlockError::Blank { row: row + 1 }),
        _ => grid_of(rows.iter().flatten().copied()),
    }
}

/// Reads texts of several lines in the tests of their formats.
#[cfg(test)]
pub(super) mod reading {
    use crate::dataset::record::{Kind, Rows};

    pub(in crate::dataset::format) const PUZZLE: &str =
        "3..4..8.78172364..4.98.56...417...5.7.3.8..6.68.9.3174....2.7...3.547.822.4.985.3";

    /// The rows of a text and its strays, with their lines; [`PUZZLE`] is a `puzzle`.
    pub(in crate::dataset::format) fn read_all(rows: &impl Rows, text: &str) -> Vec<(u64, String)> {
        let (mut rest, mut line, mut found) = (text.as_bytes(), 1, Vec::new());
        while !rest.is_empty() {
            let record = rows.next(rest, true).unwrap();
            let bytes = &rest[..record.len];
            match record.kind {
                Kind::Skip => {}
                Kind::Stray => found.push((line, "stray".into())),
                _ => found.push(match rows.puzzle(record.kind, bytes) {
                    Ok(grid) if grid.to_string() == PUZZLE => (line, "puzzle".into()),
                    Ok(grid) => (line, grid.to_string()),
                    Err(reason) => (line, reason.to_string()),
                }),
            }
            line += record.lines(rest);
            rest = &rest[record.consumed..];
            if let Some(hidden) = record.hides {
                let (length, left) = hidden.pass(rest);
                found.extend(left.map(|_| (line, "hidden to the end".into())));
                line += rest[..length].iter().filter(|byte| **byte == b'\n').count() as u64;
                rest = if left.is_some() { &[] } else { &rest[length..] };
            }
        }
        found
    }

    #[track_caller]
    pub(in crate::dataset::format) fn assert_reads(
        rows: &impl Rows,
        text: &str,
        expected: &[(u64, &str)],
    ) {
        let found = read_all(rows, text);
        let found: Vec<(u64, &str)> =
            found.iter().map(|(line, what)| (*line, what.as_str())).collect();
        assert_eq!(found, expected, "{text}");
    }
}
