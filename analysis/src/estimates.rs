//! What each experiment gave, and what became of its readings.

use std::collections::HashMap;

use gcn_model::record::{ExperimentKind, ExperimentRecord, ExperimentStatus};

use crate::many_waves::ThroughputRow;
use crate::occupancy::{IssueRow, Occupancy, ResidenceRow};
use crate::one_wave::OneWave;
use crate::rules::footprint_tally;
use crate::run::StoredRun;
use crate::settle::{Dropped, Status, Tally};
use crate::statistics::Estimate;
use crate::tables::{Measured, table};

/// A row of `estimates.csv`: one experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct EstimateRow {
    pub experiment: String,
    pub kind: ExperimentKind,
    /// The meaning of the estimate.
    pub quantity: String,
    /// The estimate; absent if the experiment has none, or one for each length.
    pub value: Option<Measured<f64>>,
    /// What became of the readings.
    pub tally: Tally,
    pub status: Status,
    /// Why the estimate is missing, or which part was left out.
    pub detail: String,
}

table!("estimates.csv": EstimateRow {
    experiment,
    kind,
    quantity,
    value: "value" "low" "high",
    tally: "readings" "used" "below_bound" "doubled" "late" "moved" "misplaced" "not_concurrent" "uneven" "late_waves" "shorter" "alone" "no_estimate",
    status,
    detail,
});

/// The values derived from the experiments on many waves, by their ids.
pub(crate) struct ManyWaves<'a> {
    throughputs: HashMap<&'a str, &'a ThroughputRow>,
    issue: HashMap<&'a str, &'a IssueRow>,
    residence: HashMap<&'a str, &'a ResidenceRow>,
}

impl<'a> ManyWaves<'a> {
    /// Finds the rows by their experiments.
    pub(crate) fn new(
        throughputs: impl Iterator<Item = &'a ThroughputRow>,
        Occupancy { issue, residence, .. }: &'a Occupancy,
    ) -> Self {
        Self {
            throughputs: throughputs.map(|row| (row.experiment.as_str(), row)).collect(),
            issue: issue.iter().map(|row| (row.experiment.as_str(), row)).collect(),
            residence: residence.iter().map(|row| (row.experiment.as_str(), row)).collect(),
        }
    }
}

/// A row for each experiment of a run, in its order.
pub(crate) fn estimates(run: &StoredRun, waves: &OneWave<'_>, many: &ManyWaves<'_>) -> Vec<EstimateRow> {
    let rows = run.experiments.iter().enumerate();
    rows.map(|(position, record)| estimate(run, position, record, waves, many)).collect()
}

fn estimate(
    run: &StoredRun,
    position: usize,
    record: &ExperimentRecord,
    waves: &OneWave<'_>,
    many: &ManyWaves<'_>,
) -> EstimateRow {
    let row = |quantity: &str, value: Option<Measured<f64>>, tally, status, detail: &str| EstimateRow {
        experiment: record.experiment.clone(),
        kind: record.kind,
        quantity: quantity.to_owned(),
        value,
        tally,
        status,
        detail: detail.to_owned(),
    };
    let makespan = |makespan: Option<Estimate>, tally, status, detail: &str| {
        row("makespan cycles per block", makespan.as_ref().map(Measured::from), tally, status, detail)
    };
    let is_ok = record.status == ExperimentStatus::Ok;
    let elsewhere = |place: &'static str| if is_ok { place } else { record.detail.as_str() };
    let id = record.experiment.as_str();
    let readings = run.readings_of(position).len();
    match record.kind {
        ExperimentKind::Throughput => match many.throughputs.get(id) {
            Some(found) => makespan(found.makespan, found.tally, found.status, &found.detail),
            None => makespan(None, Tally::unused(readings), Status::Failed, "no row of throughput.csv"),
        },
        ExperimentKind::Issue => match many.issue.get(id) {
            Some(found) => makespan(found.makespan, found.tally, found.status, &found.detail),
            None => makespan(None, Tally::unused(readings), Status::Failed, "no row of issue.csv"),
        },
        ExperimentKind::Residence => {
            let quantity = "waves at once on a SIMD";
            match many.residence.get(id) {
                Some(found) => {
                    let value = found.waves_per_simd.map(|waves| Measured::exactly(f64::from(waves)));
                    row(quantity, value, found.tally, found.status, &found.detail)
                }
                None => row(quantity, None, Tally::unused(readings), Status::Failed, "its case names no resource"),
            }
        }
        ExperimentKind::Footprint => {
            let detail = elsewhere("a value for each length is in penalties.csv");
            row("cycles per block", None, footprint_tally(run, position), Status::from(record.status), detail)
        }
        ExperimentKind::Semantics => {
            let tally = Tally::used(readings, Dropped::default());
            row("dword", None, tally, Status::from(record.status), elsewhere("the result is in semantics.csv"))
        }
        _ => {
            let tally = waves.tally(position).unwrap_or_else(|| Tally::unused(readings));
            match waves.slope(position) {
                Ok(slope) => {
                    row("cycles per block", Some(Measured::from(&slope.per_block(record))), tally, Status::Ok, "")
                }
                Err((status, why)) => row("cycles per block", None, tally, status, &why),
            }
        }
    }
}
