//! Writes one CSV row of verdicts for each row of input.

use super::{file_field, grid, number};
use crate::grid::Grid;

/// What was found out about a row.
#[derive(Clone, Copy, Debug, Default)]
pub struct VerdictRow<'a> {
    /// Physical line of the row in its file.
    pub line: u64,
    /// The puzzle; `None` for a row that is no grid.
    pub puzzle: Option<&'a Grid>,
    /// The name of the verdict on the puzzle.
    pub verdict: &'a str,
    /// Number of solutions, 2 for two or more, where that is known.
    pub solutions: Option<u8>,
    /// The name of what the solution beside the puzzle is; empty where there is none to check.
    pub check: &'a str,
}

/// The row format of one file's verdicts.
#[derive(Clone, Debug)]
pub struct VerdictWriter {
    /// The first field of each row and its comma, when there are several input files.
    file: Vec<u8>,
}

impl VerdictWriter {
    /// A writer for the rows of one file. `file` is its name, when a `file` column is wanted.
    pub fn new(file: Option<&str>) -> Self {
        VerdictWriter { file: file.map(file_field).unwrap_or_default() }
    }

    /// Appends the header line.
    pub fn header(&self, out: &mut Vec<u8>) {
        if !self.file.is_empty() {
            out.extend_from_slice(b"file,");
        }
        out.extend_from_slice(b"line,puzzle,verdict,solutions,solution_check\n");
    }

    /// Appends one row. Nothing in it but the file name can need quoting.
    pub fn row(&self, row: &VerdictRow, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.file);
        number(Some(row.line), out);
        out.push(b',');
        grid(row.puzzle, out);
        out.push(b',');
        out.extend_from_slice(row.verdict.as_bytes());
        out.push(b',');
        number(row.solutions.map(u64::from), out);
        out.push(b',');
        out.extend_from_slice(row.check.as_bytes());
        out.push(b'\n');
    }
}
