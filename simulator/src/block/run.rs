//! Running a block.

use crate::block::instruction::BlockInstruction;
use crate::block::lowering::make_block;
use crate::cost::clock::Clock;
use crate::cost::configuration::Configuration;
use crate::dispatch::initial::{Initial, Shape};
use crate::dispatch::needs::Needs;
use crate::dispatch::scratch::ScratchArea;
use crate::error::{Problem, SimulationError};
use crate::issue::compute_unit::{ComputeUnit, Stop};
use crate::issue::recording::{Kept, Recording, Segment};
use crate::local::memory::LocalMemory;
use crate::lower::allocated::Allocated;
use crate::lower::program::{Program, Source};
use crate::lower::shared::Shared;
use crate::memory::aperture::{Apertures, Segments};
use crate::memory::global::Memory;
use crate::state::group::Group;
use gcn_model::code_object::ProgramRegisters;

/// More registers than any instruction can name.
const ALL_REGISTERS: u32 = 512;

/// Code that is repeated from its first instruction to its last.
///
/// A jump to its start closes it, the last one if there are several; without one it starts again behind its last instruction, in no
/// time. Other conditional jumps are not taken, but for those without which that jump, or the end, cannot be reached.
#[derive(Debug, Clone, Copy)]
pub struct Block<'a> {
    /// For messages.
    pub name: &'a str,
    /// Address of its first instruction: what its place in blocks and cache lines is counted from.
    pub address: u64,
    /// Its machine code.
    pub words: &'a [u32],
}

/// Who repeats a block, and how often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockShape {
    /// SIMDs of the compute unit that have waves.
    pub simds: u32,
    /// Waves of each of these SIMDs.
    pub waves_per_simd: u32,
    /// Waves of a work-group, which wait for each other at S_BARRIER.
    pub waves_per_group: u32,
    /// How often each wave goes through it, at least once.
    pub iterations: u32,
}

impl BlockShape {
    /// The SIMD of a wave: waves start one after the other, on the SIMDs in turn.
    pub fn simd_of(&self, wave: u32) -> u32 {
        wave % self.simds
    }
}

/// What the waves did.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockRun {
    /// The instructions, in the order of their addresses.
    pub instructions: Vec<BlockInstruction>,
    /// What the waves did with their time; the segments of one wave are in the order of time, without gap or overlap.
    pub segments: Vec<Segment>,
    /// Shader cycles from the start to the end of the last wave.
    pub cycles: u64,
}

/// Runs a block.
///
/// # Errors
/// No code, or an instruction that no block can have; a shape that the compute unit has no room for; waves that wait at a barrier for
/// ever.
pub fn run_block(
    configuration: &Configuration,
    block: Block<'_>,
    shape: BlockShape,
) -> Result<BlockRun, SimulationError> {
    let launch_error = |problem: String| SimulationError::Launch { kernel: block.name.into(), problem };
    let issue = configuration.issue;
    let (simds, waves_per_simd) = (shape.simds, shape.waves_per_simd);
    if simds == 0 || simds > issue.simds || waves_per_simd == 0 || waves_per_simd > configuration.waves_per_simd {
        let (most_simds, most) = (issue.simds, configuration.waves_per_simd);
        return Err(launch_error(format!(
            "{waves_per_simd} waves on each of {simds} SIMDs: 1 to {most} on 1 to {most_simds} are possible"
        )));
    }
    // What a block computes is left out when its steps are made, and only there.
    let mut plain = configuration.clone();
    (plain.computes_everything, plain.noise) = (true, None);
    let mut program = lowered(&plain, block)?;
    let last = program.steps.len() - 1;
    let path = make_block(&mut program.steps, &program.tables)
        .map_err(|(address, problem)| stopped(block, &program, 0, address, problem))?;
    let steps = program.steps[..last].iter().enumerate();
    let instructions = steps.map(|(index, step)| BlockInstruction::of(index, step, &path)).collect();

    let segments = Segments { apertures: Apertures::of(plain.generation), private_base: 0 };
    let shared = Shared { program: &program, configuration: &plain, clock: &Clock::new(0, None, 0.0), segments };
    let mut unit = ComputeUnit::new(0, &plain);
    unit.recording = Some(Box::new(Recording::new(Kept::Segments(Vec::new()))));
    start(&mut unit, shape, &shared);
    let mut memory = Memory::default();
    match unit.run(u64::MAX - 1, false, &shared, &mut memory) {
        Ok(()) => {}
        Err(Stop::Problem { wave, address, problem }) => return Err(stopped(block, &program, wave, address, problem)),
        Err(Stop::Undecoded { index, address }) => {
            let wave = unit.wave_number(index);
            return Err(stopped(block, &program, wave, address, Problem::OutsideCode));
        }
    }
    if unit.is_busy() {
        return Err(SimulationError::Deadlock { kernel: block.name.into() });
    }
    let cycles = unit.waves.iter().map(|wave| wave.ready).max().unwrap_or(0);
    let segments = match unit.recording.map(|recording| recording.kept) {
        Some(Kept::Segments(segments)) => segments,
        _ => Vec::new(),
    };
    Ok(BlockRun { instructions, segments, cycles })
}

/// The steps of the block as those of a launch, and behind them the one that leaves it.
fn lowered<'a>(configuration: &'a Configuration, block: Block<'a>) -> Result<Program<'a>, SimulationError> {
    let allocated = Allocated { vgprs: ALL_REGISTERS, sgprs: ALL_REGISTERS };
    let source = Source::Words { address: block.address, words: block.words };
    let mut program = Program::new(source, allocated, configuration);
    let reached = program.reach(block.address, &mut Memory::default());
    reached.map_err(|problem| stopped(block, &program, 0, block.address, problem))?;
    let end = block.address + block.words.len() as u64 * 4;
    let decoded_to = program.steps.last().map_or(block.address, |leave| leave.address);
    if decoded_to < end {
        let problem = Problem::NotAnInstruction("what stands there is not an instruction".to_owned());
        return Err(stopped(block, &program, 0, decoded_to, problem));
    }
    Ok(program)
}

/// Starts the waves one after the other.
fn start(unit: &mut ComputeUnit, shape: BlockShape, shared: &Shared<'_>) {
    let configuration = shared.configuration;
    let lanes = configuration.issue.wave_size;
    let waves = shape.simds * shape.waves_per_simd;
    let in_group = shape.waves_per_group.clamp(1, waves);
    let group = [lanes * in_group, 1, 1];
    let initial = Initial {
        shape: Shape { grid: [lanes * waves, 1, 1], group },
        needs: Needs { vgprs: 1, sgprs: 1, lds: 0 },
        registers: ProgramRegisters { rsrc1: 0, rsrc2: 0 },
        user_data: Vec::new(),
        scratch: ScratchArea::default(),
        segments: shared.segments,
    };
    for wave in 0..waves {
        let group = wave / in_group;
        if wave % in_group == 0 {
            let end = (wave + in_group).min(waves) as usize;
            unit.groups.push(Group {
                alive: end as u32 - wave,
                at_barrier: 0,
                lds_bytes: 0,
                local: LocalMemory::default(),
                waves: wave as usize..end,
            });
        }
        let simd = shape.simd_of(wave);
        let slot = unit.free_slot(simd).unwrap_or(0);
        let of_group = (u64::from(group), wave % in_group);
        let mut started = initial.wave(of_group, (unit.number, simd, slot), configuration);
        started.group = group as usize;
        started.ready = u64::from(wave) * u64::from(configuration.wave_launch_interval_cycles);
        started.iterations = shape.iterations.saturating_sub(1);
        unit.start(started, shared);
    }
}

fn stopped(block: Block<'_>, program: &Program<'_>, wave: u32, address: u64, problem: Problem) -> SimulationError {
    let instruction = program.text(address);
    SimulationError::Execution { kernel: block.name.into(), wave, address, instruction, problem }
}
