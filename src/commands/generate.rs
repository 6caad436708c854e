//! `generate`: puzzles with exactly one solution.

use super::outlet::Target;
use crate::cli::GenerateArgs;
use crate::ending::{Ending, Usage, note};
use crate::progress::{Progress, Work};
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use sudoku_bench::generate::Request;
use sudoku_bench::pipeline;

/// Puzzles in a block, each a part of its own: a rare one takes a thousand times the usual work.
const BLOCK: u64 = 16;

/// Blocks between the numbering and the writing.
const BLOCKS: usize = 64;

/// The numbers of some consecutive puzzles, and their rows.
#[derive(Default)]
struct Block {
    first: u64,
    rows: Vec<Mutex<Vec<u8>>>,
}

pub(crate) fn run(args: GenerateArgs) -> anyhow::Result<Ending> {
    let request = Request::new(args.seed, args.clues).map_err(Usage::new)?;
    let target = Target::new(args.output.as_deref(), "puzzles")?;
    let pool = super::pool(args.threads, args.quiet)?;
    let interrupt = super::interrupt();
    let mut out = target.create(None)?;
    out.put(b"puzzle,solution,clues\n")?;
    let progress = Progress::start("generate", Work::Items(args.count), args.quiet);
    let mut next = 0;
    let fill = |block: &mut Block| {
        let interrupted = interrupt.load(Ordering::Relaxed);
        let size = if interrupted { 0 } else { BLOCK.min(args.count - next) };
        block.first = next;
        block.rows.resize_with(size as usize, Mutex::default);
        next += size;
        Ok(size as usize)
    };
    let work = |block: &Block, part: usize| {
        let mut row = block.rows[part].lock().expect("no generator panics");
        row.clear();
        if interrupt.load(Ordering::Relaxed) {
            return;
        }
        let generated = request.puzzle(block.first + part as u64);
        let clues = generated.puzzle.clues();
        writeln!(row, "{},{},{clues}", generated.puzzle, generated.solution).expect("in memory");
    };
    // After an interrupt the first puzzle that was not made ends the output.
    let (mut cut_short, mut written) = (false, 0);
    let drain = |block: &mut Block| -> anyhow::Result<()> {
        progress.add(block.rows.len() as u64);
        for row in &mut block.rows {
            let row = row.get_mut().expect("no generator panics");
            cut_short |= row.is_empty();
            if !cut_short {
                // Nobody will read what the workers still make.
                out.put(row).inspect_err(|_| interrupt.store(true, Ordering::Relaxed))?;
                written += 1;
            }
        }
        Ok(())
    };
    let made = pipeline::run(&pool, BLOCKS, fill, pipeline::each(work), drain);
    let complete = made.is_ok() && written == args.count;
    // Whatever went wrong, what is done is written.
    let hint = out.hint();
    let finished = out.finish(complete);
    if let Some(hint) = hint.filter(|_| !complete || finished.is_err()) {
        note(hint);
    }
    let failure = made.and(finished).err();
    let interrupted = !complete && super::was_interrupted();
    Ok(Ending { interrupted, failure, ..Ending::default() })
}
