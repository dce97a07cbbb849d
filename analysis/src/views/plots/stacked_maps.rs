//! Heat maps below each other, dark where the number is large, by one measure for all of them.

use super::drawing::Drawing;
use super::heat_map::HeatMap;
use super::label::Rectangle;
use super::sheet::{HEAD, WIDTH, sheet};
use crate::tables::Tables;

/// One of them.
pub(super) struct Map {
    pub(super) title: String,
    pub(super) rows: Vec<String>,
    pub(super) columns: Vec<String>,
    /// Row by row; none where nothing was measured.
    pub(super) cells: Vec<Vec<Option<f64>>>,
}

/// What all of them have in common.
pub(super) struct Stack<'a> {
    pub(super) title: &'a str,
    pub(super) legend: &'a str,
    pub(super) row_name: &'a str,
    pub(super) column_name: &'a str,
    /// The number that is darkest.
    pub(super) most: f64,
}

impl Map {
    /// A map of the numbers that are there.
    pub(super) fn of(
        title: String,
        rows: Vec<String>,
        columns: Vec<String>,
        value: impl Fn(&str, &str) -> Option<f64>,
    ) -> Self {
        let cells = rows.iter().map(|row| columns.iter().map(|column| value(row, column)).collect()).collect();
        Self { title, rows, columns, cells }
    }

    fn height(&self) -> f64 {
        HeatMap::height(self.rows.len())
    }
}

impl Stack<'_> {
    pub(super) fn draw(&self, run: &Tables, maps: &[Map]) -> Drawing {
        let height = HEAD + maps.iter().map(Map::height).sum::<f64>();
        Drawing::of(sheet(run, self.title, self.legend, height, |sheet| {
            let mut top = HEAD;
            for map in maps {
                let place = Rectangle { left: 0.0, top, width: WIDTH, height: map.height() };
                let Self { row_name, column_name, most, .. } = *self;
                let Map { title, rows, columns, cells } = map;
                HeatMap { title, row_name, column_name, rows, columns, cells, most }.draw(sheet, place)?;
                top += map.height();
            }
            Ok(())
        }))
    }
}

/// Names without those that were there before, in their order.
pub(super) fn distinct(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut distinct: Vec<String> = Vec::new();
    for name in names {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    }
    distinct
}

/// On so many waves, in words.
pub(super) fn on_waves(waves: u32) -> String {
    format!("{waves} wave{} per SIMD", if waves == 1 { "" } else { "s" })
}
