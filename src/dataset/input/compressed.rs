//! Compressed bytes, and how to tell them from others.

use super::portions::Portions;
use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use liblzma::bufread::XzDecoder;
use liblzma::stream::{Error as XzError, Stream};
use std::io::{self, BufRead, ErrorKind, Read};
use zstd::stream::read::Decoder as ZstdDecoder;

/// So many first bytes tell what is compressed.
const MAGIC: usize = 6;

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

    pub(super) fn name(self) -> &'static str {
        match self {
            Compression::Gzip => "gzip",
            Compression::Bzip2 => "bzip2",
            Compression::Xz => "xz",
            Compression::Zstd => "zstd",
        }
    }
}

/// Binary logarithm of the largest window of zstd, in bytes: usual, and long.
const ZSTD_WINDOW_LOG: [u32; 2] = [25, 31];

/// What xz may take in all, in bytes, usually, and with a long window: `xz -9` needs 65 MiB.
const XZ_MEMORY: [u64; 2] = [128 << 20, 2 << 30];

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
    Ended,
    /// There was an error: nothing more comes, and it is not the end.
    Failed,
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
        Ok(State::Ended)
    }

    fn begin(&self, compression: Compression, rest: Portions<R>) -> io::Result<Box<dyn Member<R>>> {
        let long = usize::from(self.long_window);
        Ok(match compression {
            Compression::Gzip => Box::new(GzDecoder::new(rest)),
            Compression::Bzip2 => Box::new(BzDecoder::new(rest)),
            Compression::Xz => {
                let stream = Stream::new_stream_decoder(XZ_MEMORY[long], 0)?;
                Box::new(XzDecoder::new_stream(rest, stream))
            }
            Compression::Zstd => {
                let mut decoder = ZstdDecoder::with_buffer(rest)?.single_frame();
                decoder.window_log_max(ZSTD_WINDOW_LOG[long])?;
                Box::new(decoder)
            }
        })
    }

    /// What is wrong with a member, in words for the user.
    fn reason(&self, compression: Compression, error: &io::Error) -> String {
        let name = compression.name();
        let xz = error.get_ref().and_then(|error| error.downcast_ref::<XzError>());
        let long = usize::from(self.long_window);
        let hint = ["; --long-window allows up to 2 GiB", ""][long];
        match compression {
            _ if error.kind() == ErrorKind::UnexpectedEof => {
                format!("the {name} data ends too early")
            }
            // The words of zstd are all that there is of the reason.
            Compression::Zstd if error.to_string().contains("too much memory") => {
                let limit = (1_u64 << ZSTD_WINDOW_LOG[long]) >> 20;
                format!("the window of the zstd data is larger than {limit} MiB{hint}")
            }
            Compression::Xz if xz == Some(&XzError::MemLimit) => {
                let limit = XZ_MEMORY[long] >> 20;
                format!("decoding the xz data takes more than {limit} MiB of memory{hint}")
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
            self.state = match std::mem::replace(&mut self.state, State::Failed) {
                State::Ended => {
                    self.state = State::Ended;
                    return Ok(0);
                }
                State::Failed => return Err(io::Error::other("reading failed before")),
                State::Between(rest) => self.next(rest)?,
                State::Within(compression, mut member) => match member.read(buffer) {
                    Ok(0) => State::Between(member.into_rest()),
                    Ok(count) => {
                        self.state = State::Within(compression, member);
                        return Ok(count);
                    }
                    Err(error) => {
                        if member.into_rest().failed() {
                            return Err(error);
                        }
                        let reason = self.reason(compression, &error);
                        return Err(io::Error::new(ErrorKind::InvalidData, reason));
                    }
                },
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::input::tests::{Broken, Trickle};
    use proptest::prelude::*;
    use std::io::Write;

    const ALL: [Compression; 4] =
        [Compression::Gzip, Compression::Bzip2, Compression::Xz, Compression::Zstd];

    /// One member that holds `text`.
    fn compress(compression: Compression, text: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder: Box<dyn Read> = match compression {
            Compression::Gzip => {
                Box::new(flate2::bufread::GzEncoder::new(text, flate2::Compression::fast()))
            }
            Compression::Bzip2 => {
                Box::new(bzip2::bufread::BzEncoder::new(text, bzip2::Compression::fast()))
            }
            Compression::Xz => Box::new(liblzma::bufread::XzEncoder::new(text, 0)),
            Compression::Zstd => {
                let mut encoder = zstd::stream::read::Encoder::with_buffer(text, 1).unwrap();
                encoder.include_checksum(true).unwrap();
                Box::new(encoder)
            }
        };
        encoder.read_to_end(&mut bytes).unwrap();
        bytes
    }

    fn members(compression: Compression, source: impl Read + Send + 'static) -> impl Read {
        Members::new(source, compression, false)
    }

    /// All that can be decoded, and the reason if that is not all.
    fn decode(compression: Compression, bytes: &[u8]) -> (Vec<u8>, Option<String>) {
        let mut text = Vec::new();
        let source = io::Cursor::new(bytes.to_vec());
        let end = members(compression, source).read_to_end(&mut text);
        (text, end.err().map(|error| error.to_string()))
    }

    /// Text that does not shrink much.
    fn noise(length: u32) -> Vec<u8> {
        (0..length).map(|n| (n.wrapping_mul(n) >> 7) as u8 ^ n.wrapping_mul(167) as u8).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// However the text is cut into members, and however their bytes arrive and are asked for.
        #[test]
        fn a_text_comes_back(
            texts in proptest::collection::vec(
                proptest::collection::vec(any::<u8>(), 0..400).prop_map(|text| text.repeat(60)), 0..4
            ),
            portion in prop_oneof![1_usize..20, 1_usize..40_000],
            asked in prop_oneof![1_usize..9, 1_usize..100_000],
            zeros in 0_usize..9,
        ) {
            for compression in ALL {
                let mut bytes: Vec<u8> =
                    texts.iter().flat_map(|text| compress(compression, text)).collect();
                prop_assert!(texts.is_empty() || Compression::of(&bytes) == Some(compression));
                bytes.resize(bytes.len() + zeros, 0);
                let mut members = members(compression, Trickle(io::Cursor::new(bytes), portion));
                let (mut text, mut buffer) = (Vec::new(), vec![0; asked]);
                loop {
                    let count = members.read(&mut buffer).unwrap();
                    if count == 0 {
                        break;
                    }
                    text.extend_from_slice(&buffer[..count]);
                }
                prop_assert!(text == texts.concat(), "{:?}", compression);
            }
        }

        #[test]
        fn damage_never_panics(place: usize, byte: u8, text in proptest::collection::vec(any::<u8>(), 0..3000)) {
            for compression in ALL {
                let mut bytes = compress(compression, &text);
                let place = place % bytes.len();
                bytes[place] = byte;
                let (found, reason) = decode(compression, &bytes);
                // Some bytes say nothing, such as the time in the header of gzip.
                prop_assert!(reason.is_some() || found == text || found.is_empty());
            }
        }
    }

    #[test]
    fn data_that_ends_too_early_gives_what_was_there_and_an_error() {
        let text = noise(400);
        for compression in ALL {
            let member = compress(compression, &text);
            let whole = [&*member, &*member].concat();
            let name = compression.name();
            let early = format!("the {name} data ends too early");
            let mut longest = 0;
            for cut in MAGIC..whole.len() {
                let (found, reason) = decode(compression, &whole[..cut]);
                assert!([&*text, &*text].concat().starts_with(&found), "{name} {cut}");
                assert!(found.len() >= longest, "{name} {cut}");
                longest = found.len();
                match reason {
                    None => assert_eq!((cut, &found), (member.len(), &text), "{name}"),
                    // Too little of a second member to know that it is one.
                    Some(reason) if cut < member.len() + MAGIC && cut > member.len() => {
                        let other = format!("the {name} data is followed by other bytes");
                        assert!([&early, &other].contains(&&reason), "{name} {cut}: {reason}");
                        assert_eq!(found, text, "{name} {cut}");
                    }
                    Some(reason) => assert_eq!(reason, early, "{name} {cut}"),
                }
            }
            assert!(longest >= text.len());
        }
    }

    #[test]
    fn what_follows_is_an_error_behind_the_text() {
        for compression in ALL {
            let bytes = [compress(compression, b"53..7"), b"\0\0\0garbage".to_vec()].concat();
            let (text, reason) = decode(compression, &bytes);
            assert_eq!(text, b"53..7");
            assert!(reason.unwrap().ends_with("data is followed by other bytes"));
        }
    }

    #[test]
    fn an_error_is_not_the_end_for_who_asks_again() {
        for compression in ALL {
            let bytes = compress(compression, &noise(3000));
            let source = io::Cursor::new(bytes[..bytes.len() - 9].to_vec());
            let mut members = members(compression, source);
            assert!(io::copy(&mut members, &mut io::sink()).is_err());
            assert!(members.read(&mut [0; 8]).is_err());
        }
    }

    #[test]
    fn a_fault_of_the_source_is_told_as_it_is() {
        for compression in ALL {
            let bytes = compress(compression, &noise(3000));
            for cut in [0, MAGIC, bytes.len() / 2, bytes.len()] {
                let source = io::Cursor::new(bytes[..cut].to_vec()).chain(Broken);
                let mut members = members(compression, source);
                let error = io::copy(&mut members, &mut io::sink()).unwrap_err();
                assert_eq!(error.to_string(), "the disk is gone", "{compression:?} {cut}");
            }
        }
    }

    #[test]
    fn frames_that_zstd_skips_are_skipped_wherever_they_are() {
        let skipped = b"\x53\x2a\x4d\x18\x05\0\0\0notes";
        assert_eq!(Compression::of(&skipped[..MAGIC]), Some(Compression::Zstd));
        let frame = compress(Compression::Zstd, b"53..7");
        let bytes = [skipped, &*frame, skipped, skipped, &*frame, skipped].concat();
        assert_eq!(decode(Compression::Zstd, &bytes), (b"53..753..7".to_vec(), None));
    }

    /// A member that was made in two calls: some tools flush in between.
    #[test]
    fn a_flush_amid_a_member_is_no_end() {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(b"53..").unwrap();
        encoder.flush().unwrap();
        encoder.write_all(b"7").unwrap();
        let bytes = encoder.finish().unwrap();
        assert_eq!(decode(Compression::Gzip, &bytes), (b"53..7".to_vec(), None));
    }

    #[test]
    fn text_is_not_taken_for_compressed() {
        for text in ["", "5", "BZh9", "BZh9puzzle", "7zXZ", "puzzle", "\0\0", "PAR1"] {
            assert_eq!(Compression::of(&text.as_bytes()[..text.len().min(MAGIC)]), None, "{text}");
        }
    }

    fn decode_long(compression: Compression, bytes: &[u8]) -> Vec<u8> {
        let mut text = Vec::new();
        let source = io::Cursor::new(bytes.to_vec());
        Members::new(source, compression, true).read_to_end(&mut text).unwrap();
        text
    }

    #[test]
    fn a_long_window_is_refused_unless_it_is_wanted() {
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
        encoder.window_log(26).unwrap();
        encoder.write_all(b"53..7").unwrap();
        let bytes = encoder.finish().unwrap();
        let (text, reason) = decode(Compression::Zstd, &bytes);
        assert_eq!(text, b"");
        assert_eq!(
            reason.unwrap(),
            "the window of the zstd data is larger than 32 MiB; --long-window allows up to 2 GiB"
        );
        assert_eq!(decode_long(Compression::Zstd, &bytes), b"53..7");
    }

    #[test]
    fn an_xz_dictionary_that_takes_much_memory_is_refused_unless_it_is_wanted() {
        let mut bytes = compress(Compression::Xz, b"53..7");
        // The header of the first block: its length, and in it the size of the dictionary, 256 MiB.
        let header = 12..12 + 4 * usize::from(bytes[12]);
        bytes[16] = 32;
        let mut sum = flate2::Crc::new();
        sum.update(&bytes[header.clone()]);
        bytes[header.end..header.end + 4].copy_from_slice(&sum.sum().to_le_bytes());
        let (text, reason) = decode(Compression::Xz, &bytes);
        assert_eq!(text, b"");
        assert_eq!(
            reason.unwrap(),
            "decoding the xz data takes more than 128 MiB of memory; --long-window allows up to 2 \
             GiB"
        );
        assert_eq!(decode_long(Compression::Xz, &bytes), b"53..7");
    }
}
