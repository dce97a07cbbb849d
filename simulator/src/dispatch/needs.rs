//! What work-groups need room for.

/// What a wave and its group need of a compute unit, in whole granules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Needs {
    /// VGPRs of a lane.
    pub vgprs: u32,
    pub sgprs: u32,
    /// LDS of the group, bytes.
    pub lds: u32,
}
