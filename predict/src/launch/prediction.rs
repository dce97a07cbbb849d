//! The cost of a launch.

use std::collections::BTreeMap;

use gcn_model::code_object::CodeObject;
use gcn_model::gpu::Gpu;
use gcn_model::isa::Encoding;
use gcn_model::quantity::Cycles;
use gcn_simulator::Profile;
use serde::Serialize;

use super::arguments::LaunchArguments;
use super::line::{LaunchLine, lines};
use crate::basis::Basis;
use crate::bound::{UNLIMITED, returned};
use crate::card::Card;
use crate::stall::{Stall, longest_first};

/// The cost of a launch on a GPU.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LaunchPrediction {
    pub kernel: String,
    /// Work-items in X, Y and Z.
    pub grid: [u32; 3],
    /// Work-items of a work-group.
    pub group: [u32; 3],
    /// Compute units that share the work-groups.
    pub compute_units: u32,
    /// From the start of the first wave to the end of the last.
    pub cycles: Cycles,
    /// Work-groups.
    pub groups: u64,
    pub waves: u32,
    /// Instructions that all waves executed.
    pub executed: u64,
    /// From the start of a wave to its end.
    pub wave_cycles: WaveCycles,
    /// Its cycles if no lanes conflicted in the banks of the LDS; `None` where none do.
    pub without_conflicts: Option<Cycles>,
    /// The share of the cycles of issue that rests on each basis, from 0 to 1.
    pub basis: BTreeMap<Basis, f64>,
    /// Issue and stalls of all of them add up to the lifetimes of all waves.
    pub instructions: Vec<LaunchLine>,
    /// The prediction's assumptions.
    pub assumptions: Vec<String>,
}

/// How long waves live.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct WaveCycles {
    pub least: Cycles,
    pub mean: Cycles,
    pub most: Cycles,
}

impl LaunchPrediction {
    /// Of a launch of a kernel, whose profile has the addresses of the code object.
    pub(crate) fn of(
        card: &Card,
        (object, kernel): (&CodeObject, &str),
        arguments: &LaunchArguments,
        profile: &Profile,
    ) -> Self {
        let gpu = &card.likeliest();
        let instructions = lines(object, card, &profile.instructions);
        let mut basis: BTreeMap<Basis, f64> = BTreeMap::new();
        for line in instructions.iter().filter(|line| line.executed > 0) {
            *basis.entry(line.basis).or_default() += line.issue.0;
        }
        let issued: f64 = basis.values().sum();
        basis.values_mut().for_each(|share| *share /= issued);
        let lifetimes = || profile.waves.iter().map(|wave| wave.end - wave.start);
        let cycles = |cycles: Option<u64>| Cycles(cycles.unwrap_or(0) as f64);
        let groups = |i: usize| u64::from(arguments.grid[i].div_ceil(arguments.group[i]));
        Self {
            kernel: kernel.to_owned(),
            grid: arguments.grid,
            group: arguments.group,
            compute_units: gpu.simulation.compute_units,
            cycles: Cycles(profile.statistics.cycles as f64),
            groups: groups(0) * groups(1) * groups(2),
            waves: profile.statistics.waves,
            executed: profile.statistics.instructions,
            wave_cycles: WaveCycles {
                least: cycles(lifetimes().min()),
                mean: Cycles(lifetimes().sum::<u64>() as f64 / f64::from(profile.statistics.waves.max(1))),
                most: cycles(lifetimes().max()),
            },
            without_conflicts: None,
            basis,
            assumptions: (card.remarks.iter().cloned()).chain(assumptions(gpu, &instructions)).collect(),
            instructions,
        }
    }

    /// Cycles of all waves in which they are stalled, by the reason, the longest first.
    pub fn stalls(&self) -> Vec<(Stall, Cycles)> {
        longest_first(self.instructions.iter().map(|line| &line.stalls))
    }

    /// Cycles of all waves in which instructions hold them.
    pub fn issue(&self) -> Cycles {
        Cycles(self.instructions.iter().map(|line| line.issue.0).sum())
    }

    /// For how many cycles more the LDS is kept by conflicts in its banks.
    pub fn conflicts(&self) -> Cycles {
        Cycles(self.instructions.iter().map(|line| line.conflicts.0).sum())
    }

    /// The instructions whose values are approximations of this host, each name once.
    pub fn approximate(&self) -> Vec<&str> {
        let lines = self.instructions.iter().filter(|line| line.is_value_approximate);
        let mut names: Vec<&str> = lines.map(|line| line.decoded.instruction.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

fn assumptions(gpu: &Gpu, lines: &[LaunchLine]) -> Vec<String> {
    let simulated = gpu.simulation.compute_units;
    let mut assumptions = Vec::new();
    if simulated != gpu.compute_units {
        assumptions.push(format!(
            "{simulated} compute units, of the {} of the product: `simulation.compute_units` of a GPU file gives others",
            gpu.compute_units
        ));
    }
    let executed = || lines.iter().filter(|line| line.executed > 0);
    let has = |wanted: &[Encoding]| executed().any(|line| wanted.contains(&line.decoded.form));
    if has(&[Encoding::Mubuf, Encoding::Mtbuf, Encoding::Flat]) {
        let cycles = gpu.vector_memory.latency_cycles;
        assumptions.push(format!("vector memory takes {cycles} cycles each time, {}", returned(gpu)));
    }
    if has(&[Encoding::Smrd, Encoding::Smem]) {
        let cycles = gpu.scalar_memory.latency_cycles;
        assumptions.push(format!("scalar memory takes {cycles} cycles each time, {UNLIMITED}"));
    }
    if has(&[Encoding::Ds]) {
        let cycles = gpu.lds.latency_cycles;
        assumptions.push(format!("LDS takes {cycles} cycles, plus bank conflicts"));
    }
    let interval = gpu.simulation.wave_launch_interval_cycles;
    assumptions.push(format!("waves start {interval} cycles after each other, in any group: an estimate"));
    assumptions.push("no other kernel runs".to_owned());
    assumptions
}
