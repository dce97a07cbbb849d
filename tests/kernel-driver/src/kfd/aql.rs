//! A compute queue: takes AQL packets in order, as the packet processor of a card does.

use gcn_simulated_card::INVALID_PACKET;

use crate::device::Device;
use crate::kfd::dispatch::{self, Origin};
use crate::kfd::packet::{BYTES, Dispatch, INVALID, Packet};
use crate::kfd::ring::{Progress, Ring};
use crate::kfd::signal::{Signal, Times};
use crate::memory_map::NoAccess;
use crate::pm4::{CommandProcessor, Commands, Work};
use crate::report::report;
use crate::stop::Stop;

/// Offsets in `amd_queue_t`.
const READ_DISPATCH_ID: u64 = 128;
const SCRATCH_LANE_BYTES: u64 = 176;
const INACTIVE_SIGNAL: u64 = 192;
/// In the same signal: the dispatch needs more scratch memory than the queue has.
const SCRATCH_NEEDED: i64 = 1;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Running,
    /// ROCr was asked for scratch memory and has not answered.
    NeedsScratch,
    /// An error or an endless dispatch: nothing will happen any more.
    Stopped,
}

/// A packet that is done.
struct Done {
    /// The signal to complete, 0 for none.
    completion: u64,
    times: Times,
}

#[derive(Debug)]
pub(crate) struct ComputeQueue {
    ring: Ring,
    /// Address of its `amd_queue_t`.
    descriptor: u64,
    /// Packets taken.
    index: u64,
    state: State,
    commands: CommandProcessor,
    /// The commands of the packet at the index, if they have begun.
    work: Option<Work>,
    /// Whether the process has stopped it.
    pub(crate) is_paused: bool,
}

impl ComputeQueue {
    /// A queue whose first packet is still to come.
    pub(crate) fn new(ring: Ring) -> Self {
        // The read pointer that the process gives is the field of its `amd_queue_t`.
        let descriptor = ring.read_pointer.wrapping_sub(READ_DISPATCH_ID);
        Self {
            ring,
            descriptor,
            index: 0,
            state: State::Running,
            commands: CommandProcessor::default(),
            work: None,
            is_paused: false,
        }
    }

    /// Takes the next packet if its doorbell has been rung.
    pub(crate) fn step(&mut self, device: &Device) -> Progress {
        if self.is_paused || self.state == State::Stopped {
            return Progress::Waiting;
        }
        match self.try_step(device) {
            Ok(progress) => progress,
            Err(stop) => {
                self.stop(device, stop);
                Progress::Worked
            }
        }
    }

    fn try_step(&mut self, device: &Device) -> Result<Progress, Stop> {
        if self.state == State::NeedsScratch {
            if self.inactive_signal(device)?.is_none_or(|signal| signal.value(&device.memory) != Ok(0)) {
                return Ok(Progress::Waiting);
            }
            self.state = State::Running;
        }
        if !self.is_rung(device) {
            return Ok(Progress::Waiting);
        }
        let address = self.ring.base + self.index * BYTES % self.ring.bytes;
        // The header is written last; the rest is read only when it is valid.
        if device.memory.load32(address)? as u8 == INVALID {
            return Ok(Progress::Waiting);
        }
        let mut bytes = [0; BYTES as usize];
        device.memory.read(address, &mut bytes)?;
        let Some(Done { completion, times }) =
            self.execute(device, Packet::decode(&bytes, device.card.is_gfx9_or_later()), address)?
        else {
            return Ok(Progress::Waiting);
        };
        let header = device.memory.load32(address)? & !0xffff | u32::from(INVALID);
        device.memory.store32(address, header)?;
        self.index += 1;
        device.memory.store64(self.ring.read_pointer, self.index)?;
        if let Some(signal) = Signal::of(completion) {
            signal.complete(&device.memory, &device.events, times)?;
        }
        Ok(Progress::Worked)
    }

    /// Executes a packet; its completion signal with the times of begin and end, or nothing if it has to wait.
    fn execute(&mut self, device: &Device, packet: Packet, address: u64) -> Result<Option<Done>, Stop> {
        let now = device.clock.gpu();
        let done = |completion| Ok(Some(Done { completion, times: Times { start: now, end: now } }));
        let is_zero = |handle: u64| Ok::<_, NoAccess>(Signal(handle).value(&device.memory)? == 0);
        match packet {
            Packet::Invalid => Ok(None),
            Packet::Commands { dwords, completion } => {
                let (first, count) = (address + 4 * dwords.start, dwords.end - dwords.start);
                let commands = || Work::new(Commands::new(device.card.is_gfx9_or_later(), first, count));
                let mut work = self.work.take().unwrap_or_else(commands);
                if self.commands.go_on(device, &mut work)?.is_some() {
                    self.work = Some(work);
                    return Ok(None);
                }
                done(completion)
            }
            Packet::Barrier { is_or, signals, completion } => {
                let given: Vec<u64> = signals.into_iter().filter(|handle| *handle != 0).collect();
                let zeros = given.iter().map(|handle| is_zero(*handle)).collect::<Result<Vec<_>, _>>()?;
                let is_open = if is_or { zeros.is_empty() || zeros.contains(&true) } else { !zeros.contains(&false) };
                if is_open { done(completion) } else { Ok(None) }
            }
            Packet::BarrierValue(barrier) => {
                let value = Signal(barrier.signal()).value(&device.memory)?;
                if barrier.is_met(value) { done(barrier.completion) } else { Ok(None) }
            }
            Packet::Dispatch(dispatch) => self.dispatch(device, &dispatch, address),
            Packet::Unknown(kind) => Err(Stop::Queue {
                code: INVALID_PACKET,
                reason: format!("a packet of type {kind}, which the packet processor does not know"),
            }),
        }
    }

    fn dispatch(&mut self, device: &Device, dispatch: &Dispatch, packet: u64) -> Result<Option<Done>, Stop> {
        let lane_bytes = device.memory.load32(self.descriptor + SCRATCH_LANE_BYTES)?;
        if dispatch.private_bytes > lane_bytes {
            let Some(signal) = self.inactive_signal(device)? else { return Ok(None) };
            self.state = State::NeedsScratch;
            signal.store(&device.memory, &device.events, SCRATCH_NEEDED)?;
            return Ok(None);
        }
        let times = dispatch::execute(device, dispatch, Origin { packet, queue: self.descriptor, index: self.index })?;
        Ok(Some(Done { completion: dispatch.completion, times }))
    }

    fn inactive_signal(&self, device: &Device) -> Result<Option<Signal>, NoAccess> {
        Ok(Signal::of(device.memory.load64(self.descriptor + INACTIVE_SIGNAL)?))
    }

    /// Whether the doorbell says that there is a packet. It starts at all ones: never rung.
    fn is_rung(&self, device: &Device) -> bool {
        let doorbell = self.ring.doorbell;
        let slots = self.ring.bytes / BYTES;
        let pending = if device.card.is_gfx9_or_later() {
            // The index of the last packet. All ones and one more is 0: nothing.
            doorbell.load64().map(|last| last.wrapping_add(1).wrapping_sub(self.index))
        } else {
            // The number of packets, low 32 bits.
            doorbell.load32().map(|count| u64::from(count.wrapping_sub(self.index as u32)))
        };
        pending.is_some_and(|pending| (1..=slots).contains(&pending))
    }

    /// The queue stops, and the process gets to know why, as far as a card would tell.
    fn stop(&mut self, device: &Device, stop: Stop) {
        self.state = State::Stopped;
        report(format_args!("queue at {:#x}, packet {}: {stop}", self.ring.base, self.index));
        match stop {
            Stop::Memory { address, .. } => device.raise_memory_fault(address),
            Stop::Queue { code, .. } => {
                let signal = self.inactive_signal(device).ok().flatten();
                let told = signal.map(|signal| signal.store(&device.memory, &device.events, i64::from(code)));
                if !matches!(told, Some(Ok(()))) {
                    device.raise_hang();
                }
            }
            Stop::Gone { .. } => device.lose(),
            Stop::Endless { .. } => (),
        }
    }
}
