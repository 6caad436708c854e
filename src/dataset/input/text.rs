//! UTF-16 becomes UTF-8; all other text stays as it is.

use super::portions::Portions;
use encoding_rs::{Decoder, UTF_16BE, UTF_16LE};
use std::io::{self, BufRead, Cursor, Read};

/// Bytes of UTF-8 that are made at a time, or a few less.
const MADE: usize = 32 * 1024;

/// The decoder for a text that begins with a byte order mark of UTF-16.
fn decoder(head: &[u8]) -> Option<Decoder> {
    match head {
        [0xff, 0xfe, ..] => Some(UTF_16LE.new_decoder_with_bom_removal()),
        [0xfe, 0xff, ..] => Some(UTF_16BE.new_decoder_with_bom_removal()),
        _ => None,
    }
}

/// Whether a text is to be read through [`Text`].
pub(super) fn is_utf16(head: &[u8]) -> bool {
    decoder(head).is_some()
}

/// Reads text that may be UTF-16, which its byte order mark tells. What is no character there, such
/// as half of one, becomes U+FFFD, which no format takes for anything else.
pub(super) struct Text<R> {
    source: Portions<R>,
    encoding: Encoding,
}

enum Encoding {
    /// Nothing has been read.
    Unknown,
    Utf8,
    Utf16 {
        decoder: Decoder,
        /// UTF-8 that is still to be given out.
        made: Cursor<Vec<u8>>,
        at_end: bool,
    },
}

impl<R: Read> Text<R> {
    pub(super) fn new(source: R) -> Self {
        Text { source: Portions::new(source), encoding: Encoding::Unknown }
    }
}

impl<R: Read> Read for Text<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Encoding::Unknown = self.encoding {
            self.encoding = match decoder(self.source.peek(2)?) {
                None => Encoding::Utf8,
                Some(decoder) => {
                    Encoding::Utf16 { decoder, made: Cursor::default(), at_end: false }
                }
            };
        }
        let Encoding::Utf16 { decoder, made, at_end } = &mut self.encoding else {
            return self.source.read(buffer);
        };
        loop {
            let count = made.read(buffer)?;
            if count > 0 || *at_end || buffer.is_empty() {
                return Ok(count);
            }
            let bytes = self.source.fill_buf()?;
            let is_last = bytes.is_empty();
            let mut text = std::mem::take(made).into_inner();
            text.resize(MADE, 0);
            let (result, read, written, _) = decoder.decode_to_utf8(bytes, &mut text, is_last);
            self.source.consume(read);
            text.truncate(written);
            *made = Cursor::new(text);
            *at_end = is_last && result == encoding_rs::CoderResult::InputEmpty;
        }
    }
}
