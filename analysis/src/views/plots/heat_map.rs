//! A table whose cells are coloured by the number; each has the number, so that it reads without colour.

use plotters::style::text_anchor::HPos;

use super::judgement::{rounded, shown};
use super::label::{Rectangle, width};
use super::panel::SMALL;
use super::sheet::{Sheet, WIDTH};
use super::theme::{GREY, GRID, PUBLISHED};
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
