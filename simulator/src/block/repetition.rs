//! Waves that repeat a block.

use std::collections::BTreeMap;

use crate::block::lowered::LoweredBlock;
use crate::block::segment::Segment;
use crate::block::shape::BlockShape;
use crate::cost::clock::Clock;
use crate::dispatch::initial::Initial;
use crate::dispatch::needs::Needs;
use crate::dispatch::scratch::ScratchArea;
use crate::dispatch::shape::Shape;
use crate::error::{Problem, SimulationError};
use crate::issue::activity::Activity;
use crate::issue::compute_unit::ComputeUnit;
use crate::issue::recording::{Kept, Recording};
use crate::issue::simd::NEVER;
use crate::issue::spans::{Spans, WaveSpans};
use crate::issue::stop::Stop;
use crate::lower::shared::Shared;
use crate::memory::aperture::{Apertures, Segments};
use crate::memory::global::Memory;
use crate::state::group::Group;
use gcn_model::code_object::ProgramRegisters;
use gcn_model::isa::DependencyTracking;

/// The shortest time that waves are let go on for, shader cycles.
const LEAST_CYCLES: u64 = 1 << 10;
/// All granules of VGPRs that a descriptor can ask for.
const ALL_VGPRS: u32 = 0x3f;

/// Waves that repeat a block, and their progress.
pub struct Repetition<'b> {
    pub(super) block: &'b LoweredBlock<'b>,
    pub(super) shape: BlockShape,
    clock: Clock,
    segments: Segments,
    unit: ComputeUnit,
    until: u64,
}

impl<'b> Repetition<'b> {
    /// Starts the waves of a shape.
    ///
    /// # Errors
    /// There is no room for them.
    pub(super) fn new(block: &'b LoweredBlock<'b>, shape: BlockShape) -> Result<Self, SimulationError> {
        Self::recorded(block, shape, &[])
    }

    /// Starts the waves of a shape; of each SIMD the first one at the first of these steps and cycles, and so on, as far as there are any.
    ///
    /// # Errors
    /// There is no room for them.
    pub(super) fn recorded(
        block: &'b LoweredBlock<'b>,
        shape: BlockShape,
        begins: &[(u32, u64)],
    ) -> Result<Self, SimulationError> {
        let configuration = block.configuration;
        let issue = configuration.issue;
        let (simds, waves_per_simd) = (shape.simds, shape.waves_per_simd);
        if simds == 0 || simds > issue.simds || waves_per_simd == 0 || waves_per_simd > configuration.waves_per_simd {
            let (most_simds, most) = (issue.simds, configuration.waves_per_simd);
            let problem = format!(
                "{waves_per_simd} waves on each of {simds} SIMDs: 1 to {most} on 1 to {most_simds} are possible"
            );
            return Err(SimulationError::Launch { kernel: block.name.into(), problem });
        }
        let mut repetition = Self {
            block,
            shape,
            clock: Clock::new(0, None, 0.0),
            segments: Segments { apertures: Apertures::of(configuration.generation), private_base: 0 },
            unit: ComputeUnit::new(0, configuration),
            until: 0,
        };
        repetition.unit.recording = Some(Box::new(Recording::new(Kept::Spans(Spans::default()))));
        let (shared, unit) = repetition.parts();
        start(unit, shape, begins, &shared);
        Ok(repetition)
    }

    /// Lets all waves continue until at least one has begun this many iterations; most of them get somewhat further.
    ///
    /// # Errors
    /// Waves that wait at a barrier forever.
    pub fn reach(&mut self, iterations: u32) -> Result<(), SimulationError> {
        while self.waves().iter().all(|wave| wave.iterations.len() < iterations as usize) {
            // What comes before the first iteration, such as a fetch, says nothing of how long the others take.
            let begun = self.waves().iter().filter_map(|wave| wave.iterations.first()).min().copied();
            let repeating = self.until.saturating_sub(begun.unwrap_or(0));
            self.until = (self.until + (repeating / 8).max(LEAST_CYCLES)).max(self.unit.next_cycle().min(NEVER - 1));
            self.run_until(self.until)?;
            if self.unit.next_cycle() == NEVER {
                return Err(SimulationError::Deadlock { kernel: self.block.name.into() });
            }
        }
        Ok(())
    }

    /// Lets all waves go on to their end.
    pub(super) fn end(&mut self) -> Result<(), SimulationError> {
        self.run_until(NEVER - 1)?;
        if self.unit.is_busy() {
            return Err(SimulationError::Deadlock { kernel: self.block.name.into() });
        }
        Ok(())
    }

    /// The shader cycles at which each wave has begun its iterations so far, by the number of the wave.
    pub fn iterations(&self) -> impl Iterator<Item = &[u64]> {
        self.waves().iter().map(|wave| wave.iterations.as_slice())
    }

    /// Shader cycles that the waves spent, by the address of the instruction and the activity; of each wave only the
    /// cycles that `part` gives for its number.
    pub fn spent_within(&self, part: impl Fn(u32) -> Option<(u64, u64)>) -> BTreeMap<(u64, Activity), u64> {
        let steps = &self.block.program.steps;
        let mut spent = vec![[0; Activity::ALL.len()]; steps.len()];
        for wave in self.waves() {
            let Some((start, end)) = part(wave.number) else { continue };
            let within = wave.timed().skip_while(|(at, span)| at + span.cycles <= start);
            for (at, span) in within.take_while(|(at, _)| *at < end) {
                spent[span.step as usize][span.activity as usize] += (at + span.cycles).min(end) - at.max(start);
            }
        }
        let mut by_address: BTreeMap<(u64, Activity), u64> = BTreeMap::new();
        for (step, spent) in steps.iter().zip(&spent) {
            for (activity, cycles) in Activity::ALL.into_iter().zip(spent).filter(|(_, cycles)| **cycles > 0) {
                *by_address.entry((step.address, activity)).or_default() += cycles;
            }
        }
        by_address
    }

    /// The waves' use of their time, wave by wave.
    pub(super) fn segments(&self) -> impl Iterator<Item = Segment> + '_ {
        let steps = &self.block.program.steps;
        self.waves().iter().flat_map(move |wave| {
            wave.timed().map(move |(start, span)| Segment {
                wave: wave.number,
                address: steps[span.step as usize].address,
                activity: span.activity,
                start,
                cycles: span.cycles,
            })
        })
    }

    /// The shader cycle at which the last wave has ended.
    pub(super) fn cycles(&self) -> u64 {
        self.unit.waves.iter().map(|wave| wave.ready).max().unwrap_or(0)
    }

    /// The time of each wave so far.
    pub(super) fn waves(&self) -> &[WaveSpans] {
        match self.unit.recording.as_deref() {
            Some(Recording { kept: Kept::Spans(spans), .. }) => &spans.waves,
            _ => &[],
        }
    }

    /// Lets the waves go on to a cycle, or until all have ended.
    ///
    /// # Errors
    /// An instruction that cannot be executed.
    pub(super) fn run_until(&mut self, until: u64) -> Result<(), SimulationError> {
        let block = self.block;
        let (shared, unit) = self.parts();
        unit.run(until, false, &shared, &mut Memory::default()).map_err(|stop| stopped(block, unit, stop))
    }

    /// Issues the next instruction of a wave at a cycle, or when it would be: the cycle at which it would be.
    ///
    /// # Errors
    /// An instruction that cannot be executed.
    pub(super) fn force(&mut self, wave: u32, cycle: Option<u64>) -> Result<u64, SimulationError> {
        let block = self.block;
        let (shared, unit) = self.parts();
        unit.force(wave, cycle, &shared, &mut Memory::default()).map_err(|stop| stopped(block, unit, stop))
    }

    /// The cycles at which the waves of a SIMD issued.
    pub(super) fn issues_of_simd(&self, simd: u32) -> Vec<Vec<u64>> {
        let of_simd = self.waves().iter().filter(|wave| self.shape.simd_of(wave.number) == simd);
        of_simd.map(issues).collect()
    }

    fn parts(&mut self) -> (Shared<'_>, &mut ComputeUnit) {
        let Self { block, clock, segments, unit, .. } = self;
        let shared = Shared { program: &block.program, configuration: block.configuration, clock, segments: *segments };
        (shared, unit)
    }
}

/// The error of a wave that stopped.
fn stopped(block: &LoweredBlock<'_>, unit: &ComputeUnit, stop: Stop) -> SimulationError {
    match stop {
        Stop::Problem { wave, address, problem } => block.stopped(wave, address, problem),
        Stop::Undecoded { index, address } => block.stopped(unit.wave_number(index), address, Problem::OutsideCode),
    }
}

/// The cycles at which a wave issued its steps, each of them once; of a wait, when it was passed.
fn issues(wave: &WaveSpans) -> Vec<u64> {
    let mut issues: Vec<(u32, u64)> = Vec::new();
    for (start, span) in wave.timed() {
        match (issues.last_mut(), span.activity) {
            (Some((step, cycle)), Activity::Wait) if *step == span.step => *cycle = start + span.cycles - 1,
            (_, Activity::Issue) => issues.push((span.step, start)),
            _ => {}
        }
    }
    issues.into_iter().map(|(_, cycle)| cycle).collect()
}

/// Starts the waves one after the other.
fn start(unit: &mut ComputeUnit, shape: BlockShape, begins: &[(u32, u64)], shared: &Shared<'_>) {
    let configuration = shared.configuration;
    let lanes = configuration.issue.wave_size;
    let waves = shape.simds * shape.waves_per_simd;
    let in_group = shape.waves_per_group.clamp(1, waves);
    let group = [lanes * in_group, 1, 1];
    // A scoreboard knows the registers of the file: the block may name any.
    let rsrc1 = if configuration.issue.dependency_tracking == DependencyTracking::Scoreboard { ALL_VGPRS } else { 0 };
    let registers = ProgramRegisters { rsrc1, rsrc2: 0, rsrc3: 0 };
    let initial = Initial {
        shape: Shape { grid: [lanes * waves, 1, 1], group },
        needs: Needs { vgprs: 1, sgprs: 1, lds: 0 },
        registers,
        user_data: Vec::new(),
        file: registers.vector_file(&configuration.processor.descriptor()),
        scratch: ScratchArea::default(),
        segments: shared.segments,
    };
    for wave in 0..waves {
        let group = wave / in_group;
        if wave % in_group == 0 {
            let end = (wave + in_group).min(waves) as usize;
            unit.groups.push(Group::new(wave as usize..end, 0));
        }
        let simd = shape.simd_of(wave);
        let slot = unit.free_slot(simd).unwrap_or(0);
        let of_group = (u64::from(group), wave % in_group);
        let mut started = initial.wave(of_group, (unit.number, simd, slot), configuration);
        started.group = group as usize;
        started.ready = u64::from(wave) * u64::from(configuration.wave_launch_interval_cycles);
        started.iterations = shape.iterations.saturating_sub(1);
        if let Some(&(step, cycle)) = begins.get((wave / shape.simds) as usize) {
            (started.next, started.ready) = (step, cycle);
        }
        unit.start(started, shared);
    }
}
