//! What work-groups need room for.

/// The resources of a compute unit that a wave and its group need, in whole granules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Needs {
    /// VGPRs of a lane.
    pub vgprs: u32,
    pub sgprs: u32,
    /// LDS of the group, bytes.
    pub lds: u32,
}
