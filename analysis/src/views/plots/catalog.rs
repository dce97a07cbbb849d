//! All pictures of a run.

use super::drawing::Drawing;
use super::{lds_strides, masking, occupancy, penalty_maps, published, readings, scheduling, throughput};
use crate::tables::Tables;

/// The instructions whose readings are shown if none is asked for: the first that was measured.
const SHOWN: [&str; 3] = ["V_ADD_F64", "V_ADD_F32", "S_ADD_U32"];

/// A picture of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Name of the file, without its ending.
    pub name: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// The picture.
    pub drawing: Drawing,
}

/// Draws all pictures of a run; `instruction` is the one whose readings are shown.
pub fn pictures(run: &Tables, instruction: Option<&str>) -> Vec<Picture> {
    let measured = |name: &&str| run.timings.iter().any(|row| row.instruction == *name && row.cycles().is_some());
    let first = || run.timings.iter().find(|row| row.cycles().is_some()).map(|row| row.instruction.as_str());
    let shown = instruction.or_else(|| SHOWN.into_iter().find(measured)).or_else(first).unwrap_or(SHOWN[0]);
    let picture = |name, title, drawing| Picture { name, title, drawing };
    vec![
        picture("throughput", "Throughput against waves", throughput::draw(run)),
        picture("published", "Measured against published cycles", published::draw(run)),
        picture("alignment", "Alignment penalty by offset and instruction", penalty_maps::alignment(run)),
        picture("jumps", "Jump penalty by offset of the target", penalty_maps::jumps(run)),
        picture("masking", "Masking: penalty against waves", masking::draw(run)),
        picture("scheduling", "Scheduling: producer by consumer", scheduling::draw(run)),
        picture("occupancy", "Occupancy", occupancy::draw(run)),
        picture("lds-strides", "LDS bank conflicts by stride", lds_strides::draw(run)),
        picture("readings", "Readings of one instruction", readings::draw(run, shown)),
    ]
}
