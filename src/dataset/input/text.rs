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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::input::tests::Trickle;
    use proptest::prelude::*;

    fn utf16(text: &str, little: bool) -> Vec<u8> {
        let bytes = |unit: u16| if little { unit.to_le_bytes() } else { unit.to_be_bytes() };
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(bytes).collect()
    }

    fn read(bytes: &[u8]) -> Vec<u8> {
        let mut text = Vec::new();
        Text::new(bytes).read_to_end(&mut text).unwrap();
        text
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn a_text_comes_back(
            text in "[\\PC\r\n😀]{0,300}",
            times in prop_oneof![Just(1_usize), Just(90)],
            portion in prop_oneof![1_usize..9, 1_usize..40_000],
            asked in prop_oneof![1_usize..9, 1_usize..100_000],
        ) {
            let text = text.repeat(times);
            for (bytes, expected) in [
                (utf16(&text, true), text.clone()),
                (utf16(&text, false), text.clone()),
                (text.clone().into_bytes(), text.clone()),
                (format!("\u{feff}{text}").into_bytes(), format!("\u{feff}{text}")),
            ] {
                let mut reader = Text::new(Trickle(Cursor::new(bytes), portion));
                let (mut found, mut buffer) = (Vec::new(), vec![0; asked]);
                loop {
                    let count = reader.read(&mut buffer).unwrap();
                    if count == 0 {
                        break;
                    }
                    found.extend_from_slice(&buffer[..count]);
                }
                prop_assert!(found == expected.as_bytes());
            }
        }

        #[test]
        fn any_bytes_are_read_to_their_end(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            for mark in [b"\xff\xfe", b"\xfe\xff"] {
                prop_assert!(String::from_utf8(read(&[mark, &*bytes].concat())).is_ok());
            }
        }
    }

    #[test]
    fn what_is_no_character_is_marked_and_the_rest_is_read() {
        assert_eq!(read(b"\xff\xfe5\0\0\xd83\0"), "5\u{fffd}3".as_bytes());
        assert_eq!(read(b"\xff\xfe5\x003"), "5\u{fffd}".as_bytes());
        assert_eq!(read(b"\xfe\xff\x005\xd8"), "5\u{fffd}".as_bytes());
        assert_eq!(read(b"\xff\xfe"), b"");
    }

    #[test]
    fn tiny_texts_are_read() {
        for text in [&b""[..], b"5", b"\xff", b"53"] {
            assert_eq!(read(text), text);
        }
    }
}
