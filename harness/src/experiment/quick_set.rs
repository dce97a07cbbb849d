//! What `--quick` measures: the instructions that say most of a card.

use std::collections::HashSet;

use gcn_model::isa::Instruction;
use gcn_model::published::{disputes_of, dp_multiple, sources};

use super::measurement::Measurement;
use super::skip_reason::skip_reason;
use crate::device::DeviceInformation;
use crate::kernel::is_jump;

/// Names of the instructions that settle a dispute, and of the first of each class; DPFACTOR follows from those whose class has a
/// multiple of it.
pub(super) fn quick_set(measured: Measurement<'_>) -> HashSet<&'static str> {
    let device = measured.device;
    let mut classes = HashSet::new();
    let instructions = device.instructions().filter(|instruction| is_measured(instruction, measured));
    let is_essential = |instruction: &&'static Instruction| {
        // Each class is counted, whoever else asks for its first instruction.
        let is_first = classes.insert(class(instruction, device));
        is_first || is_disputed(instruction, device)
    };
    instructions.filter(is_essential).map(|instruction| instruction.name.as_str()).collect()
}

/// Whether there are kernels for it, and nothing speaks against launching them.
fn is_measured(instruction: &'static Instruction, measured: Measurement<'_>) -> bool {
    let has_kernel = || is_jump(instruction) || measured.plain(instruction).is_some();
    skip_reason(instruction, measured.options).is_none() && has_kernel()
}

/// The properties by which the tables separate instructions, beyond their operation: encoding, address space, classes, width of the widest operand
/// is, and what multiple of DPFACTOR their published cycles are.
fn class(instruction: &Instruction, device: &DeviceInformation) -> String {
    let widest = instruction.operands.iter().map(|operand| operand.bits).max();
    let multiple = dp_multiple(sources(), instruction, &device.target);
    format!("{:?}", (instruction.encoding, instruction.segment, instruction.classes, widest, multiple))
}

/// Whether published sources contradict each other about it.
pub(super) fn is_disputed(instruction: &Instruction, device: &DeviceInformation) -> bool {
    disputes_of(device.generation, &device.target).any(|dispute| dispute.instructions.contains(&instruction.name))
}

#[cfg(test)]
mod tests {
    use gcn_model::gpu::Gpu;

    use super::*;
    use crate::device::{Device, SimulatedDevice};
    use crate::experiment::MeasureOptions;

    #[test]
    fn every_class_is_there_and_few_instructions_are() {
        for name in Gpu::shipped() {
            let device = SimulatedDevice::new("sim:test", &Gpu::named(name).unwrap());
            let (device, options) = (device.information(), MeasureOptions::default());
            let measured = Measurement { device, options: &options };
            let found = quick_set(measured);
            for expected in ["V_ADD_F64", "V_FMA_F64", "S_ADD_U32", "S_LOAD_DWORD", "DS_ADD_U32"] {
                let is_found = device.instruction(expected).is_some_and(|it| found.contains(it.name.as_str()));
                assert!(is_found, "{name}: {expected}");
            }
            assert!(found.iter().any(|found| found.starts_with("BUFFER_LOAD_")), "{name}: {found:?}");
            let instructions = device.instructions().filter(|instruction| is_measured(instruction, measured));
            let (missing, all): (Vec<_>, Vec<_>) =
                instructions.partition(|instruction| !found.contains(instruction.name.as_str()));
            assert!(3 * all.len() < missing.len(), "{name}: {} of {}", all.len(), all.len() + missing.len());
            let classes: HashSet<_> = all.iter().map(|instruction| class(instruction, device)).collect();
            assert!(missing.iter().all(|instruction| classes.contains(&class(instruction, device))), "{name}");
        }
    }
}
