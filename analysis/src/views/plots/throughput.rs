//! Throughput against waves for chosen classes, with the published line.

use super::axis::Axis;
use super::drawing::Drawing;
use super::label::Rectangle;
use super::look::{Look, MEASURED, PUBLISHED, Shape};
use super::panel::Panel;
use super::sheet::{HEAD, cell, sheet};
use crate::tables::{Span, Tables};

/// One of each class of the published table: full rate, quarter rate, double precision, scalar, LDS narrow and wide, memory.
const CLASSES: [&str; 9] = [
    "V_ADD_F32",
    "V_MUL_LO_U32",
    "V_ADD_F64",
    "V_RCP_F32",
    "S_ADD_U32",
    "S_LOAD_DWORD",
    "DS_READ_B32",
    "DS_READ_B128",
    "BUFFER_LOAD_DWORD",
];

/// Height of a panel, pixels.
const HEIGHT: f64 = 260.0;

const LINE: Look = Look { colour: PUBLISHED, shape: Shape::Cross, dash: Some((7.0, 4.0)) };

pub(super) fn draw(run: &Tables) -> Drawing {
    let measured: Vec<(&str, Vec<(u32, Span)>)> = CLASSES
        .into_iter()
        .map(|name| {
            let of = run.throughputs.iter().filter(|row| row.instruction == name && row.case.is_empty());
            (name, of.filter_map(|row| Some((row.waves_per_simd, row.throughput()?))).collect::<Vec<_>>())
        })
        .filter(|(_, points)| !points.is_empty())
        .collect();
    if measured.is_empty() {
        return Drawing::Missing(format!("throughput.csv has no throughput of {}", CLASSES.join(", ")));
    }
    let rows = measured.len().div_ceil(3);
    let legend =
        "Circles: measured, bars: 95 % interval. Dashed: published, with its source. One wave is one on each SIMD.";
    let svg = sheet(run, "Throughput against waves", legend, HEAD + rows as f64 * HEIGHT, |sheet| {
        for (index, (name, points)) in measured.iter().enumerate() {
            let (left, top, width) = cell(index, 3, HEIGHT);
            let published = published(run, name);
            let said = published.iter().map(|(_, _, most)| *most);
            let most = points.iter().map(|(_, span)| span.high).chain(said).fold(0.0, f64::max);
            let x = Axis::factors("waves per SIMD", points.iter().map(|(waves, _)| *waves));
            let y = Axis::linear("instructions / cycle / CU", 0.0, most * 1.08);
            let title = match &published {
                Some((source, least, most)) if least == most => {
                    format!("{name} ({source}: {})", super::axis::number(*most))
                }
                Some((source, ..)) => format!("{name} ({source})"),
                None => format!("{name} (unpublished)"),
            };
            let place = Rectangle { left, top, width, height: HEIGHT };
            let panel = Panel::draw(sheet, place, &title, x, y, 0.0)?;
            if let Some((_, least, most)) = published {
                for value in if least == most { vec![most] } else { vec![least, most] } {
                    let y = panel.at(1.0, value).1;
                    sheet.dashed(&[(panel.frame.left, y), (panel.frame.left + panel.frame.width, y)], LINE, 2)?;
                }
            }
            let line: Vec<(f64, f64)> =
                points.iter().map(|(waves, span)| panel.at(f64::from(*waves), span.value)).collect();
            sheet.line(&line, MEASURED, 2)?;
            for (waves, span) in points {
                panel.interval(f64::from(*waves), *span)?;
                sheet.mark(panel.at(f64::from(*waves), span.value), 4.0, Shape::Circle, MEASURED)?;
            }
        }
        Ok(())
    });
    Drawing::of(svg)
}

/// Source, least and most of the first source that states a throughput.
fn published(run: &Tables, name: &str) -> Option<(String, f64, f64)> {
    let of = run.validation.iter().filter(|row| row.instruction == name && row.quantity == "throughput");
    let mut stated = of.filter_map(|row| {
        let (least, most) = expected(&row.expected)?;
        Some((row.source.clone(), least, most))
    });
    stated.next()
}

/// The ends of the `expected` column: `0.25`, `0.25?`, `4 to 16` or `4 or 16`.
pub(super) fn expected(text: &str) -> Option<(f64, f64)> {
    let ends = text.trim_end_matches('?').split_once(" to ").or_else(|| text.split_once(" or "));
    let (least, most) = ends.unwrap_or((text.trim_end_matches('?'), text.trim_end_matches('?')));
    Some((least.trim().parse().ok()?, most.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::expected;

    #[test]
    fn the_words_of_the_expected_column_are_understood() {
        let said = ["0.25", "18?", "4 to 16", "4 or 16", "?", "", "more than 0"].map(expected);
        assert_eq!(
            said,
            [Some((0.25, 0.25)), Some((18.0, 18.0)), Some((4.0, 16.0)), Some((4.0, 16.0)), None, None, None]
        );
    }
}
