//! The code of an ELF file, linked or not.

use object::elf::{EM_AMDGPU, FileHeader64};
use object::read::elf::{ElfFile, FileHeader};
use object::{LittleEndian, Object, ObjectSection, ObjectSymbol, SectionKind, SymbolFlags, SymbolKind};

use super::CodeError;
use super::function::Function;
use super::kernel_needs;
use super::label::Label;
use super::source_lines;
use gcn_predict::Code;

/// The low byte of the ELF flags names the processor.
const MACH: u32 = 0xff;
/// ELFOSABI_AMDGPU_HSA, and the ABI version of code object V6, the last that LLVM 22 knows; that of V2 is 0 (AMDGPUUsage.rst, "ELF Header").
const HSA: u8 = 64;
const LAST_HSA_VERSION: u8 = 4;
/// STT_AMDGPU_HSA_KERNEL: a kernel of code object V2, an `amd_kernel_code_t` followed by the code (AMDGPUUsage.rst, "Code Object V2").
const HSA_KERNEL: u8 = 10;
/// Place of the code's offset in an `amd_kernel_code_t`: eight bytes.
const ENTRY_OFFSET: usize = 16;
/// The label after the last line of a text that is assembled here.
pub(super) const TEXT_END: &str = "gcn_timings_text_end";
/// LLVM's bitcode, which is compiled when a program is linked.
const BITCODE: &[u8] = b"BC\xc0\xde";

/// The content of an ELF file.
pub(super) struct ObjectCode {
    /// EF_AMDGPU_MACH.
    pub(super) mach: u8,
    /// Its functions, by address; an unnamed one if it has no functions.
    pub(super) functions: Vec<Function>,
    /// Its other symbols in code.
    pub(super) labels: Vec<Label>,
}

/// Reads an ELF file for AMDGPU.
///
/// # Errors
/// Not an ELF file, damaged, or without code.
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
    let kernels = kernel_needs::of_kernels(bytes, &file);
    let places = source_lines::places(&file);
    let places_of = |code: &Code| {
        // What begins before it counts until the next.
        let first = places.range(..=code.address).next_back().map_or(code.address, |(address, _)| *address);
        places.range(first..code.end().max(first)).map(|(address, place)| (*address, place.clone())).collect()
    };
    let text_ends: Vec<_> = (file.symbols().filter(|symbol| symbol.name() == Ok(TEXT_END)))
        .map(|symbol| (symbol.section_index(), symbol.address()))
        .collect();
    let (mut functions, mut labels) = (Vec::new(), Vec::new());
    for section in file.sections().filter(|section| section.kind() == SectionKind::Text && section.size() > 0) {
        let start = section.address();
        let data = section.data().map_err(damaged)?;
        // Padding that LLVM adds after the last line of a text is no code of its author.
        let own_end = text_ends.iter().rev().find(|(of, _)| *of == Some(section.index())).map(|(_, end)| *end);
        let own = own_end.and_then(|end| data.get(..usize::try_from(end.checked_sub(start)?).ok()?));
        let data = own.unwrap_or(data);
        if data.is_empty() {
            continue;
        }
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
            if name == TEXT_END {
                continue;
            }
            let is_kernel = kernels.contains_key(&name);
            // Hand-written kernels have no size, and often no kind.
            let last = match symbol.size() {
                0 => None,
                size => Some(symbol.address().saturating_add(size).min(end)),
            };
            // Its number is that of an indirect function elsewhere, which no code for a GPU has.
            let is_hsa_kernel =
                matches!(symbol.flags(), SymbolFlags::Elf { st_info, .. } if st_info.0 & 0xf == HSA_KERNEL);
            let is_function = is_kernel || symbol.kind() == SymbolKind::Text;
            if !is_function || symbol.address() == end || !symbol.address().is_multiple_of(4) {
                others.push((name, symbol.address()));
            } else if is_hsa_kernel {
                let header = &data[(symbol.address() - start) as usize..];
                let first = entry(header).and_then(|offset| symbol.address().checked_add(offset));
                let first = first.filter(|first| *first < last.unwrap_or(end) && first.is_multiple_of(4));
                let first =
                    first.ok_or_else(|| wrong(format!("the ELF file is damaged: the header of kernel {name}")))?;
                symbols.push((first, last, name, kernel_needs::of_header(header)));
            } else {
                let needs = kernels.get(&name).cloned();
                symbols.push((symbol.address(), last, name, needs));
            }
        }
        symbols.sort_by(|one, other| (one.0, one.1, &one.2).cmp(&(other.0, other.1, &other.2)));
        symbols.dedup();
        let starts: Vec<u64> = symbols.iter().map(|(start, ..)| *start).collect();
        others.sort();
        others.dedup();
        let first = functions.len();
        if symbols.is_empty() {
            functions.push(Function { name: String::new(), places: places_of(&code), code, needs: None });
        } else {
            for (address, last, name, needs) in symbols {
                let next = || starts.get(starts.partition_point(|start| *start <= address)).copied();
                let last = last.or_else(next).unwrap_or(end);
                let words = code.words_of(address, last).unwrap_or_default().to_vec();
                let code = Code { address, words };
                functions.push(Function { name, places: places_of(&code), code, needs });
            }
        }
        for (name, address) in others {
            labels.extend(Label::within(name, address, &functions, first));
        }
    }
    if functions.is_empty() {
        return Err(wrong("there is no code in it".to_owned()));
    }
    Ok(ObjectCode { mach, functions, labels })
}

/// The offset of the code from the start of its `amd_kernel_code_t`.
fn entry(header: &[u8]) -> Option<u64> {
    let bytes = header.get(ENTRY_OFFSET..ENTRY_OFFSET + 8)?;
    Some(bytes.iter().rev().fold(0, |offset, byte| offset << 8 | u64::from(*byte)))
}
