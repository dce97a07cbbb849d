//! Which pairs of instructions wait for each other: producer by consumer.

use super::catalog::Drawing;
use super::heat_map::HeatMap;
use super::label::Rectangle;
use super::sheet::{HEAD, WIDTH, sheet};
use crate::tables::Tables;

/// The suite's experiments.
const SUITE: &str = "scheduling";

/// What stands between producer and consumer in a case.
const BETWEEN: &str = " > ";

/// One cell: experiment, waves, producer, consumer, cycles.
type Pair<'a> = (&'a str, u32, &'a str, &'a str, f64);

pub(super) fn draw(run: &Tables) -> Drawing {
    let of_suite = || run.penalties.iter().filter(|row| row.experiment.starts_with(SUITE));
    if of_suite().next().is_none() {
        return Drawing::Missing(format!("penalties.csv has no experiment {SUITE}…: measure the scheduling suite"));
    }
    let pairs: Vec<Pair<'_>> = of_suite()
        .filter_map(|row| {
            let (producer, consumer) = row.case.split_once(BETWEEN)?;
            Some((row.experiment.as_str(), row.waves_per_simd, producer, consumer, row.penalty()?.value))
        })
        .collect();
    if pairs.is_empty() {
        return Drawing::Missing(format!("no case of an experiment {SUITE}… is `producer > consumer` with a number"));
    }
    let mut panels: Vec<(&str, u32)> = Vec::new();
    for (experiment, waves, ..) in &pairs {
        if !panels.contains(&(experiment, *waves)) {
            panels.push((experiment, *waves));
        }
    }
    let names = |of: &[&Pair<'_>], name: fn(&Pair<'_>) -> String| {
        let mut names: Vec<String> = Vec::new();
        for pair in of {
            let name = name(pair);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    };
    let of_panel =
        |panel: &(&str, u32)| -> Vec<&Pair<'_>> { pairs.iter().filter(|pair| (pair.0, pair.1) == *panel).collect() };
    let producers = |panel| names(&of_panel(panel), |pair| pair.2.to_owned());
    let heights: Vec<f64> = panels.iter().map(|panel| HeatMap::height(producers(panel).len())).collect();
    let most = pairs.iter().map(|pair| pair.4).fold(0.0, f64::max);
    let legend = "Numbers: cycles that the consumer waits; darker is more. A dot: not measured.";
    let svg = sheet(run, "Scheduling: producer by consumer", legend, HEAD + heights.iter().sum::<f64>(), |sheet| {
        let mut top = HEAD;
        for (panel, &height) in panels.iter().zip(&heights) {
            let of = of_panel(panel);
            let (rows, columns) = (producers(panel), names(&of, |pair| pair.3.to_owned()));
            let value = |row: &String, column: &String| {
                of.iter().find(|pair| pair.2 == row && pair.3 == column).map(|pair| pair.4)
            };
            let cells: Vec<Vec<Option<f64>>> =
                rows.iter().map(|row| columns.iter().map(|column| value(row, column)).collect()).collect();
            let kind = panel.0;
            let plural = if panel.1 == 1 { "" } else { "s" };
            HeatMap {
                title: &format!("{kind}, {} wave{plural} per SIMD", panel.1),
                row_name: "producer",
                column_name: "consumer",
                rows: &rows,
                columns: &columns,
                cells: &cells,
                most,
            }
            .draw(sheet, Rectangle { left: 0.0, top, width: WIDTH, height })?;
            top += height;
        }
        Ok(())
    });
    Drawing::of(svg)
}
