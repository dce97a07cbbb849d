//! Measured against published cycles, the outliers labelled.

use std::collections::BTreeMap;

use super::axis::Axis;
use super::drawing::Drawing;
use super::label::{Placer, Rectangle, width};
use super::look::{GREY, INK, Look, MEASURED, PAPER, PUBLISHED, Shape};
use super::panel::{Panel, SMALL};
use super::sheet::{Anchor, DrawError, HEAD, Sheet, cell, sheet};
use super::throughput::expected;
use crate::tables::Tables;

/// Height of a panel, pixels.
const HEIGHT: f64 = 420.0;

/// The diagonal.
const EQUAL: Look = Look { colour: GREY, shape: Shape::Cross, dash: Some((4.0, 4.0)) };

/// Instructions at one place.
#[derive(Default)]
struct Spot<'a> {
    names: Vec<&'a str>,
    differing: Vec<&'a str>,
}

/// Published and measured cycles, and what is there.
type Placed<'a> = ((f64, f64), Spot<'a>);

pub(super) fn draw(run: &Tables) -> Drawing {
    let mut sources: Vec<&str> = Vec::new();
    for row in &run.validation {
        if !sources.contains(&row.source.as_str()) {
            sources.push(&row.source);
        }
    }
    let panels: Vec<(&str, Vec<Placed<'_>>)> = sources
        .into_iter()
        .map(|source| (source, places(run, source)))
        .filter(|(_, places)| !places.is_empty())
        .collect();
    if panels.is_empty() {
        return Drawing::Missing("validation.csv has no published cycles beside measured ones".into());
    }
    let legend = "Rings: as published, or where a source has doubts. Triangles: not as published, named. Larger marks stand for more instructions. Both scales in powers of two.";
    let columns = panels.len().min(2);
    let rows = panels.len().div_ceil(columns);
    let svg = sheet(run, "Measured against published cycles", legend, HEAD + rows as f64 * HEIGHT, |sheet| {
        for (index, (source, places)) in panels.iter().enumerate() {
            let (left, top, width) = cell(index, columns, HEIGHT);
            panel(sheet, Rectangle { left, top, width, height: HEIGHT }, source, places)?;
        }
        Ok(())
    });
    Drawing::of(svg)
}

/// Published and measured cycles of a source, and the instructions there; only numbers above zero have a place on the scale.
fn places<'a>(run: &'a Tables, source: &str) -> Vec<Placed<'a>> {
    let mut found: BTreeMap<(u64, u64), Spot<'a>> = BTreeMap::new();
    let cycles = |quantity: &str| matches!(quantity, "cycles" | "taken_cycles" | "glc_cycles");
    for row in run.validation.iter().filter(|row| row.source == source && cycles(&row.quantity)) {
        let (Some((least, most)), Some(measured)) = (expected(&row.expected), row.measured) else { continue };
        // Of a range, the end that is nearer.
        let published = measured.clamp(least, most);
        let published = if row.expected.contains(" or ") {
            if (measured - least).abs() <= (measured - most).abs() { least } else { most }
        } else {
            published
        };
        if published <= 0.0 || measured <= 0.0 {
            continue;
        }
        // Tenths of a cycle are one place in the picture.
        let key = |value: f64| ((value * 10.0).round() as u64).max(1);
        let place = found.entry((key(published), key(measured))).or_default();
        place.names.push(&row.instruction);
        if row.verdict == "mismatch" {
            place.differing.push(&row.instruction);
        }
    }
    found.into_iter().map(|((x, y), place)| ((x as f64 / 10.0, y as f64 / 10.0), place)).collect()
}

fn panel(sheet: &Sheet<'_>, place: Rectangle, source: &str, places: &[Placed<'_>]) -> Result<(), DrawError> {
    let values = || places.iter().flat_map(|((x, y), _)| [*x, *y]);
    let (low, high) = (values().fold(f64::MAX, f64::min), values().fold(0.0, f64::max));
    let x = Axis::log("published, cycles", low, high);
    let y = Axis::log("measured, cycles", low, high);
    let count: usize = places.iter().map(|(_, place)| place.names.len()).sum();
    let differing: usize = places.iter().map(|(_, place)| place.differing.len()).sum();
    let panel = Panel::draw(sheet, place, &format!("{source}: {differing} of {count} differ"), x, y, 0.0)?;
    sheet.dashed(&[panel.at(low, low), panel.at(high, high)], EQUAL, 1)?;
    let radius = |count: usize| 3.0 + 1.5 * (count as f64).ln().max(0.0);
    let marks = places.iter().map(|((x, y), place)| {
        let (x, y) = panel.at(*x, *y);
        (x, y, radius(place.names.len()) + 1.0)
    });
    let mut placer = Placer::new(panel.frame, marks);
    for ((x, y), place) in places {
        let (shape, colour) =
            if place.differing.is_empty() { (Shape::Ring, MEASURED) } else { (Shape::Triangle, PUBLISHED) };
        sheet.mark(panel.at(*x, *y), radius(place.names.len()), shape, colour)?;
    }
    let mut outliers: Vec<&Placed<'_>> = places.iter().filter(|(_, place)| !place.differing.is_empty()).collect();
    // The furthest off gets its label first.
    outliers.sort_by(|(a, _), (b, _)| (b.1 / b.0).ln().abs().total_cmp(&(a.1 / a.0).ln().abs()));
    let mut unnamed = 0;
    for ((x, y), place) in outliers {
        let text = match place.differing.as_slice() {
            [one] => (*one).to_owned(),
            [first, rest @ ..] => format!("{first} and {} more", rest.len()),
            [] => continue,
        };
        let at = panel.at(*x, *y);
        let Some(label) = placer.place(at, width(&text, SMALL) + 4.0, 14.0) else {
            unnamed += 1;
            continue;
        };
        let nearest = label.nearest(at);
        if (nearest.0 - at.0).hypot(nearest.1 - at.1) > 16.0 {
            sheet.line(&[at, nearest], GREY, 1)?;
        }
        // Paper below the letters: the diagonal and the grid do not go through them.
        sheet.rectangle(label, PAPER, None)?;
        sheet.words(&text, label.left + 2.0, label.top + 7.0, SMALL, Anchor::Left, INK, false)?;
    }
    if unnamed > 0 {
        let note = format!("{unnamed} without room for a name");
        let x = place.left + place.width - 18.0;
        sheet.words(&note, x, place.top + 16.0, SMALL, Anchor::Right, GREY, false)?;
    }
    Ok(())
}
