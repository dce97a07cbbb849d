//! The register that says where a wave runs.

use serde::Deserialize;

use super::bits::BitRange;

/// The fields of HW_ID, or of the register that replaces it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceRegister {
    /// Its number among the hardware registers.
    pub register: u32,
    /// Wave slot in the SIMD.
    pub slot: BitRange,
    /// SIMD in the compute unit.
    pub simd: BitRange,
    /// Compute unit in the shader array, or work-group processor where these have several.
    pub compute_unit: BitRange,
    /// Compute unit in the work-group processor, where there are such processors.
    pub unit_in_processor: Option<BitRange>,
    /// Shader array in the shader engine.
    pub shader_array: BitRange,
    pub shader_engine: BitRange,
    /// The XCC, on cards with several: another register has it.
    pub xcc: Option<XccRegister>,
    /// Where these facts are from.
    pub source: String,
}

/// The register that says on which XCC (a die with compute units of its own) a wave runs.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct XccRegister {
    /// Its number among the hardware registers.
    pub register: u32,
    /// Where it has the number of the XCC.
    pub field: BitRange,
    /// Where a reading of the place keeps it: bits that no field of the place has.
    pub kept: BitRange,
}

impl PlaceRegister {
    /// Shader engines that it has numbers for.
    pub const fn shader_engines(&self) -> u32 {
        self.shader_engine.most() + 1
    }

    /// XCCs that there are numbers for.
    pub fn xccs(&self) -> u32 {
        self.xcc.as_ref().map_or(1, |xcc| xcc.kept.most().min(xcc.field.most()) + 1)
    }

    /// Compute units of a shader engine that it has numbers for.
    pub const fn compute_units_of_engine(&self) -> u32 {
        (self.compute_unit.most() + 1) * (self.shader_array.most() + 1) * self.compute_units_of_processor()
    }

    /// Compute units of a work-group processor; 1 where there are no such processors.
    pub const fn compute_units_of_processor(&self) -> u32 {
        match self.unit_in_processor {
            Some(unit) => unit.most() + 1,
            None => 1,
        }
    }
}
