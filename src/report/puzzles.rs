//! `puzzles.csv`: one row for each puzzle and variant.

use super::PuzzleFile;
use super::folder::FolderError;
use crate::digest::hex;
use crate::solver::Counts;
use csv::Writer;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

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
            Ok(out) => Hashing { out, hash: Sha256::new() },
            Err(source) => return Err(FolderError { path, source }),
        };
        let mut writer =
            csv::WriterBuilder::new().has_headers(false).buffer_capacity(1 << 16).from_writer(file);
        match writer.write_record(COLUMNS) {
            Ok(()) => Ok(PuzzlesWriter { path, writer }),
            Err(error) => Err(FolderError { path, source: error.into() }),
        }
    }

    /// Appends what one variant did on the puzzle at `line` of `file`, taken as it stands there
    /// (form 0), with its shortest and its median time in nanoseconds if it was timed.
    ///
    /// # Errors
    /// When writing fails.
    pub fn write(
        &mut self,
        (file, line): (&str, u64),
        (variant, status): (&str, &str),
        counts: &Counts,
        times: Option<(u64, u64)>,
    ) -> Result<(), FolderError> {
        let row = ((file, line, 0, variant, status), counts, times.unzip());
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

/// Passes bytes on and hashes them.
struct Hashing<W> {
    out: W,
    hash: Sha256,
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.hash.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
