//! Looks that differ in shape and dash as well as in colour.

use plotters::style::RGBColor;

/// Text and axes; a page on dark paper turns exactly this colour over.
pub(crate) const INK: RGBColor = RGBColor(0, 0, 0);
pub(crate) const PAPER: RGBColor = RGBColor(255, 255, 255);
/// Lines that help the eye.
pub(crate) const GRID: RGBColor = RGBColor(221, 221, 221);
/// What is said in passing.
pub(crate) const GREY: RGBColor = RGBColor(117, 117, 117);
/// What is measured.
pub(crate) const MEASURED: RGBColor = RGBColor(0, 114, 178);
/// What is published.
pub(crate) const PUBLISHED: RGBColor = RGBColor(213, 94, 0);

/// Shape of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Circle,
    Square,
    Triangle,
    Diamond,
    Cross,
    Ring,
}

/// How a series looks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    pub(crate) colour: RGBColor,
    pub(crate) shape: Shape,
    /// Lengths of dash and gap; none for a solid line.
    pub(crate) dash: Option<(f64, f64)>,
}

/// Colours that the colour-blind tell apart, on light and on dark paper. Source: M. Okabe and K. Ito, "Color Universal Design",
/// 2008.
const COLOURS: [RGBColor; 6] = [
    MEASURED,
    PUBLISHED,
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

const SHAPES: [Shape; 6] = [Shape::Circle, Shape::Square, Shape::Triangle, Shape::Diamond, Shape::Cross, Shape::Ring];

const DASHES: [Option<(f64, f64)>; 4] = [None, Some((8.0, 4.0)), Some((3.0, 3.0)), Some((12.0, 3.0))];

impl Look {
    /// The look of a picture's n-th series; the first 12 differ in shape or dash, not in colour alone.
    pub(crate) fn nth(n: usize) -> Self {
        Self {
            colour: COLOURS[n % COLOURS.len()],
            shape: SHAPES[n % SHAPES.len()],
            dash: DASHES[(n + n / SHAPES.len()) % DASHES.len()],
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn without_colour_the_looks_still_differ() {
        let looks: HashSet<String> =
            (0..12).map(Look::nth).map(|look| format!("{:?} {:?}", look.shape, look.dash)).collect();
        assert_eq!(looks.len(), 12);
    }
}
