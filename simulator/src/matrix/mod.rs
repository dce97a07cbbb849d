//! What matrix instructions (MFMA, SMFMAC, and in the files with `wave` WMMA) compute: D = A × B + C, in blocks that lie spread over lanes and registers.
//!
//! Source: AMD "CDNA3 ISA" and "CDNA4 ISA", chapter 7, whose formulas are those of AMD's matrix instruction calculator
//! (`ROCm/amd_matrix_instruction_calculator`).

pub(crate) mod broadcast;
pub(crate) mod element;
pub(crate) mod execute;
pub(crate) mod function;
pub(crate) mod known;
pub(crate) mod layout;
pub(crate) mod product;
pub(crate) mod shape;
pub(crate) mod sparse;
#[cfg(test)]
mod tests;
pub(crate) mod wave_execute;
pub(crate) mod wave_function;
pub(crate) mod wave_layout;
