//! The lines of the source that an ELF file's line tables name: DWARF's `.debug_line`, as compilers write it with `-g`.

use std::collections::BTreeMap;

use gimli::{AttributeValue, DebugLine, DebugLineOffset, DebugLineStr, DebugStr, EndianSlice, LittleEndian};
use object::read::ReadRef;
use object::read::elf::{ElfFile, FileHeader};
use object::{Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget, SectionKind};

/// R_AMDGPU_ABS64 and R_AMDGPU_ABS32 (AMDGPUUsage.rst, "Relocation Records"), and the bytes that they fill.
const RELOCATIONS: [(u32, usize); 2] = [(3, 8), (6, 4)];
/// An address has this many bytes.
const ADDRESS: u8 = 8;

/// The most bytes of all names and rows together, each row counted with its own name.
const MOST_BYTES: usize = 64 << 20;
const BYTES_OF_A_ROW: usize = 32;

/// Lines by their addresses.
struct Places {
    of: BTreeMap<u64, Option<String>>,
    /// Bytes that there may still be.
    left: usize,
}

type Slice<'data> = EndianSlice<'data, LittleEndian>;

/// From an address on, `FILE:LINE`; `None` where no line is known. Empty where the file has no line tables, or damaged ones: its code can be
/// predicted all the same.
///
/// # Errors
/// They have more text than a program has.
pub(super) fn places<'data, F: FileHeader, R: ReadRef<'data>>(
    file: &ElfFile<'data, F, R>,
) -> Result<BTreeMap<u64, Option<String>>, String> {
    let sections = file.sections().filter(|section| section.kind() == SectionKind::Text && section.size() > 0);
    // Sections of a file that is not linked all begin at 0.
    if sections.filter(|section| section.address() == 0).count() > 1 {
        return Ok(BTreeMap::new());
    }
    let [lines, line_names, names] =
        [".debug_line", ".debug_line_str", ".debug_str"].map(|name| relocated(file, name).unwrap_or_default());
    let strings =
        Strings { line: DebugLineStr::new(&line_names, LittleEndian), other: DebugStr::new(&names, LittleEndian) };
    let (table, mut places) = (DebugLine::new(&lines, LittleEndian), Places { of: BTreeMap::new(), left: MOST_BYTES });
    let mut offset = 0;
    while offset < lines.len() {
        let Some(next) = of_unit(&table, offset, &strings, &mut places) else { break };
        offset = next;
    }
    let too_many = || {
        format!("its line tables have more than {MOST_BYTES} bytes of names and rows: remove them with llvm-strip -g")
    };
    places.left.checked_sub(1).map(|_| places.of).ok_or_else(too_many)
}

/// Adds the lines of the unit at an offset: where the next unit begins.
fn of_unit<'data>(
    table: &DebugLine<Slice<'data>>,
    offset: usize,
    strings: &Strings<'data>,
    places: &mut Places,
) -> Option<usize> {
    let program = table.program(DebugLineOffset(offset), ADDRESS, None, None).ok()?;
    let next = offset.checked_add(4)?.checked_add(program.header().unit_length())?;
    let mut rows = program.rows();
    while let Ok(Some((header, row))) = rows.next_row() {
        let file = header.file(row.file_index()).and_then(|file| strings.text(file.path_name()));
        let place = file.zip(row.line()).map(|(file, line)| format!("{file}:{line}"));
        let bytes = BYTES_OF_A_ROW + place.as_ref().map_or(0, String::len);
        places.left = places.left.saturating_sub(bytes);
        if places.left == 0 {
            return None;
        }
        match places.of.entry(row.address()) {
            // Where one sequence ends the next may begin.
            std::collections::btree_map::Entry::Occupied(_) if row.end_sequence() => {}
            std::collections::btree_map::Entry::Occupied(mut known) => *known.get_mut() = place,
            std::collections::btree_map::Entry::Vacant(new) => {
                new.insert(place.filter(|_| !row.end_sequence()));
            }
        }
    }
    Some(next)
}

/// The strings that line tables name.
struct Strings<'data> {
    line: DebugLineStr<Slice<'data>>,
    other: DebugStr<Slice<'data>>,
}

impl<'data> Strings<'data> {
    fn text(&self, value: AttributeValue<Slice<'data>>) -> Option<String> {
        let text = match value {
            AttributeValue::String(text) => text,
            AttributeValue::DebugLineStrRef(offset) => self.line.get_str(offset).ok()?,
            AttributeValue::DebugStrRef(offset) => self.other.get_str(offset).ok()?,
            _ => return None,
        };
        text.to_string().ok().map(str::to_owned)
    }
}

/// The bytes of a section with its relocations.
fn relocated<'data, F: FileHeader, R: ReadRef<'data>>(file: &ElfFile<'data, F, R>, name: &str) -> Option<Vec<u8>> {
    let section = file.section_by_name(name)?;
    let mut bytes = section.data().ok()?.to_vec();
    for (offset, relocation) in section.relocations() {
        let RelocationFlags::Elf { r_type } = relocation.flags() else { continue };
        let RelocationTarget::Symbol(symbol) = relocation.target() else { continue };
        let Some((_, length)) = RELOCATIONS.iter().find(|(kind, _)| *kind == r_type.0) else { continue };
        let value = file.symbol_by_index(symbol).ok()?.address().wrapping_add_signed(relocation.addend());
        let at = usize::try_from(offset).ok()?;
        bytes.get_mut(at..at + length)?.copy_from_slice(&value.to_le_bytes()[..*length]);
    }
    Some(bytes)
}
