//! The packets of a command buffer in memory, one after the other, through all that it leads to.

use super::packet::{Packet, UnknownPacket};
use crate::memory_map::{MemoryMap, NoAccess};

/// Command buffers within command buffers; hardware has two levels.
const MOST_LEVELS: usize = 4;
/// Dwords after which a chain of command buffers is taken to be a circle.
const MOST_DWORDS: u64 = 1 << 26;
/// The XCCs of a card do the same work but for packets that name one: what the first one does is done.
const FIRST_ENGINE: u32 = 1;

/// Why the packets end too early.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CommandError {
    /// There is no memory.
    #[error(transparent)]
    NoAccess(#[from] NoAccess),
    /// A packet that is not known.
    #[error(transparent)]
    Unknown(#[from] UnknownPacket),
    /// A header of a type that no driver writes any more.
    #[error("{header:#010x} at {address:#x} is no packet of type 2 or 3")]
    Type {
        header: u32,
        /// Where it is.
        address: u64,
    },
    /// A packet that goes beyond the command buffer.
    #[error("packet {header:#010x} at {address:#x} goes beyond the end of its command buffer")]
    CutOff {
        header: u32,
        /// Where it is.
        address: u64,
    },
    /// Command buffers without end.
    #[error("command buffers lead to others without end")]
    Endless,
}

/// Where the next packet of a command buffer or a ring is.
#[derive(Debug, Clone, Copy)]
struct Cursor {
    base: u64,
    /// Bytes after which a ring begins again.
    bytes: u64,
    offset: u64,
    dwords: u64,
}

impl Cursor {
    fn of_buffer(address: u64, dwords: u64) -> Self {
        Self { base: address, bytes: u64::MAX, offset: 0, dwords }
    }

    fn address(&self) -> u64 {
        self.base.wrapping_add(self.offset % self.bytes)
    }

    /// Takes dwords.
    fn take(&mut self, memory: &MemoryMap, dwords: u64) -> Result<Vec<u32>, NoAccess> {
        let mut taken = Vec::with_capacity(dwords as usize);
        let mut left = dwords;
        while left > 0 {
            let piece = left.min((self.bytes - self.offset % self.bytes) / 4);
            let mut bytes = vec![0; 4 * piece as usize];
            memory.read(self.address(), &mut bytes)?;
            taken.extend(bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])));
            self.skip(piece);
            left -= piece;
        }
        Ok(taken)
    }

    fn skip(&mut self, dwords: u64) {
        self.offset += 4 * dwords;
        self.dwords -= dwords;
    }
}

/// The packets of a command buffer or a part of a ring.
#[derive(Debug)]
pub(crate) struct Commands {
    is_gfx9_or_later: bool,
    levels: Vec<Cursor>,
    read: u64,
}

impl Commands {
    /// The packets from an address on.
    pub(crate) fn new(is_gfx9_or_later: bool, address: u64, dwords: u64) -> Self {
        Self { is_gfx9_or_later, levels: vec![Cursor::of_buffer(address, dwords)], read: 0 }
    }

    /// The packets of a ring, of which this one begins at an index in bytes that never turns back.
    pub(crate) fn of_ring(is_gfx9_or_later: bool, (base, bytes): (u64, u64), index: u64, dwords: u64) -> Self {
        Self { is_gfx9_or_later, levels: vec![Cursor { base, bytes, offset: index, dwords }], read: 0 }
    }

    /// The next packet that is to be executed, and its address; `None` at the end.
    ///
    /// # Errors
    /// [`CommandError`].
    pub(crate) fn next(&mut self, memory: &MemoryMap) -> Result<Option<(u64, Packet)>, CommandError> {
        loop {
            let Some(cursor) = self.levels.last_mut() else { return Ok(None) };
            if cursor.dwords == 0 {
                self.levels.pop();
                continue;
            }
            let address = cursor.address();
            let header = memory.load32(address)?;
            // A packet of type 2 is its header alone, and so is a NOP whose count is all ones (Mesa's PKT3_NOP_PAD).
            let body_dwords = match header >> 30 {
                2 => 0,
                3 if header >> 16 & 0x3fff == 0x3fff => 0,
                3 => u64::from(header >> 16 & 0x3fff) + 1,
                _ => return Err(CommandError::Type { header, address }),
            };
            if body_dwords >= cursor.dwords {
                return Err(CommandError::CutOff { header, address });
            }
            cursor.skip(1);
            let body = if header >> 30 == 2 { Vec::new() } else { cursor.take(memory, body_dwords)? };
            self.read += body_dwords + 1;
            if self.read > MOST_DWORDS {
                return Err(CommandError::Endless);
            }
            if header >> 30 == 2 {
                continue;
            }
            match Packet::decode(header, &body, self.is_gfx9_or_later)? {
                Packet::Indirect { address, dwords, is_chain } => {
                    if is_chain {
                        self.levels.pop();
                    }
                    if self.levels.len() == MOST_LEVELS {
                        return Err(CommandError::Endless);
                    }
                    self.levels.push(Cursor::of_buffer(address, u64::from(dwords)));
                }
                Packet::OfEngines { mask, dwords } if mask & FIRST_ENGINE == 0 => {
                    let dwords = u64::from(dwords);
                    if dwords > cursor.dwords {
                        return Err(CommandError::CutOff { header, address });
                    }
                    cursor.skip(dwords);
                }
                packet => return Ok(Some((address, packet))),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    const ADDRESS: u64 = 0x10_0000;

    /// The packets of a command buffer of these dwords, or how it ends.
    fn packets(dwords: &[u32]) -> Result<Vec<Packet>, CommandError> {
        let mut store = Store::create().unwrap();
        let memory = MemoryMap::default();
        let offset = store.allocate(4096).unwrap();
        memory.map(ADDRESS, store.place(offset, 4096));
        let bytes: Vec<u8> = dwords.iter().flat_map(|dword| dword.to_le_bytes()).collect();
        memory.write(ADDRESS, &bytes).unwrap();
        let mut commands = Commands::new(false, ADDRESS, dwords.len().min(16) as u64);
        let mut packets = Vec::new();
        while let Some((_, packet)) = commands.next(&memory)? {
            packets.push(packet);
        }
        Ok(packets)
    }

    /// SET_SH_REG of a register that does not exist.
    fn set(value: u32) -> [u32; 3] {
        [0xc001_7600, 0, value]
    }

    fn is_set(value: u32) -> Packet {
        Packet::SetShaderRegisters { first: 0xb000, values: vec![value] }
    }

    #[test]
    fn calls_come_back_and_chains_do_not() {
        let far = ADDRESS as u32 + 4 * 32;
        for (flags, rest) in [(0, vec![is_set(2)]), (1 << 20, Vec::new())] {
            let mut dwords =
                [vec![0x8000_0000, 0xffff_1000], set(1).into(), vec![0xc002_3f00, far, 0, 4 | flags]].concat();
            dwords.extend(set(2));
            dwords.resize(16, 0x8000_0000);
            dwords.resize(32, 0);
            dwords.extend(set(3));
            dwords.push(0xffff_1000);
            let expected = [vec![is_set(1), is_set(3), Packet::Nothing], rest].concat();
            let found: Vec<_> = packets(&dwords).unwrap().into_iter().skip(1).collect();
            assert_eq!(found, expected, "{flags:#x}");
        }
    }

    #[test]
    fn packets_of_other_engines_are_left_out_and_a_ring_turns() {
        // PRED_EXEC for the second XCC, then for the first.
        let dwords = [&[0xc000_2300, 2 << 24 | 3][..], &set(1), &[0xc000_2300, 1 << 24 | 3], &set(2)].concat();
        let all = packets(&dwords).unwrap();
        assert_eq!(all.into_iter().filter(|packet| *packet == is_set(1) || *packet == is_set(2)).count(), 1);
        let mut store = Store::create().unwrap();
        let memory = MemoryMap::default();
        let offset = store.allocate(4096).unwrap();
        memory.map(ADDRESS, store.place(offset, 4096));
        // The packet goes around the end of a ring of 16 bytes.
        for (at, dword) in [(12, set(3)[0]), (0, set(3)[1]), (4, set(3)[2])] {
            memory.store32(ADDRESS + at, dword).unwrap();
        }
        let mut commands = Commands::of_ring(false, (ADDRESS, 16), 16 * 5 + 12, 3);
        assert_eq!(commands.next(&memory).unwrap(), Some((ADDRESS + 12, is_set(3))));
        assert_eq!(commands.next(&memory).unwrap(), None);
    }

    #[test]
    fn malformed_command_buffers_are_errors() {
        assert!(matches!(packets(&[0x0000_1234]), Err(CommandError::Type { .. })));
        assert!(matches!(packets(&set(1)[..2]), Err(CommandError::CutOff { .. })));
        assert!(matches!(packets(&[0xc002_3f00, 0x100, 0, 4]), Err(CommandError::NoAccess(_))));
        let circle = [0xc002_3f00, ADDRESS as u32, 0, 4 | 1 << 20];
        assert!(matches!(packets(&circle), Err(CommandError::Endless)));
        assert!(matches!(packets(&[0xc000_2d00, 0]), Err(CommandError::Unknown(_))));
    }
}
