//! Distribution of the readings of one instruction.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;

use serde::Deserialize;

use super::axis::Axis;
use super::catalog::Drawing;
use super::label::Rectangle;
use super::look::{INK, MEASURED};
use super::panel::{Panel, SMALL};
use super::sheet::{HEAD, Hold, cell, sheet};
use crate::tables::Tables;

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

pub(super) fn draw(run: &Tables, instruction: &str) -> Drawing {
    let experiment = format!("{instruction}/cycles");
    let path = run.folder.join("readings.csv");
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) => return Drawing::Missing(format!("readings.csv: {error}")),
    };
    let mut by_length: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
    for row in csv::Reader::from_reader(BufReader::new(file)).deserialize::<Row>() {
        match row {
            Ok(row) if row.experiment == experiment => {
                by_length.entry(row.n).or_default().push(row.end.wrapping_sub(row.begin));
            }
            Ok(_) => {}
            Err(error) => return Drawing::Missing(format!("readings.csv: {error}")),
        }
    }
    if by_length.is_empty() {
        return Drawing::Missing(format!("readings.csv has no experiment {experiment}; choose one with --instruction"));
    }
    let rows = by_length.len().div_ceil(3);
    let title = format!("Readings of {instruction}, one wave");
    let legend = "One panel for each length of the timed code. Cycles between the two S_MEMTIME, less those of the shortest reading.";
    let svg = sheet(run, &title, legend, HEAD + rows as f64 * HEIGHT, |sheet| {
        for (index, (length, cycles)) in by_length.iter().enumerate() {
            let (left, top, width) = cell(index, 3, HEIGHT);
            let (least, most) = (cycles.iter().min().unwrap_or(&0), cycles.iter().max().unwrap_or(&0));
            let each = ((most - least) / BARS + 1).next_power_of_two();
            let mut bars: BTreeMap<u64, u32> = BTreeMap::new();
            for cycles in cycles {
                *bars.entry((cycles - least) / each).or_default() += 1;
            }
            let last = bars.keys().max().unwrap_or(&0);
            let highest = bars.values().max().unwrap_or(&1);
            let x = Axis::steps("cycles above the shortest", (0..=*last).map(|bar| (bar * each).to_string()));
            let y = Axis::counts("readings", f64::from(*highest) * 1.15);
            let title = format!("{length} blocks: {} readings from {least} cycles", cycles.len());
            let panel = Panel::draw(sheet, Rectangle { left, top, width, height: HEIGHT }, &title, x, y, 0.0)?;
            let half = (panel.at(0.4, 0.0).0 - panel.at(0.0, 0.0).0).min(24.0);
            for (bar, count) in &bars {
                let (x, y) = panel.at(*bar as f64, f64::from(*count));
                let height = panel.frame.top + panel.frame.height - y;
                sheet.rectangle(Rectangle { left: x - half, top: y, width: 2.0 * half, height }, MEASURED, None)?;
                // Narrower bars have no room for their numbers side by side.
                if half >= 10.0 {
                    sheet.words(&count.to_string(), x, y - 9.0, SMALL, Hold::Centre, INK, false)?;
                }
            }
        }
        Ok(())
    });
    Drawing::of(svg)
}
