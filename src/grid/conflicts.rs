//! Givens that break a rule, found without searching.

use super::{CELLS, Grid};
use std::fmt;

/// A row, column or box, each numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// One of the nine rows.
    Row(usize),
    /// One of the nine columns.
    Column(usize),
    /// One of the nine boxes, left to right and top to bottom.
    Box(usize),
}

/// Writes the unit as players name it, counted from 1: `row 1`, `column 9`, `box 5`.
impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unit::Row(index) => write!(f, "row {}", index + 1),
            Unit::Column(index) => write!(f, "column {}", index + 1),
            Unit::Box(index) => write!(f, "box {}", index + 1),
        }
    }
}

/// A digit that stands more than once in a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The digit, 1–9.
    pub digit: u8,
    /// Where it stands more than once.
    pub unit: Unit,
}

/// Writes, for example, `row 1 has 4 more than once`.
impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} has {} more than once", self.unit, self.digit)
    }
}

impl Grid {
    /// Whether no digit stands twice in a row, column or box. Empty cells are fine.
    pub fn is_consistent(&self) -> bool {
        let [mut rows, mut columns, mut boxes] = [[0_u16; 9]; 3];
        let mut repeated = 0;
        for cell in 0..CELLS {
            // An empty cell becomes bit 0, which is masked out.
            let bit = (1 << self.cells()[cell]) & !1;
            let units = [
                &mut rows[Grid::row(cell)],
                &mut columns[Grid::column(cell)],
                &mut boxes[Grid::box_of(cell)],
            ];
            for unit in units {
                repeated |= *unit & bit;
                *unit |= bit;
            }
        }
        repeated == 0
    }

    /// Every digit that stands more than once in a unit: rows first, then columns, then boxes.
    pub fn conflicts(&self) -> Vec<Conflict> {
        let of_kind = |unit: fn(usize) -> Unit, index_of: fn(usize) -> usize| {
            let mut seen = [[0_usize; 10]; 9];
            for cell in 0..CELLS {
                seen[index_of(cell)][usize::from(self.cells()[cell])] += 1;
            }
            (0..9).flat_map(move |index| {
                (1..=9_u8)
                    .filter(move |&digit| seen[index][usize::from(digit)] > 1)
                    .map(move |digit| Conflict { digit, unit: unit(index) })
            })
        };
        of_kind(Unit::Row, Grid::row)
            .chain(of_kind(Unit::Column, Grid::column))
            .chain(of_kind(Unit::Box, Grid::box_of))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_doubled_digit_is_named_in_each_unit() {
        let grid = Grid::EMPTY.with(6, 4).with(7, 4);
        let named: Vec<String> = grid.conflicts().iter().map(Conflict::to_string).collect();
        assert_eq!(named, ["row 1 has 4 more than once", "box 3 has 4 more than once"]);
        assert!(!grid.is_consistent());
        assert!(Grid::EMPTY.is_consistent());
    }

    proptest! {
        #[test]
        fn the_quick_test_and_the_list_agree(
            cells in proptest::collection::vec((0..CELLS, 1..=9_u8), 0..12)
        ) {
            let grid = cells.iter().fold(Grid::EMPTY, |grid, &(cell, digit)| grid.with(cell, digit));
            prop_assert_eq!(grid.is_consistent(), grid.conflicts().is_empty());
        }
    }
}
