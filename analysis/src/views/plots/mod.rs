//! Pictures of a run, drawn from its stored tables.

mod axis;
mod catalog;
mod heat_map;
mod judgement;
mod lds_strides;
mod masking;
mod matrix;
mod occupancy;
mod panel;
mod penalty_maps;
mod plan;
mod png;
mod published;
mod readings;
#[cfg(test)]
#[path = "../../../tests/rules_picture/mod.rs"]
mod rules_picture;
mod scheduling;
mod sheet;
mod theme;
mod throughput;

pub(crate) use axis::{WHOLE, round_step};
pub use catalog::{Picture, PictureChoice, picture_names, pictures};
pub use png::{PngError, PngFonts};
pub(crate) use sheet::FONTS;
pub use theme::Theme;
