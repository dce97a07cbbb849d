//! What `gcn-timings predict` reads, and the parts of it that are repeated.

use std::io::Read as _;
use std::path::Path;

use anyhow::{Context, bail};
use gcn_model::gpu::Gpu;
use gcn_model::regular_file;
use gcn_predict::Region;
use object::read::ReadCache;

use crate::code::{FatBinary, Function, RegionChoice, UserCode, listed};
use crate::llvm::Llvm;

/// The most bytes that are read of assembly text or an ELF file for AMDGPU; of other files only the code for the GPU is read.
const MOST_BYTES: u64 = 256 << 20;

/// A file with code, and what of it is wanted.
#[derive(Clone, Copy)]
pub(super) struct Input<'a> {
    pub(super) file: &'a Path,
    pub(super) gpu: &'a Gpu,
    pub(super) kernel: Option<&'a str>,
    pub(super) llvm: Option<&'a Path>,
    /// The regions that were chosen; if there are none, all that are found.
    pub(super) regions: &'a [RegionChoice],
}

impl Input<'_> {
    /// The code for the GPU.
    pub(super) fn read(&self) -> anyhow::Result<UserCode> {
        let Self { file, gpu, .. } = self;
        let code = self.user_code().with_context(|| file.display().to_string())?;
        if let Some(processor) = code.processor.filter(|processor| *processor != gpu.processor()) {
            bail!(
                "{} is for {}, and {} is {}: name a GPU of that target with --gpu",
                file.display(),
                processor.name(),
                gpu.name,
                gpu.gfx_target
            );
        }
        Ok(code)
    }

    fn user_code(&self) -> anyhow::Result<UserCode> {
        let gpu = self.gpu;
        let mut bytes = Vec::new();
        if self.file == Path::new("-") {
            std::io::stdin().lock().take(MOST_BYTES).read_to_end(&mut bytes).context("standard input")?;
        } else {
            let file = ReadCache::new(regular_file::open(self.file)?);
            if FatBinary::is_one(&file) {
                return Ok(UserCode::of_fat_binary(&file, gpu)?);
            }
            bytes = regular_file::read(self.file, MOST_BYTES)?;
        }
        if FatBinary::is_one(bytes.as_slice()) {
            return Ok(UserCode::of_fat_binary(bytes.as_slice(), gpu)?);
        }
        if bytes.starts_with(b"\x7fELF") {
            return Ok(UserCode::of_object(&bytes)?);
        }
        let text =
            String::from_utf8(bytes).context("it is neither an ELF file, nor an offload bundle, nor UTF-8 text")?;
        let llvm = Llvm::find(self.llvm)?;
        Ok(UserCode::of_text(&text, &gpu.gfx_target, &llvm)?)
    }

    /// The regions to predict, each with its function.
    pub(super) fn regions_of<'a>(&self, code: &'a UserCode) -> anyhow::Result<Vec<(&'a Function, Region)>> {
        let file = self.file;
        if !self.regions.is_empty() {
            let only = self.kernel.map(|name| function_of(code, name, file)).transpose()?;
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
        let function = match (self.kernel, code.functions.as_slice()) {
            (Some(name), functions) => &functions[function_of(code, name, file)?],
            (None, [only]) => only,
            (None, functions) => {
                let names = listed(functions.iter().map(|function| function.name.as_str()));
                let count = functions.len();
                bail!("{} has {count} kernels, choose one with --kernel: {names}", file.display())
            }
        };
        let regions = function.code.regions(self.gpu.processor()).with_context(|| file.display().to_string())?;
        Ok(regions.into_iter().map(|region| (function, region)).collect())
    }
}

/// The number of the kernel of that name.
fn function_of(code: &UserCode, name: &str, file: &Path) -> anyhow::Result<usize> {
    let at = code.functions.iter().position(|function| function.name == name);
    at.with_context(|| format!("{} has no kernel {name}; {}", file.display(), near(&code.functions, name)))
}

/// The kernels whose names contain a text, or else all of them.
fn near(functions: &[Function], name: &str) -> String {
    let names = || functions.iter().map(|function| function.name.as_str());
    let contains = |other: &&str| other.contains(name);
    match names().any(|other| contains(&other)) {
        true => format!("{name} is a part of {}", listed(names().filter(contains))),
        false => format!("it has {}", listed(names())),
    }
}
