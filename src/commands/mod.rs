//! One file a verb: raw arguments become a checked request, and that becomes library calls.

pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod diff;
pub(crate) mod generate;
pub(crate) mod man;
pub(crate) mod merge;
pub(crate) mod report;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod variants;
pub(crate) mod verify;

mod faults;
mod inputs;
mod outlet;
mod sums;

use crate::ending::{Usage, note};
use crate::environment;
use anyhow::{Context, anyhow, bail};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::fs::{File, canonicalize};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use sudoku_bench::batch::BatchError;
use sudoku_bench::report::plural;

/// A pool of `threads` solving threads; all cores, if the user has no wish.
fn pool(threads: Option<usize>, quiet: bool) -> anyhow::Result<ThreadPool> {
    let cores = environment::cores();
    let threads = threads.unwrap_or(cores);
    if threads > cores && !quiet {
        let are = if cores == 1 { "core is" } else { "cores are" };
        note(format_args!(
            "-j {threads}: only {cores} {are} available; more threads make nothing faster, and \
             times longer"
        ));
    }
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|index| format!("solver-{index}"))
        .build()
        .context("cannot start the solving threads")
}

/// The file, made anew, or standard output for `-`. Nothing is buffered.
fn output(path: &Path) -> anyhow::Result<Box<dyn Write>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdout()));
    }
    let file = File::create(path).with_context(|| format!("cannot write `{}`", path.display()))?;
    Ok(Box::new(file))
}

/// An output that is also an input would be emptied before it is read.
fn refuse_to_overwrite(output: &Path, inputs: &[PathBuf]) -> anyhow::Result<()> {
    let target = place(output, "/dev/stdout");
    let is_target = |input: &PathBuf| place(input, "/dev/stdin") == target;
    if target.is_some() && inputs.iter().any(is_target) {
        bail!("`{}` is an input too; write the output to another file", output.display());
    }
    Ok(())
}

/// Each file that is written is another than those that are read, and than each other. `contents`
/// says what is written.
fn refuse_overlaps(
    written: impl IntoIterator<Item = PathBuf>,
    errors: Option<&Path>,
    inputs: &[PathBuf],
    contents: &str,
) -> anyhow::Result<()> {
    if errors == Some(Path::new("-")) {
        bail!(Usage::new("standard output is taken; name a file for the errors"));
    }
    let mut places = Vec::new();
    for path in written.into_iter().chain(errors.map(Path::to_owned)) {
        refuse_to_overwrite(&path, inputs)?;
        let place = place(&path, "/dev/stdout");
        if place.is_some() && places.contains(&place) {
            bail!(Usage::new(format_args!("{contents} need a file each")));
        }
        places.push(place);
    }
    Ok(())
}

/// Whether a malformed row ended the work, as `--strict` asks.
fn is_strict_stop(failure: Option<&anyhow::Error>) -> bool {
    let cause = failure.and_then(|error| error.downcast_ref());
    matches!(cause, Some(BatchError::Malformed { .. }))
}

/// The failure that searches of so many rows were, since they panicked.
fn panicked(rows: u64) -> Option<anyhow::Error> {
    let rows = (rows > 0).then(|| plural(rows, "row"))?;
    Some(anyhow!(
        "a fault of this program: the search of {rows} panicked; `panic` marks them in the output"
    ))
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// What a name stands for, if that is a file, or would be one.
#[derive(PartialEq, Eq)]
enum Place {
    /// A file by its device and number, whatever its names.
    #[cfg(unix)]
    File(u64, u64),
    /// A file by its full path.
    Path(PathBuf),
}

/// The place of a file; `None` for what is no file, such as a pipe. `-` stands for what is open as
/// `standard`.
fn place(name: &Path, standard: &str) -> Option<Place> {
    let name = if name == Path::new("-") { Path::new(standard) } else { name };
    match std::fs::metadata(name) {
        #[cfg(unix)]
        Ok(metadata) => {
            use std::os::unix::fs::MetadataExt;
            metadata.is_file().then(|| Place::File(metadata.dev(), metadata.ino()))
        }
        #[cfg(not(unix))]
        Ok(metadata) => metadata.is_file().then(|| canonicalize(name).ok().map(Place::Path))?,
        Err(_) => {
            let folder = name.parent().filter(|folder| *folder != Path::new(""));
            let folder = canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
            Some(Place::Path(folder.join(name.file_name()?)))
        }
    }
}

/// An interrupt that follows another one so soon is the same one: some tools signal a program and
/// then its group.
const ONE_INTERRUPT: Duration = Duration::from_millis(200);

/// When the first interrupt came.
static FIRST: OnceLock<Instant> = OnceLock::new();

/// Whether there was an interrupt. The flag alone does not tell: a failing output sets it too.
fn was_interrupted() -> bool {
    FIRST.get().is_some()
}

/// The flag that Ctrl-C sets. A second Ctrl-C ends the program at once.
fn interrupt() -> &'static AtomicBool {
    static FLAG: AtomicBool = AtomicBool::new(false);
    // Without a handler Ctrl-C simply kills, which is no reason not to work.
    let _ = ctrlc::set_handler(|| {
        let first = FIRST.get_or_init(Instant::now);
        if FLAG.swap(true, Ordering::Relaxed) && first.elapsed() > ONE_INTERRUPT {
            std::process::exit(130);
        }
    });
    &FLAG
}
