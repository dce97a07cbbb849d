//! A compute unit: four SIMDs whose waves issue to the units.
//!
//! A wave issues in order. Each SIMD takes the wave that can issue first; among those that can issue at the same
//! cycle the one that has waited longest, then the lowest slot. Everything that holds a wave (cycles, penalties,
//! misses, waits) delays only this wave, everything that holds a unit delays all who want it: throughput and
//! masking come out of that and are written nowhere.

use super::clock::Clock;
use super::configuration::Configuration;
use super::error::Problem;
use super::instruction_cache::InstructionCache;
use super::memory::Memory;
use super::operation::{Condition, Operation};
use super::program::{Program, Source, Step};
use super::registers::VCC;
use super::unit::{Availability, Hold, UNITS, Unit};
use super::wave::{Arrival, State, Trace, Wave};
use super::{buffer, scalar, vector};
use crate::isa::Generation;

/// SIMDs of a compute unit.
pub(super) const SIMDS: usize = 4;
/// A SIMD's port to a unit takes one instruction in this many cycles.
const PORT: Hold = Hold::port();
/// Never: no wave can issue.
const NEVER: u64 = u64::MAX;

/// A work-group on the compute unit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    /// Waves that have not ended.
    pub alive: u32,
    /// Waves at the barrier.
    pub at_barrier: u32,
    /// LDS allocated, bytes.
    pub lds_bytes: u32,
}

/// What all compute units of a launch share.
pub(super) struct Shared<'a> {
    /// The kernel's code.
    pub program: &'a Program<'a>,
    /// The GPU.
    pub configuration: &'a Configuration,
    /// The clocks.
    pub clock: &'a Clock,
}

/// Where a wave stopped, and why.
pub(super) struct Stop {
    /// Wave of the launch.
    pub wave: u32,
    /// Address of the instruction.
    pub address: u64,
    /// Why.
    pub problem: Problem,
}

#[derive(Debug, Default)]
struct Simd {
    /// Indices into the unit's waves, by slot.
    slots: Vec<Option<u32>>,
    /// Running waves: index and the cycle and unit that their next instruction asks for.
    running: Vec<Candidate>,
    ports: [Availability; UNITS],
    vector: Availability,
    /// A lower bound of the cycle at which the SIMD issues next.
    next: u64,
}

#[derive(Debug, Clone, Copy)]
struct Candidate {
    wave: u32,
    ready: u64,
    unit: Unit,
}

/// A compute unit and the waves that are on it.
pub(super) struct ComputeUnit {
    /// Number among the simulated compute units.
    pub number: u32,
    /// Waves, in the order of their launch; ended ones stay.
    pub waves: Vec<Wave>,
    /// Work-groups, in the order of their launch.
    pub groups: Vec<Group>,
    /// Groups that ended since the dispatcher last looked.
    pub ended_groups: u32,
    simds: [Simd; SIMDS],
    shared_units: [Availability; UNITS],
    cache: InstructionCache,
}

impl ComputeUnit {
    /// An idle compute unit.
    pub(super) fn new(number: u32, configuration: &Configuration) -> Self {
        let simd = || Simd { slots: vec![None; configuration.waves_per_simd as usize], next: NEVER, ..Simd::default() };
        Self {
            number,
            waves: Vec::new(),
            groups: Vec::new(),
            ended_groups: 0,
            simds: [simd(), simd(), simd(), simd()],
            shared_units: Default::default(),
            cache: InstructionCache::new(configuration.instruction_cache),
        }
    }

    /// Free wave slots of each SIMD.
    pub(super) fn free_slots(&self) -> [u32; SIMDS] {
        std::array::from_fn(|simd| self.simds[simd].slots.iter().filter(|slot| slot.is_none()).count() as u32)
    }

    /// The lowest free slot of a SIMD.
    pub(super) fn free_slot(&self, simd: u32) -> Option<u32> {
        self.simds[simd as usize].slots.iter().position(Option::is_none).map(|slot| slot as u32)
    }

    /// Puts a wave on its SIMD and slot.
    pub(super) fn start(&mut self, wave: Wave, shared: &Shared<'_>) {
        let (simd, slot) = (wave.simd as usize, wave.slot as usize);
        let index = self.waves.len() as u32;
        self.waves.push(wave);
        self.simds[simd].slots[slot] = Some(index);
        self.fetch(index, shared);
        self.enter(index, shared);
    }

    /// The earliest cycle at which something can issue; `u64::MAX` if nothing can.
    pub(super) fn next_cycle(&self) -> u64 {
        self.simds.iter().map(|simd| simd.next).min().unwrap_or(NEVER)
    }

    /// Whether waves are left that have not ended.
    pub(super) fn is_busy(&self) -> bool {
        self.groups.iter().any(|group| group.alive > 0)
    }

    /// Issues instructions until none can issue at or before `until`, or a group ended and `yield_on_end` is set.
    ///
    /// # Errors
    /// An instruction that cannot be executed.
    pub(super) fn run(
        &mut self,
        until: u64,
        yield_on_end: bool,
        shared: &Shared<'_>,
        memory: &mut Memory,
    ) -> Result<(), Stop> {
        loop {
            let simd = self.earliest_simd();
            if self.simds[simd].next > until || self.simds[simd].next == NEVER {
                return Ok(());
            }
            let Some((position, cycle)) = self.choose(simd) else {
                self.simds[simd].next = NEVER;
                continue;
            };
            if cycle > self.simds[simd].next {
                // The bound was too low: another SIMD may come first.
                self.simds[simd].next = cycle;
                continue;
            }
            self.issue(simd, position, cycle, shared, memory)?;
            if yield_on_end && self.ended_groups > 0 {
                return Ok(());
            }
        }
    }

    /// The SIMD with the earliest bound; at the same cycle, the one whose turn in the round robin it is.
    fn earliest_simd(&self) -> usize {
        let next = [self.simds[0].next, self.simds[1].next, self.simds[2].next, self.simds[3].next];
        let earliest = next[0].min(next[1]).min(next[2].min(next[3]));
        let turn = (earliest % SIMDS as u64) as usize;
        (0..SIMDS).map(|i| (turn + i) % SIMDS).find(|simd| next[*simd] == earliest).unwrap_or(turn)
    }

    /// The candidate that issues next on a SIMD, and when.
    fn choose(&self, simd: usize) -> Option<(usize, u64)> {
        let simd = &self.simds[simd];
        let mut best: Option<(u64, u64, usize)> = None;
        for (position, candidate) in simd.running.iter().enumerate() {
            let unit = candidate.unit as usize;
            let free = match candidate.unit {
                Unit::Internal => 0,
                Unit::Vector => simd.vector.free,
                _ => simd.ports[unit].free.max(self.shared_units[unit].free),
            };
            let key = (candidate.ready.max(free), candidate.ready, position);
            if best.is_none_or(|best| key < best) {
                best = Some(key);
            }
        }
        best.map(|(cycle, _, position)| (position, cycle))
    }

    /// Makes a wave a candidate for its next instruction.
    fn enter(&mut self, index: u32, shared: &Shared<'_>) {
        let wave = &self.waves[index as usize];
        let (ready, unit) = demand(wave, shared);
        let simd = &mut self.simds[wave.simd as usize];
        simd.running.push(Candidate { wave: index, ready, unit });
        simd.next = simd.next.min(ready);
    }

    fn fetch(&mut self, index: u32, shared: &Shared<'_>) {
        let wave = &mut self.waves[index as usize];
        if let Some(step) = shared.program.steps.get(wave.next as usize) {
            wave.line = step.line;
            wave.ready = self.cache.fetch(step.line, wave.ready);
        }
    }

    fn issue(
        &mut self,
        simd: usize,
        position: usize,
        cycle: u64,
        shared: &Shared<'_>,
        memory: &mut Memory,
    ) -> Result<(), Stop> {
        let index = self.simds[simd].running[position].wave;
        let program = shared.program;
        let wave = &mut self.waves[index as usize];
        let Some(step) = program.steps.get(wave.next as usize) else {
            let address = program.steps.last().map_or(0, |step| u64::from(step.address));
            return Err(Stop { wave: wave.number, address, problem: program.end.clone() });
        };
        match step.unit {
            Unit::Internal => {}
            Unit::Vector => self.simds[simd].vector.occupy(cycle, step.hold),
            unit => {
                self.simds[simd].ports[unit as usize].occupy(cycle, PORT);
                self.shared_units[unit as usize].occupy(cycle, step.hold);
            }
        }
        let wave = &mut self.waves[index as usize];
        let number = wave.number;
        let outcome = execute(wave, step, cycle, shared, self.number, memory).map_err(|problem| Stop {
            wave: number,
            address: u64::from(step.address),
            problem,
        })?;
        let mut cost = u64::from(step.cycles);
        if wave.trace.hides_next && step.hidden_dword {
            cost -= u64::from(step.penalty);
        }
        let trace =
            Trace { scc: step.written.scc, vcc: step.writes_vcc, exec: step.writes_exec, hides_next: step.hides_next };
        let before = std::mem::replace(&mut wave.trace, trace);
        let mut jumped = false;
        wave.ready = match outcome {
            Outcome::Next => {
                wave.next += 1;
                cycle + cost
            }
            Outcome::Until(until) => {
                wave.next += 1;
                (cycle + cost).max(until)
            }
            Outcome::NotTaken(condition) => {
                wave.next += 1;
                cycle + cost + flag_penalty(condition, before, shared) + u64::from(step.untaken_penalty)
            }
            Outcome::Jump { target, condition } => {
                jumped = true;
                wave.next = target;
                let flag_penalty = condition.map_or(0, |condition| flag_penalty(condition, before, shared));
                cycle + u64::from(step.taken_cycles + step.jump_penalty) + flag_penalty
            }
            Outcome::Barrier | Outcome::End => {
                wave.next += 1;
                cycle + cost
            }
        };
        if step.delays_scalar {
            let delay = u64::from(shared.configuration.vector_to_scalar_delay_cycles);
            wave.scalar_ready = cycle + cost + delay;
        }
        let fetched = program.steps.get(wave.next as usize);
        if let Some(fetched) = fetched.filter(|fetched| fetched.new_line || jumped)
            && fetched.line != wave.line
        {
            wave.line = fetched.line;
            wave.ready = self.cache.fetch(fetched.line, wave.ready);
        }
        match outcome {
            Outcome::End => self.end(simd, position, index),
            Outcome::Barrier => self.arrive(simd, position, index, shared),
            _ => {
                let (ready, unit) = demand(wave, shared);
                let candidate = &mut self.simds[simd].running[position];
                candidate.ready = ready;
                candidate.unit = unit;
            }
        }
        // The bound stays at this cycle: other waves of the SIMD may issue to other units in it.
        Ok(())
    }

    fn end(&mut self, simd: usize, position: usize, index: u32) {
        self.simds[simd].running.remove(position);
        let wave = &mut self.waves[index as usize];
        wave.state = State::Ended;
        wave.vectors = super::registers::VectorRegisters::new(0);
        let (slot, group) = (wave.slot as usize, wave.group);
        self.simds[simd].slots[slot] = None;
        self.groups[group].alive -= 1;
        if self.groups[group].alive == 0 {
            self.ended_groups += 1;
        }
    }

    fn arrive(&mut self, simd: usize, position: usize, index: u32, shared: &Shared<'_>) {
        self.simds[simd].running.remove(position);
        let group = self.waves[index as usize].group;
        self.waves[index as usize].state = State::AtBarrier;
        self.groups[group].at_barrier += 1;
        if self.groups[group].at_barrier < self.groups[group].alive {
            return;
        }
        self.groups[group].at_barrier = 0;
        let is_waiting = |wave: &Wave| wave.group == group && wave.state == State::AtBarrier;
        let opens = self.waves.iter().filter(|wave| is_waiting(wave)).map(|wave| wave.ready).max().unwrap_or(0);
        for index in 0..self.waves.len() {
            if is_waiting(&self.waves[index]) {
                self.waves[index].state = State::Running;
                self.waves[index].ready = opens;
                self.enter(index as u32, shared);
            }
        }
    }
}

/// When and by which unit a wave's next instruction wants to be issued.
fn demand(wave: &Wave, shared: &Shared<'_>) -> (u64, Unit) {
    match shared.program.steps.get(wave.next as usize) {
        Some(step) if step.scalar_alu => (wave.ready.max(wave.scalar_ready), step.unit),
        Some(step) => (wave.ready, step.unit),
        None => (wave.ready, Unit::Internal),
    }
}

/// "any conditional jump that directly checks VCCZ or EXECZ after an instruction that changes VCC or EXEC adds a
/// single penalty (4 cycles)"; the same for SCC after one that changes SCC, EXEC or VCC.
fn flag_penalty(condition: Condition, before: Trace, shared: &Shared<'_>) -> u64 {
    let changed = match condition {
        Condition::Vccz(_) | Condition::Execz(_) => before.vcc || before.exec,
        Condition::Scc(_) => before.scc || before.vcc || before.exec,
    };
    if changed { u64::from(shared.configuration.flag_branch_penalty_cycles) } else { 0 }
}

/// Where a wave goes after an instruction.
enum Outcome {
    Next,
    /// To the next instruction, not before this cycle.
    Until(u64),
    NotTaken(Condition),
    Jump {
        target: u32,
        condition: Option<Condition>,
    },
    Barrier,
    End,
}

fn execute(
    wave: &mut Wave,
    step: &Step,
    cycle: u64,
    shared: &Shared<'_>,
    cu: u32,
    memory: &mut Memory,
) -> Result<Outcome, Problem> {
    let configuration = shared.configuration;
    match step.operation {
        Operation::Forget => scalar::forget(wave, step),
        Operation::Nothing => {}
        Operation::Refuse(why) => return Err(Problem::Unmodelled(why.into())),
        Operation::OutOfRange => return Err(shared.program.out_of_range(step)),
        Operation::VectorMove
        | Operation::Vector32(_)
        | Operation::VectorAdd
        | Operation::MaskedBitCount { .. }
        | Operation::ReadFirstLane
        | Operation::ReadLane
        | Operation::WriteLane
        | Operation::VectorMoveRelative => vector::execute(wave, step)?,
        Operation::CompareToExec => scalar::forget(wave, step),
        Operation::Branch => return jump(step.target, None),
        Operation::ConditionalBranch(condition) => {
            let is_taken = match condition {
                Condition::Scc(value) => wave.scc.map(|scc| scc == value),
                Condition::Vccz(value) => wave.scalars.read64(VCC).map(|vcc| (vcc == 0) == value),
                Condition::Execz(value) => wave.exec().map(|exec| (exec == 0) == value),
            };
            return match is_taken {
                Some(true) => jump(step.target, Some(condition)),
                Some(false) => Ok(Outcome::NotTaken(condition)),
                None => Err(Problem::UnknownCondition(condition.subject().into())),
            };
        }
        Operation::GetProgramCounter | Operation::SetProgramCounter | Operation::SwapProgramCounter => {
            return program_counter(wave, step, shared);
        }
        Operation::EndProgram => return Ok(Outcome::End),
        // "s_nop N gives N+1" wait states of four cycles; GCN 1.0/1.1 honour three bits (facts §3.1).
        Operation::Nop => {
            let mask = if configuration.generation <= Generation::Gcn11 { 7 } else { 15 };
            let further = u64::from(step.immediate & mask);
            return Ok(Outcome::Until(cycle + u64::from(step.cycles) + 4 * further));
        }
        // "pauses ~64·n clocks" (facts §7).
        Operation::Sleep => return Ok(Outcome::Until(cycle + 64 * u64::from(step.immediate & 0x7f))),
        Operation::WaitCount => return Ok(Outcome::Until(wait(wave, step.immediate, configuration.generation))),
        Operation::Barrier => return Ok(Outcome::Barrier),
        Operation::ScalarLoad(dwords) => scalar_load(wave, step, dwords, cycle, configuration, memory)?,
        Operation::ScalarBufferLoad => {
            let register = first_scalar(step);
            let count = step.written.scalars.count_ones() as u8;
            arrive_later(wave, step, Arrival { register, values: [None; 2], count });
            wave.lgkm_done = wave.lgkm_done.max(cycle + u64::from(configuration.scalar_memory_latency_cycles));
        }
        Operation::MemoryTime | Operation::MemoryRealTime => {
            let round_trip = u64::from(configuration.memtime_round_trip_cycles);
            // The counter is sampled on the way; a constant distance from the issue is all that a slope needs.
            let sampled = cycle + round_trip / 2;
            let value = if step.operation == Operation::MemoryTime {
                wave.readings += 1;
                shared.clock.memtime(sampled, wave.number, wave.readings)
            } else {
                shared.clock.memrealtime(sampled)
            };
            let values = [Some(value as u32), Some((value >> 32) as u32)];
            arrive_later(wave, step, Arrival { register: first_scalar(step), values, count: 2 });
            wave.lgkm_done = wave.lgkm_done.max(cycle + round_trip);
        }
        Operation::BufferStore(dwords) => {
            let fields = &shared.program.buffers[step.buffer as usize];
            buffer::store(wave, fields, dwords, memory)?;
            wave.vm_done.push(cycle + u64::from(configuration.vector_memory_latency_cycles));
        }
        Operation::BufferLoad(dwords) => {
            let fields = &shared.program.buffers[step.buffer as usize];
            buffer::load(wave, fields, dwords, memory)?;
            wave.vm_done.push(cycle + u64::from(configuration.vector_memory_latency_cycles));
        }
        _ => scalar::execute(wave, step, configuration, cu)?,
    }
    Ok(Outcome::Next)
}

fn jump(target: u32, condition: Option<Condition>) -> Result<Outcome, Problem> {
    if target == u32::MAX { Err(Problem::OutsideCode) } else { Ok(Outcome::Jump { target, condition }) }
}

fn program_counter(wave: &mut Wave, step: &Step, shared: &Shared<'_>) -> Result<Outcome, Problem> {
    let following = u64::from(step.address) + 4;
    if step.operation == Operation::GetProgramCounter {
        wave.scalars.write64(first_scalar(step), Some(following));
        return Ok(Outcome::Next);
    }
    let target = scalar::read64(wave, step.sources[0]).ok_or_else(|| Problem::UnknownAddress("its source".into()))?;
    if step.operation == Operation::SwapProgramCounter {
        wave.scalars.write64(first_scalar(step), Some(following));
    }
    jump(shared.program.step_at(target).unwrap_or(u32::MAX), None)
}

fn first_scalar(step: &Step) -> u8 {
    step.written.scalars.trailing_zeros().min(127) as u8
}

/// The destination is unknown until it has been waited for.
fn arrive_later(wave: &mut Wave, step: &Step, arrival: Arrival) {
    wave.scalars.forget(step.written.scalars);
    wave.arrivals.push(arrival);
}

fn scalar_load(
    wave: &mut Wave,
    step: &Step,
    dwords: u8,
    cycle: u64,
    configuration: &Configuration,
    memory: &Memory,
) -> Result<(), Problem> {
    let unknown = |what: &str| Problem::UnknownAddress(what.into());
    let base = scalar::read64(wave, step.sources[0]).ok_or_else(|| unknown("the base"))?;
    let offset = match step.sources[1] {
        Source::Constant(offset) => offset,
        register => u64::from(scalar::read32(wave, register).ok_or_else(|| unknown("the offset"))?),
    };
    // The low two bits of base and offset are ignored (CLRX `GcnInstrsSmrd`).
    let address = (base & !3).wrapping_add(offset & !3);
    for i in (0..dwords).step_by(2) {
        let word = |i: u8| memory.read(address + 4 * u64::from(i));
        let second = if i + 1 < dwords { Some(word(i + 1)?) } else { None };
        let arrival =
            Arrival { register: first_scalar(step) + i, values: [Some(word(i)?), second], count: (dwords - i).min(2) };
        wave.arrivals.push(arrival);
    }
    wave.scalars.forget(step.written.scalars);
    wave.lgkm_done = wave.lgkm_done.max(cycle + u64::from(configuration.scalar_memory_latency_cycles));
    Ok(())
}

/// When S_WAITCNT lets the wave go on. Scalar memory returns out of order: only a wait to zero brings its data
/// (CLRX `GcnInstrsSmrd`); vector memory completes in order.
fn wait(wave: &mut Wave, immediate: u32, generation: Generation) -> u64 {
    let lgkm = immediate >> 8 & 0xf;
    let vm = match generation {
        Generation::Gcn14 => immediate & 0xf | (immediate >> 14 & 3) << 4,
        _ => immediate & 0xf,
    };
    let mut until = 0;
    if lgkm == 0 {
        until = wave.lgkm_done;
        wave.receive();
    }
    while wave.vm_done.len() > vm as usize {
        until = until.max(wave.vm_done.remove(0));
    }
    until
}
