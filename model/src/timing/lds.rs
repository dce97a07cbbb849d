//! The LDS bus model: the reservations of an LDS instruction, from its operands and the GPU's LDS.
//!
//! Source: ROCm Compute Profiler documentation (facts §3.2). The SIMDs are attached in pairs; a pair has one bus in
//! each direction, address and store data share the one in; after the buses there is one array of banks, which
//! serves one dword of each bank in a cycle. So three things are held for different times: the wave until its
//! instruction is sent, the bus of its pair, and the array. The slower of the last two limits the throughput.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;

use crate::{
    gpu::{Lds, LdsPasses},
    isa::{Generation, Instruction, Operand, OperandKind},
};

/// The cycles for which an LDS instruction occupies shared resources.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LdsTiming {
    /// Shader cycles that the bus of its SIMD pair is held.
    pub bus_cycles: f64,
    /// Shader cycles that the array of banks is held, without bank conflicts.
    pub array_cycles: f64,
    /// Shader cycles that each pass over the array takes at least: a pass with conflicts takes more only beyond that.
    pub pass_cycles: u32,
    /// Shader cycles from its issue to its completion, without bank conflicts.
    pub latency_cycles: u32,
    /// The lanes that are served together, if the GPU file says so.
    pub passes: Option<LdsPasses>,
}

/// A row of `lds.csv`: an instruction that departs from its operands' model. Dwords are those of a lane.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LdsException {
    pub instruction: String,
    /// The wave is held as if this many dwords were sent in.
    pub wave_dwords: Option<u32>,
    /// Dwords that the bus out is held for.
    pub return_dwords: Option<u32>,
    /// Dwords that the array is held for.
    pub array_dwords: Option<u32>,
    pub reason: String,
    /// The provenance of the reason.
    pub source: String,
}

static EXCEPTIONS: LazyLock<BTreeMap<String, LdsException>> = LazyLock::new(|| {
    csv::Reader::from_reader(include_str!("../../data/timings/lds.csv").as_bytes())
        .deserialize()
        .map(|row| row.map(|row: LdsException| (row.instruction.clone(), row)))
        .collect::<Result<_, _>>()
        .unwrap_or_else(|error| panic!("built-in file: timings/lds.csv: {error}"))
});

/// All rows of the file of exceptions.
///
/// # Panics
/// If the file that is built in is wrong, which the tests rule out.
pub fn lds_exceptions() -> impl Iterator<Item = &'static LdsException> {
    EXCEPTIONS.values()
}

/// A GPU file's own statement about an instruction.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Overrides {
    /// `[cycles]`.
    pub cycles: Option<u32>,
    /// `[throughput]`.
    pub throughput: Option<f64>,
}

/// The times of an LDS instruction.
pub(super) struct Modelled {
    /// Shader cycles that the wave is held.
    pub cycles: u32,
    /// Instructions per cycle and compute unit.
    pub throughput: f64,
    /// Its reservations.
    pub holds: LdsTiming,
    /// Why it departs from the model, if it does.
    pub exception: Option<&'static LdsException>,
}

/// Works out an instruction of the DS encoding, for waves of a generation with this many lanes.
pub(super) fn modelled(
    instruction: &Instruction,
    (generation, lanes): (Generation, u32),
    lds: &Lds,
    overrides: Overrides,
) -> Modelled {
    let exception = EXCEPTIONS.get(&instruction.name);
    let vector = |name: &str| {
        let is_it = |operand: &&Operand| operand.kind == OperandKind::Vgpr && operand.name == name;
        instruction.operands.iter().find(is_it).map(|operand| u32::from(operand.registers()))
    };
    let (address, first, second, result) = (vector("addr"), vector("data0"), vector("data1"), vector("vdst"));
    let input = address.unwrap_or(0) + first.unwrap_or(0) + second.unwrap_or(0);
    let output = exception.and_then(|row| row.return_dwords).or(result).unwrap_or(0);
    // Two offsets are two accesses, each as wide as one register of data; all others access one value, whose width is
    // that of the data sent in, or else of the result.
    let has_two = instruction.operands.iter().any(|operand| operand.name == "offset1");
    let accessed = match (first, has_two) {
        (Some(first), true) => 2 * first,
        (Some(first), false) => first,
        (None, _) => result.unwrap_or(0),
    };
    let pass_cycles = exception.and_then(|row| row.array_dwords).unwrap_or(accessed);

    let on_bus = |dwords: u32| f64::from(lanes * 4 * dwords) / f64::from(lds.bus.0);
    // The bus is held for at least the issue, even if nothing moves (DS_NOP).
    let issue = f64::from(generation.waves.issue_interval_cycles);
    let mut bus = on_bus(input).max(on_bus(output)).max(issue);
    let is_store = first.is_some() && result.is_none();
    let passes = lds.passes(is_store, accessed).filter(|_| !has_two);
    let of_passes = passes.map_or(0, |passes| passes.count() * lanes.div_ceil(LdsPasses::LANES));
    let mut array = f64::from((lanes.div_ceil(lds.banks) * pass_cycles).max(of_passes));
    let wave = on_bus(exception.and_then(|row| row.wave_dwords).unwrap_or(0));
    let mut cycles = bus.max(array).max(wave).ceil() as u32;
    let pairs = f64::from(lds.pairs);
    if let Some(set) = overrides.cycles {
        cycles = set;
        bus = f64::from(set);
        // One wave alone is to see these cycles.
        array = array.min(bus);
    }
    if let Some(throughput) = overrides.throughput {
        array = 1.0 / throughput;
        bus = bus.min(pairs / throughput);
    }
    let throughput =
        overrides.throughput.unwrap_or_else(|| if array > 0.0 { (pairs / bus).min(1.0 / array) } else { pairs / bus });
    let holds = LdsTiming {
        bus_cycles: bus,
        array_cycles: array,
        pass_cycles,
        latency_cycles: lds.access_latency_cycles(is_store, accessed),
        passes,
    };
    Modelled { cycles, throughput, holds, exception }
}
