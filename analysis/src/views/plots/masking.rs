//! From how many waves on a penalty is hidden: a row for each case, a bar for each number of waves.

use std::collections::BTreeMap;

use plotters::style::text_anchor::HPos;

use super::heat_map::on_waves;
use super::judgement::{Judgement, rounded, shown};
use super::panel::SMALL;
use super::plan::Plan;
use super::sheet::{HEAD, Rectangle, Sheet, WIDTH, width};
use super::theme::{GREY, GRID, INK, MEASURED};
use crate::results::Results;
use crate::rules::PenaltyRow;
use crate::tables::{Measured, ascending, by_key, joined, plain};

/// Suites whose penalties waves can hide.
const SUITES: [&str; 3] = ["alignment", "jump", "scheduling"];

/// Height of a row, of the heading above the rows, and of the paper below them, pixels.
const ROW: f64 = 24.0;
const HEADING: f64 = 34.0;
const BELOW: f64 = 14.0;

/// Space for a number after a bar, pixels.
const NUMBER: f64 = 44.0;

/// By waves, the largest penalty of a case over its offsets, in shader cycles.
type ByWaves = BTreeMap<u32, Measured>;

/// The name of an experiment's case, and its penalties.
type Case = (String, ByWaves);

pub(super) fn plan(run: &Results) -> Result<Plan<'static>, String> {
    let cases = cases(run);
    if cases.is_empty() {
        return Err("penalties.csv has no alignment, jump or scheduling case on more than one number of waves".into());
    }
    let waves = ascending(cases.iter().flat_map(|(_, by_waves)| by_waves.keys().copied()));
    let legend = "Bars: the largest penalty of a case over its offsets, cycles, all by one scale; thin lines: its 95 % interval. A dot: not measured.";
    Ok(Plan {
        conclusion: conclusion(&cases),
        legend: legend.to_owned(),
        height: HEADING + cases.len() as f64 * ROW + BELOW,
        draw: Box::new(move |sheet| rows(sheet, &cases, &waves)),
    })
}

/// Every row with its bars.
fn rows(sheet: &Sheet<'_>, cases: &[Case], waves: &[u32]) {
    let names = cases.iter().map(|(name, _)| width(name, SMALL)).fold(0.0, f64::max).min(WIDTH * 0.45) + 28.0;
    let column = (WIDTH - names - 16.0) / waves.len() as f64;
    let spans = || cases.iter().flat_map(|(_, by_waves)| by_waves.values());
    let most = spans().map(|span| span.high.max(span.value)).fold(1.0, f64::max);
    let cycle = (column - NUMBER - 12.0) / most;
    let first = HEAD + HEADING;
    for (index, waves) in waves.iter().enumerate() {
        let x = names + index as f64 * column;
        sheet.words(&on_waves(*waves), x, first - 14.0, SMALL, HPos::Left, INK, true);
        sheet.line(&[(x, first), (x, first + cases.len() as f64 * ROW)], INK, 1);
    }
    for (index, (name, by_waves)) in cases.iter().enumerate() {
        let (top, middle) = (first + index as f64 * ROW, first + (index as f64 + 0.5) * ROW);
        sheet.line(&[(16.0, top), (WIDTH - 16.0, top)], GRID, 1);
        sheet.fitted(name, names - 10.0, middle, SMALL, HPos::Right, names - 26.0);
        for (index, waves) in waves.iter().enumerate() {
            let x = names + index as f64 * column;
            match by_waves.get(waves) {
                Some(span) => bar(sheet, (x, middle), *span, cycle),
                None => sheet.words("·", x + 8.0, middle, SMALL, HPos::Left, GREY, false),
            }
        }
    }
}

/// A bar from its axis to the right, with its interval and its number; `cycle` is the width of a cycle in pixels.
fn bar(sheet: &Sheet<'_>, (x, y): (f64, f64), span: Measured, cycle: f64) {
    let at = |cycles: f64| x + cycles.max(0.0) * cycle;
    let long = at(rounded(span)) - x;
    if long >= 1.0 {
        sheet.rectangle(Rectangle { left: x, top: y - 7.0, width: long, height: 14.0 }, MEASURED, None);
    }
    let (low, high) = (at(span.low), at(span.high));
    if high - low >= 2.0 {
        sheet.line(&[(low, y), (high, y)], INK, 1);
        sheet.line(&[(low, y - 4.0), (low, y + 4.0)], INK, 1);
        sheet.line(&[(high, y - 4.0), (high, y + 4.0)], INK, 1);
    }
    let end = at(span.high.max(rounded(span)));
    sheet.words(&shown(span), end + 6.0, y, SMALL, HPos::Left, INK, false);
}

/// The cases that stood on more than one number of waves.
fn cases(run: &Results) -> Vec<Case> {
    let is_of_suite = |row: &&PenaltyRow| SUITES.iter().any(|suite| row.experiment.starts_with(suite));
    let rows = run.penalties.iter().filter(is_of_suite).filter_map(|row| {
        Some((format!("{}: {}", row.experiment, row.case), (row.waves_per_simd, plain(row.penalty)?)))
    });
    let case = |(name, spans): (String, Vec<(u32, Measured)>)| {
        let mut by_waves = ByWaves::new();
        for (waves, span) in spans {
            let most = by_waves.entry(waves).or_insert(span);
            // The largest of them lies between the largest of their lower ends and the largest of their upper ends.
            let [value, low, high] =
                [(most.value, span.value), (most.low, span.low), (most.high, span.high)].map(|(a, b)| a.max(b));
            *most = Measured { value, low, high };
        }
        (name, by_waves)
    };
    by_key(rows).into_iter().map(case).filter(|(_, by_waves)| by_waves.len() > 1).collect()
}

/// How many of the penalties that there are on the fewest waves are seen to be gone on more.
fn conclusion(cases: &[Case]) -> Option<String> {
    let fewest = cases.iter().flat_map(|(_, by_waves)| by_waves.keys()).min()?;
    let judged = |(_, by_waves): &Case, waves: &u32| by_waves.get(waves).map(|span| Judgement::of(*span));
    let costs: Vec<&Case> = cases.iter().filter(|case| judged(case, fewest) == Some(Judgement::Costs)).collect();
    if costs.is_empty() {
        return None;
    }
    let mut by_waves: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for (case, waves) in costs.iter().flat_map(|case| case.1.keys().map(move |waves| (*case, waves))) {
        if waves > fewest {
            let (hidden, of) = by_waves.entry(*waves).or_default();
            *of += 1;
            *hidden += usize::from(judged(case, waves) == Some(Judgement::Free));
        }
    }
    let words = by_waves.iter().map(|(waves, (hidden, of))| match hidden {
        0 => format!("{waves} waves hide none of {of}"),
        _ if hidden == of => {
            format!("{waves} waves hide {}", if *of == 1 { "the one".to_owned() } else { format!("all {of}") })
        }
        _ => format!("{waves} waves hide {hidden} of {of}"),
    });
    let words: Vec<String> = words.collect();
    Some(format!("Of the penalties that {} has, {}", on_waves(*fewest), joined(&words, "and")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_intervals_are_not_called_hidden() {
        let case = |of: [(f64, f64); 3]| -> Case {
            let spans = of.map(|(low, high)| Measured { value: (low + high) / 2.0, low, high });
            (String::new(), [1, 2, 4].into_iter().zip(spans).collect())
        };
        let (gone, wide) = (case([(4.0, 4.0), (-0.1, 0.1), (0.0, 0.0)]), case([(16.0, 16.0), (-3.0, 5.0), (0.0, 0.1)]));
        assert_eq!(
            conclusion(&[gone, wide]).as_deref(),
            Some("Of the penalties that 1 wave per SIMD has, 2 waves hide 1 of 2 and 4 waves hide all 2")
        );
        let none = case([(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]);
        assert_eq!(conclusion(&[none]), None);
    }
}
