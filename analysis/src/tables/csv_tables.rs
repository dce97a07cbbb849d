//! The derived tables: one function per file.

use gcn_model::record::ExperimentKind;

use super::measured::{Measured, decimal};
use crate::clock::ClockStretch;
use crate::estimates::EstimateRow;
use crate::many_waves::ThroughputRow;
use crate::occupancy::{Allocation, IssueRow, OccupancyRow, ResidenceRow};
use crate::one_wave::{Distribution, TimingRow, VariantRow};
use crate::rules::PenaltyRow;
use crate::settle::DropRule;
use crate::verdict::{DisputeRow, ValidationRow, word};

/// Columns of `timings.csv`; those after `detail` may be followed by more in later versions.
const TIMINGS: [&str; 21] = [
    "instruction",
    "encoding",
    "bytes",
    "cycles",
    "cycles_low",
    "cycles_high",
    "latency",
    "latency_low",
    "latency_high",
    "throughput",
    "throughput_low",
    "throughput_high",
    "waves_per_simd",
    "samples",
    "status",
    "detail",
    "cycles_snapped",
    "dropped",
    "taken",
    "taken_low",
    "taken_high",
];

/// Columns of `throughput.csv`.
const THROUGHPUT: [&str; 8] =
    ["instruction", "waves_per_simd", "throughput", "low", "high", "status", "detail", "case"];

/// Columns of `variants.csv`.
const VARIANTS: [&str; 12] = [
    "instruction",
    "case",
    "quantity",
    "cycles",
    "cycles_low",
    "cycles_high",
    "difference",
    "difference_low",
    "difference_high",
    "samples",
    "status",
    "detail",
];

/// Columns of `distributions.csv`.
const DISTRIBUTIONS: [&str; 5] = ["instruction", "case", "value_cycles", "count", "share"];

/// Columns of `disputes.csv`.
const DISPUTES: [&str; 11] = [
    "number",
    "question",
    "instruction",
    "quantity",
    "source",
    "predicted",
    "measured",
    "low",
    "high",
    "verdict",
    "detail",
];

/// Columns of `penalties.csv`.
const PENALTIES: [&str; 9] =
    ["experiment", "case", "offset_dwords", "waves_per_simd", "penalty_cycles", "low", "high", "expected", "verdict"];

/// Columns of `occupancy.csv`.
const OCCUPANCY: [&str; 5] = ["waves_per_simd", "sgprs", "vgprs", "lds_dwords_per_lane", "issue"];

/// Columns of `residence.csv`.
const RESIDENCE: [&str; 6] = ["resource", "amount", "waves_per_simd", "waves_per_compute_unit", "status", "detail"];

/// Columns of `allocation.csv`.
const ALLOCATION: [&str; 5] = ["resource", "granule", "asked_in_steps_of", "total_low", "total_high"];

/// Columns of `clock.csv`.
const CLOCK: [&str; 4] = ["launch", "mhz", "drift_share", "windows"];

/// Columns of `issue.csv`.
const ISSUE: [&str; 7] = ["mix", "waves_per_simd", "instructions_per_cycle", "low", "high", "status", "detail"];

/// Columns of `estimates.csv` before those of the rules.
const ESTIMATES: [&str; 8] = ["experiment", "kind", "quantity", "value", "low", "high", "readings", "used"];

/// Columns of `estimates.csv` behind those of the rules.
const ESTIMATES_END: [&str; 4] = ["alone", "no_estimate", "status", "detail"];

/// Columns of `validation.csv`.
const VALIDATION: [&str; 7] = ["source", "instruction", "quantity", "published", "expected", "measured", "verdict"];

/// `timings.csv`: one row per instruction.
pub fn timings_csv(rows: &[TimingRow]) -> String {
    let rows = rows.iter().map(|row| {
        let mut fields = vec![row.instruction.clone(), row.encoding.clone(), row.bytes.to_string()];
        fields.extend(Measured::fields(row.cycles.as_ref()));
        fields.extend(Measured::fields(row.latency.as_ref()));
        fields.extend(Measured::fields(row.throughput.as_ref()));
        fields.extend([
            row.waves_per_simd.map(|waves| waves.to_string()).unwrap_or_default(),
            row.samples.to_string(),
            row.status.to_string(),
            row.detail.clone(),
            row.cycles_snapped().map(decimal).unwrap_or_default(),
            row.dropped.to_string(),
        ]);
        fields.extend(Measured::fields(row.taken.as_ref()));
        fields
    });
    table(&TIMINGS, rows)
}

/// `throughput.csv`: one row per instruction and number of waves.
pub fn throughput_csv(rows: &[ThroughputRow]) -> String {
    let rows = rows.iter().map(|row| {
        let mut fields = vec![row.instruction.clone(), row.waves_per_simd.to_string()];
        fields.extend(Measured::fields(row.throughput.as_ref()));
        fields.extend([row.status.to_string(), row.detail.clone(), row.case.clone()]);
        fields
    });
    table(&THROUGHPUT, rows)
}

/// `variants.csv`: one row per instruction, form other than the plain one, and quantity; a quantity has the name of its column
/// in `timings.csv`.
pub fn variants_csv(rows: &[VariantRow]) -> String {
    let rows = rows.iter().map(|row| {
        let mut fields = vec![row.instruction.clone(), row.case.clone(), row.quantity.column().to_owned()];
        fields.extend(Measured::fields(row.cycles.as_ref()));
        fields.extend(Measured::fields(row.difference.as_ref()));
        fields.extend([row.samples.to_string(), row.status.to_string(), row.detail.clone()]);
        fields
    });
    table(&VARIANTS, rows)
}

/// `distributions.csv`: one row per instruction, form and value.
pub fn distributions_csv(distributions: &[Distribution]) -> String {
    let rows = distributions.iter().flat_map(|distribution| {
        let of = distribution.count().max(1) as f64;
        distribution.values.iter().map(move |(cycles, count)| {
            vec![
                distribution.instruction.clone(),
                distribution.case.clone(),
                cycles.to_string(),
                count.to_string(),
                decimal(*count as f64 / of),
            ]
        })
    });
    table(&DISTRIBUTIONS, rows)
}

/// `disputes.csv`: one row per question, instruction and source; a question that cannot be settled is one row with its reason.
pub fn disputes_csv(rows: &[DisputeRow]) -> String {
    let rows = rows.iter().map(|row| {
        let mut fields = vec![
            row.number.clone(),
            row.question.clone(),
            row.instruction.clone(),
            word(row.quantity).to_owned(),
            row.source.clone(),
            row.predicted.clone(),
        ];
        fields.extend(row.measured.map(|numbers| numbers.map(decimal)).unwrap_or_default());
        fields.extend([row.verdict.to_string(), row.detail.clone()]);
        fields
    });
    table(&DISPUTES, rows)
}

/// `occupancy.csv`: one row per number of waves on a SIMD.
pub fn occupancy_csv(rows: &[OccupancyRow]) -> String {
    let whole = |count: Option<u32>| count.map(|count| count.to_string()).unwrap_or_default();
    let rows = rows.iter().map(|row| {
        vec![
            row.waves_per_simd.to_string(),
            whole(row.sgprs),
            whole(row.vgprs),
            row.lds_dwords_per_lane.map(decimal).unwrap_or_default(),
            row.issue.map(|issue| decimal(issue.value)).unwrap_or_default(),
        ]
    });
    table(&OCCUPANCY, rows)
}

/// `residence.csv`: one row per resource and amount.
pub fn residence_csv(rows: &[ResidenceRow]) -> String {
    let whole = |count: Option<u32>| count.map(|count| count.to_string()).unwrap_or_default();
    let rows = rows.iter().map(|row| {
        vec![
            row.resource.to_string(),
            row.amount.to_string(),
            whole(row.waves_per_simd),
            whole(row.waves_per_compute_unit),
            row.status.to_string(),
            row.detail.clone(),
        ]
    });
    table(&RESIDENCE, rows)
}

/// `allocation.csv`: one row per resource; several granules, where the sweep cannot tell them apart, are separated by spaces.
pub fn allocation_csv(rows: &[Allocation]) -> String {
    let rows = rows.iter().map(|row| {
        let granules: Vec<String> = row.granules.iter().map(u32::to_string).collect();
        vec![
            row.resource.to_string(),
            granules.join(" "),
            row.step.to_string(),
            row.total.0.to_string(),
            row.total.1.map(|most| most.to_string()).unwrap_or_default(),
        ]
    });
    table(&ALLOCATION, rows)
}

/// `issue.csv`: one row per block of unlike instructions and number of waves.
pub fn issue_csv(rows: &[IssueRow]) -> String {
    let rows = rows.iter().map(|row| {
        let mut fields = vec![row.mix.clone(), row.waves_per_simd.to_string()];
        fields.extend(Measured::fields(row.issue.as_ref()));
        fields.extend([row.status.to_string(), row.detail.clone()]);
        fields
    });
    table(&ISSUE, rows)
}

/// `clock.csv`: one row per stretch of the run in which the shader clock did not step, from its first launch on.
pub fn clock_csv(stretches: &[ClockStretch]) -> String {
    let rows = stretches.iter().map(|stretch| {
        vec![
            stretch.launch.to_string(),
            decimal(stretch.mhz),
            format!("{:.6}", stretch.drift_share),
            stretch.windows.to_string(),
        ]
    });
    table(&CLOCK, rows)
}

/// `estimates.csv`: one row per experiment, with what became of its readings. A kind is written as in `experiments.csv`.
pub fn estimates_csv(rows: &[EstimateRow]) -> String {
    let columns: Vec<&str> =
        ESTIMATES.into_iter().chain(DropRule::ALL.map(DropRule::column)).chain(ESTIMATES_END).collect();
    let rows = rows.iter().map(|row| {
        let mut fields = vec![row.experiment.clone(), word_of(row.kind), row.quantity.to_owned()];
        fields.extend(Measured::fields(row.value.as_ref()));
        fields.extend([row.tally.readings, row.tally.used].map(|count| count.to_string()));
        fields.extend(DropRule::ALL.map(|rule| row.tally.count(rule).to_string()));
        fields.extend([row.tally.alone, row.tally.no_estimate].map(|count| count.to_string()));
        fields.extend([row.status.to_string(), row.detail.clone()]);
        fields
    });
    table(&columns, rows)
}

/// `penalties.csv`: one row per case.
pub fn penalties_csv(rows: &[PenaltyRow]) -> String {
    let rows = rows.iter().map(|row| {
        let mut fields = vec![
            row.experiment.clone(),
            row.case.clone(),
            row.offset_dwords.map(|offset| offset.to_string()).unwrap_or_default(),
            row.waves_per_simd.to_string(),
        ];
        fields.extend(Measured::fields(row.penalty.as_ref()));
        fields.extend([row.expected.clone(), row.verdict.to_string()]);
        fields
    });
    table(&PENALTIES, rows)
}

/// `validation.csv`: one row per published value and source.
pub fn validation_csv(rows: &[ValidationRow]) -> String {
    let rows = rows.iter().map(|row| {
        vec![
            row.source.clone(),
            row.instruction.clone(),
            row.quantity.to_string(),
            row.published.clone(),
            row.expected.clone(),
            row.measured.map(|[value, ..]| decimal(value)).unwrap_or_default(),
            row.verdict.to_string(),
        ]
    });
    table(&VALIDATION, rows)
}

/// A kind as `experiments.csv` writes it.
fn word_of(kind: ExperimentKind) -> String {
    let word = serde_json::to_value(kind).expect("a kind is a word");
    word.as_str().unwrap_or_default().to_owned()
}

/// The cell as text to a spreadsheet, too: what begins as a formula does gets an apostrophe, which spreadsheets take for "this is text".
fn no_formula(cell: String) -> String {
    let begins_one = cell.len() > 1 && cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if begins_one && cell.parse::<f64>().is_err() { format!("'{cell}") } else { cell }
}

/// A CSV text with its header, lines ended by a line feed.
pub(crate) fn table(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let write = |writer: &mut csv::Writer<Vec<u8>>| -> Result<(), csv::Error> {
        writer.write_record(header)?;
        rows.into_iter().try_for_each(|row| writer.write_record(row.into_iter().map(no_formula)))
    };
    write(&mut writer).expect("memory takes every write");
    let bytes = writer.into_inner().expect("memory takes every write");
    String::from_utf8(bytes).expect("all fields are text")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula() {
        let cells = ["=1+1", "@x", "-1.5", "-", "+inf", "+x", "plain", ""].map(str::to_owned).to_vec();
        assert_eq!(table(&["a"; 8], [cells].into_iter()).lines().nth(1), Some("'=1+1,'@x,-1.5,-,+inf,'+x,plain,"));
    }
}
