//! The common parts of the tests' simulated drivers: the card, and the requested faults.

mod card;
mod chip;
mod fault;
mod ip_versions;
mod values;

pub use card::{Card, CardError, VRAM_BYTES};
pub use chip::Chip;
pub use fault::{
    APERTURE_VIOLATION, Faults, ILLEGAL_INSTRUCTION, INVALID_CODE, INVALID_DIMENSIONS, INVALID_LDS, INVALID_PACKET,
    Kind,
};
pub use ip_versions::IpVersions;
pub use values::Values;
