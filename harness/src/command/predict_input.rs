//! What `gcn-timings predict` reads, and the parts of it that are repeated.

use std::path::Path;

use anyhow::Context;
use gcn_model::gpu::Gpu;
use gcn_predict::Region;

use super::code_file::CodeFile;
use crate::code::{AssemblyText, CodeError, Function, RegionChoice, TextOptions, UserCode, UserFile, chosen};
use crate::llvm::ConfinedLlvm;

/// A file with code, and the wanted part.
#[derive(Clone, Copy)]
pub(super) struct Input<'a> {
    pub(super) file: &'a Path,
    pub(super) gpu: &'a Gpu,
    pub(super) kernel: Option<&'a str>,
    /// What assembles text.
    pub(super) llvm: &'a ConfinedLlvm,
    /// Further inputs of the assembler.
    pub(super) text: &'a TextOptions,
    /// The chosen regions; without a choice, all that are found.
    pub(super) regions: &'a [RegionChoice],
}

impl Input<'_> {
    /// The code for the GPU.
    pub(super) fn read(&self) -> anyhow::Result<UserCode> {
        self.user_code().map_err(|error| match error.downcast_ref() {
            Some(error) if CodeError::names_file(error) => {
                let (name, target) = (&self.gpu.name, self.gpu.processor().name());
                anyhow::anyhow!("{error}\nassembled for {name} ({target}); --gpu chooses the GPU")
            }
            _ => error.context(self.file.display().to_string()),
        })
    }

    fn user_code(&self) -> anyhow::Result<UserCode> {
        let gpu = self.gpu;
        Ok(match CodeFile::open(self.file)?.holds(gpu)? {
            UserFile::Text(text) => {
                let text = AssemblyText::of(text, self.file, self.text, gpu)?;
                UserCode::of_text(&text, &|target, text| self.llvm.assemble(target, text))?
            }
            UserFile::Objects(objects) => UserCode::of_objects(objects, gpu),
        })
    }

    /// The regions to predict, each with its function.
    pub(super) fn regions_of<'a>(&self, code: &'a UserCode) -> anyhow::Result<Vec<(&'a Function, Region)>> {
        let file = self.file;
        if !self.regions.is_empty() {
            let only = self.kernel.map(|_| self.function_of(code)).transpose()?;
            let chosen = self.regions.iter().map(|choice| {
                let (function, region) = code.chosen(choice, self.gpu.processor(), only)?;
                Ok((&code.functions[function], region))
            });
            return chosen.collect::<anyhow::Result<_>>().with_context(|| file.display().to_string());
        }
        if !code.marked.is_empty() {
            let marked = code.marked.iter().map(|(function, region)| (&code.functions[*function], region.clone()));
            return Ok(marked.collect());
        }
        self.regions_of_function(code, self.function_of(code)?)
    }

    /// The regions that are found in a function.
    pub(super) fn regions_of_function<'a>(
        &self,
        code: &'a UserCode,
        number: usize,
    ) -> anyhow::Result<Vec<(&'a Function, Region)>> {
        let function = &code.functions[number];
        let processor = function.processor(self.gpu.processor(), code.wave_size);
        let regions = function.code.regions(processor).with_context(|| self.file.display().to_string())?;
        Ok(regions.into_iter().map(|region| (function, region)).collect())
    }

    /// The number of the kernel that was chosen, or of the only one.
    fn function_of(&self, code: &UserCode) -> anyhow::Result<usize> {
        let names: Vec<&str> = code.functions.iter().map(|function| function.name.as_str()).collect();
        chosen(&names, self.kernel).with_context(|| self.file.display().to_string())
    }
}
