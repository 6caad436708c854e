//! Writes one row of answers for each row of input.

mod kept;
mod verdicts;

pub use verdicts::{VerdictRow, VerdictWriter};

use self::kept::Kept;
use super::Columns;
use crate::grid::Grid;

/// What is known of a row once its block is done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Answer<'a> {
    /// Physical line of the row in its file.
    pub line: u64,
    /// The row as it stands in the file.
    pub text: &'a [u8],
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
    /// Nodes of `mrv` for the same, where they were asked for and found.
    pub rate: Option<u64>,
    /// Duration of the search in nanoseconds, where there was one.
    pub time_ns: Option<u64>,
}

/// The columns of the output, and the row format.
#[derive(Clone, Debug)]
pub struct RowWriter {
    form: Form,
    with_solutions: bool,
    with_rate: bool,
}

/// What stands before the answers, if anything does.
#[derive(Clone, Debug)]
enum Form {
    /// Line and puzzle; before them, when there are several input files, the name of the file with
    /// a comma, else nothing.
    Puzzles(Vec<u8>),
    /// The row of the input.
    Kept(Kept),
    /// Nothing, and of the answers only the solution is wanted.
    Lines,
}

impl RowWriter {
    /// A writer for the rows of one file. `file` is its name, when a `file` column is wanted;
    /// `with_solutions` adds the `solutions` column.
    pub fn new(file: Option<&str>, with_solutions: bool) -> Self {
        let form = Form::Puzzles(file.map(file_field).unwrap_or_default());
        RowWriter { form, with_solutions, with_rate: false }
    }

    /// A writer that puts the answers behind the rows of a file with these columns, whose bytes
    /// stay what they are but for the line end.
    ///
    /// A row with fewer fields than the header is filled up with empty ones, so that the answers
    /// stand below their names; for a row with more fields that cannot be. A file without a header
    /// gets none.
    pub fn keeping(columns: &Columns, with_solutions: bool) -> Self {
        RowWriter { form: Form::Kept(Kept::new(columns)), with_solutions, with_rate: false }
    }

    /// A writer of bare solutions, one a line; a row without one gives an empty line.
    pub fn lines() -> Self {
        RowWriter { form: Form::Lines, with_solutions: false, with_rate: false }
    }

    /// The same with the `rate` column, unless it writes bare solutions.
    pub fn with_rate(self) -> Self {
        RowWriter { with_rate: true, ..self }
    }

    /// The names of the answers' columns.
    fn names(&self) -> Vec<&'static str> {
        let (solutions, rate) = (self.with_solutions, self.with_rate);
        let names = [
            ("solution", true),
            ("status", true),
            ("solutions", solutions),
            ("nodes", true),
            ("rate", rate),
            ("time_ns", true),
        ];
        names.into_iter().filter_map(|(name, wanted)| wanted.then_some(name)).collect()
    }

    /// Appends the header line, if there is to be one.
    pub fn header(&self, out: &mut Vec<u8>) {
        match &self.form {
            Form::Puzzles(file) => {
                let file = if file.is_empty() { "" } else { "file," };
                let names = self.names().join(",");
                out.extend_from_slice(format!("{file}line,puzzle,{names}\n").as_bytes());
            }
            Form::Kept(kept) => kept.header(&self.names(), out),
            Form::Lines => {}
        }
    }

    /// Appends one row. Nothing of the answers can need quoting.
    pub fn row(&self, answer: &Answer, out: &mut Vec<u8>) {
        let delimiter = match &self.form {
            Form::Puzzles(file) => {
                out.extend_from_slice(file);
                number(Some(answer.line), out);
                out.push(b',');
                grid(answer.puzzle, out);
                b','
            }
            Form::Kept(kept) => {
                kept.record(answer.text, out);
                kept.delimiter
            }
            Form::Lines => {
                grid(answer.solution, out);
                out.push(b'\n');
                return;
            }
        };
        out.push(delimiter);
        grid(answer.solution, out);
        out.push(delimiter);
        out.extend_from_slice(answer.status.as_bytes());
        if self.with_solutions {
            out.push(delimiter);
            number(answer.solutions.map(u64::from), out);
        }
        out.push(delimiter);
        number(answer.nodes, out);
        if self.with_rate {
            out.push(delimiter);
            number(answer.rate, out);
        }
        out.push(delimiter);
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
