//! The plan of a run: every instruction of the GPU, with its experiments or the reason why there are none.

use gcn_model::isa::{self, Encoding, Instruction};
use gcn_model::record::{ExperimentKind, ExperimentRecord, ExperimentStatus};

use super::MeasureOptions;
use crate::device::DeviceInformation;
use crate::kernel::{
    Action, Block, Copies, Filler, KernelPlan, Loops, SAMPLES_PER_KERNEL, SCALAR_FILLER, Section, Target,
    VECTOR_FILLER, handling, initial_values,
};

/// Lengths of the one-wave experiments with nothing but targets, in targets: multiples of a 64-byte line.
const BARE_LENGTHS: [u32; 3] = [16, 32, 64];
/// Lengths of the one-wave experiments whose blocks are a 64-byte line each.
const LINE_LENGTHS: [u32; 3] = [8, 16, 32];
/// Lengths of the throughput experiments, in targets.
const THROUGHPUT_LENGTHS: [u32; 2] = [32, 64];
/// Times that a throughput kernel runs its targets between the readings.
const THROUGHPUT_LOOPS: u32 = 4;
/// Times that it runs them before that: once brings the code into the instruction cache, and is over before any wave
/// begins, since all sleep in between.
const WARM_LOOPS: u32 = 1;
/// Passes of the one-wave experiments that warm the instruction cache: one would do, two show that one did.
const WARM_PASSES: u32 = 2;
/// Times more samples of a filler than of a target: the filler's error goes into every target behind which it stands.
const FILLER_SAMPLES: u32 = 5;
/// Dwords of a line: what a block of a 2-dword target and its fillers adds up to.
const LINE_DWORDS: u32 = 16;
/// Scalar memory instructions that read memory and write registers only: those of the published page, and S_MEMREALTIME.
const SCALAR_MEMORY: [&str; 14] = [
    "S_LOAD_DWORD",
    "S_LOAD_DWORDX2",
    "S_LOAD_DWORDX4",
    "S_LOAD_DWORDX8",
    "S_LOAD_DWORDX16",
    "S_BUFFER_LOAD_DWORD",
    "S_BUFFER_LOAD_DWORDX2",
    "S_BUFFER_LOAD_DWORDX4",
    "S_BUFFER_LOAD_DWORDX8",
    "S_BUFFER_LOAD_DWORDX16",
    "S_DCACHE_INV",
    "S_DCACHE_INV_VOL",
    "S_MEMTIME",
    "S_MEMREALTIME",
];
/// Work-items of a group of the throughput experiments: one wave for each SIMD.
const THROUGHPUT_GROUP: u32 = 256;

/// One launch of an experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedLaunch {
    /// Index of the kernel in the plan.
    pub kernel: usize,
    /// Work-groups.
    pub groups: u32,
    /// Work-items of a group.
    pub group_size: u32,
    /// LDS of a group: steers how many groups share a compute unit.
    pub lds_bytes: u32,
}

/// An experiment and its launches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Experiment {
    /// Its row of `experiments.csv`; the status is what it will be if all goes well.
    pub record: ExperimentRecord,
    /// Its launches, in order; none if it is skipped.
    pub launches: Vec<PlannedLaunch>,
}

/// What a run is going to do.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// The kernels.
    pub kernels: Vec<KernelPlan>,
    /// The experiments, in the order of the instructions.
    pub experiments: Vec<Experiment>,
}

impl Plan {
    /// Plans the measurement of a device.
    pub fn new(device: &DeviceInformation, options: &MeasureOptions) -> Self {
        let mut plan = Self::default();
        for filler in [VECTOR_FILLER, SCALAR_FILLER] {
            plan.filler(device, options, filler);
        }
        for instruction in isa::of(device.generation).filter(|instruction| options.wants(&instruction.name)) {
            plan.instruction(device, options, instruction);
        }
        plan
    }

    /// The kernels of one instruction, for `gcn-timings kernel`.
    pub fn of_instruction(
        device: &DeviceInformation,
        options: &MeasureOptions,
        instruction: &'static Instruction,
    ) -> Self {
        let mut plan = Self::default();
        plan.instruction(device, options, instruction);
        plan
    }

    fn filler(&mut self, device: &DeviceInformation, options: &MeasureOptions, filler: Filler) {
        let Some(instruction) = isa::find(filler.instruction, device.generation) else { return };
        let Some(target) = Target::new(instruction, device.generation, Copies::Independent) else { return };
        let options = MeasureOptions { samples: options.samples.saturating_mul(FILLER_SAMPLES), ..options.clone() };
        let subject = Subject { device, options: &options, target, filler };
        let block = Block { targets: 0, fillers: LINE_DWORDS };
        let purpose = "what a filler takes, to be taken off where fillers stand behind a target";
        self.one_wave(&subject, ExperimentKind::Filler, "filler", purpose, block);
    }

    fn instruction(&mut self, device: &DeviceInformation, options: &MeasureOptions, instruction: &'static Instruction) {
        if let Some((status, why)) = obstacle(instruction, options) {
            self.leave_out(instruction, status, why);
            return;
        }
        let Some(target) = Target::new(instruction, device.generation, Copies::Independent) else {
            let why = "no experiment writes its operands yet".into();
            self.leave_out(instruction, ExperimentStatus::Unsupported, why);
            return;
        };
        let is_jump = instruction.encoding == Encoding::Sopp;
        let is_long = target.dwords > 1;
        let filler = if is_scalar(instruction) { SCALAR_FILLER } else { VECTOR_FILLER };
        let subject = Subject { device, options, target, filler };
        if is_jump {
            self.jump(&subject);
            return;
        }
        if matches!(instruction.encoding, Encoding::Smrd | Encoding::Smem) {
            // A line of fillers behind each gives the load time to end: its latency is not to be measured here.
            let block = Block { targets: 1, fillers: LINE_DWORDS - u32::from(subject.target.dwords) };
            let purpose =
                "cycles of one wave to issue it, each at the start of a 64-byte line; its data are not waited for";
            self.one_wave(&subject, ExperimentKind::Cycles, "cycles", purpose, block);
            return;
        }
        if is_long {
            let block = Block { targets: 1, fillers: LINE_DWORDS - u32::from(subject.target.dwords) };
            let purpose = "cycles of one wave, each target at the start of a 64-byte line where no front end charges for its size";
            self.one_wave(&subject, ExperimentKind::Cycles, "cycles", purpose, block);
        } else {
            let purpose = "cycles of one wave, independent copies back to back";
            self.one_wave(&subject, ExperimentKind::Cycles, "cycles", purpose, Block::BARE);
        }
        if let Some(chain) = Target::new(instruction, device.generation, Copies::Chain) {
            if is_long {
                let purpose =
                    "independent copies at the places of the chain, so that what the front end charges cancels";
                self.one_wave(&subject, ExperimentKind::Packed, "packed", purpose, Block::BARE);
            }
            let subject = Subject { target: chain, ..subject.clone() };
            let purpose = "latency: each copy reads what the one before it wrote";
            self.one_wave(&subject, ExperimentKind::Chain, "chain", purpose, Block::BARE);
        }
        self.throughput(&subject);
    }

    /// A jump, taken and not taken. Not on many waves: a loop's own jump would be told apart by nothing.
    fn jump(&mut self, subject: &Subject<'_>) {
        for (action, kind, name, purpose) in [
            (
                Action::NotTaken,
                ExperimentKind::Cycles,
                "cycles",
                "cycles of a jump that is not taken, one wave, each at the start of a 64-byte line",
            ),
            (
                Action::Taken,
                ExperimentKind::Taken,
                "taken",
                "cycles of a jump to the next instruction, one wave, each at the start of a 64-byte line",
            ),
        ] {
            if let Some(target) = subject.target.jumping(action) {
                let block = Block { targets: 1, fillers: LINE_DWORDS - 1 };
                self.one_wave(&Subject { target, ..subject.clone() }, kind, name, purpose, block);
            }
        }
    }

    fn leave_out(&mut self, instruction: &Instruction, status: ExperimentStatus, detail: String) {
        let record = ExperimentRecord {
            experiment: format!("{}/none", instruction.name),
            kind: ExperimentKind::Cycles,
            instruction: instruction.name.clone(),
            case: String::new(),
            encoding: instruction.encoding.name().into(),
            bytes: 0,
            waves_per_simd: 1,
            targets_per_block: 1,
            fillers_per_block: 0,
            filler: String::new(),
            repeats: 1,
            assembly: String::new(),
            initial_values: String::new(),
            status,
            detail,
        };
        self.experiments.push(Experiment { record, launches: Vec::new() });
    }

    fn one_wave(&mut self, subject: &Subject<'_>, kind: ExperimentKind, name: &str, purpose: &str, block: Block) {
        let lengths = if block == Block::BARE { BARE_LENGTHS } else { LINE_LENGTHS };
        let most = SAMPLES_PER_KERNEL / lengths.len() as u32;
        // More samples than lanes: the kernel is launched again.
        let launches = subject.options.samples.div_ceil(most).max(1);
        let sections = lengths.map(|n| Section { n, loops: None }).to_vec();
        let samples = subject.options.samples.div_ceil(launches).max(1);
        let kernel = self.kernel(subject, name, purpose, block, sections, samples, 0);
        let launch = PlannedLaunch { kernel, groups: 1, group_size: 64, lds_bytes: 0 };
        let record = self.record(kernel, kind, format!("{}/{name}", subject.target.instruction.name), 1, 1);
        self.experiments.push(Experiment { record, launches: vec![launch; launches as usize] });
    }

    fn throughput(&mut self, subject: &Subject<'_>) {
        if subject.options.waves.is_empty() {
            return;
        }
        let name = &subject.target.instruction.name;
        let kernels = THROUGHPUT_LENGTHS.map(|n| {
            let loops = Loops { warm: WARM_LOOPS, timed: THROUGHPUT_LOOPS };
            let purpose = "throughput: all waves of a compute unit run independent copies";
            let sections = vec![Section { n, loops: Some(loops) }];
            self.kernel(subject, &format!("throughput_{n}"), purpose, Block::BARE, sections, 1, 2)
        });
        for &waves in &subject.options.waves {
            let id = format!("{name}/throughput@{waves}");
            let mut record = self.record(kernels[0], ExperimentKind::Throughput, id, waves, THROUGHPUT_LOOPS);
            let device = subject.device;
            let launches = match device.lds_bytes_for(waves) {
                Some(lds_bytes) => {
                    let groups = waves * device.compute_units;
                    let launch = |kernel| PlannedLaunch { kernel, groups, group_size: THROUGHPUT_GROUP, lds_bytes };
                    let each = subject.options.throughput_launches.max(1) as usize;
                    kernels.iter().flat_map(|kernel| vec![launch(*kernel); each]).collect()
                }
                None => {
                    record.status = ExperimentStatus::Unsupported;
                    record.detail = format!("a SIMD of this GPU has {} wave slots", device.waves_per_simd);
                    Vec::new()
                }
            };
            self.experiments.push(Experiment { record, launches });
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a kernel, each used once")]
    fn kernel(
        &mut self,
        subject: &Subject<'_>,
        name: &str,
        purpose: &str,
        block: Block,
        sections: Vec<Section>,
        samples: u32,
        log2_waves_per_group: u32,
    ) -> usize {
        let instruction = &subject.target.instruction.name;
        self.kernels.push(KernelPlan {
            name: format!("{instruction}_{name}"),
            experiment: format!("{instruction}/{name}"),
            purpose: purpose.into(),
            target: subject.target.clone(),
            filler: subject.filler,
            block,
            sections,
            samples,
            warm_passes: WARM_PASSES,
            log2_waves_per_group,
        });
        self.kernels.len() - 1
    }

    fn record(
        &self,
        kernel: usize,
        kind: ExperimentKind,
        experiment: String,
        waves: u32,
        repeats: u32,
    ) -> ExperimentRecord {
        let kernel = &self.kernels[kernel];
        let target = &kernel.target;
        let has_fillers = kernel.block.fillers > 0 && kind != ExperimentKind::Filler;
        ExperimentRecord {
            experiment,
            kind,
            instruction: target.instruction.name.clone(),
            case: String::new(),
            encoding: target.instruction.encoding.name().into(),
            bytes: u32::from(target.dwords) * 4,
            waves_per_simd: waves,
            targets_per_block: kernel.block.targets,
            fillers_per_block: kernel.block.fillers,
            filler: if has_fillers { kernel.filler.experiment.into() } else { String::new() },
            repeats,
            assembly: if kind == ExperimentKind::Filler { kernel.filler.text.into() } else { target.copies[0].clone() },
            initial_values: initial_values(kernel),
            status: ExperimentStatus::Ok,
            detail: String::new(),
        }
    }
}

/// What the kernels of an instruction share.
#[derive(Clone)]
struct Subject<'a> {
    device: &'a DeviceInformation,
    options: &'a MeasureOptions,
    target: Target,
    filler: Filler,
}

/// Why an instruction has no experiments, if there is a reason.
pub fn obstacle(instruction: &Instruction, options: &MeasureOptions) -> Option<(ExperimentStatus, String)> {
    for row in handling(&instruction.name) {
        match row.action {
            Action::Skip => return Some((ExperimentStatus::Skipped, format!("{} ({})", row.reason, row.source))),
            Action::Dangerous if !options.dangerous => {
                let why = format!("dangerous, launched with --dangerous only: {} ({})", row.reason, row.source);
                return Some((ExperimentStatus::Skipped, why));
            }
            _ => {}
        }
    }
    let why = match instruction.encoding {
        Encoding::Sop1 | Encoding::Sop2 | Encoding::Sopk | Encoding::Sopc => return None,
        Encoding::Vop1 | Encoding::Vop2 | Encoding::Vop3 | Encoding::Vop3p | Encoding::Vopc => {
            let needs_parameters =
                instruction.operands.iter().any(|operand| operand.kind == isa::OperandKind::Attribute);
            if !needs_parameters {
                return None;
            }
            "reads interpolation parameters, which a compute kernel has none of (docs/facts.md §7)"
        }
        Encoding::Sopp
            if handling(&instruction.name).iter().any(|row| matches!(row.action, Action::Taken | Action::NotTaken)) =>
        {
            return None;
        }
        Encoding::Sopp => "program control: no experiment yet",
        Encoding::Smrd | Encoding::Smem if SCALAR_MEMORY.contains(&instruction.name.as_str()) => return None,
        Encoding::Smrd | Encoding::Smem => "scalar memory that writes, or needs scratch or a probe: no experiment yet",
        Encoding::Ds => "LDS and GDS: no experiment yet",
        Encoding::Mubuf | Encoding::Mtbuf => "buffer memory: no experiment yet",
        Encoding::Flat => "flat memory: no experiment yet",
        Encoding::Mimg => "needs an image descriptor: no experiment yet",
        Encoding::Exp => "exports have no target in a compute kernel (docs/facts.md §7)",
        Encoding::Vintrp => "reads interpolation parameters, which a compute kernel has none of (docs/facts.md §7)",
    };
    Some((ExperimentStatus::Skipped, why.into()))
}

fn is_scalar(instruction: &Instruction) -> bool {
    use Encoding::{Smem, Smrd, Sop1, Sop2, Sopc, Sopk, Sopp};
    matches!(instruction.encoding, Sop1 | Sop2 | Sopk | Sopc | Sopp | Smrd | Smem)
}
