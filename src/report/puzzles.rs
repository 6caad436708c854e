//! `puzzles.csv`: one row for each puzzle and variant, and one for each row of input of which there is
//! nothing else to say.

use super::PuzzleFile;
use super::folder::FolderError;
use crate::digest::hex;
use crate::measure::Lap;
use crate::solver::{Counts, Engine};
use csv::{Reader, ReaderBuilder, StringRecord, Writer};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

const COLUMNS: [&str; 12] = [
    "file",
    "line",
    "form",
    "variant",
    "status",
    "nodes",
    "placements",
    "backtracks",
    "checks",
    "calls",
    "min_ns",
    "median_ns",
];

/// Place of the name of the variant among the columns.
const VARIANT: usize = 3;

/// Writes the file row by row, and its hash as it goes.
pub struct PuzzlesWriter {
    path: PathBuf,
    writer: Writer<Hashing<File>>,
}

impl PuzzlesWriter {
    /// Makes the file, replacing an old one, and writes the header.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn create(path: PathBuf) -> Result<Self, FolderError> {
        let file = match File::create(&path) {
            Ok(inner) => Hashing { inner, hash: Sha256::new() },
            Err(source) => return Err(FolderError { path, source }),
        };
        let mut writer =
            csv::WriterBuilder::new().has_headers(false).buffer_capacity(1 << 16).from_writer(file);
        match writer.write_record(COLUMNS) {
            Ok(()) => Ok(PuzzlesWriter { path, writer }),
            Err(error) => Err(FolderError { path, source: error.into() }),
        }
    }

    /// Appends what one variant did on a `form` of the puzzle at `line` of `file`, 0 being the puzzle
    /// as it stands there, with its shortest and its median time in nanoseconds if it was timed.
    ///
    /// # Errors
    /// When writing fails.
    pub fn write(
        &mut self,
        (file, line, form): (&str, u64, u32),
        (variant, status): (&str, &str),
        counts: &Counts,
        times: Option<(u64, u64)>,
    ) -> Result<(), FolderError> {
        self.row(&((file, line, form, variant, status), counts, times.unzip()))
    }

    /// Appends what an engine that solves many puzzles at once did: there is neither a time of one
    /// puzzle nor any counter but the nodes.
    ///
    /// # Errors
    /// When writing fails.
    pub fn write_untimed(
        &mut self,
        (file, line, form): (&str, u64, u32),
        (variant, status): (&str, &str),
        nodes: u64,
    ) -> Result<(), FolderError> {
        let counts: NodesAlone = (nodes, None, None, None, None);
        self.row(&((file, line, form, variant, status), counts, (None::<u64>, None::<u64>)))
    }

    /// Appends that no variant has a row for what stands at `line` of `file`, and by its status why. So
    /// every row of input can be counted.
    ///
    /// # Errors
    /// When writing fails.
    pub fn write_left_out(
        &mut self,
        (file, line): (&str, u64),
        status: &str,
    ) -> Result<(), FolderError> {
        self.row(&((file, line, 0, "", status), Nothing::default(), (None::<u64>, None::<u64>)))
    }

    fn row(&mut self, row: &impl Serialize) -> Result<(), FolderError> {
        self.writer
            .serialize(row)
            .map_err(|error| FolderError { path: self.path.clone(), source: error.into() })
    }

    /// Completes the file.
    ///
    /// # Errors
    /// When writing fails.
    pub fn finish(self) -> Result<PuzzleFile, FolderError> {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match self.writer.into_inner() {
            Ok(file) => Ok(PuzzleFile { name, sha256: hex(&file.hash.finalize()) }),
            Err(error) => Err(FolderError { path: self.path, source: error.into_error() }),
        }
    }
}

/// What one variant did on one puzzle, or that there is nothing to say of a row of input: the columns
/// of the file that comparisons need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PuzzleRow<'a> {
    /// The input file, as `report.json` names it.
    pub file: &'a str,
    /// Physical line of the puzzle in it.
    pub line: u64,
    /// Which of the forms of the puzzle; 0 is the puzzle as it stands there.
    pub form: u32,
    /// Name of the variant, or of a copy of the baseline; empty where the row of input is malformed,
    /// or a variant was wrong on the puzzle.
    pub variant: &'a str,
    /// Its counters and times, if it was timed.
    pub lap: Option<Lap>,
}

/// The per-puzzle file could not be read.
#[derive(Debug, Error)]
pub enum PuzzlesError {
    /// There is no such file, or it cannot be read.
    #[error("cannot read `{}`", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A row is not one of a per-puzzle file.
    #[error("`{}`, line {line}: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        reason: String,
    },
    /// The bytes are not those that the run wrote.
    #[error("`{}` was changed since its run: report.json has another SHA-256", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

/// Reads the file row by row, and checks its hash at the end.
pub struct PuzzlesReader {
    path: PathBuf,
    /// The hash that it must have.
    sha256: String,
    reader: Reader<Hashing<File>>,
    record: StringRecord,
}

impl PuzzlesReader {
    /// Opens the per-puzzle file of the run in `folder`.
    ///
    /// # Errors
    /// When it cannot be read or does not begin with the header.
    pub fn open(folder: &Path, file: &PuzzleFile) -> Result<Self, PuzzlesError> {
        let path = folder.join(&file.name);
        let inner = match File::open(&path) {
            Ok(inner) => Hashing { inner, hash: Sha256::new() },
            Err(source) => return Err(PuzzlesError::Unreadable { path, source }),
        };
        let reader =
            ReaderBuilder::new().has_headers(false).buffer_capacity(1 << 16).from_reader(inner);
        let sha256 = file.sha256.clone();
        let mut reader = PuzzlesReader { path, sha256, reader, record: StringRecord::new() };
        match reader.read() {
            Ok(_) if reader.record == COLUMNS[..] => Ok(reader),
            Ok(_) => Err(reader.damaged(1, format!("the header is not `{}`", COLUMNS.join(",")))),
            Err(error) => Err(error),
        }
    }

    /// The next row; `None` at the end of a file that is unchanged since its run.
    ///
    /// # Errors
    /// When reading fails, when a row is damaged, or when the file turns out to be changed.
    pub fn next_row(&mut self) -> Result<Option<PuzzleRow<'_>>, PuzzlesError> {
        if !self.read()? {
            let hash = hex(&self.reader.get_ref().hash.clone().finalize());
            let unchanged = hash == self.sha256;
            return if unchanged { Ok(None) } else { Err(self.changed()) };
        }
        // One that has other counters than the nodes must have them all.
        let row = match self.record.get(VARIANT) {
            Some("") => self.record.deserialize::<Row<'_, Nothing>>(None).map(untimed),
            Some(name) if name == Engine::Lanes.name() => {
                self.record.deserialize::<Row<'_, NodesAlone>>(None).map(untimed)
            }
            _ => self.record.deserialize::<Row<'_, Counts>>(None).map(|(place, counts, times)| {
                let lap = |(min_ns, median_ns)| Lap { counts, min_ns, median_ns };
                (place, times.0.zip(times.1).map(lap))
            }),
        };
        let ((file, line, form, variant, _), lap) = row.map_err(|error| self.error(error))?;
        Ok(Some(PuzzleRow { file, line, form, variant, lap }))
    }

    fn read(&mut self) -> Result<bool, PuzzlesError> {
        self.reader.read_record(&mut self.record).map_err(|error| self.error(error))
    }

    fn error(&self, error: csv::Error) -> PuzzlesError {
        let line = error.position().or(self.record.position()).map_or(1, |place| place.line());
        let reason = match error.into_kind() {
            csv::ErrorKind::Io(source) => {
                return PuzzlesError::Unreadable { path: self.path.clone(), source };
            }
            csv::ErrorKind::UnequalLengths { len, .. } => {
                format!("{len} fields instead of {}", COLUMNS.len())
            }
            csv::ErrorKind::Utf8 { err, .. } => err.to_string(),
            csv::ErrorKind::Deserialize { err, .. } => {
                let column = err.field().and_then(|field| COLUMNS.get(field as usize));
                format!("`{}`: {}", column.unwrap_or(&"row"), err.kind())
            }
            kind => format!("{kind:?}"),
        };
        self.damaged(line, reason)
    }

    fn changed(&self) -> PuzzlesError {
        PuzzlesError::Changed { path: self.path.clone() }
    }

    fn damaged(&self, line: u64, reason: String) -> PuzzlesError {
        PuzzlesError::Damaged { path: self.path.clone(), line, reason }
    }
}

/// File, line, form, variant and status.
type Place<'a> = (&'a str, u64, u32, &'a str, &'a str);

/// A row as it was written, with some counters.
type Row<'a, Counters> = (Place<'a>, Counters, (Option<u64>, Option<u64>));

/// The counters of an engine that solves many puzzles at once: the others are empty.
type NodesAlone = (u64, Option<u64>, Option<u64>, Option<u64>, Option<u64>);

/// Where nothing was counted.
type Nothing = (Option<u64>, Option<u64>, Option<u64>, Option<u64>, Option<u64>);

/// A row that has no time, whatever else it has.
fn untimed<Counters>((place, ..): Row<'_, Counters>) -> (Place<'_>, Option<Lap>) {
    (place, None)
}

/// Passes bytes on and hashes them.
struct Hashing<T> {
    inner: T,
    hash: Sha256,
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.hash.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.hash.update(&buffer[..count]);
        Ok(count)
    }
}
