//! The dispatcher gives work-groups to compute units until all have run.

use std::collections::BTreeSet;

use crate::cost::clock::Clock;
use crate::cost::configuration::Configuration;
use crate::cost::unit::{UNITS, Unit};
use crate::dispatch::initial::Initial;
use crate::dispatch::needs::Needs;
use crate::error::{Problem, SimulationError};
use crate::issue::compute_unit::ComputeUnit;
use crate::issue::recording::{Kept, Recording};
use crate::issue::stop::Stop;
use crate::issue::totals::Totals;
use crate::lower::program::Program;
use crate::lower::shared::Shared;
use crate::memory::global::Memory;
use crate::state::group::Group;

/// Cycles that the simulator can count; some minutes of a real card.
const MOST_CYCLES: u64 = 1 << 38;

/// The work of a launch, for benches and reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaunchStatistics {
    /// Waves that ran.
    pub waves: u32,
    /// Instructions that the waves executed.
    pub instructions: u64,
    /// Shader cycles from the start to the end of the last wave.
    pub cycles: u64,
    /// Instructions by the unit that executed them.
    pub(crate) by_unit: [u64; UNITS],
}

impl LaunchStatistics {
    /// Instructions that a unit executed.
    pub fn instructions_of(&self, unit: Unit) -> u64 {
        self.by_unit[unit as usize]
    }
}

/// The limits of a launch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits<'a> {
    /// The kernel, for messages.
    pub kernel: &'a str,
    /// Address of the first instruction.
    pub entry: u64,
    /// The clocks as the launch sees them.
    pub clock: &'a Clock,
    /// Shader cycles after which it is given up.
    pub cycle_limit: u64,
}

/// Whether the waves' use of their time is recorded.
#[derive(Debug, Default)]
pub(crate) struct Observer {
    /// By compute unit.
    pub units: Vec<Totals>,
    /// The cycles at which the waves ended, by compute unit.
    pub ends: Vec<Vec<u64>>,
    /// The addresses of the program's steps.
    pub addresses: Vec<u64>,
    /// Addresses of the instructions whose values are approximations.
    pub approximate: BTreeSet<u64>,
}

/// Runs all work-groups.
///
/// # Errors
/// An instruction that cannot be executed, an endless or hanging kernel.
pub(crate) fn run(
    configuration: &Configuration,
    limits: Limits<'_>,
    initial: &Initial,
    program: &mut Program<'_>,
    memory: &mut Memory,
    observer: Option<&mut Observer>,
) -> Result<LaunchStatistics, SimulationError> {
    let stopped = |program: &Program<'_>, wave: u32, address: u64, problem: Problem| SimulationError::Execution {
        kernel: limits.kernel.into(),
        wave,
        address,
        instruction: program.text(address),
        problem,
    };
    let entry = program.reach(limits.entry, memory).map_err(|problem| stopped(program, 0, limits.entry, problem))?;
    let mut units = units(configuration, observer.is_some());
    let mut dispatcher =
        Dispatcher { next_group: 0, groups: initial.shape.groups(), turn: 0, next_launch: 0, entry, initial };
    let limit = limits.cycle_limit.min(MOST_CYCLES);
    let (mut now, mut is_start) = (0, true);
    loop {
        let shared = Shared { program, configuration, clock: limits.clock, segments: initial.segments };
        if is_start || units.iter().any(|unit| unit.ended_waves > 0) {
            dispatcher.dispatch(&mut units, now, &shared);
            is_start = false;
        }
        let is_pending = dispatcher.next_group < dispatcher.groups;
        let order = || units.iter().enumerate().map(|(i, unit)| (unit.next_cycle(), i));
        let Some((cycle, first)) = order().filter(|(cycle, _)| *cycle != u64::MAX).min() else { break };
        if cycle > limit {
            return Err(SimulationError::CycleLimit { kernel: limits.kernel.into(), limit });
        }
        now = now.max(cycle);
        // While groups wait, the compute units go on in the order of time.
        let second = order().filter(|(_, other)| *other != first && is_pending).min();
        let until = second.map_or(limit, |(cycle, other)| limit.min(if first < other { cycle } else { cycle - 1 }));
        match units[first].run(until, is_pending, &shared, memory) {
            Ok(()) => {}
            Err(Stop::Problem { wave, address, problem }) => return Err(stopped(program, wave, address, problem)),
            Err(Stop::Undecoded { index, address }) => {
                let step = program
                    .reach(address, memory)
                    .map_err(|problem| stopped(program, units[first].wave_number(index), address, problem))?;
                let shared = Shared { program, configuration, clock: limits.clock, segments: initial.segments };
                units[first].resume(index, step, &shared);
            }
        }
        now = now.max(units[first].now);
    }
    if units.iter().any(ComputeUnit::is_busy) || dispatcher.next_group < dispatcher.groups {
        return Err(SimulationError::Deadlock { kernel: limits.kernel.into() });
    }
    if let Some(observer) = observer {
        observe(observer, &mut units, program);
    }
    Ok(statistics(&units))
}

fn units(configuration: &Configuration, is_observed: bool) -> Vec<ComputeUnit> {
    let totals = || Box::new(Recording::new(Kept::Totals(Totals::default())));
    let unit = |number| {
        let mut unit = ComputeUnit::new(number, configuration);
        unit.recording = is_observed.then(totals);
        unit
    };
    (0..configuration.compute_units).map(unit).collect()
}

fn statistics(units: &[ComputeUnit]) -> LaunchStatistics {
    let waves = units.iter().flat_map(|unit| &unit.waves);
    let (count, cycles) = waves.fold((0, 0), |(count, cycles), wave| (count + 1, wave.ready.max(cycles)));
    let mut by_unit = [0; UNITS];
    for unit in units {
        by_unit.iter_mut().zip(unit.instructions).for_each(|(sum, count)| *sum += count);
    }
    LaunchStatistics { waves: count, instructions: by_unit.iter().sum(), cycles, by_unit }
}

/// Hands on what was recorded.
fn observe(observer: &mut Observer, units: &mut [ComputeUnit], program: &Program<'_>) {
    observer.ends = units.iter().map(|unit| unit.waves.iter().map(|wave| wave.ready).collect()).collect();
    observer.addresses = program.steps.iter().map(|step| step.address).collect();
    observer.approximate = program.approximate_addresses();
    let kept = units.iter_mut().filter_map(|unit| Some(unit.recording.take()?.kept));
    observer.units =
        kept.filter_map(|kept| if let Kept::Totals(totals) = kept { Some(totals) } else { None }).collect();
}

struct Dispatcher<'a> {
    next_group: u64,
    groups: u64,
    turn: usize,
    next_launch: u64,
    /// The first step of a wave.
    entry: u32,
    initial: &'a Initial,
}

impl Dispatcher<'_> {
    /// Starts as many groups as there is room for.
    fn dispatch(&mut self, units: &mut [ComputeUnit], now: u64, shared: &Shared<'_>) {
        for unit in units.iter_mut() {
            (unit.ended_groups, unit.ended_waves) = (0, 0);
        }
        while self.next_group < self.groups {
            let waves = self
                .initial
                .shape
                .size_of(self.next_group)
                .iter()
                .product::<u32>()
                .div_ceil(shared.configuration.issue.wave_size);
            let order = (0..units.len()).map(|i| (self.turn + i) % units.len());
            let place = |unit| Some((unit, place(&units[unit], shared.configuration, self.initial.needs, waves)?));
            let Some((unit, simds)) = order.into_iter().find_map(place) else { return };
            self.turn = (unit + 1) % units.len();
            self.start_group(&mut units[unit], &simds, now, shared);
            self.next_group += 1;
        }
    }

    fn start_group(&mut self, unit: &mut ComputeUnit, simds: &[u32], now: u64, shared: &Shared<'_>) {
        let group = unit.groups.len();
        let lds = self.initial.needs.lds;
        unit.lds_bytes += lds;
        unit.groups.push(Group::new(unit.waves.len()..unit.waves.len() + simds.len(), lds));
        for (in_group, simd) in (0..).zip(simds) {
            let ready = now.max(self.next_launch);
            self.next_launch = ready + u64::from(shared.configuration.wave_launch_interval_cycles);
            let slot = unit.free_slot(*simd).unwrap_or(0);
            let mut wave =
                self.initial.wave((self.next_group, in_group), (unit.number, *simd, slot), shared.configuration);
            (wave.group, wave.next, wave.ready) = (group, self.entry, ready);
            unit.start(wave, shared);
        }
    }
}

/// The SIMD of each wave of a group, if the compute unit has room: always the SIMD with the most free slots.
pub(crate) fn place(unit: &ComputeUnit, configuration: &Configuration, needs: Needs, waves: u32) -> Option<Vec<u32>> {
    if unit.lds_bytes + needs.lds > configuration.lds_bytes {
        return None;
    }
    let by_registers = (configuration.vgprs / needs.vgprs).min(configuration.sgprs / needs.sgprs);
    let limit = by_registers.min(configuration.waves_per_simd);
    let mut free = unit.free_slots().map(|free| (free + limit).saturating_sub(configuration.waves_per_simd));
    let simds = configuration.issue.simds as usize;
    (0..waves)
        .map(|_| {
            let simd = (0..simds).max_by_key(|simd| (free[*simd], simds - simd))?;
            free[simd] = free[simd].checked_sub(1)?;
            Some(simd as u32)
        })
        .collect()
}
