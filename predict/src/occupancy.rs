//! How many waves registers and LDS allow.

use gcn_model::code_object::{KernelNeeds, VectorRegisters};
use gcn_model::decode::{Decoded, Location};
use gcn_model::gpu::Gpu;
use gcn_model::quantity::Bytes;
use serde::Serialize;

use crate::code::Code;
use crate::error::PredictError;
use crate::lds_occupancy::LdsOccupancy;
use crate::question::Question;
use crate::region::Region;

/// Scalar codes from here on are VCC, M0, EXEC and the like in some generation, which every wave has.
const FIRST_SPECIAL: u32 = 102;

/// What limits the waves of a SIMD.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limiter {
    Vgprs,
    Sgprs,
    /// LDS of the work-groups.
    Lds,
    /// The slots of a SIMD.
    Slots,
}

/// How many waves fit on a SIMD.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Occupancy {
    /// VGPRs of a lane, with the AGPRs where these are in the same file: the kernel's allocation, or else up to the highest named one.
    pub vgprs: u32,
    /// AGPRs of a lane, likewise.
    pub agprs: u32,
    /// SGPRs of a wave, likewise.
    pub sgprs: u32,
    /// Whether the kernel's descriptor or metadata says so; if not, nothing is known of LDS.
    pub is_allocated: bool,
    /// What LDS allows; `None` if the work-groups have none, or nothing is known.
    pub lds: Option<LdsOccupancy>,
    pub waves_per_simd: u32,
    pub limiter: Limiter,
    /// With at most this many registers of the limiting kind, another wave fits.
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

    /// The room that a kernel leaves for the waves of a question. LDS counts where it is known how many waves a work-group has. Registers are
    /// those that the hardware gives out, not those that the kernel names; `None` if nothing says how many.
    pub fn of_kernel(gpu: &Gpu, needs: &KernelNeeds, question: &Question) -> Option<Self> {
        let (processor, registers) = (gpu.processor(), &gpu.registers);
        let VectorRegisters { file, agprs } = needs.vector_registers(processor)?;
        let vgprs = VectorRegisters { file: file.next_multiple_of(registers.vgpr_granule), agprs };
        let sgprs = needs.sgprs(processor)?.next_multiple_of(registers.sgpr_granule);
        let lds = LdsOccupancy::of(gpu, needs.group_lds(), question);
        Some(Self { is_allocated: true, ..Self::with(gpu, (vgprs, sgprs), lds) })
    }

    pub(crate) fn of_instructions(gpu: &Gpu, instructions: &[(u64, Decoded)]) -> Self {
        let (mut vgprs, mut agprs, mut sgprs) = (1, 0, 1);
        for operand in instructions.iter().flat_map(|(_, decoded)| decoded.operands()) {
            let end = |first: u8| u32::from(first) + u32::from(operand.registers.max(1));
            match operand.location {
                Location::Vgpr(first) => vgprs = vgprs.max(end(first)),
                Location::Agpr(first) => agprs = agprs.max(end(first)),
                Location::Sgpr(first) if end(first) <= FIRST_SPECIAL => sgprs = sgprs.max(end(first)),
                _ => {}
            }
        }
        Self::with(gpu, (VectorRegisters::of_named(gpu.processor(), vgprs, agprs), sgprs), None)
    }

    fn with(gpu: &Gpu, (vector, sgprs): (VectorRegisters, u32), lds: Option<LdsOccupancy>) -> Self {
        let registers = &gpu.registers;
        let VectorRegisters { file: vgprs, agprs } = vector;
        let fitting = |used: u32, granule: u32, all: u32| all / used.next_multiple_of(granule);
        let by_vgprs = fitting(vgprs, registers.vgpr_granule, registers.vgprs);
        let by_sgprs = fitting(sgprs, registers.sgpr_granule, registers.sgprs);
        let by_lds = lds.and_then(|lds| lds.waves_per_simd);
        let slots = registers.waves_per_simd;
        let waves_per_simd = by_vgprs.min(by_sgprs).min(slots).min(by_lds.unwrap_or(slots));
        // The most registers, in whole granules, of which there is enough for one wave more.
        let for_one_more = |granule: u32, all: u32| Some(all / (waves_per_simd + 1) / granule * granule);
        let (limiter, registers_for_one_more) = match waves_per_simd {
            waves if waves == slots => (Limiter::Slots, None),
            waves if waves == by_vgprs => (Limiter::Vgprs, for_one_more(registers.vgpr_granule, registers.vgprs)),
            waves if waves == by_sgprs => (Limiter::Sgprs, for_one_more(registers.sgpr_granule, registers.sgprs)),
            _ => (Limiter::Lds, None),
        };
        Self { vgprs, agprs, sgprs, is_allocated: false, lds, waves_per_simd, limiter, registers_for_one_more }
    }

    /// The waves that fit, and their limit, in words.
    pub fn words(&self) -> String {
        let (waves, one_more) = (self.waves_per_simd, self.waves_per_simd + 1);
        let lds = self.lds.map(|lds| format!(", {}", lds.words())).unwrap_or_default();
        let verb = if self.is_allocated { "allocated" } else { "named" };
        let agprs = if self.agprs > 0 { format!(" with {} AGPRs", self.agprs) } else { String::new() };
        let fit = if waves == 1 { " fits" } else { "s fit" };
        let registers = format!("{} VGPRs{agprs}, {} SGPRs {verb}{lds}: ", self.vgprs, self.sgprs);
        // LDS may allow no more than registers do.
        let of_lds = self.lds.filter(|lds| lds.waves_per_simd == Some(waves));
        let of_lds = of_lds.map(|lds| format!("≤ {} bytes of LDS a group", lds.bytes_for_one_more.unwrap_or(Bytes(0))));
        let of_registers = self.registers_for_one_more.map(|most| {
            let kind = if self.limiter == Limiter::Vgprs { "VGPRs" } else { "SGPRs" };
            format!("≤ {most} {kind}")
        });
        let needs: Vec<String> = of_registers.into_iter().chain(of_lds).collect();
        match self.limiter {
            Limiter::Slots => format!("{registers}{waves} of {waves} waves fit"),
            _ => format!("{registers}{waves} wave{fit}; {one_more} need {}", needs.join(" and ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use gcn_model::code_object::KernelDescriptor;

    use super::*;

    /// A kernel with this many VGPRs and bytes of LDS on Fiji, in groups of 4 waves or of an unknown number.
    fn fiji(vgprs: u32, lds: u32, waves_per_group: u32) -> Occupancy {
        let mut bytes = [0; KernelDescriptor::BYTES];
        bytes[..4].copy_from_slice(&lds.to_le_bytes());
        bytes[48..52].copy_from_slice(&((vgprs / 4 - 1) | 1 << 6).to_le_bytes());
        let needs = KernelNeeds { descriptor: Some(KernelDescriptor::read(&bytes)), metadata: None };
        let question = Question { waves_per_group: NonZeroU32::new(waves_per_group), ..Question::default() };
        Occupancy::of_kernel(&Gpu::named("fiji").unwrap(), &needs, &question).unwrap()
    }

    #[test]
    fn the_limit_of_occupancy_is_named_with_the_next_step() {
        let words = |vgprs, lds, waves| fiji(vgprs, lds, waves).words();
        assert_eq!(words(24, 0, 4), "24 VGPRs, 16 SGPRs allocated: 10 of 10 waves fit");
        assert_eq!(words(116, 0, 0), "116 VGPRs, 16 SGPRs allocated: 2 waves fit; 3 need ≤ 84 VGPRs");
        assert_eq!(
            words(24, 16384, 4),
            "24 VGPRs, 16 SGPRs allocated, 16384 bytes of LDS a group of 4 waves: 4 waves fit; 5 need ≤ 12800 bytes of LDS a group"
        );
        assert_eq!(
            words(116, 32768, 4),
            "116 VGPRs, 16 SGPRs allocated, 32768 bytes of LDS a group of 4 waves: 2 waves fit; 3 need ≤ 84 VGPRs and ≤ 21504 \
             bytes of LDS a group"
        );
        assert_eq!(fiji(116, 32768, 4).limiter, Limiter::Vgprs);
        assert_eq!(fiji(24, 16384, 4).limiter, Limiter::Lds);
    }

    #[test]
    fn without_the_waves_of_a_group_lds_limits_nothing_and_says_so() {
        let unknown = fiji(24, 16384, 0);
        assert_eq!(unknown.waves_per_simd, 10);
        assert!(
            unknown.words().contains("16384 bytes of LDS a group, 4 groups on a compute unit (--group-waves sets the")
        );
    }
}
