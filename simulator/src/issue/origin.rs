//! Where the unknown value comes from that an instruction cannot do without.

use crate::error::Origin;
use crate::lower::micro_op::MicroOp;
use crate::lower::operation::Operation;
use crate::lower::program::Program;
use crate::state::losses::{Loss, Register, Unwritten};
use crate::state::scalar_registers::{EXEC, VCC};
use crate::state::wave::Wave;

/// The registers that an instruction reads and writes, and that hold something unknown before it.
pub(crate) fn unknown_before(wave: &Wave, step: &MicroOp, program: &Program<'_>) -> Vec<Register> {
    if !step.is_in_place || !written(step).any(|register| is_unknown(wave, register)) {
        return Vec::new();
    }
    let written: Vec<_> = written(step).collect();
    let both = sources(step, program).filter(|register| written.contains(register));
    both.filter(|register| is_unknown(wave, *register)).collect()
}

/// Notes the registers in which an instruction has left something unknown; those that were unknown `before` are so for longer.
pub(crate) fn note(wave: &mut Wave, number: u32, before: &[Register], program: &Program<'_>) {
    let step = &program.steps[number as usize];
    let written: Vec<_> = written(step).collect();
    let still = sources(step, program).filter(|register| !written.contains(register) && is_unknown(wave, *register));
    let loss = match of_first(wave, before.iter().copied().chain(still)) {
        Some(Ok(loss)) => loss,
        Some(Err(unwritten)) => Loss { step: number, unwritten: Some(unwritten) },
        None => Loss { step: number, unwritten: None },
    };
    for register in written.into_iter().filter(|register| !before.contains(register)) {
        let lanes = unknown_lanes(wave, register);
        if lanes != 0 {
            wave.losses.note(register, lanes, loss);
        }
    }
}

/// Where the first of some unknown registers comes from, or that nothing wrote it.
fn of_first(wave: &Wave, mut unknown: impl Iterator<Item = Register>) -> Option<Result<Loss, Unwritten>> {
    let register = unknown.next()?;
    let lanes = unknown_lanes(wave, register);
    // Scalar registers have no lanes.
    let lane = (lanes != u64::MAX && !wave.is_all(lanes)).then_some(lanes.trailing_zeros());
    Some(wave.losses.of(register, lanes).ok_or(Unwritten { register, lane }))
}

/// Whether an instruction stores something unknown.
pub(crate) fn stores_unknown(wave: &Wave, step: &MicroOp, program: &Program<'_>) -> bool {
    let is_store = step.operation == Operation::Access && step.written.vectors == 0;
    is_store && sources(step, program).any(|register| is_unknown(wave, register))
}

/// Where an unknown source of an instruction comes from.
pub(crate) fn origin(wave: &Wave, step: &MicroOp, program: &Program<'_>) -> Option<Origin> {
    let unknown = sources(step, program).filter(|register| is_unknown(wave, *register));
    Some(match of_first(wave, unknown)? {
        Err(unwritten) => Origin::Unwritten(unwritten.to_string()),
        Ok(Loss { step, unwritten }) => {
            let address = program.steps.get(step as usize)?.address;
            let unwritten = unwritten.map(|register| register.to_string());
            Origin::Instruction { address, instruction: program.text(address), unwritten }
        }
    })
}

/// The registers that it reads.
fn sources(step: &MicroOp, program: &Program<'_>) -> impl Iterator<Item = Register> {
    let reads = program.tables.reads.get(step.reads as usize).copied().unwrap_or_default();
    let vectors = reads.vectors.into_iter().flat_map(|(first, count)| (first..).take(count.into()));
    scalars(reads.scalars).chain(reads.scc.then_some(Register::Scc)).chain(vectors.map(Register::Vector))
}

/// The registers that it writes.
fn written(step: &MicroOp) -> impl Iterator<Item = Register> {
    let vectors = step.written.vector_registers().map(Register::Vector);
    scalars(step.written.scalars).chain(step.written.scc.then_some(Register::Scc)).chain(vectors)
}

fn scalars(mut mask: u128) -> impl Iterator<Item = Register> {
    std::iter::from_fn(move || {
        let code = mask.trailing_zeros();
        (mask != 0).then(|| {
            mask &= mask - 1;
            Register::Scalar(code as u8)
        })
    })
}

fn is_unknown(wave: &Wave, register: Register) -> bool {
    unknown_lanes(wave, register) != 0
}

/// The active lanes, or all where none is, in which some of a register is unknown; all bits for a scalar one.
fn unknown_lanes(wave: &Wave, register: Register) -> u64 {
    let is_known = match register {
        // A wave of 32 lanes has no high half of masks.
        Register::Scalar(code) if wave.lanes == 32 && [VCC + 1, EXEC + 1].contains(&code) => true,
        Register::Scalar(code) => wave.scalars.read(code).is_some(),
        Register::Scc => wave.scc.is_some(),
        // Where values do not count a wave may have fewer registers than its code names.
        Register::Vector(number) if !wave.vectors.has(number) => true,
        Register::Vector(number) => {
            let active = wave.exec().filter(|exec| *exec != 0).unwrap_or(u64::MAX >> (64 - wave.lanes));
            return active & !wave.vectors.known_where(number, u32::MAX);
        }
    };
    if is_known { 0 } else { u64::MAX }
}
