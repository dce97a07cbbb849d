//! What a buffer's limits are compared with.

use crate::memory::descriptor::{Bounds, Descriptor};
use gcn_model::isa::{BufferFacts, NumRecords};

/// What is compared with NUM_RECORDS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Check {
    /// Nothing, unless that is 0.
    Nothing,
    /// The index.
    Records,
    /// The index; and with the stride, the offset.
    RecordsAndStart,
    /// The index; and with the stride, the end of each dword.
    RecordsAndStride,
    /// The end of each dword.
    Bytes,
}

impl Check {
    /// NUM_RECORDS counts records where there is a stride, but bytes in GCN 1.2, where the buffer is not swizzled, and
    /// in GCN 1.4 where there is no index. From RDNA 1 on the descriptor says it.
    pub(super) fn of(descriptor: Descriptor, is_indexed: bool, facts: &BufferFacts) -> Self {
        let is_swizzled = descriptor.swizzle.is_some();
        match (descriptor.bounds, facts.num_records) {
            (Some(Bounds::Nothing), _) => Self::Nothing,
            (Some(Bounds::Records), _) => Self::Records,
            (Some(Bounds::RecordsAndStride), _) => Self::RecordsAndStride,
            (_, _) if descriptor.stride == 0 => Self::Bytes,
            (Some(Bounds::Bytes), _) if is_swizzled && !facts.checks_swizzled_bytes => Self::RecordsAndStride,
            (Some(Bounds::Bytes), _) => Self::Bytes,
            (None, NumRecords::Records) if is_indexed || descriptor.adds_lane => Self::RecordsAndStart,
            (None, NumRecords::Records) => Self::Records,
            (None, NumRecords::RecordsIfSwizzled) if is_swizzled => Self::Records,
            (None, NumRecords::RecordsIfIndexed) if is_indexed => Self::Records,
            (None, NumRecords::RecordsIfSwizzled | NumRecords::RecordsIfIndexed) => Self::Bytes,
        }
    }
}
