//! Writes one CSV row of answers for each row of input.

mod verdicts;

pub use verdicts::{VerdictRow, VerdictWriter};

use crate::grid::Grid;

/// What is known of a row once its block is done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Answer<'a> {
    /// Physical line of the row in its file.
    pub line: u64,
    /// The puzzle; `None` for a row that is no grid.
    pub puzzle: Option<&'a Grid>,
    /// The solution, if one was found.
    pub solution: Option<&'a Grid>,
    /// The name of the status.
    pub status: &'a str,
    /// Number of solutions, 2 for two or more, where it was asked for and found.
    pub solutions: Option<u8>,
    /// Nodes of the search, where there was one.
    pub nodes: Option<u64>,
    /// Duration of the search in nanoseconds, where there was one.
    pub time_ns: Option<u64>,
}

/// The columns of the output, and the row format.
#[derive(Clone, Debug)]
pub struct RowWriter {
    /// The first field of each row and its comma, when there are several input files.
    file: Vec<u8>,
    with_file: bool,
    with_solutions: bool,
}

impl RowWriter {
    /// A writer for the rows of one file. `file` is its name, when a `file` column is wanted;
    /// `with_solutions` adds the `solutions` column.
    pub fn new(file: Option<&str>, with_solutions: bool) -> Self {
        let field = file.map(file_field).unwrap_or_default();
        RowWriter { file: field, with_file: file.is_some(), with_solutions }
    }

    /// Appends the header line.
    pub fn header(&self, out: &mut Vec<u8>) {
        if self.with_file {
            out.extend_from_slice(b"file,");
        }
        out.extend_from_slice(b"line,puzzle,solution,status,");
        if self.with_solutions {
            out.extend_from_slice(b"solutions,");
        }
        out.extend_from_slice(b"nodes,time_ns\n");
    }

    /// Appends one row. Nothing in it but the file name can need quoting.
    pub fn row(&self, answer: &Answer, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.file);
        number(Some(answer.line), out);
        out.push(b',');
        grid(answer.puzzle, out);
        out.push(b',');
        grid(answer.solution, out);
        out.push(b',');
        out.extend_from_slice(answer.status.as_bytes());
        out.push(b',');
        if self.with_solutions {
            number(answer.solutions.map(u64::from), out);
            out.push(b',');
        }
        number(answer.nodes, out);
        out.push(b',');
        number(answer.time_ns, out);
        out.push(b'\n');
    }
}

/// The name of a file as the first field of a row, with the comma behind it.
fn file_field(name: &str) -> Vec<u8> {
    let mut field = Vec::new();
    let mut writer = csv::WriterBuilder::new().from_writer(&mut field);
    writer.write_record([name, ""]).and_then(|()| Ok(writer.flush()?)).expect("in memory");
    drop(writer);
    // The empty second field leaves the comma; only the line end goes.
    field.pop();
    field
}

fn number(value: Option<u64>, out: &mut Vec<u8>) {
    if let Some(value) = value {
        out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
    }
}

fn grid(grid: Option<&Grid>, out: &mut Vec<u8>) {
    if let Some(grid) = grid {
        out.extend_from_slice(&grid.to_ascii(b'.'));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(writer: &RowWriter, answer: &Answer) -> String {
        let mut out = Vec::new();
        writer.header(&mut out);
        writer.row(answer, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_is_not_known_stays_empty() {
        let malformed = Answer { line: 7, status: "malformed", ..Answer::default() };
        assert_eq!(
            text(&RowWriter::new(None, false), &malformed),
            "line,puzzle,solution,status,nodes,time_ns\n7,,,malformed,,\n"
        );
    }

    #[test]
    fn a_file_name_is_quoted_where_csv_needs_it() {
        let puzzle = Grid::EMPTY;
        let answer = Answer {
            line: 2,
            puzzle: Some(&puzzle),
            status: "unsolvable",
            solutions: Some(0),
            nodes: Some(1),
            time_ns: Some(99),
            ..Answer::default()
        };
        assert_eq!(
            text(&RowWriter::new(Some("a,\"b\".csv"), true), &answer),
            format!(
                "file,line,puzzle,solution,status,solutions,nodes,time_ns\n\
                 \"a,\"\"b\"\".csv\",2,{puzzle},,unsolvable,0,1,99\n"
            )
        );
    }
}
