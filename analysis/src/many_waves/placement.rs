//! Where a wave ran, by HW_ID, and how many waves a SIMD has room for, whatever they have.

use std::fmt;

use gcn_model::isa::{Generation, GroupMode, Processor};
use gcn_model::record::DeviceRecord;

/// The fields of a generation's register for a wave's place, and the part that the waves of a work-group share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HwIdLayout {
    pub generation: Generation,
    /// Where the waves of a work-group could run.
    pub mode: GroupMode,
}

/// A compute unit of the device, or a work-group processor where work-groups have whole ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComputeUnit {
    /// XCC of the card; 0 where there is one.
    pub xcc: u8,
    pub shader_engine: u8,
    /// Shader array in the engine.
    pub shader_array: u8,
    /// Compute unit, or processor, in the array.
    pub unit: u8,
}

/// The place of a wave: compute unit, SIMD and slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    pub compute_unit: ComputeUnit,
    /// SIMD in it, 0–3.
    pub simd: u8,
    /// Wave slot in the SIMD.
    pub slot: u8,
}

impl HwIdLayout {
    /// The layout of a run's device; `None` if no generation has its target.
    pub fn of_device(device: &DeviceRecord) -> Option<Self> {
        Self::of_target(&device.target, device.group_mode())
    }

    /// The layout of an LLVM target (`gfx600`, `gfx906:sramecc+`) for work-groups that run there; `None` if no generation has it.
    pub fn of_target(target: &str, mode: GroupMode) -> Option<Self> {
        let Processor { generation, .. } = Processor::find(target)?;
        Some(Self { generation, mode })
    }

    /// SIMDs that the waves of a work-group share.
    pub fn simds(self) -> u32 {
        self.generation.simds_of_group(self.mode)
    }

    /// The place that a value of the register names.
    pub fn decode(self, hw_id: u32) -> Placement {
        let place = &self.generation.place;
        let field = |bits: gcn_model::isa::BitRange| bits.of(hw_id) as u8;
        let in_processor = place.unit_in_processor.map_or(0, field);
        let (processor, simd) = (field(place.compute_unit), field(place.simd));
        let (unit, simd) = match self.mode {
            GroupMode::ComputeUnit => (processor * place.compute_units_of_processor() as u8 + in_processor, simd),
            GroupMode::Processor => (processor, in_processor * self.generation.waves.simds as u8 + simd),
        };
        Placement {
            compute_unit: ComputeUnit {
                xcc: place.xcc.as_ref().map_or(0, |xcc| field(xcc.kept)),
                shader_engine: field(place.shader_engine),
                shader_array: field(place.shader_array),
                unit,
            },
            simd,
            slot: field(place.slot),
        }
    }
}

/// The waves of a SIMD.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slots {
    /// So many, and neither registers nor anything that was asked for are what limits them.
    Exactly(u32),
    /// So many ran; the registers that the smallest kernel needs may be what allows no more.
    AtLeast(u32),
}

impl Slots {
    /// The number, if it is one.
    pub const fn exactly(self) -> Option<u32> {
        match self {
            Self::Exactly(waves) => Some(waves),
            Self::AtLeast(_) => None,
        }
    }

    /// There are no fewer.
    pub const fn at_least(self) -> u32 {
        match self {
            Self::Exactly(waves) | Self::AtLeast(waves) => waves,
        }
    }
}

impl fmt::Display for Slots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(waves) => write!(f, "{waves} waves on a SIMD"),
            Self::AtLeast(waves) => write!(f, "{waves} or more waves on a SIMD (registers allow no more)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_by_target() {
        let hw_id = 0b0110_0000_0000_0000 | 1 << 12 | 0b1011 << 8 | 2 << 4 | 9;
        let of_target = |target: &str| HwIdLayout::of_target(target, GroupMode::ComputeUnit);
        let unit = |target: &str| of_target(target).map(|layout| layout.decode(hw_id).compute_unit);
        let at = |shader_engine| Some(ComputeUnit { xcc: 0, shader_engine, shader_array: 1, unit: 11 });
        assert_eq!(unit("gfx600"), at(1));
        assert_eq!(unit("gfx701"), at(3));
        assert_eq!(unit("gfx906:sramecc+:xnack-"), at(3));
        assert_eq!(unit("gfx908"), at(3));
        let of_xcc = of_target("gfx942").map(|layout| layout.decode(hw_id | 5 << 16).compute_unit);
        assert_eq!(of_xcc.map(|unit| (unit.xcc, unit.shader_engine)), Some((5, 3)));
        // HW_ID1 has the work-group processor in bits 13:10, the compute unit in it in bit 8 and the SIMD of that in bit 9.
        let hw_id1 = 2 << 18 | 1 << 16 | 5 << 10 | 1 << 9 | 1 << 8 | 9;
        let of_rdna = |mode| HwIdLayout::of_target("gfx1030", mode).map(|layout| layout.decode(hw_id1));
        let places = [GroupMode::ComputeUnit, GroupMode::Processor].map(|mode| of_rdna(mode).unwrap());
        let at = |unit| ComputeUnit { xcc: 0, shader_engine: 2, shader_array: 1, unit };
        assert_eq!(places.map(|place| (place.compute_unit, place.simd, place.slot)), [(at(11), 1, 9), (at(5), 3, 9)]);
        assert_eq!(unit("sm_80"), None);
        let place = of_target("gfx803").map(|layout| layout.decode(hw_id));
        assert_eq!(place.map(|p| (p.simd, p.slot)), Some((2, 9)));
    }
}
