//! How assembled code differs from the plan.

use gcn_model::code_object::CodeObjectError;
use gcn_model::isa::GroupMode;

use crate::assembler::AssemblyError;

/// How the assembled code differs from the plan.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The code object cannot be read.
    #[error(transparent)]
    CodeObject(#[from] CodeObjectError),
    /// The planned instructions cannot be encoded.
    #[error(transparent)]
    Assembly(#[from] AssemblyError),
    /// The code object lacks a kernel.
    #[error("the code object has no kernel {0}")]
    NoKernel(String),
    /// The code object is for another target than was asked for.
    #[error("the code object is for {found}, not for {wanted}")]
    Target {
        /// Target in the file.
        found: String,
        /// Target that was asked for.
        wanted: String,
    },
    /// The kernel descriptor does not ask for the registers of the plan.
    #[error(
        "kernel {kernel}: its descriptor asks for {vgprs} VGPRs and {sgprs} SGPRs, and the experiment is about {planned}; the kernel is \
         not launched (look at its templates)"
    )]
    Registers {
        kernel: String,
        /// VGPRs in the descriptor.
        vgprs: u32,
        /// SGPRs in the descriptor.
        sgprs: u32,
        planned: String,
    },
    /// The kernel descriptor asks for waves of another size.
    #[error(
        "kernel {kernel}: its descriptor asks for waves of {found} lanes, not of {wanted}; the kernel is not launched (look at its templates)"
    )]
    WaveSize {
        kernel: String,
        /// Lanes in the descriptor.
        found: u32,
        /// Lanes that were asked for.
        wanted: u32,
    },
    /// Work-groups could run elsewhere than where they are measured.
    #[error(
        "kernel {kernel}: its descriptor asks for work-groups in mode {found}, not {wanted}; the kernel is not launched (look at its templates)"
    )]
    Mode {
        kernel: String,
        /// The mode in the descriptor.
        found: GroupMode,
        /// The mode that was asked for.
        wanted: GroupMode,
    },
    /// The timed code is not as planned.
    #[error("kernel {kernel}, {n} blocks, {address:#x}: {problem}; the kernel is not launched (look at its templates)")]
    Code {
        kernel: String,
        /// Which of its lengths.
        n: u32,
        address: u64,
        problem: String,
    },
    /// Instructions stand closer to each other than the hardware allows.
    #[error("kernel {kernel}: hazard {id}: {text}; the kernel is not launched (look at its templates)")]
    Hazard {
        kernel: String,
        /// Row of the hazard table.
        id: &'static str,
        /// Which instructions.
        text: String,
    },
}
