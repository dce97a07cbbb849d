//! The sheet of a picture: title, subject and run, and primitives in pixels, with the widths of texts.

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{Circle, Drawable, PathElement, PointCollection, Polygon, Rectangle as Box, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontFamily, FontStyle, FontTransform, IntoFont, RGBColor, ShapeStyle, TextStyle};

use super::theme::{INK, PAPER, Theme};

/// Fonts that are asked for, the widest first; labels are placed for that one.
pub(crate) const FONTS: &str = "DejaVu Sans, Verdana, Arial, Helvetica, sans-serif";

/// Width of every sheet, pixels.
pub(crate) const WIDTH: f64 = 1000.0;

/// Height that the title takes, pixels.
pub(crate) const HEAD: f64 = 64.0;

/// Times that bold letters are wider.
const BOLD: f64 = 1.13;

/// Letters are not made smaller than this, pixels.
const SMALLEST: f64 = 6.5;

/// Why drawing cannot fail.
const MEMORY: &str = "memory takes every mark";

/// The shape of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Circle,
    Triangle,
    Cross,
    Ring,
}

/// Width of a text, pixels: the advances of DejaVu Sans, the widest of the fonts that are asked for.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let advance = |letter: char| match letter {
        ' ' | ',' | '.' | ':' | ';' | 'i' | 'l' | 'j' | '\'' | '|' | 'I' => 0.33,
        '_' | '-' | 't' | 'f' | 'r' | '(' | ')' | '[' | ']' | '/' => 0.5,
        'm' | 'w' | 'M' | 'W' => 0.98,
        '%' | '→' | '−' | '±' => 0.95,
        'A'..='Z' => 0.72,
        _ => 0.64,
    };
    text.chars().map(advance).sum::<f64>() * size
}

/// A rectangle in pixels, y downwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rectangle {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// A sheet under the pen.
pub(crate) struct Sheet<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
    pub(crate) theme: Theme,
}

/// The place of a panel, below the title: columns and rows of equal size.
pub(crate) fn cell(index: usize, columns: usize, height: f64) -> Rectangle {
    let (width, row) = (WIDTH / columns as f64, index / columns);
    Rectangle { left: (index % columns) as f64 * width, top: HEAD + row as f64 * height, width, height }
}

/// Draws on a sheet of a height: the SVG.
pub(crate) fn drawn(theme: Theme, height: f64, draw: impl FnOnce(&Sheet<'_>)) -> String {
    let mut text = String::new();
    let area = SVGBackend::with_string(&mut text, (WIDTH as u32, height.ceil() as u32)).into_drawing_area();
    area.fill(&theme.colour(PAPER)).expect(MEMORY);
    let sheet = Sheet { area, theme };
    draw(&sheet);
    sheet.area.present().expect(MEMORY);
    drop(sheet);
    text
}

fn pixel(value: f64) -> i32 {
    value.round() as i32
}

impl<'a> Sheet<'a> {
    fn put<'e, E: Drawable<SVGBackend<'a>>>(&self, element: &'e E)
    where
        &'e E: PointCollection<'e, (i32, i32)>,
    {
        self.area.draw(element).expect(MEMORY);
    }

    fn style(&self, size: f64, anchor: HPos, colour: RGBColor, bold: bool) -> TextStyle<'static> {
        let style = if bold { FontStyle::Bold } else { FontStyle::Normal };
        // plotters divides its output by this.
        let font = (FontFamily::Name(FONTS), size * 1.24, style).into_font();
        let mut style = TextStyle::from(font).pos(Pos::new(anchor, VPos::Center));
        style.color = self.theme.colour(colour).to_backend_color();
        style
    }

    /// A text whose middle line is at `y`.
    #[expect(clippy::too_many_arguments, reason = "each is a property of the text")]
    pub(crate) fn words(&self, text: &str, x: f64, y: f64, size: f64, anchor: HPos, colour: RGBColor, bold: bool) {
        self.put(&Text::new(text.to_owned(), (pixel(x), pixel(y)), self.style(size, anchor, colour, bold)));
    }

    /// A bold text in a width: smaller if it would be longer.
    pub(crate) fn heading(&self, text: &str, x: f64, y: f64, size: f64, most: f64) {
        let size = (most / (width(text, 1.0) * BOLD)).min(size);
        self.words(text, x, y, size, HPos::Left, INK, true);
    }

    /// A text that fits into a width: smaller if it would be longer, and cut with an ellipsis if that is not enough.
    pub(crate) fn fitted(&self, text: &str, x: f64, y: f64, size: f64, anchor: HPos, most: f64) {
        let size = (most / width(text, 1.0)).min(size).max(SMALLEST);
        let mut shown = text.to_owned();
        while width(&shown, size) > most && shown.chars().count() > 2 {
            shown.truncate(shown.char_indices().rev().nth(1).map_or(0, |(at, _)| at));
            shown.push('…');
        }
        self.words(&shown, x, y, size, anchor, INK, false);
    }

    /// A text that runs upwards around a place.
    pub(crate) fn upwards(&self, text: &str, x: f64, y: f64, size: f64) {
        let mut style = self.style(size, HPos::Center, INK, false);
        style.font = style.font.transform(FontTransform::Rotate270);
        self.put(&Text::new(text.to_owned(), (pixel(x), pixel(y)), style));
    }

    /// A line through points.
    pub(crate) fn line(&self, points: &[(f64, f64)], colour: RGBColor, width: u32) {
        let points: Vec<(i32, i32)> = points.iter().map(|&(x, y)| (pixel(x), pixel(y))).collect();
        self.put(&PathElement::new(points, self.theme.colour(colour).stroke_width(width)));
    }

    /// A line of dashes and gaps of these lengths.
    pub(crate) fn dashed(&self, points: &[(f64, f64)], colour: RGBColor, (dash, gap): (f64, f64), width: u32) {
        // How far into the pattern the pen is; it goes on around corners.
        let mut into = 0.0;
        for pair in points.windows(2) {
            let [(x0, y0), (x1, y1)] = [pair[0], pair[1]];
            let length = (x1 - x0).hypot(y1 - y0);
            let at = |along: f64| (x0 + (x1 - x0) * along / length, y0 + (y1 - y0) * along / length);
            let mut along = 0.0;
            while along < length {
                let draws = into < dash;
                let end = (along + if draws { dash - into } else { dash + gap - into }).min(length);
                if draws {
                    self.line(&[at(along), at(end)], colour, width);
                }
                into = (into + end - along) % (dash + gap);
                // A rest that rounding leaves would never end.
                along = end.max(along + 1e-6);
            }
        }
    }

    /// A filled rectangle, with a thin frame if one is given.
    pub(crate) fn rectangle(&self, place: Rectangle, fill: RGBColor, frame: Option<RGBColor>) {
        let corners =
            [(pixel(place.left), pixel(place.top)), (pixel(place.left + place.width), pixel(place.top + place.height))];
        self.put(&Box::new(corners, self.theme.colour(fill).filled()));
        if let Some(colour) = frame {
            self.put(&Box::new(corners, self.theme.colour(colour).stroke_width(1)));
        }
    }

    pub(crate) fn mark(&self, (x, y): (f64, f64), radius: f64, shape: Shape, colour: RGBColor) {
        let around = |corners: &[(f64, f64)]| -> Vec<(i32, i32)> {
            corners.iter().map(|(right, down)| (pixel(x + right * radius), pixel(y + down * radius))).collect()
        };
        let colour = self.theme.colour(colour);
        let fill: ShapeStyle = colour.filled();
        match shape {
            Shape::Circle => self.put(&Circle::new((pixel(x), pixel(y)), pixel(radius), fill)),
            Shape::Ring => self.put(&Circle::new((pixel(x), pixel(y)), pixel(radius), colour.stroke_width(2))),
            Shape::Triangle => self.put(&Polygon::new(around(&[(0.0, -1.1), (1.0, 0.8), (-1.0, 0.8)]), fill)),
            Shape::Cross => {
                for arm in [[(-1.0, -1.0), (1.0, 1.0)], [(-1.0, 1.0), (1.0, -1.0)]] {
                    self.put(&PathElement::new(around(&arm), colour.stroke_width(2)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::width;

    #[test]
    fn capitals_are_wider_than_small_letters() {
        assert!(width("V_ADD_F64", 12.0) > width("illi_till", 12.0));
        assert!((width("AA", 10.0) - 2.0 * width("A", 10.0)).abs() < 1e-9);
    }
}
