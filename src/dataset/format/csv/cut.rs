//! Where a CSV record ends.

use crate::dataset::record::{Kind, MAX_RECORD, Record, in_reach, quoted_end};
use memchr::{memchr, memchr2};

/// No record has more quoted fields of several lines. What seems to have begins with an open quote;
/// otherwise a file in which every line closes a quote and opens one would be looked through again
/// from each of its lines.
const MOST_BLOCKS: usize = 16;

/// The record at the start of `bytes`, which is not empty. `None`: it goes on beyond them, and
/// they are neither the end of the input nor too long.
pub(super) fn next_record(bytes: &[u8], delimiter: u8, at_end: bool) -> Option<Record> {
    let (bytes, at_end) = in_reach(bytes, at_end);
    match memchr2(b'\n', b'"', bytes) {
        Some(end) if bytes[end] == b'\n' => Some(Record::line(Kind::Plain, end)),
        Some(_) => quoted(bytes, delimiter, at_end),
        None => Record::unfinished(Kind::Plain, bytes, at_end),
    }
}

/// A record with a quote in it. A field is quoted when it begins with a quote; inside it a doubled
/// quote stands for one, and what follows the closing quote is taken literally.
fn quoted(bytes: &[u8], delimiter: u8, at_end: bool) -> Option<Record> {
    let (mut at, mut blocks) = (0, 0);
    loop {
        if bytes.get(at) == Some(&b'"') {
            let start = at + 1;
            match quoted_end(bytes, start) {
                Some(end) => at = end,
                None => return open_quote(bytes, at_end),
            }
            // A quote that closes a field of several lines in the middle of something is the
            // opening quote of a later row.
            let is_gap = |byte: u8| matches!(byte, b' ' | b'\t') && byte != delimiter;
            let behind = bytes[at..].iter().find(|byte| !is_gap(**byte));
            let goes_on = behind.is_some_and(|byte| ![delimiter, b'\r', b'\n'].contains(byte));
            if memchr(b'\n', &bytes[start..at]).is_some() {
                blocks += 1;
                if goes_on || blocks > MOST_BLOCKS {
                    return open_quote(bytes, true);
                }
            }
        }
        match memchr2(delimiter, b'\n', &bytes[at..]) {
            Some(end) if bytes[at + end] == b'\n' => {
                return Some(Record::line(Kind::Quoted, at + end));
            }
            Some(end) => at += end + 1,
            None => return Record::unfinished(Kind::Quoted, bytes, at_end),
        }
    }
}

/// The line on which a quote opens that is not closed, once that is certain.
fn open_quote(bytes: &[u8], at_end: bool) -> Option<Record> {
    if !at_end && bytes.len() <= MAX_RECORD {
        return None;
    }
    match memchr(b'\n', bytes) {
        Some(end) => Some(Record::line(Kind::OpenQuote, end)),
        None => Record::unfinished(Kind::OpenQuote, bytes, at_end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(text: &str) -> Vec<(Kind, &str)> {
        let mut rest = text;
        let mut records = Vec::new();
        while !rest.is_empty() {
            let record = next_record(rest.as_bytes(), b',', true).expect("at the end of the input");
            records.push((record.kind, &rest[..record.len]));
            rest = &rest[record.consumed..];
        }
        records
    }

    #[test]
    fn a_quoted_line_end_does_not_end_the_record() {
        assert_eq!(cut("a,\"b\nc\"\nd"), [(Kind::Quoted, "a,\"b\nc\""), (Kind::Plain, "d")]);
        assert_eq!(
            cut("5\" disk\n\"a\"\"\n\"\n"),
            [(Kind::Quoted, "5\" disk"), (Kind::Quoted, "\"a\"\"\n\"")]
        );
    }

    #[test]
    fn an_open_quote_costs_one_line_only() {
        assert_eq!(
            cut("a\n\"b,c\nd\ne"),
            [
                (Kind::Plain, "a"),
                (Kind::OpenQuote, "\"b,c"),
                (Kind::Plain, "d"),
                (Kind::Plain, "e")
            ]
        );
    }

    #[test]
    fn an_open_quote_is_not_closed_by_the_opening_quote_of_a_later_line() {
        assert_eq!(
            cut("\"a\",\"b\n\"c\",d\n"),
            [(Kind::OpenQuote, "\"a\",\"b"), (Kind::Quoted, "\"c\",d")]
        );
        assert_eq!(
            cut("\"a\nb\n\"c\nd"),
            [
                (Kind::OpenQuote, "\"a"),
                (Kind::Plain, "b"),
                (Kind::OpenQuote, "\"c"),
                (Kind::Plain, "d")
            ]
        );
    }

    #[test]
    fn quotes_that_close_and_open_on_every_line_are_not_looked_at_again_and_again() {
        let text = "x\" ,\"\n".repeat(2 * MOST_BLOCKS);
        let record = next_record(text.as_bytes(), b',', false).expect("no more bytes are needed");
        assert_eq!(record, Record::line(Kind::OpenQuote, 5));
    }

    #[test]
    fn an_open_quote_is_not_closed_by_a_quoted_field_that_begins_with_a_space() {
        assert_eq!(
            cut("2,\"a,1\n3,\" 3456\",2\n4\n"),
            [(Kind::OpenQuote, "2,\"a,1"), (Kind::Quoted, "3,\" 3456\",2"), (Kind::Plain, "4")]
        );
        assert_eq!(cut("\"a\nb\" ,c\n"), [(Kind::Quoted, "\"a\nb\" ,c")]);
    }

    #[test]
    fn nothing_is_decided_before_enough_is_read() {
        assert_eq!(next_record(b"53..7", b',', false), None);
        assert_eq!(next_record(b"\"53..7\n", b',', false), None);
        assert_eq!(next_record(b"\"53\"", b',', false), None);
        let long = vec![b'1'; MAX_RECORD + 1];
        let record = next_record(&long, b',', false).unwrap();
        assert_eq!((record.kind, record.consumed), (Kind::Overlong, MAX_RECORD));
    }

    proptest! {
        /// The csv crate's parser, told that only `\n` ends a record, finds the same ends.
        #[test]
        fn records_end_where_the_csv_parser_ends_them(text in "[\",\n1]{0,40}") {
            let mut text = text;
            text.push('\n');
            let records = cut(&text);
            prop_assume!(records.iter().all(|record| record.0 != Kind::OpenQuote));
            let mut parser = csv_core::ReaderBuilder::new()
                .terminator(csv_core::Terminator::Any(b'\n'))
                .build();
            let (mut fields, mut ends) = ([0; 64], [0; 64]);
            let mut rest = text.as_bytes();
            for (_, record) in records.into_iter().filter(|record| !record.1.is_empty()) {
                rest = &rest[rest.iter().take_while(|&&byte| byte == b'\n').count()..];
                let (result, consumed, _, _) = parser.read_record(rest, &mut fields, &mut ends);
                prop_assert_eq!(result, csv_core::ReadRecordResult::Record);
                prop_assert_eq!(consumed, record.len() + 1);
                rest = &rest[consumed..];
            }
        }
    }
}
