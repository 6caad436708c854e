//! `diff`: a run held against an earlier one.

use crate::cli::DiffArgs;
use crate::ending::Ending;
use anyhow::Context;
use std::io::{Write, stdout};
use std::path::Path;
use sudoku_bench::report::{Pairing, PuzzlesReader, Run, Side, diff_markdown};

pub(crate) fn run(args: DiffArgs) -> anyhow::Result<Ending> {
    let (old, new) = (Run::read(&args.old)?, Run::read(&args.new)?);
    let mut pairing = Pairing::new(&old, &new)?;
    let mut old = puzzles(&args.old, &old)?;
    let mut new = puzzles(&args.new, &new)?;
    let mut more = true;
    while more {
        // By turns, so that few rows wait for their partners.
        let more_old = next(&mut pairing, Side::Old, &mut old)?;
        more = next(&mut pairing, Side::New, &mut new)? || more_old;
    }
    let diff = pairing.finish(args.fail_on, args.confidence)?;
    let printed = stdout().write_all(diff_markdown(&diff).as_bytes());
    let failure = printed.context("cannot write the report").err();
    Ok(Ending { failure, gated: diff.is_slower(), ..Ending::default() })
}

fn puzzles(folder: &Path, run: &Run) -> anyhow::Result<PuzzlesReader> {
    // A run may be named by its report.json, too.
    let folder = if folder.is_dir() { folder } else { folder.parent().unwrap_or(folder) };
    let file = run.puzzles.as_ref();
    let file = file.with_context(|| format!("`{}` has no per-puzzle file", folder.display()))?;
    Ok(PuzzlesReader::open(folder, file)?)
}

/// Hands on rows of one run until one of them can have a partner; false at the end of the run.
fn next(pairing: &mut Pairing, run: Side, rows: &mut PuzzlesReader) -> anyhow::Result<bool> {
    while let Some(row) = rows.next_row()? {
        if pairing.add(run, &row)? {
            return Ok(true);
        }
    }
    pairing.end(run);
    Ok(false)
}
