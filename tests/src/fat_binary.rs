//! Files with code for several GPUs, written field by field.

/// Code begins at a multiple of this.
const ALIGNMENT: usize = 256;
/// Bytes of an ELF header, and of a section header.
const HEADER: usize = 64;

/// An offload bundle of entries, each an identifier and its code.
pub fn offload_bundle(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let table: usize = entries.iter().map(|(identifier, _)| 24 + identifier.len()).sum();
    let mut at = (32 + table).next_multiple_of(ALIGNMENT);
    let mut bytes = b"__CLANG_OFFLOAD_BUNDLE__".to_vec();
    bytes.extend((entries.len() as u64).to_le_bytes());
    let mut places = Vec::new();
    for (identifier, code) in entries {
        for number in [at, code.len(), identifier.len()] {
            bytes.extend((number as u64).to_le_bytes());
        }
        bytes.extend(identifier.as_bytes());
        places.push(at);
        at = (at + code.len()).next_multiple_of(ALIGNMENT);
    }
    for ((_, code), place) in entries.iter().zip(places) {
        bytes.resize(place, 0);
        bytes.extend(*code);
    }
    bytes
}

/// An ELF file for x86-64 with one section besides its table of names: `.hip_fatbin`.
pub fn host_file(bundles: &[u8]) -> Vec<u8> {
    let names = b"\0.hip_fatbin\0.shstrtab\0";
    let bundles_at = ALIGNMENT;
    let names_at = bundles_at + bundles.len();
    let sections_at = (names_at + names.len()).next_multiple_of(8);
    // ELFCLASS64, ELFDATA2LSB, EV_CURRENT; ET_DYN, EM_X86_64, version 1.
    let mut bytes = b"\x7fELF\x02\x01\x01".to_vec();
    bytes.resize(16, 0);
    bytes.extend([3, 0, 62, 0, 1, 0, 0, 0]);
    bytes.resize(40, 0);
    bytes.extend((sections_at as u64).to_le_bytes());
    bytes.resize(52, 0);
    // The sizes of this header and of others; three sections, the last of them the names.
    for half in [HEADER as u16, 56, 0, HEADER as u16, 3, 2] {
        bytes.extend(half.to_le_bytes());
    }
    bytes.resize(bundles_at, 0);
    bytes.extend(bundles);
    bytes.extend(names);
    bytes.resize(sections_at + HEADER, 0);
    // SHT_PROGBITS, SHF_ALLOC; SHT_STRTAB.
    for (name, kind, flags, at, size) in [(1, 1, 2, bundles_at, bundles.len()), (13, 3, 0, names_at, names.len())] {
        bytes.extend([name, kind].map(u32::to_le_bytes).concat());
        bytes.extend([flags, 0, at as u64, size as u64, 0, 1, 0].map(u64::to_le_bytes).concat());
    }
    bytes
}
