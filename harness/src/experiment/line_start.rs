//! Probes for the cost of a line's start, where the instructions suite measures 2-dword instructions and jumps.
//!
//! Operations in one dword and in two, at the same place: a front end that charges the place charges the second alone. Jumps have no
//! such twin: they are compared with the next dword.

use gcn_model::isa::{DependencyTracking, Instruction};
use gcn_model::record::{ExperimentKind, LINE_START, LineStartCase, PlaceCase};

use super::MeasureOptions;
use super::case::Case;
use super::plan::{LINE_LENGTHS, Plan, SHARED_SAMPLES, WIDE_LENGTHS};
use super::subject::Subject;
use crate::device::DeviceInformation;
use crate::kernel::{Action, Block, Copies, INTERNAL_FILLER, LINE_DWORDS, Order, Snippet, is_jump};

/// Operations that can be encoded in one dword and in two, short ones and long ones: a front end may charge long ones less.
const TWINS: [&str; 9] = [
    "V_ADD_F32",
    "V_AND_B32",
    "V_XOR_B32",
    "V_MAX_F32",
    "V_RCP_F32",
    "V_SQRT_F32",
    "V_CVT_F64_F32",
    "V_RCP_F64",
    "V_SQRT_F64",
];
const TAKEN_JUMPS: [&str; 2] = ["S_BRANCH", "S_CBRANCH_SCC0"];
/// Jumps that are not taken.
const UNTAKEN_JUMPS: [&str; 2] = ["S_CBRANCH_SCC0", "S_CBRANCH_SCC1"];

impl Plan {
    /// The probes that the instructions of the plan need, whichever were asked for.
    pub(super) fn line_starts(&mut self, device: &DeviceInformation, options: &MeasureOptions) {
        let options = &MeasureOptions { samples: options.samples.saturating_mul(SHARED_SAMPLES), ..options.clone() };
        let is_measured = |kind: ExperimentKind, is_meant: &dyn Fn(&Instruction, u32) -> bool| {
            self.experiments.iter().filter(|experiment| !experiment.launches.is_empty()).any(|experiment| {
                let record = &experiment.record;
                let instruction = device.instruction(&record.instruction);
                record.kind == kind
                    && record.rule.is_empty()
                    && instruction.is_some_and(|instruction| is_meant(instruction, record.bytes))
            })
        };
        let has_long = is_measured(ExperimentKind::Cycles, &|_, bytes| bytes > 4);
        let has_untaken = is_measured(ExperimentKind::Cycles, &|instruction, _| is_jump(instruction));
        let has_taken = is_measured(ExperimentKind::Taken, &|_, _| true);
        let find = |name: &str| device.instruction(name);
        if has_long {
            TWINS.into_iter().filter_map(find).for_each(|found| self.line_twins(device, options, found));
        }
        if has_taken {
            TAKEN_JUMPS.into_iter().filter_map(find).for_each(|found| self.landings(device, options, found));
        }
        if has_untaken {
            UNTAKEN_JUMPS.into_iter().filter_map(find).for_each(|found| self.passed_jumps(device, options, found));
        }
    }

    /// An operation in one dword and in two, each at the start of a line. No unit executes the fillers, so that a unit that is held hides nothing.
    fn line_twins(&mut self, device: &DeviceInformation, options: &MeasureOptions, instruction: &'static Instruction) {
        let Some(short) = Snippet::new(instruction, device.waves(), Copies::Independent) else { return };
        let Some(long) = short.in_two_dwords() else { return };
        let subject = |snippet| Subject { filler: INTERNAL_FILLER, ..Subject::new(device, options, snippet) };
        let (short, long) = (subject(short), subject(long));
        let case = |subject: &Subject<'_>, case: String| Case {
            rule: LINE_START,
            case,
            offset_dwords: None,
            block: (subject.line(), Order::Straight),
        };
        let baseline = case(&short, instruction.name.clone());
        let in_two = case(&long, PlaceCase::InTwoDwords(&instruction.name).to_string());
        // Where a wave continues during an operation, the fillers may hide it, and only copies alone tell; those in two dwords, what
        // the front end charges the copies of a chain.
        let [alone, in_two_alone] = [&baseline, &in_two].map(|case| Case {
            offset_dwords: Some(0),
            block: (Block::bare(), Order::Straight),
            ..case.clone()
        });
        let goes_on = device.generation.waves.dependency_tracking == DependencyTracking::Scoreboard;
        let mut cases = vec![(&short, &baseline)];
        cases.extend(goes_on.then_some((&short, &alone)));
        cases.push((&long, &in_two));
        cases.extend(goes_on.then_some((&long, &in_two_alone)));
        self.cases_of(&cases, &LINE_LENGTHS);
    }

    /// Jumps that are taken to the start of each line, as they are measured, and to the first two dwords of every other line.
    fn landings(&mut self, device: &DeviceInformation, options: &MeasureOptions, instruction: &'static Instruction) {
        let Some(subject) = jump(device, options, instruction, Action::Taken) else { return };
        let case = |offset_dwords: Option<u32>| Case {
            rule: LINE_START,
            case: LineStartCase::Taken(&instruction.name).to_string(),
            offset_dwords,
            block: (Block::jumping(), offset_dwords.map_or(Order::Straight, |entry| Order::Forward { entry })),
        };
        self.cases(&subject, &[None, Some(0), Some(1)].map(case), &WIDE_LENGTHS);
    }

    /// Jumps that are not taken at the start of each line, as they are measured, and at the first two dwords of every other line.
    fn passed_jumps(
        &mut self,
        device: &DeviceInformation,
        options: &MeasureOptions,
        instruction: &'static Instruction,
    ) {
        let Some(subject) = jump(device, options, instruction, Action::NotTaken) else { return };
        let block = |offset: u32| Block::at(offset, &subject.snippet, 2 * LINE_DWORDS);
        let case = |offset_dwords: Option<u32>| Case {
            rule: LINE_START,
            case: LineStartCase::NotTaken(&instruction.name).to_string(),
            offset_dwords,
            block: (offset_dwords.map_or_else(|| subject.line(), block), Order::Straight),
        };
        self.cases(&subject, &[None, Some(0), Some(1)].map(case), &WIDE_LENGTHS);
    }
}

fn jump<'a>(
    device: &'a DeviceInformation,
    options: &'a MeasureOptions,
    instruction: &'static Instruction,
    action: Action,
) -> Option<Subject<'a>> {
    let snippet = Snippet::new(instruction, device.waves(), Copies::Independent)?.jumping(action)?;
    Some(Subject::new(device, options, snippet))
}
