//! Options of the commands that assemble kernels.

use std::path::PathBuf;

use clap::Args;

use crate::assembler::Assembler;
use crate::kernel::Templates;
use crate::llvm::{Linker, Llvm};

/// Where the assembler, the linker and the templates are.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Assembling")]
pub(super) struct AssemblerArguments {
    /// LLVM's shared library, instead of searching for one
    #[arg(long, value_name = "FILE", env = "GCN_TIMINGS_LLVM")]
    pub llvm: Option<PathBuf>,
    /// The linker (ld.lld or rust-lld), instead of searching for one
    #[arg(long = "lld", value_name = "FILE", env = "GCN_TIMINGS_LLD")]
    pub linker: Option<PathBuf>,
    /// Folder with kernel templates, instead of the built-in ones
    #[arg(long, value_name = "DIR")]
    pub templates: Option<PathBuf>,
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
