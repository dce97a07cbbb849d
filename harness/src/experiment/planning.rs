//! The parts of a run's plan in their order.

use std::collections::HashSet;

use gcn_model::isa::Instruction;
use gcn_model::record::{MATRIX_OVERLAP, PAIR, PAIR_BANK, UNITS};

use super::measurement::Measurement;
use super::options::{MeasureOptions, Suite};
use super::plan::Plan;
use super::planned::Phase;
use super::quick_set::{is_disputed, quick_set};
use super::skip_reason::is_dangerous;
use super::suites::PARTS;
use crate::device::DeviceInformation;
use crate::kernel::{ENDED, INTERNAL_FILLER, NULL_FILLER, REPAIRS, SCALAR_FILLER, VECTOR_FILLER, carriers};

/// The rules of blocks that a front end charges for their places: what it charges has to be known.
const CHARGED: [&str; 4] = [UNITS, PAIR, PAIR_BANK, MATRIX_OVERLAP];

impl Plan {
    /// Plans the measurement of a device.
    pub fn new(device: &DeviceInformation, options: &MeasureOptions) -> Self {
        let measured = Measurement { device, options };
        let mut plan = Self::default();
        for filler in [VECTOR_FILLER, SCALAR_FILLER] {
            plan.filler(measured, filler);
        }
        let quick_set = if options.has(Suite::Quick) { quick_set(measured) } else { HashSet::new() };
        let is_asked = |instruction: &&Instruction| {
            let in_suite = options.has(Suite::Instructions)
                || options.has(Suite::Disputed) && is_disputed(instruction, device)
                || quick_set.contains(instruction.name.as_str());
            in_suite && options.wants(&instruction.name)
        };
        // Of several suites that ask for single instructions, the one that asks for most.
        let of_instructions = [Suite::Instructions, Suite::Quick].into_iter().find(|suite| options.has(*suite));
        let of_instructions = of_instructions.unwrap_or(Suite::Disputed);
        // Those that can take the card with them come last: all else is on disk by then (facts §7).
        let (dangerous, others): (Vec<_>, Vec<_>) =
            device.instructions().filter(is_asked).partition(|instruction| is_dangerous(instruction, options));
        for instruction in others {
            plan.instruction(measured, instruction);
        }
        plan.end_part(of_instructions);
        if let Some(suite) = [Suite::Lds, Suite::Disputed, Suite::Quick].into_iter().find(|suite| options.has(*suite)) {
            plan.strides(measured);
            plan.end_part(suite);
        }
        if options.has(Suite::Alignment) {
            plan.alignment(measured);
            plan.end_part(Suite::Alignment);
        } else if options.has(Suite::Quick) {
            plan.front_end(measured);
            plan.end_part(Suite::Quick);
        }
        for &(suite, part) in PARTS.iter().filter(|(suite, _)| options.has(*suite)) {
            let first = plan.experiments.len();
            part(&mut plan, measured);
            if plan.experiments[first..].iter().any(|it| CHARGED.contains(&it.record.rule.as_str())) {
                plan.charge_of_front_end(measured);
            }
            plan.end_part(suite);
        }
        let first = plan.experiments.len();
        for instruction in dangerous {
            plan.instruction(measured, instruction);
        }
        plan.experiments[first..].iter_mut().for_each(|experiment| experiment.phase = Phase::Last);
        plan.end_part(of_instructions);
        plan.line_starts(measured);
        let fillers =
            [INTERNAL_FILLER, NULL_FILLER].into_iter().chain(carriers(device.lanes())).chain(REPAIRS).chain(ENDED);
        for filler in fillers {
            if plan.experiments.iter().any(|experiment| experiment.record.filler == filler.experiment) {
                plan.filler(measured, filler);
            }
        }
        (0..).zip(&mut plan.experiments).for_each(|(place, experiment)| experiment.record.place = place);
        plan
    }
}
