//! Where the bytes come from.

mod archive;
mod compressed;
mod kept;
#[cfg(feature = "parquet")]
mod parquet;
mod patient;
mod portions;
mod text;

use super::EMBEDDED;
use crate::digest::hex;
use archive::MAGIC;
use compressed::{Compression, Members};
use kept::Kept;
use patient::Patient;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use text::Text;
use thiserror::Error;

/// The input could not be made ready to be read.
#[derive(Debug, Error)]
pub enum InputError {
    /// It could not be opened.
    #[error("cannot open `{name}`")]
    Open {
        /// The name of the input.
        name: String,
        /// The reason.
        source: io::Error,
    },
    /// Its first bytes could not be read, or tell that it cannot be decoded.
    #[error("cannot read `{name}`")]
    Read {
        /// The name of the input.
        name: String,
        /// The reason.
        source: io::Error,
    },
}

/// How [`Input::decoded`] decodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Decoding {
    /// Lets compressed data ask for as much as 2 GiB of memory. Otherwise the windows of zstd may
    /// have 32 MiB, and xz may take 128 MiB in all.
    pub long_window: bool,
}

/// A named stream of bytes that counts what was read from it.
pub struct Input {
    name: String,
    /// Of a file that is named.
    path: Option<PathBuf>,
    length: Option<u64>,
    bytes: Bytes,
    read: Arc<AtomicU64>,
    /// The hash of the bytes so far, where the end is still to come and somebody wants it.
    hash: Option<(Sha256, InputHash)>,
    /// What the bytes were decoded from. They then come from another input, which counts and
    /// hashes them as they are stored.
    decoded_from: Option<&'static str>,
}

enum Bytes {
    Seekable(Box<dyn ReadSeek + Send>),
    Stream(Box<dyn Read + Send>),
}

trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

/// Tells the hash of an [`Input`] that was [`hashed`](Input::hashed), whoever reads it.
#[derive(Clone, Debug, Default)]
pub struct InputHash(Arc<OnceLock<String>>);

impl InputHash {
    /// The SHA-256 of all bytes as they are stored, in lower-case hexadecimal, once the end of the
    /// input has been read.
    pub fn get(&self) -> Option<&str> {
        self.0.get().map(String::as_str)
    }

    fn tell(&self, hash: Sha256) {
        self.0.get_or_init(|| hex(&hash.finalize()));
    }
}

impl Input {
    /// Opens a file, or standard input when `path` is `-`. What is shown of a path that is not
    /// UTF-8 has U+FFFD in it.
    ///
    /// A pipe may keep its reader waiting for ever. When `interrupt` is given and set meanwhile,
    /// reading fails.
    ///
    /// # Errors
    /// When the file cannot be opened, or is a folder.
    pub fn open(
        path: impl AsRef<Path>,
        interrupt: Option<&'static AtomicBool>,
    ) -> Result<Self, InputError> {
        let path = path.as_ref();
        let name = &*path.to_string_lossy();
        let waiting = |reader: Box<dyn Read + Send>| match interrupt {
            Some(interrupt) => Input::from_reader(name, None, Patient::new(reader, interrupt)),
            None => Input::from_reader(name, None, reader),
        };
        if path == Path::new("-") {
            return Ok(waiting(Box::new(io::stdin())));
        }
        let opened = File::open(path).and_then(|file| {
            let metadata = file.metadata()?;
            if metadata.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            Ok((metadata.is_file().then_some(metadata.len()), file))
        });
        match opened {
            Ok((Some(length), file)) => {
                Ok(Input { path: Some(path.into()), ..Input::seekable(name, length, file) })
            }
            Ok((None, pipe)) => Ok(waiting(Box::new(pipe))),
            Err(source) => Err(InputError::Open { name: name.into(), source }),
        }
    }

    /// The data set inside the binary, named `embedded`.
    pub fn embedded() -> Self {
        Input::seekable("embedded", EMBEDDED.len() as u64, Cursor::new(EMBEDDED))
    }

    /// An input from any reader, with its length in bytes where that is known.
    pub fn from_reader(
        name: &str,
        length: Option<u64>,
        reader: impl Read + Send + 'static,
    ) -> Self {
        Input::new(name, length, Bytes::Stream(Box::new(reader)))
    }

    fn seekable(name: &str, length: u64, reader: impl Read + Seek + Send + 'static) -> Self {
        Input::new(name, Some(length), Bytes::Seekable(Box::new(reader)))
    }

    fn new(name: &str, length: Option<u64>, bytes: Bytes) -> Self {
        Input {
            name: name.into(),
            path: None,
            length,
            bytes,
            read: Arc::default(),
            hash: None,
            decoded_from: None,
        }
    }

    /// The same input, and where its hash will be found when it was read to its end from the
    /// start. This comes before [`decoded`](Input::decoded), so that it is the hash of the bytes as
    /// they are stored.
    pub fn hashed(mut self) -> (Self, InputHash) {
        let hash = InputHash::default();
        self.hash = Some((Sha256::new(), hash.clone()));
        (self, hash)
    }

    /// The text of the input, whose first bytes tell how it is stored: gzip, bzip2, xz and zstd are
    /// decompressed, member after member; UTF-16 with a byte order mark, compressed or not, becomes
    /// UTF-8; with the cargo feature `parquet`, the flat columns of a Parquet file become CSV.
    /// What is none of these, whatever its name, stays as it is.
    ///
    /// Length, counter and hash go on speaking of the bytes as they are stored. What was decoded is
    /// a stream: [`rereadable`](Input::rereadable), which comes afterwards, keeps it in memory.
    ///
    /// Data that is damaged or ends too early is an error of the reading, behind all that could be
    /// decoded before.
    ///
    /// # Errors
    /// When the first bytes cannot be read, or are those of an archive, or of a Parquet file that
    /// cannot be decoded.
    pub fn decoded(mut self, decoding: Decoding) -> Result<Self, InputError> {
        let (name, length, read) = (self.name.clone(), self.length, self.bytes_read());
        let path = self.path.clone();
        let fault = |source| InputError::Read { name: name.clone(), source };
        let head = self.head().map_err(fault)?;
        let (text, from): (Box<dyn Read + Send>, _) =
            if let Some(compression) = Compression::of(&head) {
                let members = Members::new(self, compression, decoding.long_window);
                (Box::new(Text::new(members)), compression.name())
            } else if text::is_utf16(&head) {
                (Box::new(Text::new(self)), "UTF-16")
            } else if head.starts_with(b"PAR1") {
                (self.parquet().map_err(fault)?, "Parquet")
            } else if let Some(what) = archive::foreign(&head) {
                return Err(fault(io::Error::new(io::ErrorKind::Unsupported, what)));
            } else {
                return Ok(self);
            };
        let (bytes, decoded_from) = (Bytes::Stream(text), Some(from));
        Ok(Input { name, path, length, bytes, read, hash: None, decoded_from })
    }

    /// The first [`MAGIC`] bytes, fewer if there are no more, which stay to be read.
    fn head(&mut self) -> io::Result<Vec<u8>> {
        let mut head = Vec::with_capacity(MAGIC);
        match &mut self.bytes {
            Bytes::Seekable(bytes) => {
                let count = bytes.take(MAGIC as u64).read_to_end(&mut head)?;
                bytes.seek_relative(-(count as i64))?;
            }
            Bytes::Stream(stream) => {
                let count = stream.take(MAGIC as u64).read_to_end(&mut head)?;
                let start = Cursor::new(head.clone());
                // A stream that has ended is not asked again.
                let rest = std::mem::replace(stream, Box::new(io::empty()));
                *stream = if count < MAGIC { Box::new(start) } else { Box::new(start.chain(rest)) };
            }
        }
        Ok(head)
    }

    #[cfg(feature = "parquet")]
    fn parquet(self) -> io::Result<Box<dyn Read + Send>> {
        match (self.bytes, self.length) {
            (Bytes::Seekable(file), Some(length)) => {
                let stored = parquet::Stored::new(file, length, self.read);
                Ok(Box::new(parquet::Rows::new(stored, self.hash)?))
            }
            _ => Err(io::Error::new(
                io::ErrorKind::NotSeekable,
                "a Parquet file is read from its end, so it cannot come from a pipe; name the file",
            )),
        }
    }

    #[cfg(not(feature = "parquet"))]
    fn parquet(self) -> io::Result<Box<dyn Read + Send>> {
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "it is a Parquet file; a program built with the cargo feature `parquet` reads these",
        ))
    }

    /// The same input, which can be read again: what comes from a pipe, standard input or
    /// [`Input::from_reader`], or was [`decoded`](Input::decoded), is kept in memory as it is read.
    /// Other files and the embedded data set are read again where they are.
    pub fn rereadable(mut self) -> Self {
        if let Bytes::Stream(stream) = self.bytes {
            self.bytes = Bytes::Seekable(Box::new(Kept::new(stream)));
        }
        self
    }

    /// The name as it was typed.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The path of a file that can be opened again; `None` for pipes and the embedded data set.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// What the text was [`decoded`](Input::decoded) from: `gzip`, `bzip2`, `xz`, `zstd`, `UTF-16`
    /// or `Parquet`; `None` if it is stored as it is.
    pub fn decoded_from(&self) -> Option<&'static str> {
        self.decoded_from
    }

    /// Length in bytes, unless the input is a pipe.
    pub fn length(&self) -> Option<u64> {
        self.length
    }

    /// A counter of the bytes read so far, for another thread to watch. What is read again counts
    /// again.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.read)
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = match &mut self.bytes {
            Bytes::Seekable(bytes) => bytes.read(buffer)?,
            Bytes::Stream(bytes) => bytes.read(buffer)?,
        };
        if self.decoded_from.is_none() {
            self.read.fetch_add(count as u64, Ordering::Relaxed);
        }
        if let Some((hash, _)) = &mut self.hash {
            hash.update(&buffer[..count]);
        }
        let is_end = count == 0 && !buffer.is_empty();
        if let Some((hash, told)) = self.hash.take_if(|_| is_end) {
            told.tell(hash);
        }
        Ok(count)
    }
}

impl Seek for Input {
    /// Fails for a stream, such as a decoded one, that was not made [`rereadable`](Input::rereadable); one that was can go
    /// back, but not beyond what was read. A hash whose end was not reached is given up.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.hash = None;
        match &mut self.bytes {
            Bytes::Seekable(bytes) => bytes.seek(to),
            Bytes::Stream(_) => Err(io::ErrorKind::NotSeekable.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives out the bytes of another reader in small portions.
    pub(super) struct Trickle<R>(pub(super) R, pub(super) usize);

    impl<R: Read> Read for Trickle<R> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = buffer.len().min(self.1);
            self.0.read(&mut buffer[..count])
        }
    }

    /// Cannot be read.
    pub(super) struct Broken;

    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let level = flate2::Compression::default();
        flate2::bufread::GzEncoder::new(text, level).read_to_end(&mut bytes).unwrap();
        bytes
    }

    fn decoded(input: Input) -> Input {
        input.decoded(Decoding::default()).unwrap()
    }

    #[test]
    fn counter_and_hash_speak_of_the_bytes_as_they_are_stored() {
        let stored = gzip(&TEXT.repeat(1000));
        let of_stored = hex(&Sha256::digest(&stored));
        let length = stored.len() as u64;
        let (file, pipe) = (Cursor::new(stored.clone()), Cursor::new(stored));
        for input in
            [Input::seekable("file", length, file), Input::from_reader("pipe", Some(length), pipe)]
        {
            let (input, hash) = input.hashed();
            let mut input = decoded(input);
            assert_eq!(input.decoded_from(), Some("gzip"));
            assert_eq!(input.length(), Some(length));
            input.read_exact(&mut vec![0; 9000]).unwrap();
            assert_eq!(input.read(&mut [0; 8]).unwrap(), 0);
            assert_eq!(input.bytes_read().load(Ordering::Relaxed), length);
            assert_eq!(hash.get(), Some(&*of_stored));
        }
    }

    #[test]
    fn what_is_not_encoded_stays_as_it_is() {
        for text in [&b""[..], b"5", b"53", b"BZh9", &[0x1f], TEXT] {
            let (input, hash) =
                Input::seekable("file", text.len() as u64, Cursor::new(text)).hashed();
            let mut file = decoded(input);
            assert_eq!(file.decoded_from(), None);
            let mut found = Vec::new();
            file.read_to_end(&mut found).unwrap();
            assert_eq!(found, text);
            assert_eq!(hash.get(), Some(&*hex(&Sha256::digest(text))));
            file.rewind().unwrap();

            let (input, hash) = Input::from_reader("pipe", None, Trickle(text, 1)).hashed();
            let mut pipe = decoded(input);
            found.clear();
            pipe.read_to_end(&mut found).unwrap();
            assert_eq!(found, text);
            assert_eq!(pipe.bytes_read().load(Ordering::Relaxed), text.len() as u64);
            assert_eq!(hash.get(), Some(&*hex(&Sha256::digest(text))));
            assert!(pipe.rewind().is_err());
        }
    }

    #[test]
    fn what_was_decoded_can_be_read_again_when_it_is_kept() {
        let file = Input::seekable("file", 9, Cursor::new(gzip(TEXT)));
        let mut input = decoded(file).rereadable();
        assert_eq!(io::read_to_string(&mut input).unwrap().as_bytes(), TEXT);
        input.seek(SeekFrom::Start(5)).unwrap();
        assert_eq!(io::read_to_string(&mut input).unwrap(), "....");
    }

    #[test]
    fn an_input_that_cannot_be_read_is_named() {
        let error = Input::from_reader("pipe", None, Broken).decoded(Decoding::default());
        assert_eq!(error.err().unwrap().to_string(), "cannot read `pipe`");
    }

    const TEXT: &[u8] = b"53..7....";

    /// `sha256sum` of [`TEXT`].
    const HASH: &str = "3cd1be7add1c72092a595b697df1e059a1eb8920fcd46b31c57a0f52e8e20cca";

    #[test]
    fn the_hash_is_known_at_the_end_and_not_before() {
        let (mut input, hash) = Input::from_reader("text", None, TEXT).hashed();
        input.read_exact(&mut [0; TEXT.len()]).unwrap();
        assert_eq!(input.read(&mut []).unwrap(), 0);
        assert_eq!(hash.get(), None);
        assert_eq!(input.read(&mut [0; 8]).unwrap(), 0);
        assert_eq!(hash.get(), Some(HASH));
    }

    #[test]
    fn the_hash_is_not_disturbed_by_what_is_read_again() {
        let (input, hash) = Input::from_reader("text", None, TEXT).hashed();
        let mut input = input.rereadable();
        io::copy(&mut input, &mut io::sink()).unwrap();
        input.seek(SeekFrom::Start(5)).unwrap();
        assert_eq!(io::read_to_string(&mut input).unwrap(), "....");
        assert_eq!(hash.get(), Some(HASH));
    }

    #[test]
    fn there_is_no_hash_of_what_was_not_read_in_order() {
        let (input, hash) = Input::from_reader("text", None, TEXT).hashed();
        let mut input = input.rereadable();
        input.read_exact(&mut [0; 5]).unwrap();
        input.seek(SeekFrom::Start(2)).unwrap();
        assert_eq!(io::read_to_string(&mut input).unwrap(), "..7....");
        assert_eq!(hash.get(), None);
    }

    #[test]
    fn a_stream_can_go_back_when_it_is_kept_and_only_there() {
        let mut stream = Input::from_reader("text", None, TEXT);
        assert_eq!(stream.rewind().unwrap_err().kind(), io::ErrorKind::NotSeekable);
        let mut kept = stream.rereadable();
        kept.read_exact(&mut [0; 4]).unwrap();
        assert_eq!(kept.seek(SeekFrom::Start(5)).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        kept.rewind().unwrap();
        assert_eq!(io::read_to_string(&mut kept).unwrap().as_bytes(), TEXT);
    }

    #[test]
    fn a_terminal_is_not_asked_again_after_its_end() {
        /// Has nothing to say, and says so once.
        struct Terminal(bool);
        impl Read for Terminal {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                assert!(!std::mem::replace(&mut self.0, true), "asked again");
                Ok(0)
            }
        }
        let input = Input::from_reader("-", None, Terminal(false));
        let mut input = decoded(input).rereadable();
        assert_eq!(io::copy(&mut input, &mut io::sink()).unwrap(), 0);
        input.rewind().unwrap();
        assert_eq!(io::copy(&mut input, &mut io::sink()).unwrap(), 0);
    }
}
