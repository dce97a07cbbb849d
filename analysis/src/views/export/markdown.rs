//! A run's timings as a Markdown table, with LLVM's numbers.

use super::error::ExportError;
use super::llvm::llvm_writes;
use super::target::schedulers;
use crate::tables::{Measured, Number};
use gcn_model::quantity::Cycles;

use crate::results::Results;
use crate::views::origin::{SIMULATED, origin};

/// What stands above every table.
fn head(run: &Results, title: &str) -> String {
    let simulated = if run.record.device.is_simulated() { format!("{SIMULATED}\n\n") } else { String::new() };
    format!("{simulated}# {title}\n\n{}.\n", escaped(&origin(&run.record)))
}

/// A text in a cell.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;").replace('\n', " ")
}

fn row(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// The timings of a run.
pub fn export_markdown(run: &Results) -> String {
    let mut page = head(run, "Instruction timings");
    page += "\nCycles and latency are shader cycles of one wave, for independent and for dependent instructions; taken is that of a jump that is \
             taken. Throughput is instructions per cycle per compute unit.\n\n";
    page += "| instruction | encoding | bytes | cycles | taken | latency | throughput | status |\n|---|---|---|---|---|---|---|---|\n";
    let print = |number: Option<Number>| number.map(|number| number.to_string()).unwrap_or_default();
    let cycles = |span: Option<Measured<Cycles>>| print(span.map(Number::cycles));
    for timing in &run.timings {
        let status =
            [timing.status.name(), &timing.detail].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>();
        page += &row(&[
            timing.instruction.clone(),
            timing.encoding.clone(),
            timing.bytes.to_string(),
            cycles(timing.cycles),
            cycles(timing.taken),
            cycles(timing.latency),
            print(timing.throughput.map(Number::rate)),
            escaped(&status.join(": ")),
        ]);
    }
    page
}

/// LLVM's scheduling resources and those of a run, with the differences.
///
/// # Errors
/// No model of the run's target is known.
pub fn llvm_differences(run: &Results) -> Result<String, ExportError> {
    let of = schedulers(run)?;
    let mut page = head(run, &format!("{} of LLVM 22, and what was measured", of.llvm_model));
    page += &format!("\nLatency and release (ReleaseAtCycles) are slots of {} cycles.", of.slot_cycles);
    page += " A class whose instructions measured differently is not one number: \
             LLVM's is kept, followed by the numbers in cycles.\n\n";
    page += "| SchedWrite | LLVM latency | latency | difference | LLVM release | release | difference | instructions | remarks |\n\
             |---|---|---|---|---|---|---|---|---|\n";
    let number = |number: Option<u32>| number.map(|number| number.to_string()).unwrap_or_default();
    let change = |found: Option<u32>, llvm: u32| {
        found.map(|found| format!("{:+}", i64::from(found) - i64::from(llvm))).unwrap_or_default()
    };
    for write in llvm_writes(run)?.writes {
        page += &row(&[
            write.write.clone(),
            write.llvm_latency_slots.to_string(),
            number(write.latency_slots),
            change(write.latency_slots, write.llvm_latency_slots),
            write.llvm_release_at_cycles.to_string(),
            number(write.release_at_cycles),
            change(write.release_at_cycles, write.llvm_release_at_cycles),
            write.instructions.to_string(),
            escaped(&write.remarks().join("; ")),
        ]);
    }
    Ok(page)
}
