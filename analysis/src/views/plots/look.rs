//! Colours, and shapes of marks.

use plotters::style::RGBColor;

/// Text and axes; a page on dark paper turns exactly this colour over.
pub(crate) const INK: RGBColor = RGBColor(0, 0, 0);
pub(crate) const PAPER: RGBColor = RGBColor(255, 255, 255);
/// Lines that help the eye.
pub(crate) const GRID: RGBColor = RGBColor(221, 221, 221);
/// Secondary text.
pub(crate) const GREY: RGBColor = RGBColor(117, 117, 117);
/// Measured values; the colour-blind can tell this and the next one apart, on light and on dark paper. Source: M. Okabe and K. Ito,
/// "Color Universal Design", 2008.
pub(crate) const MEASURED: RGBColor = RGBColor(0, 114, 178);
/// Published values.
pub(crate) const PUBLISHED: RGBColor = RGBColor(213, 94, 0);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Circle,
    Triangle,
    Cross,
    Ring,
}
