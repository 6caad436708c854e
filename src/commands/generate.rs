//! `generate`: puzzles with exactly one solution.

use super::outlet::Target;
use crate::cli::GenerateArgs;
use crate::ending::{Ending, Usage, note};
use crate::progress::{Progress, Work};
use sudoku_bench::generate::{Clues, Generate, Generated, Request};
use sudoku_bench::report::plural;

pub(crate) fn run(args: GenerateArgs) -> anyhow::Result<Ending> {
    let clues = match (args.minimal, args.clues) {
        (false, clues) => Clues::Number(clues.unwrap_or(28..=34)),
        (true, clues) => Clues::Minimal(clues.unwrap_or(0..=81)),
    };
    let request = Request::new(args.seed, clues, args.symmetry).map_err(Usage::new)?;
    let isa = args.engine.isa()?;
    let target = Target::new(args.output.as_deref(), "puzzles")?;
    let pool = super::pool(args.threads, args.quiet)?;
    let interrupt = super::interrupt();
    let mut out = target.create(None)?;
    out.put(b"puzzle,solution,clues\n")?;
    let progress = Progress::start("generate", Work::Items(args.count), args.quiet);
    let generate = Generate { request: &request, count: args.count, pool: &pool, isa, interrupt };
    let mut text = Vec::new();
    let made = generate.run(|puzzles| {
        text.clear();
        puzzles.iter().for_each(|generated| row(generated, &mut text));
        progress.add(puzzles.len() as u64);
        out.put(&text)
    });
    let complete = matches!(made, Ok(count) if count == args.count);
    // Whatever went wrong, what is done is written.
    let hint = out.hint();
    let finished = out.finish(complete);
    if let Some(hint) = hint.filter(|_| !complete || finished.is_err()) {
        note(hint);
    }
    let interrupted = !complete && super::was_interrupted();
    if let (true, Ok(count), false) = (interrupted, &made, args.quiet) {
        note(format_args!("interrupted after {}", plural(*count, "puzzle")));
    }
    let failure = made.err().or(finished.err());
    Ok(Ending { interrupted, failure, ..Ending::default() })
}

/// Appends the row of a puzzle.
fn row(generated: &Generated, text: &mut Vec<u8>) {
    let Generated { puzzle, solution } = generated;
    text.extend_from_slice(&puzzle.to_ascii(b'.'));
    text.push(b',');
    text.extend_from_slice(&solution.to_ascii(b'.'));
    text.extend_from_slice(format!(",{}\n", puzzle.clues()).as_bytes());
}
