//! Compressed bytes, and how to tell them from others.

use super::portions::Portions;
use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use liblzma::bufread::XzDecoder;
use liblzma::stream::{Error as XzError, Stream};
use std::io::{self, BufRead, ErrorKind, Read};
use zstd::stream::read::Decoder as ZstdDecoder;

/// So many first bytes tell what a file is.
pub(super) const MAGIC: usize = 6;

/// A kind of compressed data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    Gzip,
    Bzip2,
    Xz,
    Zstd,
}

impl Compression {
    /// What begins with these [`MAGIC`] bytes, or fewer if there are no more.
    pub(super) fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0x1f, 0x8b, ..] => Some(Compression::Gzip),
            // A block, or the end of a file without one, follows the level.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, ..]
            | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, ..] => Some(Compression::Bzip2),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Compression::Xz),
            // The second is a frame that decoders skip; some tools begin files with it.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
                Some(Compression::Zstd)
            }
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Compression::Gzip => "gzip",
            Compression::Bzip2 => "bzip2",
            Compression::Xz => "xz",
            Compression::Zstd => "zstd",
        }
    }
}

/// How much memory the compressed data may ask for.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Binary logarithm of the largest zstd window, in bytes.
    zstd_window_log: u32,
    /// What xz may take in all, in bytes: `xz -9` needs 65 MiB.
    xz_memory: u64,
}

const USUAL: Limits = Limits { zstd_window_log: 25, xz_memory: 128 << 20 };
const LONG: Limits = Limits { zstd_window_log: 31, xz_memory: 2 << 30 };

/// Decodes compressed data: one member after the other, whether the format calls them members,
/// streams or frames. Zeros behind the last one are padding.
pub(super) struct Members<R> {
    state: State<R>,
    /// The kind of the first member.
    compression: Compression,
    long_window: bool,
}

enum State<R> {
    Between(Portions<R>),
    Within(Compression, Box<dyn Member<R>>),
    /// The end, or the reason why there is no more.
    Over(Result<(), String>),
}

/// One member's decoder.
trait Member<R>: Read + Send {
    /// What stands behind the member.
    fn into_rest(self: Box<Self>) -> Portions<R>;
}

impl<R: Read + Send> Member<R> for GzDecoder<Portions<R>> {
    fn into_rest(self: Box<Self>) -> Portions<R> {
        self.into_inner()
    }
}

impl<R: Read + Send> Member<R> for BzDecoder<Portions<R>> {
    fn into_rest(self: Box<Self>) -> Portions<R> {
        self.into_inner()
    }
}

impl<R: Read + Send> Member<R> for XzDecoder<Portions<R>> {
    fn into_rest(self: Box<Self>) -> Portions<R> {
        self.into_inner()
    }
}

impl<R: Read + Send> Member<R> for ZstdDecoder<'static, Portions<R>> {
    fn into_rest(self: Box<Self>) -> Portions<R> {
        self.into_inner()
    }
}

impl<R: Read + Send + 'static> Members<R> {
    /// `source` begins with the magic bytes of `compression`.
    pub(super) fn new(source: R, compression: Compression, long_window: bool) -> Self {
        Members { state: State::Between(Portions::new(source)), compression, long_window }
    }

    /// What comes between two members, or behind the last.
    fn next(&self, mut rest: Portions<R>) -> io::Result<State<R>> {
        let head = rest.peek(MAGIC)?;
        if let Some(compression) = Compression::of(head) {
            return Ok(State::Within(compression, self.begin(compression, rest)?));
        }
        while let Some(&byte) = rest.fill_buf()?.first() {
            if byte != 0 {
                return Err(io::Error::new(
                    ErrorKind::InvalidData,
                    format!("the {} data is followed by other bytes", self.compression.name()),
                ));
            }
            let zeros = rest.fill_buf()?.iter().take_while(|&&byte| byte == 0).count();
            rest.consume(zeros);
        }
        Ok(State::Over(Ok(())))
    }

    fn begin(&self, compression: Compression, rest: Portions<R>) -> io::Result<Box<dyn Member<R>>> {
        let limits = if self.long_window { LONG } else { USUAL };
        Ok(match compression {
            Compression::Gzip => Box::new(GzDecoder::new(rest)),
            Compression::Bzip2 => Box::new(BzDecoder::new(rest)),
            Compression::Xz => {
                let stream = Stream::new_stream_decoder(limits.xz_memory, 0)?;
                Box::new(XzDecoder::new_stream(rest, stream))
            }
            Compression::Zstd => {
                let mut decoder = ZstdDecoder::with_buffer(rest)?.single_frame();
                decoder.window_log_max(limits.zstd_window_log)?;
                Box::new(decoder)
            }
        })
    }

    /// What is wrong with a member, in words for the user.
    fn reason(&self, compression: Compression, error: &io::Error) -> String {
        let name = compression.name();
        let xz = error.get_ref().and_then(|error| error.downcast_ref::<XzError>());
        let allowed = match self.long_window {
            true => "",
            false => "; --long-window allows up to 2 GiB",
        };
        match compression {
            _ if error.kind() == ErrorKind::UnexpectedEof => {
                format!("the {name} data ends too early")
            }
            Compression::Zstd if error.to_string().contains("too much memory") => {
                let limit = if self.long_window { "2 GiB" } else { "32 MiB" };
                format!("the window of the zstd data is larger than {limit}{allowed}")
            }
            Compression::Xz if xz == Some(&XzError::MemLimit) => {
                let limit = if self.long_window { "2 GiB" } else { "128 MiB" };
                format!("decoding the xz data takes more than {limit} of memory{allowed}")
            }
            _ => format!("the {name} data is damaged ({error})"),
        }
    }
}

impl<R: Read + Send + 'static> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            // Unless something better comes of it, there is no more to be had.
            let fault = Err("reading failed before".to_owned());
            self.state = match std::mem::replace(&mut self.state, State::Over(fault)) {
                State::Over(end) => {
                    self.state = State::Over(end.clone());
                    return end.map(|()| 0).map_err(io::Error::other);
                }
                State::Between(rest) => self.next(rest)?,
                State::Within(compression, mut member) => match member.read(buffer) {
                    Ok(0) => State::Between(member.into_rest()),
                    Ok(count) => {
                        self.state = State::Within(compression, member);
                        return Ok(count);
                    }
                    Err(error) => {
                        let is_of_the_source = member.into_rest().failed();
                        return Err(match is_of_the_source {
                            true => error,
                            false => {
                                let reason = self.reason(compression, &error);
                                io::Error::new(ErrorKind::InvalidData, reason)
                            }
                        });
                    }
                },
            };
        }
    }
}
