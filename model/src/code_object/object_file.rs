//! Reading a code object: the ELF file, its kernels and its code.

use object::elf::{EM_AMDGPU, FileHeader64};
use object::read::elf::{ElfFile, FileHeader};
use object::{LittleEndian, Object, ObjectSection, ObjectSymbol};

use super::{CodeObjectError, KernelDescriptor};
use crate::isa::Processor;

/// A kernel in a code object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    /// Its name, without `.kd`.
    pub name: String,
    pub descriptor: KernelDescriptor,
    /// Address of the first instruction in the code object.
    pub entry: u64,
}

/// A code object, read and checked as a loader does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeObject {
    /// EF_AMDGPU_MACH: the low byte of the ELF flags, 0x20 for gfx600.
    pub mach: u8,
    /// Kernels, by address of their code.
    pub kernels: Vec<Kernel>,
    /// Address of the first dword of the code.
    pub code_address: u64,
    /// The code, dword by dword.
    pub code: Vec<u32>,
}

/// ELFOSABI_AMDGPU_HSA (LLVM `AMDGPUUsage.rst`, "ELF Header").
const OS_ABI_AMDGPU_HSA: u8 = 64;

impl CodeObject {
    /// Reads a linked AMDHSA code object.
    ///
    /// # Errors
    /// A file that is damaged, cut off, for another machine, or whose kernels point outside of it.
    pub fn read(bytes: &[u8]) -> Result<Self, CodeObjectError> {
        let elf = |error: object::Error| CodeObjectError::Elf(error.to_string());
        let header = FileHeader64::<LittleEndian>::parse(bytes).map_err(elf)?;
        if header.e_machine(LittleEndian) != EM_AMDGPU {
            let machine = header.e_machine(LittleEndian);
            return Err(CodeObjectError::Foreign(format!("an ELF file for machine {machine:?}, not for AMDGPU (224)")));
        }
        let (os_abi, abi_version) = (header.e_ident.os_abi.0, header.e_ident.abi_version);
        if os_abi != OS_ABI_AMDGPU_HSA {
            return Err(CodeObjectError::Foreign(format!("ELF OS ABI {os_abi} is not AMDGPU_HSA (64)")));
        }
        if !(2..=4).contains(&abi_version) {
            return Err(CodeObjectError::Version(abi_version));
        }
        let file = ElfFile::<FileHeader64<LittleEndian>>::parse(bytes).map_err(elf)?;
        let text = file
            .section_by_name(".text")
            .ok_or_else(|| CodeObjectError::Foreign("the code object has no .text section".into()))?;
        let data = text.data().map_err(elf)?;
        if data.len() as u64 != text.size() || !data.len().is_multiple_of(4) {
            return Err(CodeObjectError::Elf(format!(".text has {} bytes of {}", data.len(), text.size())));
        }
        let code_end = text.address().checked_add(data.len() as u64).filter(|end| end.is_multiple_of(4));
        let code_end = code_end.ok_or_else(|| CodeObjectError::Elf(format!(".text is at {:#x}", text.address())))?;
        let code: Vec<u32> =
            data.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
        let mut kernels = Vec::new();
        for symbol in file.dynamic_symbols() {
            let name = symbol.name().map_err(elf)?;
            let Some(kernel) = name.strip_suffix(".kd") else { continue };
            let problem = |problem: String| CodeObjectError::Kernel { kernel: kernel.into(), problem };
            let descriptor = descriptor_at(&file, symbol.address()).ok_or_else(|| {
                problem(format!("its descriptor at {:#x} lies outside of the file", symbol.address()))
            })?;
            let entry = symbol.address().wrapping_add_signed(descriptor.entry_offset);
            if entry < text.address() || entry >= code_end || entry % 4 != 0 {
                return Err(problem(format!("its code at {entry:#x} lies outside of .text")));
            }
            kernels.push(Kernel { name: kernel.into(), descriptor, entry });
        }
        kernels.sort_by(|a, b| (a.entry, &a.name).cmp(&(b.entry, &b.name)));
        let mach = (header.e_flags(LittleEndian).0 & 0xff) as u8;
        Ok(Self { mach, kernels, code_address: text.address(), code })
    }

    /// The processor that the object is for, if it is one that a generation has.
    pub fn processor(&self) -> Option<Processor> {
        Processor::of_mach(self.mach)
    }

    /// LLVM's name of that processor.
    pub fn target(&self) -> Option<&'static str> {
        self.processor().map(Processor::name)
    }

    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|kernel| kernel.name == name)
    }

    /// The code from `address` to the end of the code object; empty if the address is outside or not a dword's.
    pub fn code_from(&self, address: u64) -> &[u32] {
        match address.checked_sub(self.code_address) {
            Some(offset) if offset % 4 == 0 => self.code.get((offset / 4) as usize..).unwrap_or(&[]),
            _ => &[],
        }
    }
}

fn descriptor_at(file: &ElfFile<'_, FileHeader64<LittleEndian>>, address: u64) -> Option<KernelDescriptor> {
    let bytes = file
        .sections()
        .find_map(|section| section.data_range(address, KernelDescriptor::BYTES as u64).ok().flatten())?;
    Some(KernelDescriptor::read(bytes.try_into().ok()?))
}
