//! Unsafe code has one room, `src/arch/`, and the compiler guards its door.

use std::fs;
use std::path::{Path, PathBuf};

/// In two pieces, so that this file passes its own test.
const KEYWORD: &str = concat!("un", "safe");

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every Rust file below a folder of the crate, none if there is no such folder.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| if path.is_dir() { rust_files(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

/// Whether a line has the keyword as a word of its own. Only a line that is a comment as a whole
/// may mention it; after code, or in a text, it counts.
fn uses_keyword(line: &str) -> bool {
    let is_comment = line.trim_start().starts_with("//");
    let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
    !is_comment && words.any(|word| word == KEYWORD)
}

/// The lines of a file that use the keyword, as `file:line`.
fn uses(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    let lines = text.lines().enumerate().filter(|(_, line)| uses_keyword(line));
    lines.map(|(index, _)| format!("{}:{}", file.display(), index + 1)).collect()
}

#[test]
fn the_keyword_is_used_in_its_room_only() {
    let room = root().join("src/arch");
    let folders = ["src", "tests", "benches", "examples"];
    let files: Vec<PathBuf> =
        folders.iter().flat_map(|folder| rust_files(&root().join(folder))).collect();
    let (inside, outside): (Vec<_>, Vec<_>) = files
        .iter()
        .flat_map(|file| uses(file))
        .partition(|place| Path::new(place).starts_with(&room));
    assert!(!inside.is_empty(), "the search finds nothing, not even in {}", room.display());
    assert_eq!(outside, Vec::<String>::new());
}

#[test]
fn the_search_sees_the_keyword_and_nothing_like_it() {
    for line in ["{} {", "    pub {} fn f();", "let x = {}{ y }; // SAFETY: none", "x(); // {}"] {
        assert!(uses_keyword(&line.replacen("{}", KEYWORD, 1)), "{line}");
    }
    for line in ["// an {} word", "    //! `{}`", "#![deny({}_code)]", "fn no_{}() {}", "x();"] {
        assert!(!uses_keyword(&line.replacen("{}", KEYWORD, 1)), "{line}");
    }
}

#[test]
fn the_manifest_denies_it_everywhere_else() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let lints = manifest.lines().skip_while(|line| *line != "[lints.rust]").skip(1);
    let mut lints = lints.take_while(|line| !line.starts_with('['));
    assert!(lints.any(|line| line == format!("{KEYWORD}_code = \"deny\"")));
}
