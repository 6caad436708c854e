//! The machine code of the functions that are timed, read from the program's own executable.
//!
//! Two functions of the same code cannot differ in speed but for where they lie. Whether the code
//! is the same is therefore looked up, not assumed: the symbol table says where a function begins
//! and ends, and its instructions are decoded.

mod image;
mod stream;

use image::Image;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use stream::Stream;
use thiserror::Error;

/// The machine code of one function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Code {
    /// Address in the executable as it was linked, which is that of the symbol.
    pub offset: u64,
    /// Length in bytes.
    pub bytes: u64,
    /// Number of instructions, those that only fill space included.
    pub instructions: u64,
    /// SHA-256, in lower-case hexadecimal, of the instructions without what depends on the place:
    /// equal for two functions of one executable if they do the same in the same way. A call or
    /// a function's address counts by the callee's name, a constant by its value. Data that holds
    /// pointers, such as where in the source a panic happens, counts as equal; other data are equal
    /// only to themselves.
    pub sha256: String,
}

/// Why no machine code could be looked at.
#[derive(Debug, Error)]
pub enum NotChecked {
    /// Only the code of x86-64 is understood.
    #[error("only the machine code of x86-64 is understood")]
    Architecture,
    /// The operating system does not give the executable.
    #[error("the executable cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// The executable is not an ELF file, or is damaged.
    #[error("the executable is not understood: {0}")]
    Format(#[from] object::Error),
    /// There is no symbol table.
    #[error("the executable has no symbol table; it was stripped")]
    Stripped,
    /// The symbol table has no functions at the addresses, wherever the executable was loaded.
    #[error("the symbol table does not know the functions")]
    NotFound,
    /// The addresses fit the symbol table in several ways.
    #[error("which symbols the functions belong to is not clear")]
    Ambiguous,
}

/// How many calls the recursive function may be away from the function that is asked about.
const DEPTH: usize = 3;

/// Looks at the code behind each of `addresses`, which are functions of the running program: the
/// nearest function that it calls, directly or in a few steps, and that calls itself. `None` for
/// one where there is no such function or several equally near, or its code cannot be decoded.
///
/// A function that several of them call is a helper, such as the clock's, and belongs to none. So
/// ask for all at once.
///
/// # Errors
/// When no code can be looked at all, the reason.
pub fn examine(addresses: &[usize]) -> Result<Vec<Option<Code>>, NotChecked> {
    if !cfg!(target_arch = "x86_64") {
        return Err(NotChecked::Architecture);
    }
    let file = std::fs::read(std::env::current_exe()?)?;
    let image = Image::parse(&file)?;
    let loaded: Vec<u64> =
        addresses.iter().chain(&landmarks()).map(|&address| address as u64).collect();
    let bias = load_bias(&image, &loaded)?;
    let starts: Vec<u64> = addresses.iter().map(|&address| address as u64 - bias).collect();
    Ok(recursions(&image, &starts))
}

/// Where some functions of this module were loaded. Few addresses would fit the symbol table in
/// several ways; with these even one is clear.
fn landmarks() -> [usize; 7] {
    [
        examine as *const () as usize,
        landmarks as *const () as usize,
        load_bias as *const () as usize,
        recursions as *const () as usize,
        Image::parse as *const () as usize,
        Stream::of as *const () as usize,
        Stream::code as *const () as usize,
    ]
}

const PAGE: u64 = 4096;

/// How far above its linked addresses the executable was loaded: the one multiple of the page size
/// for which all of `loaded` are functions of the symbol table.
fn load_bias(image: &Image, loaded: &[u64]) -> Result<u64, NotChecked> {
    let is_function = |address: u64, bias| {
        address.checked_sub(bias).is_some_and(|offset| image.is_function(offset))
    };
    let Some(&first) = loaded.first() else { return Err(NotChecked::NotFound) };
    let mut fits = image
        .functions()
        .filter_map(|offset| first.checked_sub(offset))
        .filter(|bias| bias.is_multiple_of(PAGE))
        .filter(|&bias| loaded.iter().all(|&address| is_function(address, bias)));
    match (fits.next(), fits.next()) {
        (Some(bias), None) => Ok(bias),
        (Some(_), Some(_)) => Err(NotChecked::Ambiguous),
        (None, _) => Err(NotChecked::NotFound),
    }
}

/// For each of the functions at `starts`, the nearest recursive function that it calls and the
/// others do not.
fn recursions(image: &Image, starts: &[u64]) -> Vec<Option<Code>> {
    let found: Vec<_> = starts.iter().map(|&start| recursive_callees(image, start)).collect();
    let mut callers: HashMap<u64, HashSet<u64>> = HashMap::new();
    for (&start, levels) in std::iter::zip(starts, &found) {
        for code in levels.iter().flatten() {
            callers.entry(code.offset).or_default().insert(start);
        }
    }
    let own = |mut level: Vec<Code>| {
        level.retain(|code| callers[&code.offset].len() == 1);
        level
    };
    let nearest = |levels: Vec<Vec<Code>>| {
        let level = levels.into_iter().map(own).find(|level| !level.is_empty())?;
        <[Code; 1]>::try_from(level).ok().map(|[code]| code)
    };
    found.into_iter().map(nearest).collect()
}

/// The functions that call themselves among those that can be reached from `start`, by the number
/// of calls it takes.
fn recursive_callees(image: &Image, start: u64) -> Vec<Vec<Code>> {
    let mut seen = HashSet::from([start]);
    let mut level = vec![start];
    let mut found = Vec::new();
    for _ in 0..=DEPTH {
        let streams: Vec<Stream> =
            level.iter().filter_map(|&address| Stream::of(image, address)).collect();
        let recursive = streams.iter().filter(|stream| stream.calls.contains(&stream.start));
        found.push(recursive.map(Stream::code).collect());
        level = streams.into_iter().flat_map(|stream| stream.calls).collect();
        level.retain(|&address| seen.insert(address));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::image::tests::{RETURN, image};
    use super::*;

    #[test]
    fn the_bias_is_the_one_that_fits_all_addresses() {
        let image = image(&[(0x1010, RETURN), (0x2010, RETURN), (0x3050, RETURN)]);
        assert_eq!(load_bias(&image, &[0x7000_1010, 0x7000_3050]).unwrap(), 0x7000_0000);
        assert_eq!(load_bias(&image, &[0x3050]).unwrap(), 0);
        assert!(matches!(load_bias(&image, &[0x7000_2010]), Err(NotChecked::Ambiguous)));
        assert!(matches!(load_bias(&image, &[0x7000_3050, 0x5050]), Err(NotChecked::NotFound)));
        assert!(matches!(load_bias(&image, &[0x7000_3058]), Err(NotChecked::NotFound)));
        assert!(matches!(load_bias(&image, &[]), Err(NotChecked::NotFound)));
    }

    /// Where the recursive functions lie that are found from each of `starts`, in an image of
    /// functions that do nothing but call others.
    fn found(calls: &[(u64, &[u64])], starts: &[u64]) -> Vec<Option<u64>> {
        let code = |&(from, callees): &(u64, &[u64])| {
            let ends = (1..).map(|number| from + 5 * number);
            let calls = std::iter::zip(callees, ends).flat_map(|(to, end)| {
                std::iter::once(0xe8).chain((to.wrapping_sub(end) as u32).to_le_bytes())
            });
            (from, calls.chain([0xc3]).collect())
        };
        let functions: Vec<(u64, Vec<u8>)> = calls.iter().map(code).collect();
        let functions: Vec<(u64, &[u8])> =
            functions.iter().map(|(from, code)| (*from, code.as_slice())).collect();
        let codes = recursions(&image(&functions), starts);
        codes.into_iter().map(|code| code.map(|code| code.offset)).collect()
    }

    #[test]
    fn the_nearest_recursive_function_is_found_a_few_calls_away() {
        let calls: [(u64, &[u64]); 6] = [
            (0x1000, &[0x1100]),
            (0x1100, &[0x1200]),
            (0x1200, &[0x1000, 0x1300]),
            (0x1300, &[0x1300, 0x1500]),
            (0x1400, &[0x1000]),
            (0x1500, &[0x1500]),
        ];
        for start in [0x1000, 0x1200, 0x1300] {
            assert_eq!(found(&calls, &[start]), [Some(0x1300)]);
        }
        // Too far away, and not a function.
        assert_eq!(found(&calls, &[0x1400, 0x1004]), [None, None]);
    }

    #[test]
    fn of_two_recursive_functions_equally_near_none_is_chosen() {
        let calls: [(u64, &[u64]); 3] =
            [(0x1000, &[0x1100, 0x1200]), (0x1100, &[0x1100]), (0x1200, &[0x1200])];
        assert_eq!(found(&calls, &[0x1000]), [None]);
    }

    #[test]
    fn a_recursive_function_that_several_call_belongs_to_none() {
        let calls: [(u64, &[u64]); 6] = [
            (0x1000, &[0x1f00, 0x1100]),
            (0x1100, &[0x1100]),
            (0x1200, &[0x1300, 0x1f00]),
            (0x1300, &[0x1310]),
            (0x1310, &[0x1310]),
            (0x1f00, &[0x1f00]),
        ];
        assert_eq!(found(&calls, &[0x1000, 0x1200]), [Some(0x1100), Some(0x1310)]);
        assert_eq!(found(&calls, &[0x1000, 0x1f00, 0x1000]), [Some(0x1100), None, Some(0x1100)]);
    }

    #[test]
    fn what_is_no_executable_is_refused() {
        for file in [&b""[..], b"#!/bin/sh\n", b"\x7fELF", &[0; 4096]] {
            assert!(matches!(Image::parse(file), Err(NotChecked::Format(_))));
        }
    }

    #[test]
    fn a_damaged_executable_does_no_harm() {
        let mut file = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let length = file.len();
        for cut in [length - 1, length / 2, 4096, 64] {
            if let Ok(image) = Image::parse(&file[..cut]) {
                let _ = load_bias(&image, &[0x1000]);
            }
        }
        for place in (0..64).chain((0..length).step_by(length / 32)) {
            file[place] ^= 0x55;
            if let Ok(image) = Image::parse(&file) {
                let starts: Vec<u64> = image.functions().take(3).collect();
                let _ = recursions(&image, &starts);
            }
            file[place] ^= 0x55;
        }
    }
}
