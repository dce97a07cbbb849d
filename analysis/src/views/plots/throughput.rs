//! Throughput against waves for chosen classes, with the published line.

use std::collections::{BTreeMap, BTreeSet};

use plotters::style::text_anchor::HPos;

use super::axis::{Axis, number};
use super::panel::{Panel, SMALL};
use super::plan::Plan;
use super::sheet::{Rectangle, Shape, Sheet};
use super::theme::{GREY, MEASURED, PUBLISHED};
use crate::many_waves::ThroughputRow;
use crate::results::Results;
use crate::tables::{Measured, Quantity, joined, plain};

/// One of each class of the published table: full rate, quarter rate, double precision, scalar, LDS narrow and wide, memory.
const CLASSES: [&str; 9] = [
    "V_ADD_F32",
    "V_MUL_LO_U32",
    "V_ADD_F64",
    "V_RCP_F32",
    "S_ADD_U32",
    "S_LOAD_DWORD",
    "DS_READ_B32",
    "DS_READ_B128",
    "BUFFER_LOAD_DWORD",
];

/// Height of a panel, pixels.
const HEIGHT: f64 = 260.0;

/// Share by which a throughput has to be larger to count as more.
const LEAST_RISE: f64 = 0.01;

/// Instructions that a title names at most.
const MOST_NAMED: usize = 3;

/// Lengths of dash and gap of the published line, pixels.
const DASH: (f64, f64) = (7.0, 4.0);

/// The measurement of an instruction: by waves, empty where the run has a number of waves and no result.
struct Curve<'a> {
    name: &'a str,
    points: BTreeMap<u32, Option<Measured>>,
}

impl Curve<'_> {
    fn measured(&self) -> impl Iterator<Item = (u32, Measured)> {
        self.points.iter().filter_map(|(waves, span)| Some((*waves, (*span)?)))
    }

    /// Whether more waves give more, and both intervals say so.
    fn rises(&self) -> bool {
        let first = self.measured().next();
        first.is_some_and(|(_, first)| self.measured().any(|(_, span)| span.low > first.high * (1.0 + LEAST_RISE)))
    }
}

pub(super) fn plan<'r>(run: &'r Results, instructions: &'r [String]) -> Result<Plan<'r>, String> {
    let classes = || CLASSES.into_iter().filter(|name| row_of(run, name).any(|row| row.throughput.is_some()));
    let chosen = instructions.iter().map(String::as_str);
    let names: Vec<&str> = if instructions.is_empty() { classes().collect() } else { chosen.collect() };
    let waves: BTreeSet<u32> = names.iter().flat_map(|name| row_of(run, name)).map(|row| row.waves_per_simd).collect();
    let curve = |name| {
        let of = |waves: &u32| row_of(run, name).find(|row| row.waves_per_simd == *waves);
        Curve {
            name,
            points: waves.iter().map(|waves| (*waves, of(waves).and_then(|row| plain(row.throughput)))).collect(),
        }
    };
    let curves: Vec<Curve<'_>> = names.iter().copied().map(curve).collect();
    if !curves.iter().any(|curve| curve.measured().next().is_some()) {
        let of = if names.is_empty() { CLASSES.join(", ") } else { names.join(", ") };
        return Err(format!("throughput.csv has no throughput of {of}; choose others with --instruction"));
    }
    let legend = "Circles: measured; bars: 95 % interval; no line crosses an unmeasured number. Dashed: published, with its source. One wave is one on each SIMD.";
    Ok(Plan::of_panels(conclusion(&curves), legend.to_owned(), (3, HEIGHT), curves, |sheet, place, curve| {
        panel(sheet, place, curve, published(run, curve.name));
    }))
}

/// What `throughput.csv` has of the plain form of an instruction.
fn row_of<'a>(run: &'a Results, name: &'a str) -> impl Iterator<Item = &'a ThroughputRow> {
    run.throughputs.iter().filter(move |row| row.instruction == name && row.case.is_empty())
}

/// Which of them gain by more waves.
fn conclusion(curves: &[Curve<'_>]) -> Option<String> {
    let swept: Vec<&Curve<'_>> = curves.iter().filter(|curve| curve.measured().count() > 1).collect();
    let rising: Vec<&str> = swept.iter().filter(|curve| curve.rises()).map(|curve| curve.name).collect();
    match (rising.len(), swept.len()) {
        (_, 0) => None,
        (0, 1) => Some(format!("More waves do not raise the throughput of {}", swept[0].name)),
        (_, 1) => Some(format!("More waves raise the throughput of {}", swept[0].name)),
        (0, of) => Some(format!("More waves raise the throughput of none of {of} instructions")),
        (count, of) if count > MOST_NAMED => {
            Some(format!("More waves raise the throughput of {count} of {of} instructions"))
        }
        (_, of) => Some(format!("Of {of} instructions more waves raise the throughput of {}", joined(&rising, "and"))),
    }
}

fn panel(sheet: &Sheet<'_>, place: Rectangle, curve: &Curve<'_>, published: Option<(String, f64, f64)>) {
    let said = published.iter().map(|(_, _, most)| *most);
    let most = curve.measured().map(|(_, span)| span.high).chain(said).fold(0.0, f64::max);
    let x = Axis::factors("waves per SIMD", curve.points.keys().copied());
    let y = Axis::linear("instructions / cycle / CU", 0.0, most * 1.08);
    let name = curve.name;
    let title = match &published {
        Some((source, least, most)) if least == most => format!("{name} ({source}: {})", number(*most)),
        Some((source, ..)) => format!("{name} ({source})"),
        None => format!("{name} (unpublished)"),
    };
    let panel = Panel::draw(sheet, place, &title, x, y, 0.0);
    if let Some((_, least, most)) = published {
        for value in if least == most { vec![most] } else { vec![least, most] } {
            let y = panel.at(1.0, value).1;
            sheet.dashed(&[(panel.frame.left, y), (panel.frame.left + panel.frame.width, y)], PUBLISHED, DASH, 2);
        }
    }
    let points: Vec<(u32, Option<Measured>)> = curve.points.iter().map(|(waves, span)| (*waves, *span)).collect();
    for together in points.split(|(_, span)| span.is_none()) {
        let line: Vec<(f64, f64)> =
            together.iter().filter_map(|(waves, span)| Some(panel.at(f64::from(*waves), (*span)?.value))).collect();
        if line.len() > 1 {
            sheet.line(&line, MEASURED, 2);
        }
    }
    for (waves, span) in curve.measured() {
        panel.interval(f64::from(waves), span);
        sheet.mark(panel.at(f64::from(waves), span.value), 4.0, Shape::Circle, MEASURED);
    }
    if curve.measured().next().is_none() {
        let middle = (panel.frame.left + panel.frame.width / 2.0, panel.frame.top + panel.frame.height / 2.0);
        sheet.words("not measured", middle.0, middle.1, SMALL, HPos::Center, GREY, false);
    }
}

/// Source, least and most of the first source that states a throughput.
fn published(run: &Results, name: &str) -> Option<(String, f64, f64)> {
    let of = run.validation.iter().filter(|row| row.instruction == name && row.quantity == Quantity::Throughput);
    let mut stated = of.filter_map(|row| {
        let (least, most) = expected(&row.expected)?;
        Some((row.source.clone(), least, most))
    });
    stated.next()
}

/// The ends of the `expected` column: `0.25`, `0.25?`, `4 to 16` or `4 or 16`.
pub(super) fn expected(text: &str) -> Option<(f64, f64)> {
    let ends = text.trim_end_matches('?').split_once(" to ").or_else(|| text.split_once(" or "));
    let (least, most) = ends.unwrap_or((text.trim_end_matches('?'), text.trim_end_matches('?')));
    Some((least.trim().parse().ok()?, most.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::expected;

    #[test]
    fn the_words_of_the_expected_column_are_understood() {
        let said = ["0.25", "18?", "4 to 16", "4 or 16", "?", "", "more than 0"].map(expected);
        assert_eq!(
            said,
            [Some((0.25, 0.25)), Some((18.0, 18.0)), Some((4.0, 16.0)), Some((4.0, 16.0)), None, None, None]
        );
    }
}
