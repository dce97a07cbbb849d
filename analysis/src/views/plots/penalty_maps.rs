//! What alignment and jump targets cost, by offset: a table for each number of waves.

use super::drawing::Drawing;
use super::heat_map::HeatMap;
use super::label::Rectangle;
use super::sheet::{HEAD, WIDTH, sheet};
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
    let names = |waves: u32| {
        let mut names: Vec<String> = Vec::new();
        for (row, ..) in rows.iter().filter(|(row, ..)| row.waves_per_simd == waves) {
            let name = name_of(row, suite);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    };
    let most = rows.iter().map(|(.., cycles)| *cycles).fold(0.0, f64::max);
    let columns: Vec<String> = offsets.iter().map(u32::to_string).collect();
    let height = |waves: u32| HeatMap::height(names(waves).len());
    let total: f64 = waves.iter().map(|waves| height(*waves)).sum();
    let legend = "Numbers: cycles more than without the penalty; darker is more. A dot: not measured.";
    let svg = sheet(run, title, legend, HEAD + total, |sheet| {
        let mut top = HEAD;
        for waves in &waves {
            let (names, height) = (names(*waves), height(*waves));
            let value = |name: &String, offset: &u32| {
                let here = |row: &PenaltyRecord| row.waves_per_simd == *waves && name_of(row, suite) == *name;
                rows.iter().find(|(row, at, _)| at == offset && here(row)).map(|(.., cycles)| *cycles)
            };
            let cells: Vec<Vec<Option<f64>>> =
                names.iter().map(|name| offsets.iter().map(|offset| value(name, offset)).collect()).collect();
            let plural = if *waves == 1 { "" } else { "s" };
            HeatMap {
                title: &format!("{waves} wave{plural} per SIMD"),
                row_name: "case",
                column_name,
                rows: &names,
                columns: &columns,
                cells: &cells,
                most,
            }
            .draw(sheet, Rectangle { left: 0.0, top, width: WIDTH, height })?;
            top += height;
        }
        Ok(())
    });
    Drawing::of(svg)
}
