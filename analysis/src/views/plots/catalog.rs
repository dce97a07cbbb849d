//! All pictures of a run.

use super::plan::Plan;
use super::theme::Theme;
use super::{lds_strides, masking, matrix, occupancy, penalty_maps, published, readings, scheduling, throughput};
use crate::document::Topic;
use crate::results::Results;

/// The instructions of which one's readings are shown if none is asked for: the first that was measured.
const SHOWN: [&str; 3] = ["V_ADD_F64", "V_ADD_F32", "S_ADD_U32"];

/// A picture of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Name of the file, without its ending.
    pub name: &'static str,
    /// The subject of the picture for any run; the conclusion of this run is in the picture.
    pub title: &'static str,
    /// The section that it illustrates.
    pub topic: Topic,
    /// The SVG, or what it lacks.
    pub drawing: Result<String, String>,
}

/// How a picture is planned: from a run, of these instructions if it is of some; else what it lacks.
type PlanOf = for<'r> fn(&'r Results, &'r [String]) -> Result<Plan<'r>, String>;

/// All pictures that a run may have, in their order.
const CATALOG: [(&str, &str, Topic, PlanOf); 10] = [
    ("throughput", "Throughput against waves", Topic::Instructions, throughput::plan),
    ("published", "Measured against published cycles", Topic::Sources, |run, _| published::plan(run)),
    ("alignment", "Alignment penalty by dword and instruction", Topic::Alignment, |run, _| {
        penalty_maps::plan(run, &penalty_maps::ALIGNMENT)
    }),
    ("jumps", "Jump penalty by dword of the target", Topic::Alignment, |run, _| {
        penalty_maps::plan(run, &penalty_maps::JUMPS)
    }),
    ("masking", "Masking: penalty by waves", Topic::Scheduling, |run, _| masking::plan(run)),
    ("scheduling", "Scheduling: producer by consumer", Topic::Scheduling, |run, _| scheduling::plan(run)),
    ("matrix", "Matrix instructions: hidden neighbours", Topic::Matrix, |run, _| matrix::plan(run)),
    ("occupancy", "Occupancy", Topic::Occupancy, |run, _| occupancy::plan(run)),
    ("lds-strides", "LDS bank conflicts by stride", Topic::LdsBanks, |run, _| lds_strides::plan(run)),
    ("readings", "Readings of one instruction", Topic::Instructions, readings_of),
];

/// Names of all pictures, in their order.
pub fn picture_names() -> impl Iterator<Item = &'static str> {
    CATALOG.into_iter().map(|(name, ..)| name)
}

/// Which pictures are drawn, of what, and on which paper.
#[derive(Debug, Clone, Default)]
pub struct PictureChoice {
    /// Names of [`picture_names`]; empty for all.
    pub only: Vec<String>,
    /// Upper-case names of the instructions whose throughput and readings are drawn; empty for some of each class, and one.
    pub instructions: Vec<String>,
    pub theme: Theme,
}

/// Draws the pictures of a run that are chosen; without a choice all, on light paper.
pub fn pictures(run: &Results, choice: Option<&PictureChoice>) -> Vec<Picture> {
    let every = PictureChoice::default();
    let PictureChoice { only, instructions, theme } = choice.unwrap_or(&every);
    let is_wanted = |name: &str| only.is_empty() || only.iter().any(|wanted| wanted == name);
    let of = run.title();
    let drawn = |(name, title, topic, plan): (_, _, _, PlanOf)| {
        let drawing = plan(run, instructions).map(|plan| plan.svg(title, &of, *theme));
        Picture { name, title, topic, drawing }
    };
    CATALOG.into_iter().filter(|(name, ..)| is_wanted(name)).map(drawn).collect()
}

/// The readings of the instructions, or of a measured one.
fn readings_of<'r>(run: &'r Results, instructions: &'r [String]) -> Result<Plan<'r>, String> {
    let measured = |name: &&str| run.timings.iter().any(|row| row.instruction == *name && row.cycles.is_some());
    let first = || run.timings.iter().find(|row| row.cycles.is_some()).map(|row| row.instruction.as_str());
    let one = || SHOWN.into_iter().find(measured).or_else(first).unwrap_or(SHOWN[0]);
    let chosen: Vec<&str> = instructions.iter().map(String::as_str).collect();
    readings::plan(run, &if chosen.is_empty() { vec![one()] } else { chosen })
}
