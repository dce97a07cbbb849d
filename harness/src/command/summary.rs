//! The summary of a run, for a person.

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::path::Path;

use console::style;
use gcn_analysis::{Answer, DpClass, DpFactor, SIMULATED, Status, Summary, Verdict};

use super::columns::columns;
use crate::run::DeviceCost;

/// Troubled instructions that are shown by name.
const SHOWN: usize = 12;

/// Writes the summary: first answers for a card's owner, failures, and disagreements of sources with the measurement; with `all`, the
/// other suites and the counts as well. `console` leaves colour out where standard output is no terminal.
///
/// `spent` is the device's cost in this process, if it measured.
pub(super) fn write(
    out: &mut impl Write,
    summary: &Summary<'_>,
    spent: Option<&DeviceCost>,
    folder: &Path,
    all: bool,
) -> std::io::Result<()> {
    writeln!(out, "{}, {}", style(&summary.device).bold(), summary.chip)?;
    if summary.simulated {
        writeln!(out, "{}", style(SIMULATED).yellow())?;
    }
    if !summary.complete {
        writeln!(out, "{}", style("Incomplete run: what did not run is missing below.").yellow())?;
    }
    answers(out, summary)?;
    doubts(out, summary)?;
    if all {
        suites(out, summary)?;
        counts(out, summary)?;
    }
    if let Some(DeviceCost { launches, gpu_time }) = spent {
        writeln!(out, "  GPU time      {:.3} s in {launches} launches", gpu_time.as_secs_f64())?;
    }
    writeln!(out, "  files         {}", folder.display())?;
    disputes(out, summary, all)
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
fn answers(out: &mut impl Write, summary: &Summary<'_>) -> std::io::Result<()> {
    match &summary.dpfactor {
        Ok(found) => writeln!(out, "  DPFACTOR      {}", dpfactor_words(found))?,
        Err(why) => writeln!(out, "  DPFACTOR      not measured: {why}")?,
    }
    match &summary.clock {
        Ok(clock) => writeln!(out, "  shader clock  {clock}")?,
        Err(why) => writeln!(out, "  shader clock  {why}")?,
    }
    if let Some(occupancy) = &summary.occupancy {
        writeln!(out, "  occupancy     {occupancy}")?;
    }
    if let Some(front_end) = &summary.front_end {
        writeln!(out, "  front end     {}", front_end.rule)?;
    }
    if let Some(banks) = &summary.lds_banks {
        writeln!(out, "  LDS           {banks}")?;
    }
    if !summary.glc.is_empty() {
        let names: Vec<_> = summary.glc.iter().map(ToString::to_string).collect();
        writeln!(out, "  GLC           {}", names.join(", "))?;
    }
    writeln!(out, "  instructions  {}", instructions(summary))
}

/// How many instructions have their numbers, and how many are open.
fn instructions(summary: &Summary<'_>) -> String {
    let is_open = |status| matches!(status, Status::Unstable | Status::Failed);
    let count = |of: &dyn Fn(Status) -> bool| -> usize {
        summary.statuses.iter().filter(|(status, _)| of(*status)).map(|(_, count)| count).sum()
    };
    let others = summary.statuses.iter().filter(|(status, _)| *status != Status::Ok && !is_open(*status));
    let mut words =
        vec![format!("{} measured", count(&|status| status == Status::Ok)), format!("{} open", count(&is_open))];
    words.extend(others.map(|(status, count)| format!("{count} {status}")));
    words.join(", ")
}

/// Results of the other suites.
fn suites(out: &mut impl Write, summary: &Summary<'_>) -> std::io::Result<()> {
    let found = [("units", &summary.units), ("pairs", &summary.pairs), ("semantics", &summary.semantics)];
    for (suite, words) in found {
        if let Some(words) = words {
            writeln!(out, "  {suite:<13} {words}")?;
        }
    }
    Ok(())
}

/// Measured values where sources disagree, and who agrees; with `all`, agreements and open questions, too.
fn disputes(out: &mut impl Write, summary: &Summary<'_>, all: bool) -> std::io::Result<()> {
    // An instruction of two questions is shown once.
    let mut seen = HashSet::new();
    let mut is_new =
        |answer: &Answer| answer.instructions.iter().filter(|name| seen.insert((*name).clone())).count() > 0;
    let shown = |answer: &&Answer| all || answer.is_contradicted() && is_new(answer);
    let answers = summary.questions.iter().flat_map(|question| &question.answers).filter(shown);
    let rows: Vec<[String; 3]> =
        answers.map(|answer| [answer.names(), answer.measured.clone(), answer.sources()]).collect();
    if !rows.is_empty() {
        writeln!(out, "\n{}", style("Where sources disagree: the measured value, and who agrees").bold())?;
    }
    for line in columns(&rows) {
        writeln!(out, "  {line}")?;
    }
    let open: Vec<_> = summary.questions.iter().filter(|question| !question.open.is_empty()).collect();
    if all {
        for question in &open {
            writeln!(out, "  open: {}: {}", question.question, question.open)?;
        }
    } else if !open.is_empty() && open.len() < summary.questions.len() {
        // A run that was asked for something else has settled none, and has no reader who misses them.
        writeln!(out, "  {} more questions are open: disputes.csv says what each needs", open.len())?;
    }
    Ok(())
}

/// Warnings and missing parts.
fn doubts(out: &mut impl Write, summary: &Summary<'_>) -> std::io::Result<()> {
    if let Ok(clock) = &summary.clock
        && clock.moved()
    {
        let warning = "The clock moved during the run: latencies of memory instructions are those of several clocks.";
        writeln!(out, "  {}", style(warning).yellow())?;
    }
    if let Some(why) = &summary.record.warm_up_failure {
        writeln!(out, "  warm-up       {}: {why}", style("a launch failed").yellow())?;
    }
    if let [first, ..] = summary.retried.as_slice() {
        let said = format!("{} of {} experiments failed, then passed", summary.retried.len(), summary.experiments);
        writeln!(out, "  retried       {}: {}: {}", style(said).yellow(), first.experiment, first.why)?;
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
fn counts(out: &mut impl Write, summary: &Summary<'_>) -> std::io::Result<()> {
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
        writeln!(
            out,
            "  rules         cases of CLRX's rules for alignment and scheduling: {}; see penalties.csv",
            counts.join(", ")
        )?;
    }
    writeln!(out, "  beyond        {} instructions are not in the CLRX table", summary.beyond)?;
    writeln!(out, "  readings      {}", summary.tally())?;
    Ok(())
}

/// Verdicts by source, in the order of the sources.
pub(super) fn totals<'s>(summary: &'s Summary<'_>) -> Vec<(&'s str, BTreeMap<Verdict, usize>)> {
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
