//! From a run's folder to everything that is derived from it.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use gcn_model::isa::{self, Encoding, Processor};
use gcn_model::published::{self, Published};
use gcn_model::quantity::Cycles;
use gcn_model::record::{ExperimentRecord, RunRecord};

use crate::clock::{NoClock, ShaderClock};
use crate::error::AnalysisError;
use crate::estimates::{EstimateRow, ManyWaves, estimates};
use crate::many_waves::{HwIdLayout, ThroughputRow, find_contradictions};
use crate::matrix::Matrix;
use crate::occupancy::Occupancy;
use crate::one_wave::{
    Distribution, OneWave, TimingRow, VariantRow, distribution, other_forms, plain_forms, timing_row, variant_rows,
};
use crate::pairs::{PairRow, pair_rows};
use crate::rules::{FrontEnd, PenaltyRow, penalties, rule_penalties};
use crate::run::StoredRun;
use crate::settle::{Status, Tally, least_issue_cycles};
use crate::settlement::{holds, plain_by_instruction, throughputs, unsettled_of};
use crate::tables::Measured;
use crate::units::Units;
use crate::verdict::{
    DisputeRow, DpClass, DpFactor, GlcExtra, LdsBanks, Measurements, NoDoublePrecision, SemanticRow, Subject,
    ValidationRow, glc_extras, lds_banks, semantics, settle, validate,
};

/// The suites that ask for every instruction.
const EVERYTHING: [&str; 2] = ["instructions", "all"];

/// The suites that ask for pairs of instructions.
const PAIRS: [&str; 2] = ["pairs", "all"];

/// Everything that follows from a run's readings and the published tables, and from nothing else.
#[derive(Debug, Clone)]
pub struct Analysis {
    record: RunRecord,
    clock: Result<ShaderClock, NoClock>,
    estimates: Vec<EstimateRow>,
    timings: Vec<TimingRow>,
    throughputs: Vec<ThroughputRow>,
    variants: Vec<VariantRow>,
    distributions: Vec<Distribution>,
    penalties: Vec<PenaltyRow>,
    front_end: Option<FrontEnd>,
    lds_banks: Option<LdsBanks>,
    glc: Vec<GlcExtra>,
    disputes: Vec<DisputeRow>,
    semantics: Vec<SemanticRow>,
    occupancy: Occupancy,
    matrix: Matrix,
    units: Units,
    pairs: Vec<PairRow>,
    /// Instructions of which the page (the first source) says something.
    published_names: HashSet<String>,
    dpfactor: Result<DpFactor, NoDoublePrecision>,
    validation: Vec<ValidationRow>,
    unsettled: Vec<String>,
    failed: Vec<FailedTry>,
    retried: Vec<FailedTry>,
    experiments: usize,
}

/// An experiment that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedTry {
    /// Its id.
    pub experiment: String,
    /// Why it failed.
    pub why: String,
}

impl FailedTry {
    fn of((record, why): (&ExperimentRecord, &str)) -> Self {
        Self { experiment: record.experiment.clone(), why: why.to_owned() }
    }
}

/// Derives everything from a run's folder; writes nothing.
///
/// # Errors
/// The folder's files are missing, cut off, edited or foreign; see [`StoredRun::load`].
pub fn analyze(folder: &Path) -> Result<Analysis, AnalysisError> {
    StoredRun::load(folder).map(|run| Analysis::of(&run))
}

impl Analysis {
    /// Derives everything from a run that is loaded, with the built-in published sources.
    pub fn of(run: &StoredRun) -> Self {
        Self::with_sources(run, published::sources())
    }

    /// Derives everything from a run that is loaded and the given published sources.
    pub fn with_sources(run: &StoredRun, sources: &[Published]) -> Self {
        let layout = HwIdLayout::of_device(&run.record.device);
        let waves = OneWave::new(run);
        let mut throughputs = throughputs(&waves, layout);
        let waves = waves.with_holds(holds(&throughputs, run.generation));
        let unsettled_experiments = unsettled_of(&waves, &throughputs);
        // After the unsettled rows: it decides which results are stated, and changes no measured value.
        find_contradictions(&mut throughputs);
        // Blocks of a rule's case are no instruction's throughput.
        let (cases, throughputs): (Vec<ThroughputRow>, Vec<ThroughputRow>) =
            throughputs.into_iter().partition(|row| row.is_rule);
        let by_instruction = plain_by_instruction(&throughputs);
        let (plain, others) = (plain_forms(run), other_forms(run));
        let distributions: Vec<Distribution> =
            plain.iter().chain(&others).filter_map(|form| distribution(run, &waves, form)).collect();
        let timings: Vec<TimingRow> = plain
            .iter()
            .map(|form| {
                let rows = by_instruction.get(form.instruction).map_or(&[][..], Vec::as_slice);
                let mut of_form = distributions.iter().filter(|found| found.case.is_empty());
                timing_row(&waves, form, rows, of_form.find(|found| found.instruction == form.instruction))
            })
            .collect();
        let by_name: HashMap<&str, _> = plain.iter().map(|form| (form.instruction, form)).collect();
        let variants: Vec<VariantRow> =
            others.iter().flat_map(|form| variant_rows(&waves, form, by_name.get(form.instruction).copied())).collect();
        let dpfactor = dp_factor(run, &timings, sources);
        // The right row of DPFACTOR is unknown while several factors are left.
        let decided = dpfactor.as_ref().ok().filter(|found| found.class != DpClass::Undecided);
        let factor = decided.map(|found| found.dpfactor);
        let gpu = Subject { generation: run.generation, target: &run.record.device.target, dp_factor: factor };
        let options = &run.record.options;
        let whole = options.only.is_empty() && options.suites.iter().any(|suite| EVERYTHING.contains(&suite.as_str()));
        let measurements = Measurements::of(&timings, &variants);
        let of_these_waves = if in_published_waves(run) { sources } else { &[] };
        let mut validation = validate(of_these_waves, gpu, &timings, &measurements, whole);
        let lds_banks = lds_banks(&throughputs, run.record.device.lanes(), sources);
        let occupancy = Occupancy::of(run, layout);
        let disputes =
            settle(published::disputes(), of_these_waves, gpu, &measurements, lds_banks.as_ref(), occupancy.slots);
        let names = published_names(&validation, sources);
        validation.extend(occupancy.validation(sources));
        let mut penalties =
            penalties(&throughputs, lds_banks.as_ref().map(|banks| banks.instruction.as_str()), sources);
        penalties.extend(rule_penalties(run, &waves, &cases, &timings, sources));
        let matrix = Matrix::of(&waves, &cases);
        let pairs = pair_rows(&waves);
        let many = ManyWaves::new(throughputs.iter().chain(&cases), &occupancy);
        let estimates = estimates(run, &waves, &many);
        Self {
            record: run.record.clone(),
            estimates,
            clock: ShaderClock::of(run),
            front_end: FrontEnd::of(run, &waves),
            penalties,
            glc: glc_extras(sources, &variants),
            lds_banks,
            disputes,
            semantics: semantics(run),
            published_names: names,
            occupancy,
            matrix,
            units: Units::of(&waves),
            pairs,
            timings,
            throughputs,
            variants,
            distributions,
            dpfactor,
            validation,
            unsettled: unsettled_experiments,
            failed: run.failed().map(FailedTry::of).collect(),
            retried: run.retried().map(FailedTry::of).collect(),
            experiments: run.experiments.len(),
        }
    }

    /// Rows of `estimates.csv`: one for each experiment, in the order of `experiments.csv`.
    pub fn estimates(&self) -> &[EstimateRow] {
        &self.estimates
    }

    /// What became of all readings of the run.
    pub fn tally(&self) -> Tally {
        self.estimates.iter().map(|row| row.tally).sum()
    }

    /// Rows of `timings.csv`, in the order of `experiments.csv`.
    pub fn timings(&self) -> &[TimingRow] {
        &self.timings
    }

    /// Rows of `throughput.csv`.
    pub fn throughputs(&self) -> &[ThroughputRow] {
        &self.throughputs
    }

    /// Rows of `variants.csv`: instructions in other forms than their plain ones.
    pub fn variants(&self) -> &[VariantRow] {
        &self.variants
    }

    /// What instructions take each time that do not always take the same; the rows of `distributions.csv`.
    pub fn distributions(&self) -> &[Distribution] {
        &self.distributions
    }

    /// The front end that the alignment cases show, if the run has them.
    pub fn front_end(&self) -> Option<&FrontEnd> {
        self.front_end.as_ref()
    }

    /// Rows of `penalties.csv`.
    pub fn penalties(&self) -> &[PenaltyRow] {
        &self.penalties
    }

    /// The number of LDS banks, if the run has a stride sweep.
    pub fn lds_banks(&self) -> Option<&LdsBanks> {
        self.lds_banks.as_ref()
    }

    /// The instructions that have a number, and of which the page (the first source) says nothing.
    pub fn beyond_the_page(&self) -> impl Iterator<Item = &TimingRow> {
        let on_page: HashSet<&str> = self.published_names.iter().map(String::as_str).collect();
        self.timings.iter().filter(move |row| row.has_number() && !on_page.contains(row.instruction.as_str()))
    }

    /// The page's GLC1 and GLC2, as far as measured.
    pub fn glc(&self) -> &[GlcExtra] {
        &self.glc
    }

    /// Rows of `disputes.csv`: what each source says on a disputed question, and who was right.
    pub fn disputes(&self) -> &[DisputeRow] {
        &self.disputes
    }

    /// Rows of `semantics.csv`: cases whose result no source states.
    pub fn semantics(&self) -> &[SemanticRow] {
        &self.semantics
    }

    /// What ran at once, if the run has the occupancy suite: the rows of `occupancy.csv`, `residence.csv`, `allocation.csv` and
    /// `issue.csv`.
    pub fn occupancy(&self) -> &Occupancy {
        &self.occupancy
    }

    /// The rows of `matrix.csv` and `matrix-overlap.csv`, if the run has the suite `matrix`.
    pub fn matrix(&self) -> &Matrix {
        &self.matrix
    }

    /// The rows of `units.csv`, `delays.csv` and `transcendental-overlap.csv`, if the run has the suite `units`.
    pub fn units(&self) -> &Units {
        &self.units
    }

    /// The rows of `pairs.csv`, if the run has the suite `pairs`.
    pub fn pairs(&self) -> &[PairRow] {
        &self.pairs
    }

    /// The lanes of the run's waves, where it asked for pairs of instructions of a generation that has them, and such waves have none.
    pub fn lanes_without_pairs(&self) -> Option<u32> {
        let asked = self.record.options.suites.iter().any(|suite| PAIRS.contains(&suite.as_str()));
        let device = &self.record.device;
        let processor = Processor::find(&device.target)?;
        let has_pairs = |lanes| {
            let processor = processor.with_wave_size(lanes);
            processor.is_some_and(|it| it.instructions().any(|instruction| instruction.encoding == Encoding::Vopd))
        };
        let some_have = processor.generation.waves.sizes.iter().any(|lanes| has_pairs(*lanes));
        (asked && some_have && !has_pairs(device.lanes())).then_some(device.lanes())
    }

    /// DPFACTOR.
    ///
    /// # Errors
    /// No double-precision instruction was measured.
    pub fn dpfactor(&self) -> Result<&DpFactor, NoDoublePrecision> {
        self.dpfactor.as_ref().map_err(|&absent| absent)
    }

    /// Rows of `validation.csv`, source by source.
    pub fn validation(&self) -> &[ValidationRow] {
        &self.validation
    }

    /// The shader clock during the run.
    ///
    /// # Errors
    /// Why it cannot be told.
    pub fn clock(&self) -> Result<&ShaderClock, NoClock> {
        self.clock.as_ref().map_err(|&absent| absent)
    }

    /// The run that all of this follows from.
    pub fn record(&self) -> &RunRecord {
        &self.record
    }

    /// Experiments whose last attempt failed: their values are lost.
    pub fn failed(&self) -> &[FailedTry] {
        &self.failed
    }

    /// Experiments that failed and stood when they were tried again.
    pub fn retried(&self) -> &[FailedTry] {
        &self.retried
    }

    /// How many experiments there are.
    pub fn experiments(&self) -> usize {
        self.experiments
    }

    /// Ids of the experiments that are to be measured again; see [`unsettled`](crate::unsettled).
    pub fn unsettled(&self) -> &[String] {
        &self.unsettled
    }
}

/// Whether the waves are of the size that sources speak of: where there are two, the generation's own.
fn in_published_waves(run: &StoredRun) -> bool {
    run.record.device.lanes() == run.generation.lanes()
}

/// DPFACTOR from the cycles of all double-precision instructions.
fn dp_factor(run: &StoredRun, timings: &[TimingRow], sources: &[Published]) -> Result<DpFactor, NoDoublePrecision> {
    if !in_published_waves(run) {
        return Err(NoDoublePrecision);
    }
    let (generation, target) = (run.generation, run.record.device.target.as_str());
    let multiple = |row: &TimingRow| {
        published::dp_multiple(sources, isa::find(&row.instruction, generation)?, target).map(f64::from)
    };
    let of_factor: Vec<(&TimingRow, f64)> = timings.iter().filter_map(|row| Some((row, multiple(row)?))).collect();
    let rows: Vec<(&str, f64, Measured<Cycles>)> = of_factor
        .iter()
        .filter_map(|&(row, multiple)| Some((row.instruction.as_str(), multiple, row.cycles?)))
        .collect();
    let is_unsettled = |row: &TimingRow| row.cycles.is_none() && row.status == Status::Unstable;
    let unsettled = of_factor.iter().filter(|(row, _)| is_unsettled(row)).count();
    let table = published::dp_table(sources, target);
    let found = DpFactor::of(&rows, unsettled, table, least_issue_cycles(generation))?;
    let has_pairs = generation.instructions().iter().any(|instruction| instruction.encoding == Encoding::Vopd);
    Ok(DpFactor { pairs_not_counted: has_pairs, ..found })
}

/// Instructions of which the first source says something.
fn published_names(validation: &[ValidationRow], sources: &[Published]) -> HashSet<String> {
    let page = sources.first().map_or("", Published::name);
    validation.iter().filter(|row| row.source == page).map(|row| row.instruction.clone()).collect()
}
