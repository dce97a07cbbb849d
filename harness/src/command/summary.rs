//! The summary of a run, for a person.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use console::style;
use gcn_analysis::{DpClass, DpFactor, SIMULATED, Span, Summary, Verdict};

use crate::run::Spent;

/// Troubled instructions that are shown by name.
const SHOWN: usize = 12;

/// Writes the summary: certain results, uncertain ones with reasons, then counts. `console` leaves colour out where standard output is not a terminal.
///
/// `spent` is the device's cost in this process, if it measured.
pub(super) fn write(
    out: &mut impl Write,
    summary: &Summary,
    spent: Option<&Spent>,
    folder: &Path,
) -> std::io::Result<()> {
    writeln!(out, "{}", style(&summary.device).bold())?;
    if summary.simulated {
        writeln!(out, "{}", style(SIMULATED).yellow())?;
    }
    if !summary.complete {
        writeln!(out, "{}", style("The run did not come to its end: what is missing is missing below.").yellow())?;
    }
    answers(out, summary)?;
    doubts(out, summary)?;
    counts(out, summary, spent)?;
    writeln!(out, "  files         {}", folder.display())
}

/// Whether DPFACTOR was found.
fn is_decided(class: DpClass) -> bool {
    matches!(class, DpClass::Known | DpClass::New)
}

fn dpfactor_words(found: &DpFactor) -> String {
    let class = match found.class {
        DpClass::Known => style(found.class.name()).green(),
        DpClass::New => style(found.class.name()).yellow(),
        DpClass::Inconsistent | DpClass::Undecided => style(found.class.name()).red(),
    };
    let (factor, rate) = (style(found.words()).bold(), found.rate());
    format!("{factor} ({class}), double precision {rate}; {}", found.agreement())
}

/// The findings of the run.
fn answers(out: &mut impl Write, summary: &Summary) -> std::io::Result<()> {
    if let Ok(found) = &summary.dpfactor
        && is_decided(found.class)
    {
        writeln!(out, "  DPFACTOR      {}", dpfactor_words(found))?;
    }
    if let Some(front_end) = &summary.front_end {
        writeln!(out, "  front end     {front_end}")?;
    }
    if let Some(banks) = &summary.lds_banks {
        writeln!(out, "  LDS           {banks}")?;
    }
    if !summary.glc.is_empty() {
        let names: Vec<_> = summary.glc.iter().map(ToString::to_string).collect();
        writeln!(out, "  GLC           {}", names.join(", "))?;
    }
    if let Some(occupancy) = &summary.occupancy {
        writeln!(out, "  occupancy     {occupancy}")?;
    }
    for question in summary.questions.iter().filter(|question| question.open.is_empty()) {
        writeln!(out, "  disputed      {question}")?;
    }
    if let Some(units) = &summary.units {
        writeln!(out, "  units         {units}")?;
    }
    if let Some(pairs) = &summary.pairs {
        writeln!(out, "  pairs         {pairs}")?;
    }
    if let Some(semantics) = &summary.semantics {
        writeln!(out, "  semantics     {semantics}")?;
    }
    Ok(())
}

/// The open points of the run, with reasons.
fn doubts(out: &mut impl Write, summary: &Summary) -> std::io::Result<()> {
    match &summary.dpfactor {
        Ok(found) if is_decided(found.class) => {}
        Ok(found) => writeln!(out, "  DPFACTOR      {}", dpfactor_words(found))?,
        Err(why) => writeln!(out, "  DPFACTOR      not measured: {why}")?,
    }
    let open = summary.questions.iter().filter(|question| !question.open.is_empty()).count();
    // A run with another task has settled none, and they are not missing.
    if open > 0 && open < summary.questions.len() {
        writeln!(
            out,
            "  open          {open} disputed questions are not settled by this run: disputes.csv says what each takes"
        )?;
    }
    if let Ok(clock) = &summary.clock
        && clock.moved()
    {
        let warning = "The clock moved during the run: latencies of memory instructions are those of several clocks.";
        writeln!(out, "  {}", style(warning).yellow())?;
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
    Ok(())
}

/// How much there is of everything.
fn counts(out: &mut impl Write, summary: &Summary, spent: Option<&Spent>) -> std::io::Result<()> {
    let statuses: Vec<_> = summary.statuses.iter().map(|(status, count)| format!("{count} {status}")).collect();
    writeln!(out, "  instructions  {}", if statuses.is_empty() { "none".into() } else { statuses.join(", ") })?;
    for (source, total) in totals(summary) {
        let count = |verdict| total.get(&verdict).copied().unwrap_or(0);
        let not_asked = match summary.not_asked.get(source) {
            Some(count) => format!(", {count} not asked for"),
            None => String::new(),
        };
        let [same, other, open] = [Verdict::Match, Verdict::Mismatch, Verdict::Answers].map(count);
        let words = if summary.simulated {
            let words = [Verdict::Match, Verdict::Mismatch].map(Verdict::simulated_word);
            format!("{same} {}, {other} {}, {open} open questions", words[0], words[1])
        } else {
            let differ = style(format!("{other} differ"));
            let differ = if other == 0 { differ.green() } else { differ.red() };
            format!("{same} match, {differ}, {open} open questions answered")
        };
        writeln!(out, "  published     {source}: {words}, {} not measured{not_asked}", count(Verdict::Unmeasured))?;
    }
    if !summary.rules.is_empty() {
        let words = |verdict: Verdict| if summary.simulated { verdict.simulated_word() } else { verdict.word() };
        let counts: Vec<_> =
            summary.rules.iter().map(|(verdict, count)| format!("{count} {}", words(*verdict))).collect();
        writeln!(out, "  rules         {} of the page's cases, see penalties.csv", counts.join(", "))?;
    }
    writeln!(out, "  beyond        {} instructions of which the page says nothing", summary.beyond)?;
    writeln!(out, "  readings      {}", summary.tally)?;
    if let Some(Spent { launches, gpu_time }) = spent {
        writeln!(out, "  GPU time      {:.3} s in {launches} launches", gpu_time.as_secs_f64())?;
    }
    match &summary.clock {
        Ok(clock) => writeln!(out, "  shader clock  {clock}"),
        Err(why) => writeln!(out, "  shader clock  {why}"),
    }
}

/// Verdicts by source, in the order of the sources.
pub(super) fn totals(summary: &Summary) -> Vec<(&str, BTreeMap<Verdict, usize>)> {
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

/// A value, and its interval if that has a width in print.
pub(super) fn interval(span: Span) -> String {
    let [value, low, high] = [span.value, span.low, span.high].map(number);
    if low == high { value } else { format!("{value} [{low}, {high}]") }
}

/// At most four decimals, none that say nothing.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').into()
}
