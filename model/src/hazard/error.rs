//! Why a kernel cannot be checked for hazards.

use crate::decode::DecodeError;

/// A kernel that cannot be checked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HazardError {
    /// Words that are no instruction.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// A generation's list names a hazard that nothing describes.
    #[error("generations/{generation}/hazards.csv: hazard `{id}` has no row in hazards/hazards.csv; add one")]
    Unknown {
        generation: &'static str,
        /// The hazard.
        id: String,
    },
}
