//! The names of scalar operand codes.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A run of registers with codes of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegisterRun {
    /// Code of the first one.
    pub first: u8,
    /// How many there are.
    pub count: u8,
}

/// The registers of the codes 0 to 127, and the constants that a source can name.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperandCodes {
    /// SGPRs: the codes from 0 on.
    pub sgprs: u8,
    /// Trap temporaries.
    pub ttmp: RegisterRun,
    /// The pairs that have names, by name.
    named: BTreeMap<String, u8>,
    #[serde(default = "m0_of_gcn")]
    pub m0: u8,
    /// The register that reads as 0 and discards writes, where it exists; it replaces a tuple of any width.
    pub null: Option<u8>,
    /// Whether the sources have a dword of LDS, at the address in M0.
    #[serde(default = "yes")]
    pub lds_direct: bool,
    /// Whether a source can be a literal of two dwords.
    #[serde(default)]
    pub wide_literals: bool,
    /// Whether the halves of the base address of scratch memory are among the sources.
    #[serde(default)]
    pub flat_scratch_base: bool,
    /// Codes that name nothing.
    undefined: Vec<u8>,
    /// Whether 1/(2π) is among the inline constants.
    pub inverse_two_pi: bool,
    /// Whether the apertures of the address space are among the sources.
    pub apertures: bool,
    /// Where these facts are from.
    pub source: String,
}

/// What LLVM 22.1 has registers for, on every generation.
const LLVM_SGPRS: u8 = 106;

const fn m0_of_gcn() -> u8 {
    124
}

const fn yes() -> bool {
    true
}

impl OperandCodes {
    /// The code of FLAT_SCRATCH's first half.
    pub fn flat_scratch(&self) -> Option<u8> {
        self.named.get("flat_scratch").copied()
    }

    /// The pair that a code is a half of: its name, and the code of its first half.
    pub fn pair(&self, code: u8) -> Option<(&str, u8)> {
        self.named.iter().find(|(_, first)| code & !1 == **first).map(|(name, first)| (name.as_str(), *first))
    }

    /// Whether a code names a register.
    #[inline]
    pub fn register_exists(&self, code: u8) -> bool {
        code < 128 && !self.undefined.contains(&code)
    }

    /// Whether a tuple of registers that begins at a code exists. Pairs of named registers begin at an even code; tuples of SGPRs and
    /// trap temporaries are those that LLVM 22.1 takes, which lets the low bits of the code stand for nothing and rounds the number of
    /// SGPRs up to whole tuples.
    #[inline]
    pub fn tuple_exists(&self, code: u8, registers: u8) -> bool {
        if registers <= 1 || self.null == Some(code) {
            return self.register_exists(code);
        }
        let alignment = if registers == 2 { 2 } else { 4 };
        let RegisterRun { first, count } = self.ttmp;
        match code {
            _ if code < self.sgprs => {
                code / alignment * alignment + registers <= self.sgprs.next_multiple_of(4).min(LLVM_SGPRS)
            }
            _ if code >= first && code < first + count => (code - first) / alignment * alignment + registers <= count,
            _ => registers == 2 && code.is_multiple_of(2) && code != self.m0 && self.register_exists(code),
        }
    }
}
