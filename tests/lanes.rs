//! The lane-parallel engine: every answer is the right one, and depends on the puzzle alone.

use std::sync::atomic::AtomicBool;
use sudoku_bench::arch::Isa;
use sudoku_bench::grid::{CELLS, Grid};
use sudoku_bench::random::Random;
use sudoku_bench::solver::lanes::{Answer, Desk, Goal, Lanes};
use sudoku_bench::solver::{Limits, Status, Variant, count_solutions};

const GOALS: [Goal; 2] = [Goal::First, Goal::CountToTwo];

fn available() -> impl Iterator<Item = Isa> {
    Isa::ALL.into_iter().filter(|isa| isa.is_available())
}

fn grid(text: &str) -> Grid {
    Grid::parse(text.as_bytes()).unwrap()
}

/// The puzzles of a data set, with their solutions where it has them.
fn data(text: &str) -> Vec<(Grid, Option<Grid>)> {
    let grid = |field: &str| Grid::parse(field.as_bytes()).ok();
    let row = |line: &str| {
        let mut grids = line.split(',').filter_map(grid);
        Some((grids.next()?, grids.next()))
    };
    text.lines().filter_map(row).collect()
}

fn everyday() -> Vec<(Grid, Option<Grid>)> {
    data(include_str!("../data/everyday.csv"))
}

/// Puzzles with no solution, with one, and with many: those of a data set with a clue changed,
/// added, or taken away, a few clues of a solved grid, a few clues at random.
fn fuzzed(count: usize, stream: u64) -> Vec<Grid> {
    let originals = everyday();
    let mut random = Random::new(5, "puzzles", stream);
    let mut puzzle = |number: usize| {
        let (puzzle, solution) = originals[random.below(originals.len() as u32) as usize];
        let solution = solution.unwrap();
        let digit = 1 + random.below(9) as u8;
        let mut cells_of = |puzzle: Grid, is_given: bool| -> Vec<usize> {
            let mut cells: Vec<usize> =
                (0..CELLS).filter(|&cell| (puzzle.cells()[cell] > 0) == is_given).collect();
            random.shuffle(&mut cells);
            cells
        };
        let (given, empty) = (cells_of(puzzle, true), cells_of(puzzle, false));
        let few = given[..3 + number / 8 % 13].iter().copied();
        match number % 8 {
            0 => puzzle,
            1 => puzzle.with(given[0], digit),
            2 => puzzle.with(empty[0], digit),
            3 => puzzle.with(given[0], 0),
            4 => given[..1 + number / 8 % 4]
                .iter()
                .fold(puzzle, |puzzle, &cell| puzzle.with(cell, 0)),
            5 => few.fold(Grid::EMPTY, |puzzle, cell| puzzle.with(cell, solution.cells()[cell])),
            6 => few.fold(Grid::EMPTY, |puzzle, cell| puzzle.with(cell, 1 + random.below(9) as u8)),
            _ => puzzle.with(given[0], 0).with(empty[0], digit),
        }
    };
    std::iter::once(Grid::EMPTY).chain((1..).map(&mut puzzle)).take(count).collect()
}

/// What is right for every goal; `None` where the other solver takes too long.
fn is_right(puzzle: &Grid, goal: Goal, answer: &Answer) -> Option<bool> {
    let limits = Limits { nodes: Some(1_000_000), ..Limits::default() };
    let status = Variant::Mrv.solve(puzzle, &limits).status;
    let count = count_solutions(puzzle, &limits)?;
    if status == Status::LimitNodes {
        return None;
    }
    let count = if goal == Goal::First { count.min(1) } else { count };
    Some(
        answer.status == status
            && answer.solutions == count
            && answer.solution.is_some() == (count > 0)
            && answer.solution.is_none_or(|solution| solution.solves(puzzle))
            && answer.nodes.is_none() == (count == 2)
            && (status != Status::Invalid || answer.nodes == Some(0)),
    )
}

/// Answers of every instruction set, which agree and are right.
fn checked_answers(puzzles: &[Grid], goal: Goal) -> Vec<Answer> {
    let answers = Lanes::new(Isa::Portable, goal, None).solve_all(puzzles);
    let mut undecided = 0;
    for (puzzle, answer) in std::iter::zip(puzzles, &answers) {
        match is_right(puzzle, goal, answer) {
            Some(is_right) => assert!(is_right, "{puzzle}: {answer:?}"),
            None => undecided += 1,
        }
    }
    assert!(undecided <= puzzles.len() / 1000, "{undecided} puzzles could not be checked");
    for isa in available() {
        assert_eq!(Lanes::new(isa, goal, None).solve_all(puzzles), answers, "{isa}");
    }
    answers
}

#[test]
fn every_answer_is_right_with_every_instruction_set() {
    let puzzles = fuzzed(4000, 0);
    for goal in GOALS {
        let answers = checked_answers(&puzzles, goal);
        for status in [Status::Solved, Status::Unsolvable, Status::Invalid] {
            let count = answers.iter().filter(|answer| answer.status == status).count();
            assert!(count > 100, "{count} are {status}");
        }
    }
}

#[test]
#[ignore = "takes a minute, in release"]
fn a_hundred_thousand_answers_are_right() {
    for goal in GOALS {
        for stream in 1..=10 {
            checked_answers(&fuzzed(10_000, stream), goal);
        }
    }
}

#[test]
fn an_answer_does_not_depend_on_the_other_puzzles() {
    let puzzles = fuzzed(1000, 20);
    for isa in available() {
        for goal in GOALS {
            let alone: Vec<Answer> = puzzles
                .iter()
                .flat_map(|puzzle| {
                    Lanes::new(isa, goal, None).solve_all(std::slice::from_ref(puzzle))
                })
                .collect();
            for size in [0, 1, 2, 15, 16, 17, 31, 32, 33, 1000] {
                let together = Lanes::new(isa, goal, None).solve_all(&puzzles[..size]);
                assert_eq!(together, alone[..size], "{isa}, {size} together");
            }
            let mut order: Vec<usize> = (0..puzzles.len()).collect();
            Random::new(6, "order", 0).shuffle(&mut order);
            let shuffled: Vec<Grid> = order.iter().map(|&index| puzzles[index]).collect();
            let answers = Lanes::new(isa, goal, None).solve_all(&shuffled);
            for (&index, answer) in std::iter::zip(&order, answers) {
                assert_eq!(answer, alone[index]);
            }
        }
    }
}

/// Hands out some puzzles and takes any answers.
struct Blocks<'a> {
    puzzles: &'a [Grid],
    handed_out: usize,
    end: usize,
    answers: Vec<Option<Answer>>,
}

impl Desk for Blocks<'_> {
    fn next(&mut self) -> Option<(u64, &Grid)> {
        let puzzle = self.puzzles[..self.end].get(self.handed_out)?;
        self.handed_out += 1;
        Some((self.handed_out as u64 - 1, puzzle))
    }

    fn answer(&mut self, ticket: u64, answer: &Answer) {
        let earlier = self.answers[ticket as usize].replace(*answer);
        assert_eq!(earlier, None, "puzzle {ticket} is answered twice");
    }
}

impl<'a> Blocks<'a> {
    fn new(puzzles: &'a [Grid]) -> Self {
        Blocks { puzzles, handed_out: 0, end: 0, answers: vec![None; puzzles.len()] }
    }

    fn open(&self) -> usize {
        self.answers[..self.handed_out].iter().filter(|answer| answer.is_none()).count()
    }
}

#[test]
fn puzzles_stay_in_work_from_one_block_to_the_next() {
    let puzzles = fuzzed(500, 30);
    let go_on = AtomicBool::new(false);
    for isa in available() {
        for goal in GOALS {
            let expected = Lanes::new(isa, goal, None).solve_all(&puzzles);
            let mut lanes = Lanes::new(isa, goal, None);
            let mut blocks = Blocks::new(&puzzles);
            while blocks.end < puzzles.len() {
                blocks.end = (blocks.end + 61).min(puzzles.len());
                lanes.feed(&mut blocks, &go_on);
                assert_eq!(blocks.handed_out, blocks.end);
                assert!((1..32).contains(&blocks.open()), "{} are in work", blocks.open());
                if blocks.end > 300 {
                    lanes.finish(&mut blocks, &go_on);
                    assert_eq!(blocks.open(), 0);
                }
            }
            let answers: Vec<Answer> = blocks.answers.into_iter().flatten().collect();
            assert_eq!(answers, expected);
        }
    }
}

#[test]
fn a_cap_of_n_lets_n_nodes_pass_and_stops_the_next() {
    let puzzles = fuzzed(300, 40);
    for isa in available() {
        for goal in GOALS {
            let free = Lanes::new(isa, goal, None).solve_all(&puzzles);
            for cap in [0, 1, 2, 5, 20] {
                let capped = Lanes::new(isa, goal, Some(cap)).solve_all(&puzzles);
                for (free, capped) in std::iter::zip(&free, &capped) {
                    match free.nodes {
                        Some(nodes) if nodes <= cap => assert_eq!(capped, free),
                        Some(_) => {
                            assert_eq!(capped.status, Status::LimitNodes);
                            assert_eq!(capped.nodes, Some(cap));
                        }
                        None if capped.status == Status::Solved => assert_eq!(capped, free),
                        None => {
                            assert_eq!(capped.status, Status::LimitNodes);
                            assert!(capped.solution.is_none() || capped.solution == free.solution);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_capped_count_does_not_depend_on_the_other_puzzles() {
    let puzzles = fuzzed(300, 50);
    for isa in available() {
        let together = Lanes::new(isa, Goal::CountToTwo, Some(9)).solve_all(&puzzles);
        for (puzzle, answer) in std::iter::zip(&puzzles, together) {
            let mut lanes = Lanes::new(Isa::Portable, Goal::CountToTwo, Some(9));
            assert_eq!(lanes.solve_all(&[*puzzle]), [answer]);
        }
    }
}

#[test]
fn an_interrupt_ends_all_work() {
    let puzzles = fuzzed(100, 60);
    for isa in available() {
        let mut lanes = Lanes::new(isa, Goal::CountToTwo, None);
        let mut blocks = Blocks::new(&puzzles);
        blocks.end = 100;
        let interrupt = AtomicBool::new(false);
        lanes.feed(&mut blocks, &interrupt);
        let open = blocks.open();
        assert!(open > 0);
        interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
        lanes.finish(&mut blocks, &interrupt);
        let answers = blocks.answers.iter().flatten();
        let stopped = answers.filter(|answer| answer.status == Status::Interrupted).count();
        assert_eq!((blocks.open(), stopped), (0, open));
        // It can be used again.
        let expected = Lanes::new(isa, Goal::CountToTwo, None).solve_all(&puzzles);
        assert_eq!(lanes.solve_all(&puzzles), expected);
    }
}

#[test]
fn givens_that_conflict_are_invalid_however_few() {
    let [row, column, box_] =
        [(0, 8), (0, 72), (0, 20)].map(|(a, b)| Grid::EMPTY.with(a, 5).with(b, 5));
    let full = grid(&format!("{}{}", "55", &"1".repeat(79)));
    for isa in available() {
        for goal in GOALS {
            for cap in [None, Some(0)] {
                for answer in Lanes::new(isa, goal, cap).solve_all(&[row, column, box_, full]) {
                    let expected = Answer {
                        status: Status::Invalid,
                        solutions: 0,
                        solution: None,
                        nodes: Some(0),
                    };
                    assert_eq!(answer, expected);
                }
            }
        }
    }
}

#[test]
fn puzzles_of_few_clues_end_soon() {
    let famous = [
        // Without triples in both directions this one takes minutes.
        ".5......6.........................64......8........5................9..7.........",
        ".................................................................................",
        "1................................................................................",
        "12345678.........................................................................",
        // It has no solution.
        ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........",
    ];
    let mut puzzles = famous.map(grid).to_vec();
    puzzles.extend(fuzzed(4000, 70).into_iter().filter(|puzzle| puzzle.clues() < 16));
    for goal in GOALS {
        let answers = Lanes::new(Isa::detect(), goal, Some(10_000)).solve_all(&puzzles);
        for (puzzle, answer) in std::iter::zip(&puzzles, answers) {
            assert_ne!(answer.status, Status::LimitNodes, "{puzzle}");
        }
    }
}

#[test]
fn the_data_sets_are_solved() {
    let sets = [
        include_str!("../data/embedded.csv"),
        include_str!("../data/everyday.csv"),
        include_str!("../data/sparse.csv"),
        include_str!("../data/famous.csv"),
    ];
    for rows in sets.map(data) {
        let puzzles: Vec<Grid> = rows.iter().map(|&(puzzle, _)| puzzle).collect();
        let answers = Lanes::new(Isa::detect(), Goal::CountToTwo, None).solve_all(&puzzles);
        assert!(!rows.is_empty());
        for ((puzzle, solution), answer) in std::iter::zip(rows, answers) {
            match (solution, answer.solution) {
                (Some(_), found) => assert_eq!((answer.solutions, found), (1, solution)),
                (None, Some(found)) => assert!(found.solves(&puzzle), "{puzzle}"),
                (None, None) => assert_eq!(count_solutions(&puzzle, &Limits::default()), Some(0)),
            }
        }
    }
}
