//! The execution units of a compute unit, and when they are free.
//!
//! Facts §3.1: each cycle the scheduler looks at one of the four SIMDs and issues at most one instruction per wave
//! and at most one per category. Seen from a SIMD that is one instruction of each category in four cycles; seen
//! from a unit that the SIMDs share it is one instruction a cycle. That is how it is kept here: a SIMD's port is
//! busy for four cycles, a shared unit for as long as its throughput says. Where all times are multiples of four,
//! as in the CLRX table, this is the round robin exactly; and a GPU file that says 18 cycles gets 18, where a
//! fixed turn would round each of them up to 20.

use gcn_model::isa::{Encoding, Instruction, InstructionClass};

/// The category of an instruction: which unit executes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Unit {
    /// Vector ALU: one in each SIMD.
    Vector,
    /// Scalar ALU and scalar memory: shared.
    Scalar,
    /// Vector memory: shared.
    VectorMemory,
    /// LDS and GDS: a bus for each pair of SIMDs, then an array of banks.
    LocalDataShare,
    /// Branches and messages: shared.
    Branch,
    /// Exports: shared.
    Export,
    /// Consumed at the instruction buffer, by no unit: S_NOP, S_WAITCNT, S_BARRIER, S_SLEEP, ….
    #[default]
    Internal,
    /// Matrix unit: one in each SIMD, reached through the port of its vector ALU. Vector instructions that do not overlap with
    /// it want it, too.
    Matrix,
    /// Transcendental unit: one in each SIMD, reached through the port of its vector ALU; where SIMDs have pipelines.
    Transcendental,
    /// Matrix unit where SIMDs have pipelines: reached through the port of the vector ALU, which takes no more once the queue after it is
    /// full.
    MatrixQueue,
}

/// Number of units.
pub(crate) const UNITS: usize = Unit::ALL.len();

impl Unit {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 10] = [
        Self::Vector,
        Self::Scalar,
        Self::VectorMemory,
        Self::LocalDataShare,
        Self::Branch,
        Self::Export,
        Self::Internal,
        Self::Matrix,
        Self::Transcendental,
        Self::MatrixQueue,
    ];

    /// The unit of an instruction, where matrix instructions have none of their own.
    pub fn of(instruction: &Instruction) -> Self {
        match instruction.encoding {
            Encoding::Vop1 | Encoding::Vop2 | Encoding::Vop3 | Encoding::Vop3p | Encoding::Vopc => Self::Vector,
            Encoding::Vopd | Encoding::Vopd3 | Encoding::Vintrp | Encoding::Vinterp => Self::Vector,
            Encoding::Sop1 | Encoding::Sop2 | Encoding::Sopk | Encoding::Sopc | Encoding::Smrd | Encoding::Smem => {
                Self::Scalar
            }
            Encoding::Mubuf | Encoding::Mtbuf | Encoding::Flat => Self::VectorMemory,
            Encoding::Mimg | Encoding::Vsample | Encoding::Tensor => Self::VectorMemory,
            Encoding::Ds | Encoding::Ldsdir => Self::LocalDataShare,
            Encoding::Exp => Self::Export,
            Encoding::Sopp if instruction.is(InstructionClass::BranchUnit) => Self::Branch,
            Encoding::Sopp => Self::Internal,
        }
    }
}

impl Unit {
    /// Whether each SIMD has one of its own.
    pub(crate) fn is_of_simd(self) -> bool {
        matches!(self, Self::Internal | Self::Vector | Self::Matrix | Self::Transcendental | Self::MatrixQueue)
    }
}

/// Fractions of a cycle that a throughput can express.
const FRACTION: u64 = 1 << 12;

/// How long an instruction keeps its unit, in fractions of a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Reservation(u32);

impl Reservation {
    /// No time.
    pub(crate) const NONE: Self = Self(0);

    /// The hold of a unit that there is one of in each SIMD: `throughput` counts all of them.
    pub(crate) fn of_simd(throughput: f64, simds: u32) -> Self {
        Self((f64::from(simds) * FRACTION as f64 / throughput).round() as u32)
    }

    /// The hold of a unit that the SIMDs share.
    pub(crate) fn of_shared(throughput: f64) -> Self {
        Self::of_cycles(1.0 / throughput)
    }

    /// Shader cycles.
    pub(crate) fn cycles(self) -> f64 {
        f64::from(self.0) / FRACTION as f64
    }

    /// A hold of this many shader cycles.
    pub(crate) fn of_cycles(cycles: f64) -> Self {
        Self((FRACTION as f64 * cycles).round() as u32)
    }

    /// So many times.
    pub(crate) fn times(self, passes: u32) -> Self {
        Self(self.0.saturating_mul(passes))
    }

    /// So many cycles more.
    pub(crate) fn and(self, cycles: u32) -> Self {
        Self(self.0.saturating_add(cycles.saturating_mul(FRACTION as u32)))
    }
}

/// When a unit or a port takes its next instruction.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Availability {
    /// First whole cycle at which it is free.
    pub free: u64,
    exact: u64,
}

impl Availability {
    /// Occupies it from `now` on. An instruction that follows back to back keeps the fraction of a cycle by which
    /// the one before ended early, so that 3⅓ cycles are 3⅓ on average.
    pub(crate) fn occupy(&mut self, now: u64, hold: Reservation) {
        let now = now * FRACTION;
        let back_to_back = self.exact <= now && now - self.exact < FRACTION;
        self.exact = if back_to_back { self.exact } else { now } + u64::from(hold.0);
        self.free = self.exact.div_ceil(FRACTION);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_average_out_back_to_back() {
        let mut unit = Availability::default();
        let mut now = 7;
        for _ in 0..300 {
            unit.occupy(now, Reservation::of_shared(0.3));
            now = unit.free;
        }
        assert_eq!(now, 7 + 1000);
    }

    #[test]
    fn an_idle_unit_starts_afresh() {
        let mut unit = Availability::default();
        unit.occupy(0, Reservation::of_simd(1.0, 4));
        assert_eq!(unit.free, 4);
        unit.occupy(100, Reservation::of_simd(0.125, 4));
        assert_eq!(unit.free, 132);
    }
}
