//! A progress line on standard error, drawn from a thread of its own.

use crate::ending::{harmless, note};
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
    /// As much as can be done in this time.
    Time(Duration),
}

/// Draws until it is dropped. Counting does no more than add to an atomic.
pub(crate) struct Progress {
    rows: Arc<AtomicU64>,
    /// Rows to be done, 0 while that is not known.
    expected: Arc<AtomicU64>,
    drawing: Option<(Sender<String>, JoinHandle<()>)>,
}

impl Progress {
    /// Starts drawing, unless it is not wanted or standard error is not a terminal.
    pub(crate) fn start(label: &str, work: Work, quiet: bool) -> Self {
        let [rows, expected]: [Arc<AtomicU64>; 2] = Default::default();
        let drawing = (!quiet && stderr().is_terminal()).then(|| {
            let (lines, printed) = channel::<String>();
            let (rows, expected) = (Arc::clone(&rows), Arc::clone(&expected));
            let label = label.to_owned();
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
                    bar.set_position(match (&work, expected.load(Ordering::Relaxed)) {
                        (Work::Time(_), _) => start.elapsed().as_millis() as u64,
                        (Work::Bytes(read, _), 0) => read.load(Ordering::Relaxed),
                        (Work::Bytes(..), rows) => {
                            bar.set_length(rows);
                            done
                        }
                        (Work::Items(_), _) => done,
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
        Progress { rows, expected, drawing }
    }

    /// Says how many rows there are to be done, when reading them is over before that.
    pub(crate) fn expect(&self, rows: u64) {
        self.expected.store(rows, Ordering::Relaxed);
    }

    /// Prints a line to standard error, above the progress if that is drawn.
    pub(crate) fn print(&self, line: &str) {
        match &self.drawing {
            Some((lines, _)) => {
                let _ = lines.send(harmless(line));
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
    let length = match work {
        Work::Bytes(_, length) => *length,
        Work::Items(items) => Some(*items),
        Work::Time(time) => Some(time.as_millis() as u64),
    };
    let template = match length {
        None => "{prefix} {spinner} {msg}, {elapsed}",
        Some(_) => "{prefix} {wide_bar} {percent} %, {msg}, {eta} left",
    };
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr());
    bar.set_style(ProgressStyle::with_template(template).expect("a fixed template"));
    bar.set_prefix(harmless(label));
    bar
}
