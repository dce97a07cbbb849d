//! Results of which some bits are known, since some bits of the sources are.
//!
//! From gfx9 on, instructions of 16 bits keep the other half of their destination. Compilers leave that half unwritten, and move the register
//! on as a dword. They keep masks in lanes of a register, too, of which the bits of other lanes are unknown.

use crate::state::bits::Bits;
use crate::state::operand::{Source, read32};
use crate::state::vector_number::VectorNumber;
use crate::state::vector_registers::{LANES, Saved};
use crate::state::wave::Wave;
use crate::vector::function::VectorFunction;
use crate::vector::part_sources::PartSources;

/// Bits of an amount that matter.
const AMOUNT: u32 = 31;

/// The sources of an instruction of which lanes are known in part, where bits of its result can be known.
pub(crate) struct PartlyKnown {
    registers: [VectorNumber; 3],
    /// What the result depends on, by those registers.
    parts: [PartSources; 3],
    count: usize,
    result: VectorNumber,
    /// The mask of carries that is written: unknown in the lanes that are known in part.
    carry: Option<u8>,
    exec: u64,
}

impl PartlyKnown {
    /// Those of a function; `None` if there is no such register.
    pub(crate) fn of(wave: &Wave, function: &VectorFunction) -> Option<Self> {
        let parts = function.part_sources;
        if parts.all() == 0 || !(wave.vectors.has_parts() || parts.masks) || function.is_wide {
            return None;
        }
        // A carry that is read, and a modifier that moves bits, depend on more.
        let parts = match (function.flags_result.is_none() || function.flags.is_none()) && function.modifiers.is_none()
        {
            true => parts,
            false => PartSources { bits: parts.bits, masks: parts.masks, ..PartSources::default() },
        };
        let (result, exec) = (function.result?, wave.exec()?);
        let (parts_of, carry) = ([PartSources::default(); 3], function.flags_result);
        let mut this = Self { registers: [0; 3], parts: parts_of, count: 0, result, carry, exec };
        let matters = |index: &usize| (parts.bits | parts.amounts) >> index & 1 == 1;
        let is_known = |index: usize| is_partly_known(wave, function.sources[index].place, exec);
        let has_known = parts.masks && (0..3).filter(matters).any(is_known);
        for (index, source) in function.sources.iter().enumerate() {
            if let Source::Vector(register) = source.place
                && parts.all() >> index & 1 == 1
                && (wave.vectors.is_partly_known(register) || has_known && wave.vectors.read(register).1 & exec != exec)
            {
                this.add(register, parts, index);
            }
        }
        (this.count > 0).then_some(this)
    }

    fn add(&mut self, register: VectorNumber, parts: PartSources, index: usize) {
        let place = self.registers().iter().position(|there| *there == register).unwrap_or(self.count);
        self.count = self.count.max(place + 1);
        self.registers[place] = register;
        let of = |sources: u8| sources >> index & 1;
        let there = &mut self.parts[place];
        there.bits |= of(parts.bits);
        there.carries |= of(parts.carries);
        there.amounts |= of(parts.amounts);
        there.counts |= of(parts.counts);
    }

    fn registers(&self) -> &[VectorNumber] {
        &self.registers[..self.count]
    }

    /// Runs an instruction once with each choice of zeros and ones in the unknown bits. Equal bits of the results are known, where they can be.
    pub(crate) fn run(&self, wave: &mut Wave, run: impl Fn(&mut Wave)) {
        let sources: Vec<_> = self.registers().iter().map(|register| wave.vectors.saved(*register)).collect();
        let mut known = self.decided(wave);
        let result = wave.vectors.saved(self.result);
        let mut first: Option<[u32; LANES]> = None;
        for ones in 0..1 << self.count {
            wave.vectors.restore(self.result, &result);
            for (index, (register, source)) in self.registers().iter().zip(&sources).enumerate() {
                wave.vectors.restore(*register, source);
                wave.vectors.fill_unknown(*register, ones >> index & 1 == 1);
            }
            run(wave);
            let values = *wave.vectors.read(self.result).0;
            let first = first.get_or_insert(values);
            for ((known, of_run), (value, first)) in
                known.iter_mut().zip(wave.vectors.all_known_bits(self.result)).zip(values.iter().zip(&*first))
            {
                *known &= of_run & !(value ^ first);
            }
        }
        self.restore(wave, (&sources, &result));
        if let Some(carry) = self.carry {
            let whole =
                self.registers().iter().fold(u64::MAX, |whole, register| whole & wave.vectors.read(*register).1);
            let mask = wave.mask_bits(carry);
            wave.write_mask(carry, Bits { known: mask.known & (whole | !self.exec), ..mask });
        }
        if self.parts.iter().any(|parts| parts.counts != 0) {
            known.iter_mut().for_each(|known| *known = if *known == u32::MAX { u32::MAX } else { 0 });
        }
        wave.vectors.write_bits(self.result, self.exec, &first.unwrap_or([0; LANES]), &known);
    }

    fn restore(&self, wave: &mut Wave, (sources, result): (&[Saved], &Saved)) {
        self.registers().iter().zip(sources).for_each(|(register, source)| wave.vectors.restore(*register, source));
        wave.vectors.restore(self.result, result);
    }

    /// The bits of the result that can be known: those below the lowest unknown bit of what carries, and none where an amount is unknown.
    fn decided(&self, wave: &Wave) -> [u32; LANES] {
        let mut decided = [u32::MAX; LANES];
        for (register, parts) in self.registers().iter().zip(self.parts) {
            for (decided, known) in decided.iter_mut().zip(wave.vectors.all_known_bits(*register)) {
                if parts.carries != 0 {
                    *decided &= 1_u32.checked_shl(known.trailing_ones()).map_or(u32::MAX, |next| next - 1);
                }
                if parts.amounts != 0 && known & AMOUNT != AMOUNT {
                    *decided = 0;
                }
            }
        }
        decided
    }
}

/// Whether something of a source is known.
fn is_partly_known(wave: &Wave, source: Source, exec: u64) -> bool {
    match source {
        Source::Vector(register) => wave.vectors.read(register).1 & exec != 0 || wave.vectors.is_partly_known(register),
        Source::Constant(_) => true,
        source => read32(wave, source).is_some(),
    }
}
