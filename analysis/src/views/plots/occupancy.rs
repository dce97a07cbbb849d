//! Waves that run at once, by what each of them needs.

use plotters::style::text_anchor::HPos;

use super::axis::{Axis, number};
use super::panel::{Panel, SMALL};
use super::plan::Plan;
use super::sheet::{Shape, Sheet, cell};
use super::theme::{INK, MEASURED};
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

pub(super) fn plan(run: &Results) -> Result<Plan<'static>, String> {
    let rows = &run.occupancy.table;
    if rows.is_empty() {
        return Err("there is no occupancy.csv: measure the occupancy suite".into());
    }
    let needs = NEEDS.map(|(name, column)| (name, stairs(rows, column)));
    let panels: Vec<(&str, Vec<(f64, f64)>)> = needs.into_iter().filter(|(_, steps)| !steps.is_empty()).collect();
    let issue = |row: &OccupancyRow| {
        Some((row.waves_per_simd, interval(&run.occupancy.issue, row.waves_per_simd, row.issue?.value.0)))
    };
    let issue: Vec<(u32, Measured)> = rows.iter().filter_map(issue).collect();
    if panels.is_empty() && issue.is_empty() {
        return Err("no row of occupancy.csv has a number".into());
    }
    let most = rows.iter().map(|row| row.waves_per_simd).max().map_or(1.0, f64::from);
    let count = panels.len() + usize::from(!issue.is_empty());
    let legend = "Each circle, with its number: the largest allocation with which that many waves run at once on a SIMD. Bars: 95 % interval of the issue rate.";
    Ok(Plan {
        conclusion: conclusion(&stairs(rows, NEEDS[1].1)),
        legend: legend.to_owned(),
        height: count.div_ceil(2) as f64 * HEIGHT,
        draw: Box::new(move |sheet| {
            for (index, (name, steps)) in panels.iter().enumerate() {
                need(sheet, index, name, steps, most);
            }
            if !issue.is_empty() {
                issues(sheet, panels.len(), &issue);
            }
        }),
    })
}

/// The stairs of a need.
fn need(sheet: &Sheet<'_>, index: usize, name: &str, steps: &[(f64, f64)], most: f64) {
    let last = steps.last().map_or(1.0, |(need, _)| *need);
    let (x, y) = (Axis::counts(name, last * 1.06), Axis::counts("waves per SIMD", most * 1.05));
    let panel = Panel::draw(sheet, cell(index, 2, HEIGHT), name, x, y, 0.0);
    let mut line = Vec::new();
    let mut from = 0.0;
    for &(need, waves) in steps {
        line.extend([panel.at(from, waves), panel.at(need, waves)]);
        from = need;
    }
    line.extend([panel.at(from, 0.0)]);
    sheet.line(&line, MEASURED, 2);
    for &(need, waves) in steps {
        let (x, y) = panel.at(need, waves);
        sheet.mark((x, y), 4.0, Shape::Circle, MEASURED);
        sheet.words(&number(need), x + 8.0, y - 9.0, SMALL, HPos::Left, INK, false);
    }
}

/// Instructions issued in a cycle, with the interval of the row.
fn interval(rows: &[IssueRow], waves: u32, value: f64) -> Measured {
    let mut spans = rows.iter().filter(|row| row.waves_per_simd == waves).filter_map(|row| plain(row.issue));
    spans.find(|span| (span.value - value).abs() < PRINTED).unwrap_or(Measured::exactly(value))
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

fn issues(sheet: &Sheet<'_>, index: usize, issue: &[(u32, Measured)]) {
    let most = issue.iter().map(|(_, span)| span.high).fold(1.0, f64::max);
    let words = issue.iter().map(|(waves, _)| waves.to_string());
    let (x, y) = (Axis::steps("waves per SIMD", words), Axis::counts("instructions / cycle", most * 1.1));
    let panel = Panel::draw(sheet, cell(index, 2, HEIGHT), "Instructions issued in a cycle", x, y, 0.0);
    for (step, &(_, span)) in issue.iter().enumerate() {
        panel.stem(step as f64, span, MEASURED, (4.0, Shape::Circle, MEASURED), &number(span.value));
    }
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
        let row =
            |waves_per_simd, vgprs| OccupancyRow { waves_per_simd, vgprs: Some(vgprs), ..OccupancyRow::default() };
        let rows = [row(8, 32), row(10, 24), row(10, 20), row(9, 28), row(7, 30)];
        assert_eq!(stairs(&rows, NEEDS[1].1), [(24.0, 10.0), (28.0, 9.0), (32.0, 8.0)]);
        assert!(stairs(&rows, NEEDS[0].1).is_empty());
        let said = conclusion(&stairs(&rows, NEEDS[1].1));
        assert_eq!(said.as_deref(), Some("A SIMD holds 10 waves of 24 VGPRs, 8 of 32"));
        assert_eq!(conclusion(&[(24.0, 10.0)]), None);
    }
}
