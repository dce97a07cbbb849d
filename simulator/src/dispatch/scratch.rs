//! The scratch memory of a dispatch.

use crate::cost::configuration::Configuration;
use crate::memory::global::Memory;
use gcn_model::isa::{FlatScratch, Generation, Processor, SwizzleBits};

/// Scratch memory of a wave comes in units of 256 dwords (COMPUTE_TMPRING_SIZE.WAVESIZE).
const GRANULE: u32 = 1024;

/// The most that the simulator allocates for a dispatch, bytes: a damaged code object may ask for more than the machine has.
const MOST_BYTES: u64 = 1 << 31;

/// Where it is, and how it is shared out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ScratchArea {
    pub address: u64,
    /// Its size in bytes.
    pub bytes: u64,
    /// Bytes of a work-item.
    pub item_bytes: u32,
    pub wave_bytes: u32,
}

impl ScratchArea {
    /// The scratch memory of a dispatch's waves, one in each slot of the GPU, for this many bytes of a work-item; it has no address yet.
    pub(crate) fn needed(configuration: &Configuration, item_bytes: u32) -> Self {
        let wave_bytes = match item_bytes {
            0 => 0,
            _ => {
                let bytes = item_bytes.saturating_mul(configuration.issue.wave_size);
                bytes.checked_next_multiple_of(GRANULE).unwrap_or(u32::MAX)
            }
        };
        let slots = configuration.compute_units * configuration.issue.simds * configuration.waves_per_simd;
        Self { address: 0, bytes: u64::from(wave_bytes) * u64::from(slots), item_bytes, wave_bytes }
    }

    /// The same in memory of the simulator's own, whose content is unknown.
    ///
    /// # Errors
    /// It is more than the simulator allocates.
    pub(crate) fn allocated(self, memory: &mut Memory) -> Result<Self, String> {
        match self.bytes {
            0 => Ok(self),
            bytes if bytes > MOST_BYTES => {
                Err(format!("its waves need {bytes} bytes of scratch memory, and the simulator has {MOST_BYTES}"))
            }
            bytes => Ok(Self { address: memory.allocate_unknown(bytes), ..self }),
        }
    }

    /// The buffer descriptor of it: swizzled in elements of 4 bytes and indices of a wave's lanes, which the lane's number is added to.
    ///
    /// Source: LLVM `AMDGPUUsage.rst`, "Private Segment Buffer"; ROCr fills the same fields.
    pub(crate) fn descriptor(&self, processor: Processor) -> [u32; 4] {
        const SELECT_XYZW: u32 = 0xfac;
        const FLOAT: u32 = 7 << 12;
        // Of one number: 32 bits, unsigned; the old resource level; nothing is out of bounds.
        const UNIFIED: u32 = 20 << 12 | 1 << 24 | 2 << 28;
        const DATA_32: u32 = 4 << 15;
        const ELEMENT_4_BYTES: u32 = 1 << 19;
        const ADD_THREAD_ID: u32 = 1 << 23;
        let generation = processor.generation;
        // 8 << index_stride lanes.
        let index = (processor.wave_size().ilog2() - 3) << 21;
        // From GCN 1.2 on, the bits of the data format are further bits of the stride where the lane's number is added.
        let format = if generation.buffers.data_format_extends_stride { 0 } else { DATA_32 };
        let (swizzle, element) = match generation.buffers.swizzle {
            SwizzleBits::Described => (1 << 31, ELEMENT_4_BYTES),
            SwizzleBits::Dwords => (1 << 31, 0),
            SwizzleBits::TwoBits => (1 << 30, 0),
        };
        let format = if generation.buffers.has_unified_formats() { UNIFIED } else { FLOAT | format | element };
        [
            self.address as u32,
            (self.address >> 32) as u32 & 0xffff | swizzle,
            self.bytes.min(u64::from(u32::MAX)) as u32,
            SELECT_XYZW | format | index | ADD_THREAD_ID,
        ]
    }

    /// The prologue's source of FLAT_SCRATCH: in GCN 1.4 the address; before, the offset of the scratch memory from
    /// the hidden base, which is 0 here, and the bytes of a work-item.
    pub(crate) fn flat_scratch_init(&self, generation: Generation) -> u64 {
        match generation.flat.as_ref().map(|flat| flat.flat_scratch_holds) {
            Some(FlatScratch::Address) => self.address,
            Some(FlatScratch::SegmentOffset) | None => u64::from(self.item_bytes) << 32,
        }
    }
}

#[cfg(test)]
mod tests {
    use gcn_model::gpu::Gpu;

    use super::*;

    #[test]
    fn more_scratch_memory_than_there_is_is_refused() {
        let configuration = Configuration::of(&Gpu::named("tahiti").unwrap());
        let allocated = |item_bytes| ScratchArea::needed(&configuration, item_bytes).allocated(&mut Memory::default());
        assert_eq!(allocated(0).unwrap().bytes, 0);
        assert_ne!(allocated(16).unwrap().address, 0);
        for item_bytes in [1 << 20, u32::MAX] {
            assert!(allocated(item_bytes).unwrap_err().contains("bytes of scratch memory"), "{item_bytes}");
        }
    }
}
