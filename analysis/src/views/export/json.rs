//! Everything of a run as one JSON document; `docs/export.schema.json` describes it.

use serde_json::{Value, json};

use super::aco::aco_classes;
use super::classes::schedulers;
use super::llvm::llvm_writes;
use crate::one_wave::Distribution;
use crate::results::Results;
use crate::tables::{Value as _, disputed_word, printed};
use crate::views::origin::SIMULATED;

/// The version of the description; it changes with the meaning of a field.
const SCHEMA: &str = "gcn-timings-export-1";

fn list<T>(rows: &[T], row: impl Fn(&T) -> Value) -> Value {
    rows.iter().map(row).collect()
}

/// The document of a run. Verdicts on published sources are null where the numbers are simulated.
pub fn export_json(run: &Results) -> Value {
    // Long: the document's fields, each once.
    let (record, device) = (&run.record, &run.record.device);
    let is_simulated = device.is_simulated();
    let verdict = |verdict: &'static str| if is_simulated { Value::Null } else { verdict.into() };
    json!({
        "schema": SCHEMA,
        "version": env!("CARGO_PKG_VERSION"),
        "simulated": is_simulated,
        "note": is_simulated.then_some(SIMULATED),
        "device": {
            "name": device.name, "target": device.target, "generation": device.generation, "driver": device.driver,
            "compute_units": (device.compute_units > 0).then_some(device.compute_units),
        },
        "run": {
            "tool": record.tool, "start": (!record.start.is_empty()).then_some(&record.start),
            "is_complete": record.end.is_some(), "has_readings": !run.estimates.is_empty(),
        },
        "dpfactor": run.dpfactor.as_ref().ok().map(|found| json!({
            "value": found.dpfactor, "low": found.low, "high": found.high, "dp_rate": found.dp_rate,
            "agreeing": found.agreeing, "of": found.of,
        })),
        "timings": list(&run.timings, |row| json!({
            "instruction": row.instruction, "encoding": row.encoding, "bytes": row.bytes, "cycles": row.cycles,
            "taken": row.taken, "latency": row.latency, "throughput": row.throughput,
            "waves_per_simd": row.waves_per_simd, "samples": row.samples, "status": row.status, "detail": row.detail,
        })),
        "throughput": list(&run.throughputs, |row| json!({
            "instruction": row.instruction, "form": row.case, "waves_per_simd": row.waves_per_simd,
            "throughput": row.throughput, "status": row.status, "detail": row.detail,
        })),
        "forms": list(&run.variants, |row| json!({
            "instruction": row.instruction, "form": row.case, "quantity": row.quantity, "cycles": row.cycles,
            "difference": row.difference, "status": row.status, "detail": row.detail,
        })),
        "distributions": list(&run.distributions.iter().flat_map(Distribution::rows).collect::<Vec<_>>(), |row| json!({
            "instruction": row.instruction, "form": row.case, "cycles": row.value_cycles, "count": row.count, "share": printed(row.share),
        })),
        "penalties": list(&run.penalties, |row| json!({
            "experiment": row.experiment, "case": row.case, "offset_dwords": row.offset_dwords,
            "waves_per_simd": row.waves_per_simd, "cycles": row.penalty, "expected": row.expected,
            "verdict": verdict(row.verdict.word()),
        })),
        "occupancy": list(&run.occupancy.table, |row| json!({
            "waves_per_simd": row.waves_per_simd, "sgprs": row.sgprs, "vgprs": row.vgprs,
            "lds_dwords_per_lane": row.lds_dwords_per_lane, "issue": row.issue.map(|issue| printed(issue.value.0)),
        })),
        "allocation": list(&run.occupancy.allocations, |row| json!({
            "resource": row.resource, "granules": row.granules.iter().map(u32::to_string).collect::<Vec<_>>(),
            "total_low": row.total.0, "total_high": row.total.1,
        })),
        "issue": list(&run.occupancy.issue, |row| json!({
            "mix": row.mix, "waves_per_simd": row.waves_per_simd, "instructions_per_cycle": row.issue,
            "status": row.status, "detail": row.detail,
        })),
        "published": list(&run.validation, |row| json!({
            "source": row.source, "instruction": row.instruction, "quantity": row.quantity, "published": row.published,
            "expected": row.expected, "measured": row.measured.map(|measured| printed(measured.value)), "verdict": verdict(row.verdict.word()),
        })),
        "disputes": list(&run.disputes, |row| json!({
            "number": row.number, "question": row.question, "instruction": row.instruction, "quantity": disputed_word(row.quantity),
            "source": row.source, "predicted": row.predicted, "measured": row.measured.map(|measured| printed(measured.value)),
            "verdict": verdict(row.verdict.name()),
            "detail": row.detail,
        })),
        "semantics": list(&run.semantics, |row| json!({
            "case": row.case, "question": row.question, "instruction": row.instruction, "result": row.result.texts().concat(),
            "verdict": row.verdict, "reading": row.reading, "source": row.source, "device": row.device,
            "detail": row.detail,
        })),
        // Nothing where no model of the target is known.
        "llvm": schedulers(run).ok().zip(llvm_writes(run).ok()).map(|(of, writes)| json!({ "model": of.llvm_model, "slot_cycles": of.slot_cycles, "writes": writes.writes })),
        "aco": aco_classes(run).ok().map(|(classes, _)| classes),
    })
}
