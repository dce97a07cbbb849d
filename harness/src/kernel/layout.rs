//! Where a kernel keeps things: registers, and the results in memory. The templates are written for it.

use std::ops::Range;

/// Dword of a wave's record that says that the wave ended.
pub const COMPLETION_MARK: u32 = 0x4743_4e54;
/// Lanes that hold a reading each.
const LANES: u32 = 64;
/// Readings of a wave: 16 bytes for each lane.
pub const READINGS_BYTES: u32 = LANES * 16;
/// Results of a wave: its readings, then one dword for each lane.
pub const RECORD_BYTES: u32 = READINGS_BYTES + LANES * 4;
/// Kept passes over all lengths of a kernel: one lane each.
pub const SAMPLES_PER_KERNEL: u32 = LANES;

/// First of the SGPRs with the buffer descriptor of the results; as a pair it is their address (stride 0).
pub(super) const RESULTS: u8 = 4;
/// VGPRs that sources are taken from.
pub(super) const VECTOR_SOURCES: Range<u8> = 6..14;
/// VGPRs that destinations are taken from.
pub(super) const VECTOR_DESTINATIONS: Range<u8> = 14..22;
/// SGPRs that sources are taken from.
pub(super) const SCALAR_SOURCES: Range<u8> = 24..32;
/// SGPRs that destinations are taken from.
pub(super) const SCALAR_DESTINATIONS: Range<u8> = 32..44;
/// VGPRs of a kernel: ten waves fit on a SIMD.
pub(super) const VGPRS: u32 = 24;
/// SGPRs of a kernel without VCC: with it 46 of the 48 that ten waves of GCN 1.0 may have.
pub(super) const SGPRS: u32 = 44;
