//! How long an iteration would take if one thing alone were the limit.

use gcn_model::gpu::Gpu;
use gcn_model::quantity::Cycles;
use gcn_simulator::{BlockInstruction, Configuration, Unit};
use serde::Serialize;

use crate::steady::STEADY;

/// From this share of the cycles on, a limit is what bounds a region.
pub const BINDS: f64 = 0.98;
/// The limit that a wave is to itself.
const OF_ONE_WAVE: &str = "the wave's own instructions";

/// An iteration cannot take less than this, because of a unit, or of the wave's own instructions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bound {
    /// The limit.
    pub of: &'static str,
    /// Cycles of an iteration, if there were no other limit.
    pub cycles: Cycles,
    /// Its share of the cycles that an iteration really takes.
    pub share: f64,
}

/// What is assumed of a memory without a limit but its latency.
pub(crate) const UNLIMITED: &str = "however many are in flight";

/// How loads of vector memory come back, in words.
pub(crate) fn returned(gpu: &Gpu) -> String {
    let (of_simd, of_unit) = (f64::from(gpu.vector_memory.return_bytes), gpu.vector_memory.unit_return_bytes);
    let limits = [(of_simd, "SIMD"), (of_unit, "compute unit")].into_iter().filter(|(bytes, _)| *bytes > 0.0);
    let limits: Vec<String> =
        limits.map(|(bytes, of)| format!("{} bytes to a {of}", (bytes * 100.0).round() / 100.0)).collect();
    match limits.is_empty() {
        true => UNLIMITED.to_owned(),
        false => format!("and in a cycle come back {}", limits.join(" and ")),
    }
}

/// What an iteration takes on a card if it takes less here than one of the limits: the simulator's waves have any number of loads in flight.
pub(crate) fn in_the_long_run(bounds: &[Bound]) -> Option<String> {
    let longest = bounds.first().filter(|bound| bound.share > 1.0 + STEADY)?;
    let cycles = longest.cycles.0;
    Some(format!(
        "nothing waits for the loads: on a card {cycles:.0} cycles, once a wave has as many in flight as it counts"
    ))
}

/// The limit of loads that come from a level of memory.
fn of_loads(level: Option<&str>) -> &'static str {
    match level {
        Some("l0") => "loads from L0",
        Some("l1") => "loads from L1",
        Some("l2") => "loads from L2",
        Some("mall") => "loads from MALL",
        Some("dram") => "loads from DRAM",
        _ => "loads coming back",
    }
}

/// What limits the iterations of `waves_per_simd` waves on each of `simds` SIMDs, whose loads come from a level of memory: by name, cycles.
pub(crate) fn bounds(
    configuration: &Configuration,
    instructions: &[BlockInstruction],
    (simds, waves_per_simd): (u32, u32),
    of_one_wave: f64,
    level: Option<&str>,
) -> Vec<(&'static str, f64)> {
    let waves = f64::from(waves_per_simd);
    let all_waves = f64::from(simds) * waves;
    // Each compute unit of a work-group processor has shared units of its own.
    let units = f64::from(simds.div_ceil(configuration.issue.simds_of_unit()));
    let interval = f64::from(configuration.issue.interval);
    let reached = || instructions.iter().filter(|instruction| instruction.is_reached);
    let of = |unit: Unit| reached().filter(move |instruction| instruction.unit == unit);
    let held = |unit: Unit| of(unit).map(|instruction| instruction.hold_cycles).sum::<f64>();
    // A shared unit serves all SIMDs; a SIMD's port to it takes one instruction in each turn.
    let shared = |unit: Unit| (all_waves * held(unit) / units).max(waves * interval * of(unit).count() as f64);
    // Waves whose pair of SIMDs is half empty go round faster: the bound is that of all waves on average.
    let buses = f64::from(simds.div_ceil(configuration.simds_per_lds_bus()));
    let arrays = f64::from(simds.div_ceil(configuration.simds_per_lds_array()));
    let behind = |unit: Unit| of(unit).map(|instruction| instruction.array_cycles).sum::<f64>();
    let mut bounds = vec![(OF_ONE_WAVE, of_one_wave)];
    for (name, unit) in [
        ("scalar unit", Unit::Scalar),
        ("vector memory", Unit::VectorMemory),
        ("branches and messages", Unit::Branch),
        ("exports", Unit::Export),
    ] {
        bounds.push((name, shared(unit)));
    }
    // Vector instructions are done in order with those of the queue of matrix instructions.
    let vector = held(Unit::Vector) + held(Unit::Matrix) + held(Unit::Transcendental) + behind(Unit::MatrixQueue);
    bounds.push(("vector ALU", waves * vector));
    let ports = waves * interval * of(Unit::LocalDataShare).count() as f64;
    bounds.push(("LDS bus", (all_waves * held(Unit::LocalDataShare) / buses).max(ports)));
    // Bytes that come back: to all SIMDs of a compute unit, and to each of them.
    let returned = behind(Unit::VectorMemory);
    let [of_simd, of_unit] = configuration.return_bytes;
    let of_one = if of_simd > 0.0 { waves * returned * of_unit / of_simd } else { 0.0 };
    bounds.push((of_loads(level), (all_waves * returned / units).max(of_one)));
    bounds.push(("LDS banks", all_waves * behind(Unit::LocalDataShare) / arrays));
    bounds.push(("matrix unit", waves * behind(Unit::Matrix)));
    bounds.push(("transcendental unit", waves * behind(Unit::Transcendental)));
    bounds.retain(|(_, cycles)| *cycles > 0.0);
    bounds.sort_by(|one, other| other.1.total_cmp(&one.1));
    bounds
}

/// The name in a listing of the unit that a limit is of; `None` where it is the wave itself.
pub(crate) fn unit_of(limit: &'static str) -> Option<&'static str> {
    match limit {
        OF_ONE_WAVE => None,
        "LDS bus" | "LDS banks" => Some(unit_name(Unit::LocalDataShare)),
        unit => Some(unit),
    }
}

/// The name of a unit in a listing.
pub(crate) fn unit_name(unit: Unit) -> &'static str {
    match unit {
        Unit::Vector | Unit::MatrixQueue => "vector ALU",
        Unit::Scalar => "scalar unit",
        Unit::VectorMemory => "vector memory",
        Unit::LocalDataShare => "LDS",
        Unit::Branch => "branches and messages",
        Unit::Export => "exports",
        Unit::Internal => "none",
        Unit::Matrix => "matrix unit",
        Unit::Transcendental => "transcendental unit",
    }
}
