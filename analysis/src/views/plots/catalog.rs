//! All pictures of a run.

use super::drawing::Drawing;
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
    pub drawing: Drawing,
}

/// How a picture is drawn: from a run, on paper, of these instructions if it is of some.
type Draw = fn(&Results, Theme, &[String]) -> Drawing;

/// A picture that a run may have.
struct Entry {
    name: &'static str,
    title: &'static str,
    topic: Topic,
    draw: Draw,
}

const fn entry(name: &'static str, title: &'static str, topic: Topic, draw: Draw) -> Entry {
    Entry { name, title, topic, draw }
}

/// All of them, in their order.
const CATALOG: [Entry; 10] = [
    entry("throughput", "Throughput against waves", Topic::Instructions, throughput::draw),
    entry("published", "Measured against published cycles", Topic::Sources, |run, theme, _| {
        published::draw(run, theme)
    }),
    entry("alignment", "Alignment penalty by dword and instruction", Topic::Alignment, |run, theme, _| {
        penalty_maps::alignment(run, theme)
    }),
    entry("jumps", "Jump penalty by dword of the target", Topic::Alignment, |run, theme, _| {
        penalty_maps::jumps(run, theme)
    }),
    entry("masking", "Masking: penalty by waves", Topic::Scheduling, |run, theme, _| masking::draw(run, theme)),
    entry("scheduling", "Scheduling: producer by consumer", Topic::Scheduling, |run, theme, _| {
        scheduling::draw(run, theme)
    }),
    entry("matrix", "Matrix instructions: hidden neighbours", Topic::Matrix, |run, theme, _| matrix::draw(run, theme)),
    entry("occupancy", "Occupancy", Topic::Occupancy, |run, theme, _| occupancy::draw(run, theme)),
    entry("lds-strides", "LDS bank conflicts by stride", Topic::LdsBanks, |run, theme, _| {
        lds_strides::draw(run, theme)
    }),
    entry("readings", "Readings of one instruction", Topic::Instructions, readings_of),
];

/// Names of all pictures, in their order.
pub fn picture_names() -> impl Iterator<Item = &'static str> {
    CATALOG.into_iter().map(|entry| entry.name)
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
    let drawn =
        |Entry { name, title, topic, draw }| Picture { name, title, topic, drawing: draw(run, *theme, instructions) };
    CATALOG.into_iter().filter(|entry| is_wanted(entry.name)).map(drawn).collect()
}

/// The readings of the instructions, or of a measured one.
fn readings_of(run: &Results, theme: Theme, instructions: &[String]) -> Drawing {
    let measured = |name: &&str| run.timings.iter().any(|row| row.instruction == *name && row.cycles.is_some());
    let first = || run.timings.iter().find(|row| row.cycles.is_some()).map(|row| row.instruction.as_str());
    let one = || SHOWN.into_iter().find(measured).or_else(first).unwrap_or(SHOWN[0]);
    let chosen: Vec<&str> = instructions.iter().map(String::as_str).collect();
    readings::draw(run, theme, &if chosen.is_empty() { vec![one()] } else { chosen })
}
