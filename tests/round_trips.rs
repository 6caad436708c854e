//! What is written can be read again: every form of output, compressed or not, is an input.

use proptest::prelude::*;
use std::io::{Cursor, Write};
use sudoku_bench::dataset::{
    Answer, Column, Decoding, Format, Hints, Input, Layout, Reader, Row, RowBlock, RowWriter,
    VerdictRow, VerdictWriter,
};
use sudoku_bench::grid::Grid;
use sudoku_bench::output::{Packer, Packing};

fn grids(digits: &'static str) -> impl Strategy<Value = Grid> {
    proptest::string::string_regex(&format!("[{digits}]{{81}}"))
        .unwrap()
        .prop_map(|text| Grid::parse(text.as_bytes()).unwrap())
}

/// What is written of one row.
#[derive(Clone, Debug)]
struct Written {
    puzzle: Option<Grid>,
    solution: Option<Grid>,
    status: &'static str,
    solutions: Option<u8>,
    nodes: Option<u64>,
    rate: Option<u64>,
    time_ns: Option<u64>,
}

fn written() -> impl Strategy<Value = Written> {
    let numbers = (any::<Option<u64>>(), any::<Option<u64>>(), any::<Option<u64>>());
    let status = proptest::sample::select(vec!["solved", "unsolvable", "limit-nodes", "malformed"]);
    let grids = (proptest::option::of(grids(".1-9")), proptest::option::of(grids("1-9")));
    (grids, status, proptest::option::of(0..3_u8), numbers).prop_map(
        |((puzzle, solution), status, solutions, (nodes, rate, time_ns))| Written {
            puzzle,
            solution,
            status,
            solutions,
            nodes,
            rate,
            time_ns,
        },
    )
}

impl Written {
    fn answer<'a>(&'a self, line: u64, text: &'a [u8]) -> Answer<'a> {
        Answer {
            line,
            text,
            puzzle: self.puzzle.as_ref(),
            solution: self.solution.as_ref(),
            status: self.status,
            solutions: self.solutions,
            nodes: self.nodes,
            rate: self.rate,
            time_ns: self.time_ns,
        }
    }
}

fn packings() -> impl Strategy<Value = Packing> {
    proptest::sample::select(vec![Packing::Plain, Packing::Gzip, Packing::Zstd])
}

/// What `look` sees in each row of `text`, once that was compressed in parts of `part` bytes.
fn read<T>(
    text: &[u8],
    packing: Packing,
    part: usize,
    hints: &Hints,
    mut look: impl FnMut(&Layout, &RowBlock, &Row) -> T,
) -> Vec<T> {
    let mut stored = Vec::new();
    let mut packer = Packer::new(&mut stored, packing);
    for part in text.chunks(part) {
        packer.write_all(part).unwrap();
        packer.end_part().unwrap();
    }
    drop(packer);
    let input = Input::from_reader("out", None, Cursor::new(stored));
    let input = input.decoded(Decoding::default()).unwrap();
    let mut reader = Reader::new(input, hints).unwrap().unwrap();
    let layout = reader.layout().clone();
    let (mut block, mut seen) = (RowBlock::default(), Vec::new());
    loop {
        reader.fill(&mut block).unwrap();
        if block.rows().is_empty() {
            return seen;
        }
        seen.extend(block.rows().iter().map(|row| look(&layout, &block, row)));
    }
}

/// A number as a field of the output.
fn field(number: Option<u64>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

proptest! {
    #[test]
    fn rows_of_answers_are_a_file_of_puzzles_with_solutions(
        rows in proptest::collection::vec(written(), 0..40),
        file in proptest::option::of("[a-z ,;\"\n\u{e9}]{0,8}"),
        (with_solutions, with_rate) in any::<(bool, bool)>(),
        packing in packings(),
        part in 1..3000_usize,
    ) {
        let writer = RowWriter::new(file.as_deref(), with_solutions);
        let writer = if with_rate { writer.with_rate() } else { writer };
        let mut text = Vec::new();
        writer.header(&mut text);
        for (line, row) in (1..).zip(&rows) {
            writer.row(&row.answer(line, b""), &mut text);
        }
        let seen = read(&text, packing, part, &Hints::default(), |layout, block, row| {
            (block.puzzle(layout, row).ok(), block.solution(layout, row))
        });
        let expected: Vec<_> =
            rows.iter().map(|row| (row.puzzle, Some(Ok(row.solution)))).collect();
        prop_assert_eq!(seen, expected);

        let records: Vec<Vec<String>> = csv::Reader::from_reader(&text[..])
            .into_deserialize()
            .collect::<Result<_, _>>()
            .unwrap();
        for ((line, row), record) in (1_u64..).zip(&rows).zip(&records) {
            let grid = |grid: Option<Grid>| grid.map(|grid| grid.to_string()).unwrap_or_default();
            let fields = [
                file.clone(),
                Some(line.to_string()),
                Some(grid(row.puzzle)),
                Some(grid(row.solution)),
                Some(row.status.into()),
                with_solutions.then(|| field(row.solutions.map(u64::from))),
                Some(field(row.nodes)),
                with_rate.then(|| field(row.rate)),
                Some(field(row.time_ns)),
            ];
            prop_assert_eq!(record, &fields.into_iter().flatten().collect::<Vec<_>>());
        }
    }

    #[test]
    fn bare_solutions_stand_in_the_lines_of_their_rows(
        rows in proptest::collection::vec(written(), 0..40),
        packing in packings(),
        part in 1..3000_usize,
    ) {
        let writer = RowWriter::lines();
        let mut text = Vec::new();
        writer.header(&mut text);
        for (line, row) in (1..).zip(&rows) {
            writer.row(&row.answer(line, b""), &mut text);
        }
        let seen = read(&text, packing, part, &Hints::default(), |layout, block, row| {
            (row.line, block.puzzle(layout, row).ok())
        });
        let solved = (1..).zip(&rows).filter(|(_, row)| row.solution.is_some());
        prop_assert_eq!(seen, solved.map(|(line, row)| (line, row.solution)).collect::<Vec<_>>());
    }

    #[test]
    fn kept_columns_are_what_they_were(
        first in (proptest::collection::vec("[a-z]{1,3}", 3), written()),
        more in proptest::collection::vec(
            (proptest::collection::vec("[a-z,;\" \r\n\u{e9}]{0,6}", 3), written()), 0..40
        ),
        delimiter in proptest::sample::select(b",;\t|".to_vec()),
        place in 0..4_usize,
        with_header: bool,
        packing in packings(),
        part in 1..3000_usize,
    ) {
        let mut csv = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
        let fields = |others: &[String], puzzle: &str| {
            let mut fields = others.to_vec();
            fields.insert(place, puzzle.into());
            fields
        };
        if with_header {
            let names = ["solution", "status", "a name"].map(String::from);
            csv.write_record(fields(&names, "puzzle")).unwrap();
        }
        // The first row has a grid and plain text beside it, by which the delimiter is known.
        let rows: Vec<_> = std::iter::once(first).chain(more).collect();
        let puzzle = |number: usize, row: &Written| match row.puzzle {
            None if number == 0 => ".".repeat(81),
            None => "12".into(),
            Some(grid) => grid.to_string(),
        };
        let puzzles: Vec<String> =
            rows.iter().enumerate().map(|(number, (_, row))| puzzle(number, row)).collect();
        for ((others, _), puzzle) in rows.iter().zip(&puzzles) {
            csv.write_record(fields(others, puzzle)).unwrap();
        }
        let source = csv.into_inner().unwrap();

        // With tabs and without a header it might be lines with fields, too.
        let (format, puzzle) = (Some(Format::Csv), Some(Column::Number(place + 1)));
        let hints = Hints { format, puzzle, ..Hints::default() };
        let layout = Reader::new(&source[..], &hints).unwrap().unwrap().layout().clone();
        prop_assert_eq!(layout.columns().unwrap().delimiter, delimiter);
        let writer = RowWriter::keeping(&layout.columns().unwrap(), false);
        let mut text = Vec::new();
        writer.header(&mut text);
        let mut answers = rows.iter().map(|(_, row)| row);
        let kept = read(&source, Packing::Plain, 1000, &hints, |_, block, row| {
            writer.row(&answers.next().unwrap().answer(0, block.text(row)), &mut text);
            block.text(row).to_owned()
        });
        let seen = read(&text, packing, part, &hints, |layout, block, row| {
            (block.text(row).to_owned(), block.puzzle(layout, row).ok())
        });
        prop_assert_eq!(seen.len(), rows.len());
        for (((after, grid), before), puzzle) in seen.iter().zip(&kept).zip(&puzzles) {
            prop_assert!(after.starts_with(before));
            prop_assert_eq!(*grid, Grid::parse(puzzle.as_bytes()).ok());
        }

        let parse = |text: &[u8]| -> Vec<csv::ByteRecord> {
            let mut parser = csv::ReaderBuilder::new();
            let parser = parser.delimiter(delimiter).has_headers(false);
            parser.from_reader(text).into_byte_records().collect::<Result<_, _>>().unwrap()
        };
        let (before, after) = (parse(&source), parse(&text));
        prop_assert_eq!(before.len(), after.len());
        for (before, after) in before.iter().zip(&after) {
            prop_assert_eq!(after.len(), 4 + 4);
            prop_assert!(before.iter().eq(after.iter().take(4)));
        }
        if with_header {
            prop_assert!(after[0].iter().skip(4).eq(
                [&b"solution_found"[..], b"status_found", b"nodes", b"time_ns"]
            ));
        }
        for (record, (_, row)) in after.iter().skip(usize::from(with_header)).zip(&rows) {
            prop_assert_eq!(&record[5], row.status.as_bytes());
            let nodes = field(row.nodes);
            prop_assert_eq!(&record[6], nodes.as_bytes());
        }
    }

    #[test]
    fn rows_of_verdicts_are_a_file_of_puzzles(
        puzzles in proptest::collection::vec(proptest::option::of(grids(".1-9")), 0..40),
        file in proptest::option::of("[a-z ,;\"\n\u{e9}]{0,8}"),
        packing in packings(),
        part in 1..3000_usize,
    ) {
        let writer = VerdictWriter::new(file.as_deref());
        let mut text = Vec::new();
        writer.header(&mut text);
        for (line, puzzle) in (1..).zip(&puzzles) {
            let (puzzle, check) = (puzzle.as_ref(), "match");
            let row = VerdictRow { line, puzzle, verdict: "unique", solutions: Some(1), check };
            writer.row(&row, &mut text);
        }
        let seen = read(&text, packing, part, &Hints::default(), |layout, block, row| {
            block.puzzle(layout, row).ok()
        });
        prop_assert_eq!(seen, puzzles);
    }
}
