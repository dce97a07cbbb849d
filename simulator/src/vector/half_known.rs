//! Results of which one half is known, since one half of a source is.
//!
//! From gfx9 on, instructions of 16 bits keep the other half of their destination. Compilers leave that half unwritten, and move the register
//! on as a dword. Where each bit of a result depends on one bit of a source at most, half of the result is known then.

use crate::state::operand::Source;
use crate::state::vector_number::VectorNumber;
use crate::state::vector_registers::LANES;
use crate::state::wave::Wave;
use crate::vector::function::VectorFunction;

/// Some of the registers in which bits of the result depend on one bit at most, and in which a half of a lane is known and the other one is not.
pub(crate) struct HalfKnown {
    registers: [VectorNumber; 3],
    count: usize,
    result: VectorNumber,
    exec: u64,
}

impl HalfKnown {
    /// Those of a function; `None` if there is no such register.
    pub(crate) fn of(wave: &Wave, function: &VectorFunction) -> Option<Self> {
        if function.sources_of_bits == 0 || !wave.vectors.has_halves() || function.is_wide {
            return None;
        }
        let (result, exec) = (function.result?, wave.exec()?);
        let mut this = Self { registers: [0; 3], count: 0, result, exec };
        for (index, source) in function.sources.iter().enumerate() {
            if let Source::Vector(register) = source.place
                && function.sources_of_bits >> index & 1 == 1
                && wave.vectors.is_half_known(register)
                && !this.registers().contains(&register)
            {
                this.registers[this.count] = register;
                this.count += 1;
            }
        }
        (this.count > 0).then_some(this)
    }

    fn registers(&self) -> &[VectorNumber] {
        &self.registers[..self.count]
    }

    /// Runs an instruction once with each choice of zeros and ones in the unknown halves. Equal results are known.
    pub(crate) fn run(&self, wave: &mut Wave, run: impl Fn(&mut Wave)) {
        let sources: Vec<_> = self.registers().iter().map(|register| wave.vectors.saved(*register)).collect();
        let result = wave.vectors.saved(self.result);
        let mut first: Option<[u32; LANES]> = None;
        let mut known = [u64::MAX; 2];
        for ones in 0..1 << self.count {
            wave.vectors.restore(self.result, &result);
            for (index, (register, source)) in self.registers().iter().zip(&sources).enumerate() {
                wave.vectors.restore(*register, source);
                wave.vectors.fill_halves(*register, ones >> index & 1 == 1);
            }
            run(wave);
            let values = *wave.vectors.read(self.result).0;
            let first = first.get_or_insert(values);
            let masks = [0xffff, 0xffff_0000_u32];
            for ((known, of_run), mask) in known.iter_mut().zip(wave.vectors.halves_known(self.result)).zip(masks) {
                let differ = |lane: usize| u64::from((values[lane] ^ first[lane]) & mask != 0) << lane;
                *known &= of_run & !(0..LANES).fold(0, |lanes, lane| lanes | differ(lane));
            }
        }
        self.registers().iter().zip(&sources).for_each(|(register, source)| wave.vectors.restore(*register, source));
        wave.vectors.restore(self.result, &result);
        let values = first.unwrap_or([0; LANES]);
        wave.vectors.write_halves(self.result, self.exec, &values, known);
    }
}
