//! A run's timings as one long table: a row for each number.

use serde::Serialize;

use crate::results::Results;
use crate::tables::{Measured, decimal, plain};

#[derive(Serialize)]
struct Row<'r> {
    device: &'r str,
    target: &'r str,
    simulated: bool,
    instruction: &'r str,
    encoding: &'r str,
    bytes: u32,
    quantity: &'static str,
    unit: &'static str,
    value: String,
    low: String,
    high: String,
    waves_per_simd: Option<u32>,
    status: &'r str,
    detail: &'r str,
}

/// The table of a run; an instruction without a number has one row, with its reason.
pub fn export_csv(run: &Results) -> String {
    let device = &run.record.device;
    let mut writer = csv::Writer::from_writer(Vec::new());
    for timing in &run.timings {
        let quantities = [
            ("cycles", "shader cycles", plain(timing.cycles)),
            ("taken", "shader cycles", plain(timing.taken)),
            ("latency", "shader cycles", plain(timing.latency)),
            ("throughput", "instructions per cycle per compute unit", plain(timing.throughput)),
        ];
        let row = |(quantity, unit, span): (&'static str, &'static str, Option<Measured>)| {
            let [value, low, high] =
                span.map_or_else(Default::default, |span| [span.value, span.low, span.high].map(decimal));
            Row {
                device: &device.name,
                target: &device.target,
                simulated: run.record.device.is_simulated(),
                instruction: &timing.instruction,
                encoding: &timing.encoding,
                bytes: timing.bytes.0,
                quantity,
                unit,
                value,
                low,
                high,
                waves_per_simd: timing.waves_per_simd.filter(|_| quantity == "throughput"),
                status: timing.status.name(),
                detail: &timing.detail,
            }
        };
        let mut measured: Vec<_> = quantities.into_iter().filter(|(.., span)| span.is_some()).map(row).collect();
        if measured.is_empty() {
            measured.push(row(("", "", None)));
        }
        // Writing into memory does not fail, nor do rows of equal length.
        measured.iter().try_for_each(|row| writer.serialize(row)).unwrap_or_default();
    }
    writer.into_inner().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}
