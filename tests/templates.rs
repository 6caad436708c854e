//! What holds for the variants on any puzzle: invariants of the counters, agreement among the
//! templates, with `mrv` and with an enumeration of all solutions written for these tests, caps,
//! probes and symmetries.

mod bare;

use bare::{Run, TEMPLATES, at_most, run};
use proptest::prelude::*;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::time::Duration;
use sudoku_bench::generate::{Clues, Generated, Pattern, Request};
use sudoku_bench::grid::{CELLS, Grid, Symmetry};
use sudoku_bench::random::Random;
use sudoku_bench::solver::{
    Bitmask, Break, Counts, Dlx, EarlyReturn, Limit, Limits, Mrv, NoProbe, Outcome, Rescan, Search,
    Status, Stop, Variant, count_by, count_solutions, is_unique,
};

/// The cap on searches that may be long.
const CAP: u64 = 10_000;

/// So many solutions are enumerated, then it is enough.
const MANY: usize = 40;

/// A sort of puzzle.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// A generated puzzle.
    Unique,
    /// A generated puzzle with one given replaced by another digit that stands in no conflict.
    WrongClue,
    /// A generated puzzle with one given more, which its solution contradicts.
    AddedClue,
    /// A generated puzzle without some of its givens.
    FewerClues,
    /// A few cells of a full grid.
    FewClues,
    /// A few random digits that do not conflict.
    Scattered,
    /// A full grid without some of its digits.
    NearlyFull,
    /// A full grid.
    Full,
}

impl Kind {
    const ALL: [Kind; 8] = [
        Kind::Unique,
        Kind::WrongClue,
        Kind::AddedClue,
        Kind::FewerClues,
        Kind::FewClues,
        Kind::Scattered,
        Kind::NearlyFull,
        Kind::Full,
    ];

    /// The puzzle of this kind that a seed stands for.
    fn puzzle(self, seed: u64) -> Grid {
        let mut random = Random::new(seed, "templates test", 0);
        let clues = 25 + random.below(12);
        let Generated { puzzle, solution } = generated(seed, clues);
        match self {
            Kind::Unique => puzzle,
            Kind::WrongClue => changed(&puzzle, &mut random, |cell, digit| {
                ![0, digit].contains(&puzzle.cells()[cell])
            }),
            Kind::AddedClue => changed(&puzzle, &mut random, |cell, digit| {
                puzzle.cells()[cell] == 0 && solution.cells()[cell] != digit
            }),
            Kind::FewerClues => {
                keeping(&puzzle, puzzle.clues() - 1 - below(4, &mut random), &mut random)
            }
            Kind::FewClues => keeping(&solution, below(18, &mut random), &mut random),
            Kind::Scattered => (0..5 + below(20, &mut random)).fold(Grid::EMPTY, |puzzle, _| {
                changed(&puzzle, &mut random, |cell, _| puzzle.cells()[cell] == 0)
            }),
            Kind::NearlyFull => keeping(&solution, CELLS - 1 - below(12, &mut random), &mut random),
            Kind::Full => solution,
        }
    }
}

fn below(n: u32, random: &mut Random) -> usize {
    random.below(n) as usize
}

/// A puzzle with exactly one solution, and that solution.
fn generated(seed: u64, clues: u32) -> Generated {
    Request::new(seed, Clues::Number(clues..=clues), Pattern::None).unwrap().puzzle(0)
}

/// The grid with only `clues` of its digits.
fn keeping(grid: &Grid, clues: usize, random: &mut Random) -> Grid {
    let mut cells: Vec<usize> = (0..CELLS).filter(|&cell| grid.cells()[cell] != 0).collect();
    random.shuffle(&mut cells);
    cells[clues..].iter().fold(*grid, |grid, &cell| grid.with(cell, 0))
}

/// The grid with one cell set to a digit that conflicts with no other and is `wanted` there; the
/// grid itself if there is none.
fn changed(grid: &Grid, random: &mut Random, wanted: impl Fn(usize, u8) -> bool) -> Grid {
    let mut choices: Vec<(usize, u8)> = (0..CELLS)
        .flat_map(|cell| (1..=9).map(move |digit| (cell, digit)))
        .filter(|&(cell, digit)| wanted(cell, digit))
        .collect();
    random.shuffle(&mut choices);
    choices
        .into_iter()
        .map(|(cell, digit)| grid.with(cell, digit))
        .find(Grid::is_consistent)
        .unwrap_or(*grid)
}

fn puzzles() -> impl Strategy<Value = Grid> {
    (prop::sample::select(Kind::ALL.as_slice()), any::<u64>())
        .prop_map(|(kind, seed)| kind.puzzle(seed))
}

/// Every solution of a puzzle, or [`MANY`] of them, by exact cover: 729 choices of a cell and its
/// digit, of which each of 324 demands wants exactly one.
fn solutions(puzzle: &Grid) -> BTreeSet<Grid> {
    let is_open = |&(cell, digit): &(usize, usize)| {
        let given = usize::from(puzzle.cells()[cell]);
        given == 0 || given == digit
    };
    let choices: Vec<(usize, usize)> = (0..CELLS)
        .flat_map(|cell| (1..=9).map(move |digit| (cell, digit)))
        .filter(is_open)
        .collect();
    let mut found = BTreeSet::new();
    cover(&(0..324).collect::<Vec<_>>(), &choices, Grid::EMPTY, &mut found);
    found
}

/// A cell has one digit; a row, a column and a box has each digit once.
fn demands((cell, digit): (usize, usize)) -> [usize; 4] {
    let (row, column) = (cell / 9, cell % 9);
    let square = row - row % 3 + column / 3;
    [cell, 72 + row * 9 + digit + 8, 153 + column * 9 + digit + 8, 234 + square * 9 + digit + 8]
}

fn cover(open: &[usize], choices: &[(usize, usize)], grid: Grid, found: &mut BTreeSet<Grid>) {
    if found.len() == MANY {
        return;
    }
    let mut offers = [0; 324];
    choices.iter().flat_map(|&choice| demands(choice)).for_each(|demand| offers[demand] += 1);
    let Some(&rarest) = open.iter().min_by_key(|&&demand| offers[demand]) else {
        found.insert(grid);
        return;
    };
    for &choice in choices.iter().filter(|&&choice| demands(choice).contains(&rarest)) {
        let met = demands(choice);
        let open: Vec<_> = open.iter().copied().filter(|demand| !met.contains(demand)).collect();
        let disjoint = |other: &(usize, usize)| !demands(*other).iter().any(|d| met.contains(d));
        let rest: Vec<_> = choices.iter().copied().filter(disjoint).collect();
        cover(&open, &rest, grid.with(choice.0, choice.1 as u8), found);
    }
}

/// The run of each template, stopped at [`CAP`] nodes.
fn runs(puzzle: &Grid) -> [Run; 3] {
    TEMPLATES.map(|(_, run)| run(puzzle, &at_most(CAP)))
}

fn templates_agree(puzzle: &Grid) {
    let [by_break, early_return, rescan] = runs(puzzle);
    assert_eq!(by_break, early_return, "{puzzle}");
    let but_calls = |run: Run| Run { counts: Counts { calls: 0, ..run.counts }, ..run };
    assert_eq!(but_calls(by_break), but_calls(rescan), "{puzzle}");
}

fn counters_fit_the_verdict(puzzle: &Grid) {
    let [by_break, _, rescan] = runs(puzzle);
    let empty = (CELLS - puzzle.clues()) as u64;
    let Counts { nodes, placements, backtracks, checks, calls } = by_break.counts;
    let (expected_placements, expected_backtracks, rescan_calls) = match by_break {
        // The node that was stopped isn't counted, but the digit before it is.
        Run { stopped: Some(_), .. } => (nodes, backtracks, nodes + 1),
        Run { found: true, .. } => (nodes, nodes - empty, nodes + 1),
        Run { found: false, .. } => (nodes - 1, nodes - 1, nodes),
    };
    assert_eq!(placements, expected_placements, "{puzzle}");
    assert_eq!(backtracks, expected_backtracks, "{puzzle}");
    assert_eq!(rescan.counts.calls, rescan_calls, "{puzzle}");
    assert!(calls >= rescan_calls && checks <= 9 * nodes, "{puzzle}");
    if by_break.stopped.is_some() {
        assert_eq!(nodes, CAP, "{puzzle}");
        assert!(backtracks < placements, "{puzzle}");
    } else if !by_break.found {
        assert_eq!(checks, 9 * nodes, "{puzzle}");
        assert_eq!([by_break.grid, rescan.grid], [*puzzle; 2]);
    }
    if empty == 0 {
        assert_eq!(by_break.counts, Counts { calls: 82, ..Counts::default() });
        assert_eq!(rescan.counts, Counts { calls: 1, ..Counts::default() });
    }
}

/// The other order of search is the templates' oracle; they find the smallest solution, as they
/// try the digits in ascending order.
fn answers_are_those_of_mrv(puzzle: &Grid) {
    let oracle = Variant::Mrv.solve(puzzle, &Limits::default());
    assert!(oracle.solution.is_none_or(|solution| solution.solves(puzzle)), "{puzzle}");
    for variant in Variant::ALL {
        let Outcome { status, solution, nodes } = variant.solve(puzzle, &at_most(CAP));
        match (status, solution, oracle.solution) {
            (Status::LimitNodes, None, _) => assert_eq!(nodes, CAP, "{puzzle}"),
            (Status::Unsolvable, None, None) => assert_eq!(oracle.status, Status::Unsolvable),
            (Status::Solved, Some(first), Some(other)) => {
                assert!(first.solves(puzzle) && first.extends(puzzle), "{puzzle}");
                let keeps_order = ![Variant::Dlx, Variant::Mrv].contains(&variant);
                assert!(first <= other || !keeps_order, "{puzzle}");
                assert!(first == other || !is_unique(puzzle), "{puzzle}");
            }
            _ => panic!("{puzzle}: {variant} says {status}, mrv {}", oracle.status),
        }
    }
}

/// Runs a check with the type of each variant, of which there is one list here.
macro_rules! with_each_search {
    ($check:ident, $puzzle:expr) => {
        $check::<Break>($puzzle);
        $check::<EarlyReturn>($puzzle);
        $check::<Rescan>($puzzle);
        $check::<Bitmask>($puzzle);
        $check::<Dlx>($puzzle);
        $check::<Mrv>($puzzle);
    };
}

fn every_probe_sees_one_search(puzzle: &Grid) {
    with_each_search!(probes_see_one_search, puzzle);
}

fn every_cap_is_exact(puzzle: &Grid) {
    with_each_search!(caps_are_exact, puzzle);
}

/// The same tree as `break`, of which only the digits that fit are looked at.
fn bitmask_has_the_tree_of_the_templates(puzzle: &Grid) {
    let template = run::<Break>(puzzle, &at_most(CAP));
    let bitmask = run::<Bitmask>(puzzle, &at_most(CAP));
    let Counts { nodes, placements, backtracks, .. } = template.counts;
    let calls = placements + 1;
    let expected = Counts { nodes, placements, backtracks, checks: placements, calls };
    assert_eq!(bitmask.counts, expected, "{puzzle}");
    let found = (template.found, template.stopped, template.grid);
    assert_eq!((bitmask.found, bitmask.stopped, bitmask.grid), found, "{puzzle}");
}

/// The same search without counting, with nodes counted only, and with everything counted.
fn probes_see_one_search<S: Search>(puzzle: &Grid) {
    let counted = run::<S>(puzzle, &at_most(CAP));
    // To look at a clock from time to time makes no difference.
    let limits = Limits { time: Some(Duration::from_secs(3600)), ..at_most(CAP) };
    let mut limit = Limit::new(&limits);
    let mut search = S::new(puzzle);
    assert_eq!(search.run(&mut limit), counted.found, "{puzzle}");
    assert_eq!(limit.stopped(), counted.stopped, "{puzzle}");
    assert_eq!(limit.nodes(), counted.counts.nodes, "{puzzle}");
    assert_eq!(search.grid(), counted.grid, "{puzzle}");
    if counted.stopped.is_none() {
        let mut search = S::new(puzzle);
        assert_eq!(search.run(&mut NoProbe), counted.found, "{puzzle}");
        assert_eq!(search.grid(), counted.grid, "{puzzle}");
    }
}

fn caps_are_exact<S: Search>(puzzle: &Grid) {
    let free = run::<S>(puzzle, &at_most(CAP));
    let nodes = free.counts.nodes;
    if free.stopped.is_none() {
        assert_eq!(run::<S>(puzzle, &at_most(nodes)), free, "{puzzle}");
    }
    if let Some(fewer) = nodes.checked_sub(1) {
        let stopped = run::<S>(puzzle, &at_most(fewer));
        assert_eq!(stopped.stopped, Some(Stop::Nodes), "{puzzle}");
        assert_eq!(stopped.counts.nodes, fewer, "{puzzle}");
    }
}

fn limited_outcomes_say_so(puzzle: &Grid) {
    for variant in Variant::ALL {
        let Outcome { status, nodes, .. } = variant.solve(puzzle, &at_most(CAP));
        if let Some(fewer) = nodes.checked_sub(1) {
            let expected = Outcome { status: Status::LimitNodes, solution: None, nodes: fewer };
            assert_eq!(variant.solve(puzzle, &at_most(fewer)), expected, "{puzzle} {variant}");
        }
        assert_eq!(variant.solve(puzzle, &at_most(nodes)).status, status, "{puzzle} {variant}");
    }
}

fn solutions_are_those_of_the_enumeration(puzzle: &Grid) {
    let all = solutions(puzzle);
    let count = all.len().min(2) as u8;
    assert_eq!(count_solutions(puzzle, &Limits::default()), Some(count), "{puzzle}");
    let by_dlx = count_by::<Dlx>(puzzle, &at_most(CAP));
    assert!(by_dlx.is_none_or(|by_dlx| by_dlx == count), "{puzzle}");
    assert_eq!(is_unique(puzzle), count == 1, "{puzzle}");
    for cap in [0, 1, 3, 10, 30, 60, 100, 1000] {
        let counted = count_solutions(puzzle, &at_most(cap));
        assert!(counted.is_none_or(|counted| counted == count), "{puzzle}, cap {cap}");
    }
    let [run, ..] = runs(puzzle);
    if run.stopped.is_none() && all.len() < MANY {
        assert_eq!(run.found.then_some(&run.grid), all.first(), "{puzzle}");
    }
}

const CHECKS: [fn(&Grid); 8] = [
    templates_agree,
    counters_fit_the_verdict,
    answers_are_those_of_mrv,
    bitmask_has_the_tree_of_the_templates,
    every_probe_sees_one_search,
    every_cap_is_exact,
    limited_outcomes_say_so,
    solutions_are_those_of_the_enumeration,
];

/// The lines of a grid in an order that keeps bands, or stacks, together.
fn lines() -> impl Strategy<Value = [usize; 9]> {
    let three = || Just([0, 1, 2]).prop_shuffle();
    (three(), [three(), three(), three()]).prop_map(|(bands, within)| {
        std::array::from_fn(|line| bands[line / 3] * 3 + within[line / 3][line % 3])
    })
}

fn digits() -> impl Strategy<Value = [u8; 9]> {
    Just([1, 2, 3, 4, 5, 6, 7, 8, 9]).prop_shuffle()
}

fn symmetries() -> impl Strategy<Value = Symmetry> {
    (digits(), lines(), lines(), any::<bool>()).prop_map(|(digits, rows, columns, transposed)| {
        Symmetry::new(digits, rows, columns, transposed).unwrap()
    })
}

fn relabellings() -> impl Strategy<Value = Symmetry> {
    let line = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    digits().prop_map(move |digits| Symmetry::new(digits, line, line, false).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn the_templates_agree_in_all_counters_but_the_calls_of_rescan(puzzle in puzzles()) {
        templates_agree(&puzzle);
    }

    #[test]
    fn the_counters_of_solved_unsolvable_and_full_grids_hang_together(puzzle in puzzles()) {
        counters_fit_the_verdict(&puzzle);
    }

    #[test]
    fn the_templates_find_what_mrv_finds_or_a_smaller_solution(puzzle in puzzles()) {
        answers_are_those_of_mrv(&puzzle);
    }

    #[test]
    fn bitmask_goes_through_the_tree_of_the_templates(puzzle in puzzles()) {
        bitmask_has_the_tree_of_the_templates(&puzzle);
    }

    #[test]
    fn every_probe_sees_the_same_search(puzzle in puzzles()) {
        every_probe_sees_one_search(&puzzle);
    }

    #[test]
    fn a_cap_at_the_nodes_of_a_search_passes_and_one_below_stops(puzzle in puzzles()) {
        every_cap_is_exact(&puzzle);
        limited_outcomes_say_so(&puzzle);
    }

    #[test]
    fn the_number_of_solutions_is_that_of_an_enumeration(puzzle in puzzles()) {
        solutions_are_those_of_the_enumeration(&puzzle);
    }

    #[test]
    fn a_generated_puzzle_has_its_solution_and_no_other(seed: u64, clues in 24..=81_u32) {
        let Generated { puzzle, solution } = generated(seed, clues);
        prop_assert_eq!(solutions(&puzzle), BTreeSet::from([solution]));
        for variant in Variant::ALL {
            let outcome = variant.solve(&puzzle, &at_most(CAP));
            prop_assert!(outcome.solution.is_none_or(|found| found == solution));
            prop_assert!([Status::Solved, Status::LimitNodes].contains(&outcome.status));
        }
    }

    #[test]
    fn a_clue_against_the_only_solution_leaves_none(seed: u64) {
        let puzzle = Kind::AddedClue.puzzle(seed);
        prop_assert_eq!(count_solutions(&puzzle, &Limits::default()), Some(0));
        for variant in Variant::ALL {
            prop_assert_eq!(variant.solve(&puzzle, &at_most(CAP)).solution, None);
        }
    }

    #[test]
    fn conflicting_givens_are_invalid_and_have_no_solution(
        puzzle in puzzles(), cell in 0..CELLS, digit in 1..=9_u8
    ) {
        let puzzle = puzzle.with(cell, digit);
        prop_assume!(!puzzle.is_consistent());
        let expected = Outcome { status: Status::Invalid, solution: None, nodes: 0 };
        for variant in Variant::ALL {
            prop_assert_eq!(variant.solve(&puzzle, &Limits::default()), expected);
        }
        prop_assert_eq!(count_solutions(&puzzle, &Limits::default()), Some(0));
        prop_assert_eq!(solutions(&puzzle), BTreeSet::new());
    }

    #[test]
    fn puzzles_solved_before_leave_no_trace(
        puzzle in puzzles(), others in prop::collection::vec(puzzles(), 1..4)
    ) {
        let alone = runs(&puzzle);
        let mrv = Variant::Mrv.solve(&puzzle, &Limits::default());
        for other in others {
            runs(&other);
            Variant::Mrv.solve(&other, &Limits::default());
            prop_assert_eq!(runs(&puzzle), alone);
            prop_assert_eq!(Variant::Mrv.solve(&puzzle, &Limits::default()), mrv);
        }
    }

    #[test]
    fn a_symmetry_carries_solutions_to_solutions(puzzle in puzzles(), symmetry in symmetries()) {
        let image = symmetry.apply(&puzzle);
        let count = count_solutions(&puzzle, &Limits::default());
        prop_assert_eq!(count_solutions(&image, &Limits::default()), count);
        for variant in Variant::ALL {
            let [here, there] = [puzzle, image].map(|grid| variant.solve(&grid, &at_most(CAP)));
            if ![here.status, there.status].contains(&Status::LimitNodes) {
                prop_assert_eq!(here.status, there.status);
                if count == Some(1) {
                    let carried = here.solution.map(|solution| symmetry.apply(&solution));
                    prop_assert_eq!(carried, there.solution);
                }
            }
        }
        let (here, there) = (solutions(&puzzle), solutions(&image));
        prop_assert_eq!(here.len(), there.len());
        if here.len() < MANY {
            prop_assert_eq!(here.iter().map(|grid| symmetry.apply(grid)).collect::<BTreeSet<_>>(), there);
        }
    }

    #[test]
    fn proving_that_there_is_no_solution_costs_the_same_under_other_digits(
        seed: u64, relabelling in relabellings()
    ) {
        // The whole tree is searched then, in whatever order.
        let puzzle = Kind::AddedClue.puzzle(seed);
        let [here, there] = [puzzle, relabelling.apply(&puzzle)].map(|grid| runs(&grid));
        prop_assert_eq!(here.map(|run| run.counts.nodes), there.map(|run| run.counts.nodes));
        if here[0].stopped.is_none() {
            prop_assert_eq!(here.map(|run| run.counts), there.map(|run| run.counts));
        }
    }
}

#[test]
fn the_puzzles_of_these_tests_are_of_every_sort() {
    let (mut statuses, mut counts) = ([0; 3], [0; 3]);
    for (seed, kind) in (0..400).zip(Kind::ALL.into_iter().cycle()) {
        let puzzle = kind.puzzle(seed);
        assert!(puzzle.is_consistent());
        match Variant::Break.solve(&puzzle, &at_most(CAP)).status {
            Status::Solved => statuses[0] += 1,
            Status::Unsolvable => statuses[1] += 1,
            _ => statuses[2] += 1,
        }
        counts[solutions(&puzzle).len().min(2)] += 1;
    }
    assert!(statuses.into_iter().chain(counts).all(|n| n >= 20), "{statuses:?} {counts:?}");
}

#[test]
#[ignore = "100,000 puzzles; five minutes in a release build"]
fn everything_holds_for_a_hundred_thousand_puzzles() {
    (0..100_000_u64).into_par_iter().for_each(|seed| {
        let puzzle = Kind::ALL[(seed % 8) as usize].puzzle(seed);
        CHECKS.iter().for_each(|check| check(&puzzle));
    });
}
