//! A wave's registers. Each value is known or unknown; unknown is never read as a number.

/// Lanes of a wave.
pub(super) const LANES: usize = 64;

/// Scalar code of the low half of VCC.
pub(super) const VCC: u8 = 106;
/// Scalar code of M0.
pub(super) const M0: u8 = 124;
/// Scalar code of the low half of EXEC.
pub(super) const EXEC: u8 = 126;

/// The scalar registers by their operand code 0..=127: SGPRs, VCC (106), M0 (124), EXEC (126).
#[derive(Debug, Clone)]
pub(super) struct ScalarRegisters {
    values: [u32; 128],
    known: u128,
}

impl Default for ScalarRegisters {
    fn default() -> Self {
        Self { values: [0; 128], known: 0 }
    }
}

impl ScalarRegisters {
    /// The value, or `None` where it is unknown.
    pub(super) fn read(&self, code: u8) -> Option<u32> {
        (self.known >> code & 1 == 1).then(|| self.values[code as usize])
    }

    /// The pair starting at `code`.
    pub(super) fn read64(&self, code: u8) -> Option<u64> {
        Some(u64::from(self.read(code)?) | u64::from(self.read(code + 1)?) << 32)
    }

    /// Sets the value; `None` makes it unknown.
    pub(super) fn write(&mut self, code: u8, value: Option<u32>) {
        match value {
            Some(value) => {
                self.values[code as usize] = value;
                self.known |= 1 << code;
            }
            None => self.known &= !(1 << code),
        }
    }

    /// Sets the pair starting at `code`.
    pub(super) fn write64(&mut self, code: u8, value: Option<u64>) {
        self.write(code, value.map(|value| value as u32));
        self.write(code + 1, value.map(|value| (value >> 32) as u32));
    }

    /// Makes all registers of the mask unknown.
    pub(super) fn forget(&mut self, mask: u128) {
        self.known &= !mask;
    }
}

/// The vector registers: 64 lanes each, each lane known or unknown.
#[derive(Debug, Clone)]
pub(super) struct VectorRegisters {
    values: Vec<[u32; LANES]>,
    known: Vec<u64>,
}

impl VectorRegisters {
    /// `count` registers of unknown content.
    pub(super) fn new(count: u32) -> Self {
        Self { values: vec![[0; LANES]; count as usize], known: vec![0; count as usize] }
    }

    /// All lanes, and the mask of those that are known.
    pub(super) fn read(&self, register: u8) -> (&[u32; LANES], u64) {
        (&self.values[register as usize], self.known[register as usize])
    }

    /// One lane, or `None` where it is unknown.
    pub(super) fn lane(&self, register: u8, lane: usize) -> Option<u32> {
        (self.known[register as usize] >> lane & 1 == 1).then(|| self.values[register as usize][lane])
    }

    /// Writes the lanes of `exec`; those outside of `known` become unknown.
    pub(super) fn write(&mut self, register: u8, exec: u64, values: &[u32; LANES], known: u64) {
        let target = &mut self.values[register as usize];
        if exec == u64::MAX {
            *target = *values;
        } else {
            for (lane, (to, from)) in target.iter_mut().zip(values).enumerate() {
                if exec >> lane & 1 == 1 {
                    *to = *from;
                }
            }
        }
        let mask = &mut self.known[register as usize];
        *mask = *mask & !exec | known & exec;
    }

    /// Writes one lane.
    pub(super) fn write_lane(&mut self, register: u8, lane: usize, value: Option<u32>) {
        let mask = &mut self.known[register as usize];
        match value {
            Some(value) => {
                self.values[register as usize][lane] = value;
                *mask |= 1 << lane;
            }
            None => *mask &= !(1 << lane),
        }
    }

    /// Makes the lanes of `exec` of `count` registers unknown.
    pub(super) fn forget(&mut self, first: u8, count: u8, exec: u64) {
        for known in &mut self.known[first as usize..first as usize + count as usize] {
            *known &= !exec;
        }
    }
}
