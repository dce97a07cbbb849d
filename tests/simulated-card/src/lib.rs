//! What the simulated drivers of the tests share: the card that they stand in for, and the faults that are asked of them.

mod card;
mod chip;
mod fault;

pub use card::{Card, CardError, VRAM_BYTES};
pub use chip::Chip;
pub use fault::{
    APERTURE_VIOLATION, Faults, ILLEGAL_INSTRUCTION, INVALID_CODE, INVALID_DIMENSIONS, INVALID_LDS, INVALID_PACKET,
    Kind,
};
