//! JSON: boards as arrays of nine arrays, or objects that hold a board or a grid's 81 characters;
//! one, a list of them, or one a line.

mod cut;

use super::block::{BlockError, grid_of_rows, is_cell};
use super::csv::{PUZZLE, SOLUTION};
use crate::dataset::layout::{Column, Hints, RowError};
use crate::dataset::record::{Kind, Record, Rows, excerpt, in_reach, quote};
use crate::grid::Grid;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use std::fmt;

/// Which keys of an object hold puzzle and solution, where the user names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::dataset) struct Json {
    puzzle: Option<String>,
    solution: Option<String>,
}

impl Json {
    /// Whether a file that begins with `bytes` is JSON.
    pub(in crate::dataset) fn fits(bytes: &[u8]) -> bool {
        match cut::behind_labels(bytes) {
            // Arrays of other languages have braces as well.
            [b'{', rest @ ..] => matches!(rest.trim_ascii_start(), [] | [b'"' | b'}', ..]),
            [b'[', rest @ ..] => matches!(rest.trim_ascii_start(), [b'[' | b'"' | b'{', ..]),
            _ => false,
        }
    }

    /// Whether an object holds a puzzle itself, rather than a list of them.
    fn is_puzzle(&self, object: &[u8]) -> bool {
        let Ok(object) = parse::<Object>(object) else { return false };
        match object.field(self.puzzle.as_deref(), &PUZZLE) {
            Ok(Some(value)) => !cut::is_list(value.to_string().as_bytes()),
            Ok(None) => false,
            Err(_) => true,
        }
    }

    pub(in crate::dataset) fn new(hints: &Hints) -> Self {
        let key = |column: &Option<Column>| match column {
            Some(Column::Name(name)) => Some(name.trim().to_lowercase()),
            Some(Column::Number(_)) | None => None,
        };
        Json { puzzle: key(&hints.puzzle), solution: key(&hints.solution) }
    }
}

/// The key of the puzzles, where the user has named it; with `#` also that of the solutions.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(key) = &self.puzzle {
            write!(f, ", key {}", quote(key.as_bytes()))?;
        }
        match &self.solution {
            Some(key) if f.alternate() => write!(f, ", solution key {}", quote(key.as_bytes())),
            _ => Ok(()),
        }
    }
}

impl Rows for Json {
    fn next(&self, bytes: &[u8], at_end: bool) -> Option<Record> {
        let (bytes, at_end) = in_reach(bytes, at_end);
        cut::next_record(bytes, at_end, |object| self.is_puzzle(object))
    }

    fn puzzle(&self, _kind: Kind, row: &[u8]) -> Result<Grid, RowError> {
        if !row.starts_with(b"{") {
            return Ok(grid(&parse(row)?)?);
        }
        let object: Object = parse(row)?;
        let puzzle = object.field(self.puzzle.as_deref(), &PUZZLE)?.ok_or(BlockError::NoKey)?;
        Ok(grid(puzzle)?)
    }

    fn solution(&self, _kind: Kind, row: &[u8]) -> Option<Result<Option<Grid>, RowError>> {
        if !row.starts_with(b"{") {
            return None;
        }
        let object: Object = parse(row).ok()?;
        let read = |solution: &Value| {
            let is_empty = solution.is_null() || solution.as_str().is_some_and(str::is_empty);
            (!is_empty).then(|| grid(solution)).transpose()
        };
        let found = object.field(self.solution.as_deref(), &SOLUTION).transpose()?;
        Some(found.and_then(read).map_err(RowError::from))
    }
}

fn parse<T: DeserializeOwned>(text: &[u8]) -> Result<T, BlockError> {
    serde_json::from_slice(text).map_err(|error| {
        // Its place would be that in the record, which nobody sees.
        let reason = error.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default().into();
        BlockError::Json { reason }
    })
}

/// The keys and values of an object, the doubled ones, too.
struct Object(Vec<(String, Value)>);

impl Object {
    /// The value whose key is `wanted`, else has one of the usual names, without regard to case.
    fn field(&self, wanted: Option<&str>, names: &[&str]) -> Result<Option<&Value>, BlockError> {
        let names = wanted.as_ref().map_or(names, std::slice::from_ref);
        for name in names {
            let mut values = self.0.iter().filter(|(key, _)| key.trim().to_lowercase() == *name);
            if let Some((_, value)) = values.next() {
                return match values.next() {
                    None => Ok(Some(value)),
                    Some(_) => Err(BlockError::DoubledKey { key: excerpt(name) }),
                };
            }
        }
        Ok(None)
    }
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Object;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Object(entries))
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

fn grid(value: &Value) -> Result<Grid, BlockError> {
    match value {
        Value::String(text) => Ok(Grid::parse(text.as_bytes())?),
        Value::Array(rows) => {
            let rows = rows.iter().enumerate().map(|(index, row)| cells(index + 1, row));
            grid_of_rows(&rows.collect::<Result<Vec<_>, _>>()?)
        }
        other => Err(no_board(other)),
    }
}

/// The cells of a row of a board.
fn cells(row: usize, value: &Value) -> Result<Vec<char>, BlockError> {
    match value {
        Value::String(text) => Ok(text.chars().collect()),
        Value::Array(cells) => {
            let cell = |(index, value): (usize, &Value)| {
                cell(value).ok_or_else(|| {
                    let value = excerpt(&value.to_string());
                    BlockError::Cell { row, column: index + 1, value }
                })
            };
            cells.iter().enumerate().map(cell).collect()
        }
        other => Err(no_board(other)),
    }
}

/// The character of a cell: a string of one, a number below 10, or `null`.
fn cell(value: &Value) -> Option<char> {
    match value {
        Value::Null => Some('.'),
        Value::Number(number) => char::from_digit(number.as_u64()?.try_into().ok()?, 10),
        Value::String(text) => {
            let mut characters = text.chars();
            let character = characters.next()?;
            (characters.next().is_none() && is_cell(character)).then_some(character)
        }
        _ => None,
    }
}

fn no_board(value: &Value) -> BlockError {
    let found = match value {
        Value::Null => "`null`",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    };
    BlockError::NoBoard { found }
}

#[cfg(test)]
mod tests {
    use super::super::block::reading::{self, PUZZLE};
    use super::*;
    use serde_json::json;

    const SOLUTION: &str =
        "365419827817236495429875631941762358753184269682953174598321746136547982274698513";

    fn json() -> Json {
        Json::new(&Hints::default())
    }

    /// A board of single characters.
    fn board() -> String {
        let rows: Vec<Vec<String>> = PUZZLE
            .as_bytes()
            .chunks(9)
            .map(|row| row.iter().map(|&cell| char::from(cell).to_string()).collect())
            .collect();
        json!(rows).to_string()
    }

    fn read_all(text: &str) -> Vec<(u64, String)> {
        reading::read_all(&json(), text)
    }

    #[track_caller]
    fn assert_reads(text: &str, expected: &[(u64, &str)]) {
        reading::assert_reads(&json(), text, expected);
    }

    #[test]
    fn boards_are_found_alone_in_a_list_and_one_after_another() {
        let board = board();
        for board in [
            board.clone(),
            board.replace('"', "").replace('.', "0"),
            board.replace("\".\"", "null"),
            board.replace('.', " "),
            json!(PUZZLE.as_bytes().chunks(9).map(String::from_utf8_lossy).collect::<Vec<_>>())
                .to_string(),
            json!({"id": [1, "\\\"]", {}, {"a": {}}], "Puzzle": PUZZLE}).to_string(),
            format!("{{\"board\": {board}}}"),
        ] {
            assert_reads(&board, &[(1, "puzzle")]);
            assert_reads(&format!("[\n{board},\n{board}]"), &[(2, "puzzle"), (3, "puzzle")]);
            assert_reads(&format!("{board}{board} {board}"), &[(1, "puzzle"); 3]);
            assert_reads(&format!("{board}\r\n{board}\n"), &[(1, "puzzle"), (2, "puzzle")]);
            let spread = board.replace("],", "\n],\n ").replace('[', "[\n");
            let lines = spread.matches('\n').count() as u64;
            assert_reads(&format!("{spread},{spread}"), &[(1, "puzzle"), (1 + lines, "puzzle")]);
        }
        assert_reads(&json!([PUZZLE, PUZZLE]).to_string(), &[(1, "puzzle"); 2]);
        assert_reads("[]", &[]);
    }

    #[test]
    fn a_damaged_board_costs_itself_only() {
        let board = board();
        for (broken, reason) in [
            (board.replacen("]]", "]", 1), "not valid JSON"),
            (board.replacen("],", ",", 1), "not valid JSON"),
            (board.replacen("\"3\"", "\"3", 1), "not valid JSON"),
            (board.replacen("\"3\"", "\"33\"", 1), "row 1, column 1 of the board is \"33\""),
            (board.replacen("\"3\"", "\"\"", 1), "row 1, column 1 of the board is \"\""),
            (board.replacen("\"3\"", "10", 1), "row 1, column 1 of the board is 10"),
            (board.replacen("\"3\",", "", 1), "row 1 of the grid has 8 cells"),
            (board.replacen("[[", "[[],[", 1), "the grid has 10 rows"),
            (board.replacen("[[", "[", 1), "not valid JSON"),
        ] {
            for between in ["\n", ",", ""] {
                let found = read_all(&format!("{board}{between}{broken}{between}{board}"));
                assert_eq!((found.len(), found[2].1.as_str()), (3, "puzzle"), "{broken}");
                assert!(found[1].1.starts_with(reason) || reason == "not valid JSON", "{found:?}");
                assert_ne!(found[1].1, "puzzle");
            }
        }
        let cut = &board[..100];
        let found = read_all(&format!("{cut}\n{board}\n{cut}"));
        assert_eq!(found.iter().map(|row| row.0).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(found[1].1, "puzzle");
    }

    #[test]
    fn a_damaged_object_costs_itself_only() {
        let object = json!({"puzzle": PUZZLE, "tags": ["a\"]\\"]}).to_string();
        for broken in [
            object.replacen("\":", ":", 1),
            object.replacen('}', "", 1),
            object.replacen("]}", "", 1),
            object[..50].to_owned(),
            "{\"id\":1}".into(),
        ] {
            let found = read_all(&format!("{object}\n{broken}\n{object}"));
            assert_eq!(found.len(), 3, "{broken}: {found:?}");
            assert_eq!((found[2].0, found[2].1.as_str()), (3, "puzzle"), "{broken}");
            assert_ne!(found[1].1, "puzzle");
        }
        assert_reads("{\"id\":1}", &[(1, "the object has no key that holds a puzzle")]);
        assert_reads("{\"puzzle\":1}", &[(1, "a number where a board is expected")]);
    }

    #[test]
    fn brackets_without_an_end_are_not_looked_at_again_and_again() {
        for bracket in ["[1,\n", "[\"1\",\n", "{\"a\":\n", "{\"a\":[\n", "{\"a\":[{},\n"] {
            let found = read_all(&format!("{}{}", bracket.repeat(3200), board()));
            assert!(found.len() <= 300, "{bracket}: {}", found.len());
            assert!(bracket.starts_with('{') || found.last().unwrap().1 == "puzzle", "{bracket}");
        }
    }

    #[test]
    fn strings_that_a_backslash_turns_inside_out_are_not_looked_at_again_and_again() {
        let found = read_all(&format!("{}\n{}", "{ \"a\\\"".repeat(9000), board()));
        assert_eq!(found.last().unwrap(), &(2, "puzzle".into()));
        let object = json!({"puzzle": PUZZLE}).to_string();
        let found = read_all(&format!("{object},{{\"a\":\\\"}},{object}"));
        assert_eq!((found[0].1.as_str(), found.last().unwrap().1.as_str()), ("puzzle", "puzzle"));
    }

    #[test]
    fn boards_are_read_as_leetcode_prints_them() {
        let board = board();
        let full = board.replace('.', "9");
        assert_reads(&format!("board = {board}"), &[(1, "puzzle")]);
        assert_reads(&format!("board={board}\nboard = {board}\n"), &[(1, "puzzle"), (2, "puzzle")]);
        let page = format!("Input: board = {board}\nOutput: {full}\n");
        assert_reads(&page.repeat(2), &[(1, "puzzle"), (3, "puzzle")]);
        let spread = page.replace("],", "],\n");
        assert_reads(&spread.repeat(2), &[(1, "puzzle"), (19, "puzzle")]);
        let explained = format!("{page}Explanation: The input board is shown above, {{}}\n");
        assert_eq!(read_all(&explained)[..2], [(1, "puzzle".into()), (3, "stray".into())]);
        // Of a solution that breaks off, every row is told.
        let cut = format!("Input: board = {board}\nOutput: {}", &full[..100]);
        assert_eq!(read_all(&cut).len(), 2);
        for text in
            ["board = [[\"5\"", "Input: board = [[", "sudoku=[[\"", "board: [[", "board =\n[[5"]
        {
            assert!(Json::fits(text.as_bytes()), "{text}");
        }
        let below = format!("Input: board =\r\n{board}\r\n");
        assert_reads(&below, &[(2, "puzzle")]);
        for text in ["board = [5", "Grid 1\n[[\"", "a,b = [[", "= [["] {
            assert!(!Json::fits(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn lists_of_puzzles_are_read_whatever_object_is_around_them() {
        let (board, object) = (board(), json!({"puzzle": PUZZLE, "tags": [{"a": 1}]}).to_string());
        for puzzle in [&board, &object, &json!(PUZZLE).to_string()] {
            for wrapper in [
                "{\"data\":[P,P]}",
                "{\"puzzles\": [\nP,P]}\n",
                "{\"name\":\"x, y\",\"n\":2,\"easy\":true,\"data\":[P,P]}",
                "{\"a\":{\"grids\":[P,P]}}",
                "{\"easy\":[P],\"hard\":[P]}",
            ] {
                let found = read_all(&wrapper.replace('P', puzzle));
                let rows: Vec<&str> = found.iter().map(|row| row.1.as_str()).collect();
                assert_eq!(rows, ["puzzle", "puzzle"], "{wrapper}");
            }
            let behind = format!("{{\"data\":[{puzzle}],\"count\":1,\"by\":\"N.\"}}");
            assert_reads(&behind, &[(1, "puzzle"), (1, "stray"), (1, "stray")]);
            let long = format!("{{\"data\":[{}]}}", vec![puzzle.as_str(); 1000].join(","));
            assert_eq!(read_all(&long), vec![(1, "puzzle".to_owned()); 1000]);
        }
        // What is beside a puzzle is none.
        let tags = json!({"a": [{"b": 1}], "puzzle": PUZZLE}).to_string();
        assert_reads(&tags, &[(1, "puzzle")]);
        let beside =
            json!({"puzzles": [PUZZLE, PUZZLE], "solutions": [SOLUTION, SOLUTION]}).to_string();
        assert_reads(&beside, &[(1, "puzzle"), (1, "puzzle"), (1, "stray")]);
        let solved = json!({"solutions": [SOLUTION, SOLUTION], "n": 2}).to_string();
        assert_reads(&solved, &[(1, "stray")]);
    }

    #[test]
    fn a_grid_before_a_list_of_puzzles_is_a_row_as_one_behind_it_is() {
        let list = format!("[\"{PUZZLE}\",\"{PUZZLE}\"]");
        for object in [
            format!("{{\"daily\":\"{PUZZLE}\",\"archive\":{list}}}"),
            format!("{{\"archive\":{list},\"daily\":\"{PUZZLE}\"}}"),
        ] {
            let mut found = read_all(&object);
            found.retain(|row| row.1 != "stray");
            assert_eq!(found, vec![(1, "puzzle".to_owned()); 3], "{object}");
        }
    }

    #[test]
    fn solutions_beside_a_list_of_puzzles_are_hidden_however_long_they_are() {
        let puzzle_rows = |text: &str| {
            let mut found = read_all(text);
            found.retain(|row| row.1 != "stray");
            assert!(found.iter().all(|row| row.1 == "puzzle"), "{:?}", found.last());
            found.len()
        };
        let noted = json!({"solution": SOLUTION, "note": "a ] \"b\" [[ \\"}).to_string();
        for solution in [format!("\"{SOLUTION}\""), board().replace('.', "9"), noted] {
            for (count, around) in [(1, ""), (1000, ""), (1000, "\n")] {
                let list = |one: &str| format!("[{around}{}]", vec![one; count].join(","));
                let (puzzles, solutions) = (list(&format!("\"{PUZZLE}\"")), list(&solution));
                for text in [
                    format!("{{\"puzzles\":{puzzles},\"solutions\":{solutions}}}"),
                    format!("{{\"solutions\":{solutions},\"puzzles\":{puzzles}}}"),
                    format!("{{\"puzzles\":{puzzles},\"answers\":{{\"a\":{solutions}}}}}"),
                ] {
                    assert_eq!(puzzle_rows(&text), count, "{}", &text[..60]);
                }
            }
        }
        let one = format!("{{\"puzzles\":[\"{PUZZLE}\"],\"solution\":\"{SOLUTION}\"}}");
        assert_eq!(puzzle_rows(&one), 1);
        // Without an end they hide the rest of the file, which is told.
        let open = format!("{{\"puzzles\":[\"{PUZZLE}\"],\"solutions\":[\"{SOLUTION}\"");
        assert_eq!(read_all(&open).last().unwrap().1, "hidden to the end");
    }

    #[test]
    fn a_long_text_is_no_grid() {
        let licence = "Creative Commons Attribution 4.0 International, for everyone";
        let text = json!({"puzzles": [PUZZLE], "licence": licence}).to_string();
        let list = format!("{{\"puzzles\":[\"{PUZZLE}\"],\"licence\":\"{licence}\"}}");
        for text in [text, list] {
            let mut found = read_all(&text);
            found.retain(|row| row.1 != "stray");
            assert_eq!(found, [(1, "puzzle".into())]);
        }
        let tags = format!("[{{\"sudoku_grid\":\"{PUZZLE}\",\"tags\":[\"{licence}\"]}}]");
        assert_reads(&tags, &[(1, "the object has no key that holds a puzzle")]);
    }

    #[test]
    fn a_board_behind_a_label_of_solutions_is_no_puzzle() {
        let (board, full) = (board(), board().replace('.', "9"));
        for label in [
            "Output:",
            "Expected:",
            "Expected output =",
            "solution =",
            "Answer:",
            "Output: board =",
        ] {
            let page = format!("board = {board}\n{label} {full}\n");
            assert_reads(&page.repeat(2), &[(1, "puzzle"), (3, "puzzle")]);
            let broken = page.replacen("]]\n", "]\n", 2).replacen("]\n", "]]\n", 1);
            assert_reads(&format!("{broken}{page}"), &[(1, "puzzle"), (3, "puzzle")]);
        }
        let spread = format!("solutions = [{full},{full}]\nboards = [{board},{board}]\n");
        assert_reads(&spread, &[(2, "puzzle"), (2, "puzzle")]);
    }

    #[test]
    fn labels_may_stand_above_labels() {
        let board = board();
        for above in ["Example 1:\n\n", "Example 1:\r\n", "Examples:\nExample 1:\n"] {
            let text = format!("{above}Input: board = {board}\n");
            let at = 1 + above.matches('\n').count() as u64;
            assert!(Json::fits(text.as_bytes()), "{text}");
            let lines = text.matches('\n').count() as u64;
            assert_reads(&text.repeat(2), &[(at, "puzzle"), (lines + at, "puzzle")]);
        }
    }

    #[test]
    fn what_is_no_puzzle_is_not_passed_in_silence() {
        assert_reads(&format!("nonsense {}", board()), &[(1, "stray"), (1, "puzzle")]);
        assert_eq!(read_all("[[\"5\",\"3\"]]"), [(1, "the grid has 1 row".into())]);
        assert_eq!(read_all("[1,2,3]").len(), 1);
    }

    #[test]
    fn a_doubled_key_is_refused_and_named_not_guessed() {
        for first in ["puzzle", "Puzzle"] {
            let row = format!("{{\"{first}\":\"{SOLUTION}\",\"puzzle\":\"{PUZZLE}\"}}");
            let refused = json().puzzle(Kind::Block, row.as_bytes()).unwrap_err();
            assert_eq!(refused.to_string(), "the object has the key `puzzle` more than once");
        }
    }

    #[test]
    fn a_solution_stands_beside_the_puzzle() {
        let row = json!({"Solution": SOLUTION, "quiz": PUZZLE, "other": SOLUTION}).to_string();
        let solution = json().solution(Kind::Block, row.as_bytes()).unwrap().unwrap();
        assert_eq!(solution.unwrap().to_string(), SOLUTION);
        assert_eq!(json().puzzle(Kind::Block, row.as_bytes()).unwrap().to_string(), PUZZLE);
        let named = Json { puzzle: Some("other".into()), solution: Some("none".into()) };
        assert_eq!(named.puzzle(Kind::Block, row.as_bytes()).unwrap().to_string(), SOLUTION);
        assert_eq!(named.solution(Kind::Block, row.as_bytes()), None);
        for missing in ["{\"puzzle\":\"\",\"solution\":null}", "{\"solution\":\"\"}"] {
            assert_eq!(json().solution(Kind::Block, missing.as_bytes()), Some(Ok(None)));
        }
        assert_eq!(json().solution(Kind::Block, b"[[]]"), None);
    }

    #[test]
    fn json_is_known_by_its_first_brackets() {
        for text in ["[[\"5\"", " [\n [", "{\"puzzle\"", "[{", "[\"53\""] {
            assert!(Json::fits(text.as_bytes()), "{text}");
        }
        for text in ["[Puzzle]", "[", "53..7", "", "{{5,3", "{'puzzle'"] {
            assert!(!Json::fits(text.as_bytes()), "{text}");
        }
    }
}
