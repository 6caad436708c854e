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
    #[error("{length} characters where a 9x9 grid has 81")]
    Length {
        /// Characters seen.
        length: usize,
    },
    /// A character is neither a digit nor an empty-cell mark.
    #[error("character {position} is {character:?}, neither a digit nor `.`")]
    Character {
        /// 1-based place of the character in the text.
        position: usize,
        /// The character; U+FFFD stands for bytes that are not UTF-8.
        character: char,
    },
}

impl Grid {
    /// Reads 81 characters, row by row: `1`–`9` are givens, `0` and `.` empty cells.
    ///
    /// # Errors
    /// When the length is not 81 characters, or a character is none of these.
    pub fn parse(text: &[u8]) -> Result<Self, GridError> {
        // Plain loops without an early exit, so that they compile to vector code.
        if let Ok(bytes) = <&[u8; CELLS]>::try_from(text) {
            let mut cells = [0; CELLS];
            let mut largest = 0;
            for (cell, &byte) in std::iter::zip(&mut cells, bytes) {
                *cell = if byte == b'.' { 0 } else { byte.wrapping_sub(b'0') };
                largest = largest.max(*cell);
            }
            if largest <= 9 {
                return Ok(Grid(cells));
            }
        }
        Err(explain(text))
    }
}

/// The reason why [`Grid::parse`] refused `text`.
fn explain(text: &[u8]) -> GridError {
    let text = String::from_utf8_lossy(text);
    let length = text.chars().count();
    match length {
        0 => GridError::Empty,
        CELLS => text
            .chars()
            .enumerate()
            .find(|(_, character)| !matches!(character, '0'..='9' | '.'))
            .map_or(GridError::Length { length }, |(index, character)| GridError::Character {
                position: index + 1,
                character,
            }),
        16 | 36 | 256 | 625 | 1296 => GridError::OtherSize { length, side: length.isqrt() },
        _ => GridError::Length { length },
    }
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
        assert!(reason(&".".repeat(256)).contains("256 characters make a 16x16 grid"));
        assert!(reason(&OWN_01.replacen("3", "A", 1)).contains("character 1 is 'A'"));
        assert!(reason(&OWN_01.replacen("3.", "3O", 1)).contains("character 2 is 'O'"));
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
