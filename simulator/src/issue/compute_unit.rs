//! A compute unit: SIMDs whose waves issue to the units.
//!
//! A wave issues in order. Each SIMD takes the wave that can issue first; among those that can issue at the same
//! cycle the one that has waited longest, then the lowest slot. Everything that holds a wave (cycles, penalties,
//! misses, waits) delays only this wave, everything that holds a unit delays all who want it: throughput and
//! masking come out of that and are written nowhere.
// Long: a compute unit; all of it shares its state.

use crate::cost::issue_model::{IssueModel, MOST_SIMDS, MOST_UNITS};
use crate::state::group::Group;

use crate::cost::configuration::Configuration;
use crate::cost::unit::{Availability, UNITS, Unit};
use crate::issue::activity::Activity;
use crate::issue::barrier_unit::BarrierUnit;
use crate::issue::demand::demand;
use crate::issue::execute::execute;
use crate::issue::instruction_cache::InstructionCache;
use crate::issue::local_buses::LocalBuses;
use crate::issue::memory_queue::MemoryQueue;
use crate::issue::origin::{note, origin, stores_unknown, unknown_before};
use crate::issue::outcome::Outcome;
use crate::issue::pipelines;
use crate::issue::recording::{Issued, Recording};
use crate::issue::returns::Returns;
use crate::issue::simd::{Entering, Free, NEVER, Simd};
use crate::issue::stop::Stop;
use crate::lds::memory::LdsMemory;
use crate::lower::operation::{Condition, Operation};
use crate::lower::shared::Shared;
use crate::memory::global::Memory;
use crate::state::vector_registers::VectorRegisters;
use crate::state::wave::{State, Trace, Wave};

/// A compute unit and the waves that are on it; or a work-group processor, whose compute units each have SIMDs and shared units of their own.
pub(crate) struct ComputeUnit {
    /// Number among the simulated compute units, or processors.
    pub number: u32,
    /// Waves, in the order of their launch; ended ones stay.
    pub waves: Vec<Wave>,
    /// Work-groups, in the order of their launch.
    pub groups: Vec<Group>,
    /// Instructions executed.
    pub(crate) instructions: [u64; UNITS],
    /// LDS that its groups have, bytes.
    pub lds_bytes: u32,
    /// Groups that ended since the dispatcher last looked.
    pub ended_groups: u32,
    /// Waves that did.
    pub ended_waves: u32,
    /// The cycle at which it issued last.
    pub now: u64,
    /// Those that it has not have no slots.
    pub(super) simds: [Simd; MOST_SIMDS],
    pub(super) issue: IssueModel,
    /// Those of each compute unit.
    pub(super) shared_units: [[Availability; UNITS]; MOST_UNITS],
    local_buses: LocalBuses,
    pub(super) memory_queue: MemoryQueue,
    returns: Returns,
    pub(super) barriers: BarrierUnit,
    /// When the shared units are free, as each SIMD sees them: they differ in LDS alone.
    pub(super) shared_free: [Free; MOST_SIMDS],
    cache: InstructionCache,
    /// The waves' use of their time, if it is recorded.
    pub(crate) recording: Option<Box<Recording>>,
}

impl ComputeUnit {
    /// An idle compute unit.
    pub(crate) fn new(number: u32, configuration: &Configuration) -> Self {
        let issue = configuration.issue;
        let slots = |simd: usize| if simd < issue.simds as usize { configuration.waves_per_simd } else { 0 };
        Self {
            number,
            waves: Vec::new(),
            groups: Vec::new(),
            lds_bytes: 0,
            ended_groups: 0,
            ended_waves: 0,
            now: 0,
            instructions: [0; UNITS],
            simds: std::array::from_fn(|simd| Simd::new(slots(simd), issue, configuration.pipelines.as_ref())),
            issue,
            shared_units: Default::default(),
            local_buses: LocalBuses::new(configuration),
            memory_queue: MemoryQueue::new(configuration.vector_memory_queue),
            returns: Returns::new(configuration.return_bytes),
            barriers: BarrierUnit::new(configuration.pipelines.as_ref()),
            shared_free: [[0; UNITS]; MOST_SIMDS],
            cache: InstructionCache::new(configuration.instruction_cache),
            recording: None,
        }
    }

    /// Free wave slots of each SIMD.
    pub(crate) fn free_slots(&self) -> [u32; MOST_SIMDS] {
        std::array::from_fn(|simd| self.simds[simd].slots.iter().filter(|slot| slot.is_none()).count() as u32)
    }

    /// The lowest free slot of a SIMD.
    pub(crate) fn free_slot(&self, simd: u32) -> Option<u32> {
        self.simds[simd as usize].slots.iter().position(Option::is_none).map(|slot| slot as u32)
    }

    /// Puts a wave on its SIMD and slot.
    pub(crate) fn start(&mut self, wave: Wave, shared: &Shared<'_>) {
        let (simd, slot) = (wave.simd as usize, wave.slot as usize);
        let index = self.waves.len() as u32;
        if let Some(recording) = &mut self.recording {
            recording.start(wave.number, wave.ready);
        }
        self.waves.push(wave);
        self.simds[simd].slots[slot] = Some(index);
        self.fetch(index, shared);
        self.enter(index, shared);
    }

    /// The earliest cycle at which something can issue; `u64::MAX` if nothing can.
    pub(crate) fn next_cycle(&self) -> u64 {
        self.simds.iter().map(Simd::next).min().unwrap_or(NEVER)
    }

    /// Whether waves are left that have not ended.
    pub(crate) fn is_busy(&self) -> bool {
        self.groups.iter().any(|group| group.alive > 0)
    }

    /// Issues instructions until none can issue at or before `until`. With `yield_on_end` it stops as soon as a group ended, and after
    /// the cycle in which a wave did: there may be room for another group.
    ///
    /// # Errors
    /// An instruction that cannot be executed.
    pub(crate) fn run(
        &mut self,
        mut until: u64,
        yield_on_end: bool,
        shared: &Shared<'_>,
        memory: &mut Memory,
    ) -> Result<(), Stop> {
        loop {
            let (simd, cycle) = self.earliest_simd();
            if cycle > until || cycle == NEVER {
                return Ok(());
            }
            let Some(wave) = self.simds[simd].take(&self.shared_free[simd]) else { continue };
            self.now = cycle;
            self.issue(simd, wave, cycle, shared, memory)?;
            if !yield_on_end {
                self.run_ahead(simd, until, shared);
                continue;
            }
            // A wave that starts when another ends must find its SIMD no further than that.
            self.run_ahead(simd, cycle, shared);
            if self.ended_groups > 0 {
                return Ok(());
            }
            if self.ended_waves > 0 {
                until = cycle;
            }
        }
    }

    /// The SIMD with the earliest bound; at the same cycle, the one whose turn in the round robin it is. Of those that want
    /// a memory unit the one that waits for longest goes first: it is held for whole turns, and one would get it always.
    fn earliest_simd(&self) -> (usize, u64) {
        let next = [0, 1, 2, 3].map(|simd: usize| self.simds[simd].next());
        let earliest = next[0].min(next[1]).min(next[2].min(next[3]));
        let is_first = [0, 1, 2, 3].map(|simd: usize| u32::from(next[simd] == earliest) << simd);
        let are_first = is_first[0] | is_first[1] | is_first[2] | is_first[3];
        if are_first.is_power_of_two() {
            return (are_first.trailing_zeros() as usize, earliest);
        }
        if earliest == NEVER {
            return (0, NEVER);
        }
        // A division for each instruction would be a good part of the time that issuing it takes.
        let turns = u64::from(self.issue.simds);
        let turn = if turns.is_power_of_two() { earliest & (turns - 1) } else { earliest % turns };
        let mut first = (0, (u64::MAX, u64::MAX));
        for (number, simd) in (0..).zip(&self.simds) {
            let turns_before = if number < turn { number + turns - turn } else { number - turn };
            let place = (simd.since(), turns_before);
            if simd.next() == earliest && place < first.1 {
                first = (number as usize, place);
            }
        }
        (first.0, earliest)
    }

    /// Makes a wave a candidate for its next instruction.
    pub(super) fn enter(&mut self, index: u32, shared: &Shared<'_>) {
        let wave = &self.waves[index as usize];
        let (ready, unit) = demand(wave, shared.program.steps.get(wave.next as usize), &shared.program.tables);
        let simd = wave.simd as usize;
        let priority = wave.priority;
        self.simds[simd].enter(Entering { wave: index, ready, priority }, unit, &self.shared_free[simd]);
    }

    /// Lets a wave that stopped with [`Stop::Undecoded`] go on at a step.
    pub(crate) fn resume(&mut self, index: u32, step: u32, shared: &Shared<'_>) {
        self.waves[index as usize].next = step;
        self.fetch(index, shared);
        self.enter(index, shared);
    }

    /// The number in the launch of a wave.
    pub(crate) fn wave_number(&self, index: u32) -> u32 {
        self.waves[index as usize].number
    }

    fn fetch(&mut self, index: u32, shared: &Shared<'_>) {
        let wave = &mut self.waves[index as usize];
        if let Some(step) = shared.program.steps.get(wave.next as usize) {
            wave.line = step.line;
            wave.ready = self.cache.fetch(step.line, wave.ready);
            if let Some(recording) = &mut self.recording {
                recording.spend(index, wave.next, Activity::Fetch, wave.ready);
            }
        }
    }

    fn issue(
        &mut self,
        simd: usize,
        index: u32,
        cycle: u64,
        shared: &Shared<'_>,
        memory: &mut Memory,
    ) -> Result<(), Stop> {
        // Long: an issue from its first check to the wave's next one; its parts share nearly all values.
        let program = shared.program;
        let Wave { next: number, away: address, .. } = self.waves[index as usize];
        let Some(step) = program.steps.get(number as usize) else {
            return Err(Stop::Undecoded { index, address });
        };
        let begins = self.occupy(simd, cycle, step);
        let wave = &mut self.waves[index as usize];
        // Executing it changes the counters that it waited for.
        let wanted = match self.recording {
            Some(_) => demand(wave, Some(step), &program.tables).0,
            None => cycle,
        };
        self.instructions[step.unit as usize] += 1;
        let configuration = shared.configuration;
        let local_before = wave.local_counter(configuration).len();
        let of_launch = wave.number;
        let unknown = unknown_before(wave, step, program);
        let outcome =
            execute(wave, step, cycle, shared, self.number, (memory, &mut self.groups)).map_err(|problem| {
                Stop::Problem {
                    wave: of_launch,
                    address: step.address,
                    problem: problem.with_origin(|| origin(wave, step, program)),
                }
            })?;
        if wave.vectors.take_lost() | wave.scalars.take_lost() || step.written.scc && wave.scc.is_none() {
            note(wave, number, &unknown, program);
        }
        if stores_unknown(wave, step, program) {
            memory.note_origin(step.address, || origin(wave, step, program));
        }
        if step.unit == Unit::VectorMemory && step.written.vectors > 0 && configuration.delays_loads() {
            let bytes = 4 * u32::from(step.written.vectors) * wave.lanes;
            let done = begins + u64::from(configuration.vector_memory_latency_cycles);
            wave.vector_memory.delay_last(self.returns.take(simd, bytes, done, &self.issue));
        }
        let mut cost = u64::from(step.cycles);
        let mut penalty = u64::from(step.penalty);
        if wave.trace.hides_next && step.hidden_dword {
            cost -= penalty;
            penalty = 0;
        }
        let mut trace = step.trace;
        // Of several in a row each but the first takes its cycle, so that time goes on.
        if step.is_free && !wave.trace.was_free {
            (cost, trace.was_free) = (0, true);
        }
        if step.turns != u16::MAX {
            cost += wave.take_turn(step.turns, shared.configuration);
        }
        let before = std::mem::replace(&mut wave.trace, trace);
        let mut jumped = false;
        wave.ready = match outcome {
            Outcome::Next => {
                wave.next += 1;
                cycle + cost
            }
            Outcome::Local { conflict_cycles } => {
                wave.next += 1;
                let start = self.local_buses.occupy(simd, cycle, step.hold, step.array.and(conflict_cycles));
                let counter = wave.local_counter(configuration);
                if start > cycle && counter.len() > local_before {
                    counter.delay_last(start + u64::from(step.lds_latency_cycles));
                }
                for (simd, of_simd) in self.shared_free.iter_mut().enumerate().take(self.issue.simds as usize) {
                    of_simd[Unit::LocalDataShare as usize] = self.local_buses.free(simd);
                }
                cycle + cost
            }
            Outcome::Until(until) => {
                wave.next += 1;
                (cycle + cost).max(until)
            }
            Outcome::Disturbed(disturbance) => {
                wave.next += 1;
                if disturbance.is_evicted {
                    self.cache.clear();
                    wave.line = u64::MAX;
                }
                cycle + cost + disturbance.preemption_cycles
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
            Outcome::Away { address, condition } => {
                (wave.next, wave.away) = (u32::MAX, address);
                let flag_penalty = condition.map_or(0, |condition| flag_penalty(condition, before, shared));
                cycle + u64::from(step.taken_cycles + step.jump_penalty) + flag_penalty
            }
            Outcome::Leave => {
                self.instructions[step.unit as usize] -= 1;
                wave.trace = before;
                (wave.next, wave.away) = (u32::MAX, step.address);
                cycle
            }
            Outcome::Barrier | Outcome::Signal | Outcome::AwaitBarrier | Outcome::End => {
                wave.next += 1;
                cycle + cost
            }
        };
        if let Some(recording) = &mut self.recording {
            recording.executed(index, Issued { number, step, wanted, cycle, cost, penalty }, outcome, wave.ready);
        }
        pipelines::note(wave, &mut self.simds[simd], step, (cycle, begins), &program.tables);
        if let Some(board) = &mut wave.matrix_results
            && let Some(uses) = program.tables.matrix.get(step.matrix as usize)
        {
            board.issue(uses, cycle, cycle + u64::from(step.latency_cycles));
        }
        if step.delays_scalar {
            let delay = u64::from(shared.configuration.vector_to_scalar_delay_cycles);
            wave.scalar_ready = cycle + cost + delay;
        }
        let following = program.steps.get(wave.next as usize);
        if let Some(following) = following
            && (following.new_line || jumped || wave.line == u64::MAX)
            && following.line != wave.line
        {
            wave.line = following.line;
            wave.ready = self.cache.fetch(following.line, wave.ready);
            if let Some(recording) = &mut self.recording {
                recording.spend(index, wave.next, Activity::Fetch, wave.ready);
            }
        }
        match outcome {
            Outcome::End => self.end(simd, index),
            Outcome::Barrier => {
                self.wait_at_barrier(simd, index);
                self.arrive(index, cycle, shared);
            }
            Outcome::AwaitBarrier => self.wait_at_barrier(simd, index),
            _ => {
                if matches!(outcome, Outcome::Signal) {
                    let group = &self.groups[wave.group];
                    wave.signalled = Some(group.openings);
                }
                let (ready, unit) = demand(wave, following, &program.tables);
                let entering = Entering { wave: index, ready, priority: wave.priority };
                self.simds[simd].enter(entering, unit, &self.shared_free[simd]);
                if matches!(outcome, Outcome::Signal) {
                    self.arrive(index, cycle, shared);
                }
            }
        }
        Ok(())
    }

    /// Issues the next instruction of a wave at a cycle, or when it would be issued: the cycle at which it would be. Of an instruction that
    /// waits for counters both are when it is passed.
    ///
    /// # Errors
    /// An instruction that cannot be executed.
    pub(crate) fn force(
        &mut self,
        index: u32,
        cycle: Option<u64>,
        shared: &Shared<'_>,
        memory: &mut Memory,
    ) -> Result<u64, Stop> {
        let wave = &self.waves[index as usize];
        let step = shared.program.steps.get(wave.next as usize);
        let (ready, unit) = demand(wave, step, &shared.program.tables);
        let simd = wave.simd as usize;
        let would = ready.max(self.simds[simd].port(unit)).max(self.shared_free[simd][unit as usize]);
        self.simds[simd].withdraw(index, &self.shared_free[simd]);
        let waits = step.is_some_and(|step| matches!(step.operation, Operation::WaitCount | Operation::Sleep));
        let issued = if waits { would } else { cycle.unwrap_or(would) };
        self.issue(simd, index, issued, shared, memory)?;
        let wave = &mut self.waves[index as usize];
        let would = if waits { wave.ready.max(would + 1) - 1 } else { would };
        if let (true, Some(cycle)) = (waits, cycle) {
            wave.ready = cycle + 1;
            self.simds[simd].withdraw(index, &self.shared_free[simd]);
            self.enter(index, shared);
        }
        Ok(would)
    }

    fn end(&mut self, simd: usize, index: u32) {
        self.simds[simd].look(&self.shared_free[simd]);
        let wave = &mut self.waves[index as usize];
        wave.state = State::Ended;
        wave.vectors = VectorRegisters::new(0, 0);
        let (slot, group) = (wave.slot as usize, wave.group);
        self.simds[simd].slots[slot] = None;
        self.ended_waves += 1;
        self.groups[group].alive -= 1;
        if self.groups[group].alive == 0 {
            self.ended_groups += 1;
            self.lds_bytes -= self.groups[group].lds_bytes;
            self.groups[group].local = LdsMemory::default();
        }
    }
}

/// "any conditional jump that directly checks VCCZ or EXECZ after an instruction that changes VCC or EXEC adds a
/// single penalty (4 cycles)"; likewise for SCC after an instruction that changes SCC, EXEC or VCC.
fn flag_penalty(condition: Condition, before: Trace, shared: &Shared<'_>) -> u64 {
    let changed = match condition {
        Condition::Vccz(_) | Condition::Execz(_) => before.vcc || before.exec,
        Condition::Debug => false,
        Condition::Scc(_) => before.scc || before.vcc || before.exec,
    };
    if changed { u64::from(shared.configuration.flag_branch_penalty_cycles) } else { 0 }
}
