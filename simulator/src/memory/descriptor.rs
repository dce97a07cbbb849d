//! Buffer descriptors.

use crate::error::Problem;
use crate::state::wave::Wave;
use gcn_model::decode::TypedBufferFormat;
use gcn_model::isa::{BufferFacts, Generation, NumRecords, SwizzleBits};

/// A buffer descriptor (V#), as far as the simulator needs it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Descriptor {
    pub(super) base: u64,
    pub(super) stride: u32,
    pub(super) records: u32,
    pub(super) format: TypedBufferFormat,
    pub(super) select: u32,
    pub(super) swizzle: Option<Swizzle>,
    /// The lane's number is added to the index.
    pub(super) adds_lane: bool,
    /// To instructions without a format of their own it is the descriptor of no buffer.
    pub(super) is_unbound: bool,
    /// OOB_SELECT, where there is one; where GCN 1.4 and CDNA look at no bounds, [`Bounds::Nothing`].
    selected: Option<Bounds>,
}

/// The out-of-bounds rule: what is compared with NUM_RECORDS, and with the stride.
///
/// Source: AMD "RDNA 1 ISA" and "RDNA 2 ISA", buffer resource descriptor, OOB_SELECT. LLVM on scratch memory from GCN 1.4 on
/// (`privateMemoryResourceIsRangeChecked`; `amdgcn-mubuf-negative-vaddr.cl` of piglit).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bounds {
    /// Records from NUM_RECORDS on, and dwords that end beyond their record.
    RecordsAndStride,
    /// Records from NUM_RECORDS on, and offsets beyond their record.
    RecordsAndOffset,
    /// Records from NUM_RECORDS on.
    Records,
    /// All, if NUM_RECORDS is 0; otherwise nothing.
    Nothing,
    /// Dwords that end beyond NUM_RECORDS bytes.
    Bytes,
}

/// How a swizzled buffer interleaves records, so that neighbouring lanes reach neighbouring elements.
#[derive(Debug, Clone, Copy)]
pub(super) struct Swizzle {
    /// Bytes of an element.
    pub(super) element: u64,
    /// Records whose elements stand together.
    pub(super) indices: u64,
}

impl Descriptor {
    /// The descriptor in four scalar registers.
    pub(super) fn read(wave: &Wave, register: u8, generation: Generation) -> Result<Self, Problem> {
        let word = |i: u8| {
            wave.scalars
                .read(register + i)
                .ok_or_else(|| Problem::UnknownAddress(format!("the descriptor in s{}", register + i)))
        };
        let (low, high, records, format) = (word(0)?, word(1)?, word(2)?, word(3)?);
        if format >> 30 != 0 {
            return Err(Problem::Unmodelled(": a descriptor that is not a buffer's".into()));
        }
        let facts = &generation.buffers;
        let element = match (facts.swizzle, high >> 30) {
            (SwizzleBits::TwoBits, 0) | (SwizzleBits::Described | SwizzleBits::Dwords, 0 | 1) => None,
            (SwizzleBits::TwoBits, 1) | (SwizzleBits::Dwords, _) => Some(4),
            (SwizzleBits::TwoBits, 3) => Some(16),
            (SwizzleBits::TwoBits, _) => {
                return Err(Problem::Unmodelled(": SWIZZLE_ENABLE is 2, which is reserved".into()));
            }
            (SwizzleBits::Described, _) => Some(2 << (format >> 19 & 3)),
        };
        if element == Some(2) {
            return Err(Problem::Unmodelled(": a swizzled buffer with elements of 2 bytes".into()));
        }
        let swizzle = element.map(|element| Swizzle { element, indices: 8 << (format >> 21 & 3) });
        let is_unified = facts.has_unified_formats();
        let adds_lane = format >> 23 & 1 != 0;
        let is_scratch = swizzle.is_some() && adds_lane;
        let is_unchecked = is_scratch && facts.num_records == NumRecords::RecordsIfIndexed;
        let scale = if facts.scales_stride { [1, 4, 8, 32][(format >> 18 & 3) as usize] } else { 1 };
        let further = if facts.data_format_extends_stride && adds_lane { (format >> 15 & 15) << 14 } else { 0 };
        let unified = format >> 12 & ((1 << facts.format_bits) - 1);
        Ok(Self {
            base: u64::from(low) | u64::from(high & 0xffff) << 32,
            stride: (high >> 16 & 0x3fff | further) * scale,
            records,
            format: match is_unified {
                true => TypedBufferFormat::of_unified(unified as u8, generation),
                false => TypedBufferFormat { data: (format >> 15 & 0xf) as u8, number: (format >> 12 & 7) as u8 },
            },
            select: format & 0xfff,
            swizzle,
            adds_lane,
            is_unbound: facts.unbound_without_format && unified == 0 && !adds_lane,
            selected: match format >> 28 & 3 {
                _ if !is_unified => is_unchecked.then_some(Bounds::Nothing),
                0 => Some(Bounds::RecordsAndStride),
                1 => Some(Bounds::Records),
                2 => Some(Bounds::Nothing),
                _ => Some(Bounds::Bytes),
            },
        })
    }

    /// NUM_RECORDS counts records where there is a stride, but bytes in GCN 1.2, where the buffer is not swizzled, and
    /// in GCN 1.4 where there is no index. From RDNA 1 on the descriptor says it.
    pub(super) fn bounds(self, is_indexed: bool, facts: &BufferFacts) -> Bounds {
        let is_swizzled = self.swizzle.is_some();
        match (self.selected, facts.num_records) {
            (Some(Bounds::Bytes) | None, _) if self.stride == 0 => Bounds::Bytes,
            (Some(Bounds::Bytes), _) if is_swizzled && !facts.checks_swizzled_bytes => Bounds::RecordsAndStride,
            (Some(selected), _) => selected,
            (None, NumRecords::Records) if is_indexed || self.adds_lane => Bounds::RecordsAndOffset,
            (None, NumRecords::Records) => Bounds::Records,
            (None, NumRecords::RecordsIfSwizzled) if is_swizzled => Bounds::Records,
            (None, NumRecords::RecordsIfIndexed) if is_indexed => Bounds::Records,
            (None, NumRecords::RecordsIfSwizzled | NumRecords::RecordsIfIndexed) => Bounds::Bytes,
        }
    }
}

impl Swizzle {
    /// The offset of a byte of a record ("GCN3 ISA", section 8.1.5, "Swizzled buffer addressing").
    pub(super) fn offset(self, index: u64, in_record: u64, stride: u64) -> u64 {
        let records = index / self.indices * stride + in_record / self.element * self.element;
        records * self.indices + index % self.indices * self.element + in_record % self.element
    }
}
