//! Halves in registers, and a buffer whose format has floats of 32 bits.
//!
//! Source: AMD "GCN3 ISA" and "Vega ISA", MUBUF opcode tables (`*_FORMAT_D16_*`); LLVM `AMDGPU.td`, "FeatureUnpackedD16VMem": in
//! most of GCN 1.2 each component has a register of its own, on gfx810 and in GCN 1.4 two share one. Each half is a float exactly, so there is nothing to
//! round in a store. A load rounds in a way that no manual gives: a value that is not exactly a half becomes unknown.

use crate::error::Problem;
use crate::float::half::{half_of, of_half};
use crate::memory::global::Memory;
use crate::memory::reach::{Reach, Words, active};
use crate::memory::word::Word;
use crate::state::loaded::{Loaded, MOST_DWORDS};
use crate::state::vector_number::VectorNumber;
use crate::state::vector_registers::VectorRegisters;

/// Where the components of a `FORMAT_D16` instruction are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Halves {
    components: u8,
    is_packed: bool,
    /// All is in high halves.
    is_high: bool,
}

impl Halves {
    /// By the end of an instruction's name: `D16_XYZ`, `D16_HI_X`; `None` if it moves whole registers.
    pub(crate) fn of(components: &str, is_packed: bool) -> Option<Self> {
        let components = components.strip_prefix("D16_")?;
        let (components, is_high) = components.strip_prefix("HI_").map_or((components, false), |rest| (rest, true));
        Some(Self { components: components.len() as u8, is_packed, is_high })
    }

    /// The register of a component, counted from the first one, and the bit where it begins.
    fn place(self, component: u8) -> (u8, u32) {
        match (self.is_packed, self.is_high) {
            (true, false) => (component / 2, u32::from(component % 2) * 16),
            (_, is_high) => (component, u32::from(is_high) * 16),
        }
    }

    /// Loads them from floats. Components that the format lacks are 0, the fourth is 1. Whether a half that no component goes to is
    /// kept or cleared no manual says: it is known where both are the same.
    ///
    /// # Errors
    /// A memory fault.
    pub(crate) fn load(
        self,
        vectors: &mut VectorRegisters,
        (result, registers): (VectorNumber, u8),
        (reach, exec): (Reach<'_>, u64),
        of_format: u8,
        memory: &mut Memory,
    ) -> Result<Loaded, Problem> {
        let mut filled_lanes = Loaded::default();
        for lane in active(exec & reach.inside(0)) {
            // By register: the loaded bits, and the bits that components go to.
            let mut loaded = [(Some(0), 0); MOST_DWORDS];
            for component in 0..self.components {
                let half = if component < of_format {
                    memory.word(reach.address(lane) + 4 * u64::from(component))?.value().and_then(exact_half)
                } else {
                    Some(if component == 3 { ONE } else { 0 })
                };
                let (register, bit) = self.place(component);
                let (value, filled) = &mut loaded[register as usize];
                *value = value.zip(half).map(|(value, half)| value | half << bit);
                *filled |= 0xffff << bit;
            }
            for ((register, known), (value, filled)) in
                (result..).take(registers.into()).zip(&mut filled_lanes.lanes).zip(loaded)
            {
                let is_clear = vectors.lane(register, lane).is_some_and(|before| before & !filled == 0);
                if let Some(value) = value.filter(|_| filled == u32::MAX || is_clear) {
                    vectors.lanes_mut(register)[lane] = value;
                    *known |= 1 << lane;
                }
            }
        }
        Ok(filled_lanes)
    }

    /// Stores them as floats, as many as the format has.
    ///
    /// # Errors
    /// A memory fault.
    pub(crate) fn store(
        self,
        vectors: &VectorRegisters,
        data: VectorNumber,
        (reach, exec, instruction): (Reach<'_>, u64, u32),
        of_format: u8,
        memory: &mut Memory,
    ) -> Result<(), Problem> {
        for lane in active(exec & reach.inside(0)) {
            for component in 0..self.components.min(of_format) {
                let (register, bit) = self.place(component);
                let half = vectors.lane(data + u16::from(register), lane).map(|value| of_half(value >> bit & 0xffff));
                // Which NaN comes of a NaN no manual says.
                let value = half.filter(|half| !half.is_nan()).map(|half| (half as f32).to_bits());
                *memory.word(reach.address(lane) + 4 * u64::from(component))? = Word::written(value, instruction);
            }
        }
        Ok(())
    }
}

/// 1 as a half.
const ONE: u32 = 0x3c00;

/// The half that is this float.
fn exact_half(float: u32) -> Option<u32> {
    let value = f64::from(f32::from_bits(float));
    // Nearest and even is as good as any other rounding where there is nothing to round.
    (!value.is_nan()).then(|| half_of(value)).filter(|half| of_half(*half).to_bits() == value.to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_exact_halves_are_known() {
        for (float, half) in [(0.0, Some(0)), (-0.0, Some(0x8000)), (1.5, Some(0x3e00)), (65504.0, Some(0x7bff))] {
            assert_eq!(exact_half(f32::to_bits(float)), half, "{float}");
        }
        for float in [0.1, 65520.0, 1e-9, f32::NAN] {
            assert_eq!(exact_half(float.to_bits()), None, "{float}");
        }
    }

    #[test]
    fn components_share_registers_where_they_are_packed() {
        let places = |name, is_packed| {
            let halves = Halves::of(name, is_packed).unwrap();
            (0..halves.components).map(|component| halves.place(component)).collect::<Vec<_>>()
        };
        assert_eq!(places("D16_XYZ", false), [(0, 0), (1, 0), (2, 0)]);
        assert_eq!(places("D16_XYZ", true), [(0, 0), (0, 16), (1, 0)]);
        assert_eq!(places("D16_HI_X", true), [(0, 16)]);
        assert_eq!(Halves::of("XYZW", true), None);
    }
}
