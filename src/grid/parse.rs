//! From text to [`Grid`].

use super::{CELLS, Grid};
use thiserror::Error;

/// Why a text is not a grid. Lengths and positions count characters, not bytes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GridError {
    /// There is nothing at all.
    #[error("the puzzle is empty; a 9x9 grid has 81 characters")]
    Empty,
    /// The length is that of a square grid of another size.
    #[error("{length} characters make a {side}x{side} grid, which is not supported (only 9x9)")]
    OtherSize {
        /// Characters seen.
        length: usize,
        /// Side of the grid.
        side: usize,
    },
    /// The length is no grid's.
    #[error("{} where a 9x9 grid has 81", plural(*length, "character"))]
    Length {
        /// Characters seen.
        length: usize,
    },
    /// There is a number in scientific notation.
    #[error("a spreadsheet has rounded this number; keep the cells as text there")]
    Rounded,
    /// There is an apostrophe before what would be a grid.
    #[error("an apostrophe stands before the 81 cells")]
    Apostrophe,
    /// There are 81 cells, but not in groups of one, three or nine.
    #[error("81 characters that do not stand together or in equal groups")]
    Groups,
    /// A character is neither a digit nor a mark of an empty cell.
    #[error("character {position} is {character:?}, neither a digit nor a mark of an empty cell")]
    Character {
        /// 1-based place of the character in the text.
        position: usize,
        /// The character; U+FFFD stands for bytes that are not UTF-8.
        character: char,
    },
}

/// A number of things.
pub(crate) fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Sides of the grids that are known besides 9.
const SIDES: [usize; 10] = [4, 6, 8, 10, 12, 15, 16, 20, 25, 36];

/// In a text of digits and spaces so many may be missing at its end, where trailing spaces were
/// trimmed.
const TRIMMED: usize = 18;

/// A text that misses cells needs so many spaces between digits to be one in which spaces are
/// cells: with fewer it could be nine groups that are not whole.
const GAPS: usize = 9;

/// The value of a cell by its character; [`NO_CELL`] for what is none.
const CELL: [u8; 256] = {
    let mut cells = [NO_CELL; 256];
    let mut digit = 0;
    while digit <= 9 {
        cells[b'0' as usize + digit] = digit as u8;
        digit += 1;
    }
    let marks = b".*_-xX?";
    let mut index = 0;
    while index < marks.len() {
        cells[marks[index] as usize] = 0;
        index += 1;
    }
    cells
};

const NO_CELL: u8 = 255;

impl Grid {
    /// The value of a cell by its character: a digit, or 0 for `0 . * _ - x X ?`, which mark an
    /// empty one. `None` for any other character.
    pub fn cell(character: char) -> Option<u8> {
        let byte = u8::try_from(character).ok()?;
        Some(CELL[usize::from(byte)]).filter(|&cell| cell != NO_CELL)
    }

    /// Reads the 81 cells of a grid, row by row: `1`–`9` are givens, any of `0 . * _ - x X ?` is an
    /// empty cell. White space around them does not count.
    ///
    /// The cells may also stand in nine lines, in groups of nine or three, or one by one, between `;`, `,`,
    /// `|` or white space. In a text of nothing but spaces and the digits `1`–`9`, a space is an
    /// empty cell; at the end of nine lines they may be missing, and up to 18 at the end of one.
    ///
    /// # Errors
    /// When it is not certain that the text is such a grid.
    pub fn parse(text: &[u8]) -> Result<Self, GridError> {
        if let Some(grid) = text.try_into().ok().and_then(Grid::of_digits) {
            return Ok(grid);
        }
        let trimmed = text.trim_ascii();
        marked(trimmed)
            .or_else(|| spaced(text))
            .or_else(|| spaced_lines(text))
            .or_else(|| grouped(trimmed))
            .ok_or_else(|| explain(trimmed))
    }

    /// Reads the 81 cells of a grid if they are digits or points, as nearly all are.
    #[inline]
    pub(crate) fn of_digits(text: &[u8; CELLS]) -> Option<Self> {
        let mut cells = [0; CELLS];
        let mut largest = 0;
        // A plain loop without an early exit, so that it compiles to vector code.
        for (cell, &byte) in std::iter::zip(&mut cells, text) {
            *cell = if byte == b'.' { 0 } else { byte.wrapping_sub(b'0') };
            largest = largest.max(*cell);
        }
        (largest <= 9).then_some(Grid(cells))
    }
}

/// A grid of 81 characters with any marks.
fn marked(text: &[u8]) -> Option<Grid> {
    let bytes: &[u8; CELLS] = text.try_into().ok()?;
    Grid::from_cells(bytes.map(|byte| CELL[usize::from(byte)]))
}

/// A grid of digits, with spaces for the empty cells.
fn spaced(text: &[u8]) -> Option<Grid> {
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    let is_length = (CELLS - TRIMMED..=CELLS).contains(&text.len());
    let is_spaced = |byte: &u8| matches!(byte, b' ' | b'1'..=b'9');
    let inner = text.trim_ascii();
    if !is_length || !text.iter().all(is_spaced) || is_regular(inner) {
        return None;
    }
    let gaps = inner.iter().filter(|&&byte| byte == b' ').count();
    if text.len() < CELLS && gaps < GAPS {
        return None;
    }
    let mut cells = [0; CELLS];
    for (cell, byte) in std::iter::zip(&mut cells, text) {
        *cell = if *byte == b' ' { 0 } else { byte - b'0' };
    }
    Some(Grid(cells))
}

/// A grid of nine lines of digits, with spaces for the empty cells, of which those at the end of a
/// line may be missing.
fn spaced_lines(text: &[u8]) -> Option<Grid> {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    if text.iter().filter(|&&byte| byte == b'\n').count() != 8 {
        return None;
    }
    let mut cells = [0; CELLS];
    for (row, line) in std::iter::zip(cells.chunks_mut(9), text.split(|&byte| byte == b'\n')) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > 9 {
            return None;
        }
        for (cell, byte) in std::iter::zip(row, line) {
            *cell = match byte {
                b' ' => 0,
                b'1'..=b'9' => byte - b'0',
                _ => return None,
            };
        }
    }
    Some(Grid(cells))
}

/// Whether single spaces part the text into groups of one size, as spaces that are no cells would,
/// or into one.
fn is_regular(text: &[u8]) -> bool {
    let mut groups = text.split(|&byte| byte == b' ').map(<[u8]>::len);
    let first = groups.next();
    groups.all(|length| Some(length) == first)
}

/// A grid of nine groups of nine characters, 27 of three, or 81 of one.
fn grouped(text: &[u8]) -> Option<Grid> {
    let mut cells = Vec::with_capacity(CELLS);
    let mut size = 0;
    for group in groups(text) {
        size = if size == 0 { group.len() } else { size };
        if group.len() != size || cells.len() + size > CELLS {
            return None;
        }
        cells.extend(group.iter().map(|&byte| CELL[usize::from(byte)]));
    }
    let cells = cells.try_into().ok().filter(|_| matches!(size, 1 | 3 | 9))?;
    Grid::from_cells(cells)
}

/// The groups of a text between separators; two of which leave an empty group between them, white
/// space aside.
fn groups(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let has_marks = text.iter().any(|byte| is_separator(*byte));
    let parted = text.split(move |byte| match has_marks {
        true => is_separator(*byte) || *byte == b'\n',
        false => byte.is_ascii_whitespace(),
    });
    parted.map(<[u8]>::trim_ascii).filter(move |group| has_marks || !group.is_empty())
}

fn is_separator(byte: u8) -> bool {
    matches!(byte, b';' | b',' | b'|')
}

/// The reason why [`Grid::parse`] refused `text`. Separators are no characters of the grid.
fn explain(text: &[u8]) -> GridError {
    if is_scientific(text) {
        return GridError::Rounded;
    }
    if text.strip_prefix(b"'").is_some_and(|text| Grid::parse(text).is_ok()) {
        return GridError::Apostrophe;
    }
    let text = String::from_utf8_lossy(text);
    let is_cell = |character: &char| {
        !character.is_ascii_whitespace() && !u8::try_from(*character).is_ok_and(is_separator)
    };
    let length = text.chars().filter(is_cell).count();
    let mut cells = text.chars().filter(is_cell).enumerate();
    let odd = cells.find(|(_, character)| Grid::cell(*character).is_none());
    match (length, odd) {
        (0, _) => GridError::Empty,
        (CELLS, Some((index, character))) => {
            GridError::Character { position: index + 1, character }
        }
        (CELLS, None) => GridError::Groups,
        _ => match SIDES.into_iter().find(|side| side * side == length) {
            Some(side) => GridError::OtherSize { length, side },
            None => GridError::Length { length },
        },
    }
}

/// Whether a text is a number such as `5.3E+79`, as spreadsheets write large ones.
fn is_scientific(text: &[u8]) -> bool {
    let is_number = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let mut parts = text.splitn(2, |byte| matches!(byte, b'e' | b'E'));
    let (Some(digits), Some(power)) = (parts.next(), parts.next()) else { return false };
    let power = power.strip_prefix(b"+").or_else(|| power.strip_prefix(b"-")).unwrap_or(power);
    is_number(power) && digits.splitn(2, |byte| matches!(byte, b'.' | b',')).all(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN_01: &str =
        "3..4..8.78172364..4.98.56...417...5.7.3.8..6.68.9.3174....2.7...3.547.822.4.985.3";

    #[test]
    fn dots_and_zeros_are_the_same_empty_cell() {
        let dots = Grid::parse(OWN_01.as_bytes()).unwrap();
        let zeros = Grid::parse(OWN_01.replace('.', "0").as_bytes()).unwrap();
        assert_eq!(dots, zeros);
        assert_eq!(dots.to_string(), OWN_01);
        assert_eq!(dots.clues(), 45);
    }

    #[test]
    fn a_refusal_says_what_was_seen() {
        let reason = |text: &str| Grid::parse(text.as_bytes()).unwrap_err().to_string();
        assert!(reason(&OWN_01[1..]).contains("80 characters"));
        assert!(reason(&format!("{OWN_01}5")).contains("82 characters"));
        assert!(reason("").contains("empty"));
        assert!(reason("5").starts_with("1 character where"));
        assert!(reason(&format!("'{OWN_01}")).contains("an apostrophe stands before"));
        assert!(reason("'53..7").contains("6 characters"));
        for number in ["5.3E+79", "5,30e+79", "5E80"] {
            assert!(reason(number).contains("has rounded this number"), "{number}");
        }
        for other in ["5.3E+", "E80", ".3E4", "5.3.1E7", "53"] {
            assert!(!reason(other).contains("rounded"), "{other}");
        }
        assert!(reason(&".".repeat(256)).contains("256 characters make a 16x16 grid"));
        assert!(reason(&OWN_01.replacen("3", "A", 1)).contains("character 1 is 'A'"));
        assert!(reason(&OWN_01.replacen("3.", "3O", 1)).contains("character 2 is 'O'"));
    }

    #[test]
    fn any_mark_is_an_empty_cell_and_they_may_be_mixed() {
        let marks: Vec<char> = "0.*_-xX?".chars().collect();
        let mixed: String = (OWN_01.chars().enumerate())
            .map(|(index, cell)| if cell == '.' { marks[index % marks.len()] } else { cell })
            .collect();
        assert_eq!(Grid::parse(mixed.as_bytes()).unwrap().to_string(), OWN_01);
    }

    /// `OWN_01` as `size` cells in a group, with `separator` between the groups.
    fn in_groups(size: usize, separator: &str) -> String {
        let groups = OWN_01.as_bytes().chunks(size).map(|group| str::from_utf8(group).unwrap());
        groups.collect::<Vec<_>>().join(separator)
    }

    #[test]
    fn cells_may_stand_in_groups_or_one_by_one() {
        for separator in [";", ",", "|", " ", "  ", "\n", "\r\n", "; ", "\t"] {
            for size in [1, 3, 9] {
                let text = format!(" {}\n", in_groups(size, separator));
                let read = Grid::parse(text.as_bytes()).unwrap();
                assert_eq!(read.to_string(), OWN_01, "{size} with {separator:?}");
                let short = &in_groups(size, separator)[1..];
                assert!(Grid::parse(short.as_bytes()).is_err(), "{size} with {separator:?}");
            }
        }
        let uneven = format!("{} {}", &OWN_01[..10], &OWN_01[10..]);
        assert_eq!(Grid::parse(uneven.as_bytes()), Err(GridError::Groups));
        let gap = in_groups(1, ";").replacen(';', ";;", 1);
        assert!(Grid::parse(gap.as_bytes()).is_err());
    }

    #[test]
    fn a_space_is_a_cell_in_a_text_of_spaces_and_digits_alone() {
        let spaces = OWN_01.replace('.', " ");
        assert_eq!(Grid::parse(spaces.as_bytes()).unwrap().to_string(), OWN_01);
        // Trailing spaces are often trimmed; leading ones are cells.
        let sparse = format!("{}{}", " ".repeat(9), &OWN_01[..63].replace('.', " "));
        let read = Grid::parse(sparse.as_bytes()).unwrap().to_string();
        assert_eq!(read, format!("{}{}{}", ".".repeat(9), &OWN_01[..63], ".".repeat(9)));
        assert!(Grid::parse(&spaces.as_bytes()[..62]).is_err());
        // Other marks beside the spaces, or spaces that only part groups: nothing certain.
        let full = "365419827817236495429875631941762358753184269682953174598321746136547982";
        for doubtful in [
            format!(" {}", &OWN_01[1..]).replacen('.', " ", 1),
            format!(" {full}27469851"),
            full.as_bytes()
                .chunks(9)
                .map(|g| str::from_utf8(g).unwrap())
                .collect::<Vec<_>>()
                .join(" "),
            // Nine groups of which some have lost digits.
            "365419827 817236495 42987563 419423 7531842 6829531 598321746 1365479 27469".into(),
            OWN_01[..80].to_owned(),
        ] {
            assert!(Grid::parse(doubtful.as_bytes()).is_err(), "{doubtful}");
        }
    }

    #[test]
    fn length_is_counted_in_characters_not_bytes() {
        let middle_dot = OWN_01.replacen("3.", "3·", 1);
        assert_eq!(middle_dot.len(), 82);
        let error = Grid::parse(middle_dot.as_bytes()).unwrap_err();
        assert_eq!(error, GridError::Character { position: 2, character: '·' });
        let latin1 = [b"\xe9".as_slice(), &OWN_01.as_bytes()[1..]].concat();
        let error = Grid::parse(&latin1).unwrap_err();
        assert_eq!(error, GridError::Character { position: 1, character: '\u{fffd}' });
    }
}
