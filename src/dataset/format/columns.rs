//! Which column holds the puzzles, and which the solutions, from the grids of the first rows.

use crate::grid::Grid;

/// The grids of a row, field by field.
pub(super) type Grids = Vec<Option<Grid>>;

/// The column of the first grid with an empty cell, else of the first grid.
pub(super) fn puzzle_column(rows: &[Grids]) -> Option<usize> {
    let column_of = |wanted: fn(&Grid) -> bool| {
        rows.iter()
            .find_map(|row| row.iter().position(|grid| grid.is_some_and(|grid| wanted(&grid))))
    };
    column_of(|grid| grid.clues() < 81).or_else(|| column_of(|_| true))
}

/// The first other column that holds a solution of the puzzle beside it, else the first that holds
/// a full grid, which may be an untrue solution.
pub(super) fn solution_column(rows: &[Grids], puzzle: usize) -> Option<usize> {
    let column_of = |wanted: fn(&Grid, &Grid) -> bool| {
        rows.iter().find_map(|row| {
            let its = (*row.get(puzzle)?)?;
            let is_wanted = |grid: &Option<Grid>| grid.is_some_and(|grid| wanted(&grid, &its));
            (0..row.len()).find(|&column| column != puzzle && is_wanted(&row[column]))
        })
    };
    column_of(Grid::solves).or_else(|| column_of(|grid, _| grid.clues() == 81))
}
