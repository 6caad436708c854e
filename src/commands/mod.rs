//! One file a verb: raw arguments become a checked request, and that becomes library calls.

pub(crate) mod compare;
pub(crate) mod generate;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod variants;

mod faults;
mod river;

use anyhow::Context;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

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
