//! The summary of a run, for a person.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use console::style;
use gcn_analysis::{ClockStretch, DpClass, DropRule, FailedTry, ShaderClock, Summary, Tally, Verdict};

use crate::run::Spent;

/// Troubled instructions that are shown by name.
const SHOWN: usize = 12;

/// Writes the summary; `console` leaves colour out where standard output is no terminal.
///
/// `spent` is what the process asked of the device, if it was this one that measured.
pub(super) fn write(
    out: &mut impl Write,
    summary: &Summary,
    spent: Option<&Spent>,
    folder: &Path,
) -> std::io::Result<()> {
    writeln!(out, "{}", style(&summary.device).bold())?;
    if !summary.complete {
        writeln!(out, "{}", style("The run did not come to its end: what is missing is missing below.").yellow())?;
    }
    let statuses: Vec<_> = summary.statuses.iter().map(|(status, count)| format!("{count} {status}")).collect();
    writeln!(out, "  instructions  {}", if statuses.is_empty() { "none".into() } else { statuses.join(", ") })?;
    writeln!(out, "  readings      {}", summary.tally)?;
    if let Some(Spent { launches, gpu_time }) = spent {
        writeln!(out, "  GPU time      {:.3} s in {launches} launches", gpu_time.as_secs_f64())?;
    }
    match &summary.dpfactor {
        Ok(found) => {
            let class = match found.class {
                DpClass::Known => style(found.class.name()).green(),
                DpClass::New => style(found.class.name()).yellow(),
                DpClass::Inconsistent | DpClass::Undecided => style(found.class.name()).red(),
            };
            let (factor, rate) = (style(found.words()).bold(), &found.dp_rate);
            writeln!(out, "  DPFACTOR      {factor} ({class}), double precision {rate}; {}", found.agreement())?;
        }
        Err(why) => writeln!(out, "  DPFACTOR      not measured: {why}")?,
    }
    match &summary.clock {
        Ok(clock) => {
            writeln!(out, "  shader clock  {clock}")?;
            if clock.moved() {
                let warning =
                    "The clock moved during the run: latencies of memory instructions are those of several clocks.";
                writeln!(out, "  {}", style(warning).yellow())?;
            }
        }
        Err(why) => writeln!(out, "  shader clock  {why}")?,
    }
    for (source, total) in totals(summary) {
        let count = |verdict| total.get(&verdict).copied().unwrap_or(0);
        let mismatches = count(Verdict::Mismatch);
        let mismatches = match mismatches {
            0 => style("0 differ".to_owned()).green(),
            some => style(format!("{some} differ")).red(),
        };
        let not_asked = match summary.not_asked.get(source) {
            Some(count) => format!(", {count} not asked for"),
            None => String::new(),
        };
        writeln!(
            out,
            "  published     {source}: {} match, {mismatches}, {} open questions answered, {} not measured{not_asked}",
            count(Verdict::Match),
            count(Verdict::Answers),
            count(Verdict::Unmeasured)
        )?;
    }
    writeln!(out, "  beyond        {} instructions of which the page says nothing", summary.beyond)?;
    if !summary.glc.is_empty() {
        let names: Vec<_> = summary.glc.iter().map(ToString::to_string).collect();
        writeln!(out, "  GLC           {}", names.join(", "))?;
    }
    if let Some(banks) = &summary.lds_banks {
        writeln!(out, "  LDS           {banks}")?;
    }
    if let Some(front_end) = &summary.front_end {
        writeln!(out, "  front end     {front_end}")?;
    }
    if let Some(occupancy) = &summary.occupancy {
        writeln!(out, "  occupancy     {occupancy}")?;
    }
    if !summary.rules.is_empty() {
        let counts: Vec<_> = summary.rules.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
        writeln!(out, "  rules         {} of the page's cases, see penalties.csv", counts.join(", "))?;
    }
    if let Some(semantics) = &summary.semantics {
        writeln!(out, "  semantics     {semantics}")?;
    }
    if let Some(why) = &summary.warm_up_failure {
        writeln!(out, "  warm-up       {}: {why}", style("a launch failed").yellow())?;
    }
    if let [first, ..] = summary.retried.as_slice() {
        let said = format!(
            "{} of {} experiments failed and stood when tried again",
            summary.retried.len(),
            summary.experiments
        );
        writeln!(out, "  tried again   {}: {}: {}", style(said).yellow(), first.experiment, first.why)?;
    }
    if let [first, ..] = summary.failed.as_slice() {
        let said = format!("{} of {} experiments failed", summary.failed.len(), summary.experiments);
        writeln!(out, "  lost          {}: {}: {}", style(said).red(), first.experiment, first.why)?;
    }
    for row in summary.troubled.iter().take(SHOWN) {
        writeln!(out, "  {:<13} {}: {}", style(row.status).red(), row.instruction, row.detail)?;
    }
    if summary.troubled.len() > SHOWN {
        writeln!(out, "  … and {} more, see timings.csv", summary.troubled.len() - SHOWN)?;
    }
    writeln!(out, "  files         {}", folder.display())
}

/// Verdicts by source, in the order of the sources.
fn totals(summary: &Summary) -> Vec<(&str, BTreeMap<Verdict, usize>)> {
    let mut totals: Vec<(&str, BTreeMap<Verdict, usize>)> = Vec::new();
    for section in &summary.sections {
        let position = totals.iter().position(|(source, _)| *source == section.source).unwrap_or_else(|| {
            totals.push((&section.source, BTreeMap::new()));
            totals.len() - 1
        });
        let total = &mut totals[position].1;
        for (verdict, count) in &section.verdicts {
            *total.entry(*verdict).or_default() += count;
        }
    }
    totals
}

/// At most four decimals, none that say nothing.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').into()
}

/// What became of the readings.
fn tally(tally: &Tally) -> serde_json::Value {
    let dropped: serde_json::Map<_, _> =
        DropRule::ALL.map(|rule| (rule.column().to_owned(), tally.count(rule).into())).into_iter().collect();
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

/// Writes the summary as JSON.
pub(super) fn write_json(
    out: &mut impl Write,
    summary: &Summary,
    spent: Option<&Spent>,
    folder: &Path,
) -> anyhow::Result<()> {
    let dpfactor = match &summary.dpfactor {
        Ok(found) => serde_json::from_str(&gcn_analysis::dpfactor_json(found, &summary.dp_rate_field))?,
        Err(_) => serde_json::Value::Null,
    };
    let statuses: BTreeMap<_, _> = summary.statuses.iter().map(|(status, count)| (status.to_string(), count)).collect();
    let published: BTreeMap<_, BTreeMap<_, _>> = totals(summary)
        .into_iter()
        .map(|(source, total)| {
            (source, total.into_iter().map(|(verdict, count)| (verdict.to_string(), count)).collect())
        })
        .collect();
    let glc: BTreeMap<_, _> =
        summary.glc.iter().map(|found| (format!("GLC{}", found.extra), found.cycles.value.0)).collect();
    let value = serde_json::json!({
        "device": summary.device,
        "complete": summary.complete,
        "experiments": summary.experiments,
        "failed": failed(&summary.failed),
        "failed_and_stood_again": failed(&summary.retried),
        "warm_up_failure": summary.warm_up_failure,
        "instructions": statuses,
        "readings": tally(&summary.tally),
        "launches": spent.map(|spent| spent.launches),
        "gpu_seconds": spent.map(|spent| spent.gpu_time.as_secs_f64()),
        "shader_clock": summary.clock.as_ref().ok().map(clock),
        "dpfactor": dpfactor,
        "published": published,
        "not_asked": summary.not_asked,
        "beyond_the_page": summary.beyond,
        "glc": glc,
        "lds_banks": summary.lds_banks.as_ref().and_then(|found| found.banks),
        // JSON is Unicode; a name that is not is shown as well as it can be.
        "files": folder.to_string_lossy(),
    });
    serde_json::to_writer_pretty(&mut *out, &value)?;
    writeln!(out)?;
    Ok(())
}
