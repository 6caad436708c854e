//! A puzzle in forms that are the same to a human and other searches to a template.

use crate::grid::{Grid, Symmetry};
use crate::random::Random;

/// The puzzle as it stands, then equivalent forms of it: digits relabelled; bands, stacks, rows
/// within bands and columns within stacks in another order; rows and columns exchanged or not.
///
/// The forms follow from the seed and the line of the puzzle in its file, and the first ones are the
/// same however many there are. Givens that conflict do so in any form, so such a puzzle has one.
pub(super) struct Forms {
    puzzle: Grid,
    random: Random,
    is_first: bool,
    /// Forms that are still to be drawn.
    left: u32,
}

impl Forms {
    /// The puzzle at this physical line of its file, and `isomorphs` other forms.
    pub(super) fn new(puzzle: Grid, line: u64, isomorphs: u32, seed: u64) -> Self {
        let left = if puzzle.is_consistent() { isomorphs } else { 0 };
        Forms { puzzle, random: Random::new(seed, "isomorphs", line), is_first: true, left }
    }
}

impl Iterator for Forms {
    type Item = Grid;

    fn next(&mut self) -> Option<Grid> {
        if std::mem::take(&mut self.is_first) {
            return Some(self.puzzle);
        }
        self.left = self.left.checked_sub(1)?;
        Some(symmetry(&mut self.random).apply(&self.puzzle))
    }
}

/// One of all symmetries, each equally likely.
fn symmetry(random: &mut Random) -> Symmetry {
    let mut digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    random.shuffle(&mut digits);
    let (rows, columns) = (lines(random), lines(random));
    let is_transposed = random.below(2) == 1;
    Symmetry::new(digits, rows, columns, is_transposed).expect("bands stay together")
}

/// The numbers of nine rows, band by band, or of nine columns.
fn lines(random: &mut Random) -> [usize; 9] {
    let mut bands = [[0, 1, 2], [3, 4, 5], [6, 7, 8]];
    random.shuffle(&mut bands);
    bands.iter_mut().for_each(|band| random.shuffle(band));
    std::array::from_fn(|line| bands[line / 3][line % 3])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Limits, count_solutions};
    use std::collections::BTreeSet;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn forms(line: u64, isomorphs: u32, seed: u64) -> Vec<Grid> {
        let puzzle = Grid::parse(PUZZLE.as_bytes()).unwrap();
        Forms::new(puzzle, line, isomorphs, seed).collect()
    }

    #[test]
    fn forms_follow_from_seed_line_and_number_alone() {
        let reference = forms(7, 20, 1);
        assert_eq!(reference.len(), 21);
        assert_eq!(reference[0].to_string(), PUZZLE);
        assert_eq!(forms(7, 5, 1), reference[..6]);
        assert_ne!(forms(8, 20, 1)[1..], reference[1..]);
        assert_ne!(forms(7, 20, 2)[1..], reference[1..]);
        // The same in every version of this program.
        let expected =
            "....6.823...72.1...4.1.9....214.....65....7..4.....2681...5.4..3...8..517...4.9..";
        assert_eq!(reference[1].to_string(), expected);
    }

    #[test]
    fn every_form_is_another_grid_with_as_many_givens_and_one_solution() {
        let forms = forms(1, 200, 1);
        let distinct: BTreeSet<String> = forms.iter().map(Grid::to_string).collect();
        assert_eq!(distinct.len(), forms.len());
        for form in &forms {
            let givens = |grid: &Grid| grid.cells().iter().filter(|&&digit| digit > 0).count();
            assert_eq!(givens(form), givens(&forms[0]));
            assert_eq!(count_solutions(form, &Limits::default()), Some(1));
        }
    }

    #[test]
    fn a_given_may_come_to_any_cell_and_any_digit() {
        let puzzle = Grid::EMPTY.with(0, 1);
        let mut seen = BTreeSet::new();
        for form in Forms::new(puzzle, 1, 10_000, 1) {
            seen.extend(form.cells().iter().copied().enumerate().filter(|(_, digit)| *digit > 0));
        }
        assert_eq!(seen.len(), 81 * 9);
    }

    #[test]
    fn conflicting_givens_have_no_other_form() {
        let conflict = Grid::EMPTY.with(6, 4).with(7, 4);
        assert_eq!(Forms::new(conflict, 1, 5, 1).collect::<Vec<_>>(), [conflict]);
    }
}
