//! How long a launch may take: an estimate from published timings, before anything is launched.

use std::cell::RefCell;
use std::collections::HashMap;

use gcn_model::gpu::Gpu;
use gcn_model::isa::{Encoding, Instruction};
use gcn_model::timing::{InstructionTiming, Timings};

use super::results::waves;
use crate::device::DeviceInformation;
use crate::experiment::PlannedLaunch;
use crate::kernel::{KernelPlan, LINE_DWORDS, Loops, Order, Part, Section, Snippet};

/// Instructions around a pass: two readings of the counter, what keeps them in a lane, and the jump back.
const AROUND_A_PASS: f64 = 16.0;
/// Shader cycles of a unit of S_SLEEP's operand (facts §7).
const SLEEP_CYCLES: f64 = 64.0;

/// The timings that a run is forecast by. Bank conflicts and charges of jumps are not among them: they are measured.
#[derive(Debug)]
pub(super) struct LaunchTimes {
    gpu: Gpu,
    timings: Timings,
    /// What was asked of them: the same few instructions are in thousands of launches.
    paces: RefCell<HashMap<&'static str, Pace>>,
    /// Compute units that a launch is spread over.
    compute_units: u32,
    /// Lanes of a wave.
    lanes: u32,
    /// Shader clock, MHz.
    pub(super) clock_mhz: f64,
}

/// How fast an instruction goes.
#[derive(Debug, Clone, Copy)]
struct Pace {
    /// Shader cycles on one wave.
    cycles: u32,
    /// Those of a taken jump.
    taken_cycles: Option<u32>,
    /// Instructions per cycle and compute unit.
    throughput: f64,
}

impl LaunchTimes {
    /// Those of the GPU that a device is, is planned by, or is nearest to; `None` of a generation of which no GPU ships.
    pub(super) fn of(device: &DeviceInformation) -> Option<Self> {
        let gpu = reference(device)?;
        Some(Self {
            timings: Timings::of(&gpu),
            paces: RefCell::default(),
            compute_units: device.compute_units.max(1),
            lanes: device.lanes(),
            clock_mhz: device.record.clock_mhz.unwrap_or(gpu.clock.shader_mhz),
            gpu,
        })
    }

    /// The GPU whose timings these are.
    pub(super) fn gpu(&self) -> &str {
        &self.gpu.name
    }

    /// Time of a launch whose loops run so many times longer than planned.
    pub(super) fn seconds(&self, kernel: &KernelPlan, launch: &PlannedLaunch, longer: u32) -> f64 {
        self.cycles(kernel, launch, longer) / (self.clock_mhz * 1e6)
    }

    /// Shader cycles of a launch: its waves at the pace that their unit allows, in as many turns as there is room for.
    fn cycles(&self, kernel: &KernelPlan, launch: &PlannedLaunch, longer: u32) -> f64 {
        let waves = f64::from(waves(launch, self.lanes)) / f64::from(self.compute_units);
        let waves = waves.max(1.0);
        let at_once = self.room(kernel, launch).min(waves).max(1.0);
        let lengthened = |section: &Section| Section {
            loops: section.loops.map(|loops| Loops { timed: loops.timed * longer, ..loops }),
            ..*section
        };
        let sections = kernel.sections.iter().map(lengthened);
        let one_turn: f64 = sections.map(|section| self.section(kernel, section, at_once)).sum();
        let started = waves * f64::from(self.gpu.simulation.wave_launch_interval_cycles);
        started + (waves / at_once).ceil() * one_turn
    }

    /// Waves that a compute unit has room for.
    fn room(&self, kernel: &KernelPlan, launch: &PlannedLaunch) -> f64 {
        let registers = &self.gpu.registers;
        let sgprs = kernel.allocation.all_sgprs.unwrap_or(kernel.allocation.sgprs);
        let of_a_simd = registers
            .most_waves()
            .min(registers.vgprs / kernel.allocation.all_vgprs(&self.gpu.generation.descriptor).max(1))
            .min(registers.sgprs / sgprs.max(1))
            .max(1);
        let waves_of_group = launch.group_size.div_ceil(self.lanes);
        let by_lds = self.gpu.lds.bytes.0.checked_div(launch.lds_bytes).unwrap_or(u32::MAX).max(1);
        f64::from(of_a_simd * registers.simds).min(f64::from(by_lds) * f64::from(waves_of_group))
    }

    /// Shader cycles of a section on this many waves of a compute unit.
    fn section(&self, kernel: &KernelPlan, section: Section, waves: f64) -> f64 {
        let blocks = f64::from(section.n);
        let times = section.loops.map_or(1, |loops| loops.warm + loops.timed);
        let passes = if section.loops.is_some() { 1 } else { kernel.samples + kernel.warm_passes };
        let block = self.block(kernel, waves);
        let reading = 2.0 * f64::from(self.gpu.memtime.round_trip_cycles);
        let around = reading + AROUND_A_PASS * f64::from(self.gpu.generation.waves.issue_interval_cycles);
        // Code comes into the cache once.
        let lines = blocks * dwords(kernel) / f64::from(LINE_DWORDS);
        let missed = lines.ceil() * f64::from(self.gpu.instruction_cache.miss_cycles);
        missed + f64::from(passes) * (f64::from(times) * blocks * block + around)
    }

    /// Shader cycles of a block: those of a wave, or those of units that all waves share, if that is more.
    fn block(&self, kernel: &KernelPlan, waves: f64) -> f64 {
        let simds = f64::from(self.gpu.registers.simds);
        let is_taken = kernel.order != Order::Straight;
        let (mut own, mut shared) = (0.0, 0.0);
        for part in &kernel.block.parts {
            let snippet = match part {
                Part::Snippet => Some(&kernel.snippet),
                Part::Other(other) => kernel.others.get(*other),
                Part::Fillers(count) => {
                    let cycles = f64::from(*count * self.gpu.generation.waves.issue_interval_cycles);
                    own += cycles;
                    shared += cycles * waves / simds;
                    None
                }
            };
            if let Some(snippet) = snippet {
                own += self.one_wave(snippet, is_taken);
                shared += waves / self.pace(snippet.instruction).throughput.max(1e-6);
            }
        }
        if waves > 1.0 { own.max(shared) } else { own }
    }

    /// Shader cycles of a copy of an instruction on one wave, with the wait for its result.
    fn one_wave(&self, snippet: &Snippet, is_taken: bool) -> f64 {
        let operand = snippet.copies.first().and_then(|copy| copy.strip_prefix("s_sleep "));
        if let Some(Ok(units)) = operand.map(str::parse::<u32>) {
            return SLEEP_CYCLES * f64::from(units);
        }
        let pace = self.pace(snippet.instruction);
        let cycles = pace.taken_cycles.filter(|_| is_taken).unwrap_or(pace.cycles);
        let awaited = if snippet.wait.is_some() { self.latency(snippet.instruction.encoding) } else { 0 };
        f64::from(cycles + awaited)
    }

    fn pace(&self, instruction: &'static Instruction) -> Pace {
        *self.paces.borrow_mut().entry(&instruction.name).or_insert_with(|| {
            let InstructionTiming { cycles, taken_cycles, throughput, .. } = self.timings.get(instruction);
            Pace { cycles, taken_cycles, throughput }
        })
    }

    /// Shader cycles until the result of an instruction of this encoding is ready.
    fn latency(&self, encoding: Encoding) -> u32 {
        match encoding {
            Encoding::Ds => self.gpu.lds.latency_cycles,
            Encoding::Smrd | Encoding::Smem => self.gpu.scalar_memory.latency_cycles,
            _ => self.gpu.vector_memory.latency_cycles,
        }
    }
}

/// Dwords of a block.
fn dwords(kernel: &KernelPlan) -> f64 {
    let of = |snippet: &Snippet| u32::from(snippet.dwords) + u32::from(snippet.wait.is_some());
    let part = |part: &Part| match part {
        Part::Snippet => of(&kernel.snippet),
        Part::Other(other) => kernel.others.get(*other).map_or(0, of),
        Part::Fillers(count) => *count,
    };
    f64::from(kernel.block.parts.iter().map(part).sum::<u32>())
}

/// The GPU file that describes a device: the simulator's own, the one that a card's run is planned by, or one of the same target or
/// generation.
fn reference(device: &DeviceInformation) -> Option<Gpu> {
    let of_card = device.record.card.as_ref().map(|card| card.facts_from.as_str());
    let named = of_card.or_else(|| device.record.device.strip_prefix("sim:")).and_then(|name| Gpu::typed(name).ok());
    let shipped = || Gpu::shipped().filter_map(|name| Gpu::named(name).ok());
    named
        .or_else(|| shipped().find(|gpu| gpu.gfx_target == device.target))
        .or_else(|| shipped().find(|gpu| gpu.generation == device.generation))
}
