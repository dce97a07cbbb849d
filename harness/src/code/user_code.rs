//! Code that a user brings.

use gcn_model::gpu::Gpu;
use gcn_model::isa::Processor;
use gcn_predict::{Region, RegionKind};

use super::fat_binary::FatBinary;
use super::function::Function;
use super::markers::{begin_label, end_label, mark};
use super::{CodeError, object_code};
use crate::llvm::Llvm;
use object::read::ReadRef;

/// Code that a user brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserCode {
    /// What it was made for, as far as the file says so and this program knows it.
    pub processor: Option<Processor>,
    /// Its functions, by section and address; at least one.
    pub functions: Vec<Function>,
    /// The regions that its author marked, each with the number of the function that it is in.
    pub marked: Vec<(usize, Region)>,
}

impl UserCode {
    /// The code of an assembly text for a target such as `gfx803`.
    ///
    /// # Errors
    /// Every line that LLVM refuses; markers that are not in pairs.
    pub fn of_text(text: &str, target: &str, llvm: &Llvm) -> Result<Self, CodeError> {
        let marked_text = mark(text)?;
        let object = object_code::read(&llvm.assemble(target, &marked_text.text)?)?;
        let address_of = |label: &str| object.labels.iter().find(|(name, _)| name == label).map(|(_, at)| *at);
        let mut marked = Vec::new();
        for (region, name) in marked_text.names.iter().enumerate() {
            let begin = address_of(&begin_label(region));
            // A label at the end of a section is no address inside of it.
            let within = |function: &Function, at: u64| (function.code.address..=function.code.end()).contains(&at);
            let function = object.functions.iter().position(|function| begin.is_some_and(|at| within(function, at)));
            let (Some(start), Some(function)) = (begin, function) else {
                return Err(CodeError::Object(format!("no code stands in the region {name}")));
            };
            let end = address_of(&end_label(region)).unwrap_or(object.functions[function].code.end());
            marked.push((function, Region { name: name.clone(), kind: RegionKind::Marked, start, end }));
        }
        Ok(Self { processor: Processor::of_mach(object.mach), functions: object.functions, marked })
    }

    /// The code of an ELF file for AMDGPU, linked or not.
    ///
    /// # Errors
    /// It is none for AMDGPU, or for a processor that is not known, or damaged, or has no code.
    pub fn of_object(bytes: &[u8]) -> Result<Self, CodeError> {
        let object = object_code::read(bytes)?;
        let processor = Processor::of_mach(object.mach);
        // Where nothing says for what it is, it is for the GPU that is asked about.
        if processor.is_none() && object.mach != 0 {
            let mach = object.mach;
            let problem = format!("a code object for a processor that is not known (EF_AMDGPU_MACH {mach:#x})");
            return Err(CodeError::Object(format!("{problem}: compile it for a target of GCN, such as gfx803")));
        }
        if let Some(processor) = processor
            && let Some(why) = &processor.generation.not_executed
        {
            return Err(CodeError::Object(format!("a code object for {}: {why}", processor.name())));
        }
        Ok(Self { processor, functions: object.functions, marked: Vec::new() })
    }

    /// The code for a GPU in an offload bundle, or in a program or library of a host that holds bundles.
    ///
    /// # Errors
    /// A file without such code, or a damaged one.
    pub fn of_fat_binary<'data>(data: impl ReadRef<'data>, gpu: &Gpu) -> Result<Self, CodeError> {
        let file = FatBinary::read(data)?;
        let mut functions = Vec::new();
        for entry in file.fitting(gpu)? {
            let start = entry.range.start;
            let wrong = |problem: String| CodeError::Object(format!("the code at byte {start}: {problem}"));
            let bytes = data.read_bytes_at(start, entry.range.end - start);
            let object = Self::of_object(bytes.map_err(|()| wrong("it cannot be read".to_owned()))?);
            let object = object.map_err(|error| wrong(error.to_string()))?;
            if object.processor.is_some_and(|processor| processor != gpu.processor()) {
                return Err(wrong(format!("it is not for {}, as the bundle says", gpu.processor().name())));
            }
            functions.extend(object.functions);
        }
        Ok(Self { processor: Some(gpu.processor()), functions, marked: Vec::new() })
    }
}
