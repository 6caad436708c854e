//! OpenSudoku: XML in which every `<game data="…">` is a puzzle.

use super::block::{BlockError, grid_of};
use crate::dataset::layout::RowError;
use crate::dataset::record::{Hidden, Kind, MAX_RECORD, Markup, Record, Rows, excerpt, in_reach};
use crate::grid::{CELLS, Grid};
use memchr::{memchr, memmem};
use quick_xml::XmlVersion;
use quick_xml::events::BytesStart;

/// Puzzles in tags. What else stands in the file is no row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dataset) struct OpenSudoku;

/// Markup whose inside is not to be looked into, by its start and its end.
static OPAQUE: [Markup; 3] = [
    Markup { start: b"<!--", end: b"-->" },
    Markup { start: b"<![CDATA[", end: b"]]>" },
    Markup { start: b"<?", end: b"?>" },
];

impl OpenSudoku {
    /// Whether a file that begins with `bytes` is XML of this kind. A page that a server sent
    /// instead of a file is not.
    pub(in crate::dataset) fn fits(bytes: &[u8]) -> bool {
        let text = bytes.trim_ascii_start();
        [&b"<?xml"[..], b"<!--", b"<opensudoku", b"<game"]
            .iter()
            .any(|start| text.starts_with(start))
    }
}

impl Rows for OpenSudoku {
    fn next(&self, bytes: &[u8], at_end: bool) -> Option<Record> {
        let (bytes, at_end) = in_reach(bytes, at_end);
        if bytes[0] != b'<' {
            return match memchr(b'<', bytes) {
                Some(end) => Some(text(bytes, end)),
                // Text can be cut anywhere.
                None if bytes.len() > MAX_RECORD => Some(text(bytes, MAX_RECORD)),
                None => at_end.then(|| text(bytes, bytes.len())),
            };
        }
        for markup @ Markup { start, end } in &OPAQUE {
            if bytes.starts_with(start) {
                let found = memmem::find(&bytes[start.len()..], end);
                return match found {
                    Some(at) => Some(Record::part(Kind::Skip, start.len() + at + end.len())),
                    None if bytes.len() > MAX_RECORD => {
                        let start = Record::part(Kind::Skip, start.len());
                        Some(Record { hides: Some(Hidden::Markup(markup)), ..start })
                    }
                    // It hides the rest of the file, which is worth a word.
                    None => Record::unfinished(Kind::Stray, bytes, at_end),
                };
            }
            if start.starts_with(bytes) && !at_end {
                return None;
            }
        }
        let kind = if is_game(bytes) { Kind::Block } else { Kind::Skip };
        match tag_end(bytes) {
            Some(end) if kind == Kind::Block => Some(Record::part(kind, end)),
            Some(end) => Some(text(bytes, end)),
            None if kind == Kind::Block => Record::unfinished(kind, bytes, at_end),
            None => Record::unfinished(Kind::Stray, bytes, at_end),
        }
    }

    fn puzzle(&self, _kind: Kind, row: &[u8]) -> Result<Grid, RowError> {
        Ok(read(row)?)
    }
}

/// What is no game: text, or another tag. It is a stray when it seems to hold a puzzle.
fn text(bytes: &[u8], end: usize) -> Record {
    let is_stray = memmem::find(&bytes[..end], b"data=").is_some();
    Record::part(if is_stray { Kind::Stray } else { Kind::Skip }, end)
}

/// Whether a tag is that of a game, as far as it is there.
fn is_game(tag: &[u8]) -> bool {
    tag.strip_prefix(b"<game").is_some_and(|rest| {
        rest.first()
            .is_none_or(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'<'))
    })
}

/// Where a tag ends: behind its `>`, or before the next `<`, which no tag may hold, not even in
/// quotes.
fn tag_end(bytes: &[u8]) -> Option<usize> {
    let mut quote = None;
    for (at, &byte) in bytes.iter().enumerate().skip(1) {
        match byte {
            b'<' => return Some(at),
            b'>' if quote.is_none() => return Some(at + 1),
            b'"' | b'\'' if quote.is_none() => quote = Some(byte),
            _ if quote == Some(byte) => quote = None,
            _ => {}
        }
    }
    None
}

/// The puzzle in a `<game>` tag.
fn read(tag: &[u8]) -> Result<Grid, BlockError> {
    let broken = |reason: &str| BlockError::Tag { reason: reason.into() };
    let tag = str::from_utf8(tag).map_err(|_| broken("it is not UTF-8"))?;
    let inside = tag.strip_prefix('<').and_then(|tag| tag.strip_suffix('>'));
    let inside = inside.ok_or_else(|| broken("it does not end"))?;
    let inside = inside.strip_suffix('/').unwrap_or(inside);
    let mut data = None;
    let start = BytesStart::from_content(inside, "game".len());
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| broken(&error.to_string()))?;
        if attribute.key.as_ref() == "data" {
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            data = Some(value.map_err(|error| broken(&error.to_string()))?);
        }
    }
    let data = data.ok_or(BlockError::NoData)?;
    match data.trim_start().strip_prefix("version:") {
        Some(stored) => stored_givens(stored),
        None => grid_of(data.chars().filter(|character| !character.is_whitespace())),
    }
}

/// The givens of a game that was stored with its state: a version, and for each cell its value,
/// notes, and whether a player may change it, in fields that end with `|`.
fn stored_givens(stored: &str) -> Result<Grid, BlockError> {
    let stored = stored.trim_start();
    let (version, cells) = stored.split_once(char::is_whitespace).unwrap_or((stored, ""));
    let width = match version {
        "1" | "2" | "3" => 3,
        "4" => 4,
        "5" => 5,
        _ => return Err(BlockError::Version { version: excerpt(version) }),
    };
    // Version 2 doubled a `|`.
    let fields: Vec<&str> =
        cells.trim().split('|').map(str::trim).filter(|field| !field.is_empty()).collect();
    let given = |(index, cell): (usize, &[&str])| match (cell[0].as_bytes(), cell.get(width - 1)) {
        ([b'0'], Some(&("0" | "1"))) => Ok('.'),
        ([digit @ b'1'..=b'9'], Some(&"0")) => Ok(char::from(*digit)),
        ([b'1'..=b'9'], Some(&"1")) => Ok('.'),
        _ => Err(BlockError::StoredCell { cell: index + 1 }),
    };
    let cells = fields.chunks(width).take(CELLS + 1).enumerate().map(given);
    grid_of(cells.collect::<Result<Vec<char>, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str =
        "3..4..8.78172364..4.98.56...417...5.7.3.8..6.68.9.3174....2.7...3.547.822.4.985.3";

    fn reason(tag: &str) -> String {
        read(tag.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn a_tag_is_read_as_xml_wants_it() {
        let entities = PUZZLE.replacen('3', "&#51;", 1).replacen("..", "&#x2e;.", 1);
        let (first, last) = PUZZLE.split_at(40);
        for tag in [
            format!("<game data=\"{PUZZLE}\">"),
            format!("<game data='{PUZZLE}'/>"),
            format!("<game\n\ttime=\"0\" data = '{PUZZLE}' note=\"a > b\" />"),
            format!("<game data=\"{entities}\"/>"),
            format!("<game data=\"\n  {first}\n  {last}\n\"/>"),
        ] {
            assert_eq!(read(tag.as_bytes()).unwrap().to_string(), PUZZLE, "{tag}");
        }
    }

    #[test]
    fn a_stored_game_gives_its_givens_and_not_what_the_player_wrote() {
        let stored = |version: &str, notes: &str| {
            let cells: String = PUZZLE
                .chars()
                .enumerate()
                .map(|(index, cell)| match cell {
                    '.' => format!("{}|{notes}1|", index % 10),
                    given => format!("{given}|{notes}0|"),
                })
                .collect();
            format!("<game data=\"version: {version}&#10;{cells}\"/>")
        };
        for (version, notes) in [
            ("1", "1,5,|"),
            ("1", "-|"),
            ("2", "17||"),
            ("3", "0|"),
            ("4", "3|0|"),
            ("5", "3|0|7|"),
        ] {
            let tag = stored(version, notes);
            assert_eq!(read(tag.as_bytes()).unwrap().to_string(), PUZZLE, "{tag}");
        }
        assert!(reason(&stored("9", "0|")).contains("`version: 9`, which is not supported"));
        assert!(reason(&stored("4", "3|")).contains("is damaged"));
        let lost = stored("1", "-|").replacen("7|-|0|", "", 1);
        assert!(reason(&lost).contains("80 characters"));
    }

    #[test]
    fn a_damaged_tag_says_why() {
        assert!(reason("<game>").contains("no attribute `data`"));
        assert!(reason("<game dat='1'/>").contains("no attribute `data`"));
        assert!(reason("<game data=''/>").contains("empty"));
        assert!(reason("<game data='123'/>").contains("3 characters"));
        assert!(reason("<game data='1").contains("does not end"));
        assert!(reason("<game data=1/>").contains("not a valid XML tag"));
        assert!(reason("<game data='&nosuch;'/>").contains("not a valid XML tag"));
        assert!(reason("<game data='1' data='2'/>").contains("not a valid XML tag"));
    }

    #[test]
    fn only_games_are_rows() {
        fn cut(text: &str) -> Vec<(Kind, &str)> {
            let (mut at, mut found) = (0, Vec::new());
            while at < text.len() {
                let record = OpenSudoku.next(&text.as_bytes()[at..], true).unwrap();
                if record.kind != Kind::Skip {
                    found.push((record.kind, &text[at..at + record.len]));
                }
                at += record.consumed;
            }
            found
        }
        let hidden = "<?xml a='<game/>'?>\n<!-- <game data='1'/> --><![CDATA[<game>]]><games/>";
        assert_eq!(cut(hidden), []);
        assert_eq!(
            cut("<game a='>'></game><game data='1\n<game/><gane data='1'/> data='2' <game"),
            [
                (Kind::Block, "<game a='>'>"),
                (Kind::Block, "<game data='1\n"),
                (Kind::Block, "<game/>"),
                (Kind::Stray, "<gane data='1'/>"),
                (Kind::Stray, " data='2' "),
                (Kind::Block, "<game"),
            ]
        );
    }
}
