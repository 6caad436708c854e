//! What is written behind the columns of any CSV file is one record for each row, and ends with the
//! answers.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sudoku_bench::dataset::{Answer, Format, Hints, Reader, RowBlock, RowWriter};

fuzz_target!(|text: &[u8]| {
    let hints = Hints { format: Some(Format::Csv), ..Hints::default() };
    let Ok(mut reader) = Reader::new(text, &hints).expect("memory does not fail") else { return };
    let layout = reader.layout().clone();
    let columns = layout.columns().expect("the format has columns");
    let writer = RowWriter::keeping(&columns, false);
    let (mut out, mut rows) = (Vec::new(), 0);
    writer.header(&mut out);
    let has_header = !out.is_empty();
    let mut block = RowBlock::default();
    loop {
        reader.fill(&mut block).expect("memory does not fail");
        if block.rows().is_empty() {
            break;
        }
        for row in block.rows() {
            let answer = Answer { text: block.text(row), status: "x", nodes: Some(7), ..Answer::default() };
            writer.row(&answer, &mut out);
            rows += 1;
        }
    }
    let mut parser = csv::ReaderBuilder::new()
        .delimiter(columns.delimiter)
        .flexible(true)
        .has_headers(has_header)
        .terminator(csv::Terminator::Any(b'\n'))
        .from_reader(out.as_slice());
    let records: Vec<csv::ByteRecord> =
        parser.byte_records().collect::<Result<_, _>>().expect("memory does not fail");
    assert_eq!(records.len(), rows, "{}", out.escape_ascii());
    for record in records {
        let fields: Vec<&[u8]> = record.iter().collect();
        assert!(fields.ends_with(&[b"", b"x", b"7", b""]), "{}", out.escape_ascii());
    }
});
