//! How many clues puzzles are to have, and what there is too little of to ask for.

use super::pattern::Pattern;
use crate::grid::CELLS;
use std::ops::RangeInclusive;
use thiserror::Error;

/// How many clues the puzzles have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clues {
    /// A number of the range; those that the [`Pattern`] can have are equally likely.
    Number(RangeInclusive<u32>),
    /// As few as it takes: without any one of them there would be other solutions. Such puzzles are
    /// made until one has a number in the range, which is mostly 23 to 26.
    Minimal(RangeInclusive<u32>),
}

/// Why puzzles with such numbers of clues can't be generated.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ClueError {
    /// The range holds no number.
    #[error("the clue range {low}-{high} is empty; its first number must not be the larger one")]
    Empty {
        /// Low end of the range.
        low: u32,
        /// High end of the range.
        high: u32,
    },
    /// So few clues take too many grids.
    #[error(
        "a {low}-clue puzzle can't be reached by removing clues from a random grid in reasonable \
         time; the fewest that can be asked for is {fewest}"
    )]
    TooFew {
        /// Low end of the range.
        low: u32,
        /// The fewest that can be asked for with this pattern.
        fewest: u32,
    },
    /// The high end is above the number of cells.
    #[error("a puzzle can't have {high} clues; a grid has {CELLS} cells")]
    TooMany {
        /// High end of the range.
        high: u32,
    },
    /// No number of the range is the size of such a pattern.
    #[error(
        "a puzzle with the symmetry `{pattern}` can't have {}; the nearest number is {}",
        clues(*.low, *.high),
        nearest(*.pattern, *.low, *.high)
    )]
    NoSuchPattern {
        /// The pattern of the request.
        pattern: Pattern,
        /// Low end of the range.
        low: u32,
        /// High end of the range.
        high: u32,
    },
    /// Minimal puzzles hardly ever have such numbers.
    #[error(
        "hardly any minimal puzzle{} has {}, or none; the range must reach into {}-{}",
        with_symmetry(*.pattern),
        clues(*.low, *.high),
        .usual.start(),
        .usual.end()
    )]
    Rare {
        /// The pattern of the request.
        pattern: Pattern,
        /// Low end of the range.
        low: u32,
        /// High end of the range.
        high: u32,
        /// The numbers that can be asked for.
        usual: RangeInclusive<u32>,
    },
}

impl Clues {
    /// The same, if such puzzles can be made with the pattern.
    pub(super) fn checked(self, pattern: Pattern) -> Result<Self, ClueError> {
        let (Clues::Number(range) | Clues::Minimal(range)) = &self;
        let (low, high) = (*range.start(), *range.end());
        let have_one = |mut numbers: RangeInclusive<u32>| numbers.any(|n| pattern.can_have(n));
        if low > high {
            return Err(ClueError::Empty { low, high });
        }
        if high > CELLS as u32 {
            return Err(ClueError::TooMany { high });
        }
        if !have_one(low..=high) {
            return Err(ClueError::NoSuchPattern { pattern, low, high });
        }
        match self {
            Clues::Number(_) => {
                let fewest = fewest(pattern);
                if low < fewest {
                    return Err(ClueError::TooFew { low, fewest });
                }
            }
            Clues::Minimal(_) => {
                let usual = usual(pattern);
                if !have_one(low.max(*usual.start())..=high.min(*usual.end())) {
                    return Err(ClueError::Rare { pattern, low, high, usual });
                }
            }
        }
        Ok(self)
    }
}

/// The fewest clues that can be asked for; fewer would take a second or more for each puzzle.
///
/// Without a symmetry, one of 20 full grids can be emptied down to 22 clues, one of 360 down to 21,
/// and one of 11,000 down to 20.
const fn fewest(pattern: Pattern) -> u32 {
    match pattern {
        Pattern::None => 21,
        Pattern::Rotate180
        | Pattern::MirrorHorizontal
        | Pattern::MirrorVertical
        | Pattern::MirrorDiagonal
        | Pattern::MirrorAntidiagonal => 22,
        Pattern::MirrorDiagonals => 23,
        Pattern::MirrorBoth | Pattern::Rotate90 | Pattern::Full => 24,
    }
}

/// The numbers of clues of minimal puzzles, but for those that take seconds to come up even once.
const fn usual(pattern: Pattern) -> RangeInclusive<u32> {
    match pattern {
        Pattern::None => 20..=29,
        Pattern::Rotate180
        | Pattern::MirrorHorizontal
        | Pattern::MirrorVertical
        | Pattern::MirrorDiagonal
        | Pattern::MirrorAntidiagonal => 22..=29,
        Pattern::MirrorBoth | Pattern::MirrorDiagonals => 23..=28,
        Pattern::Rotate90 | Pattern::Full => 24..=28,
    }
}

/// What is said of a pattern, if it has a symmetry.
fn with_symmetry(pattern: Pattern) -> String {
    match pattern {
        Pattern::None => String::new(),
        _ => format!(" with the symmetry `{pattern}`"),
    }
}

/// A range as people write it.
fn clues(low: u32, high: u32) -> String {
    if low == high { format!("{low} clues") } else { format!("{low}-{high} clues") }
}

/// The number nearest to a range that a pattern can have and that can be asked for.
fn nearest(pattern: Pattern, low: u32, high: u32) -> u32 {
    let below = (fewest(pattern)..low).rev().find(|&clues| pattern.can_have(clues));
    let above = (high.max(fewest(pattern))..=CELLS as u32).find(|&it| pattern.can_have(it));
    match (below, above) {
        (Some(below), Some(above)) if low - below <= above - high => below,
        (below, above) => above.or(below).expect("81 can be had"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(clues: Clues, pattern: Pattern) -> String {
        clues.checked(pattern).unwrap_err().to_string()
    }

    #[test]
    fn a_range_that_cannot_be_met_is_refused_with_a_reason() {
        let reason = |range| reason(Clues::Number(range), Pattern::None);
        #[expect(clippy::reversed_empty_ranges)]
        let reversed = 34..=28;
        assert!(reason(reversed).contains("34-28 is empty"));
        assert!(reason(17..=30).contains("a 17-clue puzzle can't be reached"));
        assert!(reason(17..=30).contains("is 21"));
        assert!(reason(30..=82).contains("82 clues"));
        assert!(Clues::Number(21..=81).checked(Pattern::None).is_ok());
    }

    #[test]
    fn a_number_that_no_symmetric_pattern_has_is_refused_with_the_nearest() {
        let number = |range| reason(Clues::Number(range), Pattern::Rotate90);
        assert!(number(30..=31).contains("`rotate90` can't have 30-31 clues"));
        assert!(number(30..=30).ends_with("the nearest number is 29"));
        assert!(number(31..=31).ends_with("the nearest number is 32"));
        assert!(number(78..=79).ends_with("the nearest number is 77"));
        // One or four could be had, but not be asked for.
        assert!(number(2..=3).ends_with("the nearest number is 24"));
        assert!(Clues::Number(30..=32).checked(Pattern::Rotate90).is_ok());
    }

    #[test]
    fn minimal_puzzles_that_hardly_occur_are_refused() {
        let minimal = |range| reason(Clues::Minimal(range), Pattern::None);
        assert!(
            minimal(0..=17)
                .contains("puzzle has 0-17 clues, or none; the range must reach into 20-29")
        );
        assert!(minimal(40..=40).contains("has 40 clues"));
        assert!(minimal(20..=82).contains("82 clues"));
        // It has 24, 25 and 28.
        let full = reason(Clues::Minimal(26..=27), Pattern::Full);
        assert!(full.contains("can't have 26-27 clues"));
        for pattern in Pattern::ALL {
            assert!(Clues::Minimal(0..=81).checked(pattern).is_ok());
            assert!(Clues::Minimal(24..=24).checked(pattern).is_ok());
        }
    }
}
