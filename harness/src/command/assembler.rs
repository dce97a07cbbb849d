//! Options of the commands that assemble kernels.

use std::path::PathBuf;

use clap::Args;

use crate::assembler::Assembler;
use crate::kept_kernels::{KeptKernels, KeptKernelsError};
use crate::kernel::Templates;
use crate::llvm::{Linker, Llvm};
use crate::run::{ObjectSource, WithoutLlvm};

/// Where the assembler, the linker and the templates are.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Assembling")]
pub(super) struct AssemblerArguments {
    /// LLVM's shared library [default: searched for]
    #[arg(long, value_name = "FILE", env = "GCN_TIMINGS_LLVM")]
    pub llvm: Option<PathBuf>,
    /// The linker, ld.lld or rust-lld [default: searched for]
    #[arg(long = "lld", value_name = "FILE", env = "GCN_TIMINGS_LLD")]
    pub linker: Option<PathBuf>,
    /// Folder of kernel templates [default: built in]
    #[arg(long, value_name = "DIR")]
    pub templates: Option<PathBuf>,
}

/// Where the code objects of a run are from.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Assembling")]
pub(super) struct CodeArguments {
    #[command(flatten)]
    pub assembler: AssemblerArguments,
    /// Folder of kernels from `gcn-timings assemble`: LLVM is not needed
    #[arg(long, value_name = "DIR", env = "GCN_TIMINGS_KERNELS", conflicts_with_all = ["llvm", "linker"])]
    pub kernels: Option<PathBuf>,
}

/// Where an unpacked program has its kept kernels, from the folder of the program on.
const KEPT: &str = "../share/gcn-timings/kernels";

/// The folder of kept kernels next to this program, whether it exists or not.
pub(super) fn kept_folder() -> Option<PathBuf> {
    Some(std::env::current_exe().ok()?.parent()?.join(KEPT))
}

impl AssemblerArguments {
    /// The templates.
    ///
    /// # Errors
    /// A template that is missing or malformed.
    pub(super) fn templates(&self) -> anyhow::Result<Templates> {
        Ok(match &self.templates {
            Some(folder) => Templates::from_folder(folder)?,
            None => Templates::shipped()?,
        })
    }

    /// Whether LLVM or the linker was chosen, and not only found.
    pub(super) fn is_chosen(&self) -> bool {
        self.llvm.is_some() || self.linker.is_some()
    }

    /// The assembler.
    ///
    /// # Errors
    /// There is no LLVM or no linker that will do: where was looked and what to install.
    pub(super) fn assembler(&self) -> anyhow::Result<Assembler> {
        let llvm = Llvm::find(self.llvm.as_deref())?;
        let linker = Linker::find(self.linker.as_deref(), &llvm)?;
        Ok(Assembler::new(llvm, linker))
    }
}

impl CodeArguments {
    /// The source of a run's code objects for a target: the named folder, LLVM, or else the kernels next to the program.
    ///
    /// # Errors
    /// No source: the reason why LLVM is missing. A named folder is used or an error.
    pub(super) fn object_source(&self, target: &str) -> anyhow::Result<Box<dyn ObjectSource>> {
        if let Some(folder) = &self.kernels {
            let kept = KeptKernels::read(folder, target)?;
            return Ok(Box::new(WithoutLlvm { kept, llvm: "leave out --kernels".to_owned() }));
        }
        let llvm = match self.assembler.assembler() {
            Ok(assembler) => return Ok(Box::new(assembler)),
            Err(error) if self.assembler.is_chosen() => return Err(error),
            Err(error) => error,
        };
        match kept_folder().map(|folder| KeptKernels::read(&folder, target)) {
            Some(Ok(kept)) => Ok(Box::new(WithoutLlvm { kept, llvm: llvm.to_string() })),
            None | Some(Err(KeptKernelsError::NoArchive { .. })) => Err(llvm),
            Some(Err(error)) => Err(error.into()),
        }
    }
}
