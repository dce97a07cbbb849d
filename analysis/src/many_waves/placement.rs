//! Where a wave ran: HW_ID, decoded.

/// Which bits of HW_ID name the shader engine; the other fields of interest are the same on all GCN targets.
///
/// Source: Mesa's register databases `src/amd/registers/gfx{6,7,8,81,9}.json`; gfx908 and gfx90a: HIP's
/// `amd_device_functions.h` and the same databases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HwIdLayout {
    /// Bits of SE_ID, from bit 13 on.
    shader_engine_bits: u32,
}

/// A compute unit of the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComputeUnit {
    /// Shader engine.
    pub shader_engine: u8,
    /// Shader array in the engine.
    pub shader_array: u8,
    /// Compute unit in the array.
    pub unit: u8,
}

/// The place of a wave: compute unit, SIMD and slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    /// The compute unit.
    pub compute_unit: ComputeUnit,
    /// SIMD in the compute unit, 0–3.
    pub simd: u8,
    /// Wave slot in the SIMD.
    pub slot: u8,
}

impl HwIdLayout {
    /// The layout of an LLVM target (`gfx600`, `gfx906:sramecc+`); `None` if HW_ID is not known for it.
    pub fn of_target(target: &str) -> Option<Self> {
        let chip = target.split(':').next()?.strip_prefix("gfx")?;
        let shader_engine_bits = match chip {
            "908" | "90a" => 3,
            _ if chip.len() != 3 => return None,
            _ if chip.starts_with('6') => 1,
            _ if chip.starts_with(['7', '8', '9']) => 2,
            _ => return None,
        };
        Some(Self { shader_engine_bits })
    }

    /// The place that a HW_ID value names.
    pub const fn decode(self, hw_id: u32) -> Placement {
        Placement {
            compute_unit: ComputeUnit {
                shader_engine: field(hw_id, 13, self.shader_engine_bits),
                shader_array: field(hw_id, 12, 1),
                unit: field(hw_id, 8, 4),
            },
            simd: field(hw_id, 4, 2),
            slot: field(hw_id, 0, 4),
        }
    }
}

/// `bits` bits of a register from bit `start` on; at most 8.
const fn field(register: u32, start: u32, bits: u32) -> u8 {
    ((register >> start) & ((1 << bits) - 1)) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_by_target() {
        let hw_id = 0b0110_0000_0000_0000 | 1 << 12 | 0b1011 << 8 | 2 << 4 | 9;
        let unit = |target: &str| HwIdLayout::of_target(target).map(|layout| layout.decode(hw_id).compute_unit);
        let at = |shader_engine| Some(ComputeUnit { shader_engine, shader_array: 1, unit: 11 });
        assert_eq!(unit("gfx600"), at(1));
        assert_eq!(unit("gfx701"), at(3));
        assert_eq!(unit("gfx906:sramecc+:xnack-"), at(3));
        assert_eq!(unit("gfx90a"), at(3));
        assert_eq!(HwIdLayout::of_target("gfx908").map(|l| l.decode(0xE000).compute_unit.shader_engine), Some(7));
        assert_eq!(unit("gfx1030"), None);
        assert_eq!(unit("sm_80"), None);
        let place = HwIdLayout::of_target("gfx803").map(|layout| layout.decode(hw_id));
        assert_eq!(place.map(|p| (p.simd, p.slot)), Some((2, 9)));
    }
}
