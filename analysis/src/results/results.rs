//! The results of a run: what its folder gives, derived from its records or read where only the tables were kept, and which
//! of its numbers rest on estimates.

use std::collections::HashSet;
use std::ops::Deref;
use std::path::PathBuf;

use gcn_model::gpu::Gpu;
use gcn_model::isa::Generation;
use gcn_model::published;
use gcn_model::record::{DeviceRecord, ExperimentRecord, RunRecord};
use gcn_model::timing::{Guess, Timings};

use crate::clock::{NoClock, ShaderClock};
use crate::estimates::EstimateRow;
use crate::many_waves::ThroughputRow;
use crate::occupancy::Occupancy;
use crate::one_wave::{Distribution, TimingRow, VariantRow};
use crate::rules::{FrontEnd, PenaltyRow};
use crate::run::StoredRun;
use crate::settle::Tally;
use crate::suites::Suites;
use crate::verdict::{DisputeRow, DpFactor, GlcExtra, LdsBanks, NoDoublePrecision, SemanticRow, ValidationRow};

/// Everything that follows from a run's readings and the published tables, and from nothing else; of results that were kept without
/// readings, what their tables say.
#[derive(Debug, Clone)]
pub struct Results {
    /// Where they are; empty if they were derived from a run in memory.
    pub folder: PathBuf,
    /// The records that they follow from, all of which were checked; none of results that were read.
    pub run: Option<Box<StoredRun>>,
    /// Files of the folder that do not say what its records do: changed, or of an earlier state of the run.
    pub differing: Vec<&'static str>,
    /// `run.json`.
    pub record: RunRecord,
    /// `clock.csv`: the shader clock during the run, or why it is unknown.
    pub clock: Result<ShaderClock, NoClock>,
    /// `estimates.csv`: a row for each experiment, in their order.
    pub estimates: Vec<EstimateRow>,
    /// `timings.csv`, in the order of the experiments.
    pub timings: Vec<TimingRow>,
    /// `throughput.csv`.
    pub throughputs: Vec<ThroughputRow>,
    /// `variants.csv`: instructions in other forms than their plain ones.
    pub variants: Vec<VariantRow>,
    /// `distributions.csv`: instructions that do not always take the same.
    pub distributions: Vec<Distribution>,
    /// `penalties.csv`.
    pub penalties: Vec<PenaltyRow>,
    /// The front end that the alignment cases show. Like all that has no table, it is known of a run with its records only.
    pub front_end: Option<FrontEnd>,
    /// The number of LDS banks, if the run has a stride sweep.
    pub lds_banks: Option<LdsBanks>,
    /// The CLRX table's GLC1 and GLC2, as far as measured.
    pub glc: Vec<GlcExtra>,
    /// `disputes.csv`: what each source says on a disputed question, and who was right.
    pub disputes: Vec<DisputeRow>,
    /// `semantics.csv`: cases whose result no source states.
    pub semantics: Vec<SemanticRow>,
    /// `occupancy.csv`, `residence.csv`, `allocation.csv` and `issue.csv`.
    pub occupancy: Occupancy,
    /// What the suites that stand for themselves found; also reached by the names of its fields.
    pub suites: Suites,
    /// `dpfactor.json`.
    pub dpfactor: Result<DpFactor, NoDoublePrecision>,
    /// `validation.csv`, source by source.
    pub validation: Vec<ValidationRow>,
    /// Ids of the experiments that are to be measured again; see [`unsettled`](crate::unsettled).
    pub unsettled: Vec<String>,
    /// Experiments whose last attempt failed: their values are lost.
    pub failed: Vec<FailedTry>,
    /// Experiments that failed and stood when they were tried again.
    pub retried: Vec<FailedTry>,
    /// How many experiments there are.
    pub experiments: usize,
}

/// An attempt at an experiment that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedTry {
    pub experiment: String,
    pub why: String,
}

impl FailedTry {
    pub(crate) fn of((record, why): (&ExperimentRecord, &str)) -> Self {
        Self { experiment: record.experiment.clone(), why: why.to_owned() }
    }
}

impl Deref for Results {
    type Target = Suites;

    fn deref(&self) -> &Suites {
        &self.suites
    }
}

impl Results {
    /// What became of all readings of the run.
    pub fn tally(&self) -> Tally {
        self.estimates.iter().map(|row| row.tally).sum()
    }

    /// Whether the CLRX table speaks of the run's generation: it ends at GCN 1.4.
    pub fn is_in_clrx(&self) -> bool {
        self.record.device.known_generation().and_then(Generation::clrx_name).is_some()
    }

    /// The instructions that have a number, and of which the CLRX table (the first source) says nothing.
    pub fn beyond_clrx(&self) -> impl Iterator<Item = &TimingRow> {
        let page = published::sources().first().map_or("", published::Published::name);
        let of_clrx = self.validation.iter().filter(|row| row.source == page);
        let in_clrx: HashSet<&str> = of_clrx.map(|row| row.instruction.as_str()).collect();
        self.timings.iter().filter(move |row| row.has_number() && !in_clrx.contains(row.instruction.as_str()))
    }

    /// Their subject, for a head: the device, whose name says whether it is simulated, and the time of the measurement.
    pub fn title(&self) -> String {
        let device = &self.record.device.name;
        // A folder that no run wrote, such as one made of another tool's results, has no checksums, and no records to derive from.
        if self.run.is_none() && (!self.record.sha256.is_empty() || self.record.start.is_empty()) {
            format!("{device}, results without records")
        } else {
            format!("{device}, run {}", self.run_id())
        }
    }

    /// What names the run wherever its folder lies: its start, to the second.
    pub fn run_id(&self) -> String {
        match self.record.start.split_once('.') {
            Some((seconds, _)) => format!("{seconds}Z"),
            None => self.record.start.clone(),
        }
    }
}

/// The simulated card of a run, if its file ships: of others it is not known what is an estimate.
#[derive(Debug)]
pub struct Guesses(Option<(Gpu, Timings)>);

impl Guesses {
    /// Those of a device.
    pub fn of(device: &DeviceRecord) -> Self {
        let name = device.device.strip_prefix("sim:").filter(|_| device.is_simulated());
        let gpu = name.and_then(|name| Gpu::named(name).ok());
        Self(gpu.map(|gpu| {
            let timings = Timings::of(&gpu);
            (gpu, timings)
        }))
    }

    /// Whether it is known what is an estimate.
    pub fn are_known(&self) -> bool {
        self.0.is_some()
    }

    /// Those among the numbers of an instruction.
    pub fn on(&self, instruction: &str) -> Guess {
        let Some((gpu, timings)) = &self.0 else { return Guess::default() };
        let found = gpu.processor().instruction(instruction);
        found.map(|instruction| Guess::of(gpu, timings, instruction)).unwrap_or_default()
    }
}
