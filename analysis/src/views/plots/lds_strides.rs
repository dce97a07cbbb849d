//! What LDS conflicts cost, by stride.

use std::collections::BTreeSet;

use super::axis::{Axis, number};
use super::drawing::Drawing;
use super::judgement::{Judgement, listed, rounded, shown};
use super::label::Rectangle;
use super::look::{GREY, INK, MEASURED, PUBLISHED, Shape};
use super::panel::{Panel, SMALL};
use super::sheet::{Anchor, HEAD, Head, WIDTH, sheet};
use super::stacked_maps::on_waves;
use super::theme::Theme;
use crate::results::Results;
use crate::rules::LDS_STRIDE;
use crate::rules::PenaltyRow;
use crate::tables::{Measured, Verdict, ascending};

/// Height of a panel, pixels.
const HEIGHT: f64 = 340.0;

pub(super) fn draw(run: &Results, theme: Theme) -> Drawing {
    let rows: Vec<&PenaltyRow> = run.penalties.iter().filter(|row| row.experiment == LDS_STRIDE).collect();
    if rows.is_empty() {
        return Drawing::Missing(format!("penalties.csv has no experiment {LDS_STRIDE}: measure the lds suite"));
    }
    let measured: Vec<(&PenaltyRow, u32, Measured)> =
        rows.iter().filter_map(|row| Some((*row, row.offset_dwords?, row.penalty?.plain()))).collect();
    if measured.is_empty() {
        return Drawing::Missing(format!("none of the {} rows of experiment {LDS_STRIDE} has a number", rows.len()));
    }
    let waves = ascending(measured.iter().map(|(row, ..)| row.waves_per_simd));
    let legend = "Extra cycles of the compute unit over stride 1; bars: 95 % interval. Cross: differs from the CLRX table; circle: any other.";
    let spans: Vec<(u32, Measured)> = measured.iter().map(|(_, stride, span)| (*stride, *span)).collect();
    let title = conclusion(&spans).unwrap_or_else(|| "LDS bank conflicts by stride".to_owned());
    let head = Head { title: &title, of: &run.title(), legend, theme };
    let svg = sheet(head, HEAD + waves.len() as f64 * HEIGHT, |sheet| {
        for (index, waves) in waves.iter().enumerate() {
            let of: Vec<_> = measured.iter().filter(|(row, ..)| row.waves_per_simd == *waves).collect();
            let most = of.iter().map(|(.., span)| span.high).fold(1.0, f64::max);
            // What costs nothing may come out as less.
            let least = of.iter().map(|(.., span)| span.low).fold(0.0, f64::min);
            let x = Axis::steps("stride from lane to lane, dwords", of.iter().map(|(_, stride, _)| stride.to_string()));
            let y = Axis::linear("penalty, cycles", least, most * 1.1);
            let place = Rectangle { left: 0.0, top: HEAD + index as f64 * HEIGHT, width: WIDTH, height: HEIGHT };
            let panel = Panel::draw(sheet, place, &on_waves(*waves), x, y, 0.0)?;
            for (step, (row, _, span)) in of.iter().enumerate() {
                let (x, y) = panel.at(step as f64, span.value);
                sheet.line(&[panel.at(step as f64, 0.0), (x, y)], GREY, 2)?;
                panel.interval(step as f64, *span)?;
                let contradicts = row.verdict == Verdict::Mismatch;
                let (shape, colour) = if contradicts { (Shape::Cross, PUBLISHED) } else { (Shape::Circle, MEASURED) };
                sheet.mark((x, y), 5.0, shape, colour)?;
                let above = panel.at(step as f64, span.high).1.min(y);
                sheet.words(&shown(*span), x, above - 13.0, SMALL, Anchor::Centre, INK, false)?;
            }
        }
        Ok(())
    });
    Drawing::of(svg)
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
