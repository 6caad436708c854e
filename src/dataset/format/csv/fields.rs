//! The fields of a record.

use crate::dataset::record::{Kind, line_of};
use memchr::memchr_iter;
use std::cell::RefCell;

/// The field at `index` of a line without quotes; when there is none, how many there are.
pub(super) fn nth_field(line: &[u8], index: usize, delimiter: u8) -> Result<&[u8], usize> {
    let mut start = 0;
    let mut seen = 0;
    for end in memchr_iter(delimiter, line) {
        if seen == index {
            return Ok(&line[start..end]);
        }
        seen += 1;
        start = end + 1;
    }
    if seen == index { Ok(&line[start..]) } else { Err(seen + 1) }
}

/// All fields of a record, without quotes.
pub(super) fn fields(kind: Kind, record: &[u8], delimiter: u8) -> Vec<Vec<u8>> {
    let line = line_of(record);
    match kind {
        Kind::Quoted => {
            let fields = Unquoted::new(line, delimiter);
            (0..fields.len()).filter_map(|index| Some(fields.get(index)?.to_vec())).collect()
        }
        _ => line.split(|&byte| byte == delimiter).map(<[u8]>::to_vec).collect(),
    }
}

thread_local! {
    /// Each worker's parser of RFC 4180 records and its delimiter, since building one takes longer
    /// than solving most puzzles. (A clone of one, in csv-core 0.1.13, finds no fields.)
    static PARSER: RefCell<(u8, csv_core::Reader)> = RefCell::new((b',', parser(b',')));
}

fn parser(delimiter: u8) -> csv_core::Reader {
    csv_core::ReaderBuilder::new()
        .delimiter(delimiter)
        .terminator(csv_core::Terminator::Any(b'\n'))
        .build()
}

/// The fields of a line with quotes.
pub(super) struct Unquoted {
    /// All fields, one behind the other.
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl Unquoted {
    pub(super) fn new(line: &[u8], delimiter: u8) -> Self {
        let mut text = vec![0; line.len()];
        let mut ends = vec![0; memchr_iter(delimiter, line).count() + 2];
        let (_, _, written, complete) = PARSER.with_borrow_mut(|(its, parser)| {
            if *its != delimiter {
                (*its, *parser) = (delimiter, self::parser(delimiter));
            }
            parser.reset();
            parser.read_record(line, &mut text, &mut ends)
        });
        // The last field ends with the input, not with a terminator.
        ends[complete] = written;
        ends.truncate(complete + 1);
        Unquoted { text, ends }
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The field at `index`.
    pub(super) fn get(&self, index: usize) -> Option<&[u8]> {
        let end = *self.ends.get(index)?;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        Some(&self.text[start..end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_lose_their_quotes() {
        let read = |kind, text: &str| fields(kind, text.as_bytes(), b',');
        assert_eq!(read(Kind::Quoted, "\"a\"\"b\",\"\",c\r"), [&b"a\"b"[..], b"", b"c"]);
        assert_eq!(read(Kind::Quoted, "\"a\nb\","), [&b"a\nb"[..], b""]);
        assert_eq!(read(Kind::Quoted, "\"\""), [b""]);
        assert_eq!(read(Kind::Plain, " a ,"), [&b" a "[..], b""]);
    }
}
