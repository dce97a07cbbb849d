//! What alignment and jump targets cost, by offset: a table for each number of waves.

use super::drawing::Drawing;
use super::stacked_maps::{Map, Stack, distinct, on_waves};
use crate::tables::{PenaltyRecord, Tables};

pub(super) fn alignment(run: &Tables) -> Drawing {
    draw(
        run,
        "alignment",
        "Alignment penalty by offset and instruction",
        "offset of the instruction in its block, dwords",
    )
}

pub(super) fn jumps(run: &Tables) -> Drawing {
    draw(run, "jump", "Jump penalty by offset of the target", "offset of the target in its block, dwords")
}

/// The experiment without the suite's name, and the case.
pub(super) fn name_of(row: &PenaltyRecord, suite: &str) -> String {
    let kind = row.experiment.strip_prefix(suite).unwrap_or(&row.experiment).trim_start_matches('-');
    match (kind, row.case.as_str()) {
        ("", case) => case.to_owned(),
        (kind, "") => kind.to_owned(),
        (kind, case) => format!("{kind}: {case}"),
    }
}

fn draw(run: &Tables, suite: &str, title: &str, column_name: &str) -> Drawing {
    let of_suite = || run.penalties.iter().filter(|row| row.experiment.starts_with(suite));
    if of_suite().next().is_none() {
        return Drawing::Missing(format!("penalties.csv has no experiment {suite}…: measure the alignment suite"));
    }
    let rows: Vec<(&PenaltyRecord, u32, f64)> =
        of_suite().filter_map(|row| Some((row, row.offset_dwords?, row.penalty()?.value))).collect();
    if rows.is_empty() {
        return Drawing::Missing(format!("no row of an experiment {suite}… has an offset and a number"));
    }
    let mut waves: Vec<u32> = rows.iter().map(|(row, ..)| row.waves_per_simd).collect();
    let mut offsets: Vec<u32> = rows.iter().map(|(_, offset, _)| *offset).collect();
    for numbers in [&mut waves, &mut offsets] {
        numbers.sort_unstable();
        numbers.dedup();
    }
    let maps = waves.iter().map(|&waves| {
        let here = || rows.iter().filter(move |(row, ..)| row.waves_per_simd == waves);
        let names = distinct(here().map(|(row, ..)| name_of(row, suite)));
        let columns = offsets.iter().map(u32::to_string).collect();
        Map::of(on_waves(waves), names, columns, |name, offset| {
            here()
                .find(|(row, at, _)| at.to_string() == offset && name_of(row, suite) == name)
                .map(|(.., cycles)| *cycles)
        })
    });
    Stack {
        title,
        legend: "Numbers: cycles more than without the penalty; darker is more. A dot: not measured.",
        row_name: "case",
        column_name,
        most: rows.iter().map(|(.., cycles)| *cycles).fold(0.0, f64::max),
    }
    .draw(run, &maps.collect::<Vec<_>>())
}
