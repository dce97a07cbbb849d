//! A compute queue whose packets are those of the command processor (PM4).

use crate::device::Device;
use crate::kfd::ring::{Progress, Ring};
use crate::pm4::{CommandProcessor, Commands, Work};
use crate::report::report;
use crate::stop::Stop;

/// The queue. Its index and its doorbell count dwords.
#[derive(Debug)]
pub(crate) struct CommandQueue {
    ring: Ring,
    /// Dwords that were taken, with those under way.
    index: u64,
    commands: CommandProcessor,
    work: Option<Work>,
    is_stopped: bool,
    /// Whether the process has stopped it.
    pub(crate) is_paused: bool,
}

impl CommandQueue {
    /// A queue whose first packet is still to come.
    pub(crate) fn new(ring: Ring) -> Self {
        let commands = CommandProcessor::default();
        Self { ring, index: 0, commands, work: None, is_stopped: false, is_paused: false }
    }

    /// Executes the packets that the doorbell has been rung for, to the first that has to wait.
    pub(crate) fn step(&mut self, device: &Device) -> Progress {
        if self.is_paused || self.is_stopped {
            return Progress::Waiting;
        }
        self.try_step(device).unwrap_or_else(|stop| {
            self.is_stopped = true;
            report(format_args!("command queue at {:#x}, dword {}: {stop}", self.ring.base, self.index));
            match stop {
                Stop::Memory { address, .. } => device.raise_memory_fault(address),
                Stop::Gone { .. } => device.lose(),
                // Such a queue has no signal for its error.
                Stop::Queue { .. } => device.raise_hang(),
                Stop::Endless { .. } => (),
            }
            Progress::Worked
        })
    }

    fn try_step(&mut self, device: &Device) -> Result<Progress, Stop> {
        let mut work = match self.work.take() {
            Some(work) => work,
            None => {
                // All ones: never rung.
                let rung = self.ring.doorbell.load64().filter(|dwords| *dwords != u64::MAX);
                let dwords = rung.map_or(0, |rung| rung.wrapping_sub(self.index) % (self.ring.bytes / 4 + 1));
                if dwords == 0 {
                    return Ok(Progress::Waiting);
                }
                let ring = (self.ring.base, self.ring.bytes);
                let of_gfx9 = device.card.is_gfx9_or_later();
                let commands = Commands::of_ring(of_gfx9, ring, 4 * self.index, dwords);
                self.index += dwords;
                Work::new(commands)
            }
        };
        if self.commands.go_on(device, &mut work)?.is_some() {
            self.work = Some(work);
            return Ok(Progress::Waiting);
        }
        device.memory.store64(self.ring.read_pointer, self.index % (self.ring.bytes / 4))?;
        Ok(Progress::Worked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: u64 = 0x10_0000;
    const FAR: u32 = PAGE as u32 + 0x400;

    fn queue(device: &Device, words: &[u32]) -> CommandQueue {
        CommandQueue::new(device.ring_of(PAGE, words, words.len() as u64))
    }

    #[test]
    fn a_wait_goes_on_when_its_condition_is_met() {
        let device = Device::with_page("rx7900xtx", PAGE);
        // WRITE_DATA, WAIT_REG_MEM until the dword is at least 9, RELEASE_MEM of a dword.
        let write = [0xc003_3700, 5 << 8, FAR, 0, 7];
        let wait = [0xc005_3c00, 1 << 4 | 5, FAR, 0, 9, u32::MAX, 4];
        let release = [0xc006_4900, 0x514, 1 << 29, FAR + 8, 0, 5, 0, 0];
        let mut queue = queue(&device, &[&write[..], &wait, &release].concat());
        assert_eq!(queue.step(&device), Progress::Waiting);
        let dwords = |at: [u64; 2]| at.map(|at| device.memory.load32(u64::from(FAR) + at).unwrap());
        assert_eq!(dwords([0, 8]), [7, 0]);
        device.store_words(u64::from(FAR), &[10]);
        assert_eq!(queue.step(&device), Progress::Worked);
        assert_eq!((dwords([0, 8]), device.memory.load64(PAGE + 0xff8)), ([10, 5], Ok(20)));
        assert_eq!(queue.step(&device), Progress::Waiting);
    }
}
