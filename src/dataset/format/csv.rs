//! Values between commas, tabs, semicolons or bars, with or without a header; a file of bare lines is
//! one of one column.

mod cut;
mod fields;
mod table;

use self::cut::next_record;
use self::fields::{Unquoted, fields, nth_field};
use self::table::Table;
use crate::dataset::is_partial;
use crate::dataset::layout::{Columns, Hints, LayoutError, RowError};
use crate::dataset::reader::BOM;
use crate::dataset::record::{Kind, Record, Rows, is_blank, line_of, quote};
use crate::grid::{Grid, plural};
use std::fmt;

/// Header names of the puzzle column, the preferred ones first.
pub(super) const PUZZLE: [&str; 8] =
    ["puzzle", "puzzles", "quiz", "quizzes", "question", "sudoku", "grid", "board"];

/// Header names of the solution column, the preferred ones first.
pub(super) const SOLUTION: [&str; 4] = ["solution", "solutions", "answer", "answers"];

/// Bytes that may stand between fields, the preferred ones first.
pub(in crate::dataset) const DELIMITERS: [u8; 4] = *b",\t;|";

/// Where the rows hold puzzle and solution, counted from 0, and the header line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::dataset) struct Csv {
    delimiter: u8,
    puzzle: usize,
    solution: Option<usize>,
    /// The columns of the widest of the first rows.
    width: usize,
    header: Option<Header>,
    /// The comments above the first row, which are no rows wherever they stand.
    comments: Vec<Vec<u8>>,
}

/// The header line, which is no row wherever it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Header {
    bytes: Vec<u8>,
    /// Where it stands first.
    line: u64,
}

impl Csv {
    /// Nothing but a delimiter is known.
    fn bare(delimiter: u8) -> Self {
        let comments = Vec::new();
        Csv { delimiter, puzzle: 0, solution: None, width: 0, header: None, comments }
    }

    /// Finds the delimiter and the columns from the first records of a file. The delimiter is the
    /// one that leaves most rows with a grid, or else a header with a name of a puzzle column.
    pub(in crate::dataset) fn sniff(
        bytes: &[u8],
        at_end: bool,
        hints: &Hints,
    ) -> Result<Self, LayoutError> {
        let table = Csv::table(bytes, at_end, hints);
        hints.within(table.width())?;
        table.layout(hints)
    }

    /// The number of first records that hold a grid, and whether a column is named like that of
    /// the puzzles.
    pub(super) fn fit(bytes: &[u8], at_end: bool) -> (usize, bool) {
        Csv::table(bytes, at_end, &Hints::default()).fit()
    }

    fn table<'a>(bytes: &'a [u8], at_end: bool, hints: &Hints) -> Table<'a> {
        let tables = DELIMITERS.map(|delimiter| Table::new(bytes, at_end, delimiter));
        // Of those that fit as well, one that leaves the columns that the user names.
        let fit = |table: &Table| (table.fit(), table.width().min(hints.largest_number()));
        // Of equals, `max_by_key` takes the last.
        tables.into_iter().rev().max_by_key(fit).expect("there are delimiters")
    }

    pub(in crate::dataset) fn columns(&self) -> Columns<'_> {
        Columns {
            delimiter: self.delimiter,
            header: self.header.as_ref().map(|header| &*header.bytes),
            puzzle: self.puzzle,
            solution: self.solution,
        }
    }

    /// Whether the line is the header (again), as it comes in files that were joined: also with a
    /// byte order mark, in other case, or with outer white space.
    fn is_header(&self, line: &[u8]) -> bool {
        self.header.as_ref().is_some_and(|header| {
            let line = line.strip_prefix(BOM).unwrap_or(line);
            line.trim_ascii().eq_ignore_ascii_case(header.bytes.trim_ascii())
        })
    }

    /// Whether the line is a comment from above the header (again).
    fn is_comment(&self, line: &[u8]) -> bool {
        let line = line.strip_prefix(BOM).unwrap_or(line);
        self.comments.iter().any(|comment| comment == line_of(line))
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

/// The place of the puzzles, with its name where there is one; all that is known with `#`.
impl fmt::Display for Csv {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let header = self.columns().header.unwrap_or_default();
        let names = fields(Kind::Quoted, header, self.delimiter);
        let place = |column: usize| match names.get(column) {
            Some(name) if !is_blank(name) => {
                format!("column {} {}", column + 1, quote(name.trim_ascii()))
            }
            _ => format!("column {}", column + 1),
        };
        if !f.alternate() {
            return f.write_str(&place(self.puzzle));
        }
        f.write_str(&plural(self.width, "column"))?;
        if self.width > 1 {
            let delimiters = match self.delimiter {
                b',' => "commas",
                b'\t' => "tabs",
                b';' => "semicolons",
                _ => "bars",
            };
            write!(f, " between {delimiters}")?;
        }
        write!(f, ", puzzles in {}", place(self.puzzle))?;
        match self.solution {
            Some(column) => write!(f, ", solutions in {}", place(column))?,
            None => f.write_str(", no solutions")?,
        }
        match &self.header {
            Some(header) => write!(f, ", header on line {}", header.line),
            None => f.write_str(", no header"),
        }
    }
}

impl Rows for Csv {
    fn next(&self, bytes: &[u8], at_end: bool) -> Option<Record> {
        let mut record = next_record(bytes, self.delimiter, at_end)?;
        let row = &bytes[..record.len];
        // The rest of a line that is too long is no record.
        let is_no_row = |row| {
            is_blank(row)
                || self.is_header(row)
                || self.is_comment(row)
                || is_separator_line(row)
                || is_partial(row)
        };
        if record.kind != Kind::Overlong && is_no_row(row) {
            record.kind = Kind::Skip;
        }
        Some(record)
    }

    fn puzzle(&self, kind: Kind, row: &[u8]) -> Result<Grid, RowError> {
        // Most rows begin with their grid, and need not be taken apart.
        if self.puzzle == 0
            && let Some((cells, rest)) = row.split_first_chunk()
            && rest.first().is_none_or(|&byte| byte == self.delimiter)
            && let Some(grid) = Grid::of_digits(cells)
        {
            return Ok(grid);
        }
        self.grid(kind, row, self.puzzle)
    }

    fn solution(&self, kind: Kind, row: &[u8]) -> Option<Result<Option<Grid>, RowError>> {
        let column = self.solution?;
        let is_empty = self.field(kind, row, column, is_blank).unwrap_or(true);
        Some(if is_empty { Ok(None) } else { self.grid(kind, row, column).map(Some) })
    }
}

/// Whether a line is `sep=;` or the like, which tells spreadsheets what parts the fields.
fn is_separator_line(line: &[u8]) -> bool {
    matches!(line_of(line), [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', _])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::layout::Column;

    pub(super) const PUZZLE: &str =
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
    fn a_header_of_unknown_names_may_have_digits_in_them() {
        let rows = format!("{PUZZLE},{SOLUTION}");
        for header in ["puzzle1,sol1", "q1,s1", "2nd col,x", "x,y"] {
            assert_eq!(column_of(&[header, &rows]), (0, true), "{header}");
        }
        // These could be rows that something has damaged.
        let dashes = "-".repeat(80);
        for row in [&dashes, "5.08702E+69", "12", "#REF!", "3A..4", "", "xx"] {
            let row = format!("{row},a");
            assert_eq!(column_of(&[&row, &rows]), (0, false), "{row}");
        }
        assert_eq!(column_of(&["name,12", &rows]), (0, false));
    }

    #[test]
    fn text_may_stand_before_the_header() {
        let row = format!("7,{PUZZLE}");
        let csv = sniff(&["From a paper, 2005", "", "nr,puzzle", &row], None).unwrap();
        assert_eq!((csv.puzzle, csv.columns().header), (1, Some(&b"nr,puzzle"[..])));
    }

    #[test]
    fn comments_above_the_header_are_no_rows() {
        let row = format!("7,{PUZZLE}");
        for header in ["nr,puzzle", "nr,start"] {
            let text = ["# of mine, hard", "#", "# 2005", header, &row];
            let csv = sniff(&text, None).unwrap();
            assert_eq!((csv.puzzle, csv.columns().header), (1, Some(header.as_bytes())));
            for line in &text[..4] {
                assert_eq!(csv.next(line.as_bytes(), true).unwrap().kind, Kind::Skip, "{line}");
            }
            // What begins like one further below may be a row.
            assert_eq!(csv.next(b"# 2006", true).unwrap().kind, Kind::Plain);
        }
        let csv = sniff(&["# of mine, hard", &row], None).unwrap();
        assert_eq!((csv.puzzle, csv.header.is_some(), csv.comments.len()), (1, false, 1));
        // A spreadsheet writes so where it fails, and some write so above the numbers of rows.
        for row_or_header in ["#REF!,x", "#N/A,x", "#NAME?", "#,start"] {
            assert_eq!(sniff(&[row_or_header, &row], None).unwrap().comments.len(), 0);
        }
        for comment in ["\"# from a paper, 2005\"", " # mine"] {
            let csv = sniff(&[comment, "nr,puzzle", &row], None).unwrap();
            assert_eq!(csv.next(comment.as_bytes(), true).unwrap().kind, Kind::Skip, "{comment}");
        }
    }

    #[test]
    fn a_comment_with_the_name_of_the_column_is_no_header_beside_one() {
        let row = format!("1,2,{PUZZLE}");
        let csv = sniff(&["# from, puzzle, bank", "id,x,puzzle", &row], None).unwrap();
        assert_eq!((csv.puzzle, csv.columns().header), (2, Some(&b"id,x,puzzle"[..])));
        let csv = sniff(&["#id,x,puzzle", &row], None).unwrap();
        assert_eq!((csv.puzzle, csv.columns().header), (2, Some(&b"#id,x,puzzle"[..])));
    }

    #[test]
    fn a_row_whose_number_follows_a_hash_is_no_comment() {
        let damaged = format!("#1,{}", &PUZZLE[1..]);
        for first in [format!("#1,{PUZZLE}"), damaged] {
            let csv = sniff(&[&first, &format!("#2,{PUZZLE}"), &format!("3,{PUZZLE}")], None);
            let csv = csv.unwrap();
            assert_eq!((csv.puzzle, csv.comments.len()), (1, 0), "{first}");
            assert_eq!(csv.next(first.as_bytes(), true).unwrap().kind, Kind::Plain);
        }
    }

    #[test]
    fn comments_do_not_count_among_the_first_rows() {
        let row = format!("7,{PUZZLE}");
        let mut lines = vec!["# mine"; 300];
        lines.extend(["nr,puzzle", &row]);
        assert_eq!(sniff(&lines, None).unwrap().columns().header, Some(&b"nr,puzzle"[..]));
    }

    #[test]
    fn the_delimiter_is_the_one_that_leaves_grids_or_a_name() {
        let delimiter = |lines: &[&str]| char::from(sniff(lines, None).unwrap().delimiter);
        for byte in [',', ';', '\t', '|'] {
            assert_eq!(delimiter(&[&format!("7{byte}{PUZZLE}{byte}{SOLUTION}")]), byte);
            assert_eq!(delimiter(&[&format!("nr{byte}puzzle"), &format!("7{byte}12")]), byte);
        }
        let cells: Vec<String> = PUZZLE.chars().map(String::from).collect();
        assert_eq!(delimiter(&[&format!("7,{}", cells.join(";"))]), ',');
        assert_eq!(delimiter(&[&format!("7;{}", cells.join(","))]), ';');
        assert_eq!(delimiter(&[PUZZLE]), ',');
    }

    #[test]
    fn solutions_are_found_by_name_and_else_by_what_they_solve() {
        let solution = |lines: &[&str]| sniff(lines, None).unwrap().solution;
        let rows = format!("{PUZZLE},7,{SOLUTION}");
        assert_eq!(solution(&["puzzle,nr, Answers ", &rows]), Some(2));
        assert_eq!(solution(&[&rows]), Some(2));
        assert_eq!(solution(&["start,nr,end", &rows]), Some(2));
        // A column that is named otherwise is not believed to be one.
        assert_eq!(solution(&["puzzle,nr,end", &rows]), None);
        let wrong = format!("{PUZZLE},7,{}", SOLUTION.replace('3', "4"));
        assert_eq!(solution(&[&wrong]), Some(2));
        let other = format!("{PUZZLE},{},{SOLUTION}", SOLUTION.replace('3', "4"));
        assert_eq!(solution(&[&wrong, &other]), Some(2));
        let doubled = sniff(&["puzzle,solution,Solution", &rows], None).unwrap_err();
        assert!(doubled.to_string().contains("choose one with --solution-column NUMBER"));
    }

    #[test]
    fn a_file_of_damaged_rows_has_rows() {
        let sixteen = ".".repeat(256);
        assert_eq!(column_of(&[&format!("7,{sixteen}")]), (1, false));
        assert_eq!(column_of(&[&format!("a,b,{}", &PUZZLE[1..])]), (2, false));
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
    fn a_column_beyond_all_rows_is_refused_at_once() {
        let row = format!("7,{PUZZLE},{SOLUTION}");
        let error = sniff(&["nr,puzzle", &row], Some(Column::Number(7))).unwrap_err();
        assert_eq!(error.to_string(), "there is no column 7; the first rows have 3 columns");
        let error = sniff(&[PUZZLE], Some(Column::Number(2))).unwrap_err();
        assert_eq!(error.to_string(), "there is no column 2; the first rows have 1 column");
        let ragged = [row.as_str(), &format!("7,{PUZZLE},,{PUZZLE}")];
        assert_eq!(sniff(&ragged, Some(Column::Number(4))).unwrap().puzzle, 3);
        assert_eq!(sniff(&[], Some(Column::Number(4))).unwrap().puzzle, 0);
        // Without a single grid the delimiter is one that leaves such a column.
        assert_eq!(sniff(&["1;2;3"], Some(Column::Number(3))).unwrap().delimiter, b';');
    }

    #[test]
    fn the_puzzle_column_is_told_by_number_and_name() {
        let told = |lines: &[&str]| sniff(lines, None).unwrap().to_string();
        assert_eq!(told(&["nr;\"Quiz \"", "1;2"]), "column 2 `Quiz`");
        assert_eq!(told(&[&format!("7,{PUZZLE}")]), "column 2");
        assert_eq!(told(&[]), "column 1");
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
        let layout = Csv { puzzle: 1, ..Csv::bare(b',') };
        assert_eq!(
            layout.puzzle(Kind::Plain, b"7"),
            Err(RowError::MissingField { column: 2, fields: 1 })
        );
        let row = format!("7,{PUZZLE},extra,\r");
        assert_eq!(layout.puzzle(Kind::Plain, row.as_bytes()).unwrap().to_string(), PUZZLE);
        let row = format!("\"7\",\"{PUZZLE}\"\r");
        assert_eq!(layout.puzzle(Kind::Quoted, row.as_bytes()).unwrap().to_string(), PUZZLE);
    }

    #[test]
    fn a_first_row_whose_puzzle_is_absent_is_no_header() {
        for absent in ["null", "NA", "NaN", "None", "lost"] {
            let (first, row) = (format!("7,{absent}"), format!("8,{PUZZLE}"));
            assert_eq!(column_of(&[&first, &row]), (1, false), "{absent}");
        }
        let (first, row) = (format!("lost,{}", &SOLUTION[1..]), format!("{PUZZLE},{SOLUTION}"));
        assert_eq!(column_of(&[&first, &row]), (0, false));
        assert_eq!(column_of(&["NA,easy", &format!("{PUZZLE},hard")]), (0, false));
    }

    #[test]
    fn a_line_that_tells_spreadsheets_the_separator_is_no_row() {
        let row = format!("1;{PUZZLE}");
        let csv = sniff(&["sep=;\r", "id;puzzle", &row], None).unwrap();
        assert_eq!((csv.delimiter, csv.puzzle), (b';', 1));
        assert_eq!(csv.next(b"sep=;\r\n", true).unwrap().kind, Kind::Skip);
        assert_eq!(csv.next(b"sep=1;2\n", true).unwrap().kind, Kind::Plain);
    }

    #[test]
    fn a_message_does_not_show_a_header_of_any_length() {
        let message = sniff(&["a,".repeat(9000).as_str()], None).unwrap_err().to_string();
        assert!(message.len() < 250 && message.contains("`a`, …)"), "{message}");
    }
}
