//! Heat maps in rows and columns, with a common scale of colours.

use plotters::style::text_anchor::HPos;

use super::heat_map::HeatMap;
use super::judgement::{is_wide, rounded};
use super::label::{Rectangle, width};
use super::panel::SMALL;
use super::plan::Plan;
use super::sheet::{HEAD, Sheet, WIDTH};
use super::theme::{GRID, INK};

/// Height that the scale takes, pixels.
const SCALE: f64 = 36.0;

/// Width of the scale, pixels, and how many colours it has.
const STRIP: (f64, u32) = (220.0, 44);

/// The text next to the scale.
const MARKS: &str = "A dot: not measured.";

/// Further text if a number has a question mark.
const UNSURE: &str = "A question mark: the interval leaves several numbers of cycles.";

/// The maps in rows, as many side by side as fit, with their numbers in this unit.
pub(super) fn stacked(
    conclusion: Option<String>,
    legend: String,
    unit: &'static str,
    maps: Vec<HeatMap>,
) -> Plan<'static> {
    let spans = || maps.iter().flat_map(|map| map.cells.iter().flatten().flatten().copied());
    let most = spans().map(rounded).fold(0.0, f64::max);
    let marks = if spans().any(is_wide) { format!("{MARKS} {UNSURE}") } else { MARKS.to_owned() };
    let (places, height) = places(&maps);
    let draw = move |sheet: &Sheet<'_>| {
        scale(sheet, most, unit, &marks);
        maps.iter().zip(&places).for_each(|(map, place)| map.draw(sheet, *place, most));
    };
    Plan { conclusion, legend, height: height - HEAD, draw: Box::new(draw) }
}

/// Where each map stands, and the height of all.
fn places(maps: &[HeatMap]) -> (Vec<(f64, f64)>, f64) {
    let (mut left, mut top, mut row) = (0.0, HEAD + SCALE, 0.0);
    let mut places = Vec::new();
    for map in maps {
        if left > 0.0 && left + map.width() > WIDTH {
            (left, top, row) = (0.0, top + row, 0.0);
        }
        places.push((left, top));
        left += map.width();
        row = f64::max(row, map.height());
    }
    (places, top + row)
}

/// The colours from 0 to the largest number, with their unit.
fn scale(sheet: &Sheet<'_>, most: f64, unit: &str, marks: &str) {
    let (top, mut x) = (HEAD + 12.0, 16.0);
    let middle = top + 7.0;
    sheet.words("0", x, middle, SMALL, HPos::Left, INK, false);
    x += 14.0;
    let step = STRIP.0 / f64::from(STRIP.1);
    for n in 0..STRIP.1 {
        let place = Rectangle { left: x + f64::from(n) * step, top, width: step, height: 14.0 };
        sheet.rectangle(place, sheet.theme.shade(f64::from(n) / f64::from(STRIP.1 - 1)).0, None);
    }
    let (right, bottom) = (x + STRIP.0, top + 14.0);
    sheet.line(&[(x, top), (right, top), (right, bottom), (x, bottom), (x, top)], GRID, 1);
    x += STRIP.0 + 6.0;
    let end = format!("{} {unit}", super::axis::number(most));
    sheet.words(&end, x, middle, SMALL, HPos::Left, INK, false);
    x += width(&end, SMALL) + 24.0;
    sheet.fitted(marks, x, middle, SMALL, HPos::Left, WIDTH - x - 8.0);
}

/// On a number of waves, in words.
pub(super) fn on_waves(waves: u32) -> String {
    format!("{waves} wave{} per SIMD", if waves == 1 { "" } else { "s" })
}
