//! A run's timings as one long table: a row for each number.

use crate::one_wave::TimingRow;
use crate::results::Results;
use crate::tables::{Measured, csv_of, decimal, plain};

/// The columns.
const HEADER: &str =
    "device,target,simulated,instruction,encoding,bytes,quantity,unit,value,low,high,waves_per_simd,status,detail";

/// The table of a run; an instruction without a number has one row, with its reason.
pub fn export_csv(run: &Results) -> String {
    csv_of(HEADER.split(','), run.timings.iter().flat_map(|timing| rows(run, timing)))
}

fn rows(run: &Results, timing: &TimingRow) -> Vec<Vec<String>> {
    let device = &run.record.device;
    let simulated = device.is_simulated().to_string();
    let row = |(quantity, unit, span): (&str, &str, Option<Measured>)| {
        let [value, low, high] =
            span.map_or_else(Default::default, |span| [span.value, span.low, span.high].map(decimal));
        let waves = timing.waves_per_simd.filter(|_| quantity == "throughput");
        vec![
            device.name.clone(),
            device.target.clone(),
            simulated.clone(),
            timing.instruction.clone(),
            timing.encoding.clone(),
            timing.bytes.0.to_string(),
            quantity.to_owned(),
            unit.to_owned(),
            value,
            low,
            high,
            waves.map(|waves| waves.to_string()).unwrap_or_default(),
            timing.status.name().to_owned(),
            timing.detail.clone(),
        ]
    };
    let quantities = [
        ("cycles", "shader cycles", plain(timing.cycles)),
        ("taken", "shader cycles", plain(timing.taken)),
        ("latency", "shader cycles", plain(timing.latency)),
        ("throughput", "instructions per cycle per compute unit", plain(timing.throughput)),
    ];
    let measured: Vec<_> = quantities.into_iter().filter(|(.., span)| span.is_some()).map(row).collect();
    if measured.is_empty() { vec![row(("", "", None))] } else { measured }
}
