//! `variants`: what there is to choose from.

use crate::ending::Ending;
use anyhow::Context;
use std::io::{Write, stdout};
use sudoku_bench::solver::Variant;

pub(crate) fn run() -> anyhow::Result<Ending> {
    let text: String = Variant::ALL
        .map(|variant| format!("{variant:<13} {} ({})\n", variant.summary(), variant.lineage()))
        .concat();
    stdout().write_all(text.as_bytes()).context("cannot write the list")?;
    Ok(Ending::default())
}
