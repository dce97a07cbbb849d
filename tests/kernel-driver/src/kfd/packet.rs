//! AQL packets: the program's requests to a compute queue (HSA System Architecture 1.2, chapter 2.9).

use std::ops::Range;

/// Bytes of a packet.
pub(crate) const BYTES: u64 = 64;
/// Header of a packet that is not valid (yet, or any more).
pub(crate) const INVALID: u8 = 1;

/// `AMD_AQL_FORMAT_PM4_IB`: commands for the packet processor.
const VENDOR_PM4: u8 = 1;
/// `HSA_AMD_PACKET_TYPE_BARRIER_VALUE` (ROCr's `hsa_ext_amd.h`).
const VENDOR_BARRIER_VALUE: u8 = 2;

/// A packet; signals are handles, 0 for none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Packet {
    /// Not valid yet.
    Invalid,
    /// Commands of the packet processor (PM4).
    Commands {
        /// Which dwords of the packet they are.
        dwords: Range<u64>,
        /// Signal to complete.
        completion: u64,
    },
    /// Runs a kernel.
    Dispatch(Dispatch),
    /// Waits for signals to become 0: all of them or any.
    Barrier {
        /// Whether one is enough.
        is_or: bool,
        /// What to wait for.
        signals: [u64; 5],
        /// Signal to complete.
        completion: u64,
    },
    /// Waits for the value of a signal.
    BarrierValue(BarrierValue),
    /// Anything else.
    Unknown(u8),
}

/// `hsa_kernel_dispatch_packet_t`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dispatch {
    /// Dimensions of the grid, 1 to 3.
    pub(crate) dimensions: u16,
    /// Work-items of a work-group.
    pub(crate) group: [u16; 3],
    /// Work-items of the grid.
    pub(crate) grid: [u32; 3],
    /// Scratch memory of a work-item, bytes.
    pub(crate) private_bytes: u32,
    /// LDS of a work-group, bytes.
    pub(crate) lds_bytes: u32,
    /// Address of the kernel descriptor.
    pub(crate) kernel: u64,
    /// Address of the kernel arguments.
    pub(crate) arguments: u64,
    /// Signal to complete.
    pub(crate) completion: u64,
}

/// `hsa_amd_barrier_value_packet_t`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BarrierValue {
    signal: u64,
    value: i64,
    mask: i64,
    condition: u32,
    /// Signal to complete.
    pub(crate) completion: u64,
}

impl BarrierValue {
    /// The signal to wait for.
    pub(crate) fn signal(&self) -> u64 {
        self.signal
    }

    /// Whether the wait ends at this value (`hsa_signal_condition_t`).
    pub(crate) fn is_met(&self, value: i64) -> bool {
        let masked = value & self.mask;
        match self.condition {
            0 => masked == self.value,
            1 => masked != self.value,
            2 => masked < self.value,
            _ => masked >= self.value,
        }
    }
}

impl Packet {
    /// Decodes a packet; `has_formats` says whether vendor packets have a format (GFX9) or are raw commands (GFX8).
    pub(crate) fn decode(bytes: &[u8; BYTES as usize], has_formats: bool) -> Self {
        let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let word = |at: usize| u32::from(short(at)) | u32::from(short(at + 2)) << 16;
        let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
        let completion = long(56);
        match (bytes[0], bytes[2]) {
            (INVALID, _) => Self::Invalid,
            (0, _) if !has_formats => Self::Commands { dwords: 0..BYTES / 4, completion: 0 },
            // ROCr's `amd_aql_pm4_ib`: a jump to a buffer of commands follows the header.
            (0, VENDOR_PM4) => Self::Commands { dwords: 1..5, completion },
            (0, VENDOR_BARRIER_VALUE) => Self::BarrierValue(BarrierValue {
                signal: long(8),
                value: long(16) as i64,
                mask: long(24) as i64,
                condition: word(32),
                completion,
            }),
            (2, _) => Self::Dispatch(Dispatch {
                dimensions: short(2) & 3,
                group: [4, 6, 8].map(short),
                grid: [12, 16, 20].map(word),
                private_bytes: word(24),
                lds_bytes: word(28),
                kernel: long(32),
                arguments: long(40),
                completion,
            }),
            (kind @ (3 | 5), _) => {
                Self::Barrier { is_or: kind == 5, signals: [8, 16, 24, 32, 40].map(long), completion }
            }
            (kind, _) => Self::Unknown(kind),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dispatch_is_decoded_field_by_field() {
        let mut bytes: [u8; 64] = std::array::from_fn(|i| i as u8);
        bytes[..4].copy_from_slice(&[2, 0x0b, 3, 0]);
        let expected = Dispatch {
            dimensions: 3,
            group: [0x0504, 0x0706, 0x0908],
            grid: [0x0f0e_0d0c, 0x1312_1110, 0x1716_1514],
            private_bytes: 0x1b1a_1918,
            lds_bytes: 0x1f1e_1d1c,
            kernel: 0x2726_2524_2322_2120,
            arguments: 0x2f2e_2d2c_2b2a_2928,
            completion: 0x3f3e_3d3c_3b3a_3938,
        };
        assert_eq!(Packet::decode(&bytes, true), Packet::Dispatch(expected));
    }

    #[test]
    fn barriers_and_vendor_packets_are_distinguished() {
        let mut bytes = [0; 64];
        bytes[8] = 0x40;
        bytes[56] = 0x80;
        bytes[0] = 5;
        let signals = [0x40, 0, 0, 0, 0];
        assert_eq!(Packet::decode(&bytes, true), Packet::Barrier { is_or: true, signals, completion: 0x80 });
        bytes[0] = 0;
        assert_eq!(Packet::decode(&bytes, false), Packet::Commands { dwords: 0..16, completion: 0 });
        assert_eq!(Packet::decode(&bytes, true), Packet::Unknown(0));
        bytes[2] = 2;
        bytes[24] = 0x0f;
        bytes[16] = 3;
        let Packet::BarrierValue(barrier) = Packet::decode(&bytes, true) else { panic!("no barrier") };
        assert!(barrier.is_met(0x13) && !barrier.is_met(4));
    }
}
