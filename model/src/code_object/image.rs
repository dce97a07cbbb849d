//! A code object as it lies in memory.
//!
//! Source: LLVM `AMDGPUUsage.rst`, "Relocation Records", for the values that a loader has to put in.

use object::elf::{FileHeader64, PT_LOAD};
use object::read::elf::{ElfFile, ProgramHeader as _};
use object::{LittleEndian as LE, Object as _, ObjectSymbol as _, RelocationFlags, RelocationTarget};

use super::CodeObjectError;

/// More memory than this no code object has.
const MOST_BYTES: u64 = 1 << 30;
/// `R_AMDGPU_ABS64`: the address of a symbol.
const ABS64: u32 = 3;
/// `R_AMDGPU_RELATIVE64`: an address in the code object.
const RELATIVE64: u32 = 13;

/// The memory of a code object, from address 0 on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    bytes: Vec<u8>,
    /// Where a 64-bit address of the code object stands, and the address.
    addresses: Vec<(u64, u64)>,
    /// Addresses of the descriptors, by the kernel's name.
    descriptors: Vec<(String, u64)>,
}

impl Image {
    /// The memory that a linked code object wants.
    ///
    /// # Errors
    /// A file that is damaged, or that needs other code objects.
    pub fn of_file(file: &[u8]) -> Result<Self, CodeObjectError> {
        let elf = |error: object::Error| CodeObjectError::Elf(error.to_string());
        let file = ElfFile::<FileHeader64<LE>>::parse(file).map_err(elf)?;
        let mut bytes = Vec::new();
        for header in file.elf_program_headers().iter().filter(|header| header.p_type(LE) == PT_LOAD) {
            let (start, size) = (header.p_vaddr(LE), header.p_memsz(LE));
            let outside = || CodeObjectError::Elf(format!("a segment of {size} bytes is at {start:#x}"));
            let end = start.checked_add(size).filter(|end| *end <= MOST_BYTES).ok_or_else(outside)?;
            let data = header.data(LE, file.data()).map_err(|()| outside())?;
            if data.len() as u64 > size {
                return Err(outside());
            }
            if bytes.len() < end as usize {
                bytes.resize(end as usize, 0);
            }
            bytes[start as usize..start as usize + data.len()].copy_from_slice(data);
        }
        let mut addresses = Vec::new();
        for (place, relocation) in file.dynamic_relocations().into_iter().flatten() {
            let wrong = |what: &str| CodeObjectError::Elf(format!("the relocation at {place:#x} {what}"));
            let RelocationFlags::Elf { r_type, .. } = relocation.flags() else { continue };
            let symbol = match relocation.target() {
                RelocationTarget::Symbol(index) => {
                    let table = file.dynamic_symbol_table().ok_or_else(|| wrong("has no symbols"))?;
                    let symbol = object::ObjectSymbolTable::symbol_by_index(&table, index).map_err(elf)?;
                    if symbol.is_undefined() {
                        let name = symbol.name().unwrap_or_default();
                        return Err(wrong(&format!("needs {name}, which no file has: link it in")));
                    }
                    symbol.address()
                }
                _ => 0,
            };
            if !matches!(r_type.0, ABS64 | RELATIVE64) {
                return Err(wrong(&format!("is of type {}, which is not resolved here", r_type.0)));
            }
            if place.checked_add(8).is_none_or(|end| end > bytes.len() as u64) {
                return Err(wrong("lies outside of the memory"));
            }
            addresses.push((place, symbol.wrapping_add_signed(relocation.addend())));
        }
        let symbols = file.dynamic_symbols();
        let descriptors =
            symbols.filter_map(|symbol| Some((symbol.name().ok()?.strip_suffix(".kd")?.to_owned(), symbol.address())));
        Ok(Self { bytes, addresses, descriptors: descriptors.collect() })
    }

    /// Its size in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Its dwords, loaded to `base`.
    pub fn words(&self, base: u64) -> Vec<u32> {
        let mut bytes = self.bytes.clone();
        for (place, address) in &self.addresses {
            bytes[*place as usize..*place as usize + 8].copy_from_slice(&base.wrapping_add(*address).to_le_bytes());
        }
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
    }

    /// Address of the descriptor of a kernel.
    pub fn descriptor(&self, kernel: &str) -> Option<u64> {
        self.descriptors.iter().find(|(name, _)| name == kernel).map(|(_, address)| *address)
    }
}
