//! Where a kernel keeps things: registers, and the results in memory. The templates are written for it.

use std::ops::Range;

use gcn_model::isa::Generation;

/// Dword of a wave's record that says that the wave ended.
pub const COMPLETION_MARK: u32 = 0x4743_4e54;
/// Lanes that hold a reading each.
const LANES: u32 = 64;
/// Readings of a wave: 16 bytes for each lane.
pub const READINGS_BYTES: u32 = LANES * 16;
/// Results of a wave: its readings, then one dword for each lane.
pub const RECORD_BYTES: u32 = READINGS_BYTES + LANES * 4;

/// Scratch memory of a wave: 64 lanes with up to 16 bytes each, twice. The launch's scratch memory is aligned to it.
pub const SCRATCH_BYTES: u32 = 2048;

/// First of the SGPR pairs with the counter of cycles before and after the timed code.
pub(super) const BEGIN: u8 = 10;
pub(super) const END: u8 = 12;
/// First of the SGPR pairs with the counter of constant rate at the begin and end of the wave.
pub(super) const REALTIME_BEGIN: u8 = 16;
pub(super) const REALTIME_END: u8 = 18;
/// First of the SGPRs with the buffer descriptor of the results; as a pair it is their address (stride 0).
pub(super) const RESULTS: u8 = 4;
/// Where a kernel keeps its readings and the wave's record by lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Places {
    /// First of the four VGPRs with the readings.
    pub first: u8,
    /// VGPR with the wave's record.
    pub record: u8,
}

impl Places {
    /// The readings are stored as a tuple, which has to begin at an even VGPR on some generations.
    pub fn of(generation: Generation) -> Self {
        if generation.vector.tuples_begin_even { Self { first: 2, record: 1 } } else { Self { first: 1, record: 5 } }
    }

    /// The VGPRs with the readings.
    pub(super) fn readings(self) -> [u8; 4] {
        std::array::from_fn(|place| self.first + place as u8)
    }
}

/// VGPRs that sources are taken from.
pub(super) const VECTOR_SOURCES: Range<u8> = 6..14;
/// First of the two of these that the moves of a relay write, the others being enough for what else it reads.
pub(super) const RELAY: u8 = 12;
/// The same of the SGPRs.
pub(super) const SCALAR_RELAY: u8 = 30;
/// VGPRs that destinations are taken from.
pub(super) const VECTOR_DESTINATIONS: Range<u8> = 14..22;
/// The same for instructions that add to their destination, where a wave goes on while a result is under way: copies are independent only
/// if more of them than are under way at once have their own. All waves of a SIMD still fit.
pub(super) const ACCUMULATING_DESTINATIONS: Range<u8> = 24..48;
/// Registers of the results of matrix instructions, VGPRs or accumulation registers: these many.
pub(super) const MATRIX_RESULTS: u8 = 64;
/// First of them where they are VGPRs.
pub(super) const MATRIX_VGPRS: u8 = 32;
/// First VGPRs of A and of B of a matrix instruction, and the one with the indices of a sparse A.
pub(super) const MATRIX_SOURCES: [u8; 2] = [96, 104];
pub(super) const MATRIX_INDEX: u8 = 112;
/// VGPRs of a kernel with matrix instructions.
pub(super) const MATRIX_KERNEL_VGPRS: u32 = 120;
/// VGPRs after those of every kernel, for sources that do not fit there.
pub(super) const FURTHER_VECTOR_SOURCES: Range<u8> = 24..64;
/// VGPRs after those, for destinations that do not fit among those of every kernel: two of the widest.
pub(super) const FURTHER_VECTOR_DESTINATIONS: Range<u8> = 64..128;
/// Accumulation registers that destinations are taken from, at least: wide ones take more.
pub(super) const ACCUMULATION_DESTINATIONS: Range<u8> = 0..16;
/// SGPRs that sources are taken from.
pub(super) const SCALAR_SOURCES: Range<u8> = 24..32;
/// SGPRs that destinations are taken from.
pub(super) const SCALAR_DESTINATIONS: Range<u8> = 32..44;
/// VGPRs of a kernel: ten waves fit on a SIMD.
pub(super) const VGPRS: u32 = 24;
/// SGPRs of a kernel without VCC: with it 46 of the 48 that ten waves of GCN 1.0 may have.
pub(super) const SGPRS: u32 = 44;
/// VGPR with the lane's offset in the wave's record.
pub(super) const RECORD_OFFSET: u8 = 22;
/// The same in a kernel that has as few VGPRs as can be.
pub(super) const LEAST_RECORD_OFFSET: u8 = 6;
/// First VGPR of a memory instruction's address.
pub(super) const ADDRESS: u8 = 6;
/// First of the SGPRs with the descriptor of the wave's scratch memory.
pub(super) const SCRATCH_DESCRIPTOR: u8 = 24;
/// First of the SGPR pair with the address of the wave's scratch memory.
pub(super) const SCRATCH: u8 = 28;
/// SGPR with an offset in the wave's scratch memory.
pub(super) const SCRATCH_OFFSET: u8 = 30;
/// LDS of a group whose snippet uses it: 64 lanes with up to 16 bytes each, and as much after them.
pub(super) const LDS_BYTES: u32 = 4096;
/// SGPR pair with the address of the timed code, for jumps through registers.
pub(super) const JUMP_BASE: u8 = 22;
/// SGPR pairs with the addresses that they go to.
pub(super) const JUMP_ADDRESSES: Range<u8> = 24..44;
pub(super) const VCC_SGPRS: u32 = 2;
/// SGPRs of VCC, XNACK_MASK and FLAT_SCRATCH from GCN 1.2 on (docs/facts.md §1.4).
pub(super) const FLAT_SCRATCH_SGPRS: u32 = 6;
/// Most SGPRs that a target keeps after those of the kernel's own.
pub(super) const EXTRA_SGPRS: u32 = FLAT_SCRATCH_SGPRS;
