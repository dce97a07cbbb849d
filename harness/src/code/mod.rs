//! Code that a user brings: assembly text, object files or fat binaries, and the functions and marked regions in them.

mod allocation;
mod bundle;
mod error;
mod fat_binary;
mod function;
mod markers;
mod names;
mod object_code;
mod user_code;

pub use bundle::BundleEntry;
pub use error::CodeError;
pub use fat_binary::FatBinary;
pub use function::Function;
pub use names::listed;
pub use user_code::UserCode;
