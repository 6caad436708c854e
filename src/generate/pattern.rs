//! The symmetry of the pattern that the givens make.

use crate::grid::{CELLS, Grid};
use std::fmt;

/// A symmetry of the pattern of givens: of the cells that hold one, whatever the digits. It has
/// nothing to do with [`Symmetry`](crate::grid::Symmetry), which makes another grid of a grid.
///
/// These are all that a square can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// None.
    None,
    /// A half turn.
    Rotate180,
    /// A quarter turn.
    Rotate90,
    /// Left and right mirror each other.
    MirrorHorizontal,
    /// Top and bottom mirror each other.
    MirrorVertical,
    /// Left and right, and top and bottom, mirror each other.
    MirrorBoth,
    /// The halves at the diagonal from the upper left mirror each other.
    MirrorDiagonal,
    /// The halves at the diagonal from the upper right mirror each other.
    MirrorAntidiagonal,
    /// The halves at either diagonal mirror each other.
    MirrorDiagonals,
    /// Every symmetry of the square.
    Full,
}

/// A set of cells: bit c is cell c.
pub(super) type Cells = u128;

/// What brings a square onto itself.
#[derive(Clone, Copy)]
enum Motion {
    Turn90,
    Turn180,
    Turn270,
    LeftRight,
    TopBottom,
    Diagonal,
    Antidiagonal,
}

impl Motion {
    /// Where a cell goes.
    const fn image(self, cell: usize) -> usize {
        let (row, column) = (Grid::row(cell), Grid::column(cell));
        let (row, column) = match self {
            Motion::Turn90 => (column, 8 - row),
            Motion::Turn180 => (8 - row, 8 - column),
            Motion::Turn270 => (8 - column, row),
            Motion::LeftRight => (row, 8 - column),
            Motion::TopBottom => (8 - row, column),
            Motion::Diagonal => (column, row),
            Motion::Antidiagonal => (8 - column, 8 - row),
        };
        9 * row + column
    }
}

/// The orbits of all cells, by pattern.
static ORBITS: [[Cells; CELLS]; Pattern::ALL.len()] = {
    let mut orbits = [[0; CELLS]; Pattern::ALL.len()];
    let mut pattern = 0;
    while pattern < orbits.len() {
        let motions = Pattern::ALL[pattern].motions();
        let mut cell = 0;
        while cell < CELLS {
            orbits[pattern][cell] = 1 << cell;
            let mut motion = 0;
            while motion < motions.len() {
                orbits[pattern][cell] |= 1 << motions[motion].image(cell);
                motion += 1;
            }
            cell += 1;
        }
        pattern += 1;
    }
    orbits
};

/// The sizes of all orbits, by pattern.
static SIZES: [Sizes; Pattern::ALL.len()] = {
    let mut sizes = [Sizes([0; 4]); Pattern::ALL.len()];
    let mut pattern = 0;
    while pattern < sizes.len() {
        let mut cell = 0;
        while cell < CELLS {
            let orbit = ORBITS[pattern][cell];
            if orbit.trailing_zeros() as usize == cell {
                sizes[pattern].0[Sizes::index(orbit)] += 1;
            }
            cell += 1;
        }
        pattern += 1;
    }
    sizes
};

impl Pattern {
    /// Every pattern.
    pub const ALL: [Pattern; 10] = [
        Pattern::None,
        Pattern::Rotate180,
        Pattern::Rotate90,
        Pattern::MirrorHorizontal,
        Pattern::MirrorVertical,
        Pattern::MirrorBoth,
        Pattern::MirrorDiagonal,
        Pattern::MirrorAntidiagonal,
        Pattern::MirrorDiagonals,
        Pattern::Full,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Pattern::None => "none",
            Pattern::Rotate180 => "rotate180",
            Pattern::Rotate90 => "rotate90",
            Pattern::MirrorHorizontal => "mirror-horizontal",
            Pattern::MirrorVertical => "mirror-vertical",
            Pattern::MirrorBoth => "mirror-both",
            Pattern::MirrorDiagonal => "mirror-diagonal",
            Pattern::MirrorAntidiagonal => "mirror-antidiagonal",
            Pattern::MirrorDiagonals => "mirror-diagonals",
            Pattern::Full => "full",
        }
    }

    /// What it is, in one line.
    pub const fn summary(self) -> &'static str {
        match self {
            Pattern::None => "any cells",
            Pattern::Rotate180 => "the same after a half turn",
            Pattern::Rotate90 => "the same after a quarter turn",
            Pattern::MirrorHorizontal => "left and right mirror each other",
            Pattern::MirrorVertical => "top and bottom mirror each other",
            Pattern::MirrorBoth => "left and right do, and top and bottom",
            Pattern::MirrorDiagonal => "mirrored at the diagonal from the upper left",
            Pattern::MirrorAntidiagonal => "mirrored at the diagonal from the upper right",
            Pattern::MirrorDiagonals => "mirrored at either diagonal",
            Pattern::Full => "mirrored and turned in every way",
        }
    }

    /// What leaves the pattern as it is, beside doing nothing.
    const fn motions(self) -> &'static [Motion] {
        use Motion::*;
        match self {
            Pattern::None => &[],
            Pattern::Rotate180 => &[Turn180],
            Pattern::Rotate90 => &[Turn90, Turn180, Turn270],
            Pattern::MirrorHorizontal => &[LeftRight],
            Pattern::MirrorVertical => &[TopBottom],
            Pattern::MirrorBoth => &[LeftRight, TopBottom, Turn180],
            Pattern::MirrorDiagonal => &[Diagonal],
            Pattern::MirrorAntidiagonal => &[Antidiagonal],
            Pattern::MirrorDiagonals => &[Diagonal, Antidiagonal, Turn180],
            Pattern::Full => {
                &[Turn90, Turn180, Turn270, LeftRight, TopBottom, Diagonal, Antidiagonal]
            }
        }
    }

    /// The cells that hold a given if `cell` does, with the cell itself.
    pub(super) fn orbit(self, cell: usize) -> Cells {
        ORBITS[self as usize][cell]
    }

    /// The sizes of its orbits.
    pub(super) fn sizes(self) -> Sizes {
        SIZES[self as usize]
    }

    /// Whether so many cells can be whole orbits.
    pub(super) fn can_have(self, clues: u32) -> bool {
        self.sizes().make(clues)
    }
}

/// How many orbits there are of 1, 2, 4 and 8 cells.
#[derive(Clone, Copy)]
pub(super) struct Sizes([u8; 4]);

impl Sizes {
    /// Where orbits as large as this one are counted.
    const fn index(orbit: Cells) -> usize {
        orbit.count_ones().trailing_zeros() as usize
    }

    pub(super) fn add(&mut self, orbit: Cells) {
        self.0[Sizes::index(orbit)] += 1;
    }

    pub(super) fn remove(&mut self, orbit: Cells) {
        self.0[Sizes::index(orbit)] -= 1;
    }

    /// Whether some of the orbits have so many cells together. Each size divides the next, so it is
    /// never wrong to take as many of the larger ones as fit.
    pub(super) fn make(self, cells: u32) -> bool {
        let mut missing = cells;
        for (bits, count) in self.0.into_iter().enumerate().rev() {
            missing -= u32::from(count).min(missing >> bits) << bits;
        }
        missing == 0
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orbits_are_shared_by_their_cells_and_make_up_the_grid() {
        for pattern in Pattern::ALL {
            for cell in 0..CELLS {
                let orbit = pattern.orbit(cell);
                assert!(orbit >> cell & 1 == 1 && [1, 2, 4, 8].contains(&orbit.count_ones()));
                let others = (0..CELLS).filter(|other| orbit >> other & 1 == 1);
                others.for_each(|other| assert_eq!(pattern.orbit(other), orbit));
            }
            assert!(pattern.can_have(81));
        }
    }

    #[test]
    fn a_corner_goes_where_the_name_of_the_pattern_says() {
        // Upper left, upper right, lower left, lower right.
        let corners = [0, 8, 72, 80].map(|cell| 1 << cell);
        let [a, b, c, d]: [Cells; 4] = corners;
        let with_the_first = [
            (Pattern::None, a),
            (Pattern::Rotate180, a | d),
            (Pattern::Rotate90, a | b | c | d),
            (Pattern::MirrorHorizontal, a | b),
            (Pattern::MirrorVertical, a | c),
            (Pattern::MirrorBoth, a | b | c | d),
            (Pattern::MirrorDiagonal, a),
            (Pattern::MirrorAntidiagonal, a | d),
            (Pattern::MirrorDiagonals, a | d),
            (Pattern::Full, a | b | c | d),
        ];
        assert_eq!(with_the_first.map(|(pattern, _)| pattern), Pattern::ALL);
        for (pattern, orbit) in with_the_first {
            assert_eq!(pattern.orbit(0), orbit, "{pattern}");
        }
        assert_eq!(Pattern::Full.orbit(1).count_ones(), 8);
        assert_eq!(Pattern::Rotate90.orbit(1).count_ones(), 4);
    }

    #[test]
    fn numbers_that_are_no_sum_of_orbits_are_known() {
        let numbers = |pattern: Pattern, range: std::ops::RangeInclusive<u32>| -> Vec<u32> {
            range.filter(|&clues| pattern.can_have(clues)).collect()
        };
        for pattern in [Pattern::Rotate90, Pattern::Full] {
            assert_eq!(numbers(pattern, 24..=33), [24, 25, 28, 29, 32, 33]);
        }
        for pattern in [Pattern::Rotate180, Pattern::MirrorBoth, Pattern::MirrorDiagonals] {
            assert_eq!(numbers(pattern, 0..=81).len(), 82);
        }
        assert!(numbers(Pattern::MirrorHorizontal, 82..=90).is_empty());
    }
}
