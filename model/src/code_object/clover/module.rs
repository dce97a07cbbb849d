//! Clover's program binary: symbols, one section with the ELF file, no printf. Little endian, nothing is padded, no magic number.

use super::super::{CodeObject, CodeObjectError, Kernel};
use super::elf::{CODE_ALIGNMENT, elf};
use super::kernel_header::{BYTES as HEADER_BYTES, kernel_header};

/// The only section that there is.
const SECTION: u32 = 0;
/// `section::text_executable`: without this type clover finds no program.
const TEXT_EXECUTABLE: u32 = 2;
/// `argument::scalar` and `argument::global`.
const SCALAR: u32 = 0;
const GLOBAL: u32 = 2;
/// The kernel arguments: type and size; clover stores each at a multiple of its size.
const ARGUMENTS: [(u32, u32); 3] = [(GLOBAL, 8), (SCALAR, 8), (GLOBAL, 8)];

/// A kernel that goes into a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CloverKernel<'a> {
    /// Its name in the code object and in the module.
    pub name: &'a str,
    /// LDS of a work-group beyond what its descriptor fixes, bytes. It is fixed here: clover would round a local argument of 0 bytes up.
    pub lds_bytes: u32,
}

/// Kernels of a linked AMDHSA code object as a program binary for `clCreateProgramWithBinary` on Mesa's clover.
///
/// Each kernel's code starts at a multiple of 256 bytes, so it lies in blocks and lines of the instruction cache as it does in the code
/// object. Clover gets three arguments (global buffer, two dwords as one number, global buffer), in the places where the code object's kernels expect them.
///
/// # Errors
/// [`CodeObjectError::Foreign`]: a target without a name. [`CodeObjectError::Kernel`]: a kernel that is not there, has no arguments or others, wants other
/// registers, private memory or too much LDS, or whose code does not start at a multiple of 256 bytes.
pub fn clover_module(object: &CodeObject, kernels: &[CloverKernel<'_>]) -> Result<Vec<u8>, CodeObjectError> {
    let processor =
        object.processor().ok_or_else(|| CodeObjectError::Foreign("a code object for an unknown target".into()))?;
    let isa = isa_version(processor.name());
    let mut text = Vec::new();
    let mut module = Vec::new();
    count(&mut module, kernels.len());
    for wanted in kernels {
        let problem = |problem: &str| CodeObjectError::Kernel { kernel: wanted.name.into(), problem: problem.into() };
        let kernel = object.kernel(wanted.name).ok_or_else(|| problem("it is not in the code object"))?;
        if !kernel.entry.is_multiple_of(CODE_ALIGNMENT as u64) {
            return Err(problem("its code does not start at a multiple of 256 bytes"));
        }
        text.resize(text.len().next_multiple_of(CODE_ALIGNMENT), 0);
        symbol(&mut module, wanted.name, text.len());
        text.extend(kernel_header(kernel, processor.generation, isa, wanted.lds_bytes)?);
        text.extend(code(object, kernel).iter().flat_map(|dword| dword.to_le_bytes()));
    }
    let file = elf(object.mach, &text);
    // One section: its id, type and size, then its data, which start with that size again.
    count(&mut module, 1);
    for value in [SECTION, TEXT_EXECUTABLE, file.len() as u32, file.len() as u32 + 4, file.len() as u32] {
        module.extend(value.to_le_bytes());
    }
    module.extend(file);
    // No format strings of printf, and none of them in a buffer.
    module.extend([0; 8]);
    Ok(module)
}

const _: () =
    assert!(HEADER_BYTES.is_multiple_of(CODE_ALIGNMENT), "the code behind a header is aligned as the header is");

fn count(module: &mut Vec<u8>, count: usize) {
    module.extend((count as u32).to_le_bytes());
}

/// A kernel: name, no attributes, no required size of a work-group, where its header is, its arguments.
fn symbol(module: &mut Vec<u8>, name: &str, offset: usize) {
    count(module, name.len());
    module.extend(name.as_bytes());
    count(module, 0);
    count(module, 3);
    module.extend([0; 3 * 8]);
    module.extend(SECTION.to_le_bytes());
    module.extend((offset as u32).to_le_bytes());
    count(module, ARGUMENTS.len());
    for (kind, bytes) in ARGUMENTS {
        // Size here and there, alignment, zero extension, an argument of the user's.
        for value in [kind, bytes, bytes, bytes, 0, 0] {
            module.extend(value.to_le_bytes());
        }
    }
}

/// The code of a kernel: from its entry to that of the next, or to the end.
fn code<'a>(object: &'a CodeObject, kernel: &Kernel) -> &'a [u32] {
    let all = object.code_from(kernel.entry);
    let next = object.kernels.iter().map(|other| other.entry).find(|entry| *entry > kernel.entry);
    let dwords = next.map_or(all.len(), |next| ((next - kernel.entry) / 4) as usize);
    &all[..dwords.min(all.len())]
}

/// Major, minor and stepping of a target: 9, 0 and 12 of `gfx90c`.
fn isa_version(target: &str) -> [u16; 3] {
    let digit = |from_end: usize| {
        let digits = target.trim_start_matches("gfx").chars().rev();
        digits.skip(from_end).map_while(|digit| digit.to_digit(16)).next().unwrap_or_default() as u16
    };
    [digit(2), digit(1), digit(0)]
}

#[cfg(test)]
mod tests {
    use object::read::elf::{ElfFile64, FileHeader};
    use object::{LittleEndian, Object, ObjectSection};

    use super::*;
    use crate::code_object::{KernelDescriptor, ProgramRegisters};

    fn kernel(name: &str, entry: u64) -> Kernel {
        let descriptor = KernelDescriptor {
            group_segment_bytes: 0,
            private_segment_bytes: 0,
            kernarg_bytes: 24,
            entry_offset: 0,
            registers: ProgramRegisters { rsrc1: 0x00ac_0145, rsrc2: 0x0000_0084, rsrc3: 0 },
            code_properties: 8,
        };
        Kernel { name: name.into(), descriptor, entry }
    }

    /// Two kernels, of 128 dwords and of 1 dword.
    fn object(mach: u8) -> CodeObject {
        let code = (0..129).map(|index| 0xbf80_0000 + index).collect();
        let kernels = vec![kernel("first", 0x1000), kernel("second", 0x1200)];
        CodeObject { mach, kernels, code_address: 0x1000, code }
    }

    fn dump(bytes: &[u8]) -> String {
        let row = |(index, row): (usize, &[u8])| {
            let word = |word: &[u8]| word.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
            format!("{:04x}  {}\n", index * 16, row.chunks(4).map(word).collect::<Vec<_>>().join(" "))
        };
        let rows = bytes.chunks(16).enumerate().filter(|(_, row)| row.iter().any(|byte| *byte != 0));
        rows.map(row).collect()
    }

    #[test]
    fn a_module_equals_mesas_byte_by_byte() {
        let wanted = [CloverKernel { name: "second", lds_bytes: 0 }, CloverKernel { name: "first", lds_bytes: 1000 }];
        let module = clover_module(&object(0x20), &wanted).unwrap();
        insta::assert_snapshot!(dump(&module));
    }

    /// Walks through a module as Mesa does.
    struct Walk<'a>(&'a [u8]);

    impl<'a> Walk<'a> {
        fn bytes(&mut self, count: usize) -> &'a [u8] {
            let (bytes, rest) = self.0.split_at(count);
            self.0 = rest;
            bytes
        }

        fn word(&mut self) -> usize {
            u32::from_le_bytes(self.bytes(4).try_into().unwrap()) as usize
        }

        fn string(&mut self) -> String {
            let length = self.word();
            String::from_utf8(self.bytes(length).to_vec()).unwrap()
        }
    }

    #[test]
    fn the_elf_file_in_a_module_holds_the_code_where_the_symbols_say() {
        let object = object(0x2c);
        let wanted = ["first", "second"].map(|name| CloverKernel { name, lds_bytes: 0 });
        let module = clover_module(&object, &wanted).unwrap();
        let mut walk = Walk(&module);
        let mut symbols = Vec::new();
        for _ in 0..walk.word() {
            let (name, attributes) = (walk.string(), walk.string());
            assert_eq!((attributes.as_str(), walk.word()), ("", 3));
            walk.bytes(24);
            let (section, offset) = (walk.word(), walk.word());
            assert_eq!(section, 0);
            let arguments: Vec<_> = (0..walk.word()).map(|_| std::array::from_fn(|_| walk.word())).collect();
            assert_eq!(arguments, [[2, 8, 8, 8, 0, 0], [0, 8, 8, 8, 0, 0], [2, 8, 8, 8, 0, 0]]);
            symbols.push((name, offset));
        }
        assert_eq!(symbols, [("first".to_owned(), 0), ("second".to_owned(), 768)]);
        assert_eq!([walk.word(), walk.word(), walk.word()], [1, 0, 2]);
        let (size, vector, length) = (walk.word(), walk.word(), walk.word());
        assert_eq!((vector, length), (size + 4, size));
        let file = walk.bytes(size);
        assert_eq!((walk.word(), walk.word(), walk.0.len()), (0, 0, 0));

        let elf = ElfFile64::<LittleEndian>::parse(file).unwrap();
        let header = elf.elf_header();
        assert_eq!((header.e_machine(LittleEndian).0, header.e_type(LittleEndian).0), (224, 1));
        assert_eq!((header.e_ident().os_abi.0, header.e_flags(LittleEndian).0), (66, 0x2c));
        let text = elf.section_by_name(".text").unwrap();
        assert_eq!((text.address(), text.align()), (0, 256));
        let code = |offset: usize, dwords: usize| -> Vec<u32> {
            let bytes = &text.data().unwrap()[offset + 256..][..dwords * 4];
            bytes.chunks_exact(4).map(|dword| u32::from_le_bytes(dword.try_into().unwrap())).collect()
        };
        assert_eq!(code(0, 128), object.code[..128]);
        assert_eq!(code(768, 1), object.code[128..]);
        assert_eq!(text.size(), 768 + 256 + 4);
    }

    #[test]
    fn lds_is_asked_for_in_blocks_of_the_generation() {
        // As a trial on Mesa has it: 1000 bytes are 4 blocks of 256 on gfx600, 2 of 512 on gfx701.
        for (mach, lds_bytes, blocks) in
            [(0x20, 1000, 4), (0x23, 1000, 2), (0x20, 0, 0), (0x2c, 65536, 128), (0x20, 1, 1)]
        {
            let module = clover_module(&object(mach), &[CloverKernel { name: "first", lds_bytes }]).unwrap();
            // The header starts the code, which starts 256 bytes into the file, whose size stands before it.
            let start = module.windows(4).position(|bytes| bytes == b"\x7fELF").unwrap() + 256;
            let rsrc2 = u32::from_le_bytes(module[start + 52..][..4].try_into().unwrap());
            assert_eq!(rsrc2, 0x84 | blocks << 15, "{mach:#x} {lds_bytes}");
        }
    }

    #[test]
    fn kernels_that_crash_clover_are_refused() {
        let refused = |change: &dyn Fn(&mut Kernel)| {
            let mut object = object(0x20);
            change(&mut object.kernels[0]);
            clover_module(&object, &[CloverKernel { name: "first", lds_bytes: 0 }]).unwrap_err().to_string()
        };
        assert!(refused(&|kernel| kernel.descriptor.kernarg_bytes = 0).contains("no arguments"));
        assert!(refused(&|kernel| kernel.descriptor.kernarg_bytes = 28).contains("28 bytes of arguments"));
        assert!(refused(&|kernel| kernel.descriptor.code_properties = 9).contains("user SGPRs"));
        assert!(refused(&|kernel| kernel.descriptor.registers.rsrc2 |= 1).contains("private memory"));
        assert!(refused(&|kernel| kernel.descriptor.group_segment_bytes = 1 << 20).contains("LDS"));
        assert!(refused(&|kernel| kernel.entry += 4).contains("multiple of 256"));
        assert!(refused(&|kernel| kernel.name = "other".into()).contains("not in the code object"));
        assert!(clover_module(&object(0x99), &[]).unwrap_err().to_string().contains("unknown target"));
    }

    #[test]
    fn the_numbers_of_a_target() {
        assert_eq!(isa_version("gfx600"), [6, 0, 0]);
        assert_eq!(isa_version("gfx803"), [8, 0, 3]);
        assert_eq!(isa_version("gfx90c"), [9, 0, 12]);
    }
}
