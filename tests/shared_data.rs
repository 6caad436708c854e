//! The larger puzzle files beside the repository, where they are present: every puzzle has one
//! solution, which is found with every instruction set.

use std::path::{Path, PathBuf};
use std::{env, fs};
use sudoku_bench::arch::Isa;
use sudoku_bench::dataset::{Hints, Reader, RowBlock};
use sudoku_bench::grid::Grid;
use sudoku_bench::solver::Status;
use sudoku_bench::solver::lanes::{Goal, Lanes};

/// The puzzles of a file, each with the solution that stands beside it; `None` without the file.
fn puzzles(name: &str) -> Option<Vec<(Grid, Option<Grid>)>> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let shared = env::var_os("SUDOKU_BENCH_SHARED").map_or_else(beside, PathBuf::from);
    let path = shared.join("data").join(name);
    let file = match fs::File::open(&path) {
        Ok(file) => file,
        Err(error) => {
            eprintln!("skipped: {} cannot be read ({error})", path.display());
            return None;
        }
    };
    let mut reader = Reader::new(file, &Hints::default()).unwrap().unwrap();
    let layout = reader.layout().clone();
    let (mut block, mut puzzles) = (RowBlock::default(), Vec::new());
    loop {
        reader.fill(&mut block).unwrap();
        if block.rows().is_empty() {
            return Some(puzzles);
        }
        puzzles.extend(block.rows().iter().map(|row| {
            let solution = block.solution(&layout, row).map(|solution| solution.unwrap().unwrap());
            (block.puzzle(&layout, row).unwrap(), solution)
        }));
    }
}

fn each_has_one_solution(name: &str, count: usize, with_solutions: bool) {
    let Some(rows) = puzzles(name) else { return };
    assert_eq!(rows.len(), count, "{name}");
    assert!(rows.iter().all(|(_, solution)| solution.is_some() == with_solutions), "{name}");
    let puzzles: Vec<Grid> = rows.iter().map(|&(puzzle, _)| puzzle).collect();
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        let [first, counted] = [Goal::First, Goal::CountToTwo]
            .map(|goal| Lanes::new(isa, goal, None).solve_all(&puzzles));
        for ((puzzle, expected), (first, counted)) in
            std::iter::zip(&rows, std::iter::zip(first, counted))
        {
            let solution = first.solution.unwrap();
            assert!(solution.solves(puzzle), "{name}: {puzzle} with {isa}");
            assert_eq!((counted.status, counted.solutions), (Status::Solved, 1), "{puzzle}");
            assert_eq!(counted.solution, Some(solution), "{name}: {puzzle} with {isa}");
            assert!(expected.is_none_or(|expected| expected == solution), "{name}: {puzzle}");
        }
    }
}

#[test]
fn the_kaggle_sample_has_its_own_solutions() {
    each_has_one_solution("kaggle1m_sample_10000.csv", 10_000, true);
}

#[test]
fn every_17_clue_puzzle_has_one_solution() {
    each_has_one_solution("sudoku17_49151.txt", 49_151, false);
}

#[test]
fn every_puzzle_of_the_magictour_list_has_one_solution() {
    each_has_one_solution("top1465.txt", 1465, false);
}

#[test]
fn every_puzzle_of_norvigs_list_has_one_solution() {
    each_has_one_solution("top95.txt", 95, false);
}
