//! The sheet of a picture: title, subject and run, and primitives in pixels.

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Polygon, Rectangle as Box, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontFamily, FontStyle, FontTransform, IntoFont, RGBColor, ShapeStyle, TextStyle};

use super::label;
use super::look::{GREY, INK, Look, PAPER, Shape};
use super::theme::Theme;

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

/// Drawing into memory fails only if plotters has a fault.
pub(crate) type DrawError = DrawingAreaErrorKind<std::io::Error>;

/// Where a text is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Left,
    Centre,
    Right,
}

/// A sheet under the pen.
pub(crate) struct Sheet<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
    pub(crate) theme: Theme,
}

/// What stands above a picture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head<'a> {
    /// The picture's conclusion, or its subject where nothing follows for sure.
    pub(crate) title: &'a str,
    /// Of which run it is.
    pub(crate) of: &'a str,
    /// What its marks mean.
    pub(crate) legend: &'a str,
    pub(crate) theme: Theme,
}

/// The place of a panel, below the title: columns and rows of equal size.
pub(crate) fn cell(index: usize, columns: usize, height: f64) -> (f64, f64, f64) {
    let width = WIDTH / columns as f64;
    ((index % columns) as f64 * width, HEAD + (index / columns) as f64 * height, width)
}

/// Draws a sheet of a height below its head.
pub(crate) fn sheet(
    head: Head<'_>,
    height: f64,
    draw: impl FnOnce(&Sheet<'_>) -> Result<(), DrawError>,
) -> Result<String, DrawError> {
    let Head { title, of, legend, theme } = head;
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, (WIDTH as u32, height.ceil() as u32)).into_drawing_area();
        area.fill(&theme.colour(PAPER))?;
        let sheet = Sheet { area, theme };
        sheet.heading(title, 16.0, 18.0, 17.0, WIDTH - 32.0)?;
        sheet.words(of, 16.0, 37.0, 12.0, Anchor::Left, GREY, false)?;
        sheet.fitted(legend, 16.0, 53.0, 12.0, Anchor::Left, WIDTH - 24.0)?;
        draw(&sheet)?;
        sheet.area.present()?;
    }
    Ok(text)
}

fn pixel(value: f64) -> i32 {
    value.round() as i32
}

impl Sheet<'_> {
    fn style(&self, size: f64, anchor: Anchor, colour: RGBColor, bold: bool) -> TextStyle<'static> {
        let style = if bold { FontStyle::Bold } else { FontStyle::Normal };
        // plotters divides its output by this.
        let font = (FontFamily::Name(FONTS), size * 1.24, style).into_font();
        let at = match anchor {
            Anchor::Left => HPos::Left,
            Anchor::Centre => HPos::Center,
            Anchor::Right => HPos::Right,
        };
        let mut style = TextStyle::from(font).pos(Pos::new(at, VPos::Center));
        style.color = self.theme.colour(colour).to_backend_color();
        style
    }

    /// A text whose middle line is at `y`.
    #[expect(clippy::too_many_arguments, reason = "each is a property of the text")]
    pub(crate) fn words(
        &self,
        text: &str,
        x: f64,
        y: f64,
        size: f64,
        anchor: Anchor,
        colour: RGBColor,
        bold: bool,
    ) -> Result<(), DrawError> {
        self.area.draw(&Text::new(text.to_owned(), (pixel(x), pixel(y)), self.style(size, anchor, colour, bold)))
    }

    /// A bold text in a width: smaller if it would be longer.
    pub(crate) fn heading(&self, text: &str, x: f64, y: f64, size: f64, most: f64) -> Result<(), DrawError> {
        let size = (most / (label::width(text, 1.0) * BOLD)).min(size);
        self.words(text, x, y, size, Anchor::Left, INK, true)
    }

    /// A text that fits into a width: smaller if it would be longer, and cut with an ellipsis if that is not enough.
    pub(crate) fn fitted(
        &self,
        text: &str,
        x: f64,
        y: f64,
        size: f64,
        anchor: Anchor,
        most: f64,
    ) -> Result<(), DrawError> {
        let size = (most / label::width(text, 1.0)).min(size).max(SMALLEST);
        let mut shown = text.to_owned();
        while label::width(&shown, size) > most && shown.chars().count() > 2 {
            shown.truncate(shown.char_indices().rev().nth(1).map_or(0, |(at, _)| at));
            shown.push('…');
        }
        self.words(&shown, x, y, size, anchor, INK, false)
    }

    /// A text that runs upwards around a place.
    pub(crate) fn upwards(&self, text: &str, x: f64, y: f64, size: f64) -> Result<(), DrawError> {
        let mut style = self.style(size, Anchor::Centre, INK, false);
        style.font = style.font.transform(FontTransform::Rotate270);
        self.area.draw(&Text::new(text.to_owned(), (pixel(x), pixel(y)), style))
    }

    /// A line through points.
    pub(crate) fn line(&self, points: &[(f64, f64)], colour: RGBColor, width: u32) -> Result<(), DrawError> {
        let points: Vec<(i32, i32)> = points.iter().map(|&(x, y)| (pixel(x), pixel(y))).collect();
        self.area.draw(&PathElement::new(points, self.theme.colour(colour).stroke_width(width)))
    }

    /// A line in the dash of a look.
    pub(crate) fn dashed(&self, points: &[(f64, f64)], look: Look, width: u32) -> Result<(), DrawError> {
        let Some((dash, gap)) = look.dash else { return self.line(points, look.colour, width) };
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
                    self.line(&[at(along), at(end)], look.colour, width)?;
                }
                into = (into + end - along) % (dash + gap);
                // A rest that rounding leaves would never end.
                along = end.max(along + 1e-6);
            }
        }
        Ok(())
    }

    /// A filled rectangle, with a thin frame if one is given.
    pub(crate) fn rectangle(
        &self,
        place: label::Rectangle,
        fill: RGBColor,
        frame: Option<RGBColor>,
    ) -> Result<(), DrawError> {
        let corners =
            [(pixel(place.left), pixel(place.top)), (pixel(place.left + place.width), pixel(place.top + place.height))];
        self.area.draw(&Box::new(corners, self.theme.colour(fill).filled()))?;
        match frame {
            Some(colour) => self.area.draw(&Box::new(corners, self.theme.colour(colour).stroke_width(1))),
            None => Ok(()),
        }
    }

    pub(crate) fn mark(
        &self,
        (x, y): (f64, f64),
        radius: f64,
        shape: Shape,
        colour: RGBColor,
    ) -> Result<(), DrawError> {
        let around = |corners: &[(f64, f64)]| -> Vec<(i32, i32)> {
            corners.iter().map(|(right, down)| (pixel(x + right * radius), pixel(y + down * radius))).collect()
        };
        let colour = self.theme.colour(colour);
        let fill: ShapeStyle = colour.filled();
        match shape {
            Shape::Circle => self.area.draw(&Circle::new((pixel(x), pixel(y)), pixel(radius), fill)),
            Shape::Ring => self.area.draw(&Circle::new((pixel(x), pixel(y)), pixel(radius), colour.stroke_width(2))),
            Shape::Triangle => self.area.draw(&Polygon::new(around(&[(0.0, -1.1), (1.0, 0.8), (-1.0, 0.8)]), fill)),
            Shape::Cross => {
                let arms = [[(-1.0, -1.0), (1.0, 1.0)], [(-1.0, 1.0), (1.0, -1.0)]];
                for arm in arms {
                    self.area.draw(&PathElement::new(around(&arm), colour.stroke_width(2)))?;
                }
                Ok(())
            }
        }
    }
}
