//! A wave: its registers, its place, and its pending waits.

use crate::cost::configuration::Configuration;
use crate::error::Problem;
use crate::state::bits::Bits;
use crate::state::flight::Flights;
use crate::state::gpr_index::GprIndex;
use crate::state::losses::Losses;
use crate::state::matrix_results::MatrixResults;
use crate::state::mode::Mode;
use crate::state::pipelines::WavePipelines;
use crate::state::row::Row;
use crate::state::scalar_registers::{EXEC, M0, ScalarRegisters};
use crate::state::scoreboard::Scoreboard;
use crate::state::vector_number::{VectorNumber, vector_name};
use crate::state::vector_registers::{LANES, Scales, VectorRegisters};

/// The awaited result of a scalar load.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arrival {
    /// First scalar register.
    pub register: u8,
    /// The values, as many as there are; the rest is unknown.
    pub values: [Option<u32>; 2],
    /// How many registers are written.
    pub count: u8,
}

/// How far a wave is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// It can issue.
    Running,
    /// It waits at a barrier.
    AtBarrier,
    Ended,
}

/// The facts about the previous instruction that the rules for the next one need.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Trace {
    /// It wrote SCC.
    pub scc: bool,
    /// It wrote VCC.
    pub vcc: bool,
    /// It wrote EXEC.
    pub exec: bool,
    /// It was a 2-dword instruction that hides the alignment penalty of the next one.
    pub hides_next: bool,
    /// It took no cycle.
    pub was_free: bool,
}

/// A wave of 32 or 64 work-items. In one of 32 the upper lanes are never active.
#[derive(Debug)]
pub(crate) struct Wave {
    /// Number in the launch: group × waves per group + wave in the group.
    pub number: u32,
    /// Number in its group.
    pub in_group: u32,
    /// Lanes: 32 or 64.
    pub lanes: u32,
    /// Index of its group among those on the compute unit.
    pub group: usize,
    /// SIMD on which it runs.
    pub simd: u32,
    /// Slot on that SIMD: WAVE_ID of HW_ID.
    pub slot: u32,
    /// The next instruction, as an index into the program.
    pub next: u32,
    /// The address of the next instruction, where that is not decoded yet.
    pub away: u64,
    /// First cycle at which it can issue.
    pub ready: u64,
    /// First cycle at which it can issue a scalar ALU instruction (the 16-cycle rule).
    pub scalar_ready: u64,
    /// The previous instruction's facts.
    pub trace: Trace,
    /// What S_SETPRIO set: of the waves that can issue those with more do.
    pub priority: u8,
    pub scalars: ScalarRegisters,
    pub vectors: VectorRegisters,
    /// When results can be read, where the issue model keeps track of it.
    pub scoreboard: Option<Box<Scoreboard>>,
    /// The wave's instructions in the pipelines of its SIMD, where it has them.
    pub pipelines: Option<Box<WavePipelines>>,
    /// When results of matrix instructions can be, where there are such.
    pub matrix_results: Option<Box<MatrixResults>>,
    /// Where its unknown values come from.
    pub losses: Losses,
    /// SCC, or `None` where it is unknown.
    pub scc: Option<bool>,
    /// Modes of floating-point arithmetic.
    pub mode: Mode,
    /// What V_MFMA_LD_SCALE_B32 left for the next matrix instruction.
    pub scales: Option<Box<Scales>>,
    /// How VGPRs are indexed, while they are (GCN 1.2 and 1.4).
    pub gpr_index: Option<GprIndex>,
    /// What scalar loads under way bring.
    pub arrivals: Vec<Arrival>,
    /// Scalar memory instructions and messages under way, and those of the LDS where they have no counter of their own: lgkmcnt, kmcnt.
    pub scalar_memory: Flights,
    /// LDS instructions under way, where they have a counter of their own: dscnt.
    pub local_memory: Flights,
    /// Vector memory instructions under way: vmcnt.
    pub vector_memory: Flights,
    /// Stores to vector memory under way, where they have a counter of their own: vscnt.
    pub vector_stores: Flights,
    /// How far it is.
    pub state: State,
    /// How often its group's barrier had opened when it signalled, until it waits for that.
    pub signalled: Option<u32>,
    /// Line of the instruction cache that it fetched last.
    pub line: u64,
    /// Executions so far of each instruction whose cycles differ in turn.
    pub turns: Vec<usize>,
    /// How often it still goes through a block that it repeats.
    pub iterations: u32,
    /// S_MEMTIME readings so far.
    pub readings: u64,
    /// What the last of them showed.
    pub last_reading: u64,
}

impl Wave {
    /// EXEC, or `None` where it is unknown.
    pub(crate) fn exec(&self) -> Option<u64> {
        self.mask(EXEC)
    }

    /// # Errors
    /// M0 is unknown or not 0.
    pub(crate) fn require_zero_m0(&self) -> Result<(), Problem> {
        match self.scalars.read(M0) {
            Some(0) => Ok(()),
            Some(_) => Err(Problem::Unmodelled(": a relative index other than 0 in M0".into())),
            None => Err(Problem::UnknownControl("M0".into())),
        }
    }

    /// The mask of lanes in a scalar register, or in a pair where a wave has 64; `None` where it is unknown.
    pub(crate) fn mask(&self, code: u8) -> Option<u64> {
        if self.lanes > 32 { self.scalars.read64(code) } else { self.scalars.read(code).map(u64::from) }
    }

    /// A mask of lanes, of which some may be known.
    pub(crate) fn mask_bits(&self, code: u8) -> Bits {
        if self.lanes > 32 { self.scalars.bits64(code) } else { self.scalars.bits(code) }
    }

    /// Sets a mask of lanes, of which some may be known.
    pub(crate) fn write_mask(&mut self, code: u8, mask: Bits) {
        if self.lanes > 32 {
            self.scalars.write_bits64(code, mask);
        } else {
            self.scalars.write_bits(code, mask);
        }
    }

    /// By how many cycles the next execution of such an instruction is longer than the shortest.
    pub(crate) fn take_turn(&mut self, turns: u16, configuration: &Configuration) -> u64 {
        let of_turns = &configuration.turns[turns as usize];
        let turn = &mut self.turns[turns as usize];
        *turn += 1;
        u64::from(of_turns[(*turn - 1) % of_turns.len()])
    }

    /// A vector register as addresses, which must be known in the lanes of `exec`.
    ///
    /// # Errors
    /// Which one is not.
    pub(crate) fn known_lanes(&self, register: VectorNumber, exec: u64) -> Result<&[u32; LANES], Problem> {
        let (values, known) = self.vectors.read(register);
        match exec & !known {
            0 => Ok(values),
            unknown => {
                Err(Problem::UnknownAddress(format!("{}, lane {}", vector_name(register), unknown.trailing_zeros())))
            }
        }
    }

    /// Whether a mask is that of all its lanes.
    pub(crate) fn is_all(&self, mask: u64) -> bool {
        mask == u64::MAX >> (LANES as u32 - self.lanes)
    }

    /// A vector register as a row; `None` if it is irregular, or not known in all lanes.
    pub(crate) fn row(&self, register: VectorNumber) -> Option<Row> {
        let (values, known) = self.vectors.read(register);
        match known {
            u64::MAX if self.lanes as usize == LANES => Row::of(values),
            _ if self.lanes == 32 && known as u32 == u32::MAX => Row::of::<32>(values.first_chunk()?),
            _ => None,
        }
    }

    /// Waits for LDS and scalar memory until at most `left` are under way: the cycle at which that is so.
    pub(crate) fn wait_for_scalar_memory(&mut self, left: usize) -> u64 {
        let vectors = &mut self.vectors;
        let until = self.scalar_memory.wait(left, |filled| vectors.arrive(filled));
        if left == 0 {
            self.receive();
        }
        until
    }

    /// The counter of LDS instructions.
    pub(crate) fn local_counter(&mut self, configuration: &Configuration) -> &mut Flights {
        if configuration.counts_local_apart { &mut self.local_memory } else { &mut self.scalar_memory }
    }

    /// Waits for the LDS, where it has a counter of its own, until at most `left` are under way: the cycle at which that is so.
    pub(crate) fn wait_for_local_memory(&mut self, left: usize) -> u64 {
        let vectors = &mut self.vectors;
        self.local_memory.wait(left, |filled| vectors.arrive(filled))
    }

    /// Waits for vector memory until at most `left` are under way: the cycle at which that is so.
    pub(crate) fn wait_for_vector_memory(&mut self, left: usize) -> u64 {
        let vectors = &mut self.vectors;
        self.vector_memory.wait(left, |filled| vectors.arrive(filled))
    }

    /// Waits for stores to vector memory until at most `left` are under way: the cycle at which that is so.
    pub(crate) fn wait_for_vector_stores(&mut self, left: usize) -> u64 {
        self.vector_stores.wait(left, |_| {})
    }

    /// Puts the values of all scalar loads into their registers: they have been waited for.
    fn receive(&mut self) {
        for arrival in self.arrivals.drain(..) {
            for i in 0..arrival.count {
                let value = arrival.values.get(i as usize).copied().flatten();
                self.scalars.arrive(arrival.register + i, value);
            }
        }
    }
}
