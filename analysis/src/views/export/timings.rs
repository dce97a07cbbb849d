//! A run's timings as one table: a row for each number as CSV, one for each instruction as Markdown.

use gcn_model::quantity::Cycles;

use crate::one_wave::TimingRow;
use crate::results::Results;
use crate::tables::{Measured, Number, Quantity, csv_of, decimal};
use crate::views::origin::{SIMULATED, origin};

/// The columns of the CSV.
const HEADER: &str =
    "device,target,simulated,instruction,encoding,bytes,quantity,unit,value,low,high,waves_per_simd,status,detail";

/// The table of a run; an instruction without a number has one row, with its reason.
pub fn export_csv(run: &Results) -> String {
    csv_of(HEADER.split(','), run.timings.iter().flat_map(|timing| rows(run, timing)))
}

fn rows(run: &Results, timing: &TimingRow) -> Vec<Vec<String>> {
    let device = &run.record.device;
    let simulated = device.is_simulated().to_string();
    let row = |quantity: Option<Quantity>, span: Option<Measured>| {
        let unit = match quantity {
            None => "",
            Some(Quantity::Throughput) => "instructions per cycle per compute unit",
            Some(_) => "shader cycles",
        };
        let [value, low, high] =
            span.map_or_else(Default::default, |span| [span.value, span.low, span.high].map(decimal));
        let waves = timing.waves_per_simd.filter(|_| quantity == Some(Quantity::Throughput));
        vec![
            device.name.clone(),
            device.target.clone(),
            simulated.clone(),
            timing.instruction.clone(),
            timing.encoding.clone(),
            timing.bytes.0.to_string(),
            quantity.map_or("", Quantity::column).to_owned(),
            unit.to_owned(),
            value,
            low,
            high,
            waves.map(|waves| waves.to_string()).unwrap_or_default(),
            timing.status.name().to_owned(),
            timing.detail.clone(),
        ]
    };
    let measured = timing.numbers().into_iter().filter(|(_, span)| span.is_some());
    let measured: Vec<_> = measured.map(|(quantity, span)| row(Some(quantity), span)).collect();
    if measured.is_empty() { vec![row(None, None)] } else { measured }
}

/// A text in a cell.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;").replace('\n', " ")
}

/// The timings of a run.
pub fn export_markdown(run: &Results) -> String {
    let simulated = if run.record.device.is_simulated() { format!("{SIMULATED}\n\n") } else { String::new() };
    let mut page = format!("{simulated}# Instruction timings\n\n{}.\n", escaped(&origin(&run.record)));
    page += "\nCycles and latency are shader cycles of one wave, for independent and for dependent instructions; taken is that of a jump that is \
             taken. Throughput is instructions per cycle per compute unit.\n\n";
    page += "| instruction | encoding | bytes | cycles | taken | latency | throughput | status |\n|---|---|---|---|---|---|---|---|\n";
    let print = |number: Option<Number>| number.map(|number| number.to_string()).unwrap_or_default();
    let cycles = |span: Option<Measured<Cycles>>| print(span.map(Number::cycles));
    for timing in &run.timings {
        let status =
            [timing.status.name(), &timing.detail].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>();
        let cells = [
            timing.instruction.clone(),
            timing.encoding.clone(),
            timing.bytes.to_string(),
            cycles(timing.cycles),
            cycles(timing.taken),
            cycles(timing.latency),
            print(timing.throughput.map(Number::rate)),
            escaped(&status.join(": ")),
        ];
        page += &format!("| {} |\n", cells.join(" | "));
    }
    page
}
