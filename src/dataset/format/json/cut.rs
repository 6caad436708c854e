//! Where a board, or an object that holds one, ends.
//!
//! Arrays are cut by their brackets alone: no string of a board holds one, while a quote may be
//! lost. A board that breaks off ends where the next one or an object begins.

use crate::dataset::format::block::is_like_grid;
use crate::dataset::format::csv::SOLUTION;
use crate::dataset::record::{Hidden, Kind, MAX_RECORD, Record};
use memchr::{memchr, memchr2, memchr3};

/// A string so long in the place of a cell is a row of cells.
const ROW: usize = 6;

/// A string so long in the place of a row is none, be it a grid or a text.
const BEYOND_ROW: usize = 30;

/// A longer string is no grid.
const LONGEST: usize = 300;

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
            Some(Record::part(Kind::Skip, end))
        }
        b'[' => {
            let opens = opens(bytes, is_all)?;
            if opens == Opens::List {
                return Some(Record::part(Kind::Skip, 1));
            }
            block(bytes, array(bytes, opens, is_all)?, at_end, b"[[")
        }
        b'{' if !begins_object(bytes, 0, is_all)? => Some(Record::part(Kind::Stray, 1)),
        b'{' => {
            let around = around(bytes, is_all)?;
            let end = object(bytes, is_all)?;
            let object = end.map(|end| &bytes[..end]);
            // To know it the object is read as a whole, and few lead to a list.
            let is_puzzle = || object.is_some_and(|it| it.ends_with(b"}") && is_puzzle(it));
            match around {
                Some(around) if !is_puzzle() => Some(around),
                _ => block(bytes, end, at_end, b"{"),
            }
        }
        b'"' if let Some(entry) = entry(bytes, is_all)? => Some(entry),
        // Without its closing quote a string ends with its line, or before an object.
        b'"' => match memchr3(b'"', b'\n', b'{', &bytes[1..]) {
            Some(end) if bytes[end + 1] == b'{' => Some(Record::part(Kind::Block, end + 1)),
            Some(end) => Some(Record::part(Kind::Block, end + 2)),
            None => Record::unfinished(Kind::Block, bytes, at_end),
        },
        byte if byte.is_ascii_alphabetic() => words(bytes, at_end),
        _ => {
            let is_next = |byte: &u8| is_between(*byte) || b"[{\"".contains(byte);
            match bytes.iter().position(is_next) {
                Some(end) => Some(Record::part(Kind::Stray, end)),
                None => Record::unfinished(Kind::Stray, bytes, at_end),
            }
        }
    }
}

/// Whether a byte stands between puzzles.
fn is_between(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b',' | b']' | b'}')
}

/// What ends with the bracket before `len`, whose content is not to be read.
fn hiding(kind: Kind, len: usize) -> Record {
    Record { hides: Some(Hidden::BRACKET), ..Record::part(kind, len) }
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
            Some(Record { consumed: end, ..Record::part(Kind::Block, len) })
        }
        None => Record::unfinished(Kind::Block, bytes, at_end),
    }
}

/// What stands behind the white space and the labels with which a text begins, such as `Input: board
/// =`; these only if they have an array behind them.
pub(super) fn behind_labels(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_start();
    let mut rest = text;
    loop {
        let (words, behind) = rest.split_at(words_end(rest).unwrap_or(rest.len()));
        match rest {
            [b'[', ..] => return rest,
            _ if is_labels(words) => rest = behind.trim_ascii_start(),
            _ => return text,
        }
    }
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

/// Whether one of these labels ends with a word for what is no puzzle.
fn is_output(labels: &[u8]) -> bool {
    labels.split(|byte| b":=".contains(byte)).any(|label| {
        let word = label.trim_ascii().rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
        is_solution(word)
            || [&b"output"[..], b"expected"].iter().any(|it| word.eq_ignore_ascii_case(it))
    })
}

/// Words outside of JSON: labels above others, the labels of a board, or a line of text. The board
/// behind the label of an output is no puzzle.
fn words(bytes: &[u8], at_end: bool) -> Option<Record> {
    let is_all = at_end || bytes.len() > MAX_RECORD;
    let Some(end) = words_end(bytes) else {
        return Record::unfinished(Kind::Stray, bytes, at_end);
    };
    let labels = &bytes[..end];
    let Some(start) = dark(bytes, end, is_all)?.filter(|_| is_labels(labels)) else {
        return Some(Record::part(Kind::Stray, end));
    };
    let rest = &bytes[start..];
    if rest[0] != b'[' {
        let end = words_end(rest).or(is_all.then_some(rest.len()))?;
        let kind = if is_labels(&rest[..end]) { Kind::Skip } else { Kind::Stray };
        return Some(Record::part(kind, start));
    }
    if !is_output(labels) {
        return Some(Record::part(Kind::Skip, start));
    }
    // The end of a board is certain even where it breaks off.
    let opens = opens(rest, is_all)?;
    let end = if opens == Opens::List { None } else { array(rest, opens, is_all)? };
    Some(match end {
        Some(end) => Record::part(Kind::Skip, start + end),
        None => hiding(Kind::Skip, start + 1),
    })
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
            ROW..BEYOND_ROW => Opens::Strings,
            BEYOND_ROW.. => Opens::List,
        },
        _ => Opens::Row,
    })
}

/// Whether an array is a list of puzzles.
pub(super) fn is_list(array: &[u8]) -> bool {
    array.starts_with(b"[") && opens_list(array, true) == Some(true)
}

/// Whether the bracket at the start opens a list whose first value is a puzzle.
fn opens_list(bytes: &[u8], is_all: bool) -> Option<bool> {
    if opens(bytes, is_all)? != Opens::List {
        return Some(false);
    }
    let Some(first) = dark(bytes, 1, is_all)? else { return Some(false) };
    match bytes[first..] {
        [b']', ..] | [b'{', b'}', ..] => Some(false),
        [b'"', ..] => is_grid(bytes, first, is_all),
        _ => Some(true),
    }
}

/// Whether the value at `at` is a string that must have been meant as a grid.
fn is_grid(bytes: &[u8], at: usize, is_all: bool) -> Option<bool> {
    let Some(text) = bytes[at..].strip_prefix(b"\"") else { return Some(false) };
    let near = &text[..text.len().min(LONGEST)];
    match string_end(near, 0) {
        Some((end, _)) => Some(is_like_grid(&near[..end])),
        None => (is_all || near.len() < text.len()).then_some(false),
    }
}

/// The start of an object around a list of puzzles, which is the first value of several parts in it,
/// or in objects within it: up to a grid before the list, else to the list, or to solutions, which
/// are hidden. An inner `None` if there is no such list.
fn around(bytes: &[u8], is_all: bool) -> Option<Option<Record>> {
    let is_all = is_all || bytes.len() >= AROUND;
    let bytes = &bytes[..bytes.len().min(AROUND)];
    let mut grid = None;
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
        let is_solution = is_solution(&bytes[key + 1..end]);
        match bytes[value] {
            b'[' => {
                let is_list = opens_list(&bytes[value..], is_all)?;
                return Some(is_list.then(|| match grid {
                    Some(grid) => Record::part(Kind::Skip, grid),
                    None if is_solution => hiding(Kind::Stray, value + 1),
                    None => Record::part(Kind::Skip, value + 1),
                }));
            }
            b'{' => at = value + 1,
            _ => {
                if !is_solution && is_grid(bytes, value, is_all)? {
                    grid = grid.or(Some(value));
                }
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

/// A key outside of an object, as it follows a list of puzzles in one. With its value it is a stray;
/// only the key is passed over where puzzles may follow it. Solutions are hidden.
fn entry(bytes: &[u8], is_all: bool) -> Option<Option<Record>> {
    let is_all = is_all || bytes.len() >= AROUND;
    let bytes = &bytes[..bytes.len().min(AROUND)];
    if is_grid(bytes, 0, is_all)? {
        return Some(None);
    }
    let Some(key) = scalar_end(bytes, 0, is_all)? else { return Some(None) };
    let Some(colon) = dark(bytes, key, is_all)?.filter(|colon| bytes[*colon] == b':') else {
        return Some(None);
    };
    let Some(value) = dark(bytes, colon + 1, is_all)? else { return Some(None) };
    let is_solution = is_solution(&bytes[1..key - 1]);
    let is_parts = matches!(bytes[value], b'[' | b'{');
    if is_parts && is_solution {
        return Some(Some(hiding(Kind::Stray, value + 1)));
    }
    if is_parts || !is_solution && is_grid(bytes, value, is_all)? {
        return Some(Some(Record::part(Kind::Skip, value)));
    }
    let end = scalar_end(bytes, value, is_all)?;
    Some(Some(match end {
        Some(end) => Record::part(Kind::Stray, end.max(value + 1)),
        None => Record::part(Kind::Skip, value),
    }))
}

/// The length of the string that begins at `at`, as far as it matters.
fn string(bytes: &[u8], at: usize, is_all: bool) -> Option<usize> {
    let rest = &bytes[at + 1..];
    match memchr2(b'"', b'\n', &rest[..rest.len().min(BEYOND_ROW)]) {
        Some(end) => Some(end),
        None => (is_all || rest.len() >= BEYOND_ROW).then_some(rest.len().min(BEYOND_ROW)),
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
