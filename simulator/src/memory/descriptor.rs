//! Buffer descriptors.

use crate::error::Problem;
use crate::state::wave::Wave;
use gcn_model::decode::TypedBufferFormat;
use gcn_model::isa::{Generation, NumRecords};

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
    /// OOB_SELECT, where there is one; where GCN 1.4 and CDNA look at no bounds, [`Bounds::Nothing`].
    pub(super) bounds: Option<Bounds>,
}

/// The out-of-bounds rule.
///
/// Source: AMD "RDNA 1 ISA" and "RDNA 2 ISA", buffer resource descriptor, OOB_SELECT. LLVM on scratch memory from GCN 1.4 on
/// (`privateMemoryResourceIsRangeChecked`; `amdgcn-mubuf-negative-vaddr.cl` of piglit).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bounds {
    /// Records from NUM_RECORDS on, and addresses beyond the end of their record.
    RecordsAndStride,
    /// Records from NUM_RECORDS on.
    Records,
    /// All, if NUM_RECORDS is 0; otherwise nothing.
    Nothing,
    /// Bytes from NUM_RECORDS on.
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
        let swizzle = Swizzle {
            element: if generation.buffers.descriptor_has_element_size { 2 << (format >> 19 & 3) } else { 4 },
            indices: 8 << (format >> 21 & 3),
        };
        let swizzle = (high >> 31 != 0).then_some(swizzle);
        if swizzle.is_some_and(|swizzle| swizzle.element != 4) {
            return Err(Problem::Unmodelled(": a swizzled buffer whose elements are not of 4 bytes".into()));
        }
        let is_unified = generation.buffers.has_unified_formats();
        let adds_lane = format >> 23 & 1 != 0;
        let is_scratch = swizzle.is_some() && adds_lane;
        let is_unchecked = is_scratch && generation.buffers.num_records == NumRecords::RecordsIfIndexed;
        Ok(Self {
            base: u64::from(low) | u64::from(high & 0xffff) << 32,
            stride: high >> 16 & 0x3fff,
            records,
            format: match is_unified {
                true => TypedBufferFormat::of_unified((format >> 12 & 0x7f) as u8, generation),
                false => TypedBufferFormat { data: (format >> 15 & 0xf) as u8, number: (format >> 12 & 7) as u8 },
            },
            select: format & 0xfff,
            swizzle,
            adds_lane,
            bounds: match format >> 28 & 3 {
                _ if !is_unified => is_unchecked.then_some(Bounds::Nothing),
                0 => Some(Bounds::RecordsAndStride),
                1 => Some(Bounds::Records),
                2 => Some(Bounds::Nothing),
                _ => Some(Bounds::Bytes),
            },
        })
    }
}

impl Swizzle {
    /// The offset of a byte of a record ("GCN3 ISA", section 8.1.5, "Swizzled buffer addressing").
    pub(super) fn offset(self, index: u64, in_record: u64, stride: u64) -> u64 {
        let records = index / self.indices * stride + in_record / self.element * self.element;
        records * self.indices + index % self.indices * self.element + in_record % self.element
    }
}
