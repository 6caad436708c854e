//! The hand-kept list of famous puzzles says nothing untrue about them.

use std::collections::HashSet;
use sudoku_bench::grid::Grid;
use sudoku_bench::solver::is_unique;

/// The one row that isn't a puzzle with exactly one solution.
const IMPOSSIBLE: &str = "Norvig impossible (no solution)";

/// The list: name, puzzle and origin of each.
fn famous() -> Vec<[String; 3]> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/famous.csv");
    let mut reader = csv::Reader::from_path(path).unwrap();
    assert_eq!(reader.headers().unwrap(), vec!["name", "puzzle", "origin"]);
    reader.deserialize().map(Result::unwrap).collect()
}

fn parse(puzzle: &str) -> Grid {
    Grid::parse(puzzle.as_bytes()).unwrap()
}

#[test]
fn every_famous_puzzle_but_one_has_exactly_one_solution() {
    for [name, puzzle, origin] in famous() {
        let grid = parse(&puzzle);
        assert_eq!(grid.to_string(), puzzle, "{name}: an empty cell is written `.`");
        assert!(!origin.is_empty(), "{name}");
        assert!(name == IMPOSSIBLE || is_unique(&grid), "{name}");
    }
}

#[test]
fn the_impossible_puzzle_has_no_solution() {
    let famous = famous();
    let [_, puzzle, _] = famous.iter().find(|[name, ..]| name == IMPOSSIBLE).unwrap();
    let grid = parse(puzzle);
    assert!(grid.is_consistent());
    // A search takes long to see it: in the middle column there are two cells for three digits.
    let has_room = |&cell: &usize| {
        let fits = |digit| grid.with(cell, digit).is_consistent();
        grid.cells()[cell] == 0 && [1, 5, 6].into_iter().any(fits)
    };
    let middle_column = (0..9).map(|row| row * 9 + 4);
    assert!(middle_column.clone().all(|cell| ![1, 5, 6].contains(&grid.cells()[cell])));
    assert_eq!(middle_column.filter(has_room).count(), 2);
}

#[test]
fn no_name_and_no_puzzle_is_listed_twice() {
    let famous = famous();
    let names: HashSet<&String> = famous.iter().map(|[name, ..]| name).collect();
    let puzzles: HashSet<&String> = famous.iter().map(|[_, puzzle, _]| puzzle).collect();
    assert_eq!(names.len(), famous.len());
    assert_eq!(puzzles.len(), famous.len());
}
