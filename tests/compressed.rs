//! Inputs that are not plain UTF-8: compressed, UTF-16, Parquet; and files of any name.

mod common;

use common::{
    Bench, EASY, EASY_NODES, HARD, HARD_NODES, SECOND, SECOND_NODES, SPARSE_START,
    SPARSE_START_NODES, csv,
};
use std::io::Write;

const KINDS: [&str; 4] = ["gz", "bz2", "xz", "zst"];

/// One member, stream or frame that holds `text`.
fn compress(kind: &str, text: impl AsRef<[u8]>) -> Vec<u8> {
    let text = text.as_ref();
    let finished = match kind {
        "gz" => {
            let level = flate2::Compression::default();
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
            encoder.write_all(text).and_then(|()| encoder.finish())
        }
        "bz2" => {
            let level = bzip2::Compression::default();
            let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), level);
            encoder.write_all(text).and_then(|()| encoder.finish())
        }
        "xz" => {
            let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 0);
            encoder.write_all(text).and_then(|()| encoder.finish())
        }
        "zst" => zstd::encode_all(text, 3),
        kind => panic!("{kind}"),
    };
    finished.unwrap()
}

const PUZZLES: [&str; 4] = [EASY, SECOND, SPARSE_START, HARD];
const NODES: [u64; 4] = [EASY_NODES, SECOND_NODES, SPARSE_START_NODES, HARD_NODES];

/// Asserts that the rows are the puzzles, from line 2 on.
#[track_caller]
fn are_the_puzzles(done: &common::Done) {
    let rows = done.rows();
    let briefs: Vec<_> = rows.iter().map(common::Row::brief).collect();
    let expected: Vec<_> =
        (2..).zip(NODES).map(|(line, nodes)| (line, "solved", Some(nodes))).collect();
    assert_eq!(briefs, expected);
    assert!(rows.iter().zip(PUZZLES).all(|(row, puzzle)| row.puzzle == puzzle));
}

#[test]
fn an_archive_is_named_and_not_read_as_rows() {
    for (start, name) in [
        (&b"PK\x03\x04\x14\0\0\0"[..], "zip archive"),
        (b"7z\xbc\xaf\x27\x1c\0\x04", "7z archive"),
        (b"Rar!\x1a\x07\x01\0", "rar archive"),
        (b"\x04\x22\x4d\x18\x64\x40", "lz4"),
        (b"LZIP\x01\x0c", "lzip"),
        (b"\x1f\x9d\x90\x50", "compress"),
        (b"\x5d\0\0\x80\0\xff\xff", "lzma"),
        (b"SQLite format 3\0", "SQLite"),
        (b"%PDF-1.7\n", "PDF"),
    ] {
        let bench = Bench::with(start);
        for command in ["solve", "verify", "compare"] {
            let done = bench.run(&format!("{command} in.csv")).exits(1);
            done.says(&["cannot read `in.csv`", name]);
            let done = bench.feed(&format!("{command} -"), &[start]).exits(1);
            done.says(&[name]);
        }
    }
}

#[test]
fn a_text_that_begins_like_the_name_of_another_format_is_read() {
    for title in ["%PDF-puzzles", "Rar! puzzles", "SQLite puzzles"] {
        let bench = Bench::with(format!("{title}\n{EASY}\n"));
        assert_eq!(bench.run("solve in.csv").exits(5).rows().len(), 2, "{title}");
    }
}

#[test]
fn a_compressed_file_is_read_like_the_text_in_it() {
    for kind in KINDS {
        let stored = compress(kind, csv(&PUZZLES));
        let bench = Bench::with(&stored);
        // Its content tells, not its name.
        are_the_puzzles(&bench.run("solve in.csv -t break").exits(0));
        are_the_puzzles(&bench.feed("solve - -t break", &[&stored]).exits(0));
        are_the_puzzles(&bench.feed("solve - -t break", &stored.chunks(1).collect::<Vec<_>>()));
    }
}

#[test]
fn plain_text_may_bear_any_name() {
    for kind in KINDS {
        let (bench, name) = (Bench::new(), format!("in.csv.{kind}"));
        bench.write(&name, csv(&PUZZLES));
        are_the_puzzles(&bench.run(&format!("solve {name} -t break")).exits(0));
    }
}

#[test]
fn all_members_are_read_wherever_one_ends() {
    let text = csv(&PUZZLES);
    for kind in KINDS {
        for cut in [0, 3, 100, 200, text.len()] {
            let (head, tail) = text.as_bytes().split_at(cut);
            let stored = [compress(kind, head), compress(kind, ""), compress(kind, tail)].concat();
            let bench = Bench::with(&stored);
            are_the_puzzles(&bench.run("solve in.csv -t break").exits(0));
        }
    }
}

#[test]
fn zeros_behind_compressed_data_are_padding_and_other_bytes_are_an_error() {
    for kind in KINDS {
        let stored = compress(kind, csv(&PUZZLES));
        let padded = [&*stored, &[0; 512]].concat();
        are_the_puzzles(&Bench::with(&padded).run("solve in.csv -t break").exits(0));
        let followed = [&*stored, b"puzzle"].concat();
        let done = Bench::with(&followed).run("solve in.csv -t break").exits(1);
        are_the_puzzles(&done);
        done.says(&["`in.csv` was not solved to its end", "data is followed by other bytes"]);
    }
}

#[test]
fn rows_before_the_early_end_of_a_file_are_solved() {
    // Repeated rows would shrink to nothing.
    let text = common::repository_file("data/sparse.csv");
    for kind in KINDS {
        let stored = compress(kind, &text);
        let whole = Bench::with(&stored).run("solve in.csv -t mrv").exits(0);
        let all = whole.rows();
        let mut most = 0;
        for eighths in 1..8 {
            let bench = Bench::with(&stored[..stored.len() * eighths / 8]);
            let done = bench.run("solve in.csv -t mrv").exits(1);
            let done = done.says(&["error: ", "`in.csv`", "data ends too early"]);
            let rows = if done.stdout.is_empty() { Vec::new() } else { done.rows() };
            assert!(rows.len() >= most && rows.len() < all.len(), "{kind} {eighths}");
            most = rows.len();
            let same = |(row, whole): (&common::Row, &common::Row)| {
                (row.line, &row.puzzle, &row.solution)
                    == (whole.line, &whole.puzzle, &whole.solution)
            };
            assert!(rows.iter().zip(&all).all(same), "{kind} {eighths}");
        }
        // bzip2 gives nothing of a block that is not complete, and the file is one block.
        assert_eq!(most == 0, kind == "bz2", "{kind}: {most} rows");
    }
}

#[test]
fn the_last_row_of_a_cut_file_is_not_half_a_row() {
    let text = csv(&PUZZLES);
    // Without compression, it is known what is there.
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    encoder.write_all(text.as_bytes()).unwrap();
    let stored = encoder.finish().unwrap();
    let overhead = stored.len() - text.len() - 8;
    for end in [text.len(), text.len() - 1, text.len() - 40] {
        let done = Bench::with(&stored[..overhead + end]).run("solve in.csv").exits(1);
        let complete = text[..end].lines().count() - usize::from(end < text.len());
        assert_eq!(done.rows().len(), complete - 1);
        assert!(!done.stdout.contains("malformed"));
    }
}

#[test]
fn damage_is_an_error() {
    let text = common::repository_file("data/sparse.csv");
    for kind in KINDS {
        let mut stored = compress(kind, &text);
        let middle = stored.len() / 2;
        stored[middle..middle + 64].fill(0x55);
        let done = Bench::with(&stored).run("solve in.csv -t mrv");
        assert!([1].contains(&done.code), "{kind}: {}", done.stderr);
        done.says(&["`in.csv`", "data is damaged"]);
    }
}

#[test]
fn nothing_stays_nothing() {
    for kind in KINDS {
        let done = Bench::with(compress(kind, "")).run("solve in.csv").exits(0);
        assert_eq!(done.rows(), []);
    }
    assert_eq!(Bench::with("").run("solve in.csv").exits(0).rows(), []);
    for tiny in [&b"5"[..], b"\x1f", b"53", b"\xff"] {
        assert_eq!(Bench::with(tiny).run("solve in.csv").exits(5).rows().len(), 1, "{tiny:?}");
    }
    Bench::with(b"\x1f\x8b").run("solve in.csv").exits(1).says(&["the gzip data ends too early"]);
}

#[test]
fn a_long_window_is_refused_with_the_limit_and_the_option() {
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
    encoder.window_log(28).unwrap();
    encoder.write_all(csv(&PUZZLES).as_bytes()).unwrap();
    let stored = encoder.finish().unwrap();
    let bench = Bench::with(&stored);
    for command in ["solve in.csv", "compare in.csv"] {
        let refused = bench.run(command).exits(1);
        assert_eq!(refused.stdout, "");
        refused.says(&["cannot read `in.csv`", "larger than 32 MiB", "--long-window"]);
    }
    are_the_puzzles(&bench.run("solve in.csv -t break --long-window").exits(0));
    bench.run("compare in.csv -t break --long-window").exits(0);
}

#[test]
fn a_comparison_in_random_order_reads_compressed_rows_again() {
    let all = common::repository_file("data/everyday.csv");
    let text = common::lines(all.lines().take(700));
    let compared = |input: &[u8]| {
        let bench = Bench::with(input);
        bench.run("compare in.csv -t break --passes 1 --time-budget 60s -j1 -o out").exits(0);
        let model: serde_json::Value =
            serde_json::from_str(&bench.read("out/report.json")).unwrap();
        let sha = model["files"][0]["sha256"].as_str().unwrap().to_owned();
        let mut laps: Vec<common::Lap> = common::records(&bench.read("out/puzzles.csv"));
        laps.iter_mut().for_each(|lap| (lap.min_ns, lap.median_ns) = (None, None));
        (sha, laps)
    };
    let (_, plain) = compared(text.as_bytes());
    assert!(plain.len() > 256);
    for kind in KINDS {
        let stored = compress(kind, &text);
        let (sha, laps) = compared(&stored);
        // The hash is that of the file as `sha256sum` sees it.
        assert_eq!(sha, sha256(&stored), "{kind}");
        assert!(laps == plain, "{kind}");
    }
}

fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_report_has_the_hash_of_the_stored_bytes() {
    for kind in KINDS {
        let stored = [compress(kind, csv(&PUZZLES)), vec![0; 4]].concat();
        let bench = Bench::with(&stored);
        for input in ["in.csv", "-"] {
            bench.feed(&format!("compare {input} -t break --passes 1 -o out"), &[&stored]).exits(0);
            let model: serde_json::Value =
                serde_json::from_str(&bench.read("out/report.json")).unwrap();
            assert_eq!(model["files"][0]["sha256"], sha256(&stored), "{kind} {input}");
        }
    }
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(bytes).collect()
}

#[test]
fn utf16_with_a_byte_order_mark_is_read() {
    let text = csv(&PUZZLES).replace('\n', "\r\n");
    for order in [u16::to_le_bytes, u16::to_be_bytes] {
        let stored = utf16(&text, order);
        are_the_puzzles(&Bench::with(&stored).run("solve in.csv -t break").exits(0));
        let bytes: Vec<_> = stored.chunks(1).collect();
        are_the_puzzles(&Bench::new().feed("solve - -t break", &bytes).exits(0));
        are_the_puzzles(
            &Bench::with(compress("gz", &stored)).run("solve in.csv -t break").exits(0),
        );
    }
}

#[test]
fn half_a_character_costs_its_row_and_not_the_file() {
    for order in [u16::to_le_bytes, u16::to_be_bytes] {
        let mut stored = utf16(&csv(&[EASY]), order);
        stored.extend_from_slice(&order(0xd83d));
        stored.extend(utf16(&format!("\n{SECOND}\n"), order).split_off(2));
        stored.push(b'5');
        let rows = Bench::with(&stored).run("solve in.csv").exits(5).rows();
        let statuses: Vec<_> = rows.iter().map(|row| (row.line, &*row.status)).collect();
        assert_eq!(statuses, [(2, "solved"), (3, "malformed"), (4, "solved"), (5, "malformed")]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_name_need_not_be_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let bench = Bench::with(csv(&PUZZLES));
    let name = OsStr::from_bytes(b"in\xff.csv");
    std::fs::rename(bench.path("in.csv"), bench.path("").join(name)).unwrap();
    bench.write("other.csv", csv(&[EASY]));
    let run = |arguments: &[&str]| {
        let mut command = bench.command_of(&arguments[..1]);
        command.arg(name).args(&arguments[1..]);
        common::finish(command.spawn().unwrap())
    };
    are_the_puzzles(&run(&["solve", "-t", "break"]).exits(0));
    let rows = run(&["solve", "other.csv"]).exits(0).rows();
    assert_eq!(rows[0].file.as_deref(), Some("in\u{fffd}.csv"));
    run(&["compare", "-t", "break", "--passes", "1"]).exits(0);
}

#[test]
fn standard_input_can_be_named_once() {
    for command in ["solve", "compare"] {
        let done = Bench::new().feed(&format!("{command} - -"), &[csv(&PUZZLES)]).exits(2);
        assert_eq!(done.stdout, "");
        done.says(&["standard input, `-`, is named twice"]);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_wait_for_the_rest_of_a_compressed_pipe() {
    use std::process::Stdio;
    let stored = compress("gz", common::repository_file("data/everyday.csv"));
    for length in [0, 3, stored.len() / 2] {
        for command in ["solve -", "compare -"] {
            let bench = Bench::new();
            let mut child = bench.command(command).stdin(Stdio::piped()).spawn().unwrap();
            let mut stdin = child.stdin.take().unwrap();
            stdin.write_all(&stored[..length]).unwrap();
            stdin.flush().unwrap();
            std::thread::sleep(std::time::Duration::from_millis(300));
            common::interrupt(&child);
            common::finish(child).exits(130);
            drop(stdin);
        }
    }
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_parquet_file_is_refused_by_a_program_that_cannot_read_it() {
    let bench = Bench::with(b"PAR1\x15\x04\x15\x10PAR1");
    let done = bench.run("solve in.csv").exits(1);
    assert_eq!(done.stdout, "");
    done.says(&["cannot read `in.csv`", "Parquet", "feature `parquet`"]);
}

#[cfg(feature = "parquet")]
mod parquet {
    use super::*;
    use ::parquet::basic::{Compression, ZstdLevel};
    use ::parquet::data_type::{
        BoolType, ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type,
    };
    use ::parquet::file::properties::WriterProperties;
    use ::parquet::file::writer::SerializedFileWriter;
    use ::parquet::schema::parser::parse_message_type;
    use std::sync::Arc;

    const SCHEMA: &str = "message puzzles {
        optional binary source (UTF8);
        required binary puzzle (UTF8);
        required int32 clues;
        optional int64 id (INTEGER(64,false));
        optional double rating;
        required boolean checked;
        optional group more { required int32 nested; }
        repeated int32 tags;
        optional binary solution (UTF8);
    }";

    /// A file of row groups, each with these puzzles.
    fn file(groups: &[&[&str]], compression: Compression) -> Vec<u8> {
        let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
        let properties = WriterProperties::builder().set_compression(compression).build();
        let mut writer =
            SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
        for puzzles in groups {
            let count = puzzles.len();
            let mut group = writer.next_row_group().unwrap();
            macro_rules! column {
                ($type:ty, $values:expr, $levels:expr, $repetitions:expr) => {{
                    let mut column = group.next_column().unwrap().unwrap();
                    column.typed::<$type>().write_batch(&$values, $levels, $repetitions).unwrap();
                    column.close().unwrap();
                }};
            }
            // Every other source is missing, and every solution.
            let sources: Vec<ByteArray> =
                (0..count.div_ceil(2)).map(|_| "a \"b\", c".into()).collect();
            let every_other: Vec<i16> = (0..count).map(|row| i16::from(row % 2 == 0)).collect();
            column!(ByteArrayType, sources, Some(&every_other), None);
            let texts: Vec<ByteArray> = puzzles.iter().map(|&puzzle| puzzle.into()).collect();
            column!(ByteArrayType, texts, None, None);
            column!(Int32Type, vec![-30; count], None, None);
            column!(Int64Type, vec![-1; count], Some(&vec![1; count]), None);
            column!(DoubleType, vec![1.5; count], Some(&vec![1; count]), None);
            column!(BoolType, vec![true; count], None, None);
            column!(Int32Type, vec![1; count], Some(&vec![1; count]), None);
            column!(Int32Type, vec![1; count], Some(&vec![1; count]), Some(&vec![0; count]));
            column!(ByteArrayType, Vec::new(), Some(&vec![0; count]), None);
            group.close().unwrap();
        }
        writer.into_inner().unwrap()
    }

    fn codecs() -> [Compression; 4] {
        let gzip = Compression::GZIP(Default::default());
        let zstd = Compression::ZSTD(ZstdLevel::default());
        [Compression::UNCOMPRESSED, Compression::SNAPPY, gzip, zstd]
    }

    #[test]
    fn the_flat_columns_are_read_row_by_row() {
        for codec in codecs() {
            let stored = file(&[&PUZZLES[..3], &[], &PUZZLES[3..]], codec);
            let bench = Bench::with(&stored);
            are_the_puzzles(&bench.run("solve in.csv -t break").exits(0));
            bench.run("compare in.csv -t break --passes 1 --time-budget 60s -o out").exits(0);
            let model: serde_json::Value =
                serde_json::from_str(&bench.read("out/report.json")).unwrap();
            assert_eq!(model["files"][0]["sha256"], sha256(&stored), "{codec}");
        }
    }

    #[test]
    fn the_text_has_all_flat_columns_and_no_other() {
        use std::io::Read;
        use sudoku_bench::dataset::{Decoding, Input};
        let bench = Bench::with(file(&[&PUZZLES[..2]], Compression::SNAPPY));
        let input = Input::open(bench.path("in.csv"), None).unwrap();
        let mut text = String::new();
        input.decoded(Decoding::default()).unwrap().read_to_string(&mut text).unwrap();
        let unsigned = u64::MAX;
        let expected = [
            "source,puzzle,clues,id,rating,checked,solution".to_owned(),
            format!("\"a \"\"b\"\", c\",{EASY},-30,{unsigned},1.5,true,"),
            format!(",{SECOND},-30,{unsigned},1.5,true,"),
        ];
        assert_eq!(text, common::lines(expected));
    }

    #[test]
    fn many_rows_are_read_batch_by_batch() {
        let puzzles = [EASY].repeat(5000);
        let bench = Bench::with(file(&[&puzzles, &puzzles], Compression::SNAPPY));
        let rows = bench.run("solve in.csv").exits(0).rows();
        assert!(rows.iter().map(|row| row.line).eq(2..10_002));
        assert!(rows.iter().all(|row| row.puzzle == EASY));
    }

    #[test]
    fn a_row_of_white_space_is_a_row() {
        let schema = Arc::new(parse_message_type("message m { required binary puzzle; }").unwrap());
        let properties = Arc::new(WriterProperties::builder().build());
        let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties).unwrap();
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let texts = ["", EASY, "  ", "\n\n"].map(ByteArray::from);
        column.typed::<ByteArrayType>().write_batch(&texts, None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
        let bench = Bench::with(writer.into_inner().unwrap());
        let rows = bench.run("solve in.csv").exits(5).rows();
        let statuses: Vec<&str> = rows.iter().map(|row| &*row.status).collect();
        assert_eq!(statuses, ["malformed", "solved", "malformed", "malformed"]);
    }

    #[test]
    fn a_pipe_cannot_bring_one() {
        let stored = file(&[&PUZZLES], Compression::SNAPPY);
        for command in ["solve -", "compare - --time-budget 9s"] {
            let done = Bench::new().feed(command, &[&stored]).exits(1);
            done.says(&["cannot read `-`", "cannot come from a pipe"]);
        }
    }

    #[test]
    fn damage_is_an_error_and_no_panic() {
        let stored = file(&[&PUZZLES, &PUZZLES], Compression::SNAPPY);
        for cut in [4, 5, 12, stored.len() / 2, stored.len() - 9, stored.len() - 1] {
            let done = Bench::with(&stored[..cut]).run("solve in.csv").exits(1);
            done.says(&["cannot read `in.csv`", "the Parquet file is damaged"]);
        }
        for place in (4..stored.len()).step_by(7) {
            let mut stored = stored.clone();
            stored[place] ^= 0x55;
            let done = Bench::with(&stored).run("solve in.csv --max-nodes 10k");
            assert!([0, 1, 5].contains(&done.code), "{place}: {}", done.stderr);
            assert!(!done.stderr.contains("panicked"), "{place}: {}", done.stderr);
        }
    }
}
