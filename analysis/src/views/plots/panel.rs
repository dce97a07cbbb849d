//! A pair of axes on a sheet.

use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

use super::axis::Axis;
use super::sheet::{Rectangle, Shape, Sheet, width};
use super::theme::{GREY, GRID, INK};
use crate::tables::Measured;

/// Size of the numbers at the ticks, pixels.
pub(crate) const SMALL: f64 = 11.0;

/// Axes and the frame between them.
pub(crate) struct Panel<'a, 's> {
    sheet: &'a Sheet<'s>,
    /// Where the data stand.
    pub(crate) frame: Rectangle,
    x: Axis,
    y: Axis,
}

impl<'a, 's> Panel<'a, 's> {
    /// Draws axes and title into a place, with room for labels on the right.
    pub(crate) fn draw(sheet: &'a Sheet<'s>, place: Rectangle, title: &str, x: Axis, y: Axis, right: f64) -> Self {
        let numbers = y.ticks.iter().map(|(_, word)| width(word, SMALL)).fold(0.0, f64::max);
        let left = 34.0 + numbers;
        let frame = Rectangle {
            left: place.left + left,
            top: place.top + 30.0,
            width: place.width - left - 18.0 - right,
            height: place.height - 78.0,
        };
        let panel = Self { sheet, frame, x, y };
        sheet.heading(title, frame.left, place.top + 16.0, 13.0, place.left + place.width - frame.left - 8.0);
        for (value, word) in &panel.y.ticks {
            let y = panel.at(0.0, *value).1;
            sheet.line(&[(frame.left, y), (frame.left + frame.width, y)], GRID, 1);
            sheet.words(word, frame.left - 6.0, y, SMALL, HPos::Right, INK, false);
        }
        let bottom = frame.top + frame.height;
        // Of words that would touch, only each second, third, … is written.
        let room =
            panel.x.ticks.windows(2).map(|pair| panel.at_x(pair[1].0) - panel.at_x(pair[0].0)).fold(f64::MAX, f64::min);
        let widest = panel.x.ticks.iter().map(|(_, word)| width(word, SMALL)).fold(0.0, f64::max);
        let each = ((widest + 4.0) / room).ceil().max(1.0) as usize;
        for (index, (value, word)) in panel.x.ticks.iter().enumerate() {
            let x = panel.at_x(*value);
            sheet.line(&[(x, bottom), (x, bottom + 4.0)], INK, 1);
            if index % each == 0 {
                sheet.words(word, x, bottom + 14.0, SMALL, HPos::Center, INK, false);
            }
        }
        sheet.line(&[(frame.left, frame.top), (frame.left, bottom), (frame.left + frame.width, bottom)], INK, 1);
        sheet.words(&panel.x.name, frame.left + frame.width / 2.0, bottom + 32.0, SMALL, HPos::Center, INK, false);
        sheet.upwards(&panel.y.name, place.left + 14.0, frame.top + frame.height / 2.0, SMALL);
        panel
    }

    fn at_x(&self, x: f64) -> f64 {
        self.frame.left + self.x.place(x) * self.frame.width
    }

    /// Where a point stands, pixels.
    pub(crate) fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (self.at_x(x), self.frame.top + (1.0 - self.y.place(y)) * self.frame.height)
    }

    /// A value on a stem from zero, with its interval and a text above both.
    pub(crate) fn stem(&self, x: f64, span: Measured, colour: RGBColor, mark: (f64, Shape, RGBColor), text: &str) {
        let at = self.at(x, span.value);
        self.sheet.line(&[self.at(x, 0.0), at], colour, 2);
        self.interval(x, span);
        self.sheet.mark(at, mark.0, mark.1, mark.2);
        let above = self.at(x, span.high).1.min(at.1);
        self.sheet.words(text, at.0, above - mark.0 - 8.0, SMALL, HPos::Center, INK, false);
    }

    /// An interval as a bar with caps, if it has a height.
    pub(crate) fn interval(&self, x: f64, span: Measured) {
        let [(x0, low), (_, high)] = [self.at(x, span.low), self.at(x, span.high)];
        if low - high < 1.5 {
            return;
        }
        self.sheet.line(&[(x0, low), (x0, high)], GREY, 1);
        self.sheet.line(&[(x0 - 4.0, low), (x0 + 4.0, low)], GREY, 1);
        self.sheet.line(&[(x0 - 4.0, high), (x0 + 4.0, high)], GREY, 1);
    }
}
