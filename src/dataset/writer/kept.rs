//! The records of a file, kept as they are, with columns behind them.

use crate::dataset::Columns;
use crate::dataset::record::{line_of, quoted_end};
use memchr::memchr;

/// What a record must look like so that columns behind it stand below their names.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) delimiter: u8,
    /// The header of the file, made a record of its own, if there is one.
    header: Option<Vec<u8>>,
    /// Fields of the header; without one, those up to the last column that is read.
    fields: usize,
}

impl Kept {
    pub(super) fn new(columns: &Columns) -> Self {
        let delimiter = columns.delimiter;
        let known = columns.puzzle.max(columns.solution.unwrap_or(0)) + 1;
        let mut kept = Kept { delimiter, header: None, fields: 0 };
        let (mut header, mut fields) = (Vec::new(), known);
        if let Some(line) = columns.header {
            kept.record(line, &mut header);
            fields = count_fields(&header, delimiter).unwrap_or(1);
            kept.header = Some(header);
        }
        Kept { fields, ..kept }
    }

    /// Appends the header with `names` behind it, if the file has one. A name that is there
    /// already, in whatever case, gets the ending `_found`.
    pub(super) fn header(&self, names: &[&str], out: &mut Vec<u8>) {
        let Some(header) = &self.header else { return };
        let mut taken: Vec<String> = csv::ReaderBuilder::new()
            .delimiter(self.delimiter)
            .has_headers(false)
            .from_reader(header.as_slice())
            .byte_records()
            .flatten()
            .flat_map(|record| record.iter().map(lower).collect::<Vec<_>>())
            .collect();
        out.extend_from_slice(header);
        for name in names {
            let mut name = (*name).to_owned();
            while taken.contains(&name) {
                name += "_found";
            }
            out.push(self.delimiter);
            out.extend_from_slice(name.as_bytes());
            taken.push(name);
        }
        out.push(b'\n');
    }

    /// Appends a row of the file, without its line end and with as many fields as the header has
    /// if it has fewer. A quoted field that is not closed would swallow what comes behind: then
    /// the whole row becomes one quoted field.
    pub(super) fn record(&self, row: &[u8], out: &mut Vec<u8>) {
        let row = line_of(row);
        let fields = match count_fields(row, self.delimiter) {
            Some(fields) => {
                out.extend_from_slice(row);
                fields
            }
            None => {
                quote(row, out);
                1
            }
        };
        out.extend(std::iter::repeat_n(self.delimiter, self.fields.saturating_sub(fields)));
    }
}

/// A column name as names are compared.
fn lower(name: &[u8]) -> String {
    String::from_utf8_lossy(name).trim().to_lowercase()
}

/// Appends `text` as one quoted field.
fn quote(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for &byte in text {
        out.push(byte);
        if byte == b'"' {
            out.push(b'"');
        }
    }
    out.push(b'"');
}

/// Number of fields of a record; `None` when a quoted one of them is not closed. A field is quoted
/// when it begins with a quote.
fn count_fields(record: &[u8], delimiter: u8) -> Option<usize> {
    let (mut at, mut fields) = (0, 1);
    loop {
        if record.get(at) == Some(&b'"') {
            at = quoted_end(record, at + 1)?;
        }
        match memchr(delimiter, &record[at..]) {
            Some(end) => at += end + 1,
            None => return Some(fields),
        }
        fields += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(delimiter: u8, header: Option<&'static str>) -> Kept {
        let header = header.map(str::as_bytes);
        Kept::new(&Columns { delimiter, header, puzzle: 1, solution: None })
    }

    fn record(kept: &Kept, row: &str) -> String {
        let mut out = Vec::new();
        kept.record(row.as_bytes(), &mut out);
        String::from_utf8(out).unwrap()
    }

    fn header(kept: &Kept) -> String {
        let mut out = Vec::new();
        kept.header(&["solution", "nodes"], &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_name_that_is_taken_gets_an_ending_until_it_is_free() {
        assert_eq!(header(&kept(b',', Some("id,puzzle"))), "id,puzzle,solution,nodes\n");
        assert_eq!(
            header(&kept(b';', Some("puzzle; \"Solution\" ;solution_found"))),
            "puzzle; \"Solution\" ;solution_found;solution;nodes\n",
            "a quote behind a space is part of the name"
        );
        assert_eq!(
            header(&kept(b';', Some("puzzle; SOLUTION ;\"solution_found\""))),
            "puzzle; SOLUTION ;\"solution_found\";solution_found_found;nodes\n"
        );
        assert_eq!(header(&kept(b',', None)), "");
    }

    #[test]
    fn a_short_record_is_filled_up_and_a_long_one_is_kept() {
        let three = kept(b',', Some("id,puzzle,\"no,te\""));
        assert_eq!(record(&three, "1"), "1,,");
        assert_eq!(record(&three, "\"1,\"\"\n\",2\r"), "\"1,\"\"\n\",2,");
        assert_eq!(record(&three, "1,2,3"), "1,2,3");
        assert_eq!(record(&three, "1,2,3,4"), "1,2,3,4");
        assert_eq!(record(&kept(b'\t', None), "1,2"), "1,2\t", "the puzzle is in column 2");
    }

    #[test]
    fn a_field_that_is_not_closed_swallows_nothing_behind_it() {
        let two = kept(b',', Some("id,puzzle"));
        assert_eq!(record(&two, "\"a,b\r"), "\"\"\"a,b\",");
        assert_eq!(record(&two, "a,\"b\"\"\""), "a,\"b\"\"\"");
        assert_eq!(record(&two, "a,\"b\"\""), "\"a,\"\"b\"\"\"\"\",");
        assert_eq!(record(&two, "5\" disk,b"), "5\" disk,b");
    }
}
