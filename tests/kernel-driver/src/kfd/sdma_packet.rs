//! Packets of the copy engines of GFX9 (Linux, `vega10_sdma_pkt_open.h`). Engines differ in their counts, and GFX10 has one more packet
//! (ROCr, `SDMA_PKT_GCR`).

use gcn_simulated_card::Card;

use crate::pm4::Condition;

/// How an engine counts the bytes of a copy or a fill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Bits of the field; those above are reserved.
    bits: u32,
    /// A count is one less than the number of bytes (GFX9 and later).
    from_zero: bool,
}

impl Counts {
    /// The counts of a card's engines: 22 bits up to SDMA 4.2 and in SDMA 5.0, 30 bits from SDMA 4.4 (gfx90a) and 5.2 (gfx10.3) on.
    ///
    /// Source: Linux, `copy_max_bytes` in `sdma_v3_0.c`, `sdma_v4_0.c`, `sdma_v4_4_2.c`, `sdma_v5_0.c`, `sdma_v5_2.c`, `sdma_v6_0.c` and
    /// `sdma_v7_0.c`; ROCr cuts copies for gfx90a and gfx10.3 at 1 GiB.
    pub(crate) fn of(card: &Card) -> Self {
        let [major, minor, stepping] = card.version;
        let is_wide = matches!((major, minor, stepping), (9, 0, 10..) | (9, 4.., _) | (10, 3.., _) | (11.., _, _));
        Self { bits: if is_wide { 30 } else { 22 }, from_zero: card.is_gfx9_or_later() }
    }

    /// The bytes that a dword of a packet counts; `None` where it has bits above the field.
    fn bytes(self, word: u32) -> Option<u64> {
        (word >> self.bits == 0).then(|| u64::from(word) + u64::from(self.from_zero))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SdmaPacket {
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
        to: u64,
        /// The dword.
        value: u32,
        /// How many bytes.
        bytes: u64,
    },
    /// Packets in a buffer.
    Indirect {
        address: u64,
        /// Their size.
        bytes: u64,
    },
    /// Stores dwords.
    Write {
        to: u64,
        /// The dwords.
        values: Vec<u32>,
    },
    /// Stores a dword.
    Fence {
        to: u64,
        /// The dword.
        value: u32,
    },
    /// Interrupts the host with an event.
    Trap {
        event: u32,
    },
    /// Waits for a dword.
    Poll(Condition),
    /// Adds to 8 bytes.
    Add64 {
        at: u64,
        value: i64,
    },
    /// Stores the GPU's clock.
    TimeStamp {
        to: u64,
    },
}

/// A packet that the simulated engine does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum UnknownPacket {
    #[error("the copy engine does not know the packet {0:#010x}")]
    Header(u32),
    /// The dword of its count has bits above the field of this engine.
    #[error("the count {count:#010x} of the packet {header:#010x} has bits above the {bits} that this copy engine has")]
    Count { header: u32, count: u32, bits: u32 },
}

/// `SDMA_ATOMIC_ADD64`.
const ADD64: u32 = 47;
/// `SDMA_PKT_COPY_LINEAR`: it has a second destination.
const IS_BROADCAST: u32 = 1 << 27;
/// `SDMA_PKT_POLL_REGMEM`: it waits for memory, not for a register.
const IS_MEMORY: u32 = 1 << 31;
/// The one wait for a register that is done: ROCr's packet that flushes the caches of the host's path (`hdp_flush_cmd_`).
const HOST_FLUSH: [u32; 6] = [8, 0, 1 << 31, 0, 0, 0];

impl SdmaPacket {
    /// Dwords of a packet that begins with these.
    ///
    /// # Errors
    /// [`UnknownPacket`].
    pub(crate) fn dwords([header, _, _, count]: [u32; 4]) -> Result<u64, UnknownPacket> {
        match (header & 0xff, header >> 8 & 0xff) {
            // A NOP says how many dwords follow it.
            (0, _) => Ok(1 + u64::from(header >> 16 & 0x3fff)),
            (1, 0) if header & IS_BROADCAST == 0 => Ok(7),
            // COUNT has 20 bits and is one less than the number of dwords.
            (2, 0) => Ok(5 + u64::from(count & 0xf_ffff)),
            (4, 0) => Ok(6),
            (5, 0) => Ok(4),
            (6, 0) => Ok(2),
            (8, 0) => Ok(6),
            (10, _) if header >> 25 == ADD64 => Ok(8),
            (11, _) if header >> 30 == 2 => Ok(5),
            (13, 2) => Ok(3),
            (17, 1) => Ok(5),
            _ => Err(UnknownPacket::Header(header)),
        }
    }

    /// Decodes a packet of as many dwords as [`SdmaPacket::dwords`] says.
    ///
    /// # Errors
    /// [`UnknownPacket`].
    pub(crate) fn decode(words: &[u32], counts: Counts) -> Result<Self, UnknownPacket> {
        let header = words.first().copied().unwrap_or(0);
        let word = |at: usize| words.get(at).copied().unwrap_or(0);
        let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 1)) << 32;
        let count = |at: usize| {
            let unknown = UnknownPacket::Count { header, count: word(at), bits: counts.bits };
            counts.bytes(word(at)).ok_or(unknown)
        };
        Ok(match header & 0xff {
            0 => Self::Nop,
            1 => Self::Copy { bytes: count(1)?, from: long(3), to: long(5) },
            2 => Self::Write { to: long(1), values: words.get(4..).unwrap_or_default().to_vec() },
            4 => Self::Indirect { address: long(1), bytes: 4 * u64::from(word(3) & 0xf_ffff) },
            5 => Self::Fence { to: long(1), value: word(3) },
            6 => Self::Trap { event: word(1) & 0x0fff_ffff },
            8 if words == HOST_FLUSH => Self::Nop,
            8 if header & IS_MEMORY != 0 => Self::Poll(Condition {
                address: long(1),
                function: header >> 28 & 7,
                reference: word(3),
                mask: word(4),
            }),
            10 => Self::Add64 { at: long(1), value: long(3) as i64 },
            // The two low bits of the count of a fill by dwords are not counted.
            11 => Self::Fill { to: long(1), value: word(3), bytes: (count(4)? + 3) & !3 },
            13 => Self::TimeStamp { to: long(1) },
            // Writes back or invalidates caches. The model has none between host and card.
            17 => Self::Nop,
            _ => return Err(UnknownPacket::Header(header)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counts of a target of this version.
    fn counts(version: [u32; 3]) -> Counts {
        let gpu = gcn_model::gpu::Gpu::named("vega10").unwrap();
        Counts::of(&Card { version, ..Card::new(gpu).unwrap() })
    }

    fn dwords(header: u32) -> Result<u64, UnknownPacket> {
        SdmaPacket::dwords([header, 0, 0, 2])
    }

    #[test]
    fn packets_have_their_lengths_and_fields() {
        let copy = [1, 9, 0, 0x10, 0x1, 0x20, 0x2];
        assert_eq!(dwords(copy[0]), Ok(7));
        let decoded = SdmaPacket::decode(&copy, counts([9, 0, 0]));
        assert_eq!(decoded, Ok(SdmaPacket::Copy { from: 0x1_0000_0010, to: 0x2_0000_0020, bytes: 10 }));
        let indirect = SdmaPacket::decode(&[4, 0x20, 0x1, 16, 0, 0], counts([11, 0, 0]));
        assert_eq!(indirect, Ok(SdmaPacket::Indirect { address: 0x1_0000_0020, bytes: 64 }));
        let write = [2, 0x10, 0x1, 1, 7, 8];
        assert_eq!(SdmaPacket::dwords([2, 0x10, 0x1, 1]), Ok(6));
        let decoded = SdmaPacket::decode(&write, counts([11, 0, 0]));
        assert_eq!(decoded, Ok(SdmaPacket::Write { to: 0x1_0000_0010, values: vec![7, 8] }));
        assert_eq!(dwords(0x0002_0000), Ok(3));
        let caches = [0x111, 0, 0, 0, 0];
        assert_eq!(dwords(caches[0]), Ok(5));
        assert_eq!(SdmaPacket::decode(&caches, counts([10, 1, 0])), Ok(SdmaPacket::Nop));
        assert_eq!(dwords(3), Err(UnknownPacket::Header(3)));
        let add = [47 << 25 | 10, 8, 0, u32::MAX, u32::MAX, 0, 0, 0];
        assert_eq!(dwords(add[0]), Ok(8));
        assert_eq!(SdmaPacket::decode(&add, counts([9, 0, 0])), Ok(SdmaPacket::Add64 { at: 8, value: -1 }));
    }

    #[test]
    fn a_copy_above_4_mib_is_whole_or_an_error() {
        let copy = [1, (9 << 20) - 1, 0, 0x10, 0x1, 0x20, 0x2];
        for version in [[9, 0, 10], [9, 4, 2], [9, 5, 0], [10, 3, 0], [11, 0, 0], [11, 5, 1], [12, 0, 1]] {
            let decoded = SdmaPacket::decode(&copy, counts(version));
            let whole = SdmaPacket::Copy { from: 0x1_0000_0010, to: 0x2_0000_0020, bytes: 9 << 20 };
            assert_eq!(decoded, Ok(whole), "{version:?}");
        }
        for version in [[8, 0, 3], [9, 0, 0], [9, 0, 6], [9, 0, 8], [10, 1, 0]] {
            let error = SdmaPacket::decode(&copy, counts(version)).unwrap_err().to_string();
            assert!(error.ends_with("bits above the 22 that this copy engine has"), "{version:?}: {error}");
        }
        // GFX8 counts bytes, not bytes less one.
        let decoded = SdmaPacket::decode(&[1, 9, 0, 0, 0, 0, 0], counts([8, 0, 3]));
        assert_eq!(decoded, Ok(SdmaPacket::Copy { from: 0, to: 0, bytes: 9 }));
    }

    #[test]
    fn a_second_destination_and_a_wait_for_a_register_are_errors() {
        for header in [1 | IS_BROADCAST, 8 | 1 << 8 | IS_MEMORY, 0x102, 9, 0x205] {
            assert_eq!(dwords(header), Err(UnknownPacket::Header(header)), "{header:#x}");
        }
        assert_eq!(SdmaPacket::decode(&HOST_FLUSH, counts([9, 0, 0])), Ok(SdmaPacket::Nop));
        let register = [8, 0x1000, 0, 0, 0, 0];
        assert_eq!(SdmaPacket::decode(&register, counts([9, 0, 0])), Err(UnknownPacket::Header(8)));
    }
}
