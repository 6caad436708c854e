//! What an executable says of itself.

use super::NotChecked;
use object::elf::R_X86_64_RELATIVE;
use object::{
    Architecture, Object, ObjectSection, ObjectSymbol, ObjectSymbolTable, RelocationFlags,
    RelocationTarget, SectionKind, SymbolKind,
};
use std::collections::{BTreeMap, HashMap};
use std::ops::Bound::{Excluded, Unbounded};

/// The functions and data of an executable, at the addresses it was linked for.
pub(super) struct Image<'a> {
    code: Vec<Section<'a>>,
    constants: Vec<Section<'a>>,
    functions: BTreeMap<u64, Function<'a>>,
    pointers: HashMap<u64, Pointer<'a>>,
}

struct Section<'a> {
    address: u64,
    bytes: &'a [u8],
}

struct Function<'a> {
    name: &'a [u8],
    /// 0 if the symbol does not tell.
    size: u64,
}

/// What the loader writes into a word of the data.
#[derive(Clone, Copy)]
pub(super) enum Pointer<'a> {
    /// The place of what was linked for this address.
    Address(u64),
    /// The place of a symbol of another image.
    Symbol(&'a [u8]),
    /// Something else.
    Other,
}

impl<'a> Image<'a> {
    /// Reads an executable file for x86-64.
    pub(super) fn parse(file: &'a [u8]) -> Result<Self, NotChecked> {
        let file = object::File::parse(file)?;
        if file.architecture() != Architecture::X86_64 {
            return Err(NotChecked::Architecture);
        }
        let mut image = Image {
            code: Vec::new(),
            constants: Vec::new(),
            functions: BTreeMap::new(),
            pointers: HashMap::new(),
        };
        for section in file.sections() {
            let sections = match section.kind() {
                SectionKind::Text => &mut image.code,
                SectionKind::ReadOnlyData | SectionKind::ReadOnlyString => &mut image.constants,
                _ => continue,
            };
            sections.push(Section { address: section.address(), bytes: section.data()? });
        }
        for symbol in file.symbol_table().ok_or(NotChecked::Stripped)?.symbols() {
            if symbol.kind() == SymbolKind::Text && symbol.is_definition() {
                let function = Function { name: symbol.name_bytes()?, size: symbol.size() };
                image.add(symbol.address(), function);
            }
        }
        let symbols = file.dynamic_symbol_table();
        for (address, relocation) in file.dynamic_relocations().into_iter().flatten() {
            let pointer = match (relocation.flags(), relocation.target()) {
                (RelocationFlags::Elf { r_type: R_X86_64_RELATIVE }, _) => {
                    Pointer::Address(relocation.addend() as u64)
                }
                (_, RelocationTarget::Symbol(index)) => {
                    let symbol = symbols.as_ref().and_then(|all| all.symbol_by_index(index).ok());
                    let name = symbol.and_then(|symbol| symbol.name_bytes().ok());
                    name.map_or(Pointer::Other, Pointer::Symbol)
                }
                _ => Pointer::Other,
            };
            image.pointers.insert(address, pointer);
        }
        Ok(image)
    }

    /// Adds a function. Of several names for one place, the first in the alphabet stands for all.
    fn add(&mut self, address: u64, function: Function<'a>) {
        let Function { name, size } = function;
        let known = self.functions.entry(address).or_insert(function);
        known.name = known.name.min(name);
        known.size = known.size.max(size);
    }

    /// Where functions begin.
    pub(super) fn functions(&self) -> impl Iterator<Item = u64> {
        self.functions.keys().copied()
    }

    /// Whether a function begins here.
    pub(super) fn is_function(&self, address: u64) -> bool {
        self.functions.contains_key(&address)
    }

    /// The name of the function that begins here.
    pub(super) fn name(&self, address: u64) -> Option<&'a [u8]> {
        self.functions.get(&address).map(|function| function.name)
    }

    /// The machine code of the function that begins here. One whose symbol tells no size reaches
    /// to the next function, or to the end of the section.
    pub(super) fn function(&self, start: u64) -> Option<&'a [u8]> {
        let size = self.functions.get(&start)?.size;
        let rest = self.code.iter().find_map(|section| section.from(start))?;
        let size = match size {
            0 => match self.functions.range((Excluded(start), Unbounded)).next() {
                Some((next, _)) => rest.len().min((next - start) as usize),
                None => rest.len(),
            },
            size => usize::try_from(size).ok()?,
        };
        rest.get(..size)
    }

    /// The value of `size` bytes that lies here, if it is constant.
    pub(super) fn constant(&self, address: u64, size: usize) -> Option<&'a [u8]> {
        self.constants.iter().find_map(|section| section.from(address))?.get(..size)
    }

    /// The pointer that the data has here.
    pub(super) fn pointer(&self, address: u64) -> Option<Pointer<'a>> {
        self.pointers.get(&address).copied()
    }
}

impl<'a> Section<'a> {
    /// The bytes from an address on, if it lies in this section.
    fn from(&self, address: u64) -> Option<&'a [u8]> {
        let start = usize::try_from(address.checked_sub(self.address)?).ok()?;
        self.bytes.get(start..).filter(|bytes| !bytes.is_empty())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The code of a function that does nothing.
    pub(crate) const RETURN: &[u8] = &[0xc3];

    /// An image of these functions, each named after its address.
    pub(crate) fn image<'a>(functions: &[(u64, &'a [u8])]) -> Image<'a> {
        let mut image = Image {
            code: Vec::new(),
            constants: Vec::new(),
            functions: BTreeMap::new(),
            pointers: HashMap::new(),
        };
        for &(address, bytes) in functions {
            image.code.push(Section { address, bytes });
            let name = format!("{address:x}").leak().as_bytes();
            image.add(address, Function { name, size: bytes.len() as u64 });
        }
        image
    }

    impl<'a> Image<'a> {
        pub(crate) fn with_constants(mut self, address: u64, bytes: &'a [u8]) -> Self {
            self.constants.push(Section { address, bytes });
            self
        }

        pub(crate) fn with_pointer(mut self, address: u64, pointer: Pointer<'a>) -> Self {
            self.pointers.insert(address, pointer);
            self
        }
    }

    #[test]
    fn a_function_without_a_size_ends_where_the_next_begins() {
        let mut image = image(&[(0x1000, &[0x90, 0x90, 0x90, 0xc3, 0xc3, 0xcc])]);
        for (address, size) in [(0x1000, 0), (0x1004, 0), (0x1005, 2)] {
            image.functions.insert(address, Function { name: b"f", size });
        }
        assert_eq!(image.function(0x1000), Some(&[0x90, 0x90, 0x90, 0xc3][..]));
        assert_eq!(image.function(0x1004), Some(&[0xc3][..]));
        // It would reach beyond its section.
        assert_eq!(image.function(0x1005), None);
        image.functions.remove(&0x1005);
        assert_eq!(image.function(0x1004), Some(&[0xc3, 0xcc][..]));
        assert_eq!(image.function(0x1001), None);
    }

    #[test]
    fn of_several_names_for_a_place_the_order_in_the_table_does_not_choose() {
        let mut image = image(&[]);
        for (name, size) in [(b"b", 0), (b"a", 3), (b"c", 0)] {
            image.add(0x1000, Function { name, size });
        }
        assert_eq!(image.name(0x1000), Some(&b"a"[..]));
        assert_eq!(image.functions[&0x1000].size, 3);
    }

    #[test]
    fn constants_are_read_within_their_section_only() {
        let image = image(&[]).with_constants(0x2000, &[1, 2, 3, 4]);
        assert_eq!(image.constant(0x2001, 2), Some(&[2, 3][..]));
        assert_eq!(image.constant(0x2002, 4), None);
        assert_eq!(image.constant(0x1fff, 2), None);
        assert_eq!(image.constant(0x2004, 1), None);
    }
}
