//! Pictures of a run, drawn from its stored tables.

mod axis;
mod catalog;
mod heat_map;
mod label;
mod lds_strides;
mod look;
mod masking;
mod occupancy;
mod panel;
mod penalty_maps;
mod png;
mod published;
mod readings;
mod rules;
mod scheduling;
mod sheet;
mod throughput;

pub use catalog::{Drawing, Picture, pictures};
pub use png::{PngError, PngFonts};
pub use rules::{RuleLine, RuleMark, RulePanel, RulePoint, rules_picture};
