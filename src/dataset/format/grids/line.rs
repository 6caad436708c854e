//! What a line of a file of grids is.

use crate::dataset::format::block::is_cell;
use crate::dataset::record::{is_blank, line_of};

/// What a line is meant as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Blank,
    /// A row of cells, be it damaged.
    Row,
    /// A horizontal line of a frame.
    Frame,
    /// A comment.
    Note,
    /// `[Puzzle]`, whose grid is the puzzle.
    Puzzle,
    /// Another `[…]`, whose content is not.
    Section,
    /// Words, such as a title.
    Text,
}

/// What a line, without its line end, is meant as.
pub(super) fn classify(line: &[u8]) -> Line {
    // Most lines of most files, at once.
    if line.len() == 9 && line.iter().all(|byte| matches!(byte, b'.' | b'0'..=b'9')) {
        return Line::Row;
    }
    let text = line.trim_ascii();
    match text {
        [] => Line::Blank,
        [b'#', ..] | [b'/', b'/', ..] => Line::Note,
        [b'[', name @ .., b']'] => {
            if name.trim_ascii().eq_ignore_ascii_case(b"puzzle") {
                Line::Puzzle
            } else {
                Line::Section
            }
        }
        _ if is_frame(text) => Line::Frame,
        _ if is_row(text) => Line::Row,
        _ => Line::Text,
    }
}

/// Whether a line that could be a row is a number alone, such as `7`, `12.`, which may be a
/// title; `between` two grids a date of eight digits as well, which amid one is a row without a cell.
pub(super) fn is_number(line: &[u8], between: bool) -> bool {
    let line = line.trim_ascii_end();
    let digits = line.strip_suffix(b".").or_else(|| line.strip_suffix(b")")).unwrap_or(line);
    let longest = if between { 8 } else { 6 };
    line.len() < 9 && (1..=longest).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit)
}

/// Nine dashes are a row of empty cells; a frame has another width.
fn is_frame(text: &[u8]) -> bool {
    text.iter().all(|byte| b"+-=|*.':` ".contains(byte))
        && text.windows(3).any(|three| three == b"---" || three == b"===")
        && !str::from_utf8(text).is_ok_and(|text| cells(text).is_none_or(|cells| cells.len() == 9))
}

/// A row is damaged when a few of its characters are no cells. A word makes it a text, but for the
/// widths of larger grids, in which letters are digits.
fn is_row(text: &[u8]) -> bool {
    let is_bar = |byte: &u8| b"|,;".contains(byte);
    if matches!(text.len(), 16 | 25)
        && text.iter().all(|&byte| byte.is_ascii_alphanumeric() || byte == b'.')
    {
        return true;
    }
    let (mut known, mut unknown, mut bars, mut letters) = (0, 0, 0, 0);
    for byte in text.iter().filter(|byte| !byte.is_ascii_whitespace()) {
        let is_cell = is_cell(char::from(*byte));
        letters = if byte.is_ascii_alphabetic() && !is_cell { letters + 1 } else { 0 };
        if letters == 3 {
            return false;
        }
        match byte {
            byte if is_bar(byte) => bars += 1,
            _ if is_cell => known += 1,
            _ => unknown += 1,
        }
    }
    known > unknown || (unknown == 0 && bars >= 2)
}

/// The cells of a row. `None`: nine characters in groups of different lengths, so that some of the
/// spaces between them might be cells.
pub(super) fn cells(line: &str) -> Option<Vec<char>> {
    let line = line.trim();
    if line.contains([',', ';']) {
        return Some(delimited(line));
    }
    let groups =
        || line.split(|c: char| c == '|' || c.is_whitespace()).filter(|group| !group.is_empty());
    let cells: Vec<char> = groups().flat_map(str::chars).collect();
    if cells.len() != 9 {
        return Some(boxed(line).unwrap_or(cells));
    }
    let mut lengths = groups().map(|group| group.chars().count());
    let first = lengths.next();
    lengths.all(|length| Some(length) == first).then_some(cells)
}

/// The cells of a row with a delimiter behind each but perhaps the last. A cell without a character
/// is empty; one of several is one character that no grid holds.
fn delimited(line: &str) -> Vec<char> {
    let mut cells: Vec<char> = line
        .split([',', ';'])
        .map(|cell| {
            let mut characters = cell.trim().chars();
            match (characters.next(), characters.next()) {
                (None, _) => ' ',
                (Some(character), None) => character,
                (Some(_), Some(_)) => '\u{fffd}',
            }
        })
        .collect();
    if cells.len() == 10 && cells.last() == Some(&' ') && !cells[..9].contains(&' ') {
        cells.pop();
    }
    cells
}

/// The cells of a row in a frame whose empty cells are spaces: three boxes of three characters, or
/// of three with a space around each. A row with other marks of empty cells is none of these.
fn boxed(line: &str) -> Option<Vec<char>> {
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').unwrap_or(line);
    let boxes: Vec<Vec<char>> = line.split('|').map(|text| text.chars().collect()).collect();
    let mut cells = Vec::new();
    for text in &boxes {
        match text[..] {
            [a, b, c] | [' ', a, ' ', b, ' ', c, ' '] => cells.extend([a, b, c]),
            _ => return None,
        }
    }
    (boxes.len() == 3 && cells.iter().all(|cell| matches!(cell, ' ' | '1'..='9'))).then_some(cells)
}

/// Whether a line can be a row in which nothing but a space stands for an empty cell.
pub(super) fn is_spaced(line: &[u8]) -> bool {
    let line = line_of(line);
    line.len() <= 9 && line.iter().all(|byte| matches!(byte, b' ' | b'1'..=b'9'))
}

/// Whether a line is a row of nine spaces, rather than one of unknown width.
pub(super) fn is_nine_spaces(line: &[u8]) -> bool {
    line_of(line) == b"         "
}

/// Whether a line is blank without being a row of nine spaces.
pub(super) fn is_loose_blank(line: &[u8]) -> bool {
    is_blank(line) && !is_nine_spaces(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<String> {
        cells(line).map(|cells| cells.into_iter().collect())
    }

    #[test]
    fn a_row_is_read_in_every_spacing_that_leaves_no_doubt() {
        for line in [
            "53..7....",
            "5 3 . . 7 . . . .",
            "53. .7. ...",
            "|53.|.7.|...|",
            "| 5 3 . | . 7 . | . . . |",
            ": 5 3 . | . 7 . | . . . :".trim_matches([':', ' ']),
            "5,3,.,.,7,.,.,.,.",
            "5;3;.;.;7;.;.;.;.;",
        ] {
            assert_eq!(read(line).as_deref(), Some("53..7...."), "{line}");
            assert_eq!(classify(line.as_bytes()), Line::Row, "{line}");
        }
        for line in ["|53 | 7 |   |", "| 5 3   |   7   |       |", "5,3,,,7,,,,"] {
            assert_eq!(read(line).as_deref(), Some("53  7    "), "{line}");
            assert_eq!(classify(line.as_bytes()), Line::Row, "{line}");
        }
        assert_eq!(classify(b"|   |   |   |"), Line::Row);
    }

    #[test]
    fn a_row_in_doubt_is_not_guessed() {
        assert_eq!(read("53. .7.. .."), None);
        assert_ne!(read("|5. | 7 |   |").map(|cells| cells.len()), Some(9));
        assert_ne!(read("53  7    ").map(|cells| cells.len()), Some(9));
        assert_eq!(read("5,3,,,7,,,,,").unwrap().len(), 10);
        assert_eq!(read("5,3,12,.,7,.,.,.,.").as_deref(), Some("53\u{fffd}.7...."));
    }

    #[test]
    fn lines_are_told_apart() {
        for line in ["---------", "*********", "53..7....", "53..7...", "53O.7....", "_________"] {
            assert_eq!(classify(line.as_bytes()), Line::Row, "{line}");
        }
        for line in [
            "+-------+-------+-------+",
            "---+---+---",
            " *-----------*",
            " |---+---+---|",
            "------+-------+------",
            "-----------",
            ".-----.-----.-----.",
            ":=====+=====+=====:",
            "'-----'-----'-----'",
        ] {
            assert_eq!(classify(line.as_bytes()), Line::Frame, "{line}");
        }
        for line in ["Grid 01", "Puzzle 123", "by N.N.", "Sudoku No. 123456789"] {
            assert_eq!(classify(line.as_bytes()), Line::Text, "{line}");
        }
        assert_eq!(classify(b"#A me"), Line::Note);
        assert_eq!(classify(b" [puzzle]\r"), Line::Puzzle);
        assert_eq!(classify(b"[State]"), Line::Section);
        assert_eq!(classify(b"1.3.A.C.EF.2.4.6"), Line::Row);
    }
}
