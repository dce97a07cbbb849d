//! What LDS conflicts cost, by stride.

use super::axis::{Axis, number};
use super::drawing::Drawing;
use super::label::Rectangle;
use super::look::{GREY, INK, MEASURED, PUBLISHED, Shape};
use super::panel::{Panel, SMALL};
use super::sheet::{Anchor, HEAD, WIDTH, sheet};
use crate::rules::LDS_STRIDE;
use crate::tables::{PenaltyRecord, Span, Tables};

/// Height of a panel, pixels.
const HEIGHT: f64 = 340.0;

pub(super) fn draw(run: &Tables) -> Drawing {
    let rows: Vec<&PenaltyRecord> = run.penalties.iter().filter(|row| row.experiment == LDS_STRIDE).collect();
    if rows.is_empty() {
        return Drawing::Missing(format!("penalties.csv has no experiment {LDS_STRIDE}: measure the lds suite"));
    }
    let measured: Vec<(&PenaltyRecord, u32, Span)> =
        rows.iter().filter_map(|row| Some((*row, row.offset_dwords?, row.penalty()?))).collect();
    if measured.is_empty() {
        return Drawing::Missing(format!("none of the {} rows of experiment {LDS_STRIDE} has a number", rows.len()));
    }
    let mut waves: Vec<u32> = measured.iter().map(|(row, ..)| row.waves_per_simd).collect();
    waves.sort_unstable();
    waves.dedup();
    let legend = "Cycles of the compute unit more than at stride 1. Circle: as the page says or not judged; cross: not as it says.";
    let svg = sheet(run, "LDS bank conflicts by stride", legend, HEAD + waves.len() as f64 * HEIGHT, |sheet| {
        for (index, waves) in waves.iter().enumerate() {
            let of: Vec<_> = measured.iter().filter(|(row, ..)| row.waves_per_simd == *waves).collect();
            let most = of.iter().map(|(.., span)| span.high).fold(1.0, f64::max);
            let x = Axis::steps("stride from lane to lane, dwords", of.iter().map(|(_, stride, _)| stride.to_string()));
            let y = Axis::linear("penalty, cycles", 0.0, most * 1.1);
            let place = Rectangle { left: 0.0, top: HEAD + index as f64 * HEIGHT, width: WIDTH, height: HEIGHT };
            let plural = if *waves == 1 { "" } else { "s" };
            let panel = Panel::draw(sheet, place, &format!("{waves} wave{plural} per SIMD"), x, y, 0.0)?;
            for (step, (row, _, span)) in of.iter().enumerate() {
                let (x, y) = panel.at(step as f64, span.value);
                sheet.line(&[panel.at(step as f64, 0.0), (x, y)], GREY, 2)?;
                panel.interval(step as f64, *span)?;
                let contradicts = row.verdict == "mismatch";
                let (shape, colour) = if contradicts { (Shape::Cross, PUBLISHED) } else { (Shape::Circle, MEASURED) };
                sheet.mark((x, y), 5.0, shape, colour)?;
                sheet.words(&number(span.value), x, y - 13.0, SMALL, Anchor::Centre, INK, false)?;
            }
        }
        Ok(())
    });
    Drawing::of(svg)
}
