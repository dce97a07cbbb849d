//! Matrix instructions: their shapes, their times, and their share of AMD's stated rate.

use gcn_model::isa::{Generation, MatrixOperation, Processor};
use gcn_model::published::{Published, source};

use crate::document::{Document, Topic};
use crate::one_wave::TimingRow;
use crate::results::Results;
use crate::tables::{Measured, cell, two};

/// The source of peak rates.
const VENDOR: &str = "vendor";

/// The section of matrix instructions, if the run measured one.
pub(super) fn matrix(page: &mut Document, analysis: &Results) {
    let device = &analysis.record.device;
    let Some(processor) = Processor::find(&device.target) else { return };
    let rows: Vec<(&TimingRow, &MatrixOperation)> = analysis
        .timings
        .iter()
        .filter(|row| row.has_number())
        .filter_map(|row| {
            let instruction = processor.instruction(&row.instruction)?;
            Some((row, processor.generation.matrix_operation(instruction)?))
        })
        .collect();
    if rows.is_empty() {
        return;
    }
    let vendor = source(VENDOR);
    page.section(Topic::Matrix, 2, "Matrix instructions");
    page.paragraph(format!(
        "Each block multiplies an M × K matrix by a K × N one and adds: 2 × M × N × K operations. A pass is {} cycles of the matrix unit. The \
         peak is {}; no source states it for a shape; it is shown at those of the largest K.",
        processor.generation.waves.issue_interval_cycles,
        vendor.map_or("not published", Published::title),
    ));
    let heads = [
        "Instruction",
        "M × N × K",
        "Blocks",
        "Cycles",
        "Passes",
        "Latency",
        "Operations per cycle and compute unit",
        "AMD's peak",
    ];
    let cells = |(row, operation): (&TimingRow, &MatrixOperation)| {
        let MatrixOperation { m, n, k, blocks, .. } = operation;
        [
            row.instruction.clone(),
            format!("{m} × {n} × {k}"),
            blocks.to_string(),
            cell(row.cycles),
            passes(row, processor.generation).unwrap_or_default(),
            cell(row.latency),
            reached(row, operation).unwrap_or_default(),
            peak(vendor, row, processor, operation).unwrap_or_default(),
        ]
    };
    page.table(heads, rows.into_iter().map(cells));
}

/// The cycles that were measured, in passes, where they stand for whole ones.
fn passes(row: &TimingRow, generation: Generation) -> Option<String> {
    Some(two(row.cycles_snapped?.0 / f64::from(generation.waves.issue_interval_cycles)))
}

/// Operations in a cycle of a compute unit, of the throughput that was measured.
fn reached(row: &TimingRow, operation: &MatrixOperation) -> Option<String> {
    let operations = operation.operations() as f64;
    let numbers = row.throughput.as_ref()?.numbers().map(|throughput| throughput * operations);
    let least = if row.throughput_is_least { "at least " } else { "" };
    Some(format!("{least}{}", cell(Some(Measured::from(numbers)))))
}

/// The same as AMD states it, where it does.
fn peak(
    vendor: Option<&Published>,
    row: &TimingRow,
    processor: Processor,
    operation: &MatrixOperation,
) -> Option<String> {
    let instruction = processor.instruction(&row.instruction)?;
    let stated = vendor?.expectations_on(instruction, processor.name()).throughput?;
    // A peak rate takes no DPFACTOR.
    Some(two(stated.evaluate(1).lowest()? * operation.operations() as f64))
}
