//! Files that hold other files, or what no text is made of, and are named rather than read.

/// So many first bytes tell what a file is.
pub(super) const MAGIC: usize = 16;

/// What begins with these [`MAGIC`] bytes, and what a user can do about it.
pub(super) fn foreign(head: &[u8]) -> Option<&'static str> {
    Some(match head {
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => {
            "it is a zip archive or a spreadsheet of that kind; `unzip -p ARCHIVE` writes what is \
             in an archive into a pipe, and a spreadsheet can be exported as CSV"
        }
        [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, ..] => {
            "it is a 7z archive; `7z e -so ARCHIVE` writes what is in it into a pipe"
        }
        [b'R', b'a', b'r', b'!', 0x1a, 7, ..] => "it is a rar archive; unpack it first",
        [4, 0x22, 0x4d, 0x18, ..] => "it is compressed with lz4; `lz4 -dc FILE` unpacks it",
        [b'L', b'Z', b'I', b'P', 1, ..] => "it is compressed with lzip; `lzip -dc FILE` unpacks it",
        [0x1f, 0x9d, ..] => "it is compressed with compress; `zcat FILE` unpacks it",
        [0x5d, 0, 0, _, _, ..] => "it is compressed with lzma; `xz -dc FILE` unpacks it",
        b"SQLite format 3\0" => "it is an SQLite database; export the table of the puzzles as CSV",
        [b'%', b'P', b'D', b'F', b'-', b'1' | b'2', b'.', ..] => "it is a PDF document, not text",
        _ => return None,
    })
}
