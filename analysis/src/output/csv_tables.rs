//! `timings.csv`, `throughput.csv` and `validation.csv`.

use crate::measured::{Measured, decimal};
use crate::throughput::ThroughputRow;
use crate::timing::TimingRow;
use crate::validation::ValidationRow;

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
const THROUGHPUT: [&str; 7] = ["instruction", "waves_per_simd", "throughput", "low", "high", "status", "detail"];

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
        fields.extend([row.status.to_string(), row.detail.clone()]);
        fields
    });
    table(&THROUGHPUT, rows)
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

/// A CSV text with its header, lines ended by a line feed.
pub(crate) fn table(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let write = |writer: &mut csv::Writer<Vec<u8>>| -> Result<(), csv::Error> {
        writer.write_record(header)?;
        rows.into_iter().try_for_each(|row| writer.write_record(&row))
    };
    write(&mut writer).expect("memory takes every write");
    let bytes = writer.into_inner().expect("memory takes every write");
    String::from_utf8(bytes).expect("all fields are text")
}
