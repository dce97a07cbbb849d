//! Which experiments of a run have settled: what a run that goes on asks, without anything else being derived.

use gcn_model::record::ExperimentKind;

use crate::many_waves::{HwIdLayout, ThroughputRow, throughput_of};
use crate::occupancy::Occupancy;
use crate::one_wave::OneWave;
use crate::run::StoredRun;
use crate::settle::Status;

/// Ids of the experiments whose readings did not settle, or are contradicted by others of their sweep, or whose intervals are wider than published figures are resolved (a quarter
/// of a cycle, 2 % of a throughput) though more readings can make them narrower: they are to be measured again.
///
/// New readings (of new launches) join the old ones; a disturbance that was a passing one is then outvoted.
pub fn unsettled(run: &StoredRun) -> Vec<String> {
    let layout = HwIdLayout::of_target(&run.record.device.target);
    let mut open = unsettled_of(&OneWave::new(run), &throughputs(run));
    open.extend(Occupancy::unsettled(run, layout));
    open
}

/// The same, of what was derived already.
pub(crate) fn unsettled_of(waves: &OneWave<'_>, throughputs: &[ThroughputRow]) -> Vec<String> {
    let is_open = |row: &&ThroughputRow| row.status == Status::Unstable || row.is_rough() || row.is_vague();
    let open = throughputs.iter().filter(is_open).map(|row| row.experiment.as_str());
    waves.unsettled().chain(open).map(str::to_owned).collect()
}

/// The throughputs of a run, cases of rules among them, in the order of its experiments.
pub(crate) fn throughputs(run: &StoredRun) -> Vec<ThroughputRow> {
    let layout = HwIdLayout::of_target(&run.record.device.target);
    let experiments = run.experiments.iter().enumerate();
    experiments
        .filter(|(_, record)| record.kind == ExperimentKind::Throughput)
        .map(|(position, record)| throughput_of(record, run.readings_of(position), layout))
        .collect()
}
