//! The launch's waves and the use of their time.

use std::collections::BTreeMap;

use crate::cost::configuration::Configuration;
use crate::dispatch::dispatcher::{LaunchStatistics, Observer};
use crate::dispatch::packet::{Dispatch, observed};
use crate::dispatch::register_dispatch::{RegisterDispatch, observed_registers};
use crate::error::SimulationError;
use crate::issue::activity::Activity;
use crate::issue::totals::{Cycles, Life, Spent, Totals};
use crate::memory::global::Memory;

/// A launch, and what its waves did with their time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    pub statistics: LaunchStatistics,
    /// The instructions that waves got to, by address.
    pub instructions: BTreeMap<u64, InstructionProfile>,
    /// All waves, in the order of their numbers.
    pub waves: Vec<WaveProfile>,
}

/// What all waves spent on one instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InstructionProfile {
    /// How often a wave issued it.
    pub executed: u64,
    /// For how many shader cycles more its bank conflicts kept the LDS.
    pub conflict_cycles: u64,
    /// Its values are approximations, see [`Configuration::approximates`].
    pub is_approximate: bool,
    cycles: Cycles,
}

/// The use of a wave's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaveProfile {
    /// Its number in the launch: group × waves of a group + wave in the group.
    pub number: u32,
    /// The shader cycle at which it started.
    pub start: u64,
    /// The shader cycle at which it had ended: its start, and the cycles of all its activities.
    pub end: u64,
    cycles: Cycles,
}

impl InstructionProfile {
    /// Shader cycles of all waves.
    pub fn cycles(&self, activity: Activity) -> u64 {
        self.cycles[activity as usize]
    }
}

impl WaveProfile {
    /// Shader cycles of the wave.
    pub fn cycles(&self, activity: Activity) -> u64 {
        self.cycles[activity as usize]
    }
}

/// Runs a kernel as [`dispatch`](crate::dispatch()) does, and says what its waves did with their time: the same cycles, in more time of the
/// host.
///
/// # Errors
/// Those of [`dispatch`](crate::dispatch()).
pub fn profile(
    configuration: &Configuration,
    dispatch: &Dispatch,
    memory: &mut Memory,
) -> Result<Profile, SimulationError> {
    profiled(configuration, |plain, observer| observed(plain, dispatch, memory, observer))
}

/// Runs a program as [`dispatch_registers`](crate::dispatch_registers()) does, and says what its waves did with their time, as [`profile`].
///
/// # Errors
/// Those of [`dispatch_registers`](crate::dispatch_registers()).
pub fn profile_registers(
    configuration: &Configuration,
    dispatch: &RegisterDispatch,
    memory: &mut Memory,
) -> Result<Profile, SimulationError> {
    profiled(configuration, |plain, observer| observed_registers(plain, dispatch, memory, observer))
}

fn profiled(
    configuration: &Configuration,
    run: impl FnOnce(&Configuration, Option<&mut Observer>) -> Result<LaunchStatistics, SimulationError>,
) -> Result<Profile, SimulationError> {
    // Where unobserved work is left out, SIMDs run ahead without a record.
    let mut plain = configuration.clone();
    plain.computes_everything = true;
    let mut observer = Observer::default();
    let statistics = run(&plain, Some(&mut observer))?;
    let mut instructions: BTreeMap<u64, InstructionProfile> = BTreeMap::new();
    let by_address = observer.units.iter().flat_map(|unit| observer.addresses.iter().zip(&unit.steps));
    for (address, spent) in by_address.filter(|(_, spent)| **spent != Spent::default()) {
        let is_approximate = observer.approximate.contains(address);
        let profile = instructions.entry(*address).or_insert(InstructionProfile {
            executed: 0,
            conflict_cycles: 0,
            is_approximate,
            cycles: Cycles::default(),
        });
        profile.executed += spent.executed;
        profile.conflict_cycles += spent.conflict_cycles;
        profile.cycles.iter_mut().zip(spent.cycles).for_each(|(sum, cycles)| *sum += cycles);
    }
    let units = observer.units.iter().zip(&observer.ends);
    let mut waves: Vec<WaveProfile> = units.flat_map(|(unit, ends)| waves_of(unit, ends)).collect();
    waves.sort_by_key(|wave| wave.number);
    Ok(Profile { statistics, instructions, waves })
}

fn waves_of<'a>(unit: &'a Totals, ends: &'a [u64]) -> impl Iterator<Item = WaveProfile> + 'a {
    let of = |(wave, end): (&Life, &u64)| WaveProfile {
        number: wave.number,
        start: wave.start,
        end: *end,
        cycles: wave.cycles,
    };
    unit.waves.iter().zip(ends).map(of)
}
