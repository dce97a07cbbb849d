//! The needs of the kernels of an ELF file, by their descriptors and the metadata.

use std::collections::BTreeMap;

use gcn_model::code_object::{KernelDescriptor, KernelNeeds, Metadata};
use object::read::ReadRef;
use object::read::elf::{ElfFile, FileHeader};
use object::{Object, ObjectSection, ObjectSymbol};

/// A kernel's descriptor has its name with this suffix (AMDGPUUsage.rst, "Code Object V3", ELF symbols).
const DESCRIPTOR: &str = ".kd";
/// Where an `amd_kernel_code_t` has its program registers, two dwords, and the LDS of a work-group (LLVM `AMDKernelCodeT.h`).
const REGISTERS: usize = 48;
const GROUP_SEGMENT: usize = 64;

/// The needs of the kernels of an ELF file of code object V3 and later, by the name of their code's symbol.
///
/// A kernel is what has a descriptor or metadata, whatever its symbol says of its kind and size.
pub(super) fn of_kernels<'data, F: FileHeader, R: ReadRef<'data>>(
    bytes: &[u8],
    file: &ElfFile<'data, F, R>,
) -> BTreeMap<String, KernelNeeds> {
    let mut needs = BTreeMap::new();
    // One without metadata, or with damaged metadata, can be predicted all the same.
    let metadata = Metadata::of_file(bytes).map(|metadata| metadata.kernels).unwrap_or_default();
    for kernel in metadata {
        let name = kernel.symbol_name().to_owned();
        needs.insert(name, KernelNeeds { descriptor: None, metadata: Some(kernel) });
    }
    for symbol in file.symbols().chain(file.dynamic_symbols()) {
        let kernel = symbol.name().ok().and_then(|name| name.strip_suffix(DESCRIPTOR));
        let section = symbol.section_index().and_then(|index| file.section_by_index(index).ok());
        let (Some(kernel), Some(section)) = (kernel, section) else { continue };
        let bytes = section.data_range(symbol.address(), KernelDescriptor::BYTES as u64).ok().flatten();
        // A descriptor that is cut off does not count: the code can be predicted all the same.
        let Some(bytes) = bytes.and_then(|bytes| bytes.try_into().ok()) else { continue };
        let of_kernel = needs.entry(kernel.to_owned()).or_insert(KernelNeeds { descriptor: None, metadata: None });
        of_kernel.descriptor = Some(KernelDescriptor::read(bytes));
    }
    needs
}

/// The needs of a kernel of code object V2, by its `amd_kernel_code_t`.
pub(super) fn of_header(header: &[u8]) -> Option<KernelNeeds> {
    let field = |at: usize| header.get(at..at + 4);
    let mut bytes = [0; KernelDescriptor::BYTES];
    // The registers of both are at the same place.
    bytes[REGISTERS..REGISTERS + 8].copy_from_slice(header.get(REGISTERS..REGISTERS + 8)?);
    bytes[..4].copy_from_slice(field(GROUP_SEGMENT)?);
    Some(KernelNeeds { descriptor: Some(KernelDescriptor::read(&bytes)), metadata: None })
}
