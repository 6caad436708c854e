//! A Parquet file as CSV text.

use super::{InputHash, ReadSeek};
use bytes::Bytes;
use csv::QuoteStyle;
use parquet::basic::{ConvertedType, LogicalType};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, FileReader, Length};
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::schema::types::ColumnDescriptor;
use sha2::{Digest, Sha256};
use std::cell::Cell;
use std::io::{self, BufReader, Cursor, ErrorKind, Read, Seek, SeekFrom, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};

/// Rows that are made into text at a time.
const BATCH: usize = 1024;

/// The bytes as they are stored, for readers in several places of the file.
#[derive(Clone)]
pub(super) struct Stored {
    bytes: Arc<Mutex<Box<dyn ReadSeek + Send>>>,
    length: u64,
    /// Bytes read so far, each once, but for the metadata.
    read: Arc<AtomicU64>,
}

impl Stored {
    pub(super) fn new(bytes: Box<dyn ReadSeek + Send>, length: u64, read: Arc<AtomicU64>) -> Self {
        Stored { bytes: Arc::new(Mutex::new(bytes)), length, read }
    }

    fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        bytes.seek(SeekFrom::Start(at))?;
        bytes.read(buffer)
    }
}

impl Length for Stored {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for Stored {
    type T = BufReader<Part>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(BufReader::new(Part { stored: self.clone(), at: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let mut bytes = Vec::new();
        // Memory is taken as bytes come, not as a damaged file says that they would.
        let part = Part { stored: self.clone(), at: start };
        let count = part.take(length as u64).read_to_end(&mut bytes)?;
        if count < length {
            return Err(ParquetError::EOF("it ends too early".into()));
        }
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(bytes.into())
    }
}

/// Reads on from a place.
pub(super) struct Part {
    stored: Stored,
    at: u64,
}

impl Read for Part {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stored.read_at(self.at, buffer)?;
        self.at += count as u64;
        Ok(count)
    }
}

/// Reads as CSV: a header with the names of the columns, and a line for each row. Nested and
/// repeated columns are left out; a null is an empty field. Memory holds a page of each column.
pub(super) struct Rows {
    stored: Stored,
    /// What is hashed at the end: the file is not read in the order in which it is stored.
    hash: Option<(Sha256, InputHash)>,
    file: SerializedFileReader<Stored>,
    /// Places of the flat columns among all.
    flat: Vec<usize>,
    /// Row groups that were begun.
    groups: usize,
    /// The flat columns of the row group, and its rows that are still to come.
    columns: Vec<Column>,
    left: usize,
    /// Text that is still to be given out.
    text: Cursor<Vec<u8>>,
    /// Why there is no more text, if that is so.
    over: Option<std::result::Result<(), String>>,
}

impl Rows {
    pub(super) fn new(stored: Stored, hash: Option<(Sha256, InputHash)>) -> io::Result<Self> {
        guarded(|| {
            let file = SerializedFileReader::new(stored.clone())?;
            let schema = file.metadata().file_metadata().schema_descr();
            let is_flat = |column: &ColumnDescriptor| {
                column.path().parts().len() == 1 && column.max_rep_level() == 0
            };
            let flat: Vec<usize> =
                (0..schema.num_columns()).filter(|&place| is_flat(&schema.column(place))).collect();
            if flat.is_empty() {
                return Err(ParquetError::General("it has no flat columns".into()));
            }
            let mut header = csv::Writer::from_writer(Vec::new());
            let names: Vec<String> =
                flat.iter().map(|&place| schema.column(place).name().to_owned()).collect();
            header.write_record(&names).expect("in memory");
            let text = Cursor::new(header.into_inner().expect("in memory"));
            let (groups, columns, left, over) = (0, Vec::new(), 0, None);
            Ok(Rows { stored, hash, file, flat, groups, columns, left, text, over })
        })
        .map_err(|reason| io::Error::new(ErrorKind::InvalidData, reason))
    }

    /// Makes the text of the next rows, or finds that there are none.
    fn next(&mut self) -> Result<()> {
        while self.left == 0 {
            if self.groups == self.file.num_row_groups() {
                self.over = Some(Ok(()));
                return Ok(self.finish_hash()?);
            }
            let group = self.file.get_row_group(self.groups)?;
            self.groups += 1;
            self.left = usize::try_from(group.metadata().num_rows())
                .map_err(|_| ParquetError::General("a number of rows is negative".into()))?;
            let column = |&place: &usize| {
                let shows_unsigned = is_unsigned(&group.metadata().schema_descr().column(place));
                let reader = group.get_column_reader(place)?;
                Ok(Column { reader, shows_unsigned, text: Vec::new(), ends: Vec::new() })
            };
            self.columns = self.flat.iter().map(column).collect::<Result<_>>()?;
        }
        let rows = self.left.min(BATCH);
        self.left -= rows;
        self.columns.iter_mut().try_for_each(|column| column.read(rows))?;
        let mut text = std::mem::take(&mut self.text).into_inner();
        text.clear();
        // White space alone in a line would be no row.
        let style = if self.flat.len() == 1 { QuoteStyle::Always } else { QuoteStyle::Necessary };
        let mut lines = csv::WriterBuilder::new().quote_style(style).from_writer(text);
        for row in 0..rows {
            let fields = self.columns.iter().map(|column| column.field(row));
            lines.write_record(fields).expect("in memory");
        }
        self.text = Cursor::new(lines.into_inner().expect("in memory"));
        Ok(())
    }

    fn finish_hash(&mut self) -> io::Result<()> {
        let Some((hash, told)) = self.hash.take() else { return Ok(()) };
        let mut all = Part { stored: self.stored.clone(), at: 0 };
        let mut hash = Hashing(hash);
        io::copy(&mut all, &mut hash)?;
        told.tell(hash.0);
        Ok(())
    }
}

impl Read for Rows {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.text.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            if let Some(end) = &self.over {
                let fault = |reason| io::Error::new(ErrorKind::InvalidData, reason);
                return end.clone().map(|()| 0).map_err(fault);
            }
            if let Err(reason) = guarded(|| self.next()) {
                self.over = Some(Err(reason));
            }
        }
    }
}

thread_local! {
    /// Whether this thread runs what may panic over a damaged file.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs what reads the file; a panic there is taken for one more sign of damage, and nothing is
/// printed of it.
fn guarded<T>(work: impl FnOnce() -> Result<T>) -> std::result::Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_GUARDED.get() {
                usual(panic);
            }
        }));
    });
    IS_GUARDED.set(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    IS_GUARDED.set(false);
    match done {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(error)) => Err(format!("the Parquet file is damaged or not supported ({error})")),
        Err(_) => Err("the Parquet file is damaged".into()),
    }
}

struct Hashing(Sha256);

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn is_unsigned(column: &ColumnDescriptor) -> bool {
    let logical = column.logical_type_ref();
    let converted = column.converted_type();
    matches!(logical, Some(LogicalType::Integer(integer)) if !integer.is_signed)
        || matches!(converted, ConvertedType::UINT_8 | ConvertedType::UINT_16)
        || matches!(converted, ConvertedType::UINT_32 | ConvertedType::UINT_64)
}

/// A column of a row group, and its fields of some rows.
struct Column {
    reader: ColumnReader,
    shows_unsigned: bool,
    text: Vec<u8>,
    /// Where each field ends in the text.
    ends: Vec<usize>,
}

impl Column {
    fn field(&self, row: usize) -> &[u8] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.text[start..self.ends[row]]
    }

    /// Replaces the fields by those of the next rows.
    fn read(&mut self, rows: usize) -> Result<()> {
        let Column { reader, shows_unsigned, text, ends } = self;
        text.clear();
        ends.clear();
        let mut fields = Fields { rows, text, ends };
        match reader {
            ColumnReader::BoolColumnReader(reader) => fields.read_shown(reader),
            ColumnReader::Int32ColumnReader(reader) if *shows_unsigned => {
                fields.read(reader, |value, text| write!(text, "{}", value.cast_unsigned()))
            }
            ColumnReader::Int64ColumnReader(reader) if *shows_unsigned => {
                fields.read(reader, |value, text| write!(text, "{}", value.cast_unsigned()))
            }
            ColumnReader::Int32ColumnReader(reader) => fields.read_shown(reader),
            ColumnReader::Int64ColumnReader(reader) => fields.read_shown(reader),
            ColumnReader::Int96ColumnReader(reader) => fields.read_shown(reader),
            ColumnReader::FloatColumnReader(reader) => fields.read_shown(reader),
            ColumnReader::DoubleColumnReader(reader) => fields.read_shown(reader),
            ColumnReader::ByteArrayColumnReader(reader) => {
                fields.read(reader, |value, text| text.write_all(value.data()))
            }
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                fields.read(reader, |value, text| text.write_all(value.data()))
            }
        }
    }
}

/// The fields that are being read.
struct Fields<'a> {
    rows: usize,
    text: &'a mut Vec<u8>,
    ends: &'a mut Vec<usize>,
}

impl Fields<'_> {
    fn read_shown<T: DataType>(&mut self, reader: &mut ColumnReaderImpl<T>) -> Result<()>
    where
        T::T: std::fmt::Display,
    {
        self.read(reader, |value, text| write!(text, "{value}"))
    }

    fn read<T: DataType>(
        &mut self,
        reader: &mut ColumnReaderImpl<T>,
        show: impl Fn(&T::T, &mut Vec<u8>) -> io::Result<()>,
    ) -> Result<()> {
        while self.ends.len() < self.rows {
            let (mut levels, mut values) = (Vec::new(), Vec::new());
            let wanted = self.rows - self.ends.len();
            let (rows, _, _) = reader.read_records(wanted, Some(&mut levels), None, &mut values)?;
            if rows == 0 {
                return Err(ParquetError::EOF("a column ends too early".into()));
            }
            let mut values = values.iter();
            for row in 0..rows {
                // A column that knows no nulls has no levels.
                if levels.get(row).is_none_or(|&level| level > 0) {
                    let missing = || ParquetError::EOF("a value is missing".into());
                    show(values.next().ok_or_else(missing)?, self.text)?;
                }
                self.ends.push(self.text.len());
            }
        }
        Ok(())
    }
}
