//! The command processor: executes the packets of a ring or a queue, with the simulator for their dispatches.

use gcn_model::code_object::ProgramRegisters;
use gcn_simulated_card::INVALID_CODE;
use gcn_simulator::{Apertures, RegisterDispatch};

use super::commands::{CommandError, Commands};
use super::packet::{Data, Packet};
use super::shader_registers::ShaderRegisters;
use crate::device::Device;
use crate::stop::{CYCLE_LIMIT, Stop};

/// Bytes of `amd_kernel_code_t` in front of a program that clover loaded from a binary (Mesa 22.3, `si_compute.c`).
const KERNEL_HEADER_BYTES: u64 = 256;
/// LDS_SIZE of RSRC2, to which clover adds local arguments.
const LDS_SIZE: u32 = 0x1ff << 15;
/// COMPUTE_SHADER_EN, FORCE_START_AT_000 and ORDER_MODE of COMPUTE_DISPATCH_INITIATOR: the model's behaviour anyway. PARTIAL_TG_EN is looked at.
const INITIATOR_WITHOUT_MEANING: u32 = 1 << 0 | 1 << 2 | 1 << 6;
/// PARTIAL_TG_EN: the last groups have fewer work-items.
const PARTIAL: u32 = 1 << 1;
/// CS_W32_EN: its waves have 32 lanes, otherwise 64.
const WAVES_OF_32: u32 = 1 << 15;

impl From<CommandError> for Stop {
    fn from(error: CommandError) -> Self {
        match error {
            CommandError::NoAccess(error) => error.into(),
            error => Self::Queue { code: INVALID_CODE, reason: error.to_string() },
        }
    }
}

/// Packets under way.
#[derive(Debug)]
pub(crate) struct Work {
    commands: Commands,
    /// The packet that waits, and where it is.
    waiting: Option<(u64, Packet)>,
}

impl Work {
    /// The packets from the first on.
    pub(crate) fn new(commands: Commands) -> Self {
        Self { commands, waiting: None }
    }
}

/// The state of a ring or a queue, which stays from each command buffer to the next.
#[derive(Debug, Default)]
pub(crate) struct CommandProcessor {
    registers: ShaderRegisters,
    /// The GPU's clock at the end of the executed work; it runs by the cycles of the simulated card and not by the host's time.
    time: u64,
    /// Whether something does not end: nothing after it will ever begin.
    pub(crate) is_stuck: bool,
}

impl CommandProcessor {
    /// Executes packets to their end, or to one that has to wait: then there is its condition.
    ///
    /// # Errors
    /// [`Stop`]: the GPU hangs or has to be reset.
    pub(crate) fn go_on(&mut self, device: &Device, work: &mut Work) -> Result<Option<String>, Stop> {
        self.time = self.time.max(device.clock.gpu());
        while let Some((at, packet)) = match work.waiting.take() {
            Some(waiting) => Some(waiting),
            None => work.commands.next(&device.memory)?,
        } {
            let unmet = self.step(device, &packet).map_err(|stop| stop.at(&format!("packet at {at:#x}")))?;
            if unmet.is_some() {
                work.waiting = Some((at, packet));
                return Ok(unmet);
            }
        }
        Ok(None)
    }

    /// Executes a command buffer, before which everything that it may wait for is done.
    ///
    /// # Errors
    /// [`Stop`]: the GPU hangs or has to be reset.
    pub(crate) fn execute(&mut self, device: &Device, address: u64, bytes: u64) -> Result<(), Stop> {
        let commands = Commands::new(device.card.is_gfx9_or_later(), address, bytes / 4);
        match self.go_on(device, &mut Work::new(commands))? {
            Some(reason) => Err(Stop::Endless { reason }),
            None => Ok(()),
        }
    }

    /// Executes a packet; what it waits for if that is not there.
    fn step(&mut self, device: &Device, packet: &Packet) -> Result<Option<String>, Stop> {
        let memory = &device.memory;
        match *packet {
            Packet::Nothing | Packet::OfEngines { .. } | Packet::Indirect { .. } => (),
            Packet::SetShaderRegisters { first, ref values } => self.registers.set(first, values),
            Packet::Dispatch { groups, initiator } => self.dispatch(device, groups, initiator)?,
            Packet::Write { to, is_one_address, ref values } => {
                let step = if is_one_address { 0 } else { 4 };
                for (i, value) in (0..).zip(values) {
                    memory.write(to + i * step, &value.to_le_bytes())?;
                }
            }
            Packet::Finish { to, data, interrupts } => {
                match data {
                    Data::Nothing => (),
                    Data::Dword(value) => memory.write(to, &value.to_le_bytes())?,
                    Data::Qword(value) => memory.write(to, &value.to_le_bytes())?,
                    Data::Clock => memory.write(to, &self.time.to_le_bytes())?,
                }
                // What is written is the event's mailbox, and the value its number.
                if let (true, Data::Dword(event)) = (interrupts, data) {
                    device.events.set(event, true);
                }
            }
            Packet::Copy { from, to, bytes } => memory.copy(from, to, bytes)?,
            Packet::Fill { to, value, bytes } => memory.fill(to, value, bytes)?,
            Packet::Wait(condition) => {
                let value = memory.load32(condition.address)?;
                if !condition.is_met(value) {
                    return Ok(Some(format!("{value:#x} does not become what {condition:x?} wants")));
                }
            }
        }
        Ok(None)
    }

    fn dispatch(&mut self, device: &Device, groups: [u32; 3], initiator: u32) -> Result<(), Stop> {
        let wrong = |reason: String| Stop::Queue { code: INVALID_CODE, reason };
        let registers = &self.registers;
        let found = (registers.program(), registers.program_registers(device.card.version[0] == 9), registers.group());
        let (Some(program), Some(program_registers), Some(threads)) = found else {
            return Err(wrong("a dispatch before its program, resources or work-group were set".into()));
        };
        let label = format!("the program at {program:#x}");
        let is_users = has_header(device, program, program_registers);
        if let Some(kind) = is_users.then(|| device.faults.unnamed_dispatch()).flatten() {
            return Err(Stop::asked(kind, &label));
        }
        let odd = initiator & !(INITIATOR_WITHOUT_MEANING | PARTIAL | WAVES_OF_32);
        if odd != 0 || registers.start() != [0; 3] {
            return Err(wrong(format!(
                "{label}: a dispatch with initiator {initiator:#x} from {:?} on",
                registers.start()
            )));
        }
        if groups.contains(&0) || threads.iter().any(|(full, _)| *full == 0) {
            return Ok(());
        }
        let group = threads.map(|(full, _)| full);
        let last = threads.map(|(full, partial)| if initiator & PARTIAL == 0 { full } else { partial });
        let grid = [0, 1, 2].map(|i| (groups[i] - 1).checked_mul(group[i])?.checked_add(last[i]));
        let [Some(x), Some(y), Some(z)] = grid else {
            return Err(wrong(format!("{label}: a grid of more than 2^32 work-items in a dimension")));
        };
        let lanes = if initiator & WAVES_OF_32 != 0 { 32 } else { 64 };
        let dispatch = RegisterDispatch {
            program_address: program,
            registers: program_registers,
            user_data: registers.user_data(),
            grid: [x, y, z],
            group,
            wave_size: Some(lanes),
            // The whole of a wave's, for each of its lanes.
            private_segment_bytes: registers.scratch_bytes_per_wave(device.card.is_gfx11_or_later()) / lanes,
            scratch_waves: registers.scratch_waves(),
            apertures: Apertures::of(device.card.gpu.generation),
            // Mesa's own shaders, for fills and copies, are no launches of the program's.
            ordinal: if is_users { device.next_launch() } else { 0 },
            cycle_limit: CYCLE_LIMIT,
        };
        let cycles = device.run_registers(&dispatch, &label)?;
        self.time += device.card.realtime_ticks(cycles);
        Ok(())
    }
}

/// Whether a program has the header that clover's loader leaves in front of it: its registers are in it. Mesa's own shaders have none.
fn has_header(device: &Device, program: u64, registers: ProgramRegisters) -> bool {
    let Some(header) = program.checked_sub(KERNEL_HEADER_BYTES) else { return false };
    // compute_pgm_resource_registers, at byte 48.
    let Ok(found) = device.memory.load64(header + 48) else { return false };
    let [rsrc1, rsrc2] = [found as u32, (found >> 32) as u32];
    rsrc1 == registers.rsrc1 && (rsrc2 ^ registers.rsrc2) & !LDS_SIZE == 0
}
