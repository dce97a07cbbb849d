//! Distribution of the readings of an instruction.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;

use gcn_model::quantity::Cycles;
use gcn_model::record::ExperimentRecord;
use plotters::style::text_anchor::HPos;
use serde::Deserialize;

use super::axis::{Axis, number};
use super::judgement::{is_wide, rounded};
use super::panel::{Panel, SMALL};
use super::plan::Plan;
use super::sheet::{Rectangle, Sheet};
use super::theme::{INK, MEASURED, PUBLISHED};
use crate::one_wave::{ALONE, has_alone, slope_rules};
use crate::results::Results;
use crate::run::StoredReading;
use crate::settle::{DropRule, Dropped, LateCount, Sample};
use crate::tables::{joined, plain};

/// Height of a panel, pixels.
const HEIGHT: f64 = 250.0;

/// Panels side by side.
const COLUMNS: usize = 3;

/// Bars of a panel at most; wider spreads are put together.
const BARS: u64 = 24;

/// The columns of `readings.csv` that are drawn.
#[derive(Deserialize)]
struct Row {
    experiment: String,
    n: u32,
    begin: u64,
    end: u64,
}

/// What became of a reading.
#[derive(Debug, Clone, Copy)]
struct Judged {
    /// Shader cycles.
    cycles: i64,
    /// The rule that dropped it.
    fate: Option<DropRule>,
}

/// The samples of an experiment and its row in a folder that no run wrote, unchanged.
fn of_files(run: &Results, experiment: &str) -> Result<(Vec<Sample>, Option<ExperimentRecord>), String> {
    let mut samples = Vec::new();
    let file = File::open(run.folder.join("readings.csv")).map_err(|error| format!("readings.csv: {error}"))?;
    // Row by row: there may be a million.
    for row in csv::Reader::from_reader(BufReader::new(file)).into_deserialize::<Row>() {
        let row = row.map_err(|error| format!("readings.csv: {error}"))?;
        if row.experiment == experiment {
            let cycles = row.end.wrapping_sub(row.begin).cast_signed();
            samples.push(Sample { n: row.n, cycles: Cycles(cycles as f64) });
        }
    }
    // Without the file they are only known as samples of their lengths.
    let Ok(file) = File::open(run.folder.join("experiments.csv")) else { return Ok((samples, None)) };
    let records = csv::Reader::from_reader(BufReader::new(file)).into_deserialize().collect::<Result<Vec<_>, _>>();
    let records: Vec<ExperimentRecord> = records.map_err(|error| format!("experiments.csv: {error}"))?;
    Ok((samples, records.into_iter().find(|record| record.experiment == experiment)))
}

/// The readings of an experiment on a lone wave by length, each with the rules' verdict.
fn judged(run: &Results, experiment: &str) -> Result<BTreeMap<u32, Vec<Judged>>, String> {
    let (samples, record) = match &run.run {
        Some(stored) => {
            let position = stored.experiments.iter().position(|record| record.experiment == experiment);
            let readings = position.map_or(&[][..], |position| stored.readings_of(position));
            let sample = |reading: &StoredReading| Sample { n: reading.n, cycles: Cycles(reading.elapsed() as f64) };
            (readings.iter().map(sample).collect(), position.map(|position| stored.experiments[position].clone()))
        }
        None => of_files(run, experiment)?,
    };
    let has_alone = record.as_ref().is_some_and(|record| has_alone(&samples, record.kind));
    let generation = run.record.device.known_generation();
    let rules = record.as_ref().zip(generation).map(|(record, generation)| slope_rules(record, generation));
    let mut rules = rules.unwrap_or_default();
    let (alone, of_slope): (Vec<Sample>, Vec<Sample>) =
        samples.into_iter().partition(|sample| has_alone && sample.n == ALONE);
    // The picture has this experiment's readings alone, so that how noisy the run is follows from them.
    let mut late = LateCount::default();
    late.add(&of_slope);
    rules.late = late.rate();
    let fates = rules.settle(&of_slope).fates;
    let mut by_length: BTreeMap<u32, Vec<Judged>> = BTreeMap::new();
    for (sample, fate) in alone.iter().map(|sample| (sample, None)).chain(of_slope.iter().zip(fates)) {
        by_length.entry(sample.n).or_default().push(Judged { cycles: sample.cycles.0 as i64, fate });
    }
    Ok(by_length)
}

/// The bars of a panel.
struct Bars {
    /// The shortest reading that was used, shader cycles; of all readings where none was.
    least: i64,
    /// Cycles of a bar.
    each: u64,
    /// By their number from the left: readings, and how many of them were dropped.
    bars: BTreeMap<u64, (u32, u32)>,
    /// Dropped readings that lie outside, on either side.
    below: usize,
    above: usize,
}

impl Bars {
    /// An axis for the used readings, so that an outlier does not hide how the others differ.
    fn of(readings: &[Judged]) -> Self {
        let is_used = |reading: &&Judged| reading.fate.is_none();
        let any = readings.iter().any(|reading| reading.fate.is_none());
        let ends = || readings.iter().filter(|reading| !any || is_used(reading)).map(|reading| reading.cycles);
        let (least, most) = (ends().min().unwrap_or(0), ends().max().unwrap_or(0));
        let each = (most.abs_diff(least) / BARS + 1).next_power_of_two();
        let mut found = Self { least, each, bars: BTreeMap::new(), below: 0, above: 0 };
        for reading in readings {
            if reading.cycles < least {
                found.below += 1;
            } else if reading.cycles > most {
                found.above += 1;
            } else {
                let bar = found.bars.entry(reading.cycles.abs_diff(least) / each).or_default();
                bar.0 += 1;
                bar.1 += u32::from(reading.fate.is_some());
            }
        }
        found
    }

    /// How many bars stand side by side.
    fn count(&self) -> u64 {
        self.bars.keys().max().map_or(1, |last| last + 1)
    }
}

/// The title of a panel, with the dropped readings.
fn words(length: u32, least: i64, readings: &[Judged]) -> String {
    let dropped = Dropped::of(readings.iter().filter_map(|reading| reading.fate));
    let title = format!("{length} blocks: {} readings from {least} cycles", readings.len());
    if dropped.total() == 0 { title } else { format!("{title}; dropped: {dropped}") }
}

pub(super) fn plan(run: &Results, instructions: &[&str]) -> Result<Plan<'static>, String> {
    let mut panels: Vec<Option<(String, Bars)>> = Vec::new();
    let (mut dropped, mut all) = (0, 0);
    let mut missing = Vec::new();
    for instruction in instructions {
        let experiment = format!("{instruction}/cycles");
        let by_length = judged(run, &experiment)?;
        if by_length.is_empty() {
            missing.push(experiment);
            continue;
        }
        // Each instruction begins a row.
        panels.resize_with(panels.len().next_multiple_of(COLUMNS), || None);
        for (length, readings) in by_length {
            dropped += readings.iter().filter(|reading| reading.fate.is_some()).count();
            all += readings.len();
            let bars = Bars::of(&readings);
            let words = words(length, bars.least, &readings);
            let title = if instructions.len() > 1 { format!("{instruction}, {words}") } else { words };
            panels.push(Some((title, bars)));
        }
    }
    if panels.is_empty() {
        let missing = missing.join(", ");
        return Err(format!("readings.csv has no experiment {missing}; choose one with --instruction"));
    }
    let absent = if missing.is_empty() { String::new() } else { format!(" No readings: {}.", missing.join(", ")) };
    let legend = format!(
        "A panel for each length of the timed code: cycles between the two S_MEMTIME. Orange: dropped; with an arrow, the number beyond the border.{absent}"
    );
    let title = title(run, instructions, dropped, all);
    Ok(Plan::of_panels(Some(title), legend, (COLUMNS, HEIGHT), panels, |sheet, place, length| {
        length.iter().for_each(|(title, bars)| panel(sheet, place, title, bars));
    }))
}

/// The run's statement about the instruction, and the number of readings that it does not use.
fn title(run: &Results, instructions: &[&str], dropped: usize, all: usize) -> String {
    let of = match instructions {
        [one] => {
            let row = run.timings.iter().find(|row| row.instruction == *one);
            let cycles = row.and_then(|row| plain(row.cycles)).filter(|span| !is_wide(*span));
            cycles.map_or_else(|| (*one).to_owned(), |span| format!("{one} ({} cycles)", number(rounded(span))))
        }
        several => joined(several, "and"),
    };
    let dropped = if dropped == 0 { "none".to_owned() } else { dropped.to_string() };
    format!("Readings of {of}: {dropped} of {all} dropped")
}

fn panel(sheet: &Sheet<'_>, place: Rectangle, title: &str, all: &Bars) {
    let Bars { least, each, bars, below, above } = all;
    let highest = bars.values().map(|(count, _)| *count).max().unwrap_or(1);
    let steps = (0..all.count()).map(|bar| (bar * each).to_string());
    let name = if *each == 1 { String::new() } else { format!(", in steps of {each}") };
    let x = Axis::steps(&format!("cycles above {least}{name}"), steps);
    let y = Axis::counts("readings", f64::from(highest) * 1.25);
    let panel = Panel::draw(sheet, place, title, x, y, 0.0);
    let half = (panel.at(0.4, 0.0).0 - panel.at(0.0, 0.0).0).min(24.0);
    let bottom = panel.frame.top + panel.frame.height;
    for (bar, &(count, dropped)) in bars {
        let (x, y) = panel.at(*bar as f64, f64::from(count));
        let bar = |top: f64| Rectangle { left: x - half, top, width: 2.0 * half, height: bottom - top };
        sheet.rectangle(bar(y), MEASURED, None);
        if dropped > 0 {
            sheet.rectangle(bar(panel.at(0.0, f64::from(dropped)).1), PUBLISHED, None);
        }
        // Narrower bars have no room for their numbers side by side.
        if half >= 10.0 {
            sheet.words(&count.to_string(), x, y - 9.0, SMALL, HPos::Center, INK, false);
        }
    }
    let (top, right) = (panel.frame.top + 8.0, panel.frame.left + panel.frame.width);
    if *below > 0 {
        let text = format!("← {below} shorter");
        sheet.words(&text, panel.frame.left + 6.0, top, SMALL, HPos::Left, PUBLISHED, false);
    }
    if *above > 0 {
        sheet.words(&format!("{above} longer →"), right, top, SMALL, HPos::Right, PUBLISHED, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropped_readings_do_not_stretch_the_axis() {
        let used = |cycles| Judged { cycles, fate: None };
        let dropped = |cycles| Judged { cycles, fate: Some(DropRule::Late) };
        let bars = Bars::of(&[dropped(7), used(100), used(102), dropped(101), dropped(4100)]);
        assert_eq!((bars.least, bars.each, bars.count()), (100, 1, 3));
        assert_eq!(bars.bars, BTreeMap::from([(0, (1, 0)), (1, (1, 1)), (2, (1, 0))]));
        assert_eq!((bars.below, bars.above), (1, 1));
        // Where nothing was used, what there is has to be seen.
        let bars = Bars::of(&[dropped(7), dropped(9)]);
        assert_eq!((bars.least, bars.count(), bars.above), (7, 3, 0));
    }
}
