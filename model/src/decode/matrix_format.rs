//! The formats that V_MFMA_*_F8F6F4 names for its elements.

/// The format of the elements of A or of B, as CBSZ or BLGP of V_MFMA_*_F8F6F4 names it.
///
/// Source: LLVM 22.1 `SIDefines.h`, and its disassembler, which gives the codes that name no format as many registers as eight bits
/// need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatrixFormat {
    /// Eight bits: FP8 (E4M3).
    Fp8,
    /// Eight bits: BF8 (E5M2).
    Bf8,
    /// Six bits: FP6 (E2M3).
    Fp6,
    /// Six bits: BF6 (E3M2).
    Bf6,
    /// Four bits: FP4 (E2M1).
    Fp4,
    /// A code that names none.
    Unknown(u8),
}

impl MatrixFormat {
    pub(super) fn of_code(code: u8) -> Self {
        match code {
            0 => Self::Fp8,
            1 => Self::Bf8,
            2 => Self::Fp6,
            3 => Self::Bf6,
            4 => Self::Fp4,
            code => Self::Unknown(code),
        }
    }

    /// How many registers a matrix of it takes, by those of one of eight bits.
    pub(super) const fn registers(self, all: u8) -> u8 {
        match self {
            Self::Fp8 | Self::Bf8 | Self::Unknown(_) => all,
            Self::Fp6 | Self::Bf6 => all / 4 * 3,
            Self::Fp4 => all / 2,
        }
    }

    /// What LLVM writes of it for a matrix of WMMA; nothing of the first.
    pub(super) fn written(self, matrix: &str) -> String {
        let name = match self {
            Self::Fp8 => return String::new(),
            Self::Unknown(code) => code.to_string(),
            named => format!("MATRIX_FMT_{named:?}").to_ascii_uppercase(),
        };
        format!(" matrix_{matrix}_fmt:{name}")
    }

    /// Whether its elements have eight bits.
    pub const fn is_of_bytes(self) -> bool {
        matches!(self, Self::Fp8 | Self::Bf8)
    }
}
