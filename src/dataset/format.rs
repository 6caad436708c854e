//! The formats that can be read, one file each.

mod block;
mod columns;
mod csv;
mod grids;
mod json;
mod lines;
mod opensudoku;

pub use block::BlockError;
pub(super) use csv::{Csv, DELIMITERS};
pub(super) use grids::Grids;
pub(super) use json::Json;
pub(super) use lines::Lines;
pub(super) use opensudoku::OpenSudoku;

/// A format of puzzle files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Columns, with or without a header.
    Csv,
    /// One grid a line, beside other fields and comments.
    Lines,
    /// Grids of nine lines, with or without titles, sections or frames.
    Grids,
    /// Boards of nine arrays, and objects that hold a board or a grid.
    Json,
    /// XML with a `<game data="…">` for each puzzle.
    OpenSudoku,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 5] =
        [Format::Csv, Format::Lines, Format::Grids, Format::Json, Format::OpenSudoku];

    /// The name by which it is chosen.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Lines => "lines",
            Format::Grids => "grids",
            Format::Json => "json",
            Format::OpenSudoku => "opensudoku",
        }
    }

    /// What it is, in one line.
    pub const fn summary(self) -> &'static str {
        match self {
            Format::Csv => {
                "fields between commas, tabs, semicolons or bars, with or without a header"
            }
            Format::Lines => {
                "one grid a line, also among fields parted by white space or colons; # and // begin \
                 a comment"
            }
            Format::Grids => "grids of nine lines, with or without titles, sections or frames",
            Format::Json => "boards of nine arrays, and objects that hold a board or a grid",
            Format::OpenSudoku => "XML with a <game data=\"…\"> for each puzzle",
        }
    }

    /// The format of a file that begins with `bytes`.
    pub(super) fn sniff(bytes: &[u8], at_end: bool) -> Self {
        let holds_lines = || Csv::fit(bytes, at_end).0 > 0 || Lines::fit(bytes, at_end) > 0;
        if Json::fits(bytes) {
            Format::Json
        } else if OpenSudoku::fits(bytes) {
            Format::OpenSudoku
        } else if Grids::fits(bytes) && !holds_lines() {
            Format::Grids
        } else if Lines::fits(bytes, at_end) {
            Format::Lines
        } else {
            Format::Csv
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str =
        "3..4..8.78172364..4.98.56...417...5.7.3.8..6.68.9.3174....2.7...3.547.822.4.985.3";

    #[test]
    fn a_comment_with_commas_or_the_title_of_a_grid_makes_no_columns() {
        let sniff = |text: &str| Format::sniff(text.as_bytes(), true);
        for comment in ["# from N., 2020, hard", "// a;b"] {
            let text = format!("{comment}\n{PUZZLE}\n{PUZZLE} # easy\n");
            assert_eq!(sniff(&text), Format::Lines, "{comment}");
            assert_eq!(sniff(&format!("{comment}\n{PUZZLE},1\n")), Format::Csv, "{comment}");
        }
        assert_eq!(sniff(&format!("puzzle\n{PUZZLE}\n")), Format::Csv);
        let rows = PUZZLE.as_bytes().chunks(9).map(|row| format!("{}\n", row.escape_ascii()));
        assert_eq!(sniff(&format!("Puzzle\n{}", rows.collect::<String>())), Format::Grids);
    }
}
