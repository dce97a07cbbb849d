//! Overlap with matrix instructions: instruction by neighbour.

use gcn_model::isa::Processor;

use super::heat_map::{HeatMap, on_waves, stacked};
use super::plan::Plan;
use crate::results::Results;
use crate::suites::OverlapRow;
use crate::tables::{Measured, ascending, unique};

/// Share of the shorter that is hidden where the two go on side by side, and where one waits for the other.
const HIDDEN: f64 = 0.9;
const APART: f64 = 0.1;

pub(super) fn plan(run: &Results) -> Result<Plan<'static>, String> {
    // The smallest block of each pair.
    let is_smallest = |row: &&OverlapRow| {
        let alike = run.matrix.overlaps.iter().filter(|other| {
            (&other.instruction, &other.neighbour, other.waves_per_simd)
                == (&row.instruction, &row.neighbour, row.waves_per_simd)
        });
        alike.map(|other| other.amount).min() == Some(row.amount)
    };
    let pairs: Vec<(&OverlapRow, Measured)> =
        run.matrix.overlaps.iter().filter(is_smallest).map(|row| (row, row.hidden)).collect();
    if pairs.is_empty() {
        let processor = Processor::find(&run.record.device.target);
        let has_them = processor.is_none_or(|processor| {
            processor.instructions().any(|it| processor.generation.matrix_operation(it).is_some())
        });
        let why = if has_them {
            "there is no matrix-overlap.csv with a number: measure the matrix suite"
        } else {
            "the card has no matrix instructions"
        };
        return Err(why.to_owned());
    }
    let waves = ascending(pairs.iter().map(|(row, _)| row.waves_per_simd));
    let rows = unique(pairs.iter().map(|(row, _)| row.instruction.clone()));
    let columns = unique(pairs.iter().map(|(row, _)| row.neighbour.clone()));
    let maps = waves.into_iter().map(|waves| {
        let of = |instruction: &str, neighbour: &str| {
            let is_it = |row: &OverlapRow| {
                (row.instruction.as_str(), row.neighbour.as_str(), row.waves_per_simd)
                    == (instruction, neighbour, waves)
            };
            pairs.iter().find(|(row, _)| is_it(row)).map(|(_, share)| share.map(|share| share * 100.0))
        };
        HeatMap::of(on_waves(waves), ["matrix instruction", "beside it"], rows.clone(), columns.clone(), of)
    });
    let legend = "Per cent of the shorter of the two that is hidden during the longer.".to_owned();
    Ok(stacked(Some(conclusion(&pairs, &columns)), legend, "%", maps.collect()))
}

/// The certain conclusions of the pairs: neighbours that overlap every matrix instruction, and those that overlap none.
fn conclusion(pairs: &[(&OverlapRow, Measured)], neighbours: &[String]) -> String {
    let all = |is_so: fn(&Measured) -> bool| {
        let is_so_always = |neighbour: &&String| {
            pairs.iter().filter(|(row, _)| row.neighbour == **neighbour).all(|(_, share)| is_so(share))
        };
        neighbours.iter().filter(is_so_always).map(String::as_str).collect::<Vec<_>>()
    };
    let hidden = all(|share| share.low > HIDDEN);
    let apart = all(|share| share.high < APART);
    match (hidden.is_empty(), apart.is_empty()) {
        (true, true) => "No neighbour of matrix instructions is always hidden, or never".to_owned(),
        (false, true) => format!("Hidden during every matrix instruction: {}", hidden.join(", ")),
        (true, false) => format!("Hidden during no matrix instruction: {}", apart.join(", ")),
        (false, false) => {
            format!("Hidden during every matrix instruction: {}; during none: {}", hidden.join(", "), apart.join(", "))
        }
    }
}
