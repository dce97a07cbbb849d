//! Launching a kernel: the dispatcher gives work-groups to compute units until all have run.

use super::clock::Clock;
use super::compute_unit::{ComputeUnit, Group, SIMDS};
use super::configuration::Configuration;
use super::error::MachineError;
use super::execute::Shared;
use super::flight::Flights;
use super::local_memory::LocalMemory;
use super::memory::Memory;
use super::program::Program;
use super::registers::{LANES, ScalarRegisters, VectorRegisters};
use super::wave::{State, Trace, Wave};
use crate::code_object::{CodeObject, Kernel};

/// Largest work-group: clover's limit, and larger ones hang some GCN 1.0/1.1 chips (design §4).
const MAX_GROUP: u32 = 256;

/// Cycles that the machine can count; some minutes of a real card.
const MOST_CYCLES: u64 = 1 << 38;

/// The shape of a launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaunchShape {
    /// Work-groups.
    pub groups: u32,
    /// Work-items in a group.
    pub group_size: u32,
    /// LDS of a group beyond what the kernel descriptor fixes, bytes.
    pub dynamic_lds_bytes: u32,
    /// Address of the kernel arguments.
    pub kernarg_address: u64,
    /// Number of the launch in the run: where on the free-running clock it lies.
    pub ordinal: u64,
    /// Shader cycles after which the launch is given up as endless.
    pub cycle_limit: u64,
}

/// What a launch did, for benches and reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaunchStatistics {
    /// Waves that ran.
    pub waves: u32,
    /// Instructions that the waves executed.
    pub instructions: u64,
    /// Shader cycles from the start to the end of the last wave.
    pub cycles: u64,
}

struct Needs {
    waves: u32,
    vgprs: u32,
    sgprs: u32,
    lds: u32,
}

/// Runs a kernel on the reference model; `memory` holds what the host uploaded, and the kernel's stores afterwards.
///
/// A group takes the first compute unit, in turn, that has room. While groups wait for room the compute units run
/// side by side in time; otherwise one after the other, so that waves on different compute units must not
/// communicate through memory within a launch.
///
/// # Errors
/// A launch that does not fit the GPU, an instruction that cannot be executed, an endless or hanging kernel.
pub fn launch(
    configuration: &Configuration,
    object: &CodeObject,
    kernel: &str,
    shape: &LaunchShape,
    memory: &mut Memory,
) -> Result<LaunchStatistics, MachineError> {
    let kernel = object.kernel(kernel).ok_or_else(|| MachineError::NoSuchKernel(kernel.into()))?;
    let needs = needs(configuration, kernel, shape)
        .map_err(|problem| MachineError::Launch { kernel: kernel.name.clone(), problem })?;
    let program = Program::new(object, kernel, configuration);
    memory.remember(configuration.generation, object);
    let clock = Clock::new(shape.ordinal, configuration.noise, configuration.realtime_per_cycle);
    let shared = Shared { program: &program, configuration, clock: &clock };
    let mut units: Vec<_> =
        (0..configuration.compute_units).map(|number| ComputeUnit::new(number, configuration)).collect();
    let mut dispatcher = Dispatcher { next_group: 0, turn: 0, next_launch: 0, needs, kernel, shape };
    let mut now = 0;
    loop {
        dispatcher.dispatch(&mut units, now, &shared);
        let is_pending = dispatcher.next_group < shape.groups;
        let order = units.iter().enumerate().map(|(i, unit)| (unit.next_cycle(), i));
        let Some((cycle, first)) = order.filter(|(cycle, _)| *cycle != u64::MAX).min() else { break };
        let limit = shape.cycle_limit.min(MOST_CYCLES);
        if cycle > limit {
            return Err(MachineError::CycleLimit { kernel: kernel.name.clone(), limit });
        }
        now = now.max(cycle);
        let until = if is_pending { cycle } else { limit };
        units[first].run(until, is_pending, &shared, memory).map_err(|stop| MachineError::Execution {
            kernel: kernel.name.clone(),
            wave: stop.wave,
            address: stop.address,
            instruction: program.text(stop.address),
            problem: stop.problem,
        })?;
    }
    if units.iter().any(ComputeUnit::is_busy) || dispatcher.next_group < shape.groups {
        return Err(MachineError::Deadlock { kernel: kernel.name.clone() });
    }
    let waves = units.iter().flat_map(|unit| &unit.waves);
    let (count, cycles) = waves.fold((0, 0), |(count, cycles), wave| (count + 1, wave.ready.max(cycles)));
    let instructions = units.iter().map(|unit| unit.instructions).sum();
    Ok(LaunchStatistics { waves: count, instructions, cycles })
}

fn needs(configuration: &Configuration, kernel: &Kernel, shape: &LaunchShape) -> Result<Needs, String> {
    let descriptor = &kernel.descriptor;
    if shape.group_size == 0 || shape.group_size > MAX_GROUP {
        return Err(format!("a work-group of {} work-items: 1 to {MAX_GROUP} are allowed", shape.group_size));
    }
    if shape.groups == 0 {
        return Err("a launch of 0 work-groups".into());
    }
    let lds = descriptor.group_segment_bytes.saturating_add(shape.dynamic_lds_bytes);
    if lds > configuration.lds_bytes_per_group {
        return Err(format!("{lds} bytes of LDS: a group can have {}", configuration.lds_bytes_per_group));
    }
    let lds = lds.next_multiple_of(configuration.lds_granule_bytes);
    let vgprs = descriptor.vgprs().next_multiple_of(configuration.vgpr_granule);
    let sgprs = descriptor.sgprs().next_multiple_of(configuration.sgpr_granule);
    if vgprs > configuration.vgprs || sgprs > configuration.sgprs {
        return Err(format!(
            "{vgprs} VGPRs and {sgprs} SGPRs: a SIMD has {} and {}",
            configuration.vgprs, configuration.sgprs
        ));
    }
    if descriptor.wants_private_segment_buffer()
        || descriptor.wants_dispatch_pointer()
        || descriptor.wants_queue_pointer()
    {
        return Err("the reference model gives kernels only the kernel argument pointer".into());
    }
    let waves = shape.group_size.div_ceil(LANES as u32);
    Ok(Needs { waves, vgprs, sgprs, lds })
}

struct Dispatcher<'a> {
    next_group: u32,
    turn: usize,
    next_launch: u64,
    needs: Needs,
    kernel: &'a Kernel,
    shape: &'a LaunchShape,
}

impl Dispatcher<'_> {
    /// Starts as many groups as there is room for.
    fn dispatch(&mut self, units: &mut [ComputeUnit], now: u64, shared: &Shared<'_>) {
        for unit in units.iter_mut() {
            unit.ended_groups = 0;
        }
        while self.next_group < self.shape.groups {
            let order = (0..units.len()).map(|i| (self.turn + i) % units.len());
            let Some((unit, simds)) =
                order.into_iter().find_map(|unit| Some((unit, self.place(&units[unit], shared.configuration)?)))
            else {
                return;
            };
            self.turn = (unit + 1) % units.len();
            self.start_group(&mut units[unit], &simds, now, shared);
            self.next_group += 1;
        }
    }

    /// The SIMD of each wave of the next group, if the compute unit has room: always the SIMD with the most free slots.
    fn place(&self, unit: &ComputeUnit, configuration: &Configuration) -> Option<Vec<u32>> {
        let lds: u32 = unit.groups.iter().filter(|group| group.alive > 0).map(|group| group.lds_bytes).sum();
        if lds + self.needs.lds > configuration.lds_bytes {
            return None;
        }
        let by_registers = (configuration.vgprs / self.needs.vgprs).min(configuration.sgprs / self.needs.sgprs);
        let limit = by_registers.min(configuration.waves_per_simd);
        let mut free = unit.free_slots().map(|free| (free + limit).saturating_sub(configuration.waves_per_simd));
        (0..self.needs.waves)
            .map(|_| {
                let simd = (0..SIMDS).max_by_key(|simd| (free[*simd], SIMDS - simd))?;
                free[simd] = free[simd].checked_sub(1)?;
                Some(simd as u32)
            })
            .collect()
    }

    fn start_group(&mut self, unit: &mut ComputeUnit, simds: &[u32], now: u64, shared: &Shared<'_>) {
        let group = unit.groups.len();
        unit.groups.push(Group {
            alive: self.needs.waves,
            at_barrier: 0,
            lds_bytes: self.needs.lds,
            local: LocalMemory::new(self.needs.lds),
        });
        for (i, simd) in (0..).zip(simds) {
            let ready = now.max(self.next_launch);
            self.next_launch = ready + u64::from(shared.configuration.wave_launch_interval_cycles);
            let slot = unit.free_slot(*simd).unwrap_or(0);
            let wave = self.wave(i, group, (*simd, slot), ready, shared);
            unit.start(wave, shared);
        }
    }

    fn wave(&self, in_group: u32, group: usize, (simd, slot): (u32, u32), ready: u64, shared: &Shared<'_>) -> Wave {
        let descriptor = &self.kernel.descriptor;
        let mut scalars = ScalarRegisters::default();
        if descriptor.wants_kernarg_pointer() {
            scalars.write64(0, Some(self.shape.kernarg_address));
        }
        let mut register = descriptor.user_sgprs() as u8;
        for (is_wanted, id) in descriptor.workgroup_ids().into_iter().zip([self.next_group, 0, 0]) {
            if is_wanted {
                scalars.write(register, Some(id));
                register += 1;
            }
        }
        let items = self.shape.group_size - in_group * LANES as u32;
        let exec = if items >= LANES as u32 { u64::MAX } else { (1 << items) - 1 };
        scalars.write64(super::registers::EXEC, Some(exec));
        let mut vectors = VectorRegisters::new(self.needs.vgprs);
        let ids = std::array::from_fn(|lane| in_group * LANES as u32 + lane as u32);
        vectors.write(0, u64::MAX, &ids, exec);
        Wave {
            number: self.next_group * self.needs.waves + in_group,
            group,
            simd,
            slot,
            next: 0,
            ready,
            scalar_ready: 0,
            trace: Trace::default(),
            scalars,
            vectors,
            scc: None,
            arrivals: Vec::new(),
            scalar_memory: Flights::default(),
            vector_memory: Flights::default(),
            state: State::Running,
            line: u64::MAX,
            turns: vec![0; shared.configuration.turns.len()],
            readings: 0,
        }
    }
}
