//! Distribution of the readings of one instruction.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;

use gcn_model::isa::Generation;
use gcn_model::quantity::Cycles;
use gcn_model::record::ExperimentRecord;
use serde::Deserialize;

use super::axis::Axis;
use super::drawing::Drawing;
use super::label::Rectangle;
use super::look::{INK, MEASURED, PUBLISHED};
use super::panel::{Panel, SMALL};
use super::sheet::{Anchor, HEAD, cell, sheet};
use crate::one_wave::{ALONE, has_alone, slope_rules};
use crate::run::StoredReading;
use crate::settle::{DropRule, Dropped, LateCount, Sample};
use crate::tables::{Origin, Tables, rows};

/// Height of a panel, pixels.
const HEIGHT: f64 = 250.0;

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

/// The samples of an experiment and its row in a folder that no run wrote, as they stand there.
fn of_files(run: &Tables, experiment: &str) -> Result<(Vec<Sample>, Option<ExperimentRecord>), String> {
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
    // Without the file no more is known than that these are samples of several lengths.
    let records: Option<Vec<ExperimentRecord>> =
        rows(&run.folder.join("experiments.csv")).map_err(|error| error.to_string())?;
    let record = records.into_iter().flatten().find(|record| record.experiment == experiment);
    Ok((samples, record))
}

/// The readings of an experiment on one wave by length, each with what the rules say of it.
fn judged(run: &Tables, experiment: &str) -> Result<BTreeMap<u32, Vec<Judged>>, String> {
    let (samples, record) = match &run.origin {
        Origin::Records(stored) => {
            let position = stored.experiments.iter().position(|record| record.experiment == experiment);
            let readings = position.map_or(&[][..], |position| stored.readings_of(position));
            let sample = |reading: &StoredReading| Sample { n: reading.n, cycles: Cycles(reading.elapsed() as f64) };
            (readings.iter().map(sample).collect(), position.map(|position| stored.experiments[position].clone()))
        }
        Origin::Files => of_files(run, experiment)?,
    };
    let has_alone = record.as_ref().is_some_and(|record| has_alone(&samples, record.kind));
    let generation = Generation::find(&run.record.device.generation);
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

/// The title of a panel, with what was dropped.
fn words(length: u32, least: i64, readings: &[Judged]) -> String {
    let dropped = Dropped::of(readings.iter().filter_map(|reading| reading.fate));
    let title = format!("{length} blocks: {} readings from {least} cycles", readings.len());
    if dropped.total() == 0 { title } else { format!("{title}; dropped: {dropped}") }
}

pub(super) fn draw(run: &Tables, instruction: &str) -> Drawing {
    let experiment = format!("{instruction}/cycles");
    let by_length = match judged(run, &experiment) {
        Ok(by_length) => by_length,
        Err(why) => return Drawing::Missing(why),
    };
    if by_length.is_empty() {
        return Drawing::Missing(format!("readings.csv has no experiment {experiment}; choose one with --instruction"));
    }
    let rows = by_length.len().div_ceil(3);
    let title = format!("Readings of {instruction}, one wave");
    let legend = "One panel for each length of the timed code. Cycles between the two S_MEMTIME, less those of the shortest reading; orange is dropped.";
    let svg = sheet(run, &title, legend, HEAD + rows as f64 * HEIGHT, |sheet| {
        for (index, (&length, readings)) in by_length.iter().enumerate() {
            let (left, top, width) = cell(index, 3, HEIGHT);
            let least = readings.iter().map(|reading| reading.cycles).min().unwrap_or(0);
            let most = readings.iter().map(|reading| reading.cycles).max().unwrap_or(0);
            let each = (most.abs_diff(least) / BARS + 1).next_power_of_two();
            // Readings of each bar, and how many of them were dropped.
            let mut bars: BTreeMap<u64, (u32, u32)> = BTreeMap::new();
            for reading in readings {
                let bar = bars.entry(reading.cycles.abs_diff(least) / each).or_default();
                bar.0 += 1;
                bar.1 += u32::from(reading.fate.is_some());
            }
            let last = bars.keys().max().unwrap_or(&0);
            let highest = bars.values().map(|(count, _)| *count).max().unwrap_or(1);
            let x = Axis::steps("cycles above the shortest", (0..=*last).map(|bar| (bar * each).to_string()));
            let y = Axis::counts("readings", f64::from(highest) * 1.15);
            let place = Rectangle { left, top, width, height: HEIGHT };
            let panel = Panel::draw(sheet, place, &words(length, least, readings), x, y, 0.0)?;
            let half = (panel.at(0.4, 0.0).0 - panel.at(0.0, 0.0).0).min(24.0);
            let bottom = panel.frame.top + panel.frame.height;
            for (bar, &(count, dropped)) in &bars {
                let (x, y) = panel.at(*bar as f64, f64::from(count));
                let bar = |top: f64| Rectangle { left: x - half, top, width: 2.0 * half, height: bottom - top };
                sheet.rectangle(bar(y), MEASURED, None)?;
                if dropped > 0 {
                    sheet.rectangle(bar(panel.at(0.0, f64::from(dropped)).1), PUBLISHED, None)?;
                }
                // Narrower bars have no room for their numbers side by side.
                if half >= 10.0 {
                    sheet.words(&count.to_string(), x, y - 9.0, SMALL, Anchor::Centre, INK, false)?;
                }
            }
        }
        Ok(())
    });
    Drawing::of(svg)
}
