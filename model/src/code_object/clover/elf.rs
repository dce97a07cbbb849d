//! The ELF file in clover's module: a relocatable one with nothing in it but code.
//!
//! Source: Mesa's `ac_rtld.c`, which wants a 64-bit file for machine 224, sections at address 0, and of loaded ones only
//! PROGBITS that are not written to; it looks at neither OS ABI nor flags.

/// EM_AMDGPU.
const MACHINE: u16 = 224;
/// ELFOSABI_AMDGPU_MESA3D (LLVM `AMDGPUUsage.rst`, "ELF Header").
const OS_ABI_AMDGPU_MESA3D: u8 = 66;
/// Size of the file's header, bytes.
const HEADER: usize = 64;
/// Size of a section's header, bytes.
const SECTION: usize = 64;
/// Alignment of the code, bytes: the register of its address drops the lowest 8 bits (COMPUTE_PGM_LO).
pub(super) const CODE_ALIGNMENT: usize = 256;
/// Names of the sections.
const NAMES: &[u8] = b"\0.text\0.shstrtab\0";
/// Where `.text` starts in them.
const TEXT_NAME: u32 = 1;
/// Where `.shstrtab` starts in them.
const NAMES_NAME: u32 = 7;
/// SHT_PROGBITS.
const PROGBITS: u32 = 1;
/// SHT_STRTAB.
const STRTAB: u32 = 3;
/// SHF_ALLOC and SHF_EXECINSTR.
const ALLOC_EXECINSTR: u64 = 2 | 4;

struct Section {
    name: u32,
    kind: u32,
    flags: u64,
    offset: usize,
    bytes: usize,
    alignment: usize,
}

/// The file; `mach` is EF_AMDGPU_MACH.
pub(super) fn elf(mach: u8, code: &[u8]) -> Vec<u8> {
    let code_offset = HEADER.next_multiple_of(CODE_ALIGNMENT);
    let names_offset = code_offset + code.len();
    let sections_offset = (names_offset + NAMES.len()).next_multiple_of(8);
    let none = Section { name: 0, kind: 0, flags: 0, offset: 0, bytes: 0, alignment: 0 };
    let text = Section {
        name: TEXT_NAME,
        kind: PROGBITS,
        flags: ALLOC_EXECINSTR,
        offset: code_offset,
        bytes: code.len(),
        alignment: CODE_ALIGNMENT,
    };
    let names =
        Section { name: NAMES_NAME, kind: STRTAB, flags: 0, offset: names_offset, bytes: NAMES.len(), alignment: 1 };
    let sections = [none, text, names];

    let mut file = Vec::with_capacity(sections_offset + sections.len() * SECTION);
    file.extend([0x7f, b'E', b'L', b'F', 2, 1, 1, OS_ABI_AMDGPU_MESA3D, 0, 0, 0, 0, 0, 0, 0, 0]);
    let u16s = |file: &mut Vec<u8>, values: &[u16]| file.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    let u32s = |file: &mut Vec<u8>, values: &[u32]| file.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    let u64s = |file: &mut Vec<u8>, values: &[u64]| file.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    // ET_REL, machine; version; entry, program headers, section headers; flags; sizes and counts.
    u16s(&mut file, &[1, MACHINE]);
    u32s(&mut file, &[1]);
    u64s(&mut file, &[0, 0, sections_offset as u64]);
    u32s(&mut file, &[u32::from(mach)]);
    u16s(&mut file, &[HEADER as u16, 0, 0, SECTION as u16, sections.len() as u16, sections.len() as u16 - 1]);
    file.resize(code_offset, 0);
    file.extend(code);
    file.extend(NAMES);
    file.resize(sections_offset, 0);
    for section in sections {
        u32s(&mut file, &[section.name, section.kind]);
        u64s(&mut file, &[section.flags, 0, section.offset as u64, section.bytes as u64]);
        u32s(&mut file, &[0, 0]);
        u64s(&mut file, &[section.alignment as u64, 0]);
    }
    file
}
