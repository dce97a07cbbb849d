//! What each experiment gave, and what became of its readings.

use std::collections::HashMap;

use gcn_model::record::{ExperimentKind, ExperimentRecord, ExperimentStatus};

use crate::many_waves::ThroughputRow;
use crate::occupancy::Occupancy;
use crate::one_wave::OneWave;
use crate::rules::footprint_tally;
use crate::settle::{Dropped, Status, Tally, told};
use crate::tables::{Measured, table};

table! { "estimates.csv":
    /// A row of `estimates.csv`: one experiment.
    pub struct EstimateRow {
        pub experiment: String,
        pub kind: ExperimentKind,
        /// The meaning of the estimate.
        pub quantity: String,
        /// The estimate; absent if the experiment has none, or one for each length.
        pub value: Option<Measured<f64>> = "value" "low" "high",
        /// What became of the readings.
        pub tally: Tally = "readings" "used" "below_bound" "doubled" "late" "moved" "misplaced" "not_concurrent" "uneven" "late_waves" "shorter" "alone" "no_estimate",
        pub status: Status,
        /// Why the estimate is missing, or which part was left out.
        pub detail: String,
    }
}

/// What an experiment on many waves gave: quantity, value, what became of the readings, status and detail.
type Found<'a> = (&'static str, Option<Measured>, Tally, Status, &'a str);

/// The quantities of experiments on many waves.
const MAKESPAN: &str = "makespan cycles per block";
const RESIDENT: &str = "waves at once on a SIMD";

/// What the experiments on many waves gave, by their ids.
pub(crate) struct ManyWaves<'a>(HashMap<&'a str, Found<'a>>);

impl<'a> ManyWaves<'a> {
    /// From the rows that were derived.
    pub(crate) fn new(
        throughputs: impl Iterator<Item = &'a ThroughputRow>,
        Occupancy { issue, residence, .. }: &'a Occupancy,
    ) -> Self {
        let throughputs = throughputs.map(|row| (&row.experiment, row.makespan, row.tally, row.status, &row.detail));
        let issues = issue.iter().map(|row| (&row.experiment, row.makespan, row.tally, row.status, &row.detail));
        let makespans = throughputs.chain(issues).map(|(id, makespan, tally, status, detail)| {
            (id.as_str(), (MAKESPAN, makespan.as_ref().map(Measured::from), tally, status, detail.as_str()))
        });
        let residence = residence.iter().map(|row| {
            let value = row.waves_per_simd.map(|waves| Measured::exactly(f64::from(waves)));
            (row.experiment.as_str(), (RESIDENT, value, row.tally, row.status, row.detail.as_str()))
        });
        Self(makespans.chain(residence).collect())
    }

    /// What an experiment gave, or why there is nothing.
    fn find(&self, record: &ExperimentRecord, readings: usize) -> Found<'a> {
        let (quantity, why) = match record.kind {
            ExperimentKind::Throughput => (MAKESPAN, "no row of throughput.csv"),
            ExperimentKind::Issue => (MAKESPAN, "no row of issue.csv"),
            _ => (RESIDENT, "its case names no resource"),
        };
        let nothing = (quantity, None, Tally::unused(readings), Status::Failed, why);
        self.0.get(record.experiment.as_str()).copied().unwrap_or(nothing)
    }
}

/// A row for each experiment of a run, in its order.
pub(crate) fn estimates(waves: &OneWave<'_>, many: &ManyWaves<'_>) -> Vec<EstimateRow> {
    let rows = waves.run.experiments.iter().enumerate();
    rows.map(|(position, record)| estimate(position, record, waves, many)).collect()
}

fn estimate(position: usize, record: &ExperimentRecord, waves: &OneWave<'_>, many: &ManyWaves<'_>) -> EstimateRow {
    let row = |quantity: &str, value: Option<Measured<f64>>, tally, status, detail: &str| EstimateRow {
        experiment: record.experiment.clone(),
        kind: record.kind,
        quantity: quantity.to_owned(),
        value,
        tally,
        status,
        detail: detail.to_owned(),
    };
    let is_ok = record.status == ExperimentStatus::Ok;
    let elsewhere = |place: &'static str| if is_ok { place } else { record.detail.as_str() };
    let readings = waves.run.readings_of(position).len();
    match record.kind {
        ExperimentKind::Throughput | ExperimentKind::Issue | ExperimentKind::Residence => {
            let (quantity, value, tally, status, detail) = many.find(record, readings);
            row(quantity, value, tally, status, detail)
        }
        ExperimentKind::Footprint => {
            let detail = elsewhere("a value for each length is in penalties.csv");
            row("cycles per block", None, footprint_tally(waves.run, position), Status::from(record.status), detail)
        }
        ExperimentKind::Semantics => {
            let tally = Tally::used(readings, Dropped::default());
            row("dword", None, tally, Status::from(record.status), elsewhere("the result is in semantics.csv"))
        }
        _ => {
            let tally = waves.tally(position).unwrap_or_else(|| Tally::unused(readings));
            let (slope, status, why) = told(waves.slope(position));
            row("cycles per block", slope.map(|slope| Measured::from(&slope.per_block(record))), tally, status, &why)
        }
    }
}
