//! Executing an instruction: its results, and the wave's next place.

use crate::cost::configuration::Configuration;
use crate::cost::reading::CounterPart;
use crate::cost::unit::Unit;
use crate::error::Problem;
use crate::issue::block_step;
use crate::issue::outcome::Outcome;
use crate::lower::micro_op::MicroOp;
use crate::lower::operation::{Condition, Operation};
use crate::lower::shared::Shared;
use crate::matrix::execute as matrix;
use crate::matrix::wave_execute;
use crate::memory::global::Memory;
use crate::memory::memories::Memories;
use crate::memory::scalar_memory::arrive_later;
use crate::scalar::execute as scalar;
use crate::state::group::Group;
use crate::state::operand::{Source, read32, read64};
use crate::state::pipelines::UnitWaits;
use crate::state::scalar_registers::{EXEC, NOWHERE, VCC};
use crate::state::wave::{Arrival, Wave};
use crate::vector::across_lanes as vector;
use crate::vector::execute as vector_execute;
use gcn_model::isa::WaitCounts;

/// The message that is answered with the counter of constant rate; the answers of others are unknown.
///
/// Source: LLVM 22.1 `SIDefines.h`, ID_RTN_GET_REALTIME.
const GET_REALTIME: u32 = 131;

/// Executes the instruction that a wave issues at `cycle`.
///
/// # Errors
/// An operation that the simulator cannot answer for; boxed, since it is rare and the result is on the hot path.
pub(crate) fn execute(
    wave: &mut Wave,
    step: &MicroOp,
    cycle: u64,
    shared: &Shared<'_>,
    cu: u32,
    (memory, groups): (&mut Memory, &mut [Group]),
) -> Result<Outcome, Box<Problem>> {
    // Long: a table, with an arm for each operation.
    let configuration = shared.configuration;
    match step.operation {
        Operation::Clobber => scalar::clobber(wave, step),
        Operation::Nothing | Operation::Unobserved => {}
        Operation::Leave => return Ok(Outcome::Leave),
        Operation::Refuse(why) => return Err(Problem::Unmodelled(why.into()).into()),
        Operation::OutOfRange => return Err(shared.program.out_of_range(step).into()),
        Operation::Lanes => {
            let function = &shared.program.tables.functions[step.access as usize];
            match wave.gpr_index {
                None => vector_execute::execute(wave, step, function),
                Some(index) => index.execute(wave, step, function, shared)?,
            }
        }
        Operation::Pair => {
            let functions = &shared.program.tables.functions[step.access as usize..][..2];
            vector_execute::execute_pair(wave, step, [&functions[0], &functions[1]]);
        }
        Operation::Scalar => {
            scalar::compute(wave, step, &shared.program.tables.scalar_functions[step.access as usize]);
        }
        Operation::Matrix => {
            matrix::execute(wave, &shared.program.tables.matrices[step.access as usize]);
        }
        Operation::DeallocateVectors => wave.vectors.clobber_all(),
        Operation::WaveMatrix => {
            wave_execute::execute(wave, &shared.program.tables.wave_matrices[step.access as usize]);
        }
        Operation::LoadScales { bytes } => matrix::load_scales(wave, [step.sources[0], step.sources[1]], bytes),
        Operation::MaskedQuadDifferences
        | Operation::Swap
        | Operation::SwapHalves { .. }
        | Operation::SwapHalfWaves
        | Operation::SwapRows { .. }
        | Operation::MaskedBitCount { .. }
        | Operation::ReadFirstLane
        | Operation::ReadLane
        | Operation::WriteLane
        | Operation::VectorMoveByTwo { .. }
        | Operation::PermuteRows { .. }
        | Operation::VectorMoveRelative { .. } => vector::execute(wave, step, shared)?,
        Operation::CompareToExec => scalar::clobber(wave, step),
        Operation::Branch => return Ok(jump(step, None)),
        Operation::ConditionalBranch(condition) => {
            let is_taken = match condition {
                Condition::Scc(value) => wave.scc.map(|scc| scc == value),
                Condition::Vccz(value) => wave.mask_bits(VCC).is_zero().map(|is_zero| is_zero == value),
                Condition::Debug => Some(false),
                Condition::Execz(value) => wave.exec().map(|exec| (exec == 0) == value),
            };
            return match is_taken {
                Some(true) => Ok(jump(step, Some(condition))),
                Some(false) => Ok(Outcome::NotTaken(condition)),
                None => Err(Problem::UnknownCondition(condition.subject().into()).into()),
            };
        }
        Operation::GetProgramCounter
        | Operation::SetProgramCounter
        | Operation::SwapProgramCounter
        | Operation::Call => {
            return program_counter(wave, step, shared);
        }
        Operation::EndProgram => return Ok(Outcome::End),
        Operation::Nop => {
            let further = u64::from(step.further_wait_states(configuration));
            return Ok(Outcome::Until(cycle + u64::from(step.cycles) + further));
        }
        Operation::Sleep => {
            let times = match step.sources[0] {
                Source::None => Some(step.immediate),
                source => read32(wave, source),
            };
            let times = times.ok_or_else(|| Problem::UnknownControl("its source".into()))?;
            return Ok(Outcome::Until(slept(configuration, cycle, u64::from(times & 0x7f))));
        }
        Operation::WaitCount => {
            let counts = more(shared.program.tables.waits[step.access as usize], wave, step)?;
            return Ok(Outcome::Until(wait(wave, counts)));
        }
        Operation::WaitIdle => {
            let counts = WaitCounts {
                vector_memory: Some(0),
                vector_stores: Some(0),
                export: Some(0),
                scalar_and_local_memory: Some(0),
                scalar_memory: Some(0),
                local_memory: Some(0),
                image_samples: Some(0),
                ray_tracing: Some(0),
            };
            return Ok(Outcome::Until(wait(wave, counts)));
        }
        Operation::WaitUnits => {
            let units = UnitWaits::of(step.immediate);
            return Ok(Outcome::Until(wave.pipelines.as_ref().map_or(0, |pipelines| pipelines.wait_for(units))));
        }
        Operation::SetPriority => wave.priority = (step.immediate & 3) as u8,
        Operation::SubvectorLoop { is_end } => return subvector_loop(wave, step, is_end),
        Operation::Barrier => return Ok(Outcome::Barrier),
        Operation::BarrierSignal { tells_first } => {
            if read32(wave, step.sources[0]) != Some(OWN_BARRIER) {
                return Err(Problem::Unmodelled(NAMED_BARRIER.into()).into());
            }
            if tells_first {
                wave.scc = Some(groups[wave.group].at_barrier == 0);
            }
            return Ok(Outcome::Signal);
        }
        Operation::BarrierWait => {
            if step.immediate & 0xffff != OWN_BARRIER & 0xffff {
                return Err(Problem::Unmodelled(NAMED_BARRIER.into()).into());
            }
            let has_opened = wave.signalled.take().is_some_and(|before| before != groups[wave.group].openings);
            return Ok(if has_opened { Outcome::Until(groups[wave.group].opens) } else { Outcome::AwaitBarrier });
        }
        Operation::MemoryTime | Operation::MemoryRealTime => {
            let round_trip = u64::from(configuration.memtime_round_trip_cycles);
            // The counter is sampled on the way; a constant distance from the issue is all that a slope needs.
            let sampled = cycle + round_trip / 2;
            let value = if step.operation == Operation::MemoryTime {
                wave.readings += 1;
                wave.last_reading = shared.clock.memtime(sampled, wave.number, wave.readings, wave.last_reading);
                wave.last_reading
            } else {
                shared.clock.memrealtime(sampled)
            };
            let values = [Some(value as u32), Some((value >> 32) as u32)];
            arrive_later(wave, Arrival { register: first_scalar(step), values, count: 2 });
            wave.scalar_memory.out_of_order(cycle + round_trip);
            if step.operation == Operation::MemoryTime
                && let Some(disturbance) = shared.clock.disturbance(wave.number, wave.readings)
            {
                return Ok(Outcome::Disturbed(disturbance));
            }
        }
        Operation::MessageWithAnswer => {
            let message = read32(wave, step.sources[0]);
            let answer = (message == Some(GET_REALTIME)).then(|| shared.clock.memrealtime(cycle));
            let count = step.written.scalars.count_ones() as u8;
            let values = [answer.map(|value| value as u32), answer.map(|value| (value >> 32) as u32)];
            arrive_later(wave, Arrival { register: first_scalar(step), values, count });
            wave.scalar_memory.out_of_order(cycle + u64::from(configuration.memtime_round_trip_cycles));
        }
        Operation::WaveInGroup => {
            let values = [Some(wave.in_group), None];
            arrive_later(wave, Arrival { register: first_scalar(step), values, count: 1 });
            wave.scalar_memory.out_of_order(cycle + u64::from(configuration.scalar_memory_latency_cycles));
        }
        Operation::CounterRegister { below, bits } => {
            wave.readings += 1;
            let field = (step.immediate >> 6 & 0x1f, (step.immediate >> 11 & 0x1f) + 1);
            let part = CounterPart { bits, below, field };
            let value = shared.clock.counter(part, cycle, wave.number, wave.readings);
            wave.scalars.write(first_scalar(step), Some(value));
            if let Some(disturbance) = shared.clock.disturbance(wave.number, wave.readings) {
                return Ok(Outcome::Disturbed(disturbance));
            }
        }
        Operation::Access => {
            let access = &shared.program.tables.accesses[step.access as usize];
            let local = &mut groups[wave.group].local;
            let memories = Memories { global: memory, local, segments: shared.segments };
            let instruction = (step.address as u32, step.lds_latency_cycles);
            let conflict_cycles = access.execute(wave, memories, cycle, instruction, configuration)?;
            if step.unit == Unit::LocalDataShare {
                return Ok(Outcome::Local { conflict_cycles });
            }
        }
        Operation::Block(block) => return Ok(block_step::execute(wave, step, block, cycle, configuration)),
        _ => scalar::execute(wave, step, shared, cu)?,
    }
    Ok(Outcome::Next)
}

/// The number of the barrier that every group has.
///
/// Source: AMD "RDNA 4 ISA", S_BARRIER_SIGNAL and S_BARRIER_WAIT: −1; positive ones are barriers with names.
const OWN_BARRIER: u32 = u32::MAX;
const NAMED_BARRIER: &str = ": barriers with names have no model";

fn jump(step: &MicroOp, condition: Option<Condition>) -> Outcome {
    match step.target {
        u32::MAX => Outcome::Away { address: step.jump_address(), condition },
        target => Outcome::Jump { target, condition },
    }
}

/// When S_SLEEP of `times` ends: "pauses ~64·n clocks" (facts §7), where a clock's ticks count at the one so many ticks on.
fn slept(configuration: &Configuration, cycle: u64, times: u64) -> u64 {
    match configuration.pipelines.as_ref().map_or(0, |pipelines| u64::from(pipelines.sleep_tick_cycles)) {
        0 => cycle + 64 * times,
        tick => (cycle / tick + times) * tick,
    }
}

fn program_counter(wave: &mut Wave, step: &MicroOp, shared: &Shared<'_>) -> Result<Outcome, Box<Problem>> {
    let following = step.address + 4;
    if matches!(step.operation, Operation::GetProgramCounter | Operation::Call) {
        wave.scalars.write64(first_scalar(step), Some(following));
    }
    match step.operation {
        Operation::GetProgramCounter => return Ok(Outcome::Next),
        Operation::Call => return Ok(jump(step, None)),
        _ => {}
    }
    let target = read64(wave, step.sources[0]).ok_or_else(|| Problem::UnknownAddress("its source".into()))?;
    if step.operation == Operation::SwapProgramCounter {
        wave.scalars.write64(first_scalar(step), Some(following));
    }
    Ok(match shared.program.step_at(target) {
        Some(target) => Outcome::Jump { target, condition: None },
        None => Outcome::Away { address: target, condition: None },
    })
}

fn first_scalar(step: &MicroOp) -> u8 {
    step.written.scalars.trailing_zeros().min(u32::from(NOWHERE)) as u8
}

/// When an instruction that waits for counters lets the wave go on.
fn wait(wave: &mut Wave, counts: WaitCounts) -> u64 {
    let most = |count: Option<u32>| count.map_or(usize::MAX, |count| count as usize);
    // One counter, or the scalar one of two.
    let scalar = wave.wait_for_scalar_memory(most(counts.scalar_memory.or(counts.scalar_and_local_memory)));
    let local = wave.wait_for_local_memory(most(counts.local_memory));
    let stores = wave.wait_for_vector_stores(most(counts.vector_stores));
    scalar.max(local).max(wave.wait_for_vector_memory(most(counts.vector_memory))).max(stores)
}

/// The counts plus a register's value: the SOPK forms have one (AMD "RDNA 1 ISA", S_WAITCNT_VSCNT: S0 + SIMM16).
fn more(counts: WaitCounts, wave: &Wave, step: &MicroOp) -> Result<WaitCounts, Problem> {
    let Source::Scalar(_) = step.sources[0] else { return Ok(counts) };
    let further = read32(wave, step.sources[0]).ok_or_else(|| Problem::UnknownControl("its source".into()))?;
    let add = |count: Option<u32>| count.map(|count| count.saturating_add(further));
    Ok(WaitCounts {
        vector_memory: add(counts.vector_memory),
        vector_stores: add(counts.vector_stores),
        export: add(counts.export),
        scalar_and_local_memory: add(counts.scalar_and_local_memory),
        scalar_memory: add(counts.scalar_memory),
        local_memory: add(counts.local_memory),
        image_samples: add(counts.image_samples),
        ray_tracing: add(counts.ray_tracing),
    })
}

/// The two ends of a loop that a wave of 64 lanes goes through once for each half that has active lanes: the register keeps what EXEC
/// has of the other half.
///
/// Source: AMD "RDNA 1 ISA", S_SUBVECTOR_LOOP_BEGIN and S_SUBVECTOR_LOOP_END.
fn subvector_loop(wave: &mut Wave, step: &MicroOp, is_end: bool) -> Result<Outcome, Box<Problem>> {
    let register = first_scalar(step);
    let halves = wave.scalars.read(EXEC).zip(wave.scalars.read(EXEC + 1));
    let (low, high) = halves.ok_or_else(|| Problem::UnknownCondition("EXEC".into()))?;
    if is_end {
        let kept = wave.scalars.read(register).ok_or_else(|| Problem::UnknownCondition("its register".into()))?;
        if high != 0 {
            wave.scalars.write(EXEC, Some(kept));
        } else if kept != 0 {
            wave.scalars.write(EXEC + 1, Some(kept));
            wave.scalars.write(register, Some(low));
            wave.scalars.write(EXEC, Some(0));
            return Ok(jump(step, None));
        }
        return Ok(Outcome::Next);
    }
    if low == 0 && high == 0 {
        return Ok(jump(step, None));
    }
    if low == 0 {
        wave.scalars.write(register, Some(low));
    } else {
        wave.scalars.write(register, Some(high));
        wave.scalars.write(EXEC + 1, Some(0));
    }
    Ok(Outcome::Next)
}
