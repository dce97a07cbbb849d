//! The summary of a run, for scripts.

use std::collections::BTreeMap;
use std::path::Path;

use gcn_analysis::{ClockStretch, DropRule, FailedTry, GlcExtra, ShaderClock, Summary, Tally, TimingRow, Verdict};

use crate::run::DeviceCost;

/// What became of the readings.
fn tally(tally: &Tally) -> serde_json::Value {
    let dropped: serde_json::Map<_, _> =
        DropRule::ALL.map(|rule| (rule.name().to_owned(), tally.count(rule).into())).into_iter().collect();
    serde_json::json!({
        "stored": tally.readings, "used": tally.used, "alone": tally.alone, "no_estimate": tally.no_estimate,
        "dropped": dropped,
    })
}

/// The shader clock, with its steps.
fn clock(clock: &ShaderClock) -> serde_json::Value {
    let step = |(before, behind): (&ClockStretch, &ClockStretch)| serde_json::json!({"launch": behind.launch, "mhz_before": before.mhz, "mhz_behind": behind.mhz});
    serde_json::json!({
        "mhz": clock.mhz, "low_mhz": clock.low_mhz, "high_mhz": clock.high_mhz, "windows": clock.windows,
        "steps": clock.steps().map(step).collect::<Vec<_>>(), "drift_share": clock.drift_share(), "moved": clock.moved(),
    })
}

/// Experiments that failed, by their ids.
fn failed(tries: &[FailedTry]) -> BTreeMap<&str, &str> {
    tries.iter().map(|tried| (tried.experiment.as_str(), tried.why.as_str())).collect()
}

/// An instruction that did not settle or failed.
fn troubled(row: &TimingRow) -> serde_json::Value {
    serde_json::json!({ "instruction": row.instruction, "status": row.status, "detail": row.detail })
}

/// What GLC adds, with the ends of its interval; whether the instructions agree.
fn glc(found: &GlcExtra) -> serde_json::Value {
    let [value, low, high] = found.cycles.numbers();
    serde_json::json!({ "cycles": value, "low": low, "high": high, "agrees": found.agrees })
}

/// The summary as JSON.
pub(super) fn as_json(
    summary: &Summary<'_>,
    spent: Option<&DeviceCost>,
    folder: &Path,
) -> anyhow::Result<serde_json::Value> {
    let dpfactor = match &summary.dpfactor {
        Ok(found) => serde_json::from_str(&gcn_analysis::dpfactor_json(found, &summary.record.dp_rate_field))?,
        Err(_) => serde_json::Value::Null,
    };
    let statuses: BTreeMap<_, _> = summary.statuses.iter().map(|(status, count)| (status.to_string(), count)).collect();
    let counts = |verdicts: &BTreeMap<Verdict, usize>| -> BTreeMap<String, usize> {
        verdicts.iter().map(|(verdict, count)| (verdict.to_string(), *count)).collect()
    };
    let published: BTreeMap<_, _> =
        summary.published.iter().map(|(source, verdicts)| (source, counts(verdicts))).collect();
    let glc: BTreeMap<_, _> = summary.glc.iter().map(|found| (format!("GLC{}", found.extra), glc(found))).collect();
    Ok(serde_json::json!({
        "device": summary.record.device.name,
        "simulated": summary.record.device.is_simulated(),
        "complete": summary.record.end.is_some(),
        "experiments": summary.experiments,
        "failed": failed(&summary.failed),
        "failed_then_passed": failed(&summary.retried),
        "warm_up_failure": summary.record.warm_up_failure,
        "instructions": statuses,
        "readings": tally(&summary.tally()),
        "launches": spent.map(|spent| spent.launches),
        "gpu_seconds": spent.map(|spent| spent.gpu_time.as_secs_f64()),
        "shader_clock": summary.clock.as_ref().ok().map(clock),
        "dpfactor": dpfactor,
        "published": published,
        "rules": counts(&summary.rules),
        "not_asked": summary.not_asked,
        "beyond_clrx": summary.beyond,
        "glc": glc,
        "lds_banks": summary.lds_banks.as_ref().and_then(|found| found.banks),
        "lds_wgp_arrays": summary.lds_banks.as_ref().and_then(|found| found.arrays),
        "lds_banks_candidates": summary.lds_banks.as_ref().map(|found| &found.candidates),
        "front_end": summary.front_end.as_ref().map(|found| serde_json::json!({
            "block_bytes": found.block.map(|block| block.0), "free_dwords": found.free_dwords, "penalty_cycles": found.penalty.0,
            "instructions": found.instructions, "says": found.to_string(),
        })),
        "occupancy": summary.suite("occupancy"),
        "semantics": summary.suite("semantics"),
        "units": summary.suite("units"),
        "pairs": summary.suite("pairs"),
        "disputed": summary.questions,
        "troubled": summary.troubled.iter().map(|row| troubled(row)).collect::<Vec<_>>(),
        // JSON is Unicode; a name that is not is shown as well as it can be.
        "files": folder.to_string_lossy(),
    }))
}
