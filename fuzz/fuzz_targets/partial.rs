//! Whatever stands among rows, a record is read or refused, and one that was read comes back as it
//! was written and can be added up.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sudoku_bench::batch::{PartialSummary, Partials};

fuzz_target!(|input: &[u8]| {
    let mut merged: Option<PartialSummary> = None;
    // Few inputs begin as a record by chance.
    for text in [input, &[b"#partial,1,", input].concat()] {
        let mut partials = Partials::new(text);
        while let Some(record) = partials.next_record().expect("memory does not fail") {
            let Ok(record) = record else { continue };
            let line = record.line();
            let again = Partials::new(line.as_bytes()).next_record().expect("memory does not fail");
            assert_eq!(again.expect("a record").expect("a sound one"), record);
            match &mut merged {
                None => merged = Some(record),
                Some(merged) => {
                    let before = merged.clone();
                    if merged.merge(&record).is_err() {
                        assert_eq!(*merged, before);
                    }
                }
            }
        }
    }
});
