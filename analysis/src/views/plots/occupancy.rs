//! Waves that run at once, by what each of them needs.

use super::axis::{Axis, number};
use super::drawing::Drawing;
use super::label::Rectangle;
use super::look::{INK, MEASURED, Shape};
use super::panel::{Panel, SMALL};
use super::sheet::{Anchor, DrawError, HEAD, Head, Sheet, cell, sheet};
use super::theme::Theme;
use crate::occupancy::{IssueRow, OccupancyRow};
use crate::results::Results;
use crate::tables::{Measured, plain};

/// Height of a panel, pixels.
const HEIGHT: f64 = 320.0;

/// A column of the table.
type Column = fn(&OccupancyRow) -> Option<f64>;

/// What waves need, and its unit.
const NEEDS: [(&str, Column); 3] = [
    ("SGPRs of a wave", |row| row.sgprs.map(f64::from)),
    ("VGPRs of a wave", |row| row.vgprs.map(f64::from)),
    ("LDS of a lane, dwords", |row| row.lds_dwords_per_lane),
];

/// The most by which the table's number and its row may differ: both are printed with few digits.
const PRINTED: f64 = 1e-3;

pub(super) fn draw(run: &Results, theme: Theme) -> Drawing {
    if run.occupancy.table.is_empty() {
        return Drawing::Missing("there is no occupancy.csv: measure the occupancy suite".into());
    }
    let panels: Vec<(&str, Vec<(f64, f64)>)> = NEEDS
        .iter()
        .map(|(name, column)| (*name, stairs(&run.occupancy.table, *column)))
        .filter(|(_, steps)| !steps.is_empty())
        .collect();
    let issue: Vec<(u32, Measured)> = run
        .occupancy
        .table
        .iter()
        .filter_map(|row| {
            Some((row.waves_per_simd, interval(&run.occupancy.issue, row.waves_per_simd, row.issue?.value.0)))
        })
        .collect();
    if panels.is_empty() && issue.is_empty() {
        return Drawing::Missing("no row of occupancy.csv has a number".into());
    }
    let most = run.occupancy.table.iter().map(|row| row.waves_per_simd).max().map_or(1.0, f64::from);
    let count = panels.len() + usize::from(!issue.is_empty());
    let legend = "Each circle, with its number: the largest allocation with which that many waves run at once on a SIMD. Bars: 95 % interval of the issue rate.";
    let rows = count.div_ceil(2);
    let title = conclusion(&stairs(&run.occupancy.table, NEEDS[1].1)).unwrap_or_else(|| "Occupancy".to_owned());
    let head = Head { title: &title, of: &run.title(), legend, theme };
    let svg = sheet(head, HEAD + rows as f64 * HEIGHT, |sheet| {
        for (index, (name, steps)) in panels.iter().enumerate() {
            let (left, top, width) = cell(index, 2, HEIGHT);
            let last = steps.last().map_or(1.0, |(need, _)| *need);
            let (x, y) = (Axis::counts(name, last * 1.06), Axis::counts("waves per SIMD", most * 1.05));
            let panel = Panel::draw(sheet, Rectangle { left, top, width, height: HEIGHT }, name, x, y, 0.0)?;
            let mut line = Vec::new();
            let mut from = 0.0;
            for &(need, waves) in steps {
                line.extend([panel.at(from, waves), panel.at(need, waves)]);
                from = need;
            }
            line.extend([panel.at(from, 0.0)]);
            sheet.line(&line, MEASURED, 2)?;
            for &(need, waves) in steps {
                let (x, y) = panel.at(need, waves);
                sheet.mark((x, y), 4.0, Shape::Circle, MEASURED)?;
                sheet.words(&number(need), x + 8.0, y - 9.0, SMALL, Anchor::Left, INK, false)?;
            }
        }
        if issue.is_empty() { Ok(()) } else { issues(sheet, panels.len(), &issue) }
    });
    Drawing::of(svg)
}

/// Instructions issued in a cycle, with the interval of the row.
fn interval(rows: &[IssueRow], waves: u32, value: f64) -> Measured {
    let mut spans = rows.iter().filter(|row| row.waves_per_simd == waves).filter_map(|row| plain(row.issue));
    spans.find(|span| (span.value - value).abs() < PRINTED).unwrap_or(Measured { value, low: value, high: value })
}

/// The two ends of the stairs of vector registers.
fn conclusion(vgprs: &[(f64, f64)]) -> Option<String> {
    let ((few, waves), (many, least)) = (vgprs.first()?, vgprs.last()?);
    if waves <= least {
        return None;
    }
    let [few, waves, many, least] = [few, waves, many, least].map(|value| number(*value));
    Some(format!("A SIMD holds {waves} waves of {few} VGPRs, {least} of {many}"))
}

fn issues(sheet: &Sheet<'_>, index: usize, issue: &[(u32, Measured)]) -> Result<(), DrawError> {
    let (left, top, width) = cell(index, 2, HEIGHT);
    let most = issue.iter().map(|(_, span)| span.high).fold(1.0, f64::max);
    let words = issue.iter().map(|(waves, _)| waves.to_string());
    let (x, y) = (Axis::steps("waves per SIMD", words), Axis::counts("instructions / cycle", most * 1.1));
    let place = Rectangle { left, top, width, height: HEIGHT };
    let panel = Panel::draw(sheet, place, "Instructions issued in a cycle", x, y, 0.0)?;
    for (step, &(_, span)) in issue.iter().enumerate() {
        let at = panel.at(step as f64, span.value);
        sheet.line(&[panel.at(step as f64, 0.0), at], MEASURED, 2)?;
        panel.interval(step as f64, span)?;
        sheet.mark(at, 4.0, Shape::Circle, MEASURED)?;
        let above = panel.at(step as f64, span.high).1.min(at.1);
        sheet.words(&number(span.value), at.0, above - 12.0, SMALL, Anchor::Centre, INK, false)?;
    }
    Ok(())
}

/// For each number of waves the most that one may need, from few needs to many; what allows more waves hides what allows fewer.
fn stairs(rows: &[OccupancyRow], column: Column) -> Vec<(f64, f64)> {
    let mut steps: Vec<(f64, f64)> =
        rows.iter().filter_map(|row| Some((column(row)?, f64::from(row.waves_per_simd)))).collect();
    steps.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.0.total_cmp(&a.0)));
    let mut found: Vec<(f64, f64)> = Vec::new();
    for step in steps {
        if found.last().is_none_or(|last| step.0 > last.0) {
            found.push(step);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stairs_go_down_and_keep_the_most_of_each_step() {
        let row = |waves_per_simd, vgprs| OccupancyRow {
            waves_per_simd,
            sgprs: None,
            vgprs: Some(vgprs),
            lds_dwords_per_lane: None,
            issue: None,
        };
        let rows = [row(8, 32), row(10, 24), row(10, 20), row(9, 28), row(7, 30)];
        assert_eq!(stairs(&rows, NEEDS[1].1), [(24.0, 10.0), (28.0, 9.0), (32.0, 8.0)]);
        assert!(stairs(&rows, NEEDS[0].1).is_empty());
        let said = conclusion(&stairs(&rows, NEEDS[1].1));
        assert_eq!(said.as_deref(), Some("A SIMD holds 10 waves of 24 VGPRs, 8 of 32"));
        assert_eq!(conclusion(&[(24.0, 10.0)]), None);
    }
}
