//! Packets of the copy engines of GFX9 (Linux, `vega10_sdma_pkt_open.h`); GFX8 differs in the counts alone, and GFX10 has one more
//! (ROCr, `SDMA_PKT_GCR`).

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SdmaPacket {
    /// Nothing.
    Nop,
    /// Copies bytes.
    Copy {
        /// From where.
        from: u64,
        /// To where.
        to: u64,
        /// How many.
        bytes: u64,
    },
    /// Stores a dword again and again.
    Fill {
        /// Where.
        to: u64,
        /// The dword.
        value: u32,
        /// How many bytes.
        bytes: u64,
    },
    /// Stores a dword.
    Fence {
        /// Where.
        to: u64,
        /// The dword.
        value: u32,
    },
    /// Interrupts the host with an event.
    Trap { event: u32 },
    /// Waits for a dword.
    Poll {
        /// Where.
        at: u64,
        /// What to compare it with.
        value: u32,
        /// Which of its bits.
        mask: u32,
        /// How: 0 always, 1 <, 2 <=, 3 ==, 4 !=, 5 >=, 6 >.
        function: u32,
    },
    /// Adds to 8 bytes.
    Add64 {
        /// Where.
        at: u64,
        /// What.
        value: i64,
    },
    /// Stores the GPU's clock.
    TimeStamp {
        /// Where.
        to: u64,
    },
}

/// A packet that the model does not know; the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the copy engine does not know the packet {0:#010x}")]
pub(crate) struct UnknownPacket(pub(crate) u32);

/// `SDMA_ATOMIC_ADD64`.
const ADD64: u32 = 47;
/// Counts have 22 bits.
const COUNT: u32 = (1 << 22) - 1;

impl SdmaPacket {
    /// Dwords of a packet with this header.
    ///
    /// # Errors
    /// [`UnknownPacket`].
    pub(crate) fn dwords(header: u32) -> Result<u64, UnknownPacket> {
        match (header & 0xff, header >> 8 & 0xff) {
            // A NOP says how many dwords follow it.
            (0, _) => Ok(1 + u64::from(header >> 16 & 0x3fff)),
            (1, 0) => Ok(7),
            (5, _) => Ok(4),
            (6, _) => Ok(2),
            (8, _) => Ok(6),
            (10, _) if header >> 25 == ADD64 => Ok(8),
            (11, _) if header >> 30 == 2 => Ok(5),
            (13, 2) => Ok(3),
            (17, 1) => Ok(5),
            _ => Err(UnknownPacket(header)),
        }
    }

    /// Decodes a packet of as many dwords as [`SdmaPacket::dwords`] says; `counts_from_0` (GFX9): a count is one less.
    ///
    /// # Errors
    /// [`UnknownPacket`].
    pub(crate) fn decode(words: &[u32], counts_from_0: bool) -> Result<Self, UnknownPacket> {
        let header = words.first().copied().unwrap_or(0);
        let word = |at: usize| words.get(at).copied().unwrap_or(0);
        let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 1)) << 32;
        let count = |at: usize| u64::from(word(at) & COUNT) + u64::from(counts_from_0);
        Ok(match header & 0xff {
            0 => Self::Nop,
            1 => Self::Copy { bytes: count(1), from: long(3), to: long(5) },
            5 => Self::Fence { to: long(1), value: word(3) },
            6 => Self::Trap { event: word(1) & 0x0fff_ffff },
            // Without the bit for memory it waits for a register: the one that flushes the caches of the host's path.
            8 if header >> 31 == 0 => Self::Nop,
            8 => Self::Poll { at: long(1), value: word(3), mask: word(4), function: header >> 28 & 7 },
            10 => Self::Add64 { at: long(1), value: long(3) as i64 },
            // The two low bits of the count of a fill by dwords are not counted.
            11 => Self::Fill { to: long(1), value: word(3), bytes: (count(4) + 3) & !3 },
            13 => Self::TimeStamp { to: long(1) },
            // Writes back or invalidates caches. The model has none between host and card.
            17 => Self::Nop,
            _ => return Err(UnknownPacket(header)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_have_their_lengths_and_fields() {
        let copy = [1, 9, 0, 0x10, 0x1, 0x20, 0x2];
        assert_eq!(SdmaPacket::dwords(copy[0]), Ok(7));
        let decoded = SdmaPacket::decode(&copy, true);
        assert_eq!(decoded, Ok(SdmaPacket::Copy { from: 0x1_0000_0010, to: 0x2_0000_0020, bytes: 10 }));
        assert_eq!(SdmaPacket::dwords(0x0002_0000), Ok(3));
        let caches = [0x111, 0, 0, 0, 0];
        assert_eq!(SdmaPacket::dwords(caches[0]), Ok(5));
        assert_eq!(SdmaPacket::decode(&caches, true), Ok(SdmaPacket::Nop));
        assert_eq!(SdmaPacket::dwords(3), Err(UnknownPacket(3)));
        let add = [47 << 25 | 10, 8, 0, u32::MAX, u32::MAX, 0, 0, 0];
        assert_eq!(SdmaPacket::dwords(add[0]), Ok(8));
        assert_eq!(SdmaPacket::decode(&add, true), Ok(SdmaPacket::Add64 { at: 8, value: -1 }));
    }
}
