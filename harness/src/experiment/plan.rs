//! The plan of a run: every instruction of the GPU, with its experiments or the reason why it has none.
// Long: the experiments of an instruction, which share their names, lengths and fillers.

use gcn_model::isa::{Instruction, InstructionClass, Processor};
use gcn_model::record::{ExperimentKind, ExperimentRecord, ExperimentStatus};

use super::mask_writer::waits_for_itself;
use super::measurement::Measurement;
use super::options::MeasureOptions;
use super::planned::{Experiment, Phase, PlanPart, PlannedLaunch};
use super::skip_reason::skip_reason;
use super::subject::{Subject, experiment_id, kernel_name};
use super::throughput::Throughput;
use crate::device::DeviceInformation;
use crate::kernel::{
    Action, Allocation, Block, Filler, KernelPlan, LONGEST_LINE_DWORDS, Loops, MASK_BLOCK_DWORDS, Order, Places,
    Section, initial_values, is_handled, is_jump, is_memory,
};

/// Lengths of the one-wave experiments with nothing but snippets, in snippets: multiples of a 64-byte line.
pub(super) const BARE_LENGTHS: [u32; 3] = [16, 32, 64];
/// Lengths of the one-wave experiments whose blocks are a line of 128 bytes each.
pub(super) const LINE_LENGTHS: [u32; 3] = [8, 16, 32];
/// Lengths of the experiments whose blocks are two lines each.
pub(super) const WIDE_LENGTHS: [u32; 3] = [8, 16, 32];
/// As above, for hundreds of pairs.
pub(super) const PAIR_LENGTHS: [u32; 3] = [4, 8, 16];
/// Lengths of the experiments whose blocks are four lines each.
const MASK_LENGTHS: [u32; 3] = [4, 8, 16];
/// Lengths of the throughput experiments, in snippets.
const THROUGHPUT_LENGTHS: [u32; 2] = [32, 64];
/// Times that a throughput kernel runs its snippets between the readings.
pub(super) const THROUGHPUT_LOOPS: u32 = 4;
/// Times that it runs them before that: once brings the code into the instruction cache, and is over before any wave
/// begins, since all sleep in between.
const WARM_LOOPS: u32 = 1;
/// Passes of the one-wave experiments that warm the instruction cache: one would do, two show that one did.
const WARM_PASSES: u32 = 2;
/// Place of an experiment until the plan is whole.
const UNPLACED: u32 = u32::MAX;

/// The plan of a run.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    pub kernels: Vec<KernelPlan>,
    /// The experiments, in the order of the instructions.
    pub experiments: Vec<Experiment>,
    /// Their parts, in the same order; those of no part are the base of the others.
    pub parts: Vec<PlanPart>,
}

impl Plan {
    /// The kernels of an instruction, for `gcn-timings kernel`.
    pub fn of_instruction(
        device: &DeviceInformation,
        options: &MeasureOptions,
        instruction: &'static Instruction,
    ) -> Self {
        let mut plan = Self::default();
        plan.instruction(Measurement { device, options }, instruction);
        plan
    }

    pub(super) fn filler(&mut self, measured: Measurement<'_>, filler: Filler) {
        let Some(instruction) = measured.device.instruction(filler.instruction) else { return };
        let Some(snippet) = measured.copies(instruction) else { return };
        let options = measured.options_of_shared();
        let subject = Subject {
            device: measured.device,
            options: &options,
            snippet,
            // There is no copy whose result the first one could take over.
            filler: Filler { first: None, ..filler },
            others: Vec::new(),
            allocation: Allocation::default(),
            case: filler.experiment.split_once(':').map_or_else(String::new, |(_, case)| case.to_owned()),
        };
        let block = Block::of_fillers(filler.run);
        let purpose = "cost of a filler, to be taken off where fillers follow a target";
        let lengths = if filler.run > LONGEST_LINE_DWORDS { MASK_LENGTHS } else { LINE_LENGTHS };
        self.one_wave_of(&subject, ExperimentKind::Filler, "filler", purpose, (block, Order::Straight), &lengths);
    }

    pub(super) fn instruction(&mut self, measured: Measurement<'_>, instruction: &'static Instruction) {
        if let Some((status, why)) = skip_reason(instruction, measured.options) {
            self.leave_out(instruction, status, why);
            return;
        }
        if is_jump(instruction) {
            self.jump(measured, instruction);
            return;
        }
        if is_memory(instruction) {
            self.memory(measured, instruction);
            return;
        }
        let Some(snippet) = measured.copies(instruction) else {
            self.unsupported(instruction);
            return;
        };
        let is_long = snippet.dwords > 1;
        // They wait in a queue, and fillers after them would wait too: nothing stands between them.
        let is_matrix = instruction.is(InstructionClass::WaveMatrix);
        let is_isolated = is_handled(instruction, Action::Isolated);
        let subject = Subject::new(measured, snippet);
        if self.cycles_of_matrix(measured, instruction) {
            self.throughput(&subject, &measured.options.waves);
            return;
        }
        self.cycles(&subject, is_long && !is_matrix || is_isolated);
        self.latency(&subject, is_long);
        if !is_isolated {
            self.throughput(&subject, &measured.options.waves);
        }
    }

    /// Cycles of one wave. A target that the front end charges for its size, or that others must not follow, is at the start of a line.
    fn cycles(&mut self, subject: &Subject<'_>, is_of_line: bool) {
        if waits_for_itself(subject.snippet.instruction, subject.device.generation) {
            let (apart, block) = subject.padded(MASK_BLOCK_DWORDS);
            let purpose = "cycles of one wave, each target alone among fillers, so that no earlier mask is in flight";
            self.one_wave_of(
                &apart,
                ExperimentKind::Cycles,
                "cycles",
                purpose,
                (block, Order::Straight),
                &MASK_LENGTHS,
            );
        } else if is_of_line {
            let block = subject.line();
            let purpose = "cycles of one wave, each target at the start of a 128-byte line, where a front end charges least for its size";
            self.one_wave(subject, ExperimentKind::Cycles, "cycles", purpose, block);
        } else {
            let purpose = "cycles of one wave, independent copies back to back";
            let (spaced, block) = subject.spaced(Block::bare());
            self.one_wave(&spaced, ExperimentKind::Cycles, "cycles", purpose, block);
        }
    }

    /// No experiment writes its operands.
    pub(super) fn unsupported(&mut self, instruction: &Instruction) {
        let why = "no experiment writes its operands yet".into();
        self.leave_out(instruction, ExperimentStatus::Unsupported, why);
    }

    pub(super) fn leave_out(&mut self, instruction: &Instruction, status: ExperimentStatus, detail: String) {
        let id = format!("{}/none", instruction.name);
        let record = ExperimentRecord { status, detail, ..bare_record(instruction, ExperimentKind::Cycles, id) };
        self.experiments.push(Experiment { record, launches: Vec::new(), phase: Phase::EachSweep });
    }

    /// An experiment on one wave, with the lengths that its block has.
    pub(super) fn one_wave(
        &mut self,
        subject: &Subject<'_>,
        kind: ExperimentKind,
        name: &str,
        purpose: &str,
        block: Block,
    ) {
        let lengths = if block.fillers() == 0 { BARE_LENGTHS } else { LINE_LENGTHS };
        self.one_wave_of(subject, kind, name, purpose, (block, Order::Straight), &lengths);
    }

    /// An experiment on one wave.
    pub(super) fn one_wave_of(
        &mut self,
        subject: &Subject<'_>,
        kind: ExperimentKind,
        name: &str,
        purpose: &str,
        (block, order): (Block, Order),
        lengths: &[u32],
    ) {
        // A lane keeps a sample.
        let lanes = subject.device.lanes();
        let most = lanes / lengths.len() as u32;
        // More samples than lanes: the kernel is launched again.
        let samples = subject.options.samples_of_sweep();
        let launches = samples.div_ceil(most);
        let sections = lengths.iter().map(|&n| Section { n, loops: None }).collect();
        let samples = samples.div_ceil(launches);
        let kernel = self.kernel(subject, name, purpose, (block, order), sections, samples, 0);
        let lds_bytes = subject.snippet.lds_bytes;
        let launch = PlannedLaunch { kernel, groups: 1, group_size: lanes, lds_bytes };
        let record = self.record(kernel, kind, experiment_id(subject, name), 1, 1, &subject.case);
        self.experiments.push(Experiment {
            record,
            launches: vec![launch; launches as usize],
            phase: Phase::EachSweep,
        });
    }

    /// Throughput of independent copies on each of these numbers of waves on a SIMD.
    pub(super) fn throughput(&mut self, subject: &Subject<'_>, waves: &[u32]) {
        let block = (Block::bare(), Order::Straight);
        let kind = ExperimentKind::Throughput;
        self.throughput_of(
            subject,
            &Throughput { name: "throughput", id: "rate", kind, block, timed: THROUGHPUT_LOOPS, waves },
        );
    }

    /// An experiment on each of these numbers of waves on a SIMD.
    pub(super) fn throughput_of(
        &mut self,
        subject: &Subject<'_>,
        &Throughput { name, id, kind, ref block, timed, waves }: &Throughput<'_>,
    ) {
        if waves.is_empty() {
            return;
        }
        // A group of the throughput experiments has one wave for each SIMD.
        let generation = subject.device.generation;
        let facts = subject.device.processor().map_or_else(|| generation.descriptor.clone(), Processor::descriptor);
        let simds = subject.device.simds();
        let group_size = simds * subject.device.lanes();
        let kernels = THROUGHPUT_LENGTHS.map(|n| {
            let loops = Loops { warm: WARM_LOOPS, timed };
            let purpose = "throughput: all waves of a compute unit run independent copies";
            let sections = vec![Section { n, loops: Some(loops) }];
            self.kernel(subject, &format!("{name}_{n}"), purpose, block.clone(), sections, 1, simds.ilog2())
        });
        for &waves in waves {
            let id = format!("{}@{waves}", experiment_id(subject, id));
            let mut record = self.record(kernels[0], kind, id, waves, timed, &subject.case);
            let device = subject.device;
            let room = self.kernels[kernels[0]].allocation.waves_with_room(&facts);
            let launches = match device.lds_bytes_for(waves) {
                Some(_) if room < waves => {
                    record.status = ExperimentStatus::Unsupported;
                    record.detail = format!("a SIMD has VGPRs for {room} waves of this kernel");
                    Vec::new()
                }
                Some(lds_bytes) if lds_bytes >= subject.snippet.lds_bytes => {
                    let groups = waves * device.compute_units;
                    let launch = |kernel| PlannedLaunch { kernel, groups, group_size, lds_bytes };
                    kernels.map(launch).to_vec()
                }
                fitting => {
                    record.status = ExperimentStatus::Unsupported;
                    record.detail = match fitting {
                        Some(bytes) => {
                            format!(
                                "{bytes} bytes of LDS are left for each group, {} needed",
                                subject.snippet.lds_bytes
                            )
                        }
                        None => format!("a SIMD of this GPU holds {} waves", device.waves_per_simd),
                    };
                    Vec::new()
                }
            };
            self.experiments.push(Experiment { record, launches, phase: Phase::EachSweep });
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a kernel, each used once")]
    pub(super) fn kernel(
        &mut self,
        subject: &Subject<'_>,
        name: &str,
        purpose: &str,
        (block, order): (Block, Order),
        sections: Vec<Section>,
        samples: u32,
        log2_waves_per_group: u32,
    ) -> usize {
        let snippets = subject.others.iter().chain([&subject.snippet]);
        let allocation = snippets.fold(subject.allocation, |allocation, snippet| allocation.with_room_for(snippet));
        self.kernels.push(KernelPlan {
            name: kernel_name(subject, name),
            experiment: experiment_id(subject, name),
            purpose: purpose.into(),
            snippet: match subject.device.processor() {
                Some(processor) => subject.snippet.clone().before_readings_are_kept(processor),
                None => subject.snippet.clone(),
            },
            others: subject.others.clone(),
            places: Places::of(subject.device.generation),
            allocation,
            filler: subject.filler,
            block,
            order,
            sections,
            samples,
            warm_passes: WARM_PASSES,
            log2_waves_per_group,
            mode: subject.device.record.group_mode(),
        });
        self.kernels.len() - 1
    }

    pub(super) fn record(
        &self,
        kernel: usize,
        kind: ExperimentKind,
        experiment: String,
        waves: u32,
        repeats: u32,
        case: &str,
    ) -> ExperimentRecord {
        let kernel = &self.kernels[kernel];
        let snippet = &kernel.snippet;
        let has_fillers = kernel.block.fillers() > 0 && kind != ExperimentKind::Filler;
        ExperimentRecord {
            case: case.into(),
            bytes: u32::from(snippet.dwords) * 4,
            waves_per_simd: waves,
            targets_per_block: kernel.block.snippets(),
            fillers_per_block: kernel.block.fillers(),
            filler: if has_fillers { kernel.filler.experiment.into() } else { String::new() },
            repeats,
            assembly: if kind == ExperimentKind::Filler {
                kernel.filler.text.into()
            } else {
                snippet.copies[0].clone()
            },
            initial_values: initial_values(kernel),
            ..bare_record(snippet.instruction, kind, experiment)
        }
    }
}

/// The row of an experiment without code.
fn bare_record(instruction: &Instruction, kind: ExperimentKind, experiment: String) -> ExperimentRecord {
    ExperimentRecord {
        experiment,
        place: UNPLACED,
        kind,
        instruction: instruction.name.clone(),
        case: String::new(),
        rule: String::new(),
        offset_dwords: None,
        amount: None,
        baseline: String::new(),
        encoding: instruction.encoding.name().into(),
        bytes: 0,
        waves_per_simd: 1,
        targets_per_block: 1,
        fillers_per_block: 0,
        filler: String::new(),
        repeats: 1,
        assembly: String::new(),
        initial_values: String::new(),
        status: ExperimentStatus::Ok,
        detail: String::new(),
    }
}
