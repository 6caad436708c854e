//! Puzzles of several lines: grids, JSON boards, OpenSudoku.

mod common;

use common::*;
use proptest::prelude::*;
use std::cell::Cell;
use std::io::{self, Read};
use sudoku_bench::dataset::{Format, Hints, Reader, RowBlock};

/// What `solve` says of a file: its rows in brief.
#[track_caller]
fn solved(text: &str, code: i32) -> (Done, Vec<(u64, String, String)>) {
    let done = Bench::with(text).run("solve in.csv").exits(code);
    let rows = done.rows().into_iter().map(|row| (row.line, row.status, row.puzzle)).collect();
    (done, rows)
}

#[track_caller]
fn assert_solved(text: &str, expected: &[(u64, &str)]) {
    let (_, rows) = solved(text, 0);
    let found: Vec<_> = rows.iter().map(|row| (row.0, row.1.as_str(), row.2.as_str())).collect();
    let expected: Vec<_> = expected.iter().map(|&(line, text)| (line, "solved", text)).collect();
    assert_eq!(found, expected);
}

/// The second of three puzzles of a file is malformed, for this reason, on this line.
#[track_caller]
fn assert_second_malformed(text: &str, lines: [u64; 3], reason: &str) {
    let (done, rows) = solved(text, 5);
    let found: Vec<_> = rows.iter().map(|row| (row.0, row.1.as_str())).collect();
    let [first, second, third] = lines;
    assert_eq!(found, [(first, "solved"), (second, "malformed"), (third, "solved")], "{text}");
    done.says(&[&format!("in.csv:{second}: "), reason]);
}

/// The grid in nine lines.
fn nine(puzzle: &str) -> String {
    lines(puzzle.as_bytes().chunks(9).map(String::from_utf8_lossy))
}

/// The grid in three bands of three lines.
fn banded(puzzle: &str) -> String {
    [&puzzle[..27], &puzzle[27..54], &puzzle[54..]].map(nine).join("\n")
}

/// The grid in a frame as Simple Sudoku draws it.
fn framed(puzzle: &str) -> String {
    let mut text = " *-----------*\n".to_owned();
    for (index, row) in puzzle.as_bytes().chunks(9).map(String::from_utf8_lossy).enumerate() {
        if matches!(index, 3 | 6) {
            text += " |---+---+---|\n";
        }
        text += &format!(" |{}|{}|{}|\n", &row[..3], &row[3..6], &row[6..]);
    }
    text + " *-----------*\n"
}

/// The grid as HoDoKu draws it.
fn ruled(puzzle: &str) -> String {
    let mut text = ".-------.-------.-------.\n".to_owned();
    for (index, row) in puzzle.as_bytes().chunks(9).enumerate() {
        if matches!(index, 3 | 6) {
            text += ":-------+-------+-------:\n";
        }
        let boxes = row.chunks(3).map(|cells| {
            let cells: Vec<String> = cells.iter().map(|&cell| char::from(cell).into()).collect();
            format!("| {} ", cells.join(" "))
        });
        text += &format!("{}|\n", boxes.collect::<String>());
    }
    text + "'-------'-------'-------'\n"
}

/// The grid with something between its cells.
fn spaced(puzzle: &str, between: &str) -> String {
    lines(puzzle.as_bytes().chunks(9).map(|row| {
        let cells: Vec<String> = row.iter().map(|&cell| char::from(cell).into()).collect();
        cells.join(between)
    }))
}

/// The grid as an array of nine arrays of nine strings.
fn board(puzzle: &str) -> String {
    let rows: Vec<Vec<String>> = puzzle
        .as_bytes()
        .chunks(9)
        .map(|row| row.iter().map(|&cell| char::from(cell).into()).collect())
        .collect();
    serde_json::to_string(&rows).unwrap()
}

/// A board with each cell on a line of its own.
fn tall_board(puzzle: &str) -> String {
    board(puzzle).replace(',', ",\n").replace("[[", "[\n[\n")
}

fn game(puzzle: &str) -> String {
    format!("<game data=\"{puzzle}\" state=\"0\" />")
}

/// Games as OpenSudoku exports them, the first on line 4.
fn opensudoku(games: &[String]) -> String {
    let games = lines(games);
    format!(
        "<?xml version='1.0' encoding='UTF-8'?>\n<opensudoku version=\"2\">\n<folder name=\"a\">\n\
         {games}</folder>\n</opensudoku>\n"
    )
}

#[test]
fn titled_grids_as_in_project_euler_96() {
    let text = |first: &str, second: &str| {
        format!("Grid 01\n{}Grid 02\n{}", nine(first).replace('.', "0"), nine(second))
    };
    let expected = [(2, EASY), (12, SECOND)];
    assert_solved(&text(EASY, SECOND), &expected);
    assert_solved(&text(EASY, SECOND).replace('\n', "\r\n"), &expected);
    assert_solved(text(EASY, SECOND).trim_end(), &expected);
    assert_solved(&format!("{}Grid 00\n", text(EASY, SECOND)), &expected);
}

#[test]
fn a_title_without_a_grid_is_no_row_and_one_warning() {
    let bench = Bench::with(format!("Grid 01\n{}Grid 00\n", nine(EASY)));
    for command in
        ["solve in.csv", "verify in.csv", "compare in.csv", "compare in.csv --time-budget 1m"]
    {
        let done = bench.run(command).exits(0);
        let warnings: Vec<&str> =
            done.stderr.lines().filter(|line| line.contains("warning: ")).collect();
        assert_eq!(warnings, ["in.csv:11: warning: no puzzle belongs to `Grid 00`"], "{command}");
    }
    assert_eq!(bench.run("solve in.csv").exits(0).rows().len(), 1);
}

#[test]
fn a_titled_grid_of_eight_rows_costs_itself_only() {
    let (easy, short) = (nine(EASY), nine(&SECOND[9..]));
    let text = format!("Grid 01\n{easy}Grid 02\n{short}Grid 03\n{easy}");
    assert_second_malformed(&text, [2, 12, 21], "the grid has 8 rows");
    let wide = nine(SECOND).replacen('\n', "1\n", 1);
    let text = format!("{easy}\n{wide}\n{easy}");
    assert_second_malformed(&text, [1, 11, 21], "row 1 of the grid has 10 cells");
}

#[test]
fn sadman_files_have_one_puzzle_and_their_state_is_none() {
    let text = format!(
        "#Ame\n#DTest\n[Puzzle]\n{}[State]\n{}[SolutionCells]\n1,2\n",
        nine(EASY),
        nine(EASY_SOLUTION)
    );
    assert_solved(&text, &[(4, EASY)]);
    let cut = format!("[Puzzle]\n{}", nine(&SECOND[..72]));
    let text = format!("[Puzzle]\n{}\n{cut}\n{text}", nine(EASY));
    assert_second_malformed(&text, [2, 13, 25], "the grid has 8 rows");
}

#[test]
fn frames_of_simple_sudoku_and_hodoku() {
    assert_solved(&(framed(EASY) + &framed(SECOND)), &[(2, EASY), (15, SECOND)]);
    assert_solved(&(ruled(EASY) + "\n" + &ruled(SECOND)), &[(2, EASY), (16, SECOND)]);
    let broken = framed(SECOND).replacen("|3..|61.|...|", "|3..|61.|..|", 1);
    let broken = if broken == framed(SECOND) { broken.replacen(".|", "|", 1) } else { broken };
    let text = framed(EASY) + &broken + &framed(EASY);
    let (_, rows) = solved(&text, 5);
    let found: Vec<_> = rows.iter().map(|row| (row.0, row.1.as_str())).collect();
    assert_eq!(found, [(2, "solved"), (15, "malformed"), (28, "solved")]);
}

#[test]
fn cells_may_be_apart_by_spaces_commas_or_semicolons() {
    for between in [" ", ",", ";", ", ", "\t"] {
        let text = spaced(EASY, between) + "\n" + &spaced(SECOND, between);
        assert_solved(&text, &[(1, EASY), (11, SECOND)]);
    }
}

#[test]
fn spaces_as_empty_cells_of_grids_trimmed_or_not() {
    let full = nine(SPARSE_START).replace('.', " ");
    let full = full + "\n" + &nine(EASY).replace('.', " ");
    let trimmed = lines(full.lines().map(str::trim_end));
    assert_solved(&full, &[(1, SPARSE_START), (11, EASY)]);
    // The first row is blank, and nothing says whether it is a row.
    let (_, rows) = solved(&trimmed, 5);
    assert_eq!(rows.iter().map(|row| row.1.as_str()).collect::<Vec<_>>(), ["malformed", "solved"]);
}

#[test]
fn a_grid_of_sixteen_lines_of_sixteen_is_named() {
    let text = format!("{}\n{}", ".".repeat(16) + "\n", "");
    let large = text.trim_end().to_owned() + "\n";
    let text = format!("{}\n{}\n{}", nine(EASY), large.repeat(16), nine(EASY));
    assert_second_malformed(&text, [1, 11, 28], "16x16 grid");
}

#[test]
fn files_of_one_grid_a_line_are_not_taken_for_grids() {
    let text = format!("A citation\n{EASY}\n{SECOND}\n");
    let (_, rows) = solved(&text, 5);
    assert_eq!(rows.iter().filter(|row| row.1 == "solved").count(), 2);
}

#[test]
fn leetcode_boards_alone_in_a_list_and_one_a_line() {
    let (easy, second) = (board(EASY), board(SECOND));
    assert_solved(&easy, &[(1, EASY)]);
    assert_solved(&format!("[{easy},{second}]"), &[(1, EASY), (1, SECOND)]);
    assert_solved(&format!("{easy}\n{second}\n"), &[(1, EASY), (2, SECOND)]);
    let tall = tall_board(EASY);
    let below = tall.lines().count() as u64 + 1;
    assert_solved(&format!("{tall}\n{second}"), &[(1, EASY), (below, SECOND)]);
}

#[test]
fn damaged_boards_cost_themselves_only() {
    let (easy, second) = (board(EASY), board(SECOND));
    for (broken, reason) in [
        (second[..200].to_owned(), "not valid JSON"),
        (second.replacen("\".\",", "", 1), "row 1 of the grid has 8 cells"),
        (second.replacen("\".\"", "\"12\"", 1), "row 1, column 1 of the board is \"12\""),
        (second.replacen("\".\"", "true", 1), "row 1, column 1 of the board is true"),
        (second.replacen("\".\"", "{.\"", 1), "not valid JSON"),
        (format!("{}]", &second[..second.rfind(",[").unwrap()]), "the grid has 8 rows"),
    ] {
        assert_second_malformed(&format!("{easy}\n{broken}\n{easy}\n"), [1, 2, 3], reason);
    }
}

#[test]
fn objects_hold_puzzles_under_the_names_of_columns() {
    let text = format!("{{\"id\":1,\"Puzzle\":\"{EASY}\"}}\n{{\"board\":{}}}\n", board(SECOND));
    assert_solved(&text, &[(1, EASY), (2, SECOND)]);
    let text = format!("{{\"puzzle\":\"{EASY}\"}}\n{{\"id\":2}}\n{{\"puzzle\":\"{EASY}\"}}\n");
    assert_second_malformed(&text, [1, 2, 3], "no key that holds a puzzle");
}

#[test]
fn every_game_of_opensudoku_is_a_row() {
    let other = format!("<game\n time='0' data='{SECOND}'></game>");
    let hidden = format!("<!-- {} -->", game(EASY));
    let text = opensudoku(&[game(EASY), hidden, other, game(&EASY.replace('.', "0"))]);
    assert_solved(&text, &[(4, EASY), (6, SECOND), (8, EASY)]);
}

#[test]
fn damaged_games_cost_themselves_only() {
    for (broken, reason) in [
        ("<game state=\"0\" />".to_owned(), "no attribute `data`"),
        (game(&SECOND[1..]), "80 characters"),
        (game(SECOND).replacen('"', "", 1), "not a valid XML tag"),
        (format!("<game data=\"{SECOND}\n"), "not a valid XML tag"),
    ] {
        let lines = broken.lines().count() as u64;
        let last = 5 + lines + u64::from(broken.ends_with('\n'));
        let text = opensudoku(&[game(EASY), broken, game(EASY)]);
        assert_second_malformed(&text, [4, 5, last], reason);
    }
}

#[test]
fn a_format_can_be_chosen_against_the_content() {
    let bench = Bench::with(format!("{EASY}\n"));
    for format in ["grids", "json", "opensudoku"] {
        let done = bench.run(&format!("solve --format {format} in.csv"));
        assert!(done.rows().iter().all(|row| row.status == "malformed"), "{format}");
    }
}

/// Without its line end, a number that is a title stands at the end of a row or before one.
#[test]
fn a_number_that_runs_into_a_row_costs_one_grid() {
    let [first, second, third] = [EASY, SECOND, EASY].map(nine);
    for (text, damaged) in [
        (format!("1\n{first}2\n{}3\n{third}", second.trim_end()), 1),
        (format!("1\n{first}2\n{second}3{third}"), 2),
    ] {
        let rows = read_all(text.as_bytes(), usize::MAX, Some(Format::Grids));
        let found: Vec<_> = rows.iter().map(|row| row.1.as_deref()).collect();
        let mut expected = [EASY, SECOND, EASY].map(Some);
        expected[damaged] = None;
        assert_eq!(found, expected, "{text}");
    }
}

/// What stands in place of a blank line between bands is damage to that grid.
#[test]
fn a_digit_on_the_line_between_bands_costs_one_grid() {
    let [first, second, third] = [EASY, SECOND, EASY].map(banded);
    let second = second.replacen("\n\n", "\n7\n", 1);
    let text = format!("10)\n{first}\n11)\n{second}\n12)\n{third}");
    let rows = read_all(text.as_bytes(), usize::MAX, Some(Format::Grids));
    let found: Vec<_> = rows.iter().filter_map(|row| row.1.as_deref()).collect();
    assert_eq!(found, [EASY; 2], "{text}");
}

/// Gives out its bytes in small portions.
struct Trickle<'a>(&'a [u8], usize);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(buffer.len());
        self.0.read(&mut buffer[..count])
    }
}

/// The rows of an input: line, and puzzle where there is one.
fn read_all(text: &[u8], portion: usize, format: Option<Format>) -> Vec<(u64, Option<String>)> {
    let hints = Hints { format, ..Hints::default() };
    let mut reader = match Reader::new(Trickle(text, portion), &hints).unwrap() {
        Ok(reader) => reader,
        Err(_) => return Vec::new(),
    };
    let layout = reader.layout().clone();
    let (mut block, mut rows) = (RowBlock::default(), Vec::new());
    loop {
        reader.fill(&mut block).unwrap();
        if block.rows().is_empty() {
            return rows;
        }
        for row in block.rows() {
            let _ = block.solution(&layout, row);
            rows.push((row.line, block.puzzle(&layout, row).ok().map(|grid| grid.to_string())));
        }
    }
}

/// A grid with about every third cell given.
fn puzzle() -> impl Strategy<Value = String> {
    proptest::collection::vec(prop_oneof![2 => Just('.'), 1 => proptest::char::range('1', '9')], 81)
        .prop_map(String::from_iter)
}

/// A way to write a file of puzzles: the format, the first line of the first puzzle, and what
/// comes before, between and after, where each puzzle is written by the function.
struct Shape {
    format: Format,
    before: &'static str,
    write: fn(&str) -> String,
    between: &'static str,
    after: &'static str,
}

const SHAPES: [Shape; 20] = {
    const fn grids(
        before: &'static str,
        write: fn(&str) -> String,
        between: &'static str,
    ) -> Shape {
        Shape { format: Format::Grids, before, write, between, after: "" }
    }
    const fn json(
        before: &'static str,
        write: fn(&str) -> String,
        between: &'static str,
        after: &'static str,
    ) -> Shape {
        Shape { format: Format::Json, before, write, between, after }
    }
    [
        grids("", nine, "\n"),
        grids("Grid 01\n", nine, "Grid 02\n"),
        grids("[Puzzle]\n", nine, "#A me\n[Puzzle]\n"),
        grids("", |puzzle| nine(puzzle).replace('.', "-"), "\n"),
        grids("# by me\n", |puzzle| spaced(puzzle, " "), "\n\n"),
        grids("", |puzzle| spaced(puzzle, ";"), "\n"),
        grids("", framed, "\n"),
        grids("Easy\n", ruled, "Hard\n"),
        grids("", banded, "\n\n"),
        grids("1\n", nine, "2\n"),
        grids("10)\n", banded, "\n11)\n"),
        json("{\"data\":[", board, ",", "],\"n\":3}\n"),
        json("board = ", board, "\nboard = ", "\n"),
        json("[", board, ",", "]\n"),
        json("", board, "\n", "\n"),
        json("[\n", tall_board, ",\n", "\n]\n"),
        json("[", |puzzle| format!("{{\"puzzle\":\"{puzzle}\"}}"), ",", "]"),
        json("", |puzzle| format!("{{\"puzzle\": \"{puzzle}\", \"level\": 1}}"), "\n", ""),
        Shape {
            format: Format::OpenSudoku,
            before: "<opensudoku>\n",
            write: game,
            between: "\n",
            after: "\n</opensudoku>\n",
        },
        Shape {
            format: Format::OpenSudoku,
            before: "<?xml version='1.0'?><opensudoku>",
            write: |puzzle| format!("<game\n  data='{puzzle}'></game>"),
            between: "",
            after: "</opensudoku>",
        },
    ]
};

impl Shape {
    fn file(&self, puzzles: &[String]) -> String {
        let puzzles: Vec<String> = puzzles.iter().map(|puzzle| (self.write)(puzzle)).collect();
        format!("{}{}{}", self.before, puzzles.join(self.between), self.after)
    }

    /// The lines on which the puzzles begin. In a frame it is that of the first row.
    fn lines(&self, puzzles: &[String]) -> Vec<u64> {
        let framed =
            u64::from(matches!((self.write)(EMPTY).as_bytes()[..2], [b' ', b'*'] | [b'.', b'-']));
        (0..puzzles.len())
            .map(|count| {
                let between = if count > 0 { self.between } else { "" };
                let start =
                    format!("{}{between}", Shape { after: "", ..*self }.file(&puzzles[..count]));
                1 + framed + start.matches('\n').count() as u64
            })
            .collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_grid_in_any_shape_is_read_back(
        puzzles in proptest::collection::vec(puzzle(), 1..20),
        shape in 0..SHAPES.len(),
        portion in 1..300_usize,
    ) {
        let shape = &SHAPES[shape];
        let text = shape.file(&puzzles);
        let expected: Vec<_> =
            std::iter::zip(shape.lines(&puzzles), puzzles.iter().cloned().map(Some)).collect();
        prop_assert_eq!(read_all(text.as_bytes(), portion, None), expected, "{}", text);
    }

    /// A byte more or less in one puzzle never makes another puzzle of it, and never touches the
    /// others.
    #[test]
    fn damage_stays_where_it_is(
        puzzles in proptest::collection::vec(puzzle(), 3),
        shape in 0..SHAPES.len(),
        at in 0..10_000_usize,
        byte in proptest::option::of(prop_oneof![
            proptest::sample::select(b"0123456789.-x*_ \n\r,;|[]{}\"'<>+:#/".to_vec()),
            any::<u8>(),
        ]),
        portion in 1..300_usize,
    ) {
        let shape = &SHAPES[shape];
        let start = shape.before.len() + (shape.write)(&puzzles[0]).len() + shape.between.len();
        let at = start + at % (shape.write)(&puzzles[1]).len();
        let mut text = shape.file(&puzzles).into_bytes();
        match byte {
            Some(byte) => text.insert(at, byte),
            None => drop(text.remove(at)),
        }
        let rows = read_all(&text, portion, Some(shape.format));
        let seen = String::from_utf8_lossy(&text);
        prop_assert!(rows.iter().flat_map(|row| &row.1).all(|it| puzzles.contains(it)), "{}", seen);
        prop_assert_eq!(rows.first().and_then(|row| row.1.as_ref()), Some(&puzzles[0]), "{}", seen);
        prop_assert_eq!(rows.last().and_then(|row| row.1.as_ref()), Some(&puzzles[2]), "{}", seen);
    }

    #[test]
    fn nothing_of_the_bytes_makes_it_panic_or_hang(
        parts in proptest::collection::vec(
            prop_oneof![
                proptest::collection::vec(any::<u8>(), 0..20),
                proptest::sample::select(vec![
                    &b"\n"[..], b"[", b"[[\"5\",", b"]", b"{\"puzzle\":", b"}", b"\"", b"<game ", b"/>",
                    b"<!--", b"-->", b"data=\"", b"53..7....\n", b"5 3 7\n", b"         \n", b"53  7\n",
                    b"---+---+---\n", b"Grid 1\n", b"[Puzzle]\n", b"[State]\n", b"#\n", b"\r\n",
                ]).prop_map(<[u8]>::to_vec),
            ],
            0..200,
        ),
        portion in 1..300_usize,
    ) {
        let text = parts.concat();
        for format in [None, Some(Format::Grids), Some(Format::Json), Some(Format::OpenSudoku)] {
            let whole = read_all(&text, usize::MAX, format);
            if format.is_some() {
                prop_assert_eq!(read_all(&text, portion, format), whole);
            }
        }
    }
}

/// Repeats a text without holding it, and counts the bytes that were read.
struct Endless<'a> {
    text: &'a [u8],
    left: usize,
    at: usize,
    read: &'a Cell<usize>,
}

impl Read for Endless<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Ok(0);
        }
        let count = (&self.text[self.at..]).read(buffer)?;
        self.at += count;
        if self.at == self.text.len() {
            (self.at, self.left) = (0, self.left - 1);
        }
        self.read.set(self.read.get() + count);
        Ok(count)
    }
}

/// The bytes that are read and not yet given out as rows are those that the reader holds.
#[test]
fn memory_does_not_follow_the_length_of_a_line_of_boards() {
    for (text, format) in [
        (board(EASY) + ",", Format::Json),
        (format!("{{\"puzzle\":\"{EASY}\"}},"), Format::Json),
        (game(EASY), Format::OpenSudoku),
    ] {
        let read = Cell::new(0);
        let head = if format == Format::Json { "[" } else { "<opensudoku>" };
        let boards = Endless { text: text.as_bytes(), left: 300_000, at: 0, read: &read };
        let mut reader =
            Reader::new(head.as_bytes().chain(boards), &Hints::default()).unwrap().unwrap();
        let layout = reader.layout().clone();
        let (mut block, mut rows) = (RowBlock::default(), 0);
        loop {
            reader.fill(&mut block).unwrap();
            if block.rows().is_empty() {
                break;
            }
            rows += block.rows().len();
            assert!(block.puzzle(&layout, &block.rows()[0]).is_ok());
            assert!(read.get() - rows * text.len() < 1 << 20);
        }
        assert_eq!(rows, 300_000);
    }
}

#[test]
fn a_board_is_read_as_leetcode_prints_it_and_its_output_is_no_puzzle() {
    let page = format!("Input: board = {}\nOutput: {}\n", board(EASY), board(EASY_SOLUTION));
    assert_solved(&page, &[(1, EASY)]);
    assert_solved(&format!("board = {}\n", tall_board(SECOND)), &[(1, SECOND)]);
}

#[test]
fn puzzles_in_a_json_object_are_read_whatever_its_key() {
    let (easy, second) = (board(EASY), board(SECOND));
    assert_solved(&format!("{{\"data\":[{easy},{second}]}}"), &[(1, EASY), (1, SECOND)]);
    let strings = format!("{{\n\"puzzles\": [\"{EASY}\",\n\"{SECOND}\"],\n\"by\": \"N.\"}}");
    assert_solved(&strings, &[(2, EASY), (3, SECOND)]);
    let done = Bench::with(strings).run("solve in.csv").exits(0);
    done.says(&["in.csv:4: warning: no puzzle belongs to `\"by\": \"N.\"`"]);
}

#[test]
fn a_column_that_the_format_does_not_have_is_refused() {
    let bench = Bench::with(format!("Grid 01\n{}", nine(EASY)));
    let refused = bench.run("verify in.csv --solution-column 2").exits(1);
    refused.says(&["the format `grids` has no columns by number; leave --solution-column out"]);
    let bench = Bench::with(format!("{{\"puzzle\":\"{EASY}\"}}"));
    bench.run("solve in.csv --column puzzle").exits(0);
    bench.run("solve in.csv --column 1").exits(1).says(&["`json` has no columns by number"]);
}

#[test]
fn solutions_beside_puzzles_are_hidden_however_the_bytes_arrive() {
    let list = |grid: &str| vec![format!("{{\"a\":\"{grid} \\\" ]\"}}"); 1000].join(",");
    let puzzles = format!("\"puzzles\":[\"{EASY}\",\n\"{SECOND}\"]");
    let solutions = format!("\"solutions\":[{}]", list(EASY_SOLUTION));
    let expected = |line| [(line, Some(EASY.into())), (line + 1, Some(SECOND.into()))];
    for text in [format!("{{{puzzles},{solutions}}}"), format!("{{{solutions},{puzzles}}}")] {
        for portion in [1, 7, usize::MAX] {
            assert_eq!(read_all(text.as_bytes(), portion, None), expected(1), "{portion}");
        }
        let done = Bench::with(text).run("solve in.csv").exits(0);
        done.says(&["warning: no puzzle belongs to `", "\"solutions\":["]);
    }
}
