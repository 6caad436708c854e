//! Text files with a row a line: CSV of every kind, one grid a line, and what a grid may look like.

mod common;

use common::*;

/// Line, status and nodes of a row.
type Brief<'a> = (u64, &'a str, Option<u64>);

const EASY_ROW: (&str, Option<u64>) = ("solved", Some(EASY_NODES));
const SECOND_ROW: (&str, Option<u64>) = ("solved", Some(SECOND_NODES));
const MALFORMED: (&str, Option<u64>) = ("malformed", None);

/// Solves `text`, which must give these rows from `line` on, one on each line.
#[track_caller]
fn solves_as(text: impl AsRef<[u8]>, line: u64, expected: &[(&str, Option<u64>)]) -> Done {
    solves_with("", text, line, expected)
}

#[track_caller]
fn solves_with(
    arguments: &str,
    text: impl AsRef<[u8]>,
    line: u64,
    expected: &[(&str, Option<u64>)],
) -> Done {
    let code = if expected.contains(&MALFORMED) { 5 } else { 0 };
    let done = Bench::with(text).run(&format!("solve in.csv -t break {arguments}")).exits(code);
    let rows = done.rows();
    let briefs: Vec<Brief> = rows.iter().map(Row::brief).collect();
    let expected: Vec<Brief> =
        (line..).zip(expected).map(|(line, &(status, nodes))| (line, status, nodes)).collect();
    assert_eq!(briefs, expected);
    done
}

/// The cells of a grid, with something between them.
fn apart(grid: &str, between: &str) -> String {
    grid.chars().map(String::from).collect::<Vec<_>>().join(between)
}

/// The rows of a grid, with something between them.
fn rows_of(grid: &str, between: &str) -> String {
    (0..9).map(|row| &grid[row * 9..row * 9 + 9]).collect::<Vec<_>>().join(between)
}

// F22
#[test]
fn one_grid_may_mix_all_marks_of_empty_cells() {
    let mut marks = "0.*_-xX?".chars().cycle();
    let mixed: String =
        EASY.chars().map(|c| if c == '.' { marks.next().unwrap() } else { c }).collect();
    let done = solves_as(lines([&mixed, SECOND]), 1, &[EASY_ROW, SECOND_ROW]);
    assert_eq!(done.rows()[0].puzzle, EASY);
}

// F21
#[test]
fn a_space_is_an_empty_cell_where_no_other_mark_is() {
    let spaces = |grid: &str| grid.replace('.', " ");
    let text = lines([spaces(SPARSE_START), spaces(SPARSE_START).trim_end().into(), spaces(EASY)]);
    let sparse = ("solved", Some(SPARSE_START_NODES));
    solves_as(&text, 1, &[sparse, sparse, EASY_ROW]);
    solves_as(text.replace('\n', "\r\n"), 1, &[sparse, sparse, EASY_ROW]);
    solves_as(format!("# of mine\n{text}"), 2, &[sparse, sparse, EASY_ROW]);
    // Neither a lost cell nor a lost line end makes another grid.
    let damaged = lines([SPARSE_START.replacen('5', " ", 1), EASY[..80].into(), EASY.into()]);
    let done = solves_as(damaged, 1, &[MALFORMED, MALFORMED, EASY_ROW]);
    done.says(&["in.csv:1: column 1: 80 characters", "in.csv:2: column 1: 80 characters"]);
}

// F19
#[test]
fn cells_may_stand_apart_inside_a_field() {
    let text = format!(
        "puzzles,solutions\n{},{}\n{},x\n{},x\n",
        apart(EASY, ";"),
        apart(EASY_SOLUTION, ";"),
        apart(&SECOND.replace('.', "0"), "; "),
        apart(&EASY[1..], ";"),
    );
    let done = solves_as(text, 2, &[EASY_ROW, SECOND_ROW, MALFORMED]);
    done.says(&["in.csv:4: column 1: 80 characters where a 9x9 grid has 81"]);
    solves_as(lines([apart(EASY, " "), apart(SECOND, " ")]), 1, &[EASY_ROW, SECOND_ROW]);
    solves_as(lines([apart(EASY, ","), apart(SECOND, ",")]), 1, &[EASY_ROW, SECOND_ROW]);
}

#[test]
fn a_quoted_field_may_hold_a_grid_of_nine_lines() {
    for between in ["\n", "\r\n"] {
        let short = rows_of(EASY, between);
        let text = format!(
            "id,puzzle{between}1,\"{}\"{between}2,\"{}\"{between}3,{SECOND}{between}",
            rows_of(EASY, between),
            &short[1..],
        );
        let done = Bench::with(text).run("solve in.csv -t break").exits(5);
        let rows = done.rows();
        let briefs: Vec<Brief> = rows.iter().map(Row::brief).collect();
        let second = (20, "solved", Some(SECOND_NODES));
        assert_eq!(briefs, [(2, "solved", Some(EASY_NODES)), (11, "malformed", None), second]);
        done.says(&["in.csv:11: column 2: 80 characters where a 9x9 grid has 81"]);
    }
}

// C28
#[test]
fn a_grid_of_another_size_is_named_by_its_shape_too() {
    let sixteen = rows_of(&".".repeat(81), "\n").replace(".........", "................");
    let rows = format!("{sixteen}\n{}", vec![".".repeat(16); 7].join("\n"));
    let text = format!("puzzle\n\"{rows}\"\n{EASY}\n");
    let done = Bench::with(text).run("solve in.csv").exits(5);
    done.says(&["in.csv:2: column 1: 256 characters make a 16x16 grid"]);
    // Even where nothing else is there.
    let large = ".".repeat(256);
    let only = lines([format!("1,{large}"), format!("2,{large}")]);
    let done = solves_as(only, 1, &[MALFORMED, MALFORMED]);
    done.says(&["in.csv:2: column 2: 256 characters make a 16x16 grid"]);
}

// F02, F03
#[test]
fn columns_may_stand_between_commas_tabs_semicolons_or_bars() {
    for between in [",", "\t", ";", "|"] {
        let row = |puzzle: &str| ["1", puzzle, EASY_SOLUTION, "32", "0.0"].join(between);
        let rows = lines([row(EASY), row(SECOND)]);
        solves_as(&rows, 1, &[EASY_ROW, SECOND_ROW]);
        let header = ["id", "puzzle", "solution", "clues", "difficulty"].join(between);
        solves_as(format!("{header}\n{rows}"), 2, &[EASY_ROW, SECOND_ROW]);
        solves_with("--column puzzle", format!("{header}\n{rows}"), 2, &[EASY_ROW, SECOND_ROW]);
        let quoted = rows.replace(EASY, &format!("\"{EASY}\""));
        solves_as(format!("{header}\n{quoted}"), 2, &[EASY_ROW, SECOND_ROW]);
    }
}

// C36
#[test]
fn a_doubled_solution_column_is_refused_and_named() {
    let text = format!("puzzle,answer,Answer \n{EASY},{FULL},{EASY_SOLUTION}\n");
    let bench = Bench::with(text);
    let done = bench.run("solve in.csv").exits(1);
    done.says(&["line 1 names the column `answer` more than once", "--solution-column NUMBER"]);
    bench.run("solve in.csv --solution-column 3").exits(0);
}

// C39
#[test]
fn a_header_of_unknown_names_is_told_from_a_damaged_row() {
    for header in ["puzzle1,sol1", "2nd col,3rd col", "q1,s1", "\"start 1\",end"] {
        solves_as(format!("{header}\n{EASY},{FULL}\n{SECOND},\n"), 2, &[EASY_ROW, SECOND_ROW]);
    }
    let short = &EASY[..80];
    for damaged in [short, "5.08702E+69", "#NAME?", "12", "-----", "xxxx", ""] {
        let text = format!("{damaged},a\n{EASY},{FULL}\n");
        solves_as(text, 1, &[MALFORMED, EASY_ROW]);
    }
    // A name that is also a mark of an empty cell is no grid.
    for header in ["x,n", "X,n"] {
        solves_as(format!("{header}\n{EASY},1\n"), 2, &[EASY_ROW]);
    }
    solves_as(format!("_,n\n{EASY},1\n"), 1, &[MALFORMED, EASY_ROW]);
}

#[test]
fn nul_bytes_and_a_missing_last_line_end_cost_no_row() {
    let nul = EASY.replacen("..", ".\0", 1);
    let text = format!("\u{feff}puzzle,x\n{EASY},\0\n{nul},\n{SECOND},\0\0");
    let done = solves_as(text, 2, &[EASY_ROW, MALFORMED, SECOND_ROW]);
    done.says(&["in.csv:3: column 1: character 3 is '\\0'"]);
}

// C31, F16
#[test]
fn hodoku_lines_are_read_and_a_placed_digit_shifts_no_cell() {
    let line = |field: &str| format!(":0000:x:{field}:::");
    let placed = EASY.replacen("3..", "3+6.", 1);
    let broken = EASY.replacen("3..", "3+6..", 1);
    let text = lines([line(EASY), line(&placed), line(&broken), line(SECOND)]);
    let done = Bench::with(text).run("solve in.csv -t break").exits(5);
    let rows = done.rows();
    assert_eq!(rows[0].brief(), (1, "solved", Some(EASY_NODES)));
    assert_eq!((&*rows[1].puzzle, &*rows[1].status), (&*EASY.replacen("3..", "36.", 1), "solved"));
    assert_eq!(rows[2].brief(), (3, "malformed", None));
    assert_eq!(rows[3].brief(), (4, "solved", Some(SECOND_NODES)));
    done.says(&["in.csv:3: column 4: 82 characters where a 9x9 grid has 81"]);
}

// F05
#[test]
fn the_exchange_bank_has_its_puzzles_in_the_second_field() {
    let text = lines([
        format!("3904899f7458 {}  7.2", EASY.replace('.', "0")),
        format!("3a76efb2359d {} 10.1", SECOND.replace('.', "0")),
        "0000183b305c".into(),
        format!("0000183b305c {} 1.2", &EASY[1..]),
    ]);
    let done = solves_as(text, 1, &[EASY_ROW, SECOND_ROW, MALFORMED, MALFORMED]);
    done.says(&["in.csv:3: column 2 is missing: the row has 1", "in.csv:4: column 2: 80 char"]);
}

#[test]
fn fields_between_colons_are_fields() {
    let text = lines([format!("{EASY}:1:{EASY_SOLUTION}"), format!("{SECOND}:2:"), "12:".into()]);
    solves_as(&text, 1, &[EASY_ROW, SECOND_ROW, MALFORMED]);
    let full = ("solved", Some(0));
    let text = lines([format!("{EASY}:1:{EASY_SOLUTION}")]);
    solves_with("--column 3", &text, 1, &[full]);
    Bench::with(&text)
        .run("solve in.csv --format lines --column puzzle")
        .exits(1)
        .says(&["there is no column `puzzle`; line 1 has no header"]);
}

// F11
#[test]
fn a_bare_file_of_one_grid_a_line_needs_no_header() {
    let text = lines([EASY, SECOND]);
    for arguments in ["", "--format csv", "--format lines"] {
        solves_with(arguments, &text, 1, &[EASY_ROW, SECOND_ROW]);
        solves_with(arguments, text.trim_end(), 1, &[EASY_ROW, SECOND_ROW]);
    }
}

// C67, F18
#[test]
fn comments_are_no_rows_wherever_they_stand() {
    let text = format!(
        "# from somewhere, 2005\n// and more\n{EASY} // from somewhere\n{SECOND}  # twice: 1/2\n"
    );
    solves_as(&text, 3, &[EASY_ROW, SECOND_ROW]);
    let between = format!("{EASY}#1\n#{EASY}\n{SECOND}\n");
    let done = Bench::with(between).run("solve in.csv").exits(0);
    assert_eq!(done.rows().iter().map(|row| row.line).collect::<Vec<_>>(), [1, 3]);
}

// C67
#[test]
fn a_citation_before_the_puzzles_costs_no_puzzle() {
    for citation in [
        "These are minimal",
        "From: G. R. (2005)",
        "Smith, 2005",
        "\"A title\" of 2005",
        "\"Not closed, 2005",
        "http://example.org/a#b",
        "17",
    ] {
        solves_as(lines([citation, EASY, SECOND]), 1, &[MALFORMED, EASY_ROW, SECOND_ROW]);
        let text = lines([citation, "puzzle,x", &format!("{EASY},1"), &format!("{SECOND},2")]);
        let done = Bench::with(text).run("solve in.csv").exits(5);
        let rows = done.rows();
        assert_eq!(rows.iter().map(|row| row.line).collect::<Vec<_>>(), [1, 3, 4], "{citation}");
    }
}

// C27, C29
#[test]
fn a_file_whose_every_row_is_bad_has_rows() {
    solves_as(lines([&EASY[1..], "12", "abc"]), 1, &[MALFORMED; 3]);
    solves_as(lines(["# 1", &EASY[1..]]), 2, &[MALFORMED]);
    solves_as(lines([format!("7,{}", &EASY[1..]), "8,12".into()]), 1, &[MALFORMED; 2]);
    solves_as(lines(["puzzle;n", "12;1"]), 2, &[MALFORMED]);
    solves_with("--format lines", lines(["a b", "1:2"]), 1, &[MALFORMED; 2]);
}

// C41
#[test]
fn a_quoted_field_that_is_too_long_is_one_row_and_the_lines_after_it_are_read() {
    let long = format!("\"{}", "line\n".repeat(20_000));
    let text = format!("puzzle,x\n{EASY},{long}\",\n{SECOND},\n");
    let done = Bench::with(text).run("solve in.csv -t break").exits(5);
    let rows = done.rows();
    assert_eq!(rows[0].brief(), (2, "malformed", None));
    assert_eq!(rows.last().unwrap().brief(), (20_003, "solved", Some(SECOND_NODES)));
}

// C64
#[test]
fn a_line_that_is_too_long_is_one_row_also_among_comments() {
    let long = format!("{EASY} # {}", "x".repeat(200_000));
    let spaces = format!("{}{SECOND}", " ".repeat(70_000));
    let text = lines(["# 1", EASY, &long, &spaces, SECOND]);
    let done = solves_as(text, 2, &[EASY_ROW, MALFORMED, MALFORMED, SECOND_ROW]);
    done.says(&["in.csv:3: the line `3..4", "in.csv:4: the line `    "]);
    solves_as(lines([&spaces, SECOND]), 1, &[MALFORMED, SECOND_ROW]);
}

#[test]
fn a_file_without_a_single_grid_tells_how_it_was_read() {
    let one = "no grid was found in 1 row, read as";
    for (text, told) in [
        ("nr;quiz\n1;12\n".to_owned(), format!("{one} csv, column 2 `quiz`;")),
        (format!("{},7\n", &EASY[1..]), format!("{one} csv, column 1;")),
        (format!("# mine\n{}\n", &EASY[1..]), format!("{one} lines;")),
        (format!("{}\n", rows_of(EASY, "\n").split_off(10)), format!("{one} grids;")),
        ("[[1,2]]".to_owned(), format!("{one} json;")),
        ("<game data='1'/>".to_owned(), format!("{one} opensudoku;")),
    ] {
        let bench = Bench::with(text);
        for command in ["solve in.csv", "verify in.csv", "compare in.csv"] {
            let done = bench.run(command).exits(5);
            done.says(&[&format!("in.csv: warning: {told} --format and --column choose others")]);
        }
    }
    let bench = Bench::with(lines([&format!("# {EASY}"); 3]));
    for command in ["solve", "verify", "compare"] {
        let done = bench.run(&format!("{command} in.csv")).exits(0);
        done.says(&["in.csv: warning: no grid was found in 0 rows, read as"]);
    }
    let text = lines([&format!("1 {EASY} 2"), "x"]);
    let bench = Bench::with(&text);
    bench.run("solve in.csv --column 1").exits(5).says(&["2 rows, read as lines, column 1;"]);
    let done = bench.run("solve in.csv").exits(5);
    assert!(!done.stderr.contains("no grid was found"), "{}", done.stderr);
    let bench = Bench::with("{\"a\": 1}");
    bench.run("solve in.csv --column A").exits(5).says(&["read as json, key `a`;"]);
}

#[test]
fn a_column_beyond_all_rows_costs_no_row_but_a_word() {
    let bench = Bench::with(format!("{EASY} {EASY_SOLUTION}\n{SECOND}\n"));
    bench.run("solve in.csv --column 2").exits(5);
    for option in ["--column", "--solution-column"] {
        let done = bench.run(&format!("verify in.csv {option} 7")).exits(1);
        done.says(&["cannot use `in.csv`", "there is no column 7; the first rows have 2 columns"]);
    }
}

#[test]
fn lines_that_begin_with_their_number_are_rows() {
    for number in [")", ".", ":", ""] {
        let text = format!("1{number} {EASY}\n2{number} {SECOND}\n3{number} 12\n");
        solves_as(text, 1, &[EASY_ROW, SECOND_ROW, MALFORMED]);
    }
    let text = format!("# of mine\n#1 {EASY}\n#2 {SECOND}\n#3 12\n#4 {}\n", &EASY[1..]);
    let done = solves_as(text, 2, &[EASY_ROW, SECOND_ROW, MALFORMED, MALFORMED]);
    done.says(&["in.csv:4: column 2: 2 characters where"]);
    let mixed = lines([&format!("1) {EASY}"), SECOND, &format!("3) {EASY}")]);
    let done = solves_as(mixed, 1, &[EASY_ROW, MALFORMED, EASY_ROW]);
    done.says(&["in.csv:2: column 2 is missing: the row has 1 field"]);
}

#[test]
fn comments_above_a_header_are_no_rows() {
    for header in ["id,puzzle", "id,start"] {
        let text = format!("# a dataset, of 2005\n#\n{header}\n1,{EASY}\n#REF!,{SECOND}\n");
        solves_as(&text, 4, &[EASY_ROW, SECOND_ROW]);
        let kept = Bench::with(text).run("solve in.csv --keep-columns").exits(0).stdout;
        assert!(kept.starts_with(&format!("{header},solution")), "{kept}");
    }
}

// C40
#[test]
fn what_a_spreadsheet_has_left_of_a_grid_is_named() {
    let rows = ["5.30070E+80", "\"5,3007E+80\"", &format!("'{EASY}"), EASY];
    let done = solves_as(
        lines(["puzzle"].iter().chain(&rows)),
        2,
        &[MALFORMED, MALFORMED, MALFORMED, EASY_ROW],
    );
    done.says(&[
        "in.csv:2: column 1: a spreadsheet has rounded this number",
        "in.csv:3: column 1: a spreadsheet has rounded this number",
        "in.csv:4: column 1: an apostrophe stands before the 81 cells",
    ]);
}

#[test]
fn a_grid_of_nine_lines_in_quotes_may_have_spaces_for_empty_cells() {
    let spaced = rows_of(EASY, "\n").replace('.', " ");
    let trimmed: Vec<&str> = spaced.lines().map(str::trim_end).collect();
    for grid in [&spaced, &trimmed.join("\n"), &trimmed.join("\r\n")] {
        let bench = Bench::with(format!("id,puzzle\n1,\"{grid}\"\n"));
        assert_eq!(bench.run("solve in.csv").exits(0).rows()[0].puzzle, EASY);
    }
    // A line that lost a dot is not one that lost a space.
    let damaged = rows_of(EASY, "\n").replacen('.', "", 1);
    Bench::with(format!("id,puzzle\n1,\"{damaged}\"\n")).run("solve in.csv").exits(5);
}

#[test]
fn a_carriage_return_amid_a_line_hides_no_puzzle() {
    for text in [format!("{EASY}\r{SECOND}\n"), format!("puzzle\n{EASY}\r{SECOND}\n")] {
        Bench::with(format!("{EASY}\n{text}")).run("solve in.csv").exits(5);
    }
}

#[test]
fn no_message_gives_orders_to_a_terminal() {
    let bench = Bench::with("id\u{1b}[31m,b\n1,2\n");
    let done = bench.run("solve in.csv").exits(1);
    assert!(!done.stderr.contains('\u{1b}'), "{:?}", done.stderr);
}
