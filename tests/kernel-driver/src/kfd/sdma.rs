//! A queue of a copy engine.

use crate::device::Device;
use crate::kfd::ring::{Progress, Ring};
use crate::kfd::sdma_packet::{Counts, SdmaPacket, UnknownPacket};
use crate::memory_map::NoAccess;
use crate::report::report;

#[derive(Debug, thiserror::Error)]
enum CopyError {
    #[error(transparent)]
    NoAccess(#[from] NoAccess),
    #[error(transparent)]
    Unknown(#[from] UnknownPacket),
    #[error("the indirect buffer at {address:#x} leads to another")]
    Nested { address: u64 },
    #[error("a packet goes beyond the end of the indirect buffer at {address:#x}")]
    CutOff { address: u64 },
}

/// A copy queue. Its indices count bytes.
#[derive(Debug)]
pub(crate) struct CopyQueue {
    ring: Ring,
    index: u64,
    /// The indirect buffer of the packet at the index, if it has begun.
    indirect: Option<Buffer>,
    is_stopped: bool,
    /// Whether the process has stopped it.
    pub(crate) is_paused: bool,
}

impl CopyQueue {
    /// A queue whose first packet is still to come.
    pub(crate) fn new(ring: Ring) -> Self {
        Self { ring, index: 0, indirect: None, is_stopped: false, is_paused: false }
    }

    /// Takes the next packet if its doorbell has been rung.
    pub(crate) fn step(&mut self, device: &Device) -> Progress {
        if self.is_paused || self.is_stopped {
            return Progress::Waiting;
        }
        self.try_step(device).unwrap_or_else(|error| {
            self.is_stopped = true;
            report(format_args!("copy queue at {:#x}, byte {}: {error}", self.ring.base, self.index));
            match error {
                CopyError::NoAccess(NoAccess::Unmapped { address }) => device.raise_memory_fault(address),
                CopyError::NoAccess(NoAccess::Unknown { .. }) => device.raise_hang(),
                // A copy engine that hangs takes the device with it: the process must not hang.
                CopyError::Unknown(_) | CopyError::Nested { .. } | CopyError::CutOff { .. } => device.lose(),
            }
            Progress::Worked
        })
    }

    fn try_step(&mut self, device: &Device) -> Result<Progress, CopyError> {
        // All ones: never rung. GFX8 counts modulo the ring, GFX9 on and on; the difference is the same.
        let doorbell = self.ring.doorbell;
        let write = if device.card.is_gfx9_or_later() {
            doorbell.load64().filter(|index| *index != u64::MAX)
        } else {
            doorbell.load32().filter(|index| *index != u32::MAX).map(u64::from)
        };
        let pending = write.map_or(0, |write| write.wrapping_sub(self.index) % self.ring.bytes);
        let read = |into: &mut [u8]| self.ring.read(&device.memory, self.index, into);
        let Some((packet, bytes)) = next_packet(device, pending, read)? else { return Ok(Progress::Waiting) };
        let is_done = match packet {
            SdmaPacket::Indirect { address, bytes } => {
                let mut buffer = self.indirect.take().unwrap_or(Buffer { address, bytes });
                let is_done = buffer.execute(device)?;
                self.indirect = Some(buffer).filter(|_| !is_done);
                is_done
            }
            packet => execute(device, packet)?,
        };
        if !is_done {
            return Ok(Progress::Waiting);
        }
        self.index += bytes;
        let told = if device.card.is_gfx9_or_later() { self.index } else { self.index % self.ring.bytes };
        device.memory.store64(self.ring.read_pointer, told)?;
        Ok(Progress::Worked)
    }
}

/// What is left of an indirect buffer.
#[derive(Debug)]
struct Buffer {
    address: u64,
    bytes: u64,
}

impl Buffer {
    /// Executes its packets to their end; `false` if one of them has to wait.
    fn execute(&mut self, device: &Device) -> Result<bool, CopyError> {
        let address = self.address;
        while let Some((packet, bytes)) =
            next_packet(device, self.bytes, |into: &mut [u8]| device.memory.read(self.address, into))?
        {
            if matches!(packet, SdmaPacket::Indirect { .. }) {
                return Err(CopyError::Nested { address });
            }
            if !execute(device, packet)? {
                return Ok(false);
            }
            self.address += bytes;
            self.bytes -= bytes;
        }
        if self.bytes == 0 { Ok(true) } else { Err(CopyError::CutOff { address }) }
    }
}

/// The packet at a place where this many bytes are pending, and its bytes; nothing if they are not a whole one.
fn next_packet(
    device: &Device,
    pending: u64,
    read: impl Fn(&mut [u8]) -> Result<(), NoAccess>,
) -> Result<Option<(SdmaPacket, u64)>, CopyError> {
    if pending == 0 {
        return Ok(None);
    }
    // A length may be in the fourth dword.
    let mut first = [0; 16];
    read(&mut first[..pending.min(16) as usize])?;
    let bytes = 4 * SdmaPacket::dwords(bytemuck::cast(first))?;
    if bytes > pending {
        return Ok(None);
    }
    let mut words = vec![0_u32; bytes as usize / 4];
    read(bytemuck::cast_slice_mut(&mut words))?;
    Ok(Some((SdmaPacket::decode(&words, Counts::of(&device.card))?, bytes)))
}

/// Executes a packet; `false` if it has to wait.
fn execute(device: &Device, packet: SdmaPacket) -> Result<bool, NoAccess> {
    let memory = &device.memory;
    match packet {
        SdmaPacket::Nop | SdmaPacket::Indirect { .. } => (),
        SdmaPacket::Copy { from, to, bytes } => memory.copy(from, to, bytes)?,
        SdmaPacket::Fill { to, value, bytes } => memory.fill(to, value, bytes)?,
        SdmaPacket::Write { to, values } => memory.write(to, bytemuck::cast_slice(&values))?,
        SdmaPacket::Fence { to, value } => memory.store32(to, value)?,
        SdmaPacket::Trap { event } => {
            device.events.set(event, true);
        }
        SdmaPacket::Poll(condition) => return Ok(condition.is_met(memory.load32(condition.address)?)),
        SdmaPacket::Add64 { at, value } => memory.add64(at, value)?,
        SdmaPacket::TimeStamp { to } => memory.store64(to, device.clock.gpu())?,
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: u64 = 0x10_0000;
    const FAR: u32 = PAGE as u32 + 0x400;

    fn queue(device: &Device, words: &[u32]) -> CopyQueue {
        CopyQueue::new(device.ring_of(PAGE, words, 4 * words.len() as u64))
    }

    #[test]
    fn a_buffer_of_packets_goes_on_where_it_waited() {
        let device = Device::with_page("rx7900xtx", PAGE);
        // Writes two dwords, then waits until one of them is 9, then stores a fence.
        let write = [2, FAR + 0x100, 0, 1, 7, 8];
        let poll = [8 | 3 << 28 | 1 << 31, FAR + 0x100, 0, 9, u32::MAX, 0];
        let buffer = [&write[..], &poll, &[5, FAR + 0x200, 0, 5]].concat();
        device.store_words(u64::from(FAR), &buffer);
        let mut queue = queue(&device, &[4, FAR, 0, buffer.len() as u32, 0, 0]);
        assert_eq!(queue.step(&device), Progress::Waiting);
        let words = [0x100, 0x104, 0x200].map(|at| device.memory.load32(u64::from(FAR) + at).unwrap());
        assert_eq!((words, device.memory.load64(PAGE + 0xff8)), ([7, 8, 0], Ok(0)));
        device.store_words(u64::from(FAR) + 0x100, &[9]);
        assert_eq!(queue.step(&device), Progress::Worked);
        assert_eq!(device.memory.load32(u64::from(FAR) + 0x200), Ok(5));
        assert_eq!(device.memory.load64(PAGE + 0xff8), Ok(24));
    }
}
