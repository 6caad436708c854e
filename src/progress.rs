//! A progress line on standard error, drawn from a thread of its own.

use crate::ending::note;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Redraws this often.
const TICK: Duration = Duration::from_millis(250);

/// What there is to do, and how much of it.
pub(crate) enum Work {
    /// Bytes of input, of which the counter tells those read; the length is not always known.
    Bytes(Arc<AtomicU64>, Option<u64>),
    /// As many items as there are.
    Items(u64),
}

/// Draws until it is dropped. Counting does no more than add to an atomic.
pub(crate) struct Progress {
    rows: Arc<AtomicU64>,
    drawing: Option<(Sender<String>, JoinHandle<()>)>,
}

impl Progress {
    /// Starts drawing, unless it is not wanted or standard error is not a terminal.
    pub(crate) fn start(label: &str, work: Work, quiet: bool) -> Self {
        let rows = Arc::new(AtomicU64::new(0));
        let drawing = (!quiet && stderr().is_terminal()).then(|| {
            let (lines, printed) = channel::<String>();
            let (rows, label) = (Arc::clone(&rows), label.to_owned());
            let drawing = std::thread::spawn(move || {
                let bar = bar(&label, &work);
                let start = Instant::now();
                loop {
                    match printed.recv_timeout(TICK) {
                        Ok(line) => {
                            bar.println(line);
                            continue;
                        }
                        Err(RecvTimeoutError::Timeout) => {}
                        Err(RecvTimeoutError::Disconnected) => break,
                    }
                    let done = rows.load(Ordering::Relaxed);
                    bar.set_position(match &work {
                        Work::Bytes(read, _) => read.load(Ordering::Relaxed),
                        Work::Items(_) => done,
                    });
                    let per_second = done as f64 / start.elapsed().as_secs_f64();
                    bar.set_message(format!(
                        "{} rows, {}/s",
                        sudoku_bench::report::count(done),
                        sudoku_bench::report::rate(per_second)
                    ));
                }
                bar.finish_and_clear();
            });
            (lines, drawing)
        });
        Progress { rows, drawing }
    }

    /// Prints a line to standard error, above the progress if that is drawn.
    pub(crate) fn print(&self, line: &str) {
        match &self.drawing {
            Some((lines, _)) => {
                let _ = lines.send(line.to_owned());
            }
            None => note(line),
        }
    }

    /// Says that this many more rows are done.
    pub(crate) fn add(&self, rows: u64) {
        self.rows.fetch_add(rows, Ordering::Relaxed);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((lines, drawing)) = self.drawing.take() {
            drop(lines);
            let _ = drawing.join();
        }
    }
}

fn bar(label: &str, work: &Work) -> ProgressBar {
    let (length, template) = match work {
        Work::Bytes(_, None) => (None, "{prefix} {spinner} {msg}, {elapsed}"),
        Work::Bytes(_, length) => (*length, "{prefix} {wide_bar} {percent} %, {msg}, {eta} left"),
        Work::Items(items) => (Some(*items), "{prefix} {wide_bar} {percent} %, {msg}, {eta} left"),
    };
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr());
    bar.set_style(ProgressStyle::with_template(template).expect("a fixed template"));
    bar.set_prefix(label.to_owned());
    bar
}
