//! `variants`: what there is to choose from, and the machine code of it.

use crate::cli::VariantsArgs;
use crate::ending::Ending;
use anyhow::Context;
use std::io::{Write, stdout};
use sudoku_bench::machine_code::{Code, examine};
use sudoku_bench::measure::{Arm, WallClock};
use sudoku_bench::report::count;
use sudoku_bench::solver::{Engine, Variant};

pub(crate) fn run(args: VariantsArgs) -> anyhow::Result<Ending> {
    let text = if args.code { code() } else { list() };
    stdout().write_all(text.as_bytes()).context("cannot write the list")?;
    Ok(Ending::default())
}

fn list() -> String {
    Engine::ALL
        .map(|engine| format!("{engine:<13} {} ({})\n", engine.summary(), engine.lineage()))
        .concat()
}

/// The machine code of each variant as `compare` times it, and of the copies of `break`.
fn code() -> String {
    let variants = Variant::ALL.map(|variant| (variant.to_string(), Arm::variant(variant)));
    let copies = Arm::copies(Variant::Break).map(|copy| (format!("break, {}", copy.name()), copy));
    let arms: Vec<(String, Arm<WallClock>)> = variants.into_iter().chain(copies).collect();
    let (names, addresses): (Vec<String>, Vec<usize>) =
        arms.into_iter().map(|(name, arm)| (name, arm.address())).unzip();
    match examine(&addresses) {
        Ok(codes) => table(&names, &codes),
        Err(reason) => format!("not checked: {reason}\n"),
    }
}

fn table(names: &[String], codes: &[Option<Code>]) -> String {
    let row = |name: &str, [bytes, instructions, address]: [String; 3], note: &str| {
        let row = format!("{name:<13}  {bytes:>6}  {instructions:>12}  {address:>9}  {note}");
        row.trim_end().to_owned() + "\n"
    };
    let mut text = row("variant", ["bytes", "instructions", "address"].map(String::from), "");
    for (index, (name, code)) in std::iter::zip(names, codes).enumerate() {
        let Some(code) = code else {
            let dashes = ["–"; 3].map(String::from);
            text += &row(name, dashes, "not checked: its recursive function was not found");
            continue;
        };
        let figures = [count(code.bytes), count(code.instructions), format!("{:#x}", code.offset)];
        let is_twin =
            |other: &Option<Code>| other.as_ref().is_some_and(|other| other.sha256 == code.sha256);
        let twin = codes[..index].iter().position(is_twin).map(|twin| &names[twin]);
        let note = twin.map_or(String::new(), |twin| format!("same code as `{twin}`"));
        text += &row(name, figures, &note);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_the_first_variant_of_the_same_code() {
        let code = |offset, sha256: &str| {
            Some(Code { offset, bytes: 1440, instructions: 300, sha256: sha256.into() })
        };
        let names = ["a", "b", "c", "d"].map(String::from);
        let expected = "\
variant         bytes  instructions    address
a               1,440           300     0x1000
b                   –             –          –  not checked: its recursive function was not found
c               1,440           300     0x2000
d               1,440           300    0x12340  same code as `a`
";
        let codes = [code(0x1000, "1"), None, code(0x2000, "2"), code(0x12340, "1")];
        assert_eq!(table(&names, &codes), expected);
    }
}
