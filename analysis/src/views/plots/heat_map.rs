//! A table whose cells are dark where the number is large; the number stands in each, so that it reads without colour.

use plotters::style::RGBColor;

use super::axis::number;
use super::label::{Rectangle, width};
use super::look::{GREY, GRID, INK};
use super::panel::SMALL;
use super::sheet::{Anchor, DrawError, Sheet};

/// Height of a row, pixels.
pub(crate) const ROW: f64 = 22.0;

/// Height of what is above and below the rows, pixels.
pub(crate) const AROUND: f64 = 108.0;

/// Where the headings stand: wide ones in turn on two lines.
const HEADINGS: [f64; 2] = [56.0, 71.0];

/// Where the rows begin.
const FIRST_ROW: f64 = 84.0;

/// Ink on a light cell and on a dark one; not that of the axes, which turns over on dark paper while cells do not.
const ON_LIGHT: RGBColor = RGBColor(17, 17, 17);
const ON_DARK: RGBColor = RGBColor(254, 254, 254);

/// The numbers and their names.
pub(crate) struct HeatMap<'a> {
    pub(crate) title: &'a str,
    pub(crate) row_name: &'a str,
    pub(crate) column_name: &'a str,
    pub(crate) rows: &'a [String],
    pub(crate) columns: &'a [String],
    /// Row by row; none where nothing was measured.
    pub(crate) cells: &'a [Vec<Option<f64>>],
    /// The number that is darkest.
    pub(crate) most: f64,
}

impl HeatMap<'_> {
    /// Height that it takes, pixels.
    pub(crate) fn height(rows: usize) -> f64 {
        rows as f64 * ROW + AROUND
    }

    /// Draws it at the top of a place.
    pub(crate) fn draw(&self, sheet: &Sheet<'_>, place: Rectangle) -> Result<(), DrawError> {
        let names = self.rows.iter().map(|name| width(name, SMALL)).fold(width(self.row_name, SMALL), f64::max);
        let names = names.min(place.width * 0.45) + 24.0;
        let left = place.left + names;
        let column = ((place.width - names - 16.0) / self.columns.len().max(1) as f64).min(110.0);
        sheet.words(self.title, place.left + 16.0, place.top + 16.0, 13.0, Anchor::Left, INK, true)?;
        let middle = left + column * self.columns.len() as f64 / 2.0;
        sheet.words(self.column_name, middle, place.top + 38.0, SMALL, Anchor::Centre, GREY, false)?;
        sheet.words(self.row_name, left - 8.0, place.top + HEADINGS[1], SMALL, Anchor::Right, GREY, false)?;
        let are_wide = self.columns.iter().any(|name| width(name, SMALL) > column - 4.0);
        for (index, name) in self.columns.iter().enumerate() {
            let x = left + (index as f64 + 0.5) * column;
            let line = if are_wide { index % 2 } else { 1 };
            let room = if are_wide { 2.0 * column - 8.0 } else { column - 4.0 };
            sheet.fitted(name, x, place.top + HEADINGS[line], SMALL, Anchor::Centre, room)?;
        }
        for (index, (name, cells)) in self.rows.iter().zip(self.cells).enumerate() {
            let top = place.top + FIRST_ROW + index as f64 * ROW;
            sheet.fitted(name, left - 8.0, top + ROW / 2.0, SMALL, Anchor::Right, names - 20.0)?;
            for (index, cell) in cells.iter().enumerate() {
                let place = Rectangle { left: left + index as f64 * column, top, width: column, height: ROW };
                let middle = (place.left + column / 2.0, top + ROW / 2.0);
                let Some(value) = cell else {
                    sheet.words("·", middle.0, middle.1, SMALL, Anchor::Centre, GREY, false)?;
                    continue;
                };
                let share = if self.most > 0.0 { (value / self.most).clamp(0.0, 1.0) } else { 0.0 };
                sheet.rectangle(place, shade(share), Some(GRID))?;
                let ink = if share > 0.5 { ON_DARK } else { ON_LIGHT };
                sheet.words(
                    &number((value * 100.0).round() / 100.0),
                    middle.0,
                    middle.1,
                    SMALL,
                    Anchor::Centre,
                    ink,
                    false,
                )?;
            }
        }
        Ok(())
    }
}

/// From almost white to dark blue; lightness falls evenly, so that it reads in grey as well.
fn shade(share: f64) -> RGBColor {
    let between = |light: f64, dark: f64| (light + (dark - light) * share).round() as u8;
    RGBColor(between(247.0, 8.0), between(250.0, 48.0), between(253.0, 107.0))
}
