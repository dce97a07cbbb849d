//! Runs with known truth: the records of a device with given timings and noise.

use std::path::Path;

use gcn_analysis::Results;
use gcn_analysis::run::{StoredReading, StoredRun};
use gcn_model::isa::generation;
use gcn_model::record::{
    DeviceRecord, ExperimentKind, ExperimentRecord, ExperimentStatus, OptionsRecord, Reading, RunRecord,
};

use crate::lcg::Lcg;

/// Round trip of S_MEMTIME in these runs, shader cycles.
const MEMTIME: u64 = 41;

/// How each reading is late.
#[derive(Clone, Copy, Default)]
pub(crate) struct Noise {
    /// 0..=jitter cycles, all alike.
    pub(crate) jitter: u64,
    /// Share of the readings that are later by `outlier_cycles`.
    pub(crate) outlier_rate: f64,
    pub(crate) outlier_cycles: u64,
    /// Share of the passes in which everything takes twice the cycles.
    pub(crate) doubled_rate: f64,
}

impl Noise {
    /// The noise of the design's example: jitter of 3 cycles, 2 % of the readings 4,000 cycles late.
    pub(crate) const USUAL: Self = Self { jitter: 3, outlier_rate: 0.02, outlier_cycles: 4000, doubled_rate: 0.0 };

    fn late(&self, lcg: &mut Lcg) -> u64 {
        let outlier = if lcg.chance(self.outlier_rate) { self.outlier_cycles } else { 0 };
        lcg.below(self.jitter + 1) + outlier
    }

    /// Begin and end of timed code that truly takes `cycles`.
    pub(crate) fn readings(&self, lcg: &mut Lcg, at: u64, cycles: u64) -> (u64, u64) {
        let cycles = if lcg.chance(self.doubled_rate) { 2 * cycles } else { cycles };
        (at + self.late(lcg), at + cycles + self.late(lcg))
    }
}

/// A run under construction.
pub(crate) struct SyntheticRun {
    pub(crate) record: RunRecord,
    pub(crate) experiments: Vec<ExperimentRecord>,
    pub(crate) readings: Vec<Reading>,
    pub(crate) noise: Noise,
    /// Blocks of the timed code.
    pub(crate) lengths: Vec<u32>,
    /// Stored passes per length.
    pub(crate) passes: u32,
    /// The form in which instructions stand from now on; empty for the plain one.
    pub(crate) case: &'static str,
    lcg: Lcg,
    launch: u32,
    clock: u64,
}

/// The repeated code of an experiment, for the generator.
#[derive(Clone, Copy)]
pub(crate) struct Code<'a> {
    pub(crate) instruction: &'a str,
    pub(crate) encoding: &'a str,
    pub(crate) bytes: u32,
}

/// A one-dword VOP2.
pub(crate) const fn vop2(instruction: &str) -> Code<'_> {
    Code { instruction, encoding: "VOP2", bytes: 4 }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A two-dword VOP3.
pub(crate) const fn vop3(instruction: &str) -> Code<'_> {
    Code { instruction, encoding: "VOP3", bytes: 8 }
}

impl SyntheticRun {
    pub(crate) fn new(target: &str, generation: &str, seed: u64) -> Self {
        let record = RunRecord {
            schema: RunRecord::SCHEMA,
            tool: "gcn-timings 0.1.0".into(),
            device: DeviceRecord {
                wave_size: None,
                mode: None,
                device: "synthetic".into(),
                name: "synthetic".into(),
                driver: "none".into(),
                target: target.into(),
                generation: generation.into(),
                compute_units: 4,
                clock_mhz: None,
                realtime_mhz: None,
                card: None,
                facts_sha256: None,
            },
            assembler: "none".into(),
            options: OptionsRecord {
                suites: vec!["instructions".into()],
                only: vec![],
                waves: vec![1, 2, 4],
                samples: 32,
                sweeps: 4,
                seed: 1,
                budget: None,
                dangerous: false,
            },
            code_objects: vec![],
            start: "2026-01-01T00:00:00Z".into(),
            dp_rate_field: Vec::new(),
            end: Some("2026-01-01T00:01:00Z".into()),
            shard: None,
            shards: Vec::new(),
            resumed: Vec::new(),
            lost: Vec::new(),
            warm_up_failure: None,
            tries: None,
            sha256: String::new(),
        };
        Self {
            record,
            experiments: vec![],
            readings: vec![],
            noise: Noise::default(),
            lengths: vec![8, 16, 32],
            passes: 32,
            case: "",
            lcg: Lcg::new(seed),
            launch: 0,
            clock: 1_000_000,
        }
    }

    pub(crate) fn with_noise(mut self, noise: Noise) -> Self {
        self.noise = noise;
        self
    }

    fn experiment(&mut self, code: Code<'_>, kind: ExperimentKind, waves: u32, counts: (u32, u32, u32)) -> String {
        let suffix = match kind {
            ExperimentKind::Filler => "filler".to_owned(),
            ExperimentKind::Cycles => "cycles".to_owned(),
            ExperimentKind::Chain => "chain".to_owned(),
            ExperimentKind::ChainBaseline => "packed".to_owned(),
            ExperimentKind::Relay => "relay".to_owned(),
            ExperimentKind::Taken => "taken".to_owned(),
            ExperimentKind::Chase => "chase".to_owned(),
            ExperimentKind::Block
            | ExperimentKind::Footprint
            | ExperimentKind::Residence
            | ExperimentKind::Semantics => "case".to_owned(),
            ExperimentKind::Throughput => format!("throughput@{waves}"),
            ExperimentKind::Issue => format!("issue@{waves}"),
        };
        let (targets_per_block, fillers_per_block, repeats) = counts;
        let filler = if fillers_per_block > 0 && kind != ExperimentKind::Filler { "V_MOV_B32/filler" } else { "" };
        let experiment = match self.case {
            "" => format!("{}/{suffix}", code.instruction),
            case => format!("{}/{}@{suffix}", code.instruction, case.replace(' ', "_")),
        };
        self.experiments.push(ExperimentRecord {
            experiment: experiment.clone(),
            place: self.experiments.len() as u32,
            kind,
            instruction: code.instruction.into(),
            case: self.case.into(),
            rule: String::new(),
            offset_dwords: None,
            amount: None,
            baseline: String::new(),
            encoding: code.encoding.into(),
            bytes: code.bytes,
            waves_per_simd: waves,
            targets_per_block,
            fillers_per_block,
            filler: filler.into(),
            repeats,
            assembly: code.instruction.to_lowercase(),
            initial_values: String::new(),
            status: ExperimentStatus::Ok,
            detail: String::new(),
        });
        experiment
    }

    /// Readings of a wave whose block takes `block` cycles at each length.
    fn one_wave(&mut self, experiment: &str, block: impl Fn(u32) -> u64) {
        for n in self.lengths.clone() {
            for pass in 0..self.passes {
                let cycles = MEMTIME + u64::from(n) * block(n);
                let (begin, end) = self.noise.readings(&mut self.lcg, self.clock, cycles);
                self.clock += cycles + 5000;
                self.push(experiment, (n, pass, 0), (begin, end), (0, 0));
            }
            self.launch += 1;
        }
    }

    fn push(
        &mut self,
        experiment: &str,
        (n, pass, wave): (u32, u32, u32),
        (begin, end): (u64, u64),
        hw_id: (u32, u32),
    ) {
        self.readings.push(Reading {
            experiment: experiment.into(),
            launch: self.launch,
            n,
            pass,
            wave,
            begin,
            end,
            hw_id: hw_id.0,
            hw_id_end: hw_id.1,
            realtime_begin: None,
            realtime_end: None,
        });
    }

    /// Fillers of 4 cycles alone: six one-dword V_MOV_B32 per block.
    pub(crate) fn filler(&mut self) {
        let code = Code { instruction: "V_MOV_B32", encoding: "VOP1", bytes: 4 };
        let id = self.experiment(code, ExperimentKind::Filler, 1, (0, 6, 1));
        self.one_wave(&id, |_| 24);
    }

    /// Independent copies: eight alone in a block, or one with six fillers if it has two dwords.
    pub(crate) fn cycles(&mut self, code: Code<'_>, cycles: u64) {
        self.cycles_by_length(code, |_| cycles);
    }

    /// The same, with cycles that depend on the length, which a linear fit has to notice.
    pub(crate) fn cycles_by_length(&mut self, code: Code<'_>, cycles: impl Fn(u32) -> u64) {
        if code.bytes == 8 {
            let id = self.experiment(code, ExperimentKind::Cycles, 1, (1, 6, 1));
            self.one_wave(&id, |n| cycles(n) + 24);
        } else {
            let id = self.experiment(code, ExperimentKind::Cycles, 1, (8, 0, 1));
            self.one_wave(&id, |n| 8 * cycles(n));
        }
    }

    /// An instruction of two dwords whose single instances take the cycles of `each`, with a section of one alone.
    pub(crate) fn cycles_each(&mut self, code: Code<'_>, each: impl Fn(u64) -> u64) {
        let id = self.experiment(code, ExperimentKind::Cycles, 1, (1, 6, 1));
        let mut lengths = vec![1];
        lengths.extend(&self.lengths);
        for n in lengths {
            for pass in 0..self.passes {
                let instances: u64 = (0..n).map(|_| each(self.lcg.below(1 << 20))).sum();
                let cycles = MEMTIME + u64::from(n) * 24 + instances;
                let (begin, end) = self.noise.readings(&mut self.lcg, self.clock, cycles);
                self.clock += cycles + 5000;
                self.push(&id, (n, pass, 0), (begin, end), (0, 0));
            }
            self.launch += 1;
        }
    }

    /// Memory instructions, each waited for.
    pub(crate) fn chase(&mut self, code: Code<'_>, latency: u64) {
        let id = self.experiment(code, ExperimentKind::Chase, 1, (1, 0, 1));
        self.one_wave(&id, |_| latency);
    }

    /// A jump that is taken, with six fillers.
    pub(crate) fn taken(&mut self, code: Code<'_>, cycles: u64) {
        let id = self.experiment(code, ExperimentKind::Taken, 1, (1, 6, 1));
        self.one_wave(&id, |_| cycles + 24);
    }

    /// The stride sweep of an LDS with this many banks, 64 lanes of a dword each; a pass serves 32 lanes at most.
    pub(crate) fn stride_sweep(&mut self, banks: u64, strides: &[(&'static str, u64)], waves: u32) {
        for &(case, stride) in strides {
            let at_once = banks.min(32);
            let lanes_of_one_bank = 64 / (64.min(banks / gcd(stride, banks)));
            self.case = case;
            let code = Code { instruction: "DS_READ_B32", encoding: "DS", bytes: 8 };
            self.throughput(code, waves, 4, lanes_of_one_bank.max(64 / at_once));
        }
        self.case = "";
    }

    /// A chain, with the packed copies for two dwords; the front end charges 2.5 cycles for each of those.
    pub(crate) fn chain(&mut self, code: Code<'_>, cycles: u64, latency: u64) {
        let charge = if code.bytes == 8 { 10 } else { 0 };
        let id = self.experiment(code, ExperimentKind::Chain, 1, (4, 0, 1));
        self.one_wave(&id, |_| 4 * latency + charge);
        if code.bytes == 8 {
            let id = self.experiment(code, ExperimentKind::ChainBaseline, 1, (4, 0, 1));
            self.one_wave(&id, |_| 4 * cycles + charge);
        }
    }

    /// A chain whose copies are joined by six moves of 4 cycles each.
    pub(crate) fn relay(&mut self, code: Code<'_>, latency: u64) {
        let id = self.experiment(code, ExperimentKind::Relay, 1, (1, 6, 1));
        self.one_wave(&id, |_| latency + 24);
    }

    /// Waves on all four SIMDs of two compute units: each instruction holds its wave for `cycles`, and the unit does
    /// no more than one in `interval` cycles.
    pub(crate) fn throughput(&mut self, code: Code<'_>, waves: u32, cycles: u64, interval: u64) {
        let id = self.experiment(code, ExperimentKind::Throughput, waves, (8, 0, 10));
        for n in self.lengths.clone() {
            for _ in 0..4 {
                for unit in 0..2 {
                    let instructions = 8 * 10 * u64::from(n);
                    let busy = (instructions * cycles).max(4 * u64::from(waves) * instructions * interval);
                    for wave in 0..4 * waves {
                        let start = self.clock + self.lcg.below(20);
                        let (begin, end) = self.noise.readings(&mut self.lcg, start, busy + MEMTIME);
                        let hw_id = unit << 8 | (wave % 4) << 4 | (wave / 4);
                        self.push(&id, (n, 0, unit * 4 * waves + wave), (begin, end), (hw_id, hw_id));
                    }
                }
                self.launch += 1;
                self.clock += 10_000_000;
            }
        }
    }

    /// An experiment that left no readings.
    pub(crate) fn without_readings(&mut self, code: Code<'_>, status: ExperimentStatus, detail: &str) {
        self.experiment(code, ExperimentKind::Cycles, 1, (8, 0, 1));
        if let Some(last) = self.experiments.last_mut() {
            last.status = status;
            last.detail = detail.into();
        }
    }

    /// Writes the folder as a run does.
    pub(crate) fn write(&self, folder: &Path) {
        let json = serde_json::to_string_pretty(&self.record).expect("a record is JSON");
        std::fs::write(folder.join("run.json"), json).expect("the folder is writable");
        let mut writer = csv::Writer::from_path(folder.join("experiments.csv")).expect("the folder is writable");
        self.experiments.iter().for_each(|row| writer.serialize(row).expect("a row is CSV"));
        writer.flush().expect("the disk has room");
        let mut writer = csv::Writer::from_path(folder.join("readings.csv")).expect("the folder is writable");
        self.readings.iter().for_each(|row| writer.serialize(row).expect("a row is CSV"));
        writer.flush().expect("the disk has room");
    }

    /// Writes the folder and analyses it.
    pub(crate) fn analysis(&self) -> Results {
        let folder = tempfile::tempdir().expect("a temporary folder");
        self.write(folder.path());
        gcn_analysis::analyze(folder.path()).expect("a whole run")
    }

    /// Analyses the run without the way over files.
    pub(crate) fn analysis_in_memory(&self) -> Results {
        let positions: std::collections::HashMap<&str, u32> =
            (0..).zip(&self.experiments).map(|(index, record)| (record.experiment.as_str(), index)).collect();
        let readings = self.readings.iter().map(|reading| StoredReading {
            experiment: positions[reading.experiment.as_str()],
            launch: reading.launch,
            n: reading.n,
            pass: reading.pass,
            wave: reading.wave,
            begin: reading.begin,
            end: reading.end,
            hw_id: reading.hw_id,
            hw_id_end: reading.hw_id_end,
            realtime_begin: reading.realtime_begin,
            realtime_end: reading.realtime_end,
        });
        let (record, experiments) = (self.record.clone(), self.experiments.clone());
        Results::of(&StoredRun::new(record, generation("gfx6"), experiments, readings.collect()))
    }
}

/// All that a run's summary says, as text.
pub(crate) fn whole_summary(analysis: &Results) -> String {
    analysis.summary().document(Vec::new(), true).markdown()
}
