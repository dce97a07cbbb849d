//! Hazards in a region: instructions that software has to keep apart, and the region does not.

use gcn_model::decode::{Decoded, Location, Modifier};
use gcn_model::gpu::Gpu;
use gcn_model::hazard::{Violation, check_all, states_of};
use gcn_model::isa::MatrixEngine;
use serde::Serialize;

use crate::code::Code;
use crate::error::PredictError;
use crate::region::{Region, RegionKind};
use crate::written::written;

/// Two instructions of which the second may not get the result of the first, or one that its target cannot have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hazard {
    /// Row of the table of hazards, or the name of a later rule.
    pub rule: String,
    /// Address of the instruction that has to be waited for.
    pub first_address: u64,
    pub first: String,
    /// Address of the instruction that comes too soon.
    pub second_address: u64,
    pub second: String,
    /// What has to be between them, and who says so.
    pub missing: String,
}

impl Hazard {
    /// Both instructions and the missing part between them, in words.
    pub fn words(&self) -> String {
        let Self { rule, first_address, first, second_address, second, missing } = self;
        let second = if first_address == second_address {
            String::new()
        } else {
            format!(", then {second} at {second_address:#x}")
        };
        format!("{rule}: {first} at {first_address:#x}{second}: {missing}")
    }
}

/// The rule of a result that is used before the wait for it.
pub(crate) const NOT_WAITED_FOR: &str = "not-waited-for";

/// Wait states after which a pair is safe to read what DPP wrote: ROCm/aotriton issue 183 found 16 too few and 26 enough on gfx1150.
const AFTER_DPP: u32 = 26;
const DPP_TARGET: &str = "gfx1150";

/// The hazards of a function's code whose instructions are in a region.
///
/// # Errors
/// A region that is no part of the code, words that are no instruction, a hazard that nothing describes.
pub fn hazards(gpu: &Gpu, code: &Code, region: &Region) -> Result<Vec<Hazard>, PredictError> {
    let processor = gpu.processor();
    let found =
        check_all(processor, &code.words, code.address).map_err(|error| PredictError::Hazards(error.to_string()))?;
    let decoded = code.part(region)?.instructions(processor)?;
    let text = |address: u64| {
        let at = decoded.binary_search_by_key(&address, |(address, _)| *address).ok();
        at.map_or_else(|| format!("the instruction at {address:#x}"), |at| written(&decoded[at].1))
    };
    let is_inside = |address: u64| (region.start..region.end).contains(&address);
    let of_table = found.into_iter().filter(|it| is_inside(it.producer) && is_inside(it.consumer));
    let of_table = of_table.filter(|it| !is_of_global_memory(it, &decoded));
    let mut hazards: Vec<Hazard> = of_table
        .map(|Violation { hazard, producer, consumer, missing, .. }| Hazard {
            rule: hazard.to_owned(),
            first_address: producer,
            first: text(producer),
            second_address: consumer,
            second: text(consumer),
            missing,
        })
        .collect();
    hazards.extend(later(processor.name(), &decoded, region.kind));
    Ok(hazards)
}

/// Whether a FLAT access is waited for as compilers do that know its address: it is of global memory, and vmcnt alone counts it.
fn is_of_global_memory(violation: &Violation, decoded: &[Placed]) -> bool {
    let between = |address: &u64| (violation.producer..violation.consumer).contains(address);
    let mut between = decoded.iter().filter(|(address, _)| between(address)).map(|(_, decoded)| decoded);
    let is_flat = between.next().is_some_and(|first| first.instruction.name.starts_with("FLAT_"));
    let waits = |decoded: &Decoded| {
        let left = decoded.wait_counts().and_then(|counts| counts.vector_memory);
        left.is_some_and(|left| left < decoded.generation.most_loads())
    };
    violation.hazard == NOT_WAITED_FOR && is_flat && between.any(waits)
}

/// An instruction at its address.
type Placed = (u64, Decoded);

impl Hazard {
    fn between(rule: &str, first: &Placed, second: &Placed, missing: String) -> Self {
        Self {
            rule: rule.to_owned(),
            first_address: first.0,
            first: written(&first.1),
            second_address: second.0,
            second: written(&second.1),
            missing,
        }
    }
}

/// The hazards that became known after those of the table, which are those of LLVM 22.1.
fn later(target: &str, decoded: &[Placed], kind: RegionKind) -> Vec<Hazard> {
    let mut found = Vec::new();
    for (index, first) in decoded.iter().enumerate() {
        let turn = if kind == RegionKind::Loop { index } else { 0 };
        let after = decoded[index + 1..].iter().chain(&decoded[..turn]);
        found.extend(pair_of_one_parity(target, first));
        found.extend(pair_after_dpp(target, first, after.clone()));
        found.extend(matrix_after_another(first, after));
    }
    found
}

fn pair_of_one_parity(target: &str, first: &Placed) -> Option<Hazard> {
    if !pair_reads_early(target, &first.1) {
        return None;
    }
    let missing = "both halves read VGPRs of the same parity through one port: the pair may read before the \
                   result that it waits for (llvm/llvm-project pull request 220348)";
    Some(Hazard::between("pair-same-parity", first, first, missing.to_owned()))
}

fn pair_after_dpp<'d>(target: &str, first: &Placed, after: impl Iterator<Item = &'d Placed>) -> Option<Hazard> {
    if target != DPP_TARGET || first.1.modifier != Some(Modifier::Dpp) {
        return None;
    }
    let mut states = 0;
    for other in after {
        if states >= AFTER_DPP {
            break;
        }
        if other.1.halves().is_some() && written_vgprs(&first.1).any(|vgpr| reads(&other.1, vgpr)) {
            let missing = format!(
                "{AFTER_DPP} wait states are required between them, {states} found (ROCm/aotriton issue 183: found by trials)"
            );
            return Some(Hazard::between("pair-reads-dpp", first, other, missing));
        }
        states += states_of(&other.1);
    }
    None
}

fn matrix_after_another<'d>(first: &Placed, after: impl Iterator<Item = &'d Placed>) -> Option<Hazard> {
    if first.1.matrix_operation()?.engine != MatrixEngine::Xdl {
        return None;
    }
    let mut states = 0;
    for next in after {
        if next.1.matrix_operation().is_none() {
            states += states_of(&next.1);
            continue;
        }
        let needed = u32::from(first.1.passes().map_or(0, |passes| passes.0)) + 1;
        let result = accumulator(&first.1, "vdst")?;
        let is_another = next.1.instruction.canonical_name() != first.1.instruction.canonical_name();
        let missing = format!(
            "another matrix instruction forwards no result: at least {needed} wait states are required between them, {states} found (llvm/llvm-project pull request 218363)"
        );
        let is_early = is_another && Some(result) == accumulator(&next.1, "src2") && states < needed;
        return is_early.then(|| Hazard::between("other-matrix-accumulator", first, next, missing));
    }
    None
}

/// The registers of an operand, if it has that name and they are vector registers: file, first and count.
fn accumulator(decoded: &Decoded, name: &str) -> Option<(Location, u8)> {
    let operands = decoded.operands();
    let operand = operands.into_iter().find(|it| it.operand.name == name)?;
    matches!(operand.location, Location::Vgpr(_) | Location::Agpr(_)).then_some((operand.location, operand.registers))
}

/// The VGPRs that an instruction writes.
fn written_vgprs(decoded: &Decoded) -> impl Iterator<Item = u8> {
    let operands = decoded.operands().into_iter().filter(|it| it.operand.is_written());
    operands.flat_map(|it| match it.location {
        Location::Vgpr(first) => first..first.saturating_add(it.registers.max(1)),
        _ => 0..0,
    })
}

/// Whether an instruction reads a VGPR.
fn reads(decoded: &Decoded, vgpr: u8) -> bool {
    let mut operands = decoded.operands().into_iter().filter(|it| it.operand.is_read());
    operands.any(|it| match it.location {
        Location::Vgpr(first) => (first..first.saturating_add(it.registers.max(1))).contains(&vgpr),
        _ => false,
    })
}

/// Whether a target reads the sources of a pair before the result that it waits for.
pub(crate) fn pair_reads_early(target: &str, decoded: &Decoded) -> bool {
    target.starts_with("gfx11") && pair_shares_parity(decoded)
}

/// Whether both halves of a pair read, through one port, unlike VGPRs that are both even or both odd.
fn pair_shares_parity(decoded: &Decoded) -> bool {
    let Some([one, other]) = decoded.halves() else { return false };
    let vgpr = |half: &gcn_model::decode::Half, names: &[&str]| {
        half.operands.iter().find(|it| names.contains(&it.operand.name.as_str())).and_then(|it| match it.location {
            Location::Vgpr(number) => Some(number),
            _ => None,
        })
    };
    [["src0", "src0"], ["src1", "vsrc1"]].iter().any(|names| match (vgpr(&one, names), vgpr(&other, names)) {
        (Some(one), Some(other)) => one != other && one % 2 == other % 2,
        _ => false,
    })
}
