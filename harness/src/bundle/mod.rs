//! A bundle: the records of a run in a file, to be sent to somebody else, without private data.

mod archive;
mod cleaning;
mod destination;
mod error;
mod manifest;
mod owner;
mod pack;
mod records;
mod unpack;

pub use destination::destination;
pub use error::BundleError;
pub use manifest::{Manifest, Packed, Private, TakenOut};
pub use owner::Owner;
pub use pack::{Bundled, bundle, default_file};
pub use unpack::{Checked, MOST_OF_A_BUNDLE, check, is_bundle};
