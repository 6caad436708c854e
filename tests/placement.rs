//! Where the timed functions lie: each copy has a place of its own, and its code is the same.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::collections::HashSet;
use std::hash::Hash;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;
use sudoku_bench::machine_code::{Code, examine};
use sudoku_bench::measure::{Arm, WallClock};
use sudoku_bench::solver::Variant;

const BINARY: &str = env!("CARGO_BIN_EXE_sudoku-bench");

/// A variant and its three copies.
type Family = [Arm<WallClock>; 4];

fn families() -> [Family; Variant::ALL.len()] {
    Variant::ALL.map(|variant| {
        let [one, two, three] = Arm::copies(variant);
        [Arm::variant(variant), one, two, three]
    })
}

fn codes_of(arms: &[Arm<WallClock>]) -> Vec<Code> {
    let addresses: Vec<usize> = arms.iter().map(Arm::address).collect();
    let codes = examine(&addresses).unwrap();
    codes.into_iter().map(|code| code.expect("a recursive function")).collect()
}

/// The code of each arm, family by family.
fn codes() -> Vec<Vec<Code>> {
    codes_of(families().as_flattened()).chunks(4).map(<[Code]>::to_vec).collect()
}

fn all_differ<T: Hash + Eq>(items: impl IntoIterator<Item = T>) -> bool {
    let mut seen = HashSet::new();
    items.into_iter().all(|item| seen.insert(item))
}

#[test]
fn every_copy_of_every_variant_has_a_place_of_its_own() {
    assert!(all_differ(families().as_flattened().iter().map(Arm::address)));
    assert!(all_differ(codes().concat().iter().map(|code| code.offset)));
}

#[test]
fn the_code_is_found_however_few_arms_there_are() {
    for (family, codes) in std::iter::zip(families(), codes()) {
        for count in 2..=family.len() {
            assert_eq!(codes_of(&family[..count]), codes[..count]);
        }
    }
}

/// Only a release build promises it: it compiles all copies together.
#[cfg(not(debug_assertions))]
#[test]
fn copies_have_the_code_of_their_variant() {
    for (variant, codes) in std::iter::zip(Variant::ALL, codes()) {
        assert!(codes.iter().all(|code| code.sha256 == codes[0].sha256), "{variant}: {codes:#?}");
    }
}

#[test]
fn different_variants_have_different_code() {
    let codes = codes();
    assert_ne!(codes[Variant::Break as usize][0].sha256, codes[Variant::Rescan as usize][0].sha256);
}

/// What `variants --code` of this executable prints.
fn shown_by(executable: &Path) -> String {
    let output = Command::new(executable).args(["variants", "--code"]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_command_shows_the_code_of_each_variant_and_of_three_copies() {
    let text = shown_by(Path::new(BINARY));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1 + Variant::ALL.len() + 3, "{text}");
    for variant in Variant::ALL {
        assert!(lines.iter().any(|line| line.starts_with(&format!("{variant} "))), "{text}");
    }
    assert_eq!(lines.iter().filter(|line| line.contains(" 0x")).count(), lines.len() - 1, "{text}");
    if !cfg!(debug_assertions) {
        assert_eq!(text.matches("same code as `break`").count(), 3, "{text}");
    }
}

#[test]
fn without_a_symbol_table_the_command_says_that_nothing_was_checked() {
    let folder = tempfile::tempdir().unwrap();
    let stripped = folder.path().join("stripped");
    match Command::new("strip").arg("-o").arg(&stripped).arg(BINARY).status() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            eprintln!("skipped: there is no `strip`");
        }
        status => {
            assert!(status.unwrap().success());
            let reason = "not checked: the executable has no symbol table; it was stripped\n";
            assert_eq!(shown_by(&stripped), reason);
        }
    }
}
