//! The code of an ELF file, linked or not.

use object::elf::{EM_AMDGPU, FileHeader64};
use object::read::elf::{ElfFile, FileHeader};
use object::{LittleEndian, Object, ObjectSection, ObjectSymbol, SectionKind, SymbolFlags, SymbolKind};

use super::CodeError;
use super::allocation;
use super::function::Function;
use super::label::Label;
use gcn_predict::Code;

/// The low byte of the ELF flags names the processor.
const MACH: u32 = 0xff;
/// ELFOSABI_AMDGPU_HSA, and the ABI version of code object V6, the last that LLVM 22 knows; that of V2 is 0 (AMDGPUUsage.rst, "ELF Header").
const HSA: u8 = 64;
const LAST_HSA_VERSION: u8 = 4;
/// STT_AMDGPU_HSA_KERNEL: a kernel of code object V2, where it is an `amd_kernel_code_t` with the code behind it (AMDGPUUsage.rst, "Code Object V2").
const HSA_KERNEL: u8 = 10;
/// Where an `amd_kernel_code_t` says how far behind its start the code is: eight bytes.
const ENTRY_OFFSET: usize = 16;
/// LLVM's bitcode, which is compiled when a program is linked.
const BITCODE: &[u8] = b"BC\xc0\xde";

/// What an ELF file holds.
pub(super) struct ObjectCode {
    /// EF_AMDGPU_MACH.
    pub(super) mach: u8,
    /// Its functions, by address; one without a name if there are none.
    pub(super) functions: Vec<Function>,
    /// Its other symbols in code.
    pub(super) labels: Vec<Label>,
}

/// Reads an ELF file for AMDGPU.
///
/// # Errors
/// It is none, or damaged, or has no code.
pub(super) fn read(bytes: &[u8]) -> Result<ObjectCode, CodeError> {
    let wrong = |problem: String| CodeError::Object(problem);
    let damaged = |error: object::Error| CodeError::Object(format!("the ELF file is damaged: {error}"));
    if bytes.starts_with(BITCODE) {
        return Err(wrong(
            "LLVM bitcode, not machine code: compile it without -fgpu-rdc, or take the linked program".to_owned(),
        ));
    }
    let header = FileHeader64::<LittleEndian>::parse(bytes).map_err(damaged)?;
    let machine = header.e_machine(LittleEndian);
    if machine != EM_AMDGPU {
        return Err(wrong(format!("an ELF file for machine {machine:?}, not for AMDGPU (224)")));
    }
    let (os_abi, version) = (header.e_ident.os_abi.0, header.e_ident.abi_version);
    if os_abi == HSA && version > LAST_HSA_VERSION {
        let known = "those of code objects V2 to V6 are 0 to 4";
        return Err(wrong(format!("a code object of ELF ABI version {version}, which is not known: {known}")));
    }
    let mach = (header.e_flags(LittleEndian).0 & MACH) as u8;
    let file = ElfFile::<FileHeader64<LittleEndian>>::parse(bytes).map_err(damaged)?;
    let allocations = allocation::of_descriptors(&file);
    let (mut functions, mut labels) = (Vec::new(), Vec::new());
    for section in file.sections().filter(|section| section.kind() == SectionKind::Text && section.size() > 0) {
        let data = section.data().map_err(damaged)?;
        let start = section.address();
        let end = start.checked_add(data.len() as u64);
        let end = end.ok_or_else(|| wrong(format!("the ELF file is damaged: it has code at {start:#x}")))?;
        let words: Vec<u32> =
            data.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
        let code = Code { address: start, words };
        let (mut symbols, mut others) = (Vec::new(), Vec::new());
        for symbol in file.symbols().chain(file.dynamic_symbols()) {
            if symbol.section_index() != Some(section.index()) || !(start..=end).contains(&symbol.address()) {
                continue;
            }
            let name = symbol.name().map_err(damaged)?.to_owned();
            let last = symbol.address().saturating_add(symbol.size()).min(end);
            // Its number is that of an indirect function elsewhere, which no code for a GPU has.
            let is_hsa_kernel =
                matches!(symbol.flags(), SymbolFlags::Elf { st_info, .. } if st_info.0 & 0xf == HSA_KERNEL);
            if symbol.size() == 0 || symbol.kind() != SymbolKind::Text || symbol.address() == end {
                others.push((name, symbol.address()));
            } else if is_hsa_kernel {
                let header = &data[(symbol.address() - start) as usize..];
                let first = entry(header).and_then(|offset| symbol.address().checked_add(offset));
                let first = first.filter(|first| *first < last && first.is_multiple_of(4));
                let first =
                    first.ok_or_else(|| wrong(format!("the ELF file is damaged: the header of kernel {name}")))?;
                symbols.push((first, last, name, allocation::of_header(header)));
            } else {
                let allocation = allocations.get(&name).copied();
                symbols.push((symbol.address(), last, name, allocation));
            }
        }
        symbols.sort_by(|one, other| (one.0, one.1, &one.2).cmp(&(other.0, other.1, &other.2)));
        symbols.dedup();
        others.sort();
        others.dedup();
        let first = functions.len();
        if symbols.is_empty() {
            functions.push(Function { name: String::new(), code, allocation: None });
        } else {
            for (address, last, name, allocation) in symbols {
                let words = code.words_of(address, last).unwrap_or_default().to_vec();
                functions.push(Function { name, code: Code { address, words }, allocation });
            }
        }
        for (name, address) in others {
            labels.extend(Label::within(name, address, &functions, first));
        }
    }
    if functions.is_empty() {
        return Err(wrong("the ELF file has no code".to_owned()));
    }
    Ok(ObjectCode { mach, functions, labels })
}

/// How far behind its start an `amd_kernel_code_t` has its code.
fn entry(header: &[u8]) -> Option<u64> {
    let bytes = header.get(ENTRY_OFFSET..ENTRY_OFFSET + 8)?;
    Some(bytes.iter().rev().fold(0, |offset, byte| offset << 8 | u64::from(*byte)))
}
