//! Probes for the cost of a line's start, where the instructions suite measures 2-dword instructions and jumps.
//!
//! Operations in one dword and in two, at the same place: a front end that charges the place charges the second alone. Jumps have no
//! such twin: they are compared with those at the start of every other line, where a front end charges least.

use gcn_model::isa::{DependencyTracking, Instruction};
use gcn_model::record::{ExperimentKind, LINE_START, LineStartCase, PlaceCase};

use super::case::Case;
use super::measurement::Measurement;
use super::plan::{LINE_LENGTHS, Plan, WIDE_LENGTHS};
use super::planned::Experiment;
use super::subject::Subject;
use crate::kernel::{Action, Block, INTERNAL_FILLER, LINE_DWORDS, LONGEST_LINE_DWORDS, Order, Part, is_jump};

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
    pub(super) fn line_starts(&mut self, measured: Measurement<'_>) {
        let options = measured.options_of_shared();
        let measured = Measurement { options: &options, ..measured };
        let is_measured = |kind: ExperimentKind, is_meant: &dyn Fn(&Instruction, u32) -> bool| {
            self.experiments.iter().filter(|experiment| !experiment.launches.is_empty()).any(|experiment| {
                let record = &experiment.record;
                let instruction = measured.device.instruction(&record.instruction);
                record.kind == kind
                    && record.rule.is_empty()
                    && instruction.is_some_and(|instruction| is_meant(instruction, record.bytes))
            })
        };
        let has_long = is_measured(ExperimentKind::Cycles, &|_, bytes| bytes > 4);
        let is_bare = |experiment: &Experiment| experiment.record.fillers_per_block == 0 && experiment.record.bytes > 4;
        let is_cycles = |experiment: &&Experiment| experiment.record.kind == ExperimentKind::Cycles;
        let has_copies = self.experiments.iter().filter(is_cycles).any(is_bare);
        let has_untaken = is_measured(ExperimentKind::Cycles, &|instruction, _| is_jump(instruction));
        let has_taken = is_measured(ExperimentKind::Taken, &|_, _| true);
        let find = |name: &str| measured.device.instruction(name);
        if has_long {
            TWINS.into_iter().filter_map(find).for_each(|found| self.line_twins(measured, found, has_copies));
        }
        if has_taken {
            TAKEN_JUMPS.into_iter().filter_map(find).for_each(|found| self.landings(measured, found));
        }
        if has_untaken {
            UNTAKEN_JUMPS.into_iter().filter_map(find).for_each(|found| self.passed_jumps(measured, found));
        }
    }

    /// An operation in one dword and in two, each at the start of a line. No unit executes the fillers, so that a unit that is held hides
    /// nothing. With `has_copies`, also copies alone.
    fn line_twins(&mut self, measured: Measurement<'_>, instruction: &'static Instruction, has_copies: bool) {
        let Some(short) = measured.copies(instruction) else { return };
        let Some(long) = short.in_two_dwords() else { return };
        let goes_on = measured.device.generation.waves.dependency_tracking == DependencyTracking::Scoreboard;
        let subject = |snippet| Subject { filler: INTERNAL_FILLER, ..Subject::new(measured, snippet) };
        let case = |case: String, offset_dwords: Option<u32>, block: Block| Case {
            rule: LINE_START,
            case,
            offset_dwords,
            block: (block, Order::Straight),
        };
        let name = || instruction.name.clone();
        let name_in_two = || PlaceCase::InTwoDwords(&instruction.name).to_string();
        let short_subject = subject(short.clone());
        let baseline = case(name(), None, short_subject.line());
        // Copies alone tell what the front end charges those of a chain, and whether a wave continues during an operation, so that
        // fillers hide it.
        let alone = case(name(), Some(0), Block::full(short.dwords));
        let in_two_alone = case(name_in_two(), Some(0), Block::full(long.dwords));
        // There, S_NOPs wait for the operation, which hides a charge: the operation in one dword takes their place.
        let in_two_subject = if goes_on { subject(long.clone()).joined_by(short) } else { subject(long.clone()) };
        let before_short = [vec![Part::Snippet], vec![Part::Other(0); LONGEST_LINE_DWORDS as usize - 2]].concat();
        let line = if goes_on { Block { parts: before_short } } else { in_two_subject.line() };
        let in_two = case(name_in_two(), None, line);
        let mut cases = vec![(&short_subject, &baseline), (&in_two_subject, &in_two)];
        let long_subject = subject(long);
        if goes_on || has_copies {
            cases.extend([(&short_subject, &alone), (&long_subject, &in_two_alone)]);
        }
        self.cases_of(&cases, &LINE_LENGTHS);
    }

    /// Jumps that are taken to the start of each line, as they are measured, and to that of every other line.
    fn landings(&mut self, measured: Measurement<'_>, instruction: &'static Instruction) {
        let Some(subject) = jump(measured, instruction, Action::Taken) else { return };
        let case = |offset_dwords: Option<u32>| Case {
            rule: LINE_START,
            case: LineStartCase::Taken(&instruction.name).to_string(),
            offset_dwords,
            block: (Block::jumping(), offset_dwords.map_or(Order::Straight, |entry| Order::Forward { entry })),
        };
        self.cases(&subject, &[None, Some(0)].map(case), &WIDE_LENGTHS);
    }

    /// Jumps that are not taken at the start of each line, as they are measured, and at that of every other line.
    fn passed_jumps(&mut self, measured: Measurement<'_>, instruction: &'static Instruction) {
        let Some(subject) = jump(measured, instruction, Action::NotTaken) else { return };
        let block = |offset: u32| Block::at(offset, &subject.snippet, 2 * LINE_DWORDS);
        let case = |offset_dwords: Option<u32>| Case {
            rule: LINE_START,
            case: LineStartCase::NotTaken(&instruction.name).to_string(),
            offset_dwords,
            block: (offset_dwords.map_or_else(|| subject.line(), block), Order::Straight),
        };
        self.cases(&subject, &[None, Some(0)].map(case), &WIDE_LENGTHS);
    }
}

fn jump<'a>(measured: Measurement<'a>, instruction: &'static Instruction, action: Action) -> Option<Subject<'a>> {
    let snippet = measured.copies(instruction)?.jumping(action)?;
    Some(Subject::new(measured, snippet))
}
