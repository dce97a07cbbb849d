//! Sections of the relocatable objects that LLVM emits.

use object::{Object as _, ObjectSection as _, ObjectSymbol as _, read::elf::ElfFile64};
use std::ops::Range;

/// A section's bytes.
pub(super) fn section<'a>(object: &'a [u8], name: &str) -> Result<&'a [u8], String> {
    object.get(section_range(object, name)?).ok_or_else(|| format!("{name} beyond the end"))
}

/// Where a section's bytes lie in the file.
pub(super) fn section_range(object: &[u8], name: &str) -> Result<Range<usize>, String> {
    let file = parse(object)?;
    let section = file.section_by_name(name).ok_or_else(|| format!("no section {name}"))?;
    let (offset, size) = section.file_range().ok_or_else(|| format!("no bytes for {name}"))?;
    Ok(offset as usize..(offset + size) as usize)
}

/// Ascending offsets in a section at which a symbol's value is to be put.
pub(super) fn relocated(object: &[u8], name: &str) -> Result<Vec<u64>, String> {
    let file = parse(object)?;
    let section = file.section_by_name(name).ok_or_else(|| format!("no section {name}"))?;
    let mut offsets: Vec<u64> = section.relocations().map(|(offset, _)| offset).collect();
    offsets.sort_unstable();
    Ok(offsets)
}

/// Names of the symbols that an object wants from others.
pub(super) fn undefined(object: &[u8]) -> Result<Vec<String>, String> {
    let file = parse(object)?;
    let undefined = file.symbols().filter(|symbol| symbol.is_undefined());
    Ok(undefined.filter_map(|symbol| Some(symbol.name().ok()?.to_owned())).filter(|name| !name.is_empty()).collect())
}

fn parse(object: &[u8]) -> Result<ElfFile64<'_>, String> {
    ElfFile64::parse(object).map_err(|error| error.to_string())
}
