//! One grid a line, alone or among other fields; `#` and `//` begin a comment.
//!
//! So are sudoku17, top95 and `.sdm` files, the exchange puzzle bank (`hash puzzle  rating`),
//! `puzzle:count:solution`, and HoDoKu's libraries (`:0000:x:puzzle:::`).

use super::Csv;
use super::columns::{Grids, puzzle_column, solution_column};
use super::csv::PUZZLE;
use crate::dataset::layout::{Column, Hints, LayoutError, RowError};
use crate::dataset::record::{
    HEAD_LINES, Kind, Record, Rows, in_reach, is_blank, line_of, samples,
};
use crate::grid::{Grid, GridError};
use memchr::{memchr, memchr2_iter};
use std::borrow::Cow;
use std::fmt;

/// What stands between two fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Separator {
    /// Nothing: the line is one field, which may have spaces in it.
    None,
    Space,
    Colon,
}

/// Where a line holds puzzle and solution, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dataset) struct Lines {
    separator: Separator,
    puzzle: usize,
    solution: Option<usize>,
    /// Lines begin with `#` and their number.
    numbered: bool,
}

/// A way to read the first lines.
struct Guess {
    lines: Lines,
    /// The number of lines whose puzzle can be read.
    read: usize,
    /// The number of grids in all fields.
    grids: usize,
    /// The number of fields of the widest line.
    width: usize,
}

impl Lines {
    const BARE: Lines =
        Lines { separator: Separator::None, puzzle: 0, solution: None, numbered: false };

    /// Whether more of the first lines are read this way than as CSV, or as many, and there are
    /// comments beside them and no header.
    pub(in crate::dataset) fn fits(bytes: &[u8], at_end: bool) -> bool {
        let rows = Lines::fit(bytes, at_end);
        let (csv_rows, has_header) = Csv::fit(bytes, at_end);
        let has_comments = || bytes.split(|&byte| byte == b'\n').any(is_comment);
        rows > csv_rows || (rows == csv_rows && !has_header && has_comments())
    }

    /// The number of first lines whose puzzle can be read.
    pub(in crate::dataset) fn fit(bytes: &[u8], at_end: bool) -> usize {
        Lines::guess(bytes, at_end, &Hints::default()).read
    }

    /// Finds the fields from the first lines: the puzzles are where the first grid stands that is
    /// not full, the solutions where another field solves one.
    pub(in crate::dataset) fn sniff(
        bytes: &[u8],
        at_end: bool,
        hints: &Hints,
    ) -> Result<Self, LayoutError> {
        for column in [&hints.puzzle, &hints.solution] {
            if let Some(Column::Name(name)) = column {
                let header = "no header, so that only a number names a column".into();
                return Err(LayoutError::NoSuchColumn { name: name.clone(), line: 1, header });
            }
        }
        let guess = Lines::guess(bytes, at_end, hints);
        hints.within(guess.width)?;
        Ok(guess.lines)
    }

    /// The fields by which most of the first lines can be read; or if none can, such that there are
    /// grids, and the columns that the user names.
    fn guess(bytes: &[u8], at_end: bool, hints: &Hints) -> Guess {
        let number = |column: &Option<Column>| match column {
            Some(Column::Number(number)) => Some(number.saturating_sub(1)),
            _ => None,
        };
        let samples = samples(&Lines::BARE, bytes, at_end, HEAD_LINES);
        let numbered = samples.iter().any(|sample| is_numbered(sample.bytes));
        let guesses = [Separator::None, Separator::Space, Separator::Colon].map(|separator| {
            let grids = |line| separator.fields(line).map(|field| grid(field).ok()).collect();
            let rows: Vec<Grids> = samples.iter().map(|sample| grids(sample.bytes)).collect();
            let puzzle = number(&hints.puzzle).or_else(|| puzzle_column(&rows)).unwrap_or(0);
            let solution = number(&hints.solution).or_else(|| solution_column(&rows, puzzle));
            let is_read = |row: &&Grids| row.get(puzzle).is_some_and(Option::is_some);
            Guess {
                lines: Lines { separator, puzzle, solution, numbered },
                read: rows.iter().filter(is_read).count(),
                grids: rows.iter().flatten().flatten().count(),
                width: rows.iter().map(Vec::len).max().unwrap_or(0),
            }
        });
        let fit =
            |guess: &Guess| (guess.read, guess.grids, guess.width.min(hints.largest_number()));
        // Of equals, `max_by_key` takes the last.
        guesses.into_iter().rev().max_by_key(fit).expect("there are separators")
    }

    /// Whether a line is nothing but a comment.
    fn is_comment(&self, line: &[u8]) -> bool {
        let is_row = if self.numbered { number(line).is_some() } else { is_numbered(line) };
        is_comment(line) && !is_row
    }

    /// Whether the line names the column of the puzzles.
    fn is_title(&self, line: &[u8]) -> bool {
        line.trim_ascii_start().first().is_some_and(u8::is_ascii_alphabetic)
            && self.separator.fields(line).nth(self.puzzle).is_some_and(|field| {
                PUZZLE.iter().any(|name| field.trim_ascii().eq_ignore_ascii_case(name.as_bytes()))
            })
    }

    fn field(&self, row: &[u8], column: usize) -> Result<Grid, RowError> {
        let mut fields = self.separator.fields(row);
        let Some(field) = fields.nth(column) else {
            let fields = self.separator.fields(row).count();
            return Err(RowError::MissingField { column: column + 1, fields });
        };
        grid(field).map_err(|source| RowError::NotAGrid { column: column + 1, source })
    }
}

/// The place of the puzzles, where a line has several; all that is known with `#`.
impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let separators = match self.separator {
            Separator::None if f.alternate() => return f.write_str(", one grid each"),
            Separator::None => return Ok(()),
            Separator::Space => "white space",
            Separator::Colon => "colons",
        };
        if !f.alternate() {
            return write!(f, ", column {}", self.puzzle + 1);
        }
        write!(f, ", fields between {separators}, puzzles in column {}", self.puzzle + 1)?;
        match self.solution {
            Some(column) => write!(f, ", solutions in column {}", column + 1),
            None => f.write_str(", no solutions"),
        }
    }
}

impl Rows for Lines {
    fn next(&self, bytes: &[u8], at_end: bool) -> Option<Record> {
        let (bytes, at_end) = in_reach(bytes, at_end);
        let record = match memchr(b'\n', bytes) {
            Some(end) => Record::line(Kind::Plain, end),
            None => Record::unfinished(Kind::Plain, bytes, at_end)?,
        };
        let line = &bytes[..record.len];
        let is_row = record.kind == Kind::Overlong
            || !(is_blank(line) || self.is_comment(line) || self.is_title(line));
        Some(if is_row { record } else { Record { kind: Kind::Skip, ..record } })
    }

    fn puzzle(&self, _kind: Kind, row: &[u8]) -> Result<Grid, RowError> {
        self.field(row, self.puzzle)
    }

    fn solution(&self, _kind: Kind, row: &[u8]) -> Option<Result<Option<Grid>, RowError>> {
        let column = self.solution?;
        let is_empty = self.separator.fields(row).nth(column).is_none_or(is_blank);
        Some(if is_empty { Ok(None) } else { self.field(row, column).map(Some) })
    }
}

impl Separator {
    /// The fields of a line, without its comment. Runs of white space separate once; white space
    /// around a field between colons is no part of it.
    fn fields(self, line: &[u8]) -> impl Iterator<Item = &[u8]> {
        without_comment(line_of(line))
            .split(move |byte| match self {
                Separator::None => false,
                // Behind a carriage return, which ends lines elsewhere, stands no other column.
                Separator::Space => byte.is_ascii_whitespace() && *byte != b'\r',
                Separator::Colon => *byte == b':',
            })
            .filter(move |field| self != Separator::Space || !field.is_empty())
    }
}

/// Whether a line is nothing but a comment.
fn is_comment(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    line.starts_with(b"#") || line.starts_with(b"//")
}

/// What stands behind the number of a line that begins like `#7 `.
fn number(line: &[u8]) -> Option<&[u8]> {
    let line = line.trim_ascii_start().strip_prefix(b"#")?;
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = &line[digits..];
    // As in lists without the `#`.
    let rest = rest
        .strip_prefix(b")")
        .or(rest.strip_prefix(b"."))
        .or(rest.strip_prefix(b":"))
        .unwrap_or(rest);
    let is_number = (1..=7).contains(&digits) && rest.first().is_some_and(u8::is_ascii_whitespace);
    is_number.then_some(rest)
}

/// Whether a grid, be it damaged, stands behind the number of a line that begins like `#7 `.
fn is_numbered(line: &[u8]) -> bool {
    let is_cell = |byte: &&u8| Grid::cell(char::from(**byte)).is_some();
    let is_grid = |field: &[u8]| {
        (60..=100).contains(&field.len()) && field.iter().filter(is_cell).count() > field.len() / 2
    };
    number(line).is_some_and(|rest| rest.split(u8::is_ascii_whitespace).any(is_grid))
}

/// The line before its comment and the white space that leads there. Behind a word or a colon, the
/// marks of a comment are part of a name or an address; an `x` behind a cell is a cell.
fn without_comment(line: &[u8]) -> &[u8] {
    let begins = |&at: &usize| {
        let is_mark = line[at] == b'#' || line.get(at + 1) == Some(&b'/');
        let before = line[..at].last().copied().unwrap_or(b' ');
        let is_word = line[..at].iter().rev().find(|byte| !matches!(byte, b'x' | b'X'));
        is_mark && !is_word.is_some_and(u8::is_ascii_alphabetic) && before != b':'
    };
    let behind_number = number(line).map_or(0, |rest| line.len() - rest.len());
    let mut marks = memchr2_iter(b'#', b'/', line).filter(|&at| at >= behind_number);
    match marks.find(begins) {
        Some(at) => line[..at].trim_ascii_end(),
        None => line,
    }
}

/// Reads a field. In HoDoKu's libraries, a digit that the player has set has a `+` before it.
fn grid(field: &[u8]) -> Result<Grid, GridError> {
    let text = match memchr(b'+', field) {
        None => Cow::Borrowed(field),
        Some(_) => without_plus(field).into(),
    };
    Grid::parse(&text)
}

/// The text without each `+` before a digit.
fn without_plus(text: &[u8]) -> Vec<u8> {
    let is_kept = |&(index, &byte): &(usize, &u8)| {
        byte != b'+' || !text.get(index + 1).is_some_and(u8::is_ascii_digit)
    };
    text.iter().enumerate().filter(is_kept).map(|(_, &byte)| byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str =
        "3..4..8.78172364..4.98.56...417...5.7.3.8..6.68.9.3174....2.7...3.547.822.4.985.3";
    const SOLUTION: &str =
        "365419827817236495429875631941762358753184269682953174598321746136547982274698513";

    fn sniff(text: &str) -> Lines {
        Lines::sniff(text.as_bytes(), true, &Hints::default()).unwrap()
    }

    fn puzzle(lines: Lines, row: &str) -> Result<String, String> {
        let grid = lines.puzzle(Kind::Plain, row.as_bytes());
        grid.map(|grid| grid.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_fields_are_found_by_what_stands_in_them() {
        let found = |line: &str| {
            let lines = sniff(line);
            assert_eq!(puzzle(lines, line).as_deref(), Ok(PUZZLE), "{line}");
            (lines.separator, lines.puzzle, lines.solution)
        };
        assert_eq!(found(PUZZLE), (Separator::None, 0, None));
        assert_eq!(found(&format!("{PUZZLE}// of mine")), (Separator::None, 0, None));
        assert_eq!(found(&format!("3904899f7458 {PUZZLE}  7.2")), (Separator::Space, 1, None));
        assert_eq!(found(&format!("{SOLUTION} {PUZZLE}")), (Separator::Space, 1, Some(0)));
        assert_eq!(found(&format!("{PUZZLE}:1:{SOLUTION}\r")), (Separator::Colon, 0, Some(2)));
        assert_eq!(found(&format!(":0000:x:{PUZZLE}:::")), (Separator::Colon, 3, None));
        let spaced = format!("{} # of mine", PUZZLE.replace('.', " "));
        assert_eq!(found(&spaced), (Separator::None, 0, None));
    }

    #[test]
    fn lines_may_begin_with_their_number() {
        for number in ["1)", "1.", "1:", "#1", "1"] {
            let text = format!("{number} {PUZZLE}\n");
            let lines = sniff(&text);
            assert!(Lines::fits(text.as_bytes(), true));
            assert_eq!(puzzle(lines, text.trim_end()).as_deref(), Ok(PUZZLE), "{number}");
            let error = puzzle(lines, PUZZLE).unwrap_err();
            assert_eq!(error, "column 2 is missing: the row has 1 field");
        }
        let lines = sniff(&format!("# 3 of them\n#1 {PUZZLE} # easy\n"));
        let kind = |line: &str| lines.next(line.as_bytes(), true).unwrap().kind;
        assert_eq!(puzzle(lines, &format!("#1 {PUZZLE} # easy")).as_deref(), Ok(PUZZLE));
        assert_eq!(kind("#2 53..7"), Kind::Plain);
        assert_eq!(
            puzzle(lines, "#2 53..7").unwrap_err(),
            "column 2: 5 characters where a 9x9 grid has 81"
        );
        for comment in ["# 53..7", "#easy", &format!("#{PUZZLE}")] {
            assert_eq!(kind(comment), Kind::Skip, "{comment}");
        }
        let other = sniff(&format!("{PUZZLE}\n#2 withdrawn"));
        assert_eq!(other.next(b"#2 withdrawn", true).unwrap().kind, Kind::Skip);
    }

    #[test]
    fn a_digit_that_was_set_is_a_digit_and_shifts_no_cell() {
        let line = |field: &str| format!(":0000:x:{field}:::");
        let lines = sniff(&line(PUZZLE));
        let set = PUZZLE.replacen("3..", "3+6.", 1);
        assert_eq!(puzzle(lines, &line(&set)), Ok(PUZZLE.replacen("3..", "36.", 1)));
        let error = puzzle(lines, &line(&PUZZLE.replacen("3..", "3+6..", 1))).unwrap_err();
        assert!(error.contains("82 characters"), "{error}");
        let error = puzzle(lines, &line(&PUZZLE.replacen("3..", "3+.", 1))).unwrap_err();
        assert!(error.contains("character 2 is '+'"), "{error}");
    }

    #[test]
    fn a_comment_begins_where_it_cannot_be_part_of_a_word() {
        let cut = |line: &'static str| str::from_utf8(without_comment(line.as_bytes())).unwrap();
        assert_eq!(cut("53..7 # x"), "53..7");
        assert_eq!(cut("53..7// x"), "53..7");
        assert_eq!(cut("53..7#x"), "53..7");
        assert_eq!(cut("# x"), "");
        assert_eq!(cut("http://a.b/c#d 53..7 1/2"), "http://a.b/c#d 53..7 1/2");
    }

    #[test]
    fn comments_blank_lines_and_a_title_are_no_rows() {
        let lines = sniff(&format!("x {PUZZLE}"));
        let kind = |line: &str| lines.next(line.as_bytes(), true).unwrap().kind;
        for line in ["# 53..7", "  // x\n", " \t\r\n", "hash Puzzle rating"] {
            assert_eq!(kind(line), Kind::Skip, "{line}");
        }
        for line in ["puzzle", "12", "A citation, 2005", "\0"] {
            assert_eq!(kind(line), Kind::Plain, "{line}");
        }
        let endless = format!("#{}", " ".repeat(100_000));
        assert_eq!(kind(&endless), Kind::Overlong);
    }

    #[test]
    fn a_column_is_named_by_its_number_alone() {
        let text = format!("{PUZZLE} {SOLUTION}");
        let with = |column| {
            let hints = Hints { puzzle: Some(column), ..Hints::default() };
            Lines::sniff(text.as_bytes(), true, &hints)
        };
        assert_eq!(puzzle(with(Column::Number(2)).unwrap(), &text).as_deref(), Ok(SOLUTION));
        let error = with(Column::Name("puzzle".into())).unwrap_err().to_string();
        assert!(error.contains("only a number names a column"), "{error}");
        let error = with(Column::Number(3)).unwrap_err().to_string();
        assert_eq!(error, "there is no column 3; the first rows have 2 columns");
        let error = puzzle(with(Column::Number(2)).unwrap(), PUZZLE).unwrap_err();
        assert_eq!(error, "column 2 is missing: the row has 1 field");
    }

    #[test]
    fn lines_are_lines_only_where_csv_reads_less() {
        let fits = |text: &str| Lines::fits(text.as_bytes(), true);
        assert!(fits(&format!("# x\n{PUZZLE}\n")));
        assert!(fits(&format!("{PUZZLE} 7.2\n")));
        assert!(fits("# x\n12\n"));
        assert!(!fits(PUZZLE));
        assert!(!fits(&format!("{PUZZLE}\t7.2\n")));
        assert!(!fits(&format!("#,puzzle\n1,{PUZZLE}\n")));
        assert!(!fits("# x\npuzzle,solution\n12,34\n"));
        assert!(!fits(""));
    }
}
