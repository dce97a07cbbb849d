//! The memories that a wave reaches.

use crate::lds::memory::LdsMemory;
use crate::memory::aperture::Segments;
use crate::memory::global::Memory;

/// The memories that a wave reaches.
pub(crate) struct Memories<'a> {
    pub global: &'a mut Memory,
    /// The LDS of its group.
    pub local: &'a mut LdsMemory,
    /// Where FLAT addresses mean LDS and scratch.
    pub segments: Segments,
}
