//! Faults that users of Sudoku solvers, CSV readers and thread pools have met, each kept away by
//! a test of its name.

mod common;

use common::*;
use serde_json::Value;
use std::collections::HashSet;

/// Line, status and nodes of a row. `None` means that no solver saw it.
type Brief<'a> = (u64, &'a str, Option<u64>);

/// Solves `text` with the variants in the templates' order, which must give exactly these rows and
/// exit code, and with the others, which must give them with nodes of their own; all of it on 1, 2
/// and 5 threads.
#[track_caller]
fn solves_as(text: impl AsRef<[u8]>, expected: &[Brief], code: i32) {
    let bench = Bench::with(text);
    for variant in VARIANTS {
        for threads in THREADS {
            let done = bench.run(&format!("solve in.csv -t {variant} -j {threads}")).exits(code);
            let rows = done.rows();
            let briefs: Vec<Brief> = rows.iter().map(Row::brief).collect();
            if REORDERED.contains(&variant) {
                let verdicts = |briefs: &[Brief]| -> Vec<_> {
                    briefs.iter().map(|b| (b.0, b.1.to_owned(), b.2.is_some())).collect()
                };
                assert_eq!(verdicts(&briefs), verdicts(expected), "{variant} -j {threads}");
            } else {
                assert_eq!(briefs, expected, "{variant} -j {threads}");
            }
            check_answers(&rows);
        }
    }
}

/// Solved rows, and no others, have a solution, which extends the puzzle and obeys the rules.
#[track_caller]
fn check_answers(rows: &[Row]) {
    for row in rows {
        assert_eq!(row.status == "solved", !row.solution.is_empty(), "{row:?}");
        assert_eq!(row.status == "malformed", row.puzzle.is_empty(), "{row:?}");
        let searched = !["invalid", "malformed"].contains(&&*row.status);
        assert_eq!(searched, row.time_ns.is_some(), "{row:?}");
        if row.status == "solved" {
            assert!(is_complete(&row.solution), "{row:?}");
            let kept = |(given, digit)| given == b'.' || given == digit;
            assert!(std::iter::zip(row.puzzle.bytes(), row.solution.bytes()).all(kept), "{row:?}");
        }
    }
}

/// Whether every row, column and box has nine different digits.
fn is_complete(grid: &str) -> bool {
    let digits = grid.as_bytes();
    let units = |index: usize| {
        let corner = index / 3 * 27 + index % 3 * 3;
        [
            (0..9).map(|i| digits[index * 9 + i]).collect::<HashSet<u8>>(),
            (0..9).map(|i| digits[i * 9 + index]).collect(),
            (0..9).map(|i| digits[corner + i / 3 * 9 + i % 3]).collect(),
        ]
    };
    digits.len() == 81
        && digits.iter().all(|digit| (b'1'..=b'9').contains(digit))
        && (0..9).all(|index| units(index).iter().all(|unit| unit.len() == 9))
}

/// `puzzle` with `digit` in the cell at `row` and `column`, counted from 1.
fn with(puzzle: &str, row: usize, column: usize, digit: char) -> String {
    let cell = (row - 1) * 9 + column - 1;
    format!("{}{digit}{}", &puzzle[..cell], &puzzle[cell + 1..])
}

/// The solution of the only row, for each template, with its number of solutions.
#[track_caller]
fn first_solutions(puzzle: &str) -> Vec<(String, Option<u8>)> {
    let bench = Bench::with(csv(&[puzzle]));
    let solve = |variant| {
        let done = bench.run(&format!("solve in.csv --unique -t {variant}")).exits(0);
        let [row] = &done.rows()[..] else { panic!("one row expected") };
        (row.solution.clone(), row.solutions)
    };
    TEMPLATES.map(solve).into()
}

/// The rows that `compare` writes for each puzzle and variant.
#[track_caller]
fn laps(text: impl AsRef<[u8]>, arguments: &str, code: i32) -> Vec<Lap> {
    let bench = Bench::with(text);
    bench.run(&format!("compare in.csv -o run {arguments}")).exits(code);
    records(&bench.read("run/puzzles.csv"))
}

// C01
#[test]
fn a_doubled_digit_in_any_row_column_or_box_is_invalid_not_a_hang() {
    let mut puzzles = vec![with(&with(EMPTY, 1, 7, '4'), 1, 8, '4')];
    for unit in 1..=9 {
        puzzles.push(with(&with(EMPTY, unit, 1, '4'), unit, 9, '4'));
        puzzles.push(with(&with(EMPTY, 1, unit, '4'), 9, unit, '4'));
        let (top, left) = ((unit - 1) / 3 * 3 + 1, (unit - 1) % 3 * 3 + 1);
        puzzles.push(with(&with(EMPTY, top, left, '4'), top + 2, left + 1, '4'));
    }
    let puzzles: Vec<&str> = puzzles.iter().map(String::as_str).collect();
    let expected: Vec<Brief> = (2..).zip(&puzzles).map(|p| (p.0, "invalid", Some(0))).collect();
    solves_as(csv(&puzzles), &expected, 0);
    let shown = Bench::new().run(&format!("show {}", puzzles[0])).exits(0).stdout;
    assert!(shown.contains("row 1 has 4 more than once; box 3 has 4 more than once"), "{shown}");
}

// C02
#[test]
fn a_wrong_puzzle_without_a_conflict_is_unsolvable_not_a_loop() {
    let wrong = with(HARD, 9, 9, '4');
    solves_as(csv(&[&wrong]), &[(2, "unsolvable", Some(101_167))], 0);
    for lap in laps(csv(&[&wrong]), "", 0) {
        assert_eq!((lap.nodes, lap.placements, lap.backtracks), (101_167, 101_166, 101_166));
        assert_eq!((&*lap.status, lap.checks), ("unsolvable", 9 * 101_167));
    }
}

// C03
#[test]
fn conflicting_givens_are_never_accepted_even_where_a_bare_search_says_yes() {
    let conflicts = [
        with(CLASSIC, 2, 1, '5'),
        "...6789126.219534819.342567859.614234268.3791713924856961537284287419635345286197".into(),
        with(CLASSIC, 2, 3, '3'),
        with(CLASSIC, 6, 1, '5'),
        with(CLASSIC, 5, 2, '8'),
        with(CLASSIC, 1, 2, '5'),
    ];
    let puzzles: Vec<&str> = conflicts.iter().map(String::as_str).collect();
    let expected: Vec<Brief> = (2..).zip(&puzzles).map(|p| (p.0, "invalid", Some(0))).collect();
    solves_as(csv(&puzzles), &expected, 0);
    let laps = laps(csv(&puzzles), "", 0);
    assert_eq!(laps.len(), 6 * puzzles.len());
    let untouched = |lap: &Lap| lap.status == "invalid" && lap.calls == 0 && lap.min_ns.is_none();
    assert!(laps.iter().all(untouched), "{laps:?}");
}

// C05
#[test]
fn an_endless_search_is_stopped_by_a_cap_and_the_next_row_is_solved() {
    let bench = Bench::with(csv(&[ENDLESS, EASY]));
    let caps = [("--max-nodes 50k", "limit-nodes"), ("--max-time 50ms", "limit-time")];
    for variant in TEMPLATES {
        for threads in THREADS {
            for (cap, status) in caps {
                let run = format!("solve in.csv {cap} -t {variant} -j {threads}");
                let rows = bench.run(&run).exits(0).rows();
                let nodes = rows[0].nodes;
                assert_eq!(rows[0].brief(), (2, status, nodes), "{run}");
                assert!(status != "limit-nodes" || nodes == Some(50_000), "{nodes:?}");
                assert_eq!(rows[1].brief(), (3, "solved", Some(EASY_NODES)), "{run}");
                check_answers(&rows);
            }
        }
    }
    let rows = bench.run("solve in.csv -t mrv --max-nodes 50k").exits(0).rows();
    assert_eq!((&*rows[0].status, &*rows[1].status), ("unsolvable", "solved"));
}

// C06
#[test]
fn an_unsolved_puzzle_is_not_printed_as_its_own_solution() {
    let text = csv(&[UNSOLVABLE]);
    solves_as(&text, &[(2, "unsolvable", Some(UNSOLVABLE_NODES))], 0);
    let bench = Bench::with(csv(&[UNSOLVABLE, ENDLESS, HARD, &with(CLASSIC, 1, 2, '5'), "12"]));
    for variant in TEMPLATES {
        let done = bench.run(&format!("solve in.csv -t {variant} --max-nodes 20k")).exits(5);
        let statuses: Vec<_> = done.rows().into_iter().map(|row| row.status).collect();
        let expected = ["unsolvable", "limit-nodes", "limit-nodes", "invalid", "malformed"];
        assert_eq!(statuses, expected, "{variant}");
        assert!(done.rows().iter().all(|row| row.solution.is_empty()), "{variant}");
    }
}

// C07
#[test]
fn no_puzzle_leaves_a_trace_in_the_next() {
    let hard = |line| (line, "solved", Some(HARD_NODES));
    let (unsolvable, invalid) = (with(HARD, 9, 9, '4'), with(CLASSIC, 2, 1, '5'));
    solves_as(
        csv(&[HARD, &unsolvable, HARD, &invalid, HARD, EASY, HARD, "damaged", HARD, FULL, HARD]),
        &[
            hard(2),
            (3, "unsolvable", Some(101_167)),
            hard(4),
            (5, "invalid", Some(0)),
            hard(6),
            (7, "solved", Some(EASY_NODES)),
            hard(8),
            (9, "malformed", None),
            hard(10),
            (11, "solved", Some(0)),
            hard(12),
        ],
        5,
    );
    let bench = Bench::with(csv(&[ENDLESS, CLASSIC]));
    for variant in TEMPLATES {
        let run = format!("solve in.csv -t {variant} -j 1 --max-nodes 10k");
        let rows = bench.run(&run).exits(0).rows();
        assert_eq!(rows[1].brief(), (3, "solved", Some(CLASSIC_NODES)), "after a stop, {variant}");
    }
}

// C08
#[test]
fn repeated_puzzles_cost_the_same_every_time() {
    let other = "6....73.1..8.......54..6.8..6..9...2...62......3...8.9.4.17.9...7.8......9.4..5..";
    let puzzles = [SPARSE_START, other].repeat(150);
    let nodes = [SPARSE_START_NODES, 1642];
    let expected: Vec<Brief> = (2..)
        .zip(&puzzles)
        .map(|(line, _)| (line, "solved", Some(nodes[line as usize % 2])))
        .collect();
    solves_as(csv(&puzzles), &expected, 0);
}

// C11
#[test]
fn the_box_rule_decides_between_two_latin_squares() {
    let puzzle =
        "36541982781.23.49542987563194176235875318426968295317459832174613.54.982274698513";
    solves_as(csv(&[puzzle]), &[(2, "solved", Some(4))], 0);
    for (solution, count) in first_solutions(puzzle) {
        assert_eq!((&*solution, count), (EASY_SOLUTION, Some(1)));
    }
}

// C12, C15
#[test]
fn a_solution_column_is_not_believed() {
    let latin =
        with(&with(&with(&with(EASY_SOLUTION, 2, 3, '6'), 2, 6, '7'), 8, 3, '7'), 8, 6, '6');
    let other = "367419825815236497429875631941762358753184269682953174598321746136547982274698513";
    let text = format!(
        "puzzle,solution\n{TWO_SOLUTIONS},{other}\n{EASY},{latin}\n{EASY},{FULL}\n{EASY},{EMPTY}\n"
    );
    let easy = |line| (line, "solved", Some(EASY_NODES));
    solves_as(&text, &[(2, "solved", Some(4)), easy(3), easy(4), easy(5)], 0);
    let rows = Bench::with(&text).run("solve in.csv -t break").exits(0).rows();
    assert!(rows[1..].iter().all(|row| row.solution == EASY_SOLUTION));
    assert!(rows[0].solution.starts_with("365419827817236"), "the first in digit order");
}

// C13
#[test]
fn a_puzzle_with_two_solutions_is_not_called_unique() {
    solves_as(csv(&[TWO_SOLUTIONS]), &[(2, "solved", Some(4))], 0);
    for (solution, count) in first_solutions(TWO_SOLUTIONS) {
        assert!(solution.starts_with("365419827817236"), "the first in digit order: {solution}");
        assert_eq!(count, Some(2));
    }
    let shown = Bench::new().run(&format!("show {TWO_SOLUTIONS}")).exits(0).stdout;
    assert!(shown.contains("A solution (there are others)"), "{shown}");
}

// C16
#[test]
fn sixteen_clues_have_many_solutions_and_the_search_finds_the_first() {
    let puzzle =
        "........97........1..4..2..2.........17.....3..3......3...6...1......5....97.....";
    solves_as(csv(&[puzzle]), &[(2, "solved", Some(198))], 0);
    assert!(first_solutions(puzzle).iter().all(|(_, count)| *count == Some(2)));
}

// C19
#[test]
fn a_cell_without_candidates_means_no_solution_not_several() {
    let dead = with(&with(EMPTY, 5, 9, '9'), 9, 9, '8');
    let dead = format!("12345678.{}", &dead[9..]);
    solves_as(csv(&[&dead]), &[(2, "unsolvable", Some(1))], 0);
    let rows = Bench::with(csv(&[&dead])).run("solve in.csv --unique").exits(0).rows();
    assert_eq!(rows[0].solutions, Some(0));
    for lap in laps(csv(&[&dead]), "", 0) {
        assert_eq!((lap.nodes, lap.placements, lap.backtracks, lap.checks), (1, 0, 0, 9));
    }
}

// C20
#[test]
fn an_empty_grid_is_searched_whether_in_dots_or_zeros() {
    let zeros = EMPTY.replace('.', "0");
    let mixed = format!("{}{}", &zeros[..40], &EMPTY[40..]);
    let solved = |line| (line, "solved", Some(391));
    solves_as(csv(&[EMPTY, &zeros, &mixed]), &[solved(2), solved(3), solved(4)], 0);
    for (solution, count) in first_solutions(&zeros) {
        assert!(solution.starts_with("123456789456789123789123456214365897"), "{solution}");
        assert_eq!(count, Some(2));
    }
    let laps = laps(csv(&[EMPTY]), "", 0);
    assert!(laps.iter().all(|lap| lap.backtracks == 310 && lap.placements == 391), "{laps:?}");
}

// C21
#[test]
fn a_solved_puzzle_is_its_own_solution() {
    solves_as(csv(&[FULL]), &[(2, "solved", Some(0))], 0);
    for (solution, count) in first_solutions(FULL) {
        assert_eq!((&*solution, count), (FULL, Some(1)));
    }
    let calls: Vec<u64> = laps(csv(&[FULL]), "", 0).iter().map(|lap| lap.calls).collect();
    assert_eq!(calls, [82, 82, 1, 82, 82, 82], "the last three are copies of the first");
}

// C22
#[test]
fn a_full_grid_that_breaks_a_rule_is_not_solved() {
    let swapped = with(&with(FULL, 9, 8, '9'), 9, 9, '7');
    let ones = "1".repeat(81);
    solves_as(csv(&[&swapped, &ones]), &[(2, "invalid", Some(0)), (3, "invalid", Some(0))], 0);
}

// C24
#[test]
fn a_rejected_digit_is_no_backtrack() {
    let sixth = ".624.5.1.3..61.........7.............1..5..24643.....8...321.47....4618..2......3";
    let expected =
        [(SPARSE_START, [1193, 1193, 1148, 10_569]), (sixth, [6635, 6635, 6582, 59_534])];
    for (puzzle, counts) in expected {
        for threads in THREADS {
            for lap in laps(csv(&[puzzle]), &format!("-j {threads}"), 0) {
                assert_eq!([lap.nodes, lap.placements, lap.backtracks, lap.checks], counts);
                assert!(lap.variant != "rescan" || lap.calls == lap.nodes + 1);
            }
        }
    }
}

// C26
#[test]
fn the_last_character_of_a_puzzle_counts() {
    let puzzle =
        ".417...5.7.3.8..6.68.9.3174....2.7...3.547.822.4.985.34.98.56..8172364..3..4..8.7";
    // With and without a line end, and with a field behind it.
    for text in
        [format!("{puzzle}\n"), puzzle.into(), format!("{puzzle}\r\n"), format!("{puzzle},x")]
    {
        solves_as(text, &[(1, "solved", Some(67))], 0);
    }
    assert!(first_solutions(puzzle).iter().all(|(_, count)| *count == Some(1)));
    assert!(first_solutions(&with(puzzle, 9, 9, '.')).iter().all(|(_, count)| *count == Some(2)));
}

// C27, C61
#[test]
fn a_puzzle_of_80_or_82_characters_is_an_error_of_its_row_alone() {
    let (short, long) = (&EASY[..80], format!("{EASY}5"));
    let text = csv(&[short, &long, EASY, "\"\"", SECOND, "5"]);
    solves_as(
        &text,
        &[
            (2, "malformed", None),
            (3, "malformed", None),
            (4, "solved", Some(EASY_NODES)),
            (5, "malformed", None),
            (6, "solved", Some(SECOND_NODES)),
            (7, "malformed", None),
        ],
        5,
    );
    let bench = Bench::with(&text);
    bench.run("solve in.csv").exits(5).says(&[
        "in.csv:2: column 1: 80 characters where a 9x9 grid has 81\n",
        "in.csv:3: column 1: 82 characters where a 9x9 grid has 81\n",
        "in.csv:5: column 1: the puzzle is empty",
        "in.csv:7: column 1: 1 character where",
        "6 rows in",
        "2 solved, 4 malformed",
    ]);
    bench.run("compare in.csv").exits(5).says(&["in.csv:2: ", "in.csv:7: "]);
}

// C28
#[test]
fn a_grid_of_another_size_is_named_as_such() {
    let sizes = [4_usize, 6, 16, 25, 36];
    let grids = sizes.map(|side| format!("1{}", ".".repeat(side * side - 1)));
    let mut puzzles: Vec<&str> = grids.iter().map(String::as_str).collect();
    puzzles.push(EASY);
    let mut expected: Vec<Brief> = (2..7).map(|line| (line, "malformed", None)).collect();
    expected.push((7, "solved", Some(EASY_NODES)));
    let text = csv(&puzzles);
    solves_as(&text, &expected, 5);
    let done = Bench::with(&text).run("solve in.csv").exits(5);
    for (line, side) in (2..).zip(sizes) {
        let length = side * side;
        let sentence =
            format!("in.csv:{line}: column 1: {length} characters make a {side}x{side} grid");
        assert!(done.stderr.contains(&sentence), "{sentence}:\n{}", done.stderr);
    }
}

// C29, C61
#[test]
fn a_strange_character_is_an_error_of_its_row_and_counted_in_characters() {
    let damaged: Vec<String> = ["A", "O", "·", "３", "+", "/", " ", "\0", "~"]
        .map(|c| EASY.replacen("..", &format!(".{c}"), 1))
        .into();
    let mut puzzles: Vec<&str> = damaged.iter().map(String::as_str).collect();
    puzzles.push(SECOND);
    let mut expected: Vec<Brief> = (2..11).map(|line| (line, "malformed", None)).collect();
    expected.push((11, "solved", Some(SECOND_NODES)));
    let text = csv(&puzzles);
    solves_as(&text, &expected, 5);
    Bench::with(&text).run("solve in.csv").exits(5).says(&[
        "in.csv:2: column 1: character 3 is 'A', neither a digit nor a mark of an empty cell\n",
        "in.csv:3: column 1: character 3 is 'O'",
        "in.csv:4: column 1: character 3 is '·'",
        "in.csv:5: column 1: character 3 is '３'",
        "in.csv:6: column 1: character 3 is '+'",
        "in.csv:9: column 1: character 3 is '\\0'",
        "1 solved, 9 malformed",
    ]);
}

// C30
#[test]
#[cfg(unix)]
fn a_file_name_cannot_break_a_markdown_table() {
    let bench = Bench::new();
    let names = ["a|b.csv", "a b*c_d`.csv", "<b>#[x](y).csv", "new\nline.csv"];
    names.iter().for_each(|name| bench.write(name, csv(&[EASY])));
    let arguments = [&["compare", "-o", "run"], &names[..]].concat();
    let done = finish(bench.command_of(&arguments).spawn().unwrap()).exits(0);
    assert!(done.stdout.contains("\n## a\\|b.csv\n"), "{}", done.stdout);
    let cells = |line: &str| line.replace("\\|", "").matches('|').count();
    let tables = done.stdout.split("\n\n").filter(|block| block.starts_with('|'));
    let mut count = 0;
    for table in tables {
        let widths: HashSet<usize> = table.lines().map(cells).collect();
        assert_eq!(widths.len(), 1, "{table}");
        count += 1;
    }
    assert!(count >= 5 * 4 + 3, "five tables a file, three in all, and the machine code: {count}");
    let laps: Vec<Lap> = records(&bench.read("run/puzzles.csv"));
    let files: Vec<&str> = laps.iter().step_by(6).map(|lap| &*lap.file).collect();
    assert_eq!(files, names);
    let arguments = [&["solve"], &names[..]].concat();
    let rows = finish(bench.command_of(&arguments).spawn().unwrap()).exits(0).rows();
    assert_eq!(rows.iter().filter_map(|row| row.file.as_deref()).collect::<Vec<_>>(), names);
}

// C32
#[test]
fn a_byte_order_mark_does_not_stick_to_the_first_field() {
    let rows = [(2, "solved", Some(EASY_NODES)), (3, "solved", Some(SECOND_NODES))];
    for header in ["puzzle,solution", "\"puzzle\",\"solution\"", "Quizzes ,x"] {
        solves_as(format!("\u{feff}{header}\n{EASY},x\n{SECOND},y\n"), &rows, 0);
    }
    let bare = [(1, "solved", Some(EASY_NODES)), (2, "solved", Some(SECOND_NODES))];
    solves_as(format!("\u{feff}{EASY}\n{SECOND}\n"), &bare, 0);
    // Even if the first read brings only a part of it.
    let rest = format!("\u{bf}puzzle\n{EASY}\n");
    let portions = [&b"\xef"[..], b"\xbb", b"\xbf", rest.trim_start_matches('\u{bf}').as_bytes()];
    let rows = Bench::new().feed("solve - -t break", &portions).exits(0).rows();
    assert_eq!(rows.iter().map(Row::brief).collect::<Vec<_>>(), [(2, "solved", Some(EASY_NODES))]);
}

// C33
#[test]
fn line_numbers_are_right_with_crlf_and_no_carriage_return_stays_in_a_field() {
    let short = &SPARSE_START[..80];
    let expected = [
        (2, "solved", Some(EASY_NODES)),
        (3, "solved", Some(SECOND_NODES)),
        (4, "malformed", None),
        (5, "solved", Some(SPARSE_START_NODES)),
    ];
    let puzzles = [EASY, SECOND, short, SPARSE_START];
    let first = lines(puzzles.map(|puzzle| format!("{puzzle},x\r")));
    let last = lines(puzzles.map(|puzzle| format!("x,{puzzle}\r")));
    let quoted = lines(puzzles.map(|puzzle| format!("\"x\",\"{puzzle}\"\r")));
    solves_as(format!("puzzle,x\r\n{first}"), &expected, 5);
    solves_as(format!("x,puzzle\r\n{last}"), &expected, 5);
    solves_as(format!("x,puzzle\r\n{}", last.trim_end()), &expected, 5);
    solves_as(format!("x,puzzle\r\n{quoted}"), &expected, 5);
    Bench::with(format!("x,puzzle\r\n{last}"))
        .run("solve in.csv")
        .exits(5)
        .says(&["in.csv:4: column 2: 80 characters"]);
}

// C34
#[test]
fn line_numbers_are_right_after_blank_lines() {
    let short = &EASY[..80];
    let text =
        format!("puzzle,x\n\n{EASY},x\n\n\r\n{SECOND},x\n \n\t\n{short},x\n\n\n{EASY},x\n\n");
    let expected = [
        (3, "solved", Some(EASY_NODES)),
        (6, "solved", Some(SECOND_NODES)),
        (9, "malformed", None),
        (12, "solved", Some(EASY_NODES)),
    ];
    solves_as(&text, &expected, 5);
    let before_the_header: Vec<Brief> =
        expected.iter().map(|row| (row.0 + 2, row.1, row.2)).collect();
    solves_as(format!("\n\n{text}"), &before_the_header, 5);
}

// C34
#[test]
fn a_line_end_within_quotes_moves_the_lines_below() {
    let text = format!("puzzle,note\n{EASY},\"two\nlines\"\n{SECOND},x\n12,\"\n\n\"\n{EASY},\n");
    let expected = [
        (2, "solved", Some(EASY_NODES)),
        (4, "solved", Some(SECOND_NODES)),
        (5, "malformed", None),
        (8, "solved", Some(EASY_NODES)),
    ];
    solves_as(text, &expected, 5);
}

// C35
#[test]
fn a_ragged_row_costs_at_most_itself() {
    let text = format!(
        "puzzle,solution\n{EASY},x\n{SECOND}\n{EASY},x,extra\n{SECOND},x,\n,x\n{EASY},x\n,\n{SECOND},,,,,\n"
    );
    let (easy, second) = (Some(EASY_NODES), Some(SECOND_NODES));
    let expected = [
        (2, "solved", easy),
        (3, "solved", second),
        (4, "solved", easy),
        (5, "solved", second),
        (6, "malformed", None),
        (7, "solved", easy),
        (8, "malformed", None),
        (9, "solved", second),
    ];
    solves_as(text, &expected, 5);
    let text = format!("id,puzzle\n1,{EASY}\n2\n3,{SECOND}\n");
    let expected = [(2, "solved", easy), (3, "malformed", None), (4, "solved", second)];
    solves_as(&text, &expected, 5);
    Bench::with(text).run("solve in.csv").exits(5).says(&["in.csv:3: column 2 is missing"]);
}

// C36
#[test]
fn a_doubled_puzzle_column_is_refused_and_named() {
    let bench = Bench::new();
    for (header, name) in [("puzzle,x,puzzle", "puzzle"), ("Quizzes,x, QUIZZES", "quizzes")] {
        bench.write("in.csv", format!("{header}\n{EASY},x,{SECOND}\n"));
        for command in ["solve", "compare"] {
            let done = bench.run(&format!("{command} in.csv")).exits(1);
            done.says(&[&format!("line 1 names the column `{name}` more than once"), "--column"]);
        }
        let rows = bench.run("solve in.csv --column 3 -t break").exits(0).rows();
        assert_eq!(rows[0].brief(), (2, "solved", Some(SECOND_NODES)));
    }
    // A doubled name of another column does no harm.
    solves_as(format!("x,puzzle,x\n1,{EASY},2\n"), &[(2, "solved", Some(EASY_NODES))], 0);
}

// C38
#[test]
fn header_names_are_matched_without_case_and_outer_spaces_in_any_order() {
    let expected = [(2, "solved", Some(EASY_NODES)), (3, "solved", Some(SECOND_NODES))];
    for name in
        ["Puzzle", " PUZZLE ", "puzzles", "Quiz", "quizzes", "question", "Sudoku", "grid", "board"]
    {
        solves_as(format!("{name}, SOLUTION \n{EASY},{FULL}\n{SECOND},{FULL}\n"), &expected, 0);
        solves_as(format!("Solution,{name}\n{FULL},{EASY}\n{FULL},{SECOND}\n"), &expected, 0);
    }
}

// C39
#[test]
fn the_first_row_is_not_eaten_as_a_header() {
    let expected = [(1, "solved", Some(EASY_NODES)), (2, "solved", Some(SECOND_NODES))];
    for (before, after) in [("", ""), ("", ",x"), ("7,", ",x"), ("\"7\",\"", "\",\"x\"")] {
        solves_as(format!("{before}{EASY}{after}\n{before}{SECOND}{after}\n"), &expected, 0);
    }
    // Not even if it is damaged.
    let expected = [(1, "malformed", None), (2, "solved", Some(SECOND_NODES))];
    for damaged in [&EASY[1..], "1", "5.08702E+69", "......"] {
        solves_as(lines([damaged, SECOND]), &expected, 5);
    }
}

// C40
#[test]
fn what_a_spreadsheet_damaged_is_reported_not_guessed() {
    let zeros = SPARSE_START.replace('.', "0");
    let text = format!(
        "puzzle,solution\n{},x\n5.08702E+69,8.72520E+80\n'{zeros},x\n{zeros},x\n",
        zeros.trim_start_matches('0')
    );
    let malformed = |line| (line, "malformed", None);
    let solved = (5, "solved", Some(SPARSE_START_NODES));
    solves_as(&text, &[malformed(2), malformed(3), malformed(4), solved], 5);
    Bench::with(&text).run("solve in.csv").exits(5).says(&[
        "in.csv:2: column 1: 70 characters",
        "in.csv:3: column 1: a spreadsheet has rounded this number",
        "in.csv:4: column 1: an apostrophe stands before the 81 cells",
    ]);
}

// C41
#[test]
fn an_open_quote_costs_its_own_line_and_no_other() {
    let quote = format!("\"{SECOND},x");
    let solved = |line| (line, "solved", Some(EASY_NODES));
    let malformed = |line| (line, "malformed", None);
    let text = csv(&[EASY, &quote, EASY, EASY]);
    solves_as(&text, &[solved(2), malformed(3), solved(4), solved(5)], 5);
    Bench::with(&text)
        .run("solve in.csv")
        .exits(5)
        .says(&["in.csv:3: a quoted field is not closed"]);
    solves_as(csv(&[EASY, &quote]), &[solved(2), malformed(3)], 5);
    // Two of them do not close each other over the rows between.
    let expected = [solved(2), malformed(3), solved(4), malformed(5), solved(6)];
    solves_as(csv(&[EASY, &quote, EASY, &quote, EASY]), &expected, 5);
    // Where all fields are quoted, the next row's quotes do not hide that one is missing.
    let quoted = format!("\"{EASY}\",\"x\"");
    let open = format!("\"{EASY}\",\"x");
    let expected = [solved(2), malformed(3), solved(4), solved(5)];
    solves_as(csv(&[&quoted, &open, &quoted, &quoted]), &expected, 5);
    // Quotes amid a field are letters.
    let inches = format!("{EASY},5\" disk\n{EASY},\"5\"\" disk\"");
    solves_as(csv(&[&inches, EASY]), &[solved(2), solved(3), solved(4)], 0);
}

// C41
#[test]
fn an_open_quote_in_a_long_file_does_not_hide_what_is_far_below() {
    let mut rows = vec![EASY; 3000];
    let open = format!("\"{EASY}");
    rows[1500] = &open;
    let bench = Bench::with(csv(&rows));
    for threads in THREADS {
        let rows = bench.run(&format!("solve in.csv -j {threads}")).exits(5).rows();
        assert_eq!(rows.len(), 3000);
        let malformed: Vec<u64> =
            rows.iter().filter(|row| row.status == "malformed").map(|row| row.line).collect();
        assert_eq!(malformed, [1502]);
    }
}

// C41b
#[test]
fn quoted_fields_are_fields() {
    let text = format!("\"puzzle\",\"solution\"\r\n\"{EASY}\",\"x,\"\"y\"\"\"\r\n\"{SECOND}\"\r\n");
    solves_as(text, &[(2, "solved", Some(EASY_NODES)), (3, "solved", Some(SECOND_NODES))], 0);
}

// C42
#[test]
fn bytes_that_are_not_utf8_do_no_harm_in_an_unused_column() {
    let bytes = |text: &str| text.replace('é', "\u{1}").into_bytes();
    let text: Vec<u8> = bytes(&format!("sourcé,question\ncafé,{EASY}\nok,{SECOND}\n"))
        .into_iter()
        .map(|byte| if byte == 1 { 0xe9 } else { byte })
        .collect();
    let expected = [(2, "solved", Some(EASY_NODES)), (3, "solved", Some(SECOND_NODES))];
    solves_as(text, &expected, 0);
    // In the puzzle they are one strange character each.
    let damaged = [b"puzzle\n\xe9", &EASY.as_bytes()[1..], b"\n", SECOND.as_bytes()].concat();
    let expected = [(2, "malformed", None), (3, "solved", Some(SECOND_NODES))];
    solves_as(&damaged, &expected, 5);
    Bench::with(damaged).run("solve in.csv").exits(5).says(&["in.csv:2: column 1: character 1 is"]);
}

/// Commands that write to standard output, with more and less text, and the input of the first.
#[cfg(unix)]
const TALKERS: [&str; 7] = [
    "solve in.csv",
    "solve small.csv --unique",
    "compare small.csv",
    "show 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "generate -n 3000",
    "generate -n 1",
    "variants",
];

#[cfg(unix)]
fn talkers() -> Bench {
    let bench = Bench::with(repository_file("data/everyday.csv"));
    bench.write("small.csv", csv(&[EASY]));
    bench
}

// C47
#[test]
#[cfg(unix)]
fn a_closed_pipe_is_a_quiet_end() {
    let bench = talkers();
    for arguments in TALKERS {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let child = bench.command(arguments).stdout(writer).spawn().unwrap();
        let done = finish(child).exits(0);
        assert_eq!(done.stderr, "", "{arguments}");
    }
}

// C47
#[test]
#[cfg(unix)]
fn a_reader_that_leaves_after_one_line_does_not_upset_the_program() {
    use std::io::{BufRead, BufReader};
    let bench = talkers();
    for threads in THREADS {
        let mut child = bench.command(&format!("solve in.csv -j {threads}")).spawn().unwrap();
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        assert_eq!(first, "line,puzzle,solution,status,nodes,time_ns\n");
        let stderr = finish(child).exits(0).stderr;
        assert!(stderr.lines().all(|line| line.starts_with("-j 5: only")), "{stderr}");
    }
}

// C48
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error_not_a_shorter_file() {
    let bench = talkers();
    let full = || std::fs::File::options().write(true).open("/dev/full").unwrap();
    for arguments in TALKERS {
        let done = finish(bench.command(arguments).stdout(full()).spawn().unwrap()).exits(1);
        for once in ["error: ", "cannot write "] {
            assert_eq!(done.stderr.matches(once).count(), 1, "{arguments}: {}", done.stderr);
        }
        assert!(!done.stderr.contains("interrupted"), "{arguments}: {}", done.stderr);
    }
    for arguments in ["solve in.csv -o /dev/full", "generate -n 1 -o /dev/full"] {
        bench.run(arguments).exits(1).says(&["No space left on device"]);
    }
}

// C48
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_ends_the_run_even_if_a_search_does_not_end() {
    let text = format!("{}{ENDLESS}\n", "12\n".repeat(600));
    let bench = Bench::with(text);
    for threads in THREADS {
        let run = format!("solve in.csv -t break --errors /dev/full -j {threads}");
        bench.run(&run).exits(1).says(&["cannot note a malformed row: No space left on device"]);
    }
}

// C48
#[test]
fn every_row_arrives_whatever_the_exit_code() {
    let bench = Bench::new();
    for (text, rows, code) in [(EASY, 5000, 0), ("12", 5000, 5), ("", 0, 0)] {
        bench.write("in.csv", csv(&vec![text; 5000]));
        for threads in THREADS {
            bench.run(&format!("solve in.csv -o out.csv -j {threads}")).exits(code);
            assert_eq!(records::<Row>(&bench.read("out.csv")).len(), rows);
        }
    }
}

// C49
#[test]
#[cfg(target_os = "linux")]
fn an_interrupt_loses_no_row_before_the_endless_one() {
    let bench = Bench::with(csv(&[EASY, "12", SPARSE_START, ENDLESS, EASY]));
    for variant in TEMPLATES {
        for threads in THREADS {
            let run = format!("solve in.csv -o out.csv -t {variant} -j {threads}");
            let child = bench.command(&run).spawn().unwrap();
            wait_until_it_searches(&child);
            interrupt(&child);
            finish(child).exits(130).says(&["interrupted after 3 rows", "2 solved, 1 malformed"]);
            let rows: Vec<Row> = records(&bench.read(".out.csv.partial"));
            let expected = [
                (2, "solved", Some(EASY_NODES)),
                (3, "malformed", None),
                (4, "solved", Some(SPARSE_START_NODES)),
            ];
            assert_eq!(rows.iter().map(Row::brief).collect::<Vec<_>>(), expected, "{run}");
            check_answers(&rows);
        }
    }
}

// C49
#[test]
#[cfg(target_os = "linux")]
fn an_interrupt_in_the_first_row_leaves_the_header_alone() {
    let bench = Bench::with(csv(&[ENDLESS, EASY]));
    let child = bench.command("solve in.csv -t break").spawn().unwrap();
    wait_until_it_searches(&child);
    interrupt(&child);
    let done = finish(child).exits(130).says(&["interrupted after 0 rows"]);
    assert_eq!(done.stdout, "line,puzzle,solution,status,nodes,time_ns\n");
}

// C49
#[test]
#[cfg(unix)]
fn an_interrupt_keeps_the_whole_blocks_before_and_starts_no_other_file() {
    use std::io::{BufRead, BufReader, Read};
    // The 256th row is malformed. Once it is named, the first block is out of the workers' hands.
    let mut puzzles = vec![EASY; 255];
    puzzles.extend(["12", ENDLESS]);
    puzzles.extend([EASY; 300]);
    let bench = Bench::with(csv(&puzzles));
    bench.write("more.csv", csv(&[EASY]));
    for threads in THREADS {
        let run = format!("solve in.csv more.csv -o out-{threads}.csv -t break -j {threads}");
        let mut child = bench.command(&run).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while line.is_empty() || line.starts_with("-j 5: only") {
            line.clear();
            stderr.read_line(&mut line).unwrap();
        }
        assert!(line.starts_with("in.csv:257: "), "{line}");
        interrupt(&child);
        finish(child).exits(130);
        stderr.read_to_string(&mut line).unwrap();
        assert!(line.contains("interrupted after 256 rows"), "{line}");
        let rows: Vec<Row> = records(&bench.read(&format!(".out-{threads}.csv.partial")));
        assert_eq!(rows.len(), 256);
        let whole =
            |(row, line): (&Row, u64)| row.line == line && row.file.as_deref() == Some("in.csv");
        assert!(rows.iter().zip(2..).all(whole));
        assert!(rows[..255].iter().all(|row| row.status == "solved"));
        check_answers(&rows);
    }
}

// C53
#[test]
fn no_digit_underflows_and_one_bad_row_never_ends_the_run() {
    let zeros = EMPTY.replace('.', "0");
    let bad = ["0", "٣", "\0", "/", ":"].map(|c| c.repeat(81));
    let mut puzzles: Vec<&str> = bad.iter().map(String::as_str).collect();
    puzzles.push(&zeros);
    let mut expected: Vec<Brief> = (3..7).map(|line| (line, "malformed", None)).collect();
    expected.insert(0, (2, "solved", Some(391)));
    expected.push((7, "solved", Some(391)));
    let text = csv(&puzzles);
    solves_as(&text, &expected, 5);
    let done = Bench::with(text).run("solve in.csv").exits(5);
    assert!(!done.stderr.contains("panic"), "{}", done.stderr);
}

// C54
#[test]
fn the_deepest_recursion_fits_into_a_small_stack() {
    let bench = Bench::with(csv(&[EMPTY; 20]));
    for variant in VARIANTS {
        for arguments in ["solve in.csv", "compare in.csv"] {
            let run = format!("{arguments} -t {variant} -j 5");
            let child = bench.command(&run).env("RUST_MIN_STACK", "262144").spawn().unwrap();
            finish(child).exits(0);
        }
    }
}

// C55
#[test]
fn the_number_of_threads_is_that_asked_for_and_never_zero() {
    let bench = Bench::with(csv(&[EASY]));
    for command in ["solve in.csv", "compare in.csv", "generate -n 1"] {
        bench.run(&format!("{command} -j 0")).exits(2).says(&["0 threads", "leave -j out"]);
        for wrong in ["-1", "1.5", "many", "100000"] {
            bench.run(&format!("{command} -j={wrong}")).exits(2).says(&["from 1 to 1024"]);
        }
    }
    for threads in THREADS {
        let solved = bench.run(&format!("solve in.csv -j {threads}")).exits(0);
        solved.says(&[&format!("on {threads} thread")]);
        let report = bench.run(&format!("compare in.csv -j {threads} -o run")).exits(0).stdout;
        assert!(report.contains(&format!(" {threads} solving thread")), "{report}");
        let model: Value = serde_json::from_str(&bench.read("run/report.json")).unwrap();
        assert_eq!(model["settings"]["threads"].to_string(), threads);
    }
}

/// Asserts that no text holds a number that is none, or the sentinel of an empty histogram.
#[track_caller]
fn assert_all_finite(bench: &Bench, stdout: &str, stderr: &str) {
    let files = ["run/report.md", "run/summary.csv", "run/puzzles.csv", "run/report.json"];
    let texts = files.iter().map(|file| bench.read(file)).chain([stdout.into(), stderr.into()]);
    for text in texts {
        for wrong in ["NaN", "inf ", "inf,", "Infinity", "18446744073709551615", "18,446,744"] {
            assert!(!text.contains(wrong), "{wrong} in:\n{text}");
        }
    }
}

// C57
#[test]
fn an_input_without_rows_has_no_figures_and_is_no_failure() {
    let bench = Bench::new();
    for text in ["", "puzzle,solution\n", "puzzle", "\n\n \r\n", "\u{feff}", "\u{feff}puzzle\r\n"] {
        bench.write("in.csv", text);
        for threads in THREADS {
            let done = bench.run(&format!("solve in.csv --unique -j {threads}")).exits(0);
            assert_eq!(done.stdout, "line,puzzle,solution,status,solutions,nodes,time_ns\n");
            done.says(&["0 rows in", "none"]);
        }
        let done = bench.run("compare in.csv -o run").exits(0);
        assert!(done.stdout.contains("0 rows: 0 compared."), "{}", done.stdout);
        assert_all_finite(&bench, &done.stdout, &done.stderr);
        let summary: Vec<Vec<String>> = records(&bench.read("run/summary.csv"));
        assert_eq!(summary.len(), 3);
        assert!(summary.iter().all(|row| row[9..].iter().all(String::is_empty)), "{summary:?}");
    }
    // All rows malformed, or none in the sample of a time to measure.
    bench.write("in.csv", csv(&["12", &with(CLASSIC, 1, 2, '5')]));
    let done = bench.run("compare in.csv -o run").exits(5);
    assert!(done.stdout.contains("2 rows: 0 compared, 1 with conflicting givens, 1 malformed."));
    assert_all_finite(&bench, &done.stdout, &done.stderr);
}

// C58
#[test]
fn one_sample_is_its_own_minimum_and_maximum() {
    let bench = Bench::with(csv(&[CLASSIC]));
    bench.run("compare in.csv -o run").exits(0);
    let laps: Vec<Lap> = records(&bench.read("run/puzzles.csv"));
    let mut summary = csv::Reader::from_path(bench.path("run/summary.csv")).unwrap();
    let summary: Vec<std::collections::HashMap<String, String>> =
        summary.deserialize().map(Result::unwrap).collect();
    for (lap, row) in std::iter::zip(&laps, &summary) {
        let exact = lap.min_ns.unwrap().to_string();
        for column in ["min_ns", "max_ns", "total_ns", "p50_ns", "p999_ns"] {
            assert_eq!(row[column], exact, "{column}");
        }
        assert_eq!(row["mean_ns"].parse(), exact.parse::<f64>());
    }
}

// C59
#[test]
fn rows_that_take_no_time_give_finite_figures() {
    let bench = Bench::with(csv(&[FULL; 5]));
    for variant in VARIANTS {
        for threads in THREADS {
            let done = bench.run(&format!("solve in.csv -t {variant} -j {threads}")).exits(0);
            done.says(&["5 solved", "0.00 nodes/s"]);
        }
    }
    let done = bench.run("compare in.csv -t break,early-return,rescan,mrv -o run").exits(0);
    assert_all_finite(&bench, &done.stdout, &done.stderr);
    let laps: Vec<Lap> = records(&bench.read("run/puzzles.csv"));
    assert_eq!(laps.len(), 5 * 7);
    assert!(laps.iter().all(|lap| lap.nodes == 0 && lap.min_ns.is_some()), "{laps:?}");
}

// C60
#[test]
fn standard_output_holds_only_data_and_nothing_holds_escapes() {
    let bench = talkers_with_damage();
    for threads in THREADS {
        let done = bench.run(&format!("solve in.csv -j {threads}")).exits(5);
        assert_eq!(done.rows().len(), done.stdout.lines().count() - 1);
        let progress = ['\u{1b}', '\r', '█', '░'];
        assert!(!done.stdout.contains(progress) && !done.stderr.contains(progress));
        bench.run(&format!("compare in.csv -o run --sample 50 -j {threads}"));
        for file in ["report.md", "report.json", "summary.csv", "puzzles.csv", "break.hgrm"] {
            assert!(!bench.read(&format!("run/{file}")).contains(progress), "{file}");
        }
    }
}

/// Everyday puzzles, every hundredth of them damaged.
fn talkers_with_damage() -> Bench {
    let text = repository_file("data/everyday.csv");
    let damage = |(number, line): (usize, &str)| match number % 100 {
        99 => line[1..].to_owned(),
        _ => line.to_owned(),
    };
    Bench::with(lines(text.lines().enumerate().map(damage)))
}

// C61
#[test]
fn many_bad_rows_are_all_counted_and_the_first_are_named() {
    let bench = talkers_with_damage();
    for threads in THREADS {
        let done = bench.run(&format!("solve in.csv --errors errors.txt -j {threads}")).exits(5);
        let rows = done.rows();
        assert_eq!(rows.len(), 10_000);
        assert_eq!(rows.iter().filter(|row| row.status == "malformed").count(), 100);
        assert_eq!(done.stderr.matches("in.csv:").count(), 20);
        done.says(&["… and 80 more malformed rows", "9,900 solved, 100 malformed"]);
        let errors = bench.read("errors.txt");
        let expected: Vec<String> = (1..=100)
            .map(|hundred| {
                format!("in.csv:{}: column 1: 80 characters where a 9x9 grid has 81", hundred * 100)
            })
            .collect();
        assert_eq!(errors.lines().collect::<Vec<_>>(), expected);
    }
}

// C64
#[test]
fn an_endless_line_is_one_bad_row_with_a_short_message() {
    let dots = ".".repeat(200_000);
    let quotes = "\"\"".repeat(100_001);
    let quoted = format!("\"{dots}\"");
    let words = format!("{},\"b", "word ".repeat(40_000));
    for long in [&dots, &quotes, &quoted, &words, &",".repeat(200_000), &".".repeat(65_537)] {
        for (text, first) in [(csv(&[EASY, long, EASY]), 2), (lines([EASY, long, EASY]), 1)] {
            let expected = [
                (first, "solved", Some(EASY_NODES)),
                (first + 1, "malformed", None),
                (first + 2, "solved", Some(EASY_NODES)),
            ];
            solves_as(&text, &expected, 5);
            let done = Bench::with(&text).run("solve in.csv").exits(5);
            done.says(&[&format!("in.csv:{}: ", first + 1)]);
            let stderr = Bench::with(&text).run("solve in.csv").exits(5).stderr;
            assert!(stderr.len() < 1000, "{stderr}");
        }
    }
    solves_as(lines([&dots, EASY]), &[(1, "malformed", None), (2, "solved", Some(EASY_NODES))], 5);
}

// C49
#[test]
#[cfg(unix)]
fn an_interrupt_amid_easy_rows_is_told_although_no_search_was_stopped() {
    let bench = Bench::with(lines(std::iter::repeat_n(EASY, 400_000)));
    for threads in THREADS {
        let arguments = format!("solve in.csv -t break -o out-{threads}.csv -j {threads}");
        let child = bench.command(&arguments).spawn().unwrap();
        let out = bench.path(&format!(".out-{threads}.csv.partial"));
        wait_until(|| std::fs::metadata(&out).is_ok_and(|out| out.len() > 0));
        interrupt(&child);
        finish(child).exits(130).says(&["interrupted after "]);
        let rows: Vec<Row> = records(&bench.read(&format!(".out-{threads}.csv.partial")));
        assert!(rows.len() < 400_000, "{} rows", rows.len());
        assert!((1..).zip(&rows).all(|(line, row)| row.brief() == (line, "solved", Some(78))));
    }
}

// C49
#[test]
#[cfg(unix)]
fn an_interrupt_ends_the_wait_for_a_pipe_that_says_nothing() {
    use std::io::Write;
    use std::process::Stdio;
    let bench = Bench::new();
    for command in ["solve - -o out.csv", "compare - -o run"] {
        let mut child = bench.command(command).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(csv(&[EASY; 3000]).as_bytes()).unwrap();
        let out = bench.path(if command.starts_with("solve") { ".out.csv.partial" } else { "run" });
        wait_until(|| out.exists());
        // However much was read by now, the pipe stays open.
        interrupt(&child);
        let done = finish(child).exits(130);
        assert!(!done.stderr.contains("error"), "{}", done.stderr);
        drop(stdin);
    }
    let rows: Vec<Row> = records(&bench.read(".out.csv.partial"));
    assert!((2..).zip(&rows).all(|(line, row)| (row.line, &*row.status) == (line, "solved")));
}

/// A line of 100,000 characters beside the puzzle.
fn wide_rows() -> String {
    let comment = "x".repeat(100_000);
    let rows = (0..12).map(|_| format!("{EASY},{comment}"));
    lines(std::iter::once("puzzle,comment".into()).chain(rows))
}

#[test]
fn whether_a_line_is_too_long_does_not_depend_on_how_it_arrives() {
    let bench = Bench::with(wide_rows());
    let whole = bench.run("solve in.csv -j 2").exits(5);
    assert!(whole.rows().iter().all(|row| row.status == "malformed"));
    assert_eq!(whole.rows().len(), 12);
    for portion in [1000, 65_536, 70_000] {
        let text = wide_rows().into_bytes();
        let piped = bench.feed("solve -", &text.chunks(portion).collect::<Vec<_>>()).exits(5);
        assert_eq!(piped.stdout, whole.stdout);
    }
}

#[test]
fn a_quote_in_the_rest_of_a_line_that_is_too_long_swallows_no_row() {
    let long = format!("{},\"abc", "x".repeat(300_000));
    let text = lines([EASY, &long, EASY, EASY, "\"", EASY]);
    let bench = Bench::with(&text);
    let expected: Vec<(u64, String)> = [(1, "solved"), (2, "malformed"), (3, "solved")]
        .into_iter()
        .chain([(4, "solved"), (5, "malformed"), (6, "solved")])
        .map(|(line, status)| (line, status.into()))
        .collect();
    let brief = |done: Done| -> Vec<(u64, String)> {
        done.rows().into_iter().map(|row| (row.line, row.status)).collect()
    };
    assert_eq!(brief(bench.run("solve in.csv").exits(5)), expected);
    let portions: Vec<&[u8]> = text.as_bytes().chunks(3000).collect();
    assert_eq!(brief(bench.feed("solve -", &portions).exits(5)), expected);
}

#[test]
#[cfg(unix)]
fn an_input_under_another_name_is_not_overwritten() {
    let bench = Bench::with(csv(&[EASY]));
    std::fs::hard_link(bench.path("in.csv"), bench.path("link.csv")).unwrap();
    bench.run("solve in.csv -o link.csv").exits(1).says(&["is an input too"]);
    assert_eq!(bench.read("in.csv"), csv(&[EASY]));
}

#[test]
#[cfg(unix)]
fn an_argument_that_is_not_utf8_is_reported_not_a_panic() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let bench = Bench::with(csv(&[EASY]));
    let mut command = bench.command("compare in.csv -q -o");
    finish(command.arg(OsStr::from_bytes(b"run\xff")).spawn().unwrap()).exits(0);
}

#[test]
fn no_first_line_is_taken_for_a_header_when_it_could_be_a_row() {
    let damaged = Bench::with(lines(["abcdefgh", EASY])).run("solve in.csv").exits(5);
    assert_eq!(damaged.rows().len(), 2);
    let named = Bench::with(lines([format!("q,{EASY}"), format!("q,{EASY}")]));
    named.run("solve in.csv --column q").exits(1).says(&["there is no header"]);
    let carriage_returns = Bench::with(format!("puzzle,x\r{EASY},1\r")).run("solve in.csv");
    assert_eq!(carriage_returns.exits(0).rows()[0].line, 2);
}

/// The model of the run in the folder `run`.
fn model(bench: &Bench) -> serde_json::Value {
    serde_json::from_str(&bench.read("run/report.json")).unwrap()
}

#[test]
#[cfg(unix)]
fn a_run_that_failed_does_not_pass_for_complete() {
    let bench = Bench::with(csv(&[EASY]));
    // A pipe is not looked into beforehand.
    let done = bench.feed("compare in.csv - -o run", &["a,b,c\n1,2,3\n"]).exits(1);
    assert_eq!(model(&bench)["partial"], "failed");
    let trust = done.stdout.lines().nth(2).unwrap();
    assert!(trust.contains(" PARTIAL: the run failed"), "{trust}");
    assert!(trust.contains(" Of 2 files only 1 was begun."), "{trust}");
    bench.run("report run").exits(0).says(&[]);
    bench.run("report --merge layouts run run").exits(1).says(&["is a partial run"]);
}

#[test]
fn a_budget_beyond_all_time_is_no_limit() {
    let bench = Bench::with(csv(&[EASY]));
    bench.run("compare in.csv --time-budget 300000000000y -o run").exits(0);
    assert_eq!(model(&bench)["partial"], serde_json::Value::Null);
}

#[test]
fn too_few_puzzles_for_a_bound_are_not_called_no_controls() {
    let bench = Bench::with(csv(&[EASY; 3]));
    let report = bench.run("compare in.csv").exits(0).stdout;
    let trust = report.lines().nth(2).unwrap();
    assert!(trust.contains("too few puzzles to tell how far copies"), "{trust}");
    // Seven equal signs are rare enough for 97.5 %, six are not.
    assert!(report.contains("for `rescan` with 3 puzzles; about 7 would do"), "{report}");
}

#[test]
fn without_a_margin_no_number_of_puzzles_would_do() {
    let bench = Bench::with(csv(&[&[EASY; 4][..], &[SECOND; 4]].concat()));
    let report = bench.run("compare in.csv --margin 0 -t break,early-return").exits(0).stdout;
    assert!(!report.contains("would do"), "{report}");
}

#[test]
fn edited_numbers_that_cannot_be_are_damage() {
    let bench = Bench::with(csv(&[EASY; 8]));
    bench.run("compare in.csv -o run").exits(0);
    let text = bench.read("run/report.json");
    let damage = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
        change(&mut value);
        bench.write("run/report.json", value.to_string());
        bench.run("report run").exits(1).says(&["is not the report of a run"]);
    };
    let typical = |value: &mut serde_json::Value, key: &str, number: f64| {
        value["files"][0]["comparisons"][1]["typical"]["interval"][key] = number.into();
    };
    damage(&|value| typical(value, "hi", -1.0));
    damage(&|value| typical(value, "lo", 1e300));
    damage(&|value| value["files"][0]["comparisons"][0]["typical"]["ratio"] = 0.0.into());
    damage(&|value| value["settings"]["confidence"] = 2.0.into());
}

#[test]
#[cfg(unix)]
fn a_file_name_gives_the_terminal_no_orders() {
    let bench = Bench::new();
    bench.write("a\u{1b}[31m.csv", csv(&[EASY]));
    let done = finish(bench.command_of(&["compare", "a\u{1b}[31m.csv"]).spawn().unwrap()).exits(0);
    assert!(!done.stdout.contains('\u{1b}'), "{}", done.stdout);
}
