//! The distance of each source from the measurement: a strip of the ratios of both, with outliers named below it.

use std::collections::BTreeMap;

use plotters::style::text_anchor::HPos;

use super::axis::{Axis, number};
use super::panel::SMALL;
use super::plan::Plan;
use super::sheet::{HEAD, Shape, Sheet, WIDTH, width};
use super::theme::{GREY, GRID, INK, MEASURED, PUBLISHED};
use super::throughput::expected;
use crate::results::Results;
use crate::tables::{Quantity, Verdict, unique};
use crate::verdict::ValidationRow;

/// Where the strips begin and how wide they are, pixels; left of them stand the names.
const STRIP: (f64, f64) = (200.0, WIDTH - 224.0);

/// Height of the scale above the strips, and of a strip, pixels.
const SCALE: f64 = 30.0;
const HEIGHT: f64 = 62.0;

/// Height of a line that names an outlier, pixels.
const LINE: f64 = 15.0;

/// Lines of a source at most; what has no line is counted.
const MOST_LINES: usize = 4;

/// Groups in a factor of two: ratios that are nearer to each other are one.
const GROUPS: f64 = 8.0;

/// A value and the source's, evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// The source doubts its value, or has several.
    Doubted,
    AsPublished,
    Differs,
}

/// Values of about one ratio.
#[derive(Default)]
struct Group<'a> {
    /// Measured by published.
    ratios: Vec<f64>,
    /// Each once, in the order of the source.
    names: Vec<&'a str>,
}

impl Group<'_> {
    /// The ratio in the middle of them.
    fn ratio(&self) -> f64 {
        let mut sorted = self.ratios.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(1.0)
    }
}

/// A source and its values.
struct Source<'a> {
    name: &'a str,
    /// By the ratio's place on the scale and the kind.
    groups: BTreeMap<(i32, Kind), Group<'a>>,
    /// Values without a ratio: zero cycles are published or measured.
    zeros: usize,
}

impl<'a> Source<'a> {
    fn of(run: &'a Results, name: &'a str) -> Self {
        let mut found = Self { name, groups: BTreeMap::new(), zeros: 0 };
        let cycles = |quantity| matches!(quantity, Quantity::Cycles | Quantity::TakenCycles | Quantity::GlcCycles);
        for row in run.validation.iter().filter(|row| row.source == name && cycles(row.quantity)) {
            let Some((published, measured)) = pair(row) else { continue };
            if published <= 0.0 || measured <= 0.0 {
                found.zeros += 1;
                continue;
            }
            let (kind, ratio) = match row.verdict {
                Verdict::Match => (Kind::AsPublished, 1.0),
                Verdict::Mismatch => (Kind::Differs, measured / published),
                _ => (Kind::Doubted, measured / published),
            };
            let group = found.groups.entry(((ratio.log2() * GROUPS).round() as i32, kind)).or_default();
            group.ratios.push(ratio);
            if !group.names.contains(&row.instruction.as_str()) {
                group.names.push(&row.instruction);
            }
        }
        found
    }

    fn count(&self) -> usize {
        self.groups.values().map(|group| group.ratios.len()).sum()
    }

    /// Groups that are off, the largest first.
    fn off(&self) -> Vec<&Group<'a>> {
        let mut off: Vec<&Group<'a>> =
            self.groups.iter().filter(|((_, kind), _)| *kind == Kind::Differs).map(|(_, group)| group).collect();
        off.sort_by_key(|group| std::cmp::Reverse(group.ratios.len()));
        off
    }

    fn differing(&self) -> usize {
        self.off().iter().map(|group| group.ratios.len()).sum()
    }

    /// What stands below the strip.
    fn lines(&self) -> Vec<String> {
        let off = self.off();
        let mut lines: Vec<String> = off.iter().take(MOST_LINES).map(|group| line(group)).collect();
        let rest: usize = off.iter().skip(MOST_LINES).map(|group| group.ratios.len()).sum();
        if rest > 0 {
            lines.push(format!("{rest} more at {} other ratios", off.len() - MOST_LINES));
        }
        lines
    }

    fn height(&self) -> f64 {
        HEIGHT + self.lines().len() as f64 * LINE + 10.0
    }
}

/// Published and measured cycles; of a range the end that is nearer.
fn pair(row: &ValidationRow) -> Option<(f64, f64)> {
    let ((least, most), measured) = (expected(&row.expected)?, row.measured?.value);
    if row.expected.contains(" or ") {
        let nearer = if (measured - least).abs() <= (measured - most).abs() { least } else { most };
        return Some((nearer, measured));
    }
    Some((measured.clamp(least, most), measured))
}

/// A ratio with two decimals.
fn times(ratio: f64) -> String {
    format!("× {}", number((ratio * 100.0).round() / 100.0))
}

/// A group with as many names as there is room for.
fn line(group: &Group<'_>) -> String {
    let mut text = format!("{} ({}): ", times(group.ratio()), group.ratios.len());
    for (index, name) in group.names.iter().enumerate() {
        let more = format!(" and {} more", group.names.len() - index);
        let comma = if index > 0 { ", " } else { "" };
        if index > 0 && width(&format!("{text}{comma}{name}{more}"), SMALL) > STRIP.1 {
            return text + &more;
        }
        text += &format!("{comma}{name}");
    }
    text
}

pub(super) fn plan(run: &Results) -> Result<Plan<'_>, String> {
    let names = unique(run.validation.iter().map(|row| row.source.as_str()));
    let sources = names.into_iter().map(|name| Source::of(run, name));
    let sources: Vec<Source<'_>> = sources.filter(|source| !source.groups.is_empty()).collect();
    if sources.is_empty() {
        return Err("validation.csv has no instruction with published and measured cycles".into());
    }
    let ratios = || sources.iter().flat_map(|source| &source.groups).flat_map(|(_, group)| &group.ratios).copied();
    let (low, high) = (ratios().fold(0.5, f64::min), ratios().fold(2.0, f64::max));
    let axis = Axis::log("measured / published", low, high);
    let legend = "Ratio of measured to published cycles; larger marks stand for more values. Circle: as published. Triangle: other. Ring: the source doubts its value.";
    Ok(Plan {
        conclusion: Some(conclusion(&sources)),
        legend: legend.to_owned(),
        height: SCALE + sources.iter().map(Source::height).sum::<f64>(),
        draw: Box::new(move |sheet| {
            scale(sheet, &axis);
            let mut top = HEAD + SCALE;
            for source in &sources {
                strip(sheet, source, top, &axis);
                top += source.height();
            }
        }),
    })
}

/// The name of the scale and its numbers; words that would touch are left out.
fn scale(sheet: &Sheet<'_>, axis: &Axis) {
    sheet.words(&axis.name, 16.0, HEAD + 16.0, SMALL, HPos::Left, GREY, false);
    let mut right = f64::MIN;
    for (ratio, word) in &axis.ticks {
        let x = STRIP.0 + axis.place(*ratio) * STRIP.1;
        if x - width(word, SMALL) > right {
            sheet.words(&format!("× {word}"), x, HEAD + 16.0, SMALL, HPos::Center, INK, false);
            right = x + width(word, SMALL) + 8.0;
        }
    }
}

/// How many sources are off nowhere, and which is off most.
fn conclusion(sources: &[Source<'_>]) -> String {
    let count: usize = sources.iter().map(Source::count).sum();
    let off: Vec<&Source<'_>> = sources.iter().filter(|source| source.differing() > 0).collect();
    let (nowhere, of) = (sources.len() - off.len(), sources.len());
    match off.iter().rev().max_by_key(|source| source.differing()) {
        None => format!("None of {count} published cycles differs from the measured ones"),
        Some(most) => {
            let (name, differing, values) = (most.name, most.differing(), most.count());
            format!(
                "{nowhere} of {of} sources agree with all measured cycles; {name} differs most, in {differing} of {values} values"
            )
        }
    }
}

/// The strip of a source with its name at the left and outliers below.
fn strip(sheet: &Sheet<'_>, source: &Source<'_>, top: f64, axis: &Axis) {
    let (left, right, middle) = (STRIP.0, STRIP.0 + STRIP.1, top + HEIGHT / 2.0);
    let x = |ratio: f64| left + axis.place(ratio) * STRIP.1;
    sheet.line(&[(16.0, top), (right, top)], GRID, 1);
    sheet.heading(source.name, 16.0, top + 16.0, 13.0, left - 28.0);
    let words = format!("{} of {} differ", source.differing(), source.count());
    sheet.words(&words, 16.0, top + 33.0, SMALL, HPos::Left, INK, false);
    if source.zeros > 0 {
        let words = format!("{} of zero cycles left out", source.zeros);
        sheet.words(&words, 16.0, top + 48.0, SMALL, HPos::Left, GREY, false);
    }
    for (ratio, _) in &axis.ticks {
        let colour = if (ratio - 1.0).abs() < 1e-9 { GREY } else { GRID };
        sheet.line(&[(x(*ratio), top + 6.0), (x(*ratio), top + HEIGHT - 4.0)], colour, 1);
    }
    sheet.line(&[(left, middle), (right, middle)], GRID, 1);
    let mut ends = [f64::MIN; 2];
    for ((_, kind), group) in &source.groups {
        let (shape, colour) = match kind {
            Kind::Doubted => (Shape::Ring, GREY),
            Kind::AsPublished => (Shape::Circle, MEASURED),
            Kind::Differs => (Shape::Triangle, PUBLISHED),
        };
        let (x, count) = (x(group.ratio()), group.ratios.len());
        sheet.mark((x, middle), 3.0 + 1.5 * (count as f64).ln(), shape, colour);
        // The count is above the mark or, where another one is there, below it.
        let (text, half) = (count.to_string(), width(&count.to_string(), SMALL) / 2.0 + 2.0);
        let places = [middle - 22.0, middle + 22.0];
        if let Some(free) = (0..2).find(|place| ends[*place] < x - half) {
            sheet.words(&text, x, places[free], SMALL, HPos::Center, INK, false);
            ends[free] = x + half;
        }
    }
    for (index, line) in source.lines().iter().enumerate() {
        let y = top + HEIGHT + (index as f64 + 0.5) * LINE;
        sheet.fitted(line, left, y, SMALL, HPos::Left, STRIP.1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_names_the_first_and_counts_the_rest() {
        let group = Group { ratios: vec![2.0; 3], names: vec!["V_A", "V_B", "V_C"] };
        assert_eq!(line(&group), "× 2 (3): V_A, V_B, V_C");
        let group = Group { ratios: vec![0.25; 90], names: vec!["V_CVT_F32_I32"; 90] };
        let text = line(&group);
        let named = text.matches("V_CVT").count();
        assert!(text.ends_with(&format!(" and {} more", 90 - named)) && named > 3, "{text}");
        assert!(width(&text, SMALL) <= STRIP.1, "{text}");
    }
}
