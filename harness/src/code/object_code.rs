//! The code of an ELF file, linked or not.

use std::collections::BTreeMap;
use std::sync::Arc;

use gcn_model::code_object::KernelNeeds;
use gcn_predict::Code;
use object::elf::{EM_AMDGPU, FileHeader64};
use object::read::elf::{ElfFile64, FileHeader};
use object::{LittleEndian, Object, ObjectSection, ObjectSymbol, SectionKind, SymbolFlags, SymbolKind};

use super::CodeError;
use super::function::Function;
use super::kernel_needs;
use super::label::{self, Label};
use super::source_lines;

type Elf<'data> = ElfFile64<'data, LittleEndian>;
type ElfSymbol<'data, 'file> = object::read::elf::ElfSymbol64<'data, 'file, LittleEndian>;

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

/// The most bytes of the names of all symbols of a file.
const MOST_OF_NAMES: usize = 64 << 20;

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
/// Not an ELF file, damaged, without code, or with more names and code than its size allows.
pub(super) fn read(bytes: &[u8]) -> Result<ObjectCode, CodeError> {
    let mach = mach(bytes)?;
    let file = Elf::parse(bytes).map_err(damaged)?;
    check_names(&file)?;
    let mut kernels = kernel_needs::of_kernels(bytes, &file);
    let places = Arc::new(source_lines::places(&file).map_err(wrong)?);
    let mut symbols: BTreeMap<usize, Vec<ElfSymbol<'_, '_>>> = BTreeMap::new();
    for symbol in file.symbols().chain(file.dynamic_symbols()) {
        if let Some(section) = symbol.section_index() {
            symbols.entry(section.0).or_default().push(symbol);
        }
    }
    let mut content = ObjectCode { mach, functions: Vec::new(), labels: Vec::new() };
    let mut taken = 0;
    for section in file.sections().filter(|section| section.kind() == SectionKind::Text && section.size() > 0) {
        let data = section.data().map_err(damaged)?;
        taken += data.len();
        if taken > bytes.len() {
            return Err(wrong("the ELF file is damaged: its sections share code".to_owned()));
        }
        let of_section = symbols.remove(&section.index().0).unwrap_or_default();
        let section = Section::of(section.address(), data, of_section)?;
        content.add(section, &mut kernels, &places)?;
    }
    if content.functions.is_empty() {
        return Err(wrong("there is no code in it".to_owned()));
    }
    Ok(content)
}

/// EF_AMDGPU_MACH of a file that can be read.
fn mach(bytes: &[u8]) -> Result<u8, CodeError> {
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
    Ok((header.e_flags(LittleEndian).0 & MACH) as u8)
}

/// Symbols may share their names' bytes, each of them as long as the file.
fn check_names(file: &Elf<'_>) -> Result<(), CodeError> {
    let mut left = MOST_OF_NAMES;
    for symbol in file.symbols().chain(file.dynamic_symbols()) {
        let name = symbol.name_bytes().map_err(damaged)?;
        let rest = left.checked_sub(name.len());
        left = rest.ok_or_else(|| wrong(format!("the names of its symbols have more than {MOST_OF_NAMES} bytes")))?;
    }
    Ok(())
}

fn wrong(problem: String) -> CodeError {
    CodeError::Object(problem)
}

fn damaged(error: object::Error) -> CodeError {
    CodeError::Object(format!("the ELF file is damaged: {error}"))
}

/// A section with code.
struct Section<'data, 'file> {
    code: Code,
    data: &'data [u8],
    symbols: Vec<ElfSymbol<'data, 'file>>,
}

impl<'data, 'file> Section<'data, 'file> {
    fn of(start: u64, data: &'data [u8], symbols: Vec<ElfSymbol<'data, 'file>>) -> Result<Self, CodeError> {
        // Padding that LLVM adds after the last line of a text is no code of its author.
        let own_end = symbols.iter().rev().find(|symbol| symbol.name() == Ok(TEXT_END)).map(ObjectSymbol::address);
        let own = own_end.and_then(|end| data.get(..usize::try_from(end.checked_sub(start)?).ok()?));
        let data = own.unwrap_or(data);
        if start.checked_add(data.len() as u64).is_none() {
            return Err(wrong(format!("the ELF file is damaged: it has code at {start:#x}")));
        }
        let words = data.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        Ok(Self { code: Code { address: start, words: words.collect() }, data, symbols })
    }

    /// The first address after it.
    fn end(&self) -> u64 {
        self.code.address + self.data.len() as u64
    }

    /// The first and the last address of a symbol's code and its needs, if it is a function.
    fn function(&self, symbol: &ElfSymbol<'_, '_>, name: &str, is_kernel: bool) -> Result<Option<Found>, CodeError> {
        let (address, end) = (symbol.address(), self.end());
        // Hand-written kernels have no size, and often no kind.
        let last = match symbol.size() {
            0 => None,
            size => Some(address.saturating_add(size).min(end)),
        };
        // Its number is that of an indirect function elsewhere, which no code for a GPU has.
        let is_hsa_kernel = matches!(symbol.flags(), SymbolFlags::Elf { st_info, .. } if st_info.0 & 0xf == HSA_KERNEL);
        let is_function = is_kernel || symbol.kind() == SymbolKind::Text;
        if !is_function || address == end || !address.is_multiple_of(4) {
            return Ok(None);
        }
        if !is_hsa_kernel {
            return Ok(Some(Found { first: address, last, needs: None }));
        }
        let header = &self.data[(address - self.code.address) as usize..];
        let first = entry(header).and_then(|offset| address.checked_add(offset));
        let first = first.filter(|first| *first < last.unwrap_or(end) && first.is_multiple_of(4));
        let first = first.ok_or_else(|| wrong(format!("the ELF file is damaged: the header of kernel {name}")))?;
        Ok(Some(Found { first, last, needs: kernel_needs::of_header(header) }))
    }
}

/// The place of a function, and its needs as far as its own header has them.
struct Found {
    first: u64,
    last: Option<u64>,
    needs: Option<KernelNeeds>,
}

impl ObjectCode {
    /// Adds a section's functions and labels.
    fn add(
        &mut self,
        section: Section<'_, '_>,
        kernels: &mut BTreeMap<String, KernelNeeds>,
        places: &Arc<BTreeMap<u64, Option<String>>>,
    ) -> Result<(), CodeError> {
        let (start, end) = (section.code.address, section.end());
        if start == end {
            return Ok(());
        }
        let (mut found, mut others) = (Vec::new(), Vec::new());
        for symbol in section.symbols.iter().filter(|symbol| (start..=end).contains(&symbol.address())) {
            let name = symbol.name().map_err(damaged)?;
            if name == TEXT_END {
                continue;
            }
            match section.function(symbol, name, kernels.contains_key(name))? {
                Some(Found { first, last, needs }) => found.push((first, last, name, needs)),
                None => others.push((name, symbol.address())),
            }
        }
        found.sort_by_key(|(first, last, name, _)| (*first, *last, *name));
        found.dedup_by_key(|(first, last, name, _)| (*first, *last, *name));
        others.sort_unstable();
        others.dedup();
        let starts: Vec<u64> = found.iter().map(|(first, ..)| *first).collect();
        let number = self.functions.len();
        if found.is_empty() {
            let (name, code) = (String::new(), section.code.clone());
            self.functions.push(Function { name, code, needs: None, places: places.clone() });
        }
        for (address, last, name, needs) in found {
            let next = || starts.get(starts.partition_point(|start| *start <= address)).copied();
            let last = last.or_else(next).unwrap_or(end);
            let words = section.code.words_of(address, last).unwrap_or_else(|| Vec::new().into());
            // Metadata counts for one function, whatever others have its name.
            let needs = needs.or_else(|| kernels.remove(name));
            let (name, code) = (name.to_owned(), Code { address, words });
            self.functions.push(Function { name, code, needs, places: places.clone() });
        }
        let of_section = label::Places::of(&self.functions, number);
        self.labels.extend(others.into_iter().filter_map(|(name, at)| of_section.label(name.to_owned(), at)));
        Ok(())
    }
}

/// The offset of the code from the start of its `amd_kernel_code_t`.
fn entry(header: &[u8]) -> Option<u64> {
    let bytes = header.get(ENTRY_OFFSET..ENTRY_OFFSET + 8)?;
    Some(bytes.iter().rev().fold(0, |offset, byte| offset << 8 | u64::from(*byte)))
}
