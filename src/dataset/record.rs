//! A record: what stands between two places at which a file may be cut.

use super::RowError;
use crate::grid::Grid;
use memchr::{memchr, memchr_iter, memmem};

/// A longer record is cut off: no puzzle needs it, and memory must not follow the input.
pub(super) const MAX_RECORD: usize = 64 * 1024;

/// Lines from which a layout is guessed, blank ones and comments not counted.
pub(super) const HEAD_LINES: usize = 100;

/// Bytes from which a layout is guessed, if there are fewer such lines in them.
const HEAD_BYTES: usize = 256 * 1024;

/// What a record is, and how it can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// No row: a blank line, a comment, a title, a header.
    Skip,
    /// No row, but something a user would expect to be one, such as a title without a grid.
    Stray,
    /// One line without a quote.
    Plain,
    /// At least one quote: RFC 4180 rules apply.
    Quoted,
    /// The start of a quoted field that never ends; the next line is a record of its own.
    OpenQuote,
    /// A puzzle of several lines, or of part of one.
    Block,
    /// The first [`MAX_RECORD`] bytes of a longer line, whose rest is no record.
    Overlong,
}

/// What is not to be looked into, and may end further on than a record may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hidden {
    /// The rest of a line.
    Line,
    /// The inside of markup.
    Markup(&'static Markup),
    /// What so many open brackets hold, outside of a string or inside one.
    Brackets { depth: usize, is_string: bool },
}

/// Markup by its start and its end.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Markup {
    pub(super) start: &'static [u8],
    pub(super) end: &'static [u8],
}

impl Hidden {
    /// What is behind one opening bracket.
    pub(super) const BRACKET: Hidden = Hidden::Brackets { depth: 1, is_string: false };

    /// How much of `bytes` is hidden, and what hides the bytes behind them, if the end is not there.
    pub(super) fn pass(self, bytes: &[u8]) -> (usize, Option<Self>) {
        match self {
            Hidden::Line => self.until(b"\n", bytes),
            Hidden::Markup(markup) => self.until(markup.end, bytes),
            Hidden::Brackets { depth, is_string } => brackets(depth, is_string, bytes),
        }
    }

    fn until(self, end: &[u8], bytes: &[u8]) -> (usize, Option<Self>) {
        match memmem::find(bytes, end) {
            Some(at) => (at + end.len(), None),
            // The end may begin with the last bytes.
            None => (bytes.len().saturating_sub(end.len() - 1), Some(self)),
        }
    }

    /// How it began, where it is worth a word that it hides the rest of a file.
    pub(super) fn start(self) -> Option<&'static [u8]> {
        match self {
            Hidden::Line => None,
            Hidden::Markup(markup) => Some(markup.start),
            Hidden::Brackets { .. } => Some(b"["),
        }
    }
}

/// Passes over open brackets. A string does not go beyond its line, so that a lost quote does not
/// hide more than that.
fn brackets(mut depth: usize, mut is_string: bool, bytes: &[u8]) -> (usize, Option<Hidden>) {
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' => is_string = false,
            b'"' => is_string = !is_string,
            b'\\' if is_string => match bytes.get(at + 1) {
                Some(b'"' | b'\\') => at += 1,
                Some(_) => {}
                None => break,
            },
            _ if is_string => {}
            b'[' | b'{' => depth += 1,
            b']' | b'}' if depth == 1 => return (at + 1, None),
            b']' | b'}' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    (at, Some(Hidden::Brackets { depth, is_string }))
}

/// A record at the start of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) kind: Kind,
    /// Length without the line end.
    pub(super) len: usize,
    /// Length with the line end (`\n`; a `\r` before it belongs to `len`).
    pub(super) consumed: usize,
    /// What hides the bytes behind it.
    pub(super) hides: Option<Hidden>,
}

impl Record {
    /// A line of `len` bytes and its line end.
    pub(super) fn line(kind: Kind, len: usize) -> Self {
        Record { kind, len, consumed: len + 1, hides: None }
    }

    /// A record of `len` bytes, with nothing behind it that belongs to it.
    pub(super) fn part(kind: Kind, len: usize) -> Self {
        Record { kind, len, consumed: len, hides: None }
    }

    /// A record whose end is not in `bytes`, all of which it is as far as they are read: the rest
    /// of the input when it is `at_end`, and the start of a line when that is too long; else it
    /// takes more bytes to know.
    pub(super) fn unfinished(kind: Kind, bytes: &[u8], at_end: bool) -> Option<Self> {
        if bytes.len() > MAX_RECORD {
            let start = Record::part(Kind::Overlong, MAX_RECORD);
            Some(Record { hides: Some(Hidden::Line), ..start })
        } else {
            at_end.then(|| Record::part(kind, bytes.len()))
        }
    }

    /// Line ends in the record, which stands at the start of `bytes`.
    pub(super) fn lines(&self, bytes: &[u8]) -> u64 {
        match self.kind {
            Kind::Plain | Kind::OpenQuote => 1,
            _ => memchr_iter(b'\n', &bytes[..self.consumed]).count() as u64,
        }
    }
}

/// The bytes of an input on which a record may depend, and whether the input ends with them. What
/// lies further on decides nothing, so that a cut does not depend on how much was read.
pub(super) fn in_reach(bytes: &[u8], at_end: bool) -> (&[u8], bool) {
    match bytes.get(..=MAX_RECORD) {
        Some(start) => (start, false),
        None => (bytes, at_end),
    }
}

/// The first lines of an input that begins with `bytes`, on which its layout depends. When it is
/// shorter than `bytes`, it will be the same however much more is read.
pub(super) fn head(bytes: &[u8]) -> &[u8] {
    let (mut at, mut lines) = (0, 0);
    for end in memchr_iter(b'\n', &bytes[..bytes.len().min(HEAD_BYTES)]) {
        let line = &bytes[at..end];
        lines += usize::from(!is_blank(line) && line[0] != b'#');
        at = end + 1;
        if lines == HEAD_LINES {
            return &bytes[..at];
        }
    }
    &bytes[..bytes.len().min(HEAD_BYTES)]
}

/// A record without the carriage return that a CRLF line end leaves.
pub(super) fn line_of(record: &[u8]) -> &[u8] {
    record.strip_suffix(b"\r").unwrap_or(record)
}

/// Whether a line holds nothing but white space.
pub(super) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

/// Where the quoted field ends whose quote opens just before `at`: behind the quote that closes it,
/// since a doubled one stands for a quote. `None` when it is not closed.
pub(super) fn quoted_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr(b'"', &bytes[at..])? + 1;
        if bytes.get(at) != Some(&b'"') {
            return Some(at);
        }
        at += 1;
    }
}

/// A text as an error message shows it: short, in back quotes.
pub(super) fn quote(text: &[u8]) -> String {
    // No character has more than four bytes.
    let start = String::from_utf8_lossy(&text[..text.len().min(4 * SHOWN + 4)]);
    format!("`{}`", excerpt(&start))
}

/// The start of a text, as an error message shows it.
pub(super) fn excerpt(text: &str) -> String {
    let (text, more) = match text.char_indices().nth(SHOWN) {
        Some((end, _)) => (&text[..end], "…"),
        None => (text, ""),
    };
    // Whatever stands in a file is not to give orders to a terminal.
    text.replace(char::is_control, "\u{fffd}") + more
}

/// Characters of a text that [`excerpt`] shows.
const SHOWN: usize = 24;

/// A record that [`Rows`] found, with its physical line, counted from 1.
pub(super) struct Sample<'a> {
    pub(super) line: u64,
    pub(super) kind: Kind,
    pub(super) bytes: &'a [u8],
}

/// How the rows of a kind of file are found and read. Every method looks at the bytes it is given
/// and nothing else, so that rows can be cut from any place between two records.
pub(super) trait Rows {
    /// The record at the start of `bytes`, which is not empty. `None`: it goes on beyond them, and
    /// they are neither the end of the input nor too long.
    fn next(&self, bytes: &[u8], at_end: bool) -> Option<Record>;

    /// The puzzle of a row that `next` has found. `kind` is neither of those that are no row, nor
    /// one that was cut off.
    fn puzzle(&self, kind: Kind, row: &[u8]) -> Result<Grid, RowError>;

    /// The solution beside it; `None` where none belongs to a row, and an inner `None` where it is
    /// missing.
    fn solution(&self, kind: Kind, row: &[u8]) -> Option<Result<Option<Grid>, RowError>> {
        let _ = (kind, row);
        None
    }
}

/// The first rows, at most `count`, of an input that begins with `bytes`.
pub(super) fn samples<'a>(
    rows: &(impl Rows + ?Sized),
    bytes: &'a [u8],
    at_end: bool,
    count: usize,
) -> Vec<Sample<'a>> {
    let mut samples = Vec::new();
    let (mut at, mut line) = (0, 1);
    while samples.len() < count && at < bytes.len() {
        let rest = &bytes[at..];
        let Some(record) = rows.next(rest, at_end) else { break };
        if !matches!(record.kind, Kind::Skip | Kind::Stray) {
            samples.push(Sample { line, kind: record.kind, bytes: &rest[..record.len] });
        }
        line += record.lines(rest);
        at += record.consumed;
        if let Some(hidden) = record.hides {
            let (length, left) = hidden.pass(&bytes[at..]);
            if left.is_some() {
                break;
            }
            line += memchr_iter(b'\n', &bytes[at..at + length]).count() as u64;
            at += length;
        }
    }
    samples
}
