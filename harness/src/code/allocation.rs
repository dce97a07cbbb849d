//! What kernels allocate, by their descriptors.

use std::collections::BTreeMap;

use gcn_model::code_object::{KernelDescriptor, ProgramRegisters};
use gcn_model::quantity::Bytes;
use gcn_predict::Allocation;
use object::read::ReadRef;
use object::read::elf::{ElfFile, FileHeader};
use object::{Object, ObjectSection, ObjectSymbol};

/// A kernel's descriptor has its name with this behind it (AMDGPUUsage.rst, "Code Object V3", ELF symbols).
const DESCRIPTOR: &str = ".kd";
/// Where an `amd_kernel_code_t` has its program registers, two dwords, and the LDS of a work-group (LLVM `AMDKernelCodeT.h`).
const REGISTERS: usize = 48;
const GROUP_SEGMENT: usize = 64;

/// What the kernels of an ELF file allocate, by name, as far as it has descriptors of code object V3 and later.
pub(super) fn of_descriptors<'data, F: FileHeader, R: ReadRef<'data>>(
    file: &ElfFile<'data, F, R>,
) -> BTreeMap<String, Allocation> {
    let mut allocations = BTreeMap::new();
    for symbol in file.symbols().chain(file.dynamic_symbols()) {
        let kernel = symbol.name().ok().and_then(|name| name.strip_suffix(DESCRIPTOR));
        let section = symbol.section_index().and_then(|index| file.section_by_index(index).ok());
        let (Some(kernel), Some(section)) = (kernel, section) else { continue };
        let bytes = section.data_range(symbol.address(), KernelDescriptor::BYTES as u64).ok().flatten();
        // One that is cut off is none: the code can be predicted all the same.
        let Some(bytes) = bytes.and_then(|bytes| bytes.try_into().ok()) else { continue };
        let descriptor = KernelDescriptor::read(bytes);
        let allocation =
            Allocation { registers: descriptor.registers, group_lds: Bytes(descriptor.group_segment_bytes) };
        allocations.insert(kernel.to_owned(), allocation);
    }
    allocations
}

/// What a kernel of code object V2 allocates, by its `amd_kernel_code_t`.
pub(super) fn of_header(header: &[u8]) -> Option<Allocation> {
    let dword = |at: usize| Some(u32::from_le_bytes(header.get(at..at + 4)?.try_into().ok()?));
    let registers = ProgramRegisters { rsrc1: dword(REGISTERS)?, rsrc2: dword(REGISTERS + 4)?, rsrc3: 0 };
    Some(Allocation { registers, group_lds: Bytes(dword(GROUP_SEGMENT)?) })
}
