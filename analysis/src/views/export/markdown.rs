//! A run's timings as a Markdown table.

use crate::tables::{Measured, Number};
use gcn_model::quantity::Cycles;

use crate::results::Results;
use crate::views::origin::{SIMULATED, origin};

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
