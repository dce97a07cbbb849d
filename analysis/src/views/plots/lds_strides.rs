//! What LDS conflicts cost, by stride.

use std::collections::BTreeSet;

use super::axis::{Axis, number};
use super::heat_map::on_waves;
use super::judgement::{Judgement, listed, rounded, shown};
use super::panel::Panel;
use super::plan::Plan;
use super::sheet::{Rectangle, Shape, Sheet};
use super::theme::{GREY, MEASURED, PUBLISHED};
use crate::results::Results;
use crate::rules::{LDS_STRIDE, PenaltyRow};
use crate::tables::{Measured, Verdict, by_key};

/// Height of a panel, pixels.
const HEIGHT: f64 = 340.0;

/// A row of the sweep with its stride and its penalty.
type Measurement = (Verdict, u32, Measured);

pub(super) fn plan(run: &Results) -> Result<Plan<'static>, String> {
    let rows: Vec<&PenaltyRow> = run.penalties.iter().filter(|row| row.experiment == LDS_STRIDE).collect();
    if rows.is_empty() {
        return Err(format!("penalties.csv has no experiment {LDS_STRIDE}: measure the lds suite"));
    }
    let measurement =
        |row: &&PenaltyRow| Some((row.waves_per_simd, (row.verdict, row.offset_dwords?, row.penalty?.plain())));
    let measured: Vec<(u32, Measurement)> = rows.iter().filter_map(measurement).collect();
    if measured.is_empty() {
        return Err(format!("none of the {} rows of experiment {LDS_STRIDE} has a number", rows.len()));
    }
    let spans: Vec<(u32, Measured)> = measured.iter().map(|(_, (_, stride, span))| (*stride, *span)).collect();
    let legend = "Extra cycles of the compute unit over stride 1; bars: 95 % interval. Cross: differs from the CLRX table; circle: any other.";
    let mut panels = by_key(measured);
    panels.sort_by_key(|(waves, _)| *waves);
    Ok(Plan::of_panels(conclusion(&spans), legend.to_owned(), (1, HEIGHT), panels, |sheet, place, (waves, rows)| {
        panel(sheet, place, *waves, rows);
    }))
}

/// The strides on a number of waves.
fn panel(sheet: &Sheet<'_>, place: Rectangle, waves: u32, rows: &[Measurement]) {
    let most = rows.iter().map(|(.., span)| span.high).fold(1.0, f64::max);
    // What costs nothing may come out as less.
    let least = rows.iter().map(|(.., span)| span.low).fold(0.0, f64::min);
    let x = Axis::steps("stride from lane to lane, dwords", rows.iter().map(|(_, stride, _)| stride.to_string()));
    let y = Axis::linear("penalty, cycles", least, most * 1.1);
    let panel = Panel::draw(sheet, place, &on_waves(waves), x, y, 0.0);
    for (step, (verdict, _, span)) in rows.iter().enumerate() {
        let contradicts = *verdict == Verdict::Mismatch;
        let (shape, colour) = if contradicts { (Shape::Cross, PUBLISHED) } else { (Shape::Circle, MEASURED) };
        panel.stem(step as f64, *span, GREY, (5.0, shape, colour), &shown(*span));
    }
}

/// Which strides cost nothing, and which cost most; both only as far as the intervals say so.
fn conclusion(spans: &[(u32, Measured)]) -> Option<String> {
    let costs = || spans.iter().filter(|(_, span)| Judgement::of(*span) == Judgement::Costs);
    let all = |odd: bool, wanted: Judgement| {
        let mut of = spans.iter().filter(|(stride, _)| (stride % 2 == 1) == odd).peekable();
        of.peek().is_some() && of.all(|(_, span)| Judgement::of(*span) == wanted)
    };
    let Some(most) = costs().map(|(_, span)| rounded(*span)).reduce(f64::max) else {
        let are_free = spans.iter().all(|(_, span)| Judgement::of(*span) == Judgement::Free);
        return are_free.then(|| format!("None of {} strides costs more than stride 1", spans.len()));
    };
    let at: BTreeSet<u32> = costs().filter(|(_, span)| rounded(*span) == most).map(|(stride, _)| *stride).collect();
    let most = format!("{} cycles at {}", number(most), listed(&at.into_iter().collect::<Vec<_>>()));
    if all(true, Judgement::Free) && all(false, Judgement::Costs) {
        return Some(format!("Odd strides cost nothing, even ones up to {most}"));
    }
    Some(format!("Strides cost up to {most}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_and_even_strides_differ_if_their_intervals_do() {
        let spans = |of: &[(u32, f64, f64)]| -> Vec<(u32, Measured)> {
            of.iter().map(|&(stride, low, high)| (stride, Measured { value: (low + high) / 2.0, low, high })).collect()
        };
        let said = |of: &[(u32, f64, f64)]| conclusion(&spans(of));
        assert_eq!(
            said(&[(1, 0.0, 0.0), (2, 1.9, 2.1), (3, -0.1, 0.1), (32, 62.0, 62.0)]).as_deref(),
            Some("Odd strides cost nothing, even ones up to 62 cycles at 32")
        );
        assert_eq!(
            said(&[(1, 0.0, 0.0), (3, -2.0, 3.0), (4, 6.0, 6.0)]).as_deref(),
            Some("Strides cost up to 6 cycles at 4")
        );
        assert_eq!(
            said(&[(1, 0.0, 0.0), (2, 0.0, 0.2)]).as_deref(),
            Some("None of 2 strides costs more than stride 1")
        );
        assert_eq!(said(&[(1, 0.0, 0.0), (2, -2.0, 3.0)]), None);
    }
}
