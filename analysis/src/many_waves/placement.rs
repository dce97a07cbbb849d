//! Where a wave ran: HW_ID, decoded.

use gcn_model::isa::{Generation, Processor};

/// Where the register of a generation that says where a wave runs has its fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HwIdLayout {
    pub generation: Generation,
}

/// A compute unit of the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComputeUnit {
    /// XCC of the card; 0 where there is one.
    pub xcc: u8,
    pub shader_engine: u8,
    /// Shader array in the engine.
    pub shader_array: u8,
    /// Compute unit in the array.
    pub unit: u8,
}

/// The place of a wave: compute unit, SIMD and slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    pub compute_unit: ComputeUnit,
    /// SIMD in the compute unit, 0–3.
    pub simd: u8,
    /// Wave slot in the SIMD.
    pub slot: u8,
}

impl HwIdLayout {
    /// The layout of an LLVM target (`gfx600`, `gfx906:sramecc+`); `None` if no generation has it.
    pub fn of_target(target: &str) -> Option<Self> {
        let Processor { generation, .. } = Processor::find(target)?;
        Some(Self { generation })
    }

    /// The place that a value of the register names.
    pub fn decode(self, hw_id: u32) -> Placement {
        let place = &self.generation.place;
        let field = |bits: gcn_model::isa::BitRange| bits.of(hw_id) as u8;
        Placement {
            compute_unit: ComputeUnit {
                xcc: place.xcc.as_ref().map_or(0, |xcc| field(xcc.kept)),
                shader_engine: field(place.shader_engine),
                shader_array: field(place.shader_array),
                unit: field(place.compute_unit),
            },
            simd: field(place.simd),
            slot: field(place.slot),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_by_target() {
        let hw_id = 0b0110_0000_0000_0000 | 1 << 12 | 0b1011 << 8 | 2 << 4 | 9;
        let unit = |target: &str| HwIdLayout::of_target(target).map(|layout| layout.decode(hw_id).compute_unit);
        let at = |shader_engine| Some(ComputeUnit { xcc: 0, shader_engine, shader_array: 1, unit: 11 });
        assert_eq!(unit("gfx600"), at(1));
        assert_eq!(unit("gfx701"), at(3));
        assert_eq!(unit("gfx906:sramecc+:xnack-"), at(3));
        assert_eq!(unit("gfx908"), at(3));
        let of_xcc = HwIdLayout::of_target("gfx942").map(|layout| layout.decode(hw_id | 5 << 16).compute_unit);
        assert_eq!(of_xcc.map(|unit| (unit.xcc, unit.shader_engine)), Some((5, 3)));
        // HW_ID1 has the compute unit in bits 13:10, and the shader array in bit 16 (Linux, gc_10_3_0_sh_mask.h).
        let of_rdna =
            HwIdLayout::of_target("gfx1030").map(|layout| layout.decode(2 << 18 | 1 << 16 | 11 << 10 | 2 << 8 | 9));
        assert_eq!(of_rdna.map(|place| (place.compute_unit, place.simd, place.slot)), Some((at(2).unwrap(), 2, 9)));
        assert_eq!(unit("sm_80"), None);
        let place = HwIdLayout::of_target("gfx803").map(|layout| layout.decode(hw_id));
        assert_eq!(place.map(|p| (p.simd, p.slot)), Some((2, 9)));
    }
}
