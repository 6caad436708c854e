//! The form of the rows that `solve` writes.

use crate::cli::{OutputFormat, SolveArgs};
use crate::ending::Usage;
use anyhow::bail;
use sudoku_bench::dataset::{Layout, RowWriter};

/// A checked wish.
#[derive(Clone, Copy)]
pub(super) struct Form {
    format: OutputFormat,
    keeps_columns: bool,
    pub(super) unique: bool,
    pub(super) rate: bool,
    with_file: bool,
}

impl Form {
    pub(super) fn new(args: &SolveArgs) -> anyhow::Result<Self> {
        let with_file = args.files.len() > 1;
        if args.keep_columns && with_file {
            bail!(Usage::new(
                "--keep-columns takes one file, whose header is also that of the output"
            ));
        }
        let has_columns = args.keep_columns || args.unique || args.rate;
        if matches!(args.output_format, OutputFormat::Lines) && has_columns {
            bail!(Usage::new(
                "`--output-format lines` writes solutions alone; --keep-columns, --unique and \
                 --rate take columns"
            ));
        }
        Ok(Form {
            format: args.output_format,
            keeps_columns: args.keep_columns,
            unique: args.unique,
            rate: args.rate,
            with_file,
        })
    }

    /// Whether the rows say on which line they stand.
    pub(super) fn is_numbered(&self) -> bool {
        matches!(self.format, OutputFormat::Csv) && !self.keeps_columns
    }

    /// A writer for the answers to the file of this name and layout.
    pub(super) fn writer(&self, name: &str, layout: &Layout) -> anyhow::Result<RowWriter> {
        let writer = match (self.format, layout.columns()) {
            (OutputFormat::Lines, _) => RowWriter::lines(),
            (OutputFormat::Csv, Some(columns)) if self.keeps_columns => {
                RowWriter::keeping(&columns, self.unique)
            }
            (OutputFormat::Csv, _) if self.keeps_columns => {
                bail!("`{name}` has no columns that could be kept; leave --keep-columns out")
            }
            (OutputFormat::Csv, _) => RowWriter::new(self.with_file.then_some(name), self.unique),
        };
        Ok(if self.rate { writer.with_rate() } else { writer })
    }
}
