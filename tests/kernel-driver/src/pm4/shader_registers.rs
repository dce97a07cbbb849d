//! The registers of compute shaders, as command buffers set them.
//!
//! Source: Mesa 22.3, `src/amd/registers/gfx6.json` and later, the registers COMPUTE_*; AMD "Southern Islands 3D/Compute Register Reference
//! Guide" (2012).

use gcn_model::code_object::ProgramRegisters;

/// Address of the first register of SET_SH_REG's space.
pub(crate) const FIRST: u32 = 0xb000;
/// First register of compute shaders; the ones before are of graphics shaders.
const COMPUTE: u32 = 0xb800;
/// Compute registers.
const COUNT: usize = 0x80;

const START_X: u32 = 0xb810;
const NUM_THREAD_X: u32 = 0xb81c;
const PGM_LO: u32 = 0xb830;
const PGM_HI: u32 = 0xb834;
const PGM_RSRC1: u32 = 0xb848;
const PGM_RSRC2: u32 = 0xb84c;
const TMPRING_SIZE: u32 = 0xb860;
const PGM_RSRC3: u32 = 0xb8a0;
/// PGM_RSRC3 of GFX9.
const PGM_RSRC3_GFX9: u32 = 0xb8b4;
const USER_DATA_0: u32 = 0xb900;
const USER_DATA: usize = 16;

/// The compute registers of a ring; each is unknown until it is set.
#[derive(Debug, Clone)]
pub(crate) struct ShaderRegisters {
    values: [Option<u32>; COUNT],
}

impl Default for ShaderRegisters {
    fn default() -> Self {
        Self { values: [None; COUNT] }
    }
}

impl ShaderRegisters {
    /// Sets registers from an address on. Those of graphics shaders are ignored.
    pub(crate) fn set(&mut self, first: u32, values: &[u32]) {
        for (address, value) in (first..).step_by(4).zip(values) {
            if let Some(register) = index(address).and_then(|index| self.values.get_mut(index)) {
                *register = Some(*value);
            }
        }
    }

    fn get(&self, address: u32) -> Option<u32> {
        index(address).and_then(|index| self.values.get(index).copied().flatten())
    }

    fn three(&self, first: u32) -> [Option<u32>; 3] {
        [first, first + 4, first + 8].map(|address| self.get(address))
    }

    /// Address of the program, if it is set.
    pub(crate) fn program(&self) -> Option<u64> {
        // DATA of COMPUTE_PGM_HI has 8 bits: addresses have 48.
        Some(u64::from(self.get(PGM_LO)?) << 8 | u64::from(self.get(PGM_HI)? & 0xff) << 40)
    }

    /// The program's request, if it is set.
    pub(crate) fn program_registers(&self, is_gfx9: bool) -> Option<ProgramRegisters> {
        let rsrc3 = self.get(if is_gfx9 { PGM_RSRC3_GFX9 } else { PGM_RSRC3 }).unwrap_or(0);
        Some(ProgramRegisters { rsrc1: self.get(PGM_RSRC1)?, rsrc2: self.get(PGM_RSRC2)?, rsrc3 })
    }

    /// The user SGPRs.
    pub(crate) fn user_data(&self) -> Vec<Option<u32>> {
        (USER_DATA_0..).step_by(4).take(USER_DATA).map(|address| self.get(address)).collect()
    }

    /// First group in each dimension, 0 where it was never set.
    pub(crate) fn start(&self) -> [u32; 3] {
        self.three(START_X).map(Option::unwrap_or_default)
    }

    /// Work-items of a group in each dimension, and of the last group: `NUM_THREAD_FULL` and `NUM_THREAD_PARTIAL`.
    pub(crate) fn group(&self) -> Option<[(u32, u32); 3]> {
        let [x, y, z] = self.three(NUM_THREAD_X);
        Some([x?, y?, z?].map(|value| (value & 0xffff, value >> 16)))
    }

    /// Waves that have scratch memory: WAVES of COMPUTE_TMPRING_SIZE.
    pub(crate) fn scratch_waves(&self) -> u32 {
        self.get(TMPRING_SIZE).unwrap_or(0) & 0xfff
    }

    /// Bytes of scratch memory of a wave: WAVESIZE of COMPUTE_TMPRING_SIZE, in 256 dwords; from GFX11 on in 64, and in more bits.
    pub(crate) fn scratch_bytes_per_wave(&self, is_gfx11_or_later: bool) -> u32 {
        let size = self.get(TMPRING_SIZE).unwrap_or(0) >> 12;
        if is_gfx11_or_later { (size & 0x3_ffff) * 256 } else { (size & 0x1fff) * 1024 }
    }
}

fn index(address: u32) -> Option<usize> {
    Some(address.checked_sub(COMPUTE)? as usize / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unset_shader_registers_are_unknown() {
        let mut registers = ShaderRegisters::default();
        registers.set(PGM_LO, &[0x0100_0002]);
        assert_eq!(registers.program(), None);
        registers.set(PGM_HI, &[0x1_02]);
        assert_eq!(registers.program(), Some(0x0201_0000_0200));
        // After PGM_RSRC1 and RSRC2 come unused registers; before the first one those of graphics.
        registers.set(0xb7fc, &[7]);
        registers.set(PGM_RSRC1, &[1, 2, 3]);
        assert_eq!(registers.program_registers(false), Some(ProgramRegisters { rsrc1: 1, rsrc2: 2, rsrc3: 0 }));
        registers.set(USER_DATA_0 + 4, &[9]);
        assert_eq!(registers.user_data()[..3], [None, Some(9), None]);
        registers.set(NUM_THREAD_X, &[64 | 3 << 16, 1]);
        assert_eq!(registers.group(), None);
        registers.set(NUM_THREAD_X + 8, &[1]);
        assert_eq!(registers.group(), Some([(64, 3), (1, 0), (1, 0)]));
    }
}
