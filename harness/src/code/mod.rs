//! Code that a user brings: assembly text or object files, and the functions and marked regions in them.

mod error;
mod function;
mod markers;
mod object_code;
mod user_code;

pub use error::CodeError;
pub use function::Function;
pub use user_code::UserCode;
