//! `solve` with the engine that takes many puzzles at once.

mod common;

use common::*;
use sudoku_bench::arch::Isa;
use sudoku_bench::grid::Grid;
use sudoku_bench::solver::{Limits, Variant, count_solutions};

/// Puzzles of every sort: easy, hard and sparse ones, with conflicts, with no solution, with many,
/// and rows that are no grid; more than fit into a block.
fn rows() -> String {
    let mut text = repository_file("data/sparse.csv");
    text += &repository_file("data/everyday.csv").lines().skip(1).collect::<Vec<_>>().join("\n");
    for n in 0..400 {
        let row = match n % 7 {
            0 => EMPTY.to_owned(),
            1 => format!("55{}", &EMPTY[2..]),
            2 => "12".into(),
            3 => SPARSE_START.into(),
            4 => format!("{}{}", &HARD[..40], &EMPTY[40..]),
            5 => format!(".5{}", &EASY[2..]),
            _ => EASY.into(),
        };
        text += &format!("\n{row},");
    }
    text + "\n"
}

#[test]
fn answers_depend_neither_on_the_instruction_set_nor_on_the_threads() {
    let bench = Bench::with(rows());
    for options in ["", "--unique", "--max-nodes 1", "--unique --max-nodes 2"] {
        let one = bench.run(&format!("solve in.csv -j 1 --isa portable {options}")).exits(5).stdout;
        for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
            for threads in THREADS {
                let run = format!("solve in.csv -j {threads} --isa {isa} {options}");
                assert!(bench.run(&run).exits(5).stdout == one, "{run}");
            }
        }
    }
}

#[test]
fn every_row_has_the_answer_that_others_find() {
    let bench = Bench::with(rows());
    let rows = bench.run("solve in.csv").exits(5).rows();
    let others = bench.run("solve in.csv -t mrv").exits(5).rows();
    let counted = bench.run("solve in.csv --unique").exits(5).rows();
    assert_eq!(rows.len(), others.len());
    assert_eq!(rows.len(), counted.len());
    for ((row, other), counted) in rows.iter().zip(&others).zip(&counted) {
        assert_eq!((row.line, &row.status), (other.line, &other.status));
        assert_eq!((row.line, &row.status), (counted.line, &counted.status));
        assert_eq!(row.solution, counted.solution, "the first of several is the same");
        assert!(row.time_ns.is_none());
        let Ok(puzzle) = Grid::parse(row.puzzle.as_bytes()) else { continue };
        let count = count_solutions(&puzzle, &Limits::default());
        assert_eq!(counted.solutions.map(u64::from), count.map(u64::from), "{puzzle}");
        assert_eq!(counted.nodes.is_none(), count == Some(2), "{puzzle}");
        if count == Some(1) {
            assert_eq!(row.solution, other.solution);
        }
        if row.status == "solved" {
            let solution = Grid::parse(row.solution.as_bytes()).unwrap();
            assert!(solution.solves(&puzzle), "{puzzle}");
        }
    }
}

#[test]
fn a_file_of_one_row_and_one_that_trickles_are_answered() {
    assert_eq!(Bench::with(EASY).run("solve in.csv").exits(0).rows().len(), 1);
    let text = csv(&[EASY; 40]);
    let portions: Vec<&[u8]> = text.as_bytes().chunks(100).collect();
    assert_eq!(Bench::new().feed("solve -", &portions).exits(0).rows().len(), 40);
}

#[test]
fn what_the_lanes_cannot_do_is_refused() {
    let bench = Bench::with(csv(&[EASY]));
    let done = bench.run("solve in.csv -t lanes --max-time 1s").exits(2);
    done.says(&["lanes", "--max-nodes"]);
    // A limit of time alone takes another solver, and says so.
    bench.run("solve in.csv --max-time 1m").exits(0).says(&["with mrv"]);
    bench.run("solve in.csv --isa sse").exits(2);
    for isa in Isa::ALL.into_iter().filter(|isa| !isa.is_available()) {
        let done = bench.run(&format!("solve in.csv --isa {isa}")).exits(2);
        done.says(&[&format!("this machine does not have {isa}")]);
    }
}

/// One guess finds a solution of it, and more are needed to find another one.
const TWO_GUESSES: &str =
    "9......2....8.49......73.85.3...2.7.4.6..7....5..6...42.7.381...1......3..92..7..";

#[test]
fn a_cap_that_stops_the_count_leaves_the_solution() {
    let bench = Bench::with(lines([TWO_GUESSES]));
    let plain = bench.run("solve in.csv --max-nodes 1").exits(0).rows();
    let counted = bench.run("solve in.csv --max-nodes 1 --unique").exits(0).rows();
    assert_eq!((plain[0].status.as_str(), counted[0].status.as_str()), ("solved", "solved"));
    assert_eq!(counted[0].solution, plain[0].solution);
    assert_eq!(counted[0].solutions, None);
    let free = bench.run("solve in.csv --unique").exits(0).rows();
    assert_eq!(free[0].solutions, Some(2));
}

#[test]
fn two_solutions_that_are_known_make_a_puzzle_multiple_under_any_cap() {
    let bench = Bench::with(lines([TWO_GUESSES]));
    let first = bench.run("solve in.csv").exits(0).rows().remove(0).solution;
    // In the other solution one of the cells that the puzzle leaves open has another digit.
    let others = (0..81).flat_map(|cell| (1..=9).map(move |digit| (cell, digit)));
    let differs = |&(cell, digit): &(usize, u8)| {
        TWO_GUESSES.as_bytes()[cell] == b'.' && first.as_bytes()[cell] != b'0' + digit
    };
    let puzzle = Grid::parse(TWO_GUESSES.as_bytes()).unwrap();
    let second = others
        .filter(differs)
        .find_map(|(cell, digit)| {
            Variant::Mrv.solve(&puzzle.with(cell, digit), &Limits::default()).solution
        })
        .unwrap();
    bench.write("in.csv", lines([format!("{TWO_GUESSES},{second}")]));
    let verdicts = bench.run("verify in.csv --max-nodes 1 -o -").exits(0).stdout;
    assert!(verdicts.ends_with(",multiple,2,differs\n"), "{verdicts}");
}

#[test]
fn an_instruction_set_is_refused_where_no_lanes_run() {
    let bench = Bench::with(lines([EASY]));
    for run in [
        "solve in.csv -t mrv --isa portable",
        "solve in.csv --max-time 1s --isa portable",
        "verify in.csv --max-time 1s --isa portable",
        "compare in.csv -t mrv --isa portable",
    ] {
        bench.run(run).exits(2).says(&["--isa is for lanes, which do not run here"]);
    }
}
