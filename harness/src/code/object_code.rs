//! The code of an ELF file, linked or not.

use object::elf::{EM_AMDGPU, FileHeader64};
use object::read::elf::{ElfFile, FileHeader};
use object::{LittleEndian, Object, ObjectSection, ObjectSymbol, SectionKind, SymbolKind};

use super::CodeError;
use super::function::Function;
use gcn_predict::Code;

/// The low byte of the ELF flags names the processor.
const MACH: u32 = 0xff;

/// What an ELF file holds.
pub(super) struct ObjectCode {
    /// EF_AMDGPU_MACH.
    pub(super) mach: u8,
    /// Its functions, by address; one without a name if there are none.
    pub(super) functions: Vec<Function>,
    /// Its other symbols in code, by name and address.
    pub(super) labels: Vec<(String, u64)>,
}

/// Reads an ELF file for AMDGPU.
///
/// # Errors
/// It is none, or damaged, or has no code.
pub(super) fn read(bytes: &[u8]) -> Result<ObjectCode, CodeError> {
    let wrong = |problem: String| CodeError::Object(problem);
    let damaged = |error: object::Error| CodeError::Object(format!("the ELF file is damaged: {error}"));
    if bytes.starts_with(b"__CLANG_OFFLOAD_BUNDLE__") {
        return Err(wrong(
            "an offload bundle: take a code object out of it with `clang-offload-bundler --unbundle --type=o`"
                .to_owned(),
        ));
    }
    let header = FileHeader64::<LittleEndian>::parse(bytes).map_err(damaged)?;
    let machine = header.e_machine(LittleEndian);
    if machine != EM_AMDGPU {
        return Err(wrong(format!("an ELF file for machine {machine:?}, not for AMDGPU (224)")));
    }
    let mach = (header.e_flags(LittleEndian).0 & MACH) as u8;
    let file = ElfFile::<FileHeader64<LittleEndian>>::parse(bytes).map_err(damaged)?;
    let (mut functions, mut labels) = (Vec::new(), Vec::new());
    for section in file.sections().filter(|section| section.kind() == SectionKind::Text && section.size() > 0) {
        let data = section.data().map_err(damaged)?;
        let (start, end) = (section.address(), section.address() + data.len() as u64);
        let words: Vec<u32> =
            data.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
        let code = Code { address: start, words };
        let mut symbols = Vec::new();
        for symbol in file.symbols().chain(file.dynamic_symbols()) {
            if symbol.section_index() != Some(section.index()) || !(start..end).contains(&symbol.address()) {
                continue;
            }
            let name = symbol.name().map_err(damaged)?.to_owned();
            let is_function = symbol.kind() == SymbolKind::Text && symbol.size() > 0;
            if is_function {
                symbols.push((symbol.address(), symbol.size(), name));
            } else {
                labels.push((name, symbol.address()));
            }
        }
        symbols.sort();
        symbols.dedup();
        if symbols.is_empty() {
            functions.push(Function { name: String::new(), code });
            continue;
        }
        for (address, size, name) in symbols {
            let words = code.words_of(address, (address + size).min(end)).unwrap_or_default().to_vec();
            functions.push(Function { name, code: Code { address, words } });
        }
    }
    if functions.is_empty() {
        return Err(wrong("the ELF file has no code".to_owned()));
    }
    Ok(ObjectCode { mach, functions, labels })
}
