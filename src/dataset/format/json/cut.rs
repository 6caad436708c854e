//! Where a board, or an object that holds one, ends.
//!
//! Arrays are cut by their brackets alone: no string of a board holds one, while a quote may be
//! lost. A board that breaks off ends where the next one or an object begins.

use crate::dataset::format::csv::SOLUTION;
use crate::dataset::record::{Kind, MAX_RECORD, Record};
use memchr::{memchr, memchr2, memchr3};

/// A string so long in the place of a cell is a row of cells.
pub(super) const ROW: usize = 6;

/// A string so long in the place of a row is a whole grid.
pub(super) const WHOLE: usize = 30;

/// No board or object has more brackets in it, or more of them one in another. What seems to is
/// cut there, so that many brackets without an end are not looked at again and again.
const MOST: usize = 64;

/// In so many bytes from its start an object shows that it is one around a list of puzzles.
const AROUND: usize = 4 * 1024;

/// What an opening bracket opens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opens {
    /// An array of puzzles.
    List,
    /// A board of arrays.
    Board,
    /// A board of strings.
    Strings,
    /// A row whose board has lost its bracket.
    Row,
}

/// The record at the start of `bytes`; what lies beyond them decides nothing when `is_cut_off`.
/// `is_puzzle` says whether a whole object holds a puzzle itself.
pub(super) fn next_record(
    bytes: &[u8],
    at_end: bool,
    is_puzzle: impl Fn(&[u8]) -> bool,
) -> Option<Record> {
    let is_cut_off = bytes.len() > MAX_RECORD;
    let is_all = at_end || is_cut_off;
    match bytes[0] {
        byte if is_between(byte) => {
            let end = bytes.iter().position(|&byte| !is_between(byte)).unwrap_or(bytes.len());
            Some(record(Kind::Skip, end))
        }
        b'[' => {
            let opens = opens(bytes, is_all)?;
            if opens == Opens::List {
                return Some(record(Kind::Skip, 1));
            }
            block(bytes, array(bytes, opens, is_all)?, at_end, b"[[")
        }
        b'{' if !begins_object(bytes, 0, is_all)? => Some(record(Kind::Stray, 1)),
        b'{' => {
            let list = list_inside(bytes, is_all)?;
            let is_closed = |object: &[u8]| object.ends_with(b"}");
            let end = object(bytes, is_all)?;
            match list {
                Some(list)
                    if !end.is_some_and(|end| {
                        is_closed(&bytes[..end]) && is_puzzle(&bytes[..end])
                    }) =>
                {
                    Some(record(Kind::Skip, list))
                }
                _ => block(bytes, end, at_end, b"{"),
            }
        }
        b'"' if let Some((end, kind)) = entry(bytes, is_all)? => Some(record(kind, end)),
        // Without its closing quote a string ends with its line, or before an object.
        b'"' => match memchr3(b'"', b'\n', b'{', &bytes[1..]) {
            Some(end) if bytes[end + 1] == b'{' => Some(record(Kind::Block, end + 1)),
            Some(end) => Some(record(Kind::Block, end + 2)),
            None => Record::unfinished(Kind::Block, bytes, at_end),
        },
        byte if byte.is_ascii_alphabetic() => words(bytes, at_end),
        _ => {
            let is_next = |byte: &u8| is_between(*byte) || b"[{\"".contains(byte);
            match bytes.iter().position(is_next) {
                Some(end) => Some(record(Kind::Stray, end)),
                None => Record::unfinished(Kind::Stray, bytes, at_end),
            }
        }
    }
}

/// Whether a byte stands between puzzles.
fn is_between(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b',' | b']' | b'}')
}

fn record(kind: Kind, len: usize) -> Record {
    Record { kind, len, consumed: len }
}

/// The puzzle that ends at `end`. Without an end within reach it is damaged, and the next one is
/// looked for from the next line on, or where `start`, with which a puzzle starts, is met again.
fn block(bytes: &[u8], end: Option<usize>, at_end: bool, start: &[u8]) -> Option<Record> {
    let end = match end {
        Some(end) => Some(end),
        None if at_end => Some(bytes.len()),
        None => {
            let again = || memchr::memmem::find(&bytes[1..], start).map(|at| at + 1);
            memchr(b'\n', bytes).map(|end| end + 1).or_else(again)
        }
    };
    match end {
        Some(end) => {
            // A record that broke off does not own what separates it from the next one.
            let len = bytes[..end].trim_ascii_end().len();
            Some(Record { kind: Kind::Block, len, consumed: end })
        }
        None => Record::unfinished(Kind::Block, bytes, at_end),
    }
}

/// What stands behind the labels with which a text begins, such as `Input: board =`, if these have
/// an array behind them.
pub(super) fn behind_labels(text: &[u8]) -> &[u8] {
    let (labels, rest) = text.split_at(words_end(text).unwrap_or(text.len()));
    let rest = rest.trim_ascii_start();
    if is_labels(labels) && rest.starts_with(b"[") { rest } else { text }
}

/// Where JSON, or a line, may begin behind words.
fn words_end(text: &[u8]) -> Option<usize> {
    text.iter().position(|byte| b"[{\"\n".contains(byte))
}

fn is_labels(words: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b" \t\r_:=".contains(byte);
    words.first().is_some_and(u8::is_ascii_alphabetic)
        && words.iter().all(is_part)
        && matches!(words.trim_ascii_end().last(), Some(b':' | b'='))
}

/// Words outside of JSON: the labels of a board, or a line of text. The board behind the label of an
/// output is no puzzle.
fn words(bytes: &[u8], at_end: bool) -> Option<Record> {
    let is_all = at_end || bytes.len() > MAX_RECORD;
    let Some(end) = words_end(bytes) else {
        return Record::unfinished(Kind::Stray, bytes, at_end);
    };
    let board = dark(bytes, end, is_all)?.filter(|board| bytes[*board] == b'[');
    let Some(start) = board.filter(|_| is_labels(&bytes[..end])) else {
        return Some(record(Kind::Stray, end));
    };
    if bytes[..end.min(6)].eq_ignore_ascii_case(b"output") {
        let board = &bytes[start..];
        let opens = opens(board, is_all)?;
        let end = if opens == Opens::List { None } else { array(board, opens, is_all)? };
        if let Some(end) = end {
            return Some(record(Kind::Skip, start + end));
        }
    }
    Some(record(Kind::Skip, start))
}

// In the functions below an outer `None` says that it takes more bytes to know.

/// The place of the next byte from `at` on that is no white space; an inner `None` if there is none.
fn dark(bytes: &[u8], at: usize, is_all: bool) -> Option<Option<usize>> {
    let found = bytes[at..].iter().position(|byte| !byte.is_ascii_whitespace());
    match found {
        Some(offset) => Some(Some(at + offset)),
        None => is_all.then_some(None),
    }
}

/// Whether the brace at `at` is followed by a key, or by nothing.
fn begins_object(bytes: &[u8], at: usize, is_all: bool) -> Option<bool> {
    let next = dark(bytes, at + 1, is_all)?;
    Some(next.is_none_or(|next| matches!(bytes[next], b'"' | b'}')))
}

/// Whether the brace at `at` is certainly that of an object, even amid a board: a key of several
/// letters follows, while a string of a board is shorter.
fn is_object(bytes: &[u8], at: usize, is_all: bool) -> Option<bool> {
    let next = dark(bytes, at + 1, is_all)?;
    let Some(key) = next.and_then(|next| bytes[next..].strip_prefix(b"\"")) else {
        return Some(false);
    };
    match key {
        [first, second, ..] => Some(first.is_ascii_alphabetic() && *second != b'"'),
        _ => is_all.then_some(false),
    }
}

/// What the bracket at the start opens.
fn opens(bytes: &[u8], is_all: bool) -> Option<Opens> {
    let byte = |at: Option<usize>| at.map(|at| bytes[at]);
    let first = dark(bytes, 1, is_all)?;
    Some(match (first, byte(first)) {
        (_, Some(b']')) => Opens::List,
        (Some(at), Some(b'{')) if begins_object(bytes, at, is_all)? => Opens::List,
        (Some(at), Some(b'[')) => {
            let second = dark(bytes, at + 1, is_all)?;
            match (second, byte(second)) {
                (_, Some(b'[')) => Opens::List,
                (Some(at), Some(b'{')) if is_object(bytes, at, is_all)? => Opens::List,
                (Some(at), Some(b'"')) if string(bytes, at, is_all)? >= ROW => Opens::List,
                _ => Opens::Board,
            }
        }
        (Some(at), Some(b'"')) => match string(bytes, at, is_all)? {
            ..ROW => Opens::Row,
            ROW..WHOLE => Opens::Strings,
            WHOLE.. => Opens::List,
        },
        _ => Opens::Row,
    })
}

/// Behind the bracket of the list of puzzles that is the first value of several parts in the object
/// at the start of `bytes`, or in objects within it; an inner `None` if there is none.
fn list_inside(bytes: &[u8], is_all: bool) -> Option<Option<usize>> {
    let is_all = is_all || bytes.len() >= AROUND;
    let bytes = &bytes[..bytes.len().min(AROUND)];
    let mut at = 1;
    for _ in 0..MOST {
        // A key, its colon, and the start of its value.
        let Some(key) = dark(bytes, at, is_all)?.filter(|key| bytes[*key] == b'"') else { break };
        let Some((end, b'"')) = string_end(bytes, key + 1) else {
            return is_all.then_some(None);
        };
        let Some(colon) = dark(bytes, end + 1, is_all)?.filter(|colon| bytes[*colon] == b':')
        else {
            break;
        };
        let Some(value) = dark(bytes, colon + 1, is_all)? else { break };
        match bytes[value] {
            b'[' => {
                let is_solution = is_solution(&bytes[key + 1..end]);
                let is_list = opens(&bytes[value..], is_all)? == Opens::List
                    && dark(bytes, value + 1, is_all)?.is_some_and(|first| {
                        !matches!(bytes[first..], [b']', ..] | [b'{', b'}', ..])
                    });
                return Some((is_list && !is_solution).then_some(value + 1));
            }
            b'{' => at = value + 1,
            _ => {
                let Some(end) = scalar_end(bytes, value, is_all)? else { break };
                match dark(bytes, end, is_all)? {
                    Some(comma) if bytes[comma] == b',' => at = comma + 1,
                    _ => break,
                }
            }
        }
    }
    Some(None)
}

/// The end of the string, number or word at `at`; an inner `None` if it is not there.
fn scalar_end(bytes: &[u8], at: usize, is_all: bool) -> Option<Option<usize>> {
    let end = if bytes[at] == b'"' {
        match string_end(bytes, at + 1) {
            Some((end, b'"')) => Some(end + 1),
            Some(_) => return Some(None),
            None => None,
        }
    } else {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        bytes[at..].iter().position(|byte| !is_part(byte)).map(|length| at + length)
    };
    if end.is_none() && !is_all { None } else { Some(end) }
}

/// Whether a key is that of solutions.
fn is_solution(key: &[u8]) -> bool {
    let key = key.trim_ascii();
    SOLUTION.iter().any(|name| key.eq_ignore_ascii_case(name.as_bytes()))
}

/// The end of a key outside of an object, as it follows a list of puzzles in one. Such a key with
/// its value is a stray, such as solutions; only the key, where more puzzles may follow it.
fn entry(all: &[u8], is_all: bool) -> Option<Option<(usize, Kind)>> {
    let is_near = is_all || all.len() >= AROUND;
    let bytes = &all[..all.len().min(AROUND)];
    let Some(key) = scalar_end(bytes, 0, is_near)?.filter(|end| *end <= WHOLE) else {
        return Some(None);
    };
    let Some(colon) = dark(bytes, key, is_near)?.filter(|colon| bytes[*colon] == b':') else {
        return Some(None);
    };
    let Some(value) = dark(bytes, colon + 1, is_near)? else { return Some(None) };
    if bytes[value] == b'[' && is_solution(&bytes[1..key - 1]) {
        // Solutions without an end within reach are read, with a warning.
        let end = object(&all[value..], is_all)?;
        return Some(Some((value + end.unwrap_or(0), Kind::Stray)));
    }
    if matches!(bytes[value], b'[' | b'{') {
        return Some(Some((value, Kind::Skip)));
    }
    let end = scalar_end(bytes, value, is_near)?.filter(|end| end - value < WHOLE);
    Some(Some(end.map_or((value, Kind::Skip), |end| (end.max(value + 1), Kind::Stray))))
}

/// The length of the string that begins at `at`, as far as it matters.
fn string(bytes: &[u8], at: usize, is_all: bool) -> Option<usize> {
    let rest = &bytes[at + 1..];
    match memchr2(b'"', b'\n', &rest[..rest.len().min(WHOLE)]) {
        Some(end) => Some(end),
        None => (is_all || rest.len() >= WHOLE).then_some(rest.len().min(WHOLE)),
    }
}

/// The end of the array at the start of `bytes`; an inner `None` if it is not there.
fn array(bytes: &[u8], opens: Opens, is_all: bool) -> Option<Option<usize>> {
    let mut depth = if opens == Opens::Row { 2 } else { 1 };
    let mut rows = 0;
    let mut at = 1;
    while let Some(offset) = memchr3(b'[', b']', b'{', &bytes[at..]) {
        at += offset;
        match bytes[at] {
            b']' if depth == 1 => return Some(Some(at + 1)),
            b']' => depth = 1,
            b'[' if opens != Opens::Strings => {
                rows += 1;
                // Two brackets at once begin another board, but for those at the very start.
                let next = dark(bytes, at + 1, is_all)?;
                if rows > MOST || next.is_some_and(|next| bytes[next] == b'[') {
                    return Some(Some(at));
                }
                // A row that begins before the last one has ended is one level deep as well.
                depth = 2;
            }
            b'{' if !is_object(bytes, at, is_all)? => {}
            _ => return Some(Some(at)),
        }
        at += 1;
    }
    is_all.then_some(None)
}

/// The end of the object at the start of `bytes`; an inner `None` if it is not there.
fn object(bytes: &[u8], is_all: bool) -> Option<Option<usize>> {
    let mut depth = 0;
    let mut before = b':';
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => match string_end(bytes, at + 1) {
                // A string does not go beyond its line.
                Some((end, b'\n')) => return Some(Some(end + 1)),
                // One that ends with a brace is what stands between two objects, so that a
                // quote is lost.
                Some((end, _)) if end > at + 1 && bytes[end - 1] == b'{' => {
                    return Some(Some(end - 1));
                }
                Some((end, _)) => at = end,
                None => break,
            },
            // Outside of a string, it tells that a quote is lost or too many, and where strings are is
            // not certain any more.
            b'\\' => {
                let end = memchr2(b'\n', b'{', &bytes[at..]);
                return match end {
                    Some(end) => Some(Some(at + end)),
                    None => is_all.then_some(Some(bytes.len())),
                };
            }
            // Where no value can stand, the object of the next puzzle begins.
            b'{' if !(before == b':' || depth > 1 && b",[".contains(&before)) => {
                return Some(Some(at));
            }
            b'{' | b'[' if depth == MOST => return Some(Some(at)),
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 1 => return Some(Some(at + 1)),
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            before = byte;
        }
        at += 1;
    }
    is_all.then_some(None)
}

/// The place of the quote that closes a string, or of the line end before it.
fn string_end(bytes: &[u8], mut at: usize) -> Option<(usize, u8)> {
    loop {
        at += memchr3(b'"', b'\\', b'\n', &bytes[at..])?;
        if bytes[at] != b'\\' {
            return Some((at, bytes[at]));
        }
        at += 2;
        if at > bytes.len() {
            return None;
        }
    }
}
