//! Every example of docs/formats.md is read as what the page says it is.

mod common;

use common::*;
use std::collections::BTreeSet;
use sudoku_bench::dataset::Format;

/// The code blocks of the page with the format in their first line.
fn examples(page: &str) -> Vec<(String, String)> {
    let mut blocks = page.split("```");
    let mut examples = Vec::new();
    // Text and code take turns.
    while let (Some(_), Some(code)) = (blocks.next(), blocks.next()) {
        let (format, text) = code.split_once('\n').expect("a block begins with its format");
        examples.push((format.to_owned(), text.to_owned()));
    }
    examples
}

#[test]
fn every_example_is_recognised_and_solved() {
    let examples = examples(&repository_file("docs/formats.md"));
    for (format, text) in &examples {
        let bench = Bench::with(text);
        let rows = bench.run("solve in.csv").exits(0).rows();
        assert_eq!(rows.len(), 1, "{format}:\n{text}");
        assert_eq!((&*rows[0].puzzle, &*rows[0].solution), (EASY, EASY_SOLUTION), "{format}");
        let told = bench.run(&format!("solve in.csv --format {format}")).exits(0).rows();
        assert_eq!((told[0].line, &told[0].puzzle), (rows[0].line, &rows[0].puzzle), "{format}");
    }
    let shown: BTreeSet<&str> = examples.iter().map(|example| &*example.0).collect();
    assert_eq!(shown, Format::ALL.map(Format::name).into());
}

#[test]
fn the_page_lists_every_format_and_the_help_too() {
    let page = repository_file("docs/formats.md");
    let help = Bench::new().run("solve --help").exits(0).stdout;
    for format in Format::ALL {
        assert!(page.contains(&format!("| `{}`", format.name())), "{}", format.name());
        assert!(help.contains(&format!("- {}", format.name())), "{help}");
    }
}
