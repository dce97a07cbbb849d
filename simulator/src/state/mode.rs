//! The MODE register, as far as it changes what floating-point instructions compute.
//!
//! Source: AMD "GCN3 ISA" and "Vega ISA", section 4.3 (MODE); LLVM `AMDGPUUsage.rst`, COMPUTE_PGM_RSRC1, for its start.

use gcn_model::code_object::ProgramRegisters;
use gcn_model::isa::Generation;

/// Modes of floating-point arithmetic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mode {
    /// FP_ROUND (3:0), FP_DENORM (7:4), DX10_CLAMP (8), IEEE (9) as in MODE; FP16_OVFL (23) is not modelled.
    bits: u32,
    /// Denormals of single precision count as zero.
    pub flush32: bool,
    /// Denormals of half precision count as zero.
    pub flush16: bool,
    /// Denormals of double precision count as zero.
    pub flush64: bool,
    /// As above, for minimum and maximum of single precision: they never did before GCN 1.4.
    pub flush32_minimum: bool,
    /// As above, for half precision.
    pub flush16_minimum: bool,
    /// Signalling NaNs are quieted by minimum and maximum.
    pub ieee: bool,
    /// Clamping makes a NaN zero.
    pub dx10_clamp: bool,
    minimum_flushes: bool,
    is_known: bool,
}

impl Mode {
    /// The mode that a kernel starts in.
    pub(crate) fn of(registers: ProgramRegisters, generation: Generation) -> Self {
        let rsrc1 = registers.rsrc1;
        let vector = &generation.vector;
        let overflow = if vector.half_overflow_mode { rsrc1 >> 26 & 1 } else { 0 };
        // Where the descriptor has not the two modes, clamping makes a NaN zero and there is no IEEE mode (LLVM `AMDGPUUsage.rst`, gfx12).
        let modes = match generation.descriptor.has_ieee_mode {
            true => (rsrc1 >> 21 & 1) << 8 | (rsrc1 >> 23 & 1) << 9,
            false => 1 << 8,
        };
        let bits = rsrc1 >> 12 & 0xff | modes | overflow << 23;
        Self::from_bits(bits, vector.minimum_flushes_denormals)
    }

    /// The mode with which a kernel of a generation starts whose descriptor has these bits from its FLOAT_MODE on.
    #[cfg(test)]
    pub(crate) fn starting(bits: u32, generation: &str) -> Self {
        let registers = ProgramRegisters { rsrc1: bits << 12, rsrc2: 0, rsrc3: 0 };
        Self::of(registers, gcn_model::isa::generation(generation))
    }

    fn from_bits(bits: u32, minimum_flushes: bool) -> Self {
        let (single, wide) = (bits >> 4 & 3, bits >> 6 & 3);
        Self {
            bits,
            flush32: single != 3,
            flush16: wide != 3,
            flush64: wide != 3,
            flush32_minimum: minimum_flushes && single != 3,
            flush16_minimum: minimum_flushes && wide != 3,
            ieee: bits >> 9 & 1 == 1,
            dx10_clamp: bits >> 8 & 1 == 1,
            minimum_flushes,
            is_known: true,
        }
    }

    /// Whether results are those that the simulator computes: rounded to nearest even, denormals kept or flushed on both sides.
    pub(crate) fn is_modelled(self) -> bool {
        let both = |mode: u32| mode == 0 || mode == 3;
        self.is_known
            && self.bits & 0xf == 0
            && both(self.bits >> 4 & 3)
            && both(self.bits >> 6 & 3)
            && self.bits >> 23 & 1 == 0
    }

    /// Whether output modifiers change results of this many bits: not with the IEEE bit, not where results may be denormals.
    ///
    /// Source: LLVM `SIFoldOperands.cpp`; AMD "GCN3 ISA" and "Vega ISA", section 6.2.
    pub(crate) fn has_output_modifiers(self, bits: u8) -> bool {
        let flushes = match bits {
            16 => self.flush16,
            32 => self.flush32,
            _ => self.flush64,
        };
        flushes && !self.ieee
    }

    /// With denormals of half precision flushed.
    pub(crate) fn flushing_halves(self) -> Self {
        Self { flush16: true, ..self }
    }

    /// With all denormals kept.
    pub(crate) fn with_denormals(self) -> Self {
        self.with_bits(self.bits | 0xf0)
    }

    /// The register's bits; `None` if an unknown value was put into it.
    pub(crate) fn bits(self) -> Option<u32> {
        self.is_known.then_some(self.bits)
    }

    /// The same after an unknown value was put into it.
    pub(crate) fn forgotten(self) -> Self {
        Self { is_known: false, ..self }
    }

    /// With other bits.
    pub(crate) fn with_bits(self, bits: u32) -> Self {
        Self::from_bits(bits, self.minimum_flushes)
    }
}
