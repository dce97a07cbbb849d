//! V_MAD_MIX_* and V_FMA_MIX_*: sources of single precision, or of half precision made single.
//!
//! Source: AMD "MI300 ISA", VOP3P opcode table: OP_SEL_HI says which sources are halves, OP_SEL which half; NEG_HI is the absolute value
//! (LLVM `VOP3PInstructions.td`). As V_MAD_F32, V_MAD_MIX_* rounds the product and the sum, and has no denormals of single precision; V_FMA_MIX_*
//! is fused and has those that the mode allows, as V_FMA_F32. A result written as a half is rounded to single precision before (its patterns in
//! LLVM are a rounding of that). Mesa's ACO: V_MAD_MIX_* of GCN 1.4 flushes denormals of halves, read and written, in every mode.

use crate::float::conversion;
use crate::float::format::Format;
use crate::float::precision::Float32;
use crate::state::mode::Mode;
use crate::state::vector_registers::LANES;
use crate::vector::lanes::{Lanes, dword};
use gcn_model::decode::Vop3Fields;

/// How a source is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MixedSource {
    /// First bit of the half that is made single; `None` for a source of single precision.
    pub half: Option<u32>,
    absolute: bool,
    negated: bool,
    flushes_halves: bool,
}

impl MixedSource {
    /// All three, by the fields of an instruction.
    pub(crate) fn all(name: &str, fields: &Vop3Fields) -> [Self; 3] {
        std::array::from_fn(|source| Self {
            half: fields.op_sel_hi[source].then_some(if fields.op_sel[source] { 16 } else { 0 }),
            absolute: fields.neg_hi[source],
            negated: fields.neg[source],
            flushes_halves: matches!(name, "V_MAD_MIX_F32" | "V_MAD_MIXLO_F16" | "V_MAD_MIXHI_F16"),
        })
    }

    /// The source in all lanes.
    pub(crate) fn read(self, values: &[u32; LANES], mode: &Mode) -> [u32; LANES] {
        let mode = if self.flushes_halves { mode.flushing_halves() } else { *mode };
        values.map(|value| {
            let value = match self.half {
                Some(first) => conversion::of_half_bits(value >> first & 0xffff, &mode),
                None => value,
            };
            let value = if self.absolute { value & !Float32::SIGN } else { value };
            if self.negated { value ^ Float32::SIGN } else { value }
        })
    }
}

/// Whether an instruction reads such sources, and the first bit of the half that it writes, if it does not write all.
pub(crate) fn written_half(name: &str) -> Option<Option<u32>> {
    match name {
        "V_MAD_MIX_F32" | "V_FMA_MIX_F32" => Some(None),
        "V_MAD_MIXLO_F16" | "V_FMA_MIXLO_F16" => Some(Some(0)),
        "V_MAD_MIXHI_F16" | "V_FMA_MIXHI_F16" => Some(Some(16)),
        _ => None,
    }
}

/// The function of an instruction, of sources of single precision.
pub(crate) fn of(name: &str) -> Option<Lanes> {
    Some(match name {
        "V_MAD_MIX_F32" => dword!(|a, b, c, _| Float32::multiply_add(a, b, c)),
        "V_MAD_MIXLO_F16" | "V_MAD_MIXHI_F16" => {
            dword!(|a, b, c, mode| conversion::to_half(Float32::multiply_add(a, b, c), &mode.flushing_halves()))
        }
        "V_FMA_MIX_F32" => dword!(|a, b, c, mode| Float32::fused(a, b, c, mode)),
        "V_FMA_MIXLO_F16" | "V_FMA_MIXHI_F16" => {
            dword!(|a, b, c, mode| conversion::to_half(Float32::fused(a, b, c, mode), mode))
        }
        _ => return None,
    })
}
