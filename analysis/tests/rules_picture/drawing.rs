//! How the picture is drawn: with the axes and marks of the pictures of a run.

use plotters::style::text_anchor::HPos;

use crate::views::plots::axis::Axis;
use crate::views::plots::panel::{Panel, SMALL};
use crate::views::plots::plan::Plan;
use crate::views::plots::sheet::{Rectangle, Shape, Sheet, width};
use crate::views::plots::theme::{GREY, INK, MEASURED, PUBLISHED, Theme};

/// Height of a panel, pixels.
const HEIGHT: f64 = 350.0;

/// Height of its title, pixels.
const TITLE: f64 = 16.0;

/// Height of a line of a rule's verdict, and the number of lines that fit.
const SAID: (f64, f64) = (15.0, 3.0);

/// Least distance of two names of lines, pixels.
const NAMES_APART: f64 = 13.0;

/// A value that a rule looked at.
pub(super) struct RulePoint {
    /// Where it stands: the sample's number, its length, or the launch.
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) mark: RuleMark,
}

/// What became of a value.
#[derive(Clone, Copy)]
pub(super) enum RuleMark {
    Used,
    Dropped,
    /// It was kept, and no estimate came of it.
    NoEstimate,
}

/// The reference of a rule.
pub(super) struct RuleLine {
    /// Its name, at its right end; empty without one.
    pub(super) name: String,
    pub(super) points: Vec<(f64, f64)>,
}

/// A panel of the plot of a rule.
pub(super) struct RulePanel {
    pub(super) title: String,
    /// Its verdict, with its counts.
    pub(super) said: String,
    /// The horizontal quantity, with its unit.
    pub(super) x: String,
    /// The vertical quantity, with its unit.
    pub(super) y: String,
    /// The values.
    pub(super) points: Vec<RulePoint>,
    pub(super) lines: Vec<RuleLine>,
}

/// Draws the rules side by side, as SVG.
pub(super) fn rules_picture(panels: &[RulePanel]) -> String {
    let legend = "Circles: used. Crosses: dropped by the rule. Rings: kept, but without an estimate.".to_owned();
    let plan = Plan::of_panels(None, legend, (2, HEIGHT), panels.iter().collect(), |sheet, place, rule| {
        draw(sheet, place, rule);
    });
    let of = "Synthetic readings with a known truth, judged by the rules of this version";
    plan.svg("What each rule does to readings", of, Theme::Light)
}

fn draw(sheet: &Sheet<'_>, Rectangle { left, top, width: full, .. }: Rectangle, rule: &RulePanel) {
    let corners = || rule.lines.iter().flat_map(|line| line.points.iter().copied());
    let all = || rule.points.iter().map(|point| (point.x, point.y)).chain(corners());
    let ends = |of: fn((f64, f64)) -> f64| {
        all().map(of).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
    };
    let ((x_low, x_high), (y_low, y_high)) = (ends(|point| point.0), ends(|point| point.1));
    let room = 0.04 * (y_high - y_low);
    let (x, y) = (Axis::linear(&rule.x, x_low, x_high), Axis::linear(&rule.y, y_low - room, y_high + room));
    let names = rule.lines.iter().map(|line| width(&line.name, SMALL)).fold(0.0, f64::max);
    let head = TITLE + (SAID.1 - 1.0) * SAID.0;
    let place = Rectangle { left, top: top + head, width: full, height: HEIGHT - head };
    let panel = Panel::draw(sheet, place, "", x, y, names + 4.0);
    let Rectangle { left: from, width: wide, .. } = panel.frame;
    sheet.heading(&rule.title, from, top + TITLE, 13.0, left + full - from - 8.0);
    for (line, y) in wrapped(&rule.said, SMALL, left + full - from - 8.0).iter().zip(1..) {
        sheet.words(line, from, top + TITLE + f64::from(y) * SAID.0, SMALL, HPos::Left, INK, false);
    }
    for point in &rule.points {
        let (shape, colour) = match point.mark {
            RuleMark::Used => (Shape::Circle, MEASURED),
            RuleMark::Dropped => (Shape::Cross, PUBLISHED),
            RuleMark::NoEstimate => (Shape::Ring, GREY),
        };
        sheet.mark(panel.at(point.x, point.y), 3.0, shape, colour);
    }
    for line in &rule.lines {
        let points: Vec<(f64, f64)> = line.points.iter().map(|&(x, y)| panel.at(x, y)).collect();
        sheet.dashed(&points, INK, (8.0, 4.0), 1);
    }
    let mut places: Vec<f64> = Vec::new();
    for line in rule.lines.iter().filter(|line| !line.name.is_empty()) {
        let Some((_, end)) = line.points.last() else { continue };
        let wanted = panel.at(0.0, *end).1;
        // Below the name that it would lie on.
        let taken = places.iter().find(|place| (**place - wanted).abs() < NAMES_APART);
        let y = taken.map_or(wanted, |place| place + NAMES_APART);
        sheet.words(&line.name, from + wide + 6.0, y, SMALL, HPos::Left, INK, false);
        places.push(y);
    }
}

/// A text in lines of a width, cut between words.
fn wrapped(text: &str, size: f64, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), size) <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
