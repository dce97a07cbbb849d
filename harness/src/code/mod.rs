//! Code that a user brings: assembly text, object files or fat binaries, and the functions and marked regions in them.

mod bundle;
mod error;
mod fat_binary;
mod function;
mod label;
mod markers;
mod names;
mod object_code;
mod private_labels;
mod region_choice;
mod user_code;

pub use bundle::BundleEntry;
pub use error::CodeError;
pub use fat_binary::FatBinary;
pub use function::Function;
pub use label::Label;
pub use names::listed;
pub use region_choice::RegionChoice;
pub use user_code::UserCode;
