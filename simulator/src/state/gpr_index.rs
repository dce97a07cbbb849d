//! VGPRs indexed by M0: S_SET_GPR_IDX_ON of GCN 1.2 and 1.4, and V_MOVREL of the older ones.
//!
//! Source: AMD "Vega ISA", sections 4.6 and 5.

/// The offset of which VGPR numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GprIndex {
    /// The offset.
    pub index: u8,
    /// Which operands it is added to: src0, src1, src2, destination.
    pub operands: u8,
}
