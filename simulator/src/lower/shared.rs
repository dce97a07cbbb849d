//! What all compute units of a launch share.

use crate::cost::clock::Clock;
use crate::cost::configuration::Configuration;
use crate::lower::program::Program;
use crate::memory::aperture::Segments;

/// What all compute units of a launch share.
pub(crate) struct Shared<'a> {
    /// The kernel's code.
    pub(crate) program: &'a Program<'a>,
    pub(crate) configuration: &'a Configuration,
    pub(crate) clock: &'a Clock,
    /// Where FLAT addresses mean LDS and scratch.
    pub(crate) segments: Segments,
}
