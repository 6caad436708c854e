//! A group of rows whose puzzles have raced.

use super::forms::Forms;
use crate::dataset::RowError;
use crate::grid::Grid;
use crate::measure::{Clock, Disagreement, Lap, OrderEffect, Race, Raced};
use crate::solver::Status;

/// What became of the rows of a group.
#[derive(Default)]
pub(super) struct Group {
    /// For each row the forms of its puzzle, the puzzle as it stands being the first; or why there is
    /// no puzzle.
    pub(super) puzzles: Vec<Result<Vec<Entry>, RowError>>,
    /// Time spent in the counting runs, in nanoseconds.
    pub(super) counting_ns: u64,
    /// Time spent in measurements, in nanoseconds.
    pub(super) timed_ns: u64,
    /// The times of the reference puzzle, in nanoseconds.
    pub(super) references: Vec<u64>,
    /// What the places in the order made.
    pub(super) order_effect: OrderEffect,
}

/// A form of a puzzle.
pub(super) struct Entry {
    /// What the arms made of it.
    pub(super) raced: Raced,
    /// What `lanes` made of it, with the number of its guesses.
    pub(super) lanes: Option<(Status, u64)>,
}

/// The number of a form stands above so many bits for the place of its row: each search of a run has
/// a number of its own.
const PLACE_BITS: u32 = 48;

impl Group {
    /// Races the puzzles of some rows, each row with its place in the input and its physical line,
    /// as they stand and in `isomorphs` other forms. `None` when there was an interrupt: what it got
    /// done would be the easy puzzles.
    ///
    /// A walk takes one form of each puzzle. So the puzzles of a walk are as different as without
    /// other forms, and memory holds no more of them.
    pub(super) fn race<C: Clock>(
        rows: impl Iterator<Item = (u64, u64, Result<Grid, RowError>)>,
        race: &Race<C>,
        isomorphs: u32,
    ) -> Option<Self> {
        let mut group = Group::default();
        let mut entered = Vec::new();
        for (row, (place, line, puzzle)) in rows.enumerate() {
            group.puzzles.push(puzzle.map(|puzzle| {
                entered.push((row, place, Forms::new(puzzle, line, isomorphs, race.seed)));
                Vec::with_capacity(1 + isomorphs as usize)
            }));
        }
        for form in 0..=isomorphs {
            let mut starters = Vec::new();
            let mut grids = Vec::new();
            for (row, place, forms) in &mut entered {
                let Some(grid) = forms.next() else { continue };
                starters.push(*row);
                grids.push((u64::from(form) << PLACE_BITS | *place, grid));
            }
            let heat = race.run(&grids)?;
            for (row, raced) in std::iter::zip(starters, heat.raced) {
                group.puzzles[row]
                    .as_mut()
                    .expect("it has a form")
                    .push(Entry { raced, lanes: None });
            }
            group.counting_ns += heat.counting_ns;
            group.timed_ns += heat.timed_ns;
            group.references.extend(heat.reference_ns);
            group.order_effect.merge(&heat.order_effect);
        }
        group.puzzles.iter_mut().flatten().for_each(|forms| hold_together(forms));
        Some(group)
    }

    /// The forms of each puzzle that were measured, if there are any.
    pub(super) fn measured(&self) -> impl Iterator<Item = Vec<&[Lap]>> {
        let puzzles = self.puzzles.iter().flatten().map(|forms| measured(forms));
        puzzles.filter(|measured| !measured.is_empty())
    }
}

/// Of the forms of a puzzle those that were measured, each as the results of the arms. A puzzle on
/// which an arm was wrong in any form counts for nothing.
fn measured(forms: &[Entry]) -> Vec<&[Lap]> {
    if first_wrong(forms).is_some() {
        return Vec::new();
    }
    let laps = forms.iter().filter_map(|form| match &form.raced {
        Raced::Measured { laps, .. } => Some(laps.as_slice()),
        _ => None,
    });
    laps.collect()
}

/// Finds the arms wrong on the first form that has no solution as they say, if another form of the
/// same puzzle has one.
fn hold_together(forms: &mut [Entry]) {
    let find = |forms: &[Entry], wanted: bool| {
        let is_wanted =
            |form: &Entry| matches!(form.raced, Raced::Measured { solved, .. } if solved == wanted);
        forms.iter().position(is_wanted)
    };
    if let (Some(solved), Some(wrong)) = (find(forms, true), find(forms, false)) {
        let disagreement = Disagreement::BetweenForms { solved: solved as u32 };
        forms[wrong].raced = Raced::Wrong(disagreement);
    }
}

/// The first form of a puzzle on which somebody is wrong, by its number, and the proof.
pub(super) fn first_wrong(forms: &[Entry]) -> Option<(u32, &Disagreement)> {
    (0..).zip(forms).find_map(|(number, form)| match &form.raced {
        Raced::Wrong(disagreement) => Some((number, disagreement)),
        _ => None,
    })
}

/// Whether a puzzle has a solution as it stands, if all that ran on that form of it, `lanes` too,
/// came to an end, and nobody was wrong on any form.
pub(super) fn is_solvable(forms: &[Entry]) -> Option<bool> {
    let Entry { raced: Raced::Measured { solved, .. }, lanes } = &forms[0] else { return None };
    let was_stopped = matches!(lanes, Some((Status::LimitNodes, _)));
    (!was_stopped && first_wrong(forms).is_none()).then_some(*solved)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A form of a puzzle, measured, and what `lanes` made of it.
    fn measured(solved: bool, lanes: Option<Status>) -> Entry {
        let (solutions_differ, repeated, laps) = (false, false, Vec::new());
        let raced = Raced::Measured { solved, solutions_differ, repeated, laps };
        Entry { raced, lanes: lanes.map(|status| (status, 1)) }
    }

    #[test]
    fn a_puzzle_is_solvable_or_not_only_where_all_came_to_an_end() {
        assert_eq!(is_solvable(&[measured(true, None)]), Some(true));
        assert_eq!(is_solvable(&[measured(false, Some(Status::Unsolvable))]), Some(false));
        assert_eq!(is_solvable(&[measured(true, Some(Status::LimitNodes))]), None);
        let dropped = || Entry { raced: Raced::Dropped(Vec::new()), lanes: None };
        assert_eq!(is_solvable(&[measured(true, None), dropped()]), Some(true));
        assert_eq!(is_solvable(&[dropped(), measured(true, None)]), None);
        let raced = Raced::Wrong(Disagreement::Panic { arm: "mrv" });
        assert_eq!(is_solvable(&[measured(true, None), Entry { raced, lanes: None }]), None);
    }
}
