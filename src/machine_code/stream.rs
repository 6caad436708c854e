//! The instructions of one function, freed from where it lies.
//!
//! Most of an instruction does not depend on the place, and counts by its bytes: a jump inside the
//! function and a call of the function itself are relative already. An operand that reaches outside
//! is taken out of the bytes and replaced by what it means. Instructions that only fill space stay:
//! they move what comes after them, and inside a loop they are executed.

use super::Code;
use super::image::{Image, Pointer};
use crate::digest::hex;
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind};
use sha2::{Digest, Sha256};

/// A function, decoded.
pub(super) struct Stream {
    /// Where it begins.
    pub(super) start: u64,
    /// The functions it calls, jumps to, or takes the address of, in this order and repeatedly.
    pub(super) calls: Vec<u64>,
    bytes: u64,
    instructions: u64,
    hash: Sha256,
}

/// What an operand means that reaches outside the function.
enum Meaning<'a> {
    /// The function itself, reached through a pointer.
    Itself,
    /// Another function of this image, or a symbol of another.
    Function(&'a [u8]),
    /// A constant value.
    Constant(&'a [u8]),
    /// The address of data that begins with a pointer, whatever they hold.
    Data,
    /// An address of which nothing else is known.
    Place(u64),
}

impl Stream {
    /// Decodes the function of `image` that begins at `start`. `None` if there is none, or if its
    /// bytes are not a sequence of whole instructions.
    pub(super) fn of(image: &Image, start: u64) -> Option<Self> {
        let bytes = image.function(start)?;
        let mut stream = Stream {
            start,
            calls: Vec::new(),
            bytes: bytes.len() as u64,
            instructions: 0,
            hash: Sha256::new(),
        };
        let mut decoder = Decoder::try_with_ip(64, bytes, start, DecoderOptions::NONE).ok()?;
        let mut rest = bytes;
        while decoder.can_decode() {
            let instruction = decoder.decode();
            if instruction.is_invalid() {
                return None;
            }
            let (head, tail) = rest.split_at_checked(instruction.len())?;
            rest = tail;
            stream.add(image, &decoder, &instruction, head);
        }
        Some(stream)
    }

    fn add(&mut self, image: &Image, decoder: &Decoder, instruction: &Instruction, bytes: &[u8]) {
        self.instructions += 1;
        let offsets = decoder.get_constant_offsets(instruction);
        let (place, meaning) = if instruction.op0_kind() == OpKind::NearBranch64 {
            let place = (offsets.immediate_offset(), offsets.immediate_size());
            (place, self.branch(image, instruction))
        } else if instruction.is_ip_rel_memory_operand() {
            let place = (offsets.displacement_offset(), offsets.displacement_size());
            (place, Some(self.memory(image, instruction)))
        } else {
            ((0, 0), None)
        };
        let Some(meaning) = meaning else {
            self.hash_part(0, bytes);
            return;
        };
        let mut bytes = bytes.to_vec();
        bytes.iter_mut().skip(place.0).take(place.1).for_each(|byte| *byte = 0);
        self.hash_part(1, &bytes);
        match meaning {
            Meaning::Itself => self.hash_part(2, b""),
            Meaning::Function(name) => self.hash_part(3, name),
            Meaning::Constant(value) => self.hash_part(4, value),
            Meaning::Data => self.hash_part(5, b""),
            Meaning::Place(address) => self.hash_part(6, &address.to_le_bytes()),
        }
    }

    /// What kind of part it is and how long come first, so that no two sequences look alike.
    fn hash_part(&mut self, kind: u8, bytes: &[u8]) {
        self.hash.update([kind]);
        self.hash.update((bytes.len() as u64).to_le_bytes());
        self.hash.update(bytes);
    }

    /// What a call or a jump leads to, unless that is inside the function.
    fn branch<'a>(&mut self, image: &Image<'a>, instruction: &Instruction) -> Option<Meaning<'a>> {
        let target = instruction.near_branch_target();
        if target.wrapping_sub(self.start) < self.bytes {
            // A jump to the beginning is a loop.
            if target == self.start && instruction.mnemonic() == Mnemonic::Call {
                self.calls.push(target);
            }
            return None;
        }
        Some(self.function(image, target).unwrap_or(Meaning::Place(target)))
    }

    /// What the address in the operand, or the value that lies there, is.
    fn memory<'a>(&mut self, image: &Image<'a>, instruction: &Instruction) -> Meaning<'a> {
        let address = instruction.ip_rel_memory_address();
        let pointer = image.pointer(address);
        let meaning = if instruction.mnemonic() == Mnemonic::Lea {
            self.function(image, address).or(pointer.map(|_| Meaning::Data))
        } else {
            match pointer {
                Some(Pointer::Address(target)) => self.function(image, target),
                Some(Pointer::Symbol(name)) => Some(Meaning::Function(name)),
                Some(Pointer::Other) => None,
                None => match instruction.memory_size().size() {
                    // Unknown, or nothing is read.
                    0 => None,
                    size => image.constant(address, size).map(Meaning::Constant),
                },
            }
        };
        meaning.unwrap_or(Meaning::Place(address))
    }

    /// The function that begins at `address`, if one does.
    fn function<'a>(&mut self, image: &Image<'a>, address: u64) -> Option<Meaning<'a>> {
        let name = image.name(address)?;
        self.calls.push(address);
        Some(if address == self.start { Meaning::Itself } else { Meaning::Function(name) })
    }

    /// What a report says of it.
    pub(super) fn code(&self) -> Code {
        let sha256 = self.hash.clone().finalize();
        Code {
            offset: self.start,
            bytes: self.bytes,
            instructions: self.instructions,
            sha256: hex(&sha256),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::image::tests::image;
    use super::*;

    /// The hash of this code as a function at `start`, among three other functions and some data.
    fn hash_at(start: u64, code: &[u8]) -> String {
        let functions = [(start, code), (0x8000, &[0xc3]), (0x8100, &[0xc3]), (0x8200, &[0xc3])];
        let image = image(&functions)
            .with_constants(0x9000, &[1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 9])
            .with_pointer(0xa000, Pointer::Address(0x8000))
            .with_pointer(0xa008, Pointer::Address(0x8100))
            .with_pointer(0xa010, Pointer::Address(start))
            .with_pointer(0xa018, Pointer::Symbol(b"memcpy"))
            .with_pointer(0xa020, Pointer::Symbol(b"memset"))
            .with_pointer(0xb000, Pointer::Address(0x9000))
            .with_pointer(0xb018, Pointer::Address(0x9000));
        Stream::of(&image, start).unwrap().code().sha256
    }

    /// An instruction that ends in the distance from its end to `target`, as a function at `start`.
    fn reaching(start: u64, opcode: &[u8], target: u64) -> Vec<u8> {
        let end = start + opcode.len() as u64 + 4;
        [opcode, &(target.wrapping_sub(end) as u32).to_le_bytes()].concat()
    }

    /// The hash of that instruction.
    fn hash_reaching(start: u64, opcode: &[u8], target: u64) -> String {
        hash_at(start, &reaching(start, opcode, target))
    }

    const CALL: &[u8] = &[0xe8];
    const JUMP: &[u8] = &[0xe9];
    const CALL_POINTER: &[u8] = &[0xff, 0x15];
    const LOAD: &[u8] = &[0x48, 0x8b, 0x05]; // mov rax, [rip + …]
    const ADDRESS: &[u8] = &[0x48, 0x8d, 0x05]; // lea rax, [rip + …]

    /// A loop that counts to nine and a call of the function itself.
    const RECURSIVE: &[u8] = &[
        0x31, 0xc0, // xor eax, eax
        0x83, 0xc0, 0x01, // add eax, 1
        0x83, 0xf8, 0x09, // cmp eax, 9
        0x75, 0xf8, // jne to the addition
        0xe8, 0xf1, 0xff, 0xff, 0xff, // call the beginning
        0xc3, // ret
    ];

    #[test]
    fn the_place_of_a_function_makes_no_difference() {
        assert_eq!(hash_at(0x1000, RECURSIVE), hash_at(0x1230, RECURSIVE));
        for (opcode, target) in [
            (CALL, 0x8000),
            (JUMP, 0x8000),
            (CALL_POINTER, 0xa000),
            (LOAD, 0x9000),
            (LOAD, 0xc000),
            (ADDRESS, 0x8000),
            (ADDRESS, 0xb000),
            (ADDRESS, 0xc000),
        ] {
            let hash = hash_reaching(0x1000, opcode, target);
            assert_eq!(hash_reaching(0x1230, opcode, target), hash, "{opcode:x?} {target:x}");
        }
    }

    #[test]
    fn a_changed_constant_jump_or_register_makes_a_difference() {
        let hash = hash_at(0x1000, RECURSIVE);
        for (place, byte, what) in [
            (7, 0x08, "cmp eax, 8"),
            (9, 0xf6, "jne to the beginning"),
            (8, 0x74, "je"),
            (1, 0xdb, "xor ebx, ebx"),
            (11, 0xf3, "call the addition"),
        ] {
            let mut code = RECURSIVE.to_vec();
            code[place] = byte;
            assert_ne!(hash_at(0x1000, &code), hash, "{what}");
        }
        let padded = [RECURSIVE, &[0x90]].concat();
        assert_ne!(hash_at(0x1000, &padded), hash, "one more nop");
    }

    #[test]
    fn what_is_called_makes_a_difference() {
        for (opcode, one, other) in [
            (CALL, 0x8000, 0x8100),
            (CALL, 0xc000, 0xc001),
            (JUMP, 0x8000, 0x8100),
            (ADDRESS, 0x8000, 0x8100),
            (CALL_POINTER, 0xa000, 0xa008),
            (CALL_POINTER, 0xa018, 0xa020),
        ] {
            let hash = hash_reaching(0x1000, opcode, one);
            assert_ne!(hash_reaching(0x1000, opcode, other), hash, "{opcode:x?} {other:x}");
        }
    }

    #[test]
    fn a_constant_counts_by_its_value_and_to_its_size() {
        let low_half: &[u8] = &[0x8b, 0x05]; // mov eax, [rip + …]
        let hash = |opcode, target| hash_reaching(0x1000, opcode, target);
        assert_eq!(hash(low_half, 0x9000), hash(low_half, 0x9008));
        assert_ne!(hash(LOAD, 0x9000), hash(LOAD, 0x9008));
        assert_ne!(hash(low_half, 0x9004), hash(low_half, 0x900c));
        // What can change counts by its place.
        assert_ne!(hash(LOAD, 0xc000), hash(LOAD, 0xc008));
    }

    #[test]
    fn the_address_of_data_with_pointers_makes_no_difference_and_of_other_data_does() {
        let hash = |target| hash_reaching(0x1000, ADDRESS, target);
        assert_eq!(hash(0xb000), hash(0xb018));
        assert_ne!(hash(0x9000), hash(0x9008));
        assert_ne!(hash(0x9000), hash(0xb000));
    }

    /// The function that lies at 0x1000 with this code, and only it.
    fn calls(code: &[u8]) -> Vec<u64> {
        let functions = [(0x1000, code), (0x8000, &[0xc3])];
        let image = image(&functions)
            .with_pointer(0xa000, Pointer::Address(0x8000))
            .with_pointer(0xa010, Pointer::Address(0x1000));
        Stream::of(&image, 0x1000).unwrap().calls
    }

    #[test]
    fn calls_are_found_directly_and_through_pointers() {
        let through: &[u8] = &[0x4c, 0x8b, 0x2d]; // mov r13, [rip + …]
        for (opcode, target, called) in [
            (CALL, 0x8000, 0x8000),
            (JUMP, 0x8000, 0x8000),
            (ADDRESS, 0x8000, 0x8000),
            (CALL_POINTER, 0xa000, 0x8000),
            (through, 0xa000, 0x8000),
            (CALL, 0x1000, 0x1000),
            (CALL_POINTER, 0xa010, 0x1000),
        ] {
            assert_eq!(calls(&reaching(0x1000, opcode, target)), [called], "{opcode:x?}");
        }
        assert_eq!(calls(RECURSIVE), [0x1000]);
    }

    #[test]
    fn a_jump_to_the_beginning_is_a_loop_and_not_a_call() {
        assert!(calls(&reaching(0x1000, JUMP, 0x1000)).is_empty());
    }

    #[test]
    fn a_function_through_its_own_pointer_is_itself_wherever_it_lies() {
        let hash = |start| hash_reaching(start, CALL_POINTER, 0xa010);
        assert_eq!(hash(0x1000), hash(0x1230));
        assert_ne!(hash(0x1000), hash_reaching(0x1000, CALL_POINTER, 0xa000));
    }

    #[test]
    fn bytes_that_are_no_instructions_have_no_stream() {
        for code in [&[0x06][..], &[0xe8, 0, 0], &[0xc3, 0x0f, 0x04]] {
            assert!(Stream::of(&image(&[(0x1000, code)]), 0x1000).is_none(), "{code:x?}");
        }
        let end = u64::MAX - 2;
        assert!(Stream::of(&image(&[(end, RECURSIVE)]), end).is_some());
    }

    #[test]
    fn instructions_and_bytes_are_counted() {
        let code = Stream::of(&image(&[(0x1000, RECURSIVE)]), 0x1000).unwrap().code();
        assert_eq!((code.offset, code.bytes, code.instructions), (0x1000, 16, 6));
        assert_eq!(code.sha256.len(), 64);
    }
}
