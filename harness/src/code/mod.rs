//! Code that a user brings: assembly text, object files or fat binaries, and the functions and marked regions in them.

mod assembly_text;
mod bundle;
mod error;
mod fat_binary;
mod foreign_syntax;
mod function;
mod included;
mod kernel_choice;
mod kernel_needs;
mod label;
mod listing_text;
mod markers;
mod names;
mod object_code;
mod private_labels;
mod region_choice;
mod source_lines;
mod user_code;
mod user_file;
mod user_object;

pub use assembly_text::{Assemble, AssemblyText, Definition, TextOptions};
pub use bundle::BundleEntry;
pub use error::CodeError;
pub use fat_binary::FatBinary;
pub use function::Function;
pub use kernel_choice::chosen;
pub use label::Label;
pub use names::listed;
pub use region_choice::RegionChoice;
pub use user_code::UserCode;
pub use user_file::UserFile;
pub use user_object::UserObject;
