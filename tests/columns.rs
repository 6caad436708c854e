//! The other forms of what `solve` writes: the input's own columns, bare solutions, ratings.

mod common;

use common::*;
use proptest::prelude::*;
use sudoku_bench::dataset::{Answer, Hints, Reader, RowBlock, RowWriter};

/// `text` without the digits at the ends of its lines, which are times.
fn without_times(text: &str) -> String {
    let is_digit = |character: char| character.is_ascii_digit();
    let line = |line: &str| format!("{}\n", line.trim_end_matches('\n').trim_end_matches(is_digit));
    text.split_inclusive('\n').map(line).collect()
}

/// What `solve --keep-columns` makes of a file, without the times.
#[track_caller]
fn kept(text: &str, arguments: &str, code: i32) -> String {
    let bench = Bench::with(text);
    let done = bench.run(&format!("solve in.csv --keep-columns -t break {arguments}")).exits(code);
    without_times(&done.stdout)
}

#[test]
fn answers_stand_behind_the_columns_of_the_input() {
    let text = format!("id,puzzle,note\n7,{EASY},\" a, \"\"b\"\"\"\n 8 ,{UNSOLVABLE}, x\n");
    let expected = format!(
        "id,puzzle,note,solution,status,nodes,time_ns\n\
         7,{EASY},\" a, \"\"b\"\"\",{EASY_SOLUTION},solved,78,\n \
         8 ,{UNSOLVABLE}, x,,unsolvable,1581,\n"
    );
    assert_eq!(kept(&text, "", 0), expected);
    assert_eq!(kept(&text, "-j 5", 0), expected);
    let unique = kept(&text, "--unique --rate", 0);
    let rows: Vec<&str> = unique.lines().collect();
    assert_eq!(rows[0], "id,puzzle,note,solution,status,solutions,nodes,rate,time_ns");
    assert!(rows[1].contains(&format!(",{EASY_SOLUTION},solved,1,78,")), "{}", rows[1]);
}

#[test]
fn a_name_that_the_input_has_is_told_from_ours() {
    let text = format!("Puzzle, SOLUTION ,Status,nodes_found\n{EASY},{FULL},mine,1\n");
    let expected = format!(
        "Puzzle, SOLUTION ,Status,nodes_found,solution_found,status_found,nodes,time_ns\n\
         {EASY},{FULL},mine,1,{EASY_SOLUTION},solved,78,\n"
    );
    assert_eq!(kept(&text, "", 0), expected);
}

#[test]
fn an_input_without_header_gives_an_output_without() {
    let text = format!("7,{EASY}\n8,{SECOND}\n");
    let second =
        "798152463361748925524963178146289357879536214235417689482695731613874592957321846";
    let expected =
        format!("7,{EASY},{EASY_SOLUTION},solved,78,\n8,{SECOND},{second},solved,145,\n");
    assert_eq!(kept(&text, "", 0), expected);
}

#[test]
fn only_line_ends_change_and_what_is_no_row_goes() {
    let text =
        format!("\u{feff}puzzle,note\r\n\r\n{EASY},\"two\r\nlines\"\r\npuzzle,note\r\n{EASY},last");
    let expected = format!(
        "puzzle,note,solution,status,nodes,time_ns\n\
         {EASY},\"two\r\nlines\",{EASY_SOLUTION},solved,78,\n\
         {EASY},last,{EASY_SOLUTION},solved,78,\n"
    );
    assert_eq!(kept(&text, "", 0), expected);
}

#[test]
fn ragged_rows_are_filled_up_when_short_and_kept_when_long() {
    let text = format!("id,puzzle,note\n1,{EASY}\n2\n3,{EASY},x,extra\n4,12,\n");
    let expected = format!(
        "id,puzzle,note,solution,status,nodes,time_ns\n\
         1,{EASY},,{EASY_SOLUTION},solved,78,\n\
         2,,,,malformed,,\n\
         3,{EASY},x,extra,{EASY_SOLUTION},solved,78,\n\
         4,12,,,malformed,,\n"
    );
    assert_eq!(kept(&text, "", 5), expected);
}

#[test]
fn an_open_quote_is_kept_as_a_field_and_harms_no_other_row() {
    let text = format!("puzzle,note\n\"{EASY},say \"\"hi\n{EASY},x\n");
    let expected = format!(
        "puzzle,note,solution,status,nodes,time_ns\n\
         \"\"\"{EASY},say \"\"\"\"hi\",,,malformed,,\n\
         {EASY},x,{EASY_SOLUTION},solved,78,\n"
    );
    assert_eq!(kept(&text, "", 5), expected);
}

#[test]
fn of_an_endless_line_the_start_is_kept() {
    let text = format!("puzzle,note\n\"{}\n{EASY},x\n", "1".repeat(200_000));
    let found = kept(&text, "", 5);
    let rows: Vec<&str> = found.lines().collect();
    assert_eq!(rows.len(), 3);
    assert!(rows[1].starts_with("\"\"\"111") && rows[1].ends_with("111\",,,malformed,,"));
    assert!((60_000..70_000).contains(&rows[1].len()), "{}", rows[1].len());
    assert_eq!(rows[2], format!("{EASY},x,{EASY_SOLUTION},solved,78,"));
}

#[test]
fn columns_are_kept_of_one_file_and_not_with_bare_solutions() {
    let bench = Bench::with(csv(&[EASY]));
    for (arguments, reason) in [
        ("in.csv in.csv --keep-columns", "--keep-columns takes one file"),
        ("in.csv --keep-columns --output-format lines", "writes solutions alone"),
        ("in.csv --unique --output-format lines", "writes solutions alone"),
        ("in.csv --rate --output-format lines", "writes solutions alone"),
        ("in.csv --output-format words", "possible values: csv, lines"),
    ] {
        bench.run(&format!("solve {arguments} -o out.csv")).exits(2).says(&[reason]);
        assert!(!bench.path("out.csv").exists());
    }
    let done = bench.feed("solve - --keep-columns", &[csv(&[EASY])]).exits(0);
    assert!(done.stdout.starts_with(&format!("puzzle,solution,status,nodes,time_ns\n{EASY},365")));
}

#[test]
fn bare_solutions_come_one_a_line_as_rows_do() {
    let bench = Bench::with(csv(&[EASY, "12", UNSOLVABLE, "", FULL]));
    let expected = format!("{EASY_SOLUTION}\n\n\n{FULL}\n");
    for threads in THREADS {
        let done = bench.run(&format!("solve in.csv --output-format lines -j {threads}")).exits(5);
        assert_eq!(done.stdout, expected);
    }
    let done = bench.run("solve in.csv in.csv --output-format lines").exits(5);
    assert_eq!(done.stdout, expected.repeat(2));
}

#[test]
fn a_rating_is_the_nodes_of_mrv_whoever_solves() {
    /// The fields from `status` on but for the time: status, nodes, rate.
    fn rated(bench: &Bench, arguments: &str) -> Vec<[String; 3]> {
        let done = bench.run(&format!("solve in.csv --rate {arguments}")).exits(5);
        let mut rows = done.stdout.lines();
        assert_eq!(rows.next().unwrap(), "line,puzzle,solution,status,nodes,rate,time_ns");
        let fields = |row: &str| {
            let fields: Vec<&str> = row.split(',').collect();
            [fields[3], fields[4], fields[5]].map(String::from)
        };
        rows.map(fields).collect()
    }
    let conflict = format!("55{}", &EMPTY[2..]);
    let bench = Bench::with(csv(&[CLASSIC, HARD, UNSOLVABLE, FULL, &conflict, "12"]));
    let by_mrv = rated(&bench, "-t mrv");
    for [status, nodes, rate] in &by_mrv[..4] {
        assert!(!rate.is_empty() && nodes == rate, "{status}: {nodes}, {rate}");
    }
    // Nothing was searched.
    assert_eq!(by_mrv[4], ["invalid", "0", ""]);
    assert_eq!(by_mrv[5], ["malformed", "", ""]);
    let by_break = rated(&bench, "-t break");
    assert_eq!(by_break[0][1], CLASSIC_NODES.to_string());
    let rates = |rows: &[[String; 3]]| rows.iter().map(|row| row[2].clone()).collect::<Vec<_>>();
    assert_eq!(rates(&by_break), rates(&by_mrv));
    // What stops the one need not stop the other.
    let capped = rated(&bench, "-t break --max-nodes 1000");
    assert_eq!(capped[1][0], "limit-nodes");
    assert_eq!(rates(&capped), rates(&by_mrv));
    let capped = rated(&bench, "-t break --max-nodes 1");
    assert_eq!(capped[0], ["limit-nodes", "1", ""]);
}

#[test]
fn an_unfinished_output_is_only_continued_in_its_own_form() {
    let bench = Bench::with(format!("id,puzzle\n1,{EASY}\n2,12\n3\n4,{SECOND}\n"));
    let whole = bench.run("solve in.csv --keep-columns --rate").exits(5).stdout;
    bench.run("solve in.csv --keep-columns --rate -o out.csv --strict").exits(5);
    assert!(!bench.path("out.csv").exists());
    bench.run("solve in.csv --output-format lines -o out.txt --strict").exits(5);
    for (arguments, option) in [
        ("--keep-columns -o out.csv", "--rate was on and is off now"),
        ("--rate -o out.csv", "--keep-columns was on and is off now"),
        ("-o out.txt", "--output-format was lines and is csv now"),
    ] {
        bench.run(&format!("solve in.csv {arguments} --resume")).exits(1).says(&[option]);
    }
    bench.run("solve in.csv --keep-columns --rate -o out.csv --resume").exits(5);
    assert_eq!(without_times(&bench.read("out.csv")), without_times(&whole));
}

/// The fields of the first record of `text`, and whether it ends before `text` does.
fn fields(text: &[u8], delimiter: u8) -> (Vec<Vec<u8>>, bool) {
    let with_another = [text, b"\n1\n"].concat();
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .delimiter(delimiter)
        .flexible(true)
        .terminator(csv::Terminator::Any(b'\n'))
        .from_reader(with_another.as_slice());
    let records: Vec<csv::ByteRecord> = reader.byte_records().map(Result::unwrap).collect();
    (records[0].iter().map(<[u8]>::to_vec).collect(), records.len() == 2)
}

proptest! {
    /// A CSV reader finds the fields of the input, and ours behind them, whatever the input is.
    #[test]
    fn a_csv_reader_gets_back_what_was_kept(
        rows in proptest::collection::vec("[\",;1a \n]{0,12}", 1..30),
        line_end in prop_oneof![Just("\n"), Just("\r\n")],
    ) {
        let text = ["id,puzzle,note".to_owned()].into_iter().chain(rows).collect::<Vec<_>>();
        let text = text.join(line_end);
        let mut reader = Reader::new(text.as_bytes(), &Hints::default()).unwrap().unwrap();
        let columns = reader.layout().columns().unwrap();
        let delimiter = columns.delimiter;
        let width = fields(columns.header.unwrap(), delimiter).0.len();
        let writer = RowWriter::keeping(&columns, false).with_rate();
        let mut out = Vec::new();
        writer.header(&mut out);
        let mut expected = Vec::new();
        let mut block = RowBlock::default();
        loop {
            reader.fill(&mut block).unwrap();
            if block.rows().is_empty() {
                break;
            }
            for row in block.rows() {
                let text = block.text(row);
                let answer = Answer { text, status: "x", nodes: Some(7), ..Answer::default() };
                writer.row(&answer, &mut out);
                let text = text.strip_suffix(b"\r").unwrap_or(text);
                let mut record = match fields(text, delimiter) {
                    (fields, true) => fields,
                    _ => vec![text.to_vec()],
                };
                record.resize(record.len().max(width), Vec::new());
                record.extend(["", "x", "7", "", ""].map(|field| field.as_bytes().to_vec()));
                expected.push(record);
            }
        }
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            .flexible(true)
            .terminator(csv::Terminator::Any(b'\n'))
            .from_reader(out.as_slice());
        let names: Vec<_> = reader.byte_headers().unwrap().iter().skip(width).collect();
        prop_assert_eq!(names, ["solution", "status", "nodes", "rate", "time_ns"].map(str::as_bytes));
        let found: Vec<Vec<Vec<u8>>> = reader
            .byte_records()
            .map(|record| record.unwrap().iter().map(<[u8]>::to_vec).collect())
            .collect();
        prop_assert_eq!(found, expected);
    }
}
