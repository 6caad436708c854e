//! How a command ended, and the one place where that becomes an exit code.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;
use thiserror::Error;

/// The arguments are fine one by one, but not for this command or with each other.
#[derive(Debug, Error)]
#[error("{0}")]
pub(crate) struct Usage(String);

impl Usage {
    pub(crate) fn new(reason: impl Display) -> Self {
        Usage(reason.to_string())
    }
}

/// What happened on the way. Several can apply; the gravest decides the exit code.
#[derive(Debug, Default)]
pub(crate) struct Ending {
    /// An interrupt ended the work early; what was finished is written.
    pub(crate) interrupted: bool,
    /// The command failed.
    pub(crate) failure: Option<anyhow::Error>,
    /// An answer was wrong.
    pub(crate) wrong: bool,
    /// What was to be checked has become worse than it may.
    pub(crate) gated: bool,
    /// There were rows that are no grids.
    pub(crate) malformed: bool,
}

impl Ending {
    /// Prints the failure, if there is one, and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        let misused = self.failure.as_ref().is_some_and(|error| error.is::<Usage>());
        let failed = self.failure.is_some_and(|error| {
            // Whoever closed the pipe has seen enough.
            let closed = is_closed_pipe(&error);
            if !closed {
                note(format_args!("error: {error:#}"));
            }
            !closed
        });
        ExitCode::from(match () {
            () if self.interrupted => 130,
            () if misused => 2,
            () if failed => 1,
            () if self.wrong => 4,
            () if self.gated => 3,
            () if self.malformed => 5,
            () => 0,
        })
    }
}

impl From<anyhow::Error> for Ending {
    fn from(error: anyhow::Error) -> Self {
        Ending { failure: Some(error), ..Ending::default() }
    }
}

/// Writes a line to standard error. Unlike `eprintln`, it does not panic when nobody listens.
pub(crate) fn note(line: impl Display) {
    let _ = writeln!(io::stderr(), "{}", harmless(&line.to_string()));
}

/// A text without what a terminal would obey, as the names of files may have it.
pub(crate) fn harmless(text: &str) -> String {
    text.replace(|character: char| character.is_control() && character != '\n', "\u{fffd}")
}

/// Whether the reason is that nobody reads our output any more.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
    })
}
