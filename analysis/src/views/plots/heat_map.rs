//! Tables whose cells are coloured by the number, in rows and columns with a common scale of colours; each cell has the number, so that it
//! reads without colour.

use plotters::style::text_anchor::HPos;

use super::axis::number;
use super::judgement::{is_wide, rounded, shown};
use super::panel::SMALL;
use super::plan::Plan;
use super::sheet::{HEAD, Rectangle, Sheet, WIDTH, width};
use super::theme::{GREY, GRID, INK, PUBLISHED};
use crate::tables::Measured;

/// Height of a row, pixels.
const ROW: f64 = 22.0;

/// Height of the parts above and below the rows, pixels.
const AROUND: f64 = 108.0;

/// Where the headings stand: wide ones in turn on two lines.
const HEADINGS: [f64; 2] = [56.0, 71.0];

/// Where the rows begin.
const FIRST_ROW: f64 = 84.0;

/// Width of a column of names if there is room, pixels.
const COLUMN: f64 = 110.0;

/// Paper at the left and at the right, pixels.
const MARGIN: f64 = 16.0;

/// The numbers and their names.
pub(super) struct HeatMap {
    pub(super) title: String,
    pub(super) row_name: &'static str,
    pub(super) column_name: &'static str,
    pub(super) rows: Vec<String>,
    pub(super) columns: Vec<String>,
    /// Row by row; none where nothing was measured.
    pub(super) cells: Vec<Vec<Option<Measured>>>,
    /// Columns at whose left a border is drawn; one more than there are is the right end.
    pub(super) borders: Vec<usize>,
    /// Width that a column has if there is room, pixels.
    pub(super) column: f64,
}

impl HeatMap {
    /// A map of named rows and columns, whose cells are found by the two names.
    pub(super) fn of(
        title: String,
        [row_name, column_name]: [&'static str; 2],
        rows: Vec<String>,
        columns: Vec<String>,
        cell: impl Fn(&str, &str) -> Option<Measured>,
    ) -> Self {
        let cells = rows.iter().map(|row| columns.iter().map(|column| cell(row, column)).collect()).collect();
        Self { title, row_name, column_name, rows, columns, cells, borders: Vec::new(), column: COLUMN }
    }

    /// Width of the rows' names with the paper around them, pixels.
    fn names(&self) -> f64 {
        let widest = self.rows.iter().map(|name| width(name, SMALL)).fold(width(self.row_name, SMALL), f64::max);
        widest.min(WIDTH * 0.3) + MARGIN + 8.0
    }

    fn column(&self) -> f64 {
        ((WIDTH - self.names() - MARGIN) / self.columns.len().max(1) as f64).min(self.column)
    }

    /// Width that it takes, pixels.
    pub(super) fn width(&self) -> f64 {
        let title = width(&self.title, 13.0) * 1.13 + 2.0 * MARGIN;
        (self.names() + self.column() * self.columns.len() as f64 + MARGIN).max(title).min(WIDTH)
    }

    /// Height that it takes, pixels.
    pub(super) fn height(&self) -> f64 {
        self.rows.len() as f64 * ROW + AROUND
    }

    /// Draws it with its left upper corner at a place; `most` is the number that stands out most.
    pub(super) fn draw(&self, sheet: &Sheet<'_>, (left, top): (f64, f64), most: f64) {
        sheet.heading(&self.title, left + MARGIN, top + 16.0, 13.0, self.width() - 2.0 * MARGIN);
        let (first, column) = (left + self.names(), self.column());
        let middle = first + column * self.columns.len() as f64 / 2.0;
        sheet.words(self.column_name, middle, top + 38.0, SMALL, HPos::Center, GREY, false);
        sheet.words(self.row_name, first - 8.0, top + HEADINGS[1], SMALL, HPos::Right, GREY, false);
        let are_wide = self.columns.iter().any(|name| width(name, SMALL) > column - 4.0);
        for (index, name) in self.columns.iter().enumerate() {
            let x = first + (index as f64 + 0.5) * column;
            let line = if are_wide { index % 2 } else { 1 };
            let room = if are_wide { 2.0 * column - 8.0 } else { column - 4.0 };
            sheet.fitted(name, x, top + HEADINGS[line], SMALL, HPos::Center, room);
        }
        for (index, (name, cells)) in self.rows.iter().zip(&self.cells).enumerate() {
            let top = top + FIRST_ROW + index as f64 * ROW;
            sheet.fitted(name, first - 8.0, top + ROW / 2.0, SMALL, HPos::Right, self.names() - MARGIN - 8.0);
            for (index, cell) in cells.iter().enumerate() {
                let place = Rectangle { left: first + index as f64 * column, top, width: column, height: ROW };
                draw_cell(sheet, place, *cell, most);
            }
        }
        let bottom = top + FIRST_ROW + self.rows.len() as f64 * ROW;
        // A page on dark paper turns ink over and leaves cells light: this colour is seen on both.
        for border in &self.borders {
            let x = first + *border as f64 * column;
            sheet.line(&[(x, top + HEADINGS[1] - 6.0), (x, bottom + 4.0)], PUBLISHED, 2);
        }
    }
}

fn draw_cell(sheet: &Sheet<'_>, place: Rectangle, cell: Option<Measured>, most: f64) {
    let middle = (place.left + place.width / 2.0, place.top + place.height / 2.0);
    let Some(span) = cell else {
        return sheet.words("·", middle.0, middle.1, SMALL, HPos::Center, GREY, false);
    };
    let share = if most > 0.0 { rounded(span) / most } else { 0.0 };
    let (fill, letters) = sheet.theme.shade(share);
    sheet.rectangle(place, fill, Some(GRID));
    let text = shown(span);
    let size = ((place.width - 2.0) / width(&text, 1.0)).min(SMALL);
    sheet.words(&text, middle.0, middle.1, size, HPos::Center, letters, false);
}

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
    let end = format!("{} {unit}", number(most));
    sheet.words(&end, x, middle, SMALL, HPos::Left, INK, false);
    x += width(&end, SMALL) + 24.0;
    sheet.fitted(marks, x, middle, SMALL, HPos::Left, WIDTH - x - 8.0);
}

/// On a number of waves, in words.
pub(super) fn on_waves(waves: u32) -> String {
    format!("{waves} wave{} per SIMD", if waves == 1 { "" } else { "s" })
}
