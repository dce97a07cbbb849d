//! The name of a kernel: from the symbols of the code object that ROCr loaded around it.
//!
//! A dispatch names its kernel by address alone, and names are wanted in messages and faults. ROCr loads all of a code
//! object's segments in one piece, from the ELF header on (ELF specification; AMDGPU ABI, "Code Object").

use crate::memory_map::MemoryMap;
use crate::place::PAGE;

/// No code object is larger.
const MOST_PAGES: u64 = 1 << 14;

const PT_DYNAMIC: u32 = 2;
const DT_HASH: u64 = 4;
const DT_STRTAB: u64 = 5;
const DT_SYMTAB: u64 = 6;
const SYMBOL_BYTES: u64 = 24;
/// End of a kernel descriptor's symbol.
const DESCRIPTOR_SUFFIX: &str = ".kd";

/// The name of the kernel whose descriptor is at an address; `None` for code that is in no code object, such as ROCr's
/// own kernels.
pub(crate) fn kernel_name(memory: &MemoryMap, descriptor: u64) -> Option<String> {
    let first = descriptor / PAGE;
    let magic = u32::from_le_bytes(*b"\x7fELF");
    let base = (0..MOST_PAGES).map_while(|back| first.checked_sub(back)).map(|page| page * PAGE);
    // Pages before the mapping belong to nothing.
    let base = base.map_while(|base| Some((base, memory.load32(base).ok()?))).find(|(_, word)| *word == magic)?.0;
    let program_headers = memory.load64(base + 32).ok()?;
    let counts = memory.load32(base + 56).ok()?;
    let headers = (0..u64::from(counts & 0xffff)).map(|i| base + program_headers + i * 56);
    let dynamic = headers.into_iter().find(|header| memory.load32(*header) == Ok(PT_DYNAMIC))?;
    let dynamic = base + memory.load64(dynamic + 16).ok()?;
    let entry = |tag: u64| {
        let mut entries =
            (0..64).map(|i| dynamic + 16 * i).map_while(|entry| memory.load64(entry).ok().map(|tag| (tag, entry)));
        let (_, entry) = entries.find(|(found, _)| *found == tag)?;
        Some(base + memory.load64(entry + 8).ok()?)
    };
    let (symbols, names, hash) = (entry(DT_SYMTAB)?, entry(DT_STRTAB)?, entry(DT_HASH)?);
    // The hash table's number of chains is the number of symbols.
    let count = u64::from(memory.load32(hash + 4).ok()?);
    let symbol = (0..count).map(|i| symbols + SYMBOL_BYTES * i);
    let symbol = symbol.into_iter().find(|symbol| memory.load64(symbol + 8) == Ok(descriptor - base))?;
    let name = names + u64::from(memory.load32(symbol).ok()?);
    let mut text = Vec::new();
    let mut byte = [0];
    while memory.read(name + text.len() as u64, &mut byte).is_ok() && byte[0] != 0 {
        text.push(byte[0]);
    }
    String::from_utf8(text).ok()?.strip_suffix(DESCRIPTOR_SUFFIX).map(str::to_owned)
}
