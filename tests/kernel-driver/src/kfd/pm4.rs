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
