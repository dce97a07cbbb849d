//! The pipelines of SIMDs whose waves go on while a result is under way: how many cycles each class takes, and when its result can be read.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::isa::PORTS;

/// The costs of a SIMD's units, and the delays of their results. Cycles are those of a wave of 32 lanes.
///
/// A vector instruction that no list names takes one cycle. One of double precision takes twice the GPU's DPFACTOR.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pipelines {
    /// Vector instructions, by name, of two cycles.
    pub half_rate: BTreeSet<String>,
    /// Vector instructions, by name, of four cycles.
    pub quarter_rate: BTreeSet<String>,
    /// Vector instructions, by name, of double precision.
    pub double: BTreeSet<String>,
    /// Vector instructions, by name, of the transcendental unit, which works in parallel to the rest of the vector ALU. Those of double precision
    /// hold both.
    pub transcendental: BTreeSet<String>,
    /// Shader cycles from one of these to the next.
    pub transcendental_cycles: u32,
    /// From the issue of a vector instruction of a single cycle to that of a reader; an instruction of N cycles takes N − 1 more.
    pub vector_latency_cycles: u32,
    /// From the issue of a transcendental instruction to that of a reader of its result, shader cycles.
    pub transcendental_latency_cycles: u32,
    /// How long the result of an instruction of double precision is under way beyond its own cycles, shader cycles.
    pub double_latency_cycles: u32,
    /// From the issue of a vector instruction to that of a memory or LDS instruction that reads its result, shader cycles; at least the
    /// latency.
    pub address_latency_cycles: u32,
    /// From the issue of a vector instruction to that of the next memory or LDS instruction of the wave, whichever registers it names,
    /// shader cycles.
    pub memory_after_vector_cycles: u32,
    /// How long vector memory reads a register of 32 lanes, shader cycles; the SIMDs of a compute unit take turns.
    pub memory_register_cycles: u32,
    /// From the end of this to the issue of a vector instruction that overwrites what was read, shader cycles.
    pub memory_read_cycles: u32,
    /// Instructions, by name, that wait until the stores of their wave have read their registers, and these cycles have passed.
    pub after_stores: BTreeSet<String>,
    /// From the issue of a vector instruction that reads scalar registers to that of the next scalar instruction, shader cycles.
    pub scalar_after_vector_cycles: u32,
    /// Likewise for one that writes scalar registers.
    pub scalar_after_mask_cycles: u32,
    /// How much later an instruction that no unit executes is issued after one of a unit, shader cycles.
    pub internal_delay_cycles: u32,
    /// Instructions, by name, that go with the next one and take no cycle.
    pub free: BTreeSet<String>,
    /// The most vector instructions in flight that write scalar registers.
    pub masks_under_way: u32,
    /// When this many are in flight, the next one waits until the last has taken its own cycles and these, shader cycles.
    pub mask_latency_cycles: u32,
    /// Extra delay until other than vector instructions read the scalar registers that a vector instruction writes, shader cycles.
    pub mask_result_cycles: u32,
    /// From the issue of such an instruction to what S_WAIT_ALU or S_WAITCNT_DEPCTR holds until it is done, shader cycles.
    pub mask_wait_cycles: u32,
    /// From the execution of a scalar instruction to that of an instruction that reads or overwrites its result, shader cycles.
    pub scalar_latency_cycles: u32,
    /// Scalar instructions whose results take longer, by name: those of floating point.
    pub scalar_float: BTreeSet<String>,
    /// From the execution of one of these to that of a scalar instruction that reads or overwrites its result, shader cycles.
    pub scalar_float_latency_cycles: u32,
    /// Scalar instructions of a wave that can be issued and wait to read their registers.
    pub scalar_queue: u32,
    /// Scalar instructions of a wave that can be issued and not be executed, once they wait for results.
    pub scalar_under_way: u32,
    /// From a scalar instruction's last read of a register to its execution, shader cycles.
    pub scalar_read_cycles: u32,
    /// How much of that a scalar instruction saves that reads no register, shader cycles.
    pub scalar_constant_cycles: u32,
    /// How much later than by scalar instructions their results are read by others, shader cycles.
    pub scalar_result_cycles: u32,
    /// How much later than the result of a scalar instruction its register can be read by one that was issued since, shader cycles.
    pub scalar_write_cycles: u32,
    /// From the last result of scalar instructions to a later instruction that reads or writes a hardware register, shader cycles.
    pub state_cycles: u32,
    /// From the execution of an instruction that writes a hardware register to the next instruction, shader cycles.
    pub state_write_cycles: u32,
    /// Vector instructions of a SIMD, a matrix instruction the first of them, that can be issued and not be done; they are done in order.
    pub matrix_queue: u32,
    /// From the issue of a matrix instruction to its execution, shader cycles.
    pub matrix_start_cycles: u32,
    /// From the end of a matrix instruction to the start of a reader of its result, shader cycles.
    pub matrix_result_cycles: u32,
    /// From the end of a matrix instruction to the start of an instruction that overwrites its result, shader cycles.
    pub matrix_overwrite_cycles: u32,
    /// How much later a matrix instruction starts that accumulates into the registers it reads, if it waits for no other, shader cycles.
    pub matrix_accumulate_cycles: u32,
    /// From the arrival of one wave at a barrier to that of the next wave of a work-group processor, shader cycles; 0: they do not wait.
    pub barrier_arrival_cycles: u32,
    /// From the last arrival at a barrier to the next instruction of its waves, shader cycles.
    pub barrier_opening_cycles: u32,
    /// The clock whose ticks S_SLEEP counts, shader cycles; 0: it counts from its own issue.
    pub sleep_tick_cycles: u32,
    /// Banks of vector registers, each of which is read once a cycle: register N is in bank N modulo this. 0: no instruction
    /// waits for one.
    pub register_banks: u32,
    /// Registers in the cache of a bank, which are not read again.
    pub bank_cache: u32,
    /// How much later than its first two sources a vector instruction reads its third one, which no cache has, shader cycles.
    pub bank_third_cycles: u32,
    /// Vector instructions of a SIMD that can be under way.
    pub vectors_under_way: u32,
    /// From the issue of a vector instruction to its end, if no read waits, shader cycles.
    pub vector_under_way_cycles: u32,
    /// Vector instructions, by name, that a wave of 64 lanes issues in one pass; all others take two.
    pub one_pass: BTreeSet<String>,
    /// Extra cycles of a VOPD instruction whose first sources share a bank of registers, against the rules.
    pub pair_src0_bank_cycles: u32,
    /// As above, for the second sources.
    pub pair_src1_bank_cycles: u32,
    /// As above, for the third sources.
    pub pair_src2_bank_cycles: u32,
}

/// The class of a vector instruction, by which its time is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum VectorClass {
    /// Nothing else.
    Full,
    /// Two cycles.
    Half,
    /// Four cycles.
    Quarter,
    /// Double precision, by DPFACTOR.
    Double,
    /// Of the transcendental unit.
    Transcendental,
}

impl VectorClass {
    /// The key that lists the instructions of the class; `None` for those that no list names.
    pub fn key(self) -> Option<&'static str> {
        match self {
            Self::Full => None,
            Self::Half => Some("pipelines.half_rate"),
            Self::Quarter => Some("pipelines.quarter_rate"),
            Self::Double => Some("pipelines.double"),
            Self::Transcendental => Some("pipelines.transcendental"),
        }
    }
}

impl Pipelines {
    /// The class of a vector instruction.
    pub fn class_of(&self, instruction: &str) -> VectorClass {
        let lists = [
            (&self.half_rate, VectorClass::Half),
            (&self.quarter_rate, VectorClass::Quarter),
            (&self.double, VectorClass::Double),
            (&self.transcendental, VectorClass::Transcendental),
        ];
        lists.iter().find(|(list, _)| list.contains(instruction)).map_or(VectorClass::Full, |(_, class)| *class)
    }

    /// Shader cycles from an instruction of a class to the next one of it, in a wave of 32 lanes.
    pub fn cycles_of(&self, class: VectorClass, dp_factor: f64) -> u32 {
        match class {
            VectorClass::Full => 1,
            VectorClass::Half => 2,
            VectorClass::Quarter => 4,
            VectorClass::Double => (2.0 * dp_factor) as u32,
            VectorClass::Transcendental => self.transcendental_cycles,
        }
    }

    /// Shader cycles from the issue of a vector instruction with these cycles to that of a vector instruction that reads its result.
    pub fn latency_of(&self, class: VectorClass, cycles: u32) -> u32 {
        match class {
            VectorClass::Double => cycles + self.double_latency_cycles,
            // A wave of 64 lanes takes its further passes on top.
            VectorClass::Transcendental => {
                self.transcendental_latency_cycles + cycles.saturating_sub(self.transcendental_cycles)
            }
            VectorClass::Full | VectorClass::Half | VectorClass::Quarter => self.vector_latency_cycles + cycles - 1,
        }
    }

    /// Shader cycles from the execution of a scalar instruction of a single cycle to that of a scalar reader.
    pub fn scalar_latency_of(&self, instruction: &str) -> u32 {
        match self.scalar_float.contains(instruction) {
            true => self.scalar_float_latency_cycles,
            false => self.scalar_latency_cycles,
        }
    }

    /// Extra cycles of a pair for the sources of each port, if they share a bank.
    pub fn pair_bank_cycles(&self) -> [u32; PORTS] {
        [self.pair_src0_bank_cycles, self.pair_src1_bank_cycles, self.pair_src2_bank_cycles]
    }

    /// An instruction of two classes. Only double precision goes with the transcendental unit.
    pub(super) fn named_twice(&self) -> Option<&str> {
        let lists = [&self.half_rate, &self.quarter_rate, &self.double];
        let mut seen = BTreeSet::new();
        let twice = lists.into_iter().flatten().find(|name| !seen.insert(name.as_str()));
        let rates = [&self.half_rate, &self.quarter_rate];
        let unit = || self.transcendental.iter().find(|name| rates.iter().any(|rate| rate.contains(*name)));
        twice.or_else(unit).map(String::as_str)
    }
}
