//! From the records of a run to its results.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use gcn_model::isa::{self, Encoding};
use gcn_model::published::{self, Published};
use gcn_model::quantity::Cycles;
use gcn_model::record::RunRecord;

use super::results::{FailedTry, Results};
use crate::clock::ShaderClock;
use crate::error::AnalysisError;
use crate::estimates::{ManyWaves, estimates};
use crate::many_waves::{HwIdLayout, ThroughputRow, find_contradictions};
use crate::occupancy::Occupancy;
use crate::one_wave::{Distribution, Form, OneWave, TimingRow, VariantRow, distribution, timing_row, variant_rows};
use crate::rules::{FrontEnd, penalties, rule_penalties};
use crate::run::StoredRun;
use crate::settle::{Status, least_issue_cycles};
use crate::settlement::{holds, plain_by_instruction, throughputs, unsettled_of};
use crate::suites::Suites;
use crate::tables::Measured;
use crate::verdict::{
    DpClass, DpFactor, Measurements, NoDoublePrecision, Subject, glc_extras, lds_banks, semantics, settle, validate,
};

/// The suites that ask for every instruction.
const EVERYTHING: [&str; 2] = ["instructions", "all"];

/// Derives everything from a run's folder; writes nothing.
///
/// # Errors
/// The folder's files are missing, cut off, edited or foreign; see [`StoredRun::load`].
pub fn analyze(folder: &Path) -> Result<Results, AnalysisError> {
    StoredRun::load(folder).map(|run| Results::of(&run))
}

impl Results {
    /// Derives everything from a run that is loaded, with the built-in published sources.
    pub fn of(run: &StoredRun) -> Self {
        let sources = published::sources();
        let layout = HwIdLayout::of_device(&run.record.device);
        let waves = OneWave::new(run);
        let mut throughputs = throughputs(&waves, layout);
        let mut waves = waves.with_holds(holds(&throughputs, run.generation));
        let front_end = FrontEnd::of(run, &waves);
        waves.charge = front_end.as_ref().and_then(|found| found.charge);
        let unsettled_experiments = unsettled_of(&waves, &throughputs);
        // After the unsettled rows: it decides which results are stated, and changes no measured value.
        find_contradictions(&mut throughputs);
        // Blocks of a rule's case are no instruction's throughput.
        let (cases, throughputs): (Vec<ThroughputRow>, Vec<ThroughputRow>) =
            throughputs.into_iter().partition(|row| row.is_rule);
        let (distributions, timings, variants) = of_forms(run, &waves, &throughputs);
        let dpfactor = dp_factor(run, &timings, sources);
        let gpu = subject(run, dpfactor.as_ref().ok());
        let measurements = Measurements::of(&timings, &variants, run.generation);
        let of_these_waves = if in_published_waves(run) { sources } else { &[] };
        let mut validation = validate(of_these_waves, gpu, &timings, &measurements, asks_for_everything(&run.record));
        // The sentences about places, neighbours and the LDS are of GCN.
        let of_gcn = if run.generation.clrx_name().is_some() { sources } else { &[] };
        let lds_banks = lds_banks(&throughputs, &run.record.device, of_gcn);
        let occupancy = Occupancy::of(run, layout);
        let disputes =
            settle(published::disputes(), of_these_waves, gpu, &measurements, lds_banks.as_ref(), occupancy.slots);
        validation.extend(occupancy.validation(sources, gpu.target));
        let mut penalties = penalties(&throughputs, lds_banks.as_ref().map(|banks| banks.instruction.as_str()), of_gcn);
        penalties.extend(rule_penalties(run, &waves, &cases, &timings, of_gcn));
        let failed = run.failed().filter(|(record, _)| !occupancy.is_refused(&record.experiment)).map(FailedTry::of);
        let failed = failed.collect();
        let many = ManyWaves::new(throughputs.iter().chain(&cases), &occupancy);
        let estimates = estimates(&waves, &many);
        Self {
            folder: PathBuf::new(),
            run: None,
            differing: Vec::new(),
            record: run.record.clone(),
            estimates,
            clock: ShaderClock::of(run),
            front_end,
            penalties,
            glc: glc_extras(sources, &variants),
            lds_banks,
            disputes,
            semantics: semantics(run),
            occupancy,
            suites: Suites::of(&waves, &cases),
            timings,
            throughputs,
            variants,
            distributions,
            dpfactor,
            validation,
            unsettled: unsettled_experiments,
            failed,
            retried: run.retried().map(FailedTry::of).collect(),
            experiments: run.experiments.len(),
        }
    }
}

/// What the published sources are asked about. The right row of DPFACTOR is unknown while several factors are left.
fn subject<'r>(run: &'r StoredRun, found: Option<&DpFactor>) -> Subject<'r> {
    let decided = found.filter(|found| found.class != DpClass::Undecided);
    Subject {
        generation: run.generation,
        target: &run.record.device.target,
        dp_factor: decided.map(|found| found.dpfactor),
    }
}

/// Whether the run was to measure every instruction.
pub(super) fn asks_for_everything(record: &RunRecord) -> bool {
    let options = &record.options;
    options.only.is_empty() && options.suites.iter().any(|suite| EVERYTHING.contains(&suite.as_str()))
}

/// Distributions and timings of instructions in their plain forms, and what other forms change.
fn of_forms(
    run: &StoredRun,
    waves: &OneWave<'_>,
    throughputs: &[ThroughputRow],
) -> (Vec<Distribution>, Vec<TimingRow>, Vec<VariantRow>) {
    let by_instruction = plain_by_instruction(throughputs);
    let (plain, others): (Vec<Form<'_>>, Vec<_>) = Form::all(run).into_iter().partition(Form::is_plain);
    let forms = plain.iter().chain(&others);
    let distributions: Vec<Distribution> = forms.filter_map(|form| distribution(run, waves, form)).collect();
    let timing = |form: &Form<'_>| {
        let rows = by_instruction.get(form.instruction).map_or(&[][..], Vec::as_slice);
        let mut of_form = distributions.iter().filter(|found| found.case.is_empty());
        timing_row(waves, form, rows, of_form.find(|found| found.instruction == form.instruction))
    };
    let timings = plain.iter().map(timing).collect();
    let by_name: HashMap<&str, _> = plain.iter().map(|form| (form.instruction, form)).collect();
    let variants = others.iter().flat_map(|form| variant_rows(waves, form, by_name.get(form.instruction).copied()));
    let variants = variants.collect();
    (distributions, timings, variants)
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
    let found = DpFactor::of(&rows, unsettled, &table, least_issue_cycles(generation))?;
    let has_pairs = generation.instructions().iter().any(|instruction| instruction.encoding == Encoding::Vopd);
    Ok(DpFactor { pairs_not_counted: has_pairs, ..found })
}
