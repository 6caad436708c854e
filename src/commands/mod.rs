//! One file a verb: raw arguments become a checked request, and that becomes library calls.

pub(crate) mod compare;
pub(crate) mod generate;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod variants;

mod faults;

use crate::environment;
use anyhow::Context;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use sudoku_bench::dataset::{Column, Input, Reader};

/// Opens every input, so that a missing one is noticed before anything is done.
fn open(names: &[String]) -> anyhow::Result<Vec<Input>> {
    names.iter().map(|name| Ok(Input::open(name)?)).collect()
}

/// A reader of the rows of an input whose layout is found out or told.
fn reader(input: Input, column: Option<&Column>) -> anyhow::Result<Reader<Input>> {
    let name = input.name().to_owned();
    Reader::new(input, column)
        .with_context(|| format!("cannot read `{name}`"))?
        .with_context(|| format!("cannot use `{name}`"))
}

/// A pool of `threads` solving threads; all cores, if the user has no wish.
fn pool(threads: Option<usize>) -> anyhow::Result<ThreadPool> {
    ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or_else(environment::cores))
        .thread_name(|index| format!("solver-{index}"))
        .build()
        .context("cannot start the solving threads")
}

/// The file, made anew, or standard output. Nothing is buffered.
fn output(path: Option<&Path>) -> anyhow::Result<Box<dyn Write>> {
    match path {
        Some(path) if path != Path::new("-") => {
            let file =
                File::create(path).with_context(|| format!("cannot write `{}`", path.display()))?;
            Ok(Box::new(file))
        }
        _ => Ok(Box::new(io::stdout())),
    }
}

/// The flag that Ctrl-C sets. A second Ctrl-C ends the program at once.
fn interrupt() -> &'static AtomicBool {
    static FLAG: AtomicBool = AtomicBool::new(false);
    // Without a handler Ctrl-C simply kills, which is no reason not to work.
    let _ = ctrlc::set_handler(|| {
        if FLAG.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    &FLAG
}
