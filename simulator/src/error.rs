//! Why the simulator stopped.

use std::fmt;

/// An instruction's attempt that the simulator cannot answer for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// A branch depends on a value that the simulator does not know.
    #[error("the branch depends on {0}, whose value is unknown to the simulator")]
    UnknownCondition(String),
    /// An address depends on a value that the simulator does not know.
    #[error("the address depends on {0}, whose value is unknown to the simulator")]
    UnknownAddress(String),
    /// A mode or an index depends on a value that the simulator does not know.
    #[error("its effect depends on {0}, whose value is unknown to the simulator")]
    UnknownControl(String),
    /// One of these, and where the unknown value comes from.
    #[error("{0}; {1}")]
    UnknownSince(Box<Problem>, Box<Origin>),
    /// The simulator has no model of the instruction.
    #[error("the simulator does not execute it{0}")]
    Unmodelled(String),
    /// An address is not inside an allocation.
    #[error("memory fault: {bytes} bytes at {address:#x} are not inside an allocation")]
    MemoryFault {
        /// First byte.
        address: u64,
        /// Bytes accessed.
        bytes: u32,
    },
    /// An address beyond the LDS of the work-group.
    #[error("address {address:#x} is beyond the {size} bytes of LDS that its work-group has")]
    OutsideLds {
        /// First byte.
        address: u64,
        /// Bytes that the work-group has.
        size: u64,
    },
    /// An address is not a multiple of the access's alignment.
    #[error("address {address:#x} is not a multiple of {bytes}")]
    Misaligned {
        address: u64,
        /// The required divisor.
        bytes: u32,
    },
    /// The host reads a value that the simulator does not know.
    #[error("the dword at {address:#x} is unknown to the simulator{writer}")]
    UnknownResult {
        /// The dword.
        address: u64,
        /// Which instruction stored it, as the end of the message; empty if that is not known.
        writer: String,
    },
    /// A register outside of the wave's allocation.
    #[error("it uses {register}, but the kernel descriptor allocates only {allocated}")]
    RegisterOutOfRange {
        register: String,
        /// The allocation.
        allocated: String,
    },
    /// The words at the program counter are not an instruction.
    #[error("{0}")]
    NotAnInstruction(String),
    /// More instructions than a block may have.
    #[error("the code has more than {0} instructions, the limit: choose a part of it")]
    TooLong(usize),
    /// The program counter left the code.
    #[error("the program counter left the code")]
    OutsideCode,
}

/// Where an unknown value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// An instruction computed or loaded it.
    Instruction {
        /// Address in the code object, where it has one.
        address: u64,
        /// The instruction, as text.
        instruction: String,
        /// The register that it reads and that nothing wrote, with the lane if others are known.
        unwritten: Option<String>,
    },
    /// Nothing wrote a register that the failing instruction reads.
    Unwritten(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unwritten(register) => write!(f, "nothing wrote {register}"),
            Self::Instruction { address, instruction, unwritten: None } => {
                write!(f, "it comes from {address:#x}: {instruction}")
            }
            Self::Instruction { address, instruction, unwritten: Some(register) } => {
                write!(f, "it comes from {address:#x}: {instruction}; nothing wrote {register}")
            }
        }
    }
}

impl Problem {
    /// Of an unknown value, with where that comes from.
    pub(crate) fn with_origin(self, origin: impl FnOnce() -> Option<Origin>) -> Self {
        let is_unknown = matches!(self, Self::UnknownCondition(_) | Self::UnknownAddress(_) | Self::UnknownControl(_));
        match is_unknown.then(origin).flatten() {
            Some(origin) => Self::UnknownSince(Box::new(self), Box::new(origin)),
            None => self,
        }
    }

    /// With another address of the instruction from which an unknown value comes, such as that in the code object.
    #[must_use]
    pub fn with_addresses(mut self, change: impl FnOnce(u64) -> u64) -> Self {
        if let Self::UnknownSince(_, origin) = &mut self
            && let Origin::Instruction { address, .. } = &mut **origin
        {
            *address = change(*address);
        }
        self
    }
}

/// Why a launch ended without a result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// The code object has no kernel of that name.
    #[error("the code object has no kernel {0}")]
    NoSuchKernel(String),
    /// The launch asks for something that the GPU does not have.
    #[error("kernel {kernel}: {problem}")]
    Launch {
        kernel: String,
        /// What does not fit.
        problem: String,
    },
    /// An instruction could not be executed.
    #[error("kernel {kernel}, wave {wave}, {address:#x}: {instruction}: {problem}")]
    Execution {
        kernel: String,
        /// Wave of the launch.
        wave: u32,
        /// Address in the code object.
        address: u64,
        /// The instruction, as text.
        instruction: String,
        /// What went wrong.
        problem: Problem,
    },
    /// The kernel did not end within the cycle limit.
    #[error("kernel {kernel} did not end within {limit} cycles: it seems to be endless")]
    CycleLimit {
        kernel: String,
        /// The limit in shader cycles.
        limit: u64,
    },
    /// All waves that are left wait for a barrier that cannot open.
    #[error("kernel {kernel} hangs: the waves that are left wait at a barrier for waves that will not come")]
    Deadlock { kernel: String },
}
