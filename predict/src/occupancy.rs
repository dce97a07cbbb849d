//! How many waves the registers allow.

use gcn_model::decode::{Decoded, Location};
use gcn_model::gpu::Gpu;
use serde::Serialize;

use crate::code::Code;
use crate::error::PredictError;
use crate::region::Region;

/// Scalar codes from here on are VCC, M0, EXEC and the like in some generation, which every wave has.
const FIRST_SPECIAL: u32 = 102;

/// What limits the waves of a SIMD.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limiter {
    Vgprs,
    Sgprs,
    /// The slots of a SIMD.
    Slots,
}

/// How many waves a SIMD has room for, by the registers that a code names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Occupancy {
    /// VGPRs up to the highest that is named.
    pub vgprs: u32,
    /// SGPRs up to the highest that is named.
    pub sgprs: u32,
    pub waves_per_simd: u32,
    pub limiter: Limiter,
    /// At most so many registers of the limiting kind would allow one wave more.
    pub registers_for_one_more: Option<u32>,
}

impl Occupancy {
    /// The room for waves that the registers of a region leave.
    ///
    /// # Errors
    /// A region that is no part of the code, words that are no instruction.
    pub fn of(gpu: &Gpu, code: &Code, region: &Region) -> Result<Self, PredictError> {
        Ok(Self::of_instructions(gpu, &code.part(region)?.instructions(gpu.processor())?))
    }

    pub(crate) fn of_instructions(gpu: &Gpu, instructions: &[(u64, Decoded)]) -> Self {
        let (mut vgprs, mut sgprs) = (1, 1);
        for operand in instructions.iter().flat_map(|(_, decoded)| decoded.operands()) {
            let end = |first: u8| u32::from(first) + u32::from(operand.registers.max(1));
            match operand.location {
                Location::Vgpr(first) => vgprs = vgprs.max(end(first)),
                Location::Sgpr(first) if end(first) <= FIRST_SPECIAL => sgprs = sgprs.max(end(first)),
                _ => {}
            }
        }
        let registers = &gpu.registers;
        let room = |used: u32, granule: u32, all: u32| all / used.next_multiple_of(granule);
        let by_vgprs = room(vgprs, registers.vgpr_granule, registers.vgprs);
        let by_sgprs = room(sgprs, registers.sgpr_granule, registers.sgprs);
        let slots = registers.waves_per_simd;
        let waves_per_simd = by_vgprs.min(by_sgprs).min(slots);
        // The most registers, in whole granules, of which there is enough for one wave more.
        let for_one_more = |granule: u32, all: u32| Some(all / (waves_per_simd + 1) / granule * granule);
        let (limiter, registers_for_one_more) = match waves_per_simd {
            waves if waves == slots => (Limiter::Slots, None),
            waves if waves == by_vgprs => (Limiter::Vgprs, for_one_more(registers.vgpr_granule, registers.vgprs)),
            _ => (Limiter::Sgprs, for_one_more(registers.sgpr_granule, registers.sgprs)),
        };
        Self { vgprs, sgprs, waves_per_simd, limiter, registers_for_one_more }
    }
}
