//! Colours, on the paper that pictures are drawn on: light or dark.

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

/// Light or dark paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// Dark letters on white.
    #[default]
    Light,
    /// Light letters on almost black.
    Dark,
}

/// Colours of light paper, and those that stand for them on dark paper: each has the contrast there that it has on white.
const ON_DARK_PAPER: [(RGBColor, RGBColor); 6] = [
    (PAPER, RGBColor(20, 23, 28)),
    (INK, RGBColor(230, 232, 236)),
    (GREY, RGBColor(163, 171, 183)),
    (GRID, RGBColor(58, 65, 76)),
    (MEASURED, RGBColor(74, 168, 224)),
    (PUBLISHED, RGBColor(240, 130, 60)),
];

/// Letters on a light cell and on a dark one: not those of the axes, which a page on dark paper turns over while cells stay.
const ON_LIGHT: RGBColor = RGBColor(1, 1, 1);
const ON_DARK: RGBColor = RGBColor(254, 254, 254);

impl Theme {
    /// What stands for a colour of light paper.
    pub(super) fn colour(self, of_light: RGBColor) -> RGBColor {
        let known = ON_DARK_PAPER.iter().find(|(light, _)| *light == of_light);
        match (self, known) {
            (Self::Dark, Some((_, dark))) => *dark,
            _ => of_light,
        }
    }

    /// The colour of a share of a scale, and that of letters on it: from that of the paper to one that stands out. Lightness
    /// changes evenly, so that it reads in grey as well.
    pub(super) fn shade(self, share: f64) -> (RGBColor, RGBColor) {
        let share = share.clamp(0.0, 1.0);
        let between = |none: f64, most: f64| (none + (most - none) * share).round() as u8;
        match self {
            Self::Light => {
                let letters = if share > 0.645 { ON_DARK } else { ON_LIGHT };
                (RGBColor(between(247.0, 8.0), between(250.0, 48.0), between(253.0, 107.0)), letters)
            }
            Self::Dark => {
                let letters = if share > 0.485 { ON_LIGHT } else { ON_DARK };
                (RGBColor(between(28.0, 150.0), between(33.0, 212.0), between(41.0, 255.0)), letters)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contrast of two colours. Source: W3C, "Web Content Accessibility Guidelines 2.1", relative luminance and contrast ratio.
    fn contrast(a: RGBColor, b: RGBColor) -> f64 {
        let luminance = |RGBColor(red, green, blue): RGBColor| {
            let part = |value: u8| {
                let share = f64::from(value) / 255.0;
                if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue)
        };
        let (low, high) = (luminance(a).min(luminance(b)), luminance(a).max(luminance(b)));
        (high + 0.05) / (low + 0.05)
    }

    #[test]
    fn letters_can_be_read_on_each_shade_and_on_each_paper() {
        for theme in [Theme::Light, Theme::Dark] {
            for share in 0..=100 {
                let (cell, letters) = theme.shade(f64::from(share) / 100.0);
                assert!(contrast(cell, letters) >= 4.5, "{theme:?} {share}: {}", contrast(cell, letters));
            }
            for (colour, least) in [(INK, 7.0), (GREY, 4.5), (MEASURED, 3.0), (PUBLISHED, 3.0)] {
                let seen = contrast(theme.colour(colour), theme.colour(PAPER));
                assert!(seen >= least, "{theme:?} {colour:?}: {seen}");
            }
        }
    }
}
