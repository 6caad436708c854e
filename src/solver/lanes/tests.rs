//! The sweep by itself: the same with every instruction set, and never too much.

use super::board::Board;
use super::branch::cells_of;
use super::kernels::{Choose, Insert, Sweep};
use super::node::Node;
use super::stacks::Stacks;
use crate::arch::{MAX_LANES, Portable, Simd, Vector};
use crate::grid::{CELLS, Grid, Symmetry};
use crate::random::Random;

const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// A solved grid that looks like no other.
fn solved(random: &mut Random) -> Grid {
    let mut digits: [u8; 9] = std::array::from_fn(|digit| digit as u8 + 1);
    random.shuffle(&mut digits);
    // Bands anywhere, and lines anywhere in their bands.
    let mut lines = || -> [usize; 9] {
        let mut bands = [[0, 1, 2], [3, 4, 5], [6, 7, 8]];
        random.shuffle(&mut bands);
        bands.iter_mut().for_each(|band| random.shuffle(band));
        bands.as_flattened().try_into().unwrap()
    };
    let symmetry = Symmetry::new(digits, lines(), lines(), false).unwrap();
    symmetry.apply(&Grid::parse(SOLUTION.as_bytes()).unwrap())
}

/// The digits of a grid as candidates, and in each cell each other digit with a chance of one in
/// `rarity`.
fn among_others(grid: &Grid, rarity: u32, random: &mut Random) -> [u16; CELLS] {
    grid.cells().map(|digit| {
        let others = (0..9).filter(|_| random.below(rarity) == 0);
        others.fold(1 << (digit - 1), |candidates, other| candidates | 1 << other)
    })
}

/// Nodes for all lanes of any instruction set, each with a solved grid. In every other one, of odd
/// number, a few cells may lack the digit of that grid.
fn nodes(random: &mut Random) -> Vec<(Grid, [u16; CELLS])> {
    let node = |number: usize| {
        let grid = solved(random);
        let rarity = 1 + random.below(12);
        let mut node = among_others(&grid, rarity, random);
        for _ in 0..number % 2 * 3 {
            node[random.below(CELLS as u32) as usize] &= random.below(1 << 9) as u16;
        }
        (grid, node)
    };
    (0..MAX_LANES).map(node).collect()
}

/// What became of one node.
#[derive(Debug, PartialEq, Eq)]
struct Course {
    /// The node after each sweep.
    nodes: Vec<[u16; CELLS]>,
    /// After each sweep, whether it was a contradiction, was solved, or was stuck.
    findings: Vec<[bool; 3]>,
    /// Digit and mini-line that would be chosen to go on with.
    choice: [u16; 2],
}

/// Sweeps nodes until nothing changes any more.
fn courses<S: Simd>(simd: S, nodes: &[(Grid, [u16; CELLS])]) -> Vec<Course> {
    let mut courses = Vec::new();
    for nodes in nodes.chunks(S::Vector::LANES) {
        let mut board = Board::new(simd);
        let mut stacks = Stacks::new(S::Vector::LANES);
        for (lane, (_, node)) in nodes.iter().enumerate() {
            *stacks.start(lane).cells_mut() = *node;
        }
        simd.run(Insert(&mut board, u32::MAX >> (32 - nodes.len()), &stacks));
        let start = courses.len();
        courses.extend(nodes.iter().map(|_| Course {
            nodes: Vec::new(),
            findings: Vec::new(),
            choice: [0; 2],
        }));
        for _ in 0..SWEEPS {
            let findings = simd.run(Sweep(&mut board, u32::MAX));
            for (lane, course) in courses[start..].iter_mut().enumerate() {
                let mut node = Node::EMPTY;
                board.extract(lane, &mut node);
                course.nodes.push(*node.cells());
                let sets = [findings.contradiction, findings.solved, findings.stuck];
                course.findings.push(sets.map(|set| set >> lane & 1 == 1));
            }
        }
        let choice = simd.run(Choose(&board));
        for (lane, course) in courses[start..].iter_mut().enumerate() {
            course.choice = [choice.digit.lanes()[lane], choice.mini_line.lanes()[lane]];
        }
    }
    courses
}

fn sweeps_as_plain_arrays_do<S: Simd>() {
    let Some(simd) = S::detect() else {
        return eprintln!("skipped: this machine does not have {}", std::any::type_name::<S>());
    };
    for round in 0..ROUNDS {
        let nodes = nodes(&mut Random::new(3, "nodes", round));
        assert_eq!(courses(simd, &nodes), courses(Portable::detect().unwrap(), &nodes));
    }
}

/// Miri takes its time.
const ROUNDS: u64 = if cfg!(miri) { 1 } else { 300 };

/// Enough for nearly every board to settle.
const SWEEPS: u64 = if cfg!(miri) { 1 } else { 25 };

#[test]
#[cfg(target_arch = "x86_64")]
fn avx2_sweeps_as_plain_arrays_do() {
    sweeps_as_plain_arrays_do::<crate::arch::Avx2>();
}

#[test]
#[cfg(target_arch = "x86_64")]
fn avx512_sweeps_as_plain_arrays_do() {
    sweeps_as_plain_arrays_do::<crate::arch::Avx512>();
}

#[test]
fn no_sweep_takes_a_candidate_of_a_solution_or_gives_one() {
    // Nodes that ended in each way: contradiction, solved, stuck.
    let mut ends = [0; 3];
    for round in 0..ROUNDS {
        let nodes = nodes(&mut Random::new(4, "nodes", round));
        let courses = courses(Portable::detect().unwrap(), &nodes);
        for ((grid, start), course) in std::iter::zip(&nodes, &courses) {
            let has_solution = |node: &[u16; CELLS]| {
                std::iter::zip(node, grid.cells()).all(|(cell, digit)| cell >> (digit - 1) & 1 == 1)
            };
            let mut last = start;
            for (node, &[contradiction, solved, stuck]) in
                std::iter::zip(&course.nodes, &course.findings)
            {
                assert!(std::iter::zip(last, node).all(|(before, now)| now & !before == 0));
                assert!(!has_solution(start) || has_solution(node));
                assert!(!(contradiction && has_solution(start)), "{grid} is lost");
                assert!(u8::from(contradiction) + u8::from(solved) + u8::from(stuck) <= 1);
                last = node;
            }
            let end = course.findings[course.findings.len() - 1];
            for (count, end) in std::iter::zip(&mut ends, end) {
                *count += u32::from(end);
            }
            if end[1] {
                let cells = last.map(|cell| cell.trailing_zeros() as u8 + 1);
                assert!(Grid::from_cells(cells).unwrap().solves(&Grid::EMPTY));
            }
        }
    }
    assert!(cfg!(miri) || ends.iter().all(|&count| count > 100), "{ends:?}");
}

/// The cells of mini-line `third` of line `line`, which is a row for lines 0-8, and a column for 9-17.
fn mini_line(line: usize, third: usize) -> [usize; 3] {
    [0, 1, 2].map(|place| match line {
        0..9 => 9 * line + 3 * third + place,
        _ => 9 * (3 * third + place) + line - 9,
    })
}

/// The guess by the rule, as it is told in `branch`: the digit as a candidate and the cells of the
/// mini-line. `None` where every digit has one way at most in every band.
fn guess(node: &[u16; CELLS]) -> Option<(u16, [usize; 3])> {
    let holds = |line, third, digit: u16| {
        mini_line(line, third).into_iter().any(|cell| node[cell] & digit != 0)
    };
    let digits = || (0..9).map(|digit| 1 << digit);
    let ways = |band: usize, digit| {
        let is_way =
            |thirds: &&[usize; 3]| (0..3).all(|line| holds(3 * band + line, thirds[line], digit));
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        orders.iter().filter(is_way).count()
    };
    let undecided = (0..6).filter(|&band| digits().any(|digit| ways(band, digit) > 1));
    let all_ways = |&band: &usize| digits().map(|digit| ways(band, digit)).sum::<usize>();
    let band = undecided.min_by_key(all_ways)?;
    // Beyond three, as many as there may be count alike.
    let class = |&digit: &u16| ways(band, digit).min(4);
    let digit = digits().filter(|digit| class(digit) > 1).min_by_key(class)?;
    let several = |line: &usize| (0..3).filter(|&third| holds(*line, third, digit)).count() > 1;
    let line = (3 * band..3 * band + 3).find(several)?;
    let third = (0..3).find(|&third| holds(line, third, digit))?;
    Some((digit, mini_line(line, third)))
}

#[test]
fn guesses_are_made_by_the_rule() {
    let mut guesses = 0;
    for round in 0..ROUNDS {
        let nodes = nodes(&mut Random::new(5, "nodes", round));
        for course in courses(Portable::detect().unwrap(), &nodes) {
            let end = course.nodes.last().unwrap();
            let [_, _, is_stuck] = course.findings.last().unwrap();
            if let Some((digit, mini_line)) = guess(end).filter(|_| *is_stuck) {
                let [chosen, number] = course.choice;
                assert_eq!((chosen, cells_of(usize::from(number))), (digit, mini_line));
                guesses += 1;
            }
        }
    }
    assert!(cfg!(miri) || guesses > 1000, "{guesses}");
}
