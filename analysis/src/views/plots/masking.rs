//! From how many waves on a penalty is hidden.

use std::collections::BTreeMap;

use super::axis::Axis;
use super::drawing::Drawing;
use super::label::{Rectangle, spread, width};
use super::look::{GREY, Look};
use super::panel::{Panel, SMALL};
use super::sheet::{Anchor, HEAD, cell, sheet};
use crate::tables::Tables;

/// Suites whose penalties waves can hide.
const SUITES: [&str; 3] = ["alignment", "jump", "scheduling"];

/// Height of a panel, pixels.
const HEIGHT: f64 = 300.0;

/// Room for the names of the lines, pixels.
const NAMES: f64 = 210.0;

/// By waves, the largest penalty of an experiment's cases.
type Curve = Vec<(u32, f64)>;

/// A case and, by waves, its largest penalty.
type Case = (String, BTreeMap<u32, f64>);

/// A curve and the cases that it is of.
type Line = (Curve, Vec<String>);

pub(super) fn draw(run: &Tables) -> Drawing {
    let panels = curves(run);
    if panels.is_empty() {
        return Drawing::Missing(
            "penalties.csv has no alignment, jump or scheduling case on more than one number of waves".into(),
        );
    }
    let rows = panels.len().div_ceil(2);
    let legend =
        "For each case its largest penalty over the offsets. Lines that coincide are one line with the names of all.";
    let svg = sheet(run, "Masking: penalty against waves", legend, HEAD + rows as f64 * HEIGHT, |sheet| {
        for (index, (experiment, lines)) in panels.iter().enumerate() {
            let (left, top, width_of_cell) = cell(index, 2, HEIGHT);
            let all = || lines.iter().flat_map(|(curve, _)| curve);
            let x = Axis::factors("waves per SIMD", all().map(|(waves, _)| *waves));
            // What is hidden may come out as less than nothing.
            let least = all().map(|(_, cycles)| *cycles).fold(0.0, f64::min);
            let most = all().map(|(_, cycles)| *cycles).fold(1.0, f64::max);
            let y = Axis::linear("largest penalty, cycles", least, most * 1.08);
            let place = Rectangle { left, top, width: width_of_cell, height: HEIGHT };
            let panel = Panel::draw(sheet, place, experiment, x, y, NAMES)?;
            let ends: Vec<(f64, f64)> = lines
                .iter()
                .map(|(curve, _)| {
                    curve.last().map_or((0.0, 0.0), |(waves, cycles)| panel.at(f64::from(*waves), *cycles))
                })
                .collect();
            let wanted: Vec<f64> = ends.iter().map(|(_, y)| *y).collect();
            let bottom = panel.frame.top + panel.frame.height;
            let places = spread(&wanted, 15.0, panel.frame.top, bottom);
            for (n, ((curve, cases), (end, y))) in lines.iter().zip(ends.iter().zip(places)).enumerate() {
                let look = Look::nth(n);
                let points: Vec<(f64, f64)> =
                    curve.iter().map(|(waves, cycles)| panel.at(f64::from(*waves), *cycles)).collect();
                sheet.dashed(&points, look, 2)?;
                for &point in &points {
                    sheet.mark(point, 4.0, look.shape, look.colour)?;
                }
                let x = panel.frame.left + panel.frame.width + 14.0;
                sheet.line(&[(end.0 + 6.0, end.1), (x - 4.0, y)], GREY, 1)?;
                sheet.mark((x + 4.0, y), 4.0, look.shape, look.colour)?;
                sheet.fitted(&named(cases), x + 13.0, y, SMALL, Anchor::Left, NAMES - 16.0)?;
            }
        }
        Ok(())
    });
    Drawing::of(svg)
}

/// As many names as there is room for, and how many more.
fn named(cases: &[String]) -> String {
    let all = cases.join(", ");
    if width(&all, SMALL) <= NAMES - 16.0 {
        return all;
    }
    match cases {
        [first, rest @ ..] if !rest.is_empty() => format!("{first} + {} more", rest.len()),
        _ => all,
    }
}

/// The experiments that stood on more than one number of waves, with their lines.
fn curves(run: &Tables) -> Vec<(String, Vec<Line>)> {
    let mut experiments: Vec<(String, Vec<Case>)> = Vec::new();
    for row in run.penalties.iter().filter(|row| SUITES.iter().any(|suite| row.experiment.starts_with(suite))) {
        let Some(span) = row.penalty() else { continue };
        let experiment = experiments.iter().position(|(name, _)| *name == row.experiment).unwrap_or_else(|| {
            experiments.push((row.experiment.clone(), Vec::new()));
            experiments.len() - 1
        });
        let cases = &mut experiments[experiment].1;
        let case = cases.iter().position(|(name, _)| *name == row.case).unwrap_or_else(|| {
            cases.push((row.case.clone(), BTreeMap::new()));
            cases.len() - 1
        });
        let most = cases[case].1.entry(row.waves_per_simd).or_insert(span.value);
        *most = most.max(span.value);
    }
    let lines = |cases: Vec<Case>| {
        let mut lines: Vec<Line> = Vec::new();
        for (case, by_waves) in cases.into_iter().filter(|(_, by_waves)| by_waves.len() > 1) {
            // Within a tenth of a cycle lines lie on each other.
            let curve: Curve =
                by_waves.into_iter().map(|(waves, cycles)| (waves, (cycles * 10.0).round() / 10.0)).collect();
            match lines.iter_mut().find(|(known, _)| *known == curve) {
                Some((_, cases)) => cases.push(case),
                None => lines.push((curve, vec![case])),
            }
        }
        lines
    };
    let panels = experiments.into_iter().map(|(experiment, cases)| (experiment, lines(cases)));
    panels.filter(|(_, lines)| !lines.is_empty()).collect()
}
