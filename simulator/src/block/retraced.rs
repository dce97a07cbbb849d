//! Waves whose way and issues were recorded on a card, issued once more by the simulator: whole waves, several of a SIMD at once.
//!
//! Each instruction is issued at the cycle of its record, whatever the simulator would have done. What the simulator says of it is when it would
//! have issued it after the recorded instructions. So one difference causes no other.

use std::collections::BTreeSet;

use crate::block::lowered::LoweredBlock;
use crate::block::lowering::timed;
use crate::block::repetition::Repetition;
use crate::block::shape::{Block, BlockShape};
use crate::cost::configuration::Configuration;
use crate::error::SimulationError;
use crate::issue::barrier_unit::BarrierUnit;
use crate::lower::micro_op::MicroOp;
use crate::lower::operation::{BlockStep, Operation};
use crate::lower::tables::Tables;

/// An instruction of a recorded wave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordedIssue {
    pub address: u64,
    /// When it was issued, or an instruction that waits was passed; `None` if that was not recorded.
    pub cycle: Option<u64>,
}

/// The work-groups of recorded waves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordedGroups {
    /// Waves of a group on the recorded SIMD.
    pub waves: usize,
    /// Its waves on other SIMDs, which the record does not show: they get to a barrier once those of this SIMD have.
    pub unseen: usize,
}

/// The cycles at which the simulator issues the instructions of a SIMD's recorded waves, each after its recorded predecessors. Those of a
/// barrier are the cycles at which it takes the wave.
///
/// # Errors
/// Code that no block can have, or a wave at an address without an instruction.
pub fn retrace(
    configuration: &Configuration,
    code: Block<'_>,
    waves: &[Vec<RecordedIssue>],
    groups: RecordedGroups,
) -> Result<Vec<Vec<u64>>, SimulationError> {
    let configuration = configuration.with_warm_cache();
    let mut unit = BarrierUnit::new(configuration.pipelines.as_ref());
    let mut arrived = vec![0_usize; waves.len()];
    let Unrolled { block, begins, barriers } = unrolled(&configuration, code, waves)?;
    let shape = BlockShape { simds: 1, waves_per_simd: waves.len() as u32, waves_per_group: 1, iterations: 1 };
    let mut repetition = Repetition::recorded(&block, shape, &begins)?;
    let mut predicted: Vec<Vec<u64>> = vec![Vec::new(); waves.len()];
    // Of issues in the same cycle those of the lower slot come first.
    let mut order: Vec<(u64, usize, usize)> = Vec::new();
    for (wave, issues) in waves.iter().enumerate() {
        let mut at = 0;
        for (index, issue) in issues.iter().enumerate().filter(|(_, issue)| issue.cycle.is_some()) {
            order.extend(issue.cycle.map(|cycle| (cycle, wave, index + 1 - at)));
            at = index + 1;
        }
    }
    order.sort_unstable_by_key(|&(cycle, wave, _)| (cycle, wave));
    for (cycle, wave, count) in order {
        for left in (0..count).rev() {
            let mut would = repetition.force(wave as u32, (left == 0).then_some(cycle))?;
            if barriers.contains(&waves[wave][predicted[wave].len()].address) {
                would = unit.takes(would);
                let arrived = &mut arrived[wave / groups.waves];
                *arrived += 1;
                unit.take(cycle, if arrived.is_multiple_of(groups.waves) { 1 + groups.unseen as u64 } else { 1 });
            }
            predicted[wave].push(would);
        }
    }
    Ok(predicted)
}

/// The cycles at which the simulator issues the instructions of recorded waves by itself, on each of these SIMDs: those of the first SIMD.
///
/// # Errors
/// Those of [`retrace`].
pub fn rerun(
    configuration: &Configuration,
    code: Block<'_>,
    waves: &[Vec<RecordedIssue>],
    simds: u32,
) -> Result<Vec<Vec<u64>>, SimulationError> {
    let configuration = configuration.with_warm_cache();
    let Unrolled { block, begins, .. } = unrolled(&configuration, code, waves)?;
    let shape = BlockShape { simds, waves_per_simd: waves.len() as u32, waves_per_group: 1, iterations: 1 };
    let mut repetition = Repetition::recorded(&block, shape, &begins)?;
    repetition.end()?;
    Ok(repetition.issues_of_simd(0))
}

/// The ways of all waves in a row.
struct Unrolled<'c> {
    block: LoweredBlock<'c>,
    /// Of each wave its first step and the first cycle of its record.
    begins: Vec<(u32, u64)>,
    /// Addresses of arrivals at barriers.
    barriers: BTreeSet<u64>,
}

/// The ways that waves went through a code: their micro-ops one after the other, with what an issue needs besides.
fn unrolled<'c>(
    configuration: &'c Configuration,
    code: Block<'c>,
    waves: &[Vec<RecordedIssue>],
) -> Result<Unrolled<'c>, SimulationError> {
    let mut program = LoweredBlock::launched(configuration, code)?;
    let base = std::mem::take(&mut program.steps);
    let arrives = |step: &&MicroOp| matches!(step.operation, Operation::Barrier | Operation::BarrierSignal { .. });
    let barriers = base.iter().filter(arrives).map(|step| step.address).collect();
    let (mut steps, mut begins) = (Vec::new(), Vec::new());
    for wave in waves {
        begins.push((steps.len() as u32, wave.iter().find_map(|issue| issue.cycle).unwrap_or(0)));
        for (at, issue) in wave.iter().enumerate() {
            let found = base.binary_search_by_key(&issue.address, |step| step.address);
            let Ok(number) = found else {
                return Err(LoweredBlock::no_instruction(code, issue.address));
            };
            let next = wave.get(at + 1).map(|next| next.address);
            let goes_on = base.get(number + 1).map(|step| step.address) == next;
            let step = base[number].again(&mut program.tables);
            steps.push(on_its_way(step, goes_on, steps.len() as u32 + 1, &program.tables));
        }
        let address = wave.last().map_or(code.address, |issue| issue.address);
        steps.push(MicroOp { operation: Operation::Block(BlockStep::Again), ..MicroOp::leave(address, 0) });
    }
    program.steps = steps;
    Ok(Unrolled { block: LoweredBlock::of_program(code.name, configuration, program), begins, barriers })
}

/// A step of a known way: the next one follows it.
fn on_its_way(step: MicroOp, goes_on: bool, next: u32, tables: &Tables) -> MicroOp {
    let operation = match step.operation {
        Operation::Branch => Operation::Branch,
        Operation::ConditionalBranch(condition) if goes_on => Operation::Block(BlockStep::Untaken(condition)),
        Operation::ConditionalBranch(condition) => Operation::Block(BlockStep::Taken(condition)),
        // Waves of other SIMDs reach it, too; the record does not show them.
        Operation::Barrier | Operation::BarrierSignal { .. } | Operation::BarrierWait => Operation::Nothing,
        other => timed(other, &step, tables),
    };
    MicroOp { operation, target: next, ..step }
}
