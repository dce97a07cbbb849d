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
}

/// A copy queue. Its indices count bytes.
#[derive(Debug)]
pub(crate) struct CopyQueue {
    ring: Ring,
    index: u64,
    is_stopped: bool,
    /// Whether the process has stopped it.
    pub(crate) is_paused: bool,
}

impl CopyQueue {
    /// A queue whose first packet is still to come.
    pub(crate) fn new(ring: Ring) -> Self {
        Self { ring, index: 0, is_stopped: false, is_paused: false }
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
                CopyError::Unknown(_) => device.lose(),
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
        if pending == 0 {
            return Ok(Progress::Waiting);
        }
        // A length may be in the fourth dword.
        let mut first = [0; 16];
        self.ring.read(&device.memory, self.index, &mut first)?;
        let dwords = SdmaPacket::dwords(bytemuck::cast(first))?;
        if 4 * dwords > pending {
            return Ok(Progress::Waiting);
        }
        let mut bytes = vec![0; 4 * dwords as usize];
        self.ring.read(&device.memory, self.index, &mut bytes)?;
        let words: Vec<u32> =
            bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
        if !execute(device, SdmaPacket::decode(&words, Counts::of(&device.card))?)? {
            return Ok(Progress::Waiting);
        }
        self.index += 4 * dwords;
        let told = if device.card.is_gfx9_or_later() { self.index } else { self.index % self.ring.bytes };
        device.memory.store64(self.ring.read_pointer, told)?;
        Ok(Progress::Worked)
    }
}

/// Executes a packet; `false` if it has to wait.
fn execute(device: &Device, packet: SdmaPacket) -> Result<bool, NoAccess> {
    let memory = &device.memory;
    match packet {
        SdmaPacket::Nop => (),
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
