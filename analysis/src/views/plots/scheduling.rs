//! Which pairs of instructions wait for each other: producer by consumer.

use super::drawing::Drawing;
use super::heat_map::HeatMap;
use super::label::Rectangle;
use super::sheet::{HEAD, WIDTH, sheet};
use crate::rules::DEPENDENT;
use crate::tables::Tables;

/// The suite's experiments.
const SUITE: &str = "scheduling";

/// What stands between producer and consumer in a case.
const BETWEEN: &str = " > ";

/// What tells the panels apart: experiment, whether the consumer reads what the producer wrote, waves.
type Key<'a> = (&'a str, bool, u32);

/// One cell: panel, producer, consumer, cycles.
type Pair<'a> = (Key<'a>, &'a str, &'a str, f64);

pub(super) fn draw(run: &Tables) -> Drawing {
    let of_suite = || run.penalties.iter().filter(|row| row.experiment.starts_with(SUITE));
    if of_suite().next().is_none() {
        return Drawing::Missing(format!("penalties.csv has no experiment {SUITE}…: measure the scheduling suite"));
    }
    let pairs: Vec<Pair<'_>> = of_suite()
        .filter_map(|row| {
            let (producer, consumer) = row.case.split_once(BETWEEN)?;
            let independent = consumer.strip_suffix(DEPENDENT);
            let key = (row.experiment.as_str(), independent.is_some(), row.waves_per_simd);
            Some((key, producer, independent.unwrap_or(consumer), row.penalty()?.value))
        })
        .collect();
    if pairs.is_empty() {
        return Drawing::Missing(format!("no case of an experiment {SUITE}… is `producer > consumer` with a number"));
    }
    let mut panels: Vec<Key<'_>> = Vec::new();
    for (key, ..) in &pairs {
        if !panels.contains(key) {
            panels.push(*key);
        }
    }
    panels.sort_by_key(|(_, is_dependent, waves)| (*waves, *is_dependent));
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
    let of_panel = |panel: &Key<'_>| -> Vec<&Pair<'_>> { pairs.iter().filter(|pair| pair.0 == *panel).collect() };
    let producers = |panel| names(&of_panel(panel), |pair| pair.1.to_owned());
    let heights: Vec<f64> = panels.iter().map(|panel| HeatMap::height(producers(panel).len())).collect();
    let most = pairs.iter().map(|pair| pair.3).fold(0.0, f64::max);
    let legend = "Numbers: cycles that the consumer waits; darker is more. A dot: not measured.";
    let svg = sheet(run, "Scheduling: producer by consumer", legend, HEAD + heights.iter().sum::<f64>(), |sheet| {
        let mut top = HEAD;
        for (panel, &height) in panels.iter().zip(&heights) {
            let of = of_panel(panel);
            let (rows, columns) = (producers(panel), names(&of, |pair| pair.2.to_owned()));
            let value = |row: &String, column: &String| {
                of.iter().find(|pair| pair.1 == row && pair.2 == column).map(|pair| pair.3)
            };
            let cells: Vec<Vec<Option<f64>>> =
                rows.iter().map(|row| columns.iter().map(|column| value(row, column)).collect()).collect();
            let (experiment, is_dependent, waves) = panel;
            let kind = if *is_dependent { ", the consumer reads what the producer wrote" } else { "" };
            let plural = if *waves == 1 { "" } else { "s" };
            HeatMap {
                title: &format!("{experiment}{kind}, {waves} wave{plural} per SIMD"),
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
