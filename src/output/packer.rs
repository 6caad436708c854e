//! Compresses what is written, in parts that can be read on their own.

use flate2::write::GzEncoder;
use std::io::{self, Write};
use std::path::Path;
use thiserror::Error;
use zstd::stream::write::Encoder as ZstdEncoder;

/// Ends of file names that promise what cannot be written here.
const UNKNOWN: [&str; 12] =
    ["7z", "br", "bz2", "lz4", "lzma", "parquet", "tar", "tgz", "xlsx", "xz", "zip", "zstd"];

/// The end of a file name promises what cannot be written here.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`.{end}` files cannot be written; names that end in .gz or .zst give compressed ones")]
pub struct UnknownPacking {
    /// The end.
    pub end: String,
}

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Not at all.
    Plain,
    /// gzip, at its usual level.
    Gzip,
    /// Zstandard, at its usual level.
    Zstd,
}

impl Packing {
    /// What the end of a file name asks for: `.gz`, `.zst`, or anything else.
    ///
    /// # Errors
    /// When it asks for what cannot be written: a file of that name would not be what it says.
    pub fn of(path: &Path) -> Result<Self, UnknownPacking> {
        let end = path.extension().unwrap_or_default().to_ascii_lowercase();
        match end.to_str().unwrap_or_default() {
            "gz" => Ok(Packing::Gzip),
            "zst" => Ok(Packing::Zstd),
            end if UNKNOWN.contains(&end) => Err(UnknownPacking { end: end.into() }),
            _ => Ok(Packing::Plain),
        }
    }
}

/// A writer that compresses.
///
/// Its output is a sequence of whole gzip members or Zstandard frames, each of which begins with
/// the first write after [`end_part`](Packer::end_part). Without a last `end_part` the output is
/// not complete. It does not buffer plain text.
pub struct Packer<W: Write> {
    packing: Packing,
    /// `None` after a failure that took the writer with it.
    part: Option<Part<W>>,
}

enum Part<W: Write> {
    /// Plain text, or between two parts.
    Plain(W),
    Gzip(GzEncoder<W>),
    Zstd(ZstdEncoder<'static, W>),
}

impl<W: Write> Packer<W> {
    /// Nothing is written before the first byte.
    pub fn new(out: W, packing: Packing) -> Self {
        Packer { packing, part: Some(Part::Plain(out)) }
    }

    /// Ends a part: what was written so far can be decompressed, whatever becomes of the rest.
    ///
    /// # Errors
    /// When writing fails, now or before.
    pub fn end_part(&mut self) -> io::Result<()> {
        let mut out = match self.part.take().ok_or_else(gone)? {
            Part::Plain(out) => out,
            Part::Gzip(encoder) => encoder.finish()?,
            Part::Zstd(encoder) => encoder.finish()?,
        };
        let flushed = out.flush();
        self.part = Some(Part::Plain(out));
        flushed
    }

    fn begin_part(&mut self) -> io::Result<()> {
        self.part = match (self.part.take(), self.packing) {
            (Some(Part::Plain(out)), Packing::Gzip) => {
                Some(Part::Gzip(GzEncoder::new(out, flate2::Compression::default())))
            }
            (Some(Part::Plain(out)), Packing::Zstd) => {
                Some(Part::Zstd(ZstdEncoder::new(out, zstd::DEFAULT_COMPRESSION_LEVEL)?))
            }
            (part, _) => part,
        };
        Ok(())
    }
}

impl<W: Write> Write for Packer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begin_part()?;
        match self.part.as_mut().ok_or_else(gone)? {
            Part::Plain(out) => out.write(bytes),
            Part::Gzip(encoder) => encoder.write(bytes),
            Part::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.part.as_mut().ok_or_else(gone)? {
            Part::Plain(out) => out.flush(),
            Part::Gzip(encoder) => encoder.flush(),
            Part::Zstd(encoder) => encoder.flush(),
        }
    }
}

fn gone() -> io::Error {
    io::Error::other("the output has failed before")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    /// Writes `parts` and returns the compressed bytes, with their length after each.
    fn pack(packing: Packing, parts: &[&[u8]]) -> (Vec<u8>, Vec<usize>) {
        let mut bytes = Vec::new();
        let mut lengths = Vec::new();
        for part in parts {
            let mut packer = Packer::new(&mut bytes, packing);
            packer.write_all(part).unwrap();
            packer.end_part().unwrap();
            packer.end_part().unwrap();
            drop(packer);
            lengths.push(bytes.len());
        }
        (bytes, lengths)
    }

    fn unpack(packing: Packing, bytes: &[u8]) -> Vec<u8> {
        let mut text = Vec::new();
        match packing {
            Packing::Plain => text.extend_from_slice(bytes),
            Packing::Gzip => {
                flate2::read::MultiGzDecoder::new(bytes).read_to_end(&mut text).map(drop).unwrap();
            }
            Packing::Zstd => text = zstd::decode_all(bytes).unwrap(),
        }
        text
    }

    const ALL: [Packing; 3] = [Packing::Plain, Packing::Gzip, Packing::Zstd];

    #[test]
    fn a_file_cut_between_two_parts_is_whole() {
        for packing in ALL {
            let (bytes, lengths) = pack(packing, &[b"53..7\n", b"", b"6..195\n"]);
            assert_eq!(unpack(packing, &bytes), b"53..7\n6..195\n");
            assert_eq!(lengths[0], lengths[1], "nothing makes no part");
            assert_eq!(unpack(packing, &bytes[..lengths[0]]), b"53..7\n");
        }
    }

    #[test]
    fn parts_of_one_packer_are_one_text() {
        for packing in ALL {
            let mut bytes = Vec::new();
            let mut packer = Packer::new(&mut bytes, packing);
            for _ in 0..3 {
                packer.write_all(b"53..7\n").unwrap();
                packer.end_part().unwrap();
            }
            drop(packer);
            assert_eq!(unpack(packing, &bytes), b"53..7\n".repeat(3));
        }
    }

    #[test]
    fn a_failure_is_told_and_not_forgotten() {
        /// A disk without room.
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        for packing in [Packing::Gzip, Packing::Zstd] {
            let mut packer = Packer::new(Full, packing);
            let failed = packer.write_all(b"53..7").and_then(|()| packer.end_part());
            assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
            assert!(packer.write_all(b"6").and_then(|()| packer.end_part()).is_err());
        }
    }

    #[test]
    fn the_end_of_the_name_decides() {
        let of = |name: &str| Packing::of(Path::new(name));
        assert_eq!(of("a/b.csv.gz"), Ok(Packing::Gzip));
        assert_eq!(of("b.CSV.ZST"), Ok(Packing::Zstd));
        for plain in ["gz", ".gz", "b.csv", "-", ".xz"] {
            assert_eq!(of(plain), Ok(Packing::Plain), "{plain}");
        }
        for end in UNKNOWN {
            assert!(of(&format!("b.csv.{end}")).is_err(), "{end}");
        }
    }
}
