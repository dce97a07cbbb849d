//! The fields of a linked code object that a loader reads.

use object::elf::FileHeader64;
use object::read::elf::{ElfFile64, FileHeader, SectionHeader};
use object::{LittleEndian, Object, ObjectSection, ObjectSymbol};

const HEADER: [(usize, usize); 15] = [
    (0, 4),
    (4, 1),
    (5, 1),
    (7, 1),
    (8, 1),
    (16, 2),
    (18, 2),
    (24, 8),
    (32, 8),
    (40, 8),
    (48, 4),
    (54, 2),
    (56, 2),
    (58, 2),
    (60, 2),
];
/// Offsets and sizes of the fields of a section header, a program header, a symbol and a kernel descriptor.
const SECTION: [(usize, usize); 10] =
    [(0, 4), (4, 4), (8, 8), (16, 8), (24, 8), (32, 8), (40, 4), (44, 4), (48, 8), (56, 8)];
const SEGMENT: [(usize, usize); 8] = [(0, 4), (4, 4), (8, 8), (16, 8), (24, 8), (32, 8), (40, 8), (48, 8)];
const SYMBOL: [(usize, usize); 6] = [(0, 4), (4, 1), (5, 1), (6, 2), (8, 8), (16, 8)];
const DESCRIPTOR: [(usize, usize); 8] = [(0, 4), (4, 4), (8, 4), (16, 8), (44, 4), (48, 4), (52, 4), (56, 2)];

/// A field: its place and its size in bytes.
pub(crate) type Field = (usize, usize);

/// The fields of a code object, by their structure.
pub(crate) struct Fields {
    /// ELF header.
    pub(crate) header: Vec<Field>,
    /// Section and program headers.
    pub(crate) tables: Vec<Field>,
    /// Symbols of both tables, and their names.
    pub(crate) symbols: Vec<Field>,
    /// Kernel descriptors.
    pub(crate) descriptors: Vec<Field>,
    /// Notes: the metadata.
    pub(crate) notes: Vec<Field>,
    /// Dwords of the code.
    pub(crate) code: Vec<Field>,
}

impl Fields {
    /// The fields of a code object that is sound.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let endian = LittleEndian;
        let header = FileHeader64::<LittleEndian>::parse(bytes).unwrap();
        let file = ElfFile64::<LittleEndian>::parse(bytes).unwrap();
        let each = |start: usize, count: usize, size: usize, fields: &[Field]| -> Vec<Field> {
            let starts = (0..count).map(|index| start + index * size);
            starts
                .flat_map(|start| fields.iter().map(move |(at, size)| (start + at, *size)).collect::<Vec<_>>())
                .collect()
        };
        let mut tables = each(header.e_shoff(endian) as usize, header.e_shnum(endian).into(), 64, &SECTION);
        tables.extend(each(header.e_phoff(endian) as usize, header.e_phnum(endian).into(), 56, &SEGMENT));
        let range = |name: &str| {
            let (start, size) = file.section_by_name(name)?.file_range()?;
            Some((start as usize, size as usize))
        };
        let mut symbols = Vec::new();
        for name in [".dynsym", ".symtab"] {
            if let Some((start, size)) = range(name) {
                symbols.extend(each(start, size / 24, 24, &SYMBOL));
            }
        }
        let bytes_of = |name: &str, size: usize| -> Vec<Field> {
            let (start, length) = range(name).unwrap_or_default();
            (start..start + length).step_by(size).map(|at| (at, size)).collect()
        };
        symbols.extend(bytes_of(".dynstr", 1));
        let sections: Vec<_> = file.elf_section_table().iter().collect();
        let in_file = |address: u64| {
            let holds = |section: &&&object::elf::SectionHeader64<LittleEndian>| {
                let start = section.sh_addr(endian);
                start > 0 && (start..start + section.sh_size(endian)).contains(&address)
            };
            let section = sections.iter().find(holds).unwrap();
            (section.sh_offset(endian) + address - section.sh_addr(endian)) as usize
        };
        let kernels = file.dynamic_symbols().filter(|symbol| symbol.name().unwrap().ends_with(".kd"));
        let descriptors = kernels.flat_map(|symbol| each(in_file(symbol.address()), 1, 64, &DESCRIPTOR)).collect();
        let fields = Self {
            header: HEADER.to_vec(),
            tables,
            symbols,
            descriptors,
            notes: bytes_of(".note", 1),
            code: bytes_of(".text", 4),
        };
        for (name, found) in fields.by_name() {
            assert!(!found.is_empty(), "{name}");
            assert!(found.iter().all(|(at, size)| at + size <= bytes.len()), "{name}");
        }
        fields
    }

    /// All of them with their structure.
    pub(crate) fn by_name(&self) -> [(&'static str, &[Field]); 6] {
        [
            ("header", &self.header),
            ("tables", &self.tables),
            ("symbols", &self.symbols),
            ("descriptors", &self.descriptors),
            ("notes", &self.notes),
            ("code", &self.code),
        ]
    }
}
