//! A code object in the card's memory, loaded and checked as a strict loader does.

use std::sync::Arc;

use gcn_model::code_object::{CodeObject, KernelDescriptor};
use gcn_model::isa::Generation;
use object::elf::{FileHeader64, NoteType};
use object::read::elf::{ElfFile, FileHeader as _, ProgramHeader as _};
use object::{LittleEndian as LE, Object as _, ObjectSegment as _, ObjectSymbol as _, SymbolKind};

use crate::device::Device;
use crate::device_memory::Allocation;
use crate::metadata::{KernelMetadata, Metadata};

/// `NT_AMDGPU_METADATA` (LLVM `AMDGPUUsage.rst`, "Note Records").
const METADATA: NoteType = NoteType(32);
/// A setting of the target in the ELF flags of code object 4: XNACK in bits 8 and 9, SRAM-ECC in bits 10 and 11 (LLVM
/// `AMDGPUUsage.rst`, "AMDGPU ELF Header e_flags"); 0 unsupported, 1 any, 2 off, 3 on.
const SETTINGS: [(&str, u32); 2] = [("sramecc", 10), ("xnack", 8)];

/// A loaded code object.
#[derive(Debug)]
pub(crate) struct Image {
    pub(crate) kernels: Vec<LoadedKernel>,
    /// Where it lies.
    _allocation: Allocation,
}

/// A kernel of a loaded code object.
#[derive(Debug, Clone)]
pub(crate) struct LoadedKernel {
    /// The code object's metadata.
    pub(crate) metadata: Arc<KernelMetadata>,
    /// Where its descriptor lies.
    pub(crate) descriptor_address: u64,
}

type Elf<'a> = ElfFile<'a, FileHeader64<LE>>;

/// Checks that a file is a code object for the device: what `clCreateProgramWithBinary` looks at.
///
/// # Errors
/// The fault.
pub(crate) fn check_target(binary: &[u8], device: &Device) -> Result<(), String> {
    let object = CodeObject::read(binary).map_err(|error| error.to_string())?;
    let target = &device.card.gpu.gfx_target;
    let found = object.target().unwrap_or("a target that is not known");
    if found != target {
        return Err(format!("the code object is for {found}, and the device is {}", device.target_id()));
    }
    let flags = FileHeader64::<LE>::parse(binary).map_err(|error| error.to_string())?.e_flags(LE).0;
    for (setting, bit) in SETTINGS {
        let id = device.target_id();
        let has = if id.contains(&format!("{setting}+")) {
            3
        } else if id.contains(&format!("{setting}-")) {
            2
        } else {
            0
        };
        let wants = flags >> bit & 3;
        if wants != has && (wants != 1 || has == 0) {
            let wants = ["without it", "with any", "with it off", "with it on"][wants as usize];
            return Err(format!("{setting}: the code object was made {wants}, and the device is {id}"));
        }
    }
    Ok(())
}

/// Loads a code object, and checks that its statements in several places agree.
///
/// # Errors
/// The fault, with the kernel.
pub(crate) fn load(binary: &[u8], device: &Device) -> Result<Image, String> {
    let object = CodeObject::read(binary).map_err(|error| error.to_string())?;
    let elf = |error: object::Error| error.to_string();
    let file = Elf::parse(binary).map_err(elf)?;
    let metadata = Metadata::read(&note(&file)?)?;
    if let Some(target) = &metadata.target
        && !target.ends_with(&format!("--{}", device.target_id()))
        && !target.ends_with(&format!("--{}", device.card.gpu.gfx_target))
    {
        return Err(format!("metadata: amdhsa.target is {target}, and the device is {}", device.target_id()));
    }
    if file.dynamic_relocations().is_some_and(|mut relocations| relocations.next().is_some()) {
        return Err("it has relocations, which this driver does not resolve".into());
    }
    let end = file.segments().map(|segment| segment.address() + segment.size()).max().unwrap_or(0);
    let allocation = device.memory.allocate(end.max(1)).ok_or("there is no memory for it")?;
    let outside = || "a segment lies outside of the others".to_owned();
    device.memory.store(allocation.address, &vec![0; end as usize]).ok_or_else(outside)?;
    for segment in file.segments() {
        let data = segment.data().map_err(elf)?;
        device.memory.store(allocation.address + segment.address(), data).ok_or_else(outside)?;
    }
    let functions: Vec<&str> = file
        .dynamic_symbols()
        .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_global())
        .filter_map(|symbol| symbol.name().ok())
        .collect();
    let mut kernels = Vec::new();
    for kernel in metadata.kernels {
        let wrong = |problem: String| format!("kernel {}: {problem}", kernel.name);
        // ROCm takes its list of kernels from the functions (facts §5.3).
        if !functions.contains(&kernel.name.as_str()) {
            return Err(wrong("there is no global function of that name".into()));
        }
        let descriptor = object.kernel(&kernel.name).ok_or_else(|| wrong(format!("there is no {}", kernel.symbol)))?;
        let generation = device.card.gpu.generation;
        check_descriptor(&kernel, &descriptor.descriptor, generation).map_err(wrong)?;
        let symbol = file.dynamic_symbols().find(|symbol| symbol.name() == Ok(&kernel.symbol));
        let address =
            symbol.map(|symbol| symbol.address()).ok_or_else(|| wrong("its descriptor has no address".into()))?;
        if !address.is_multiple_of(KernelDescriptor::BYTES as u64) {
            return Err(wrong(format!("its descriptor at {address:#x} is not aligned to 64 bytes")));
        }
        let descriptor_address = allocation.address + address;
        kernels.push(LoadedKernel { metadata: Arc::new(kernel), descriptor_address });
    }
    Ok(Image { kernels, _allocation: allocation })
}

/// The metadata note: exactly one.
fn note(file: &Elf<'_>) -> Result<Vec<u8>, String> {
    let elf = |error: object::Error| error.to_string();
    let mut found = Vec::new();
    for header in file.elf_program_headers() {
        let Some(mut notes) = header.notes(LE, file.data()).map_err(elf)? else { continue };
        while let Some(note) = notes.next().map_err(elf)? {
            if note.n_type(LE) == METADATA && note.name() == b"AMDGPU" {
                found.push(note.desc().to_vec());
            }
        }
    }
    match (found.pop(), found.len()) {
        (Some(note), 0) => Ok(note),
        (None, _) => Err("it has no metadata note (NT_AMDGPU_METADATA)".into()),
        (Some(_), more) => Err(format!("it has {} metadata notes", more + 1)),
    }
}

/// Checks that metadata and descriptor agree.
fn check_descriptor(
    kernel: &KernelMetadata,
    descriptor: &KernelDescriptor,
    generation: Generation,
) -> Result<(), String> {
    let granules = &generation.descriptor;
    let same = [
        (".kernarg_segment_size", kernel.kernarg_bytes, descriptor.kernarg_bytes),
        (".group_segment_fixed_size", kernel.group_segment_bytes, descriptor.group_segment_bytes),
        (".private_segment_fixed_size", kernel.private_segment_bytes, descriptor.private_segment_bytes),
    ];
    for (name, said, found) in same {
        if said != found {
            return Err(format!("{name} is {said}, and its descriptor says {found}"));
        }
    }
    for (name, said, allocated) in [
        (".sgpr_count", kernel.sgprs, descriptor.registers.sgprs(granules)),
        (".vgpr_count", kernel.vgprs, descriptor.registers.vgprs(granules)),
    ] {
        if said > allocated {
            return Err(format!("{name} is {said}, and its descriptor allocates {allocated}"));
        }
    }
    Ok(())
}
