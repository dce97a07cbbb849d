//! Launch files: the grid of a kernel's launch and its arguments, in TOML.

mod document;
mod error;
mod fill;
mod location;

pub use document::LaunchFile;
pub use error::LaunchFileError;
