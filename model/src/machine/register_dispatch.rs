//! Dispatching a program that lies in memory, as the registers of a command buffer ask for it.
//!
//! Source: AMD "Southern Islands 3D/Compute Register Reference Guide" (2012), the COMPUTE_ registers: what
//! PM4's DISPATCH_DIRECT starts is what they hold.

use super::aperture::{Apertures, Segments};
use super::configuration::Configuration;
use super::dispatch::{MAX_GROUP, execute, needs};
use super::dispatcher::{LaunchStatistics, Limits};
use super::error::MachineError;
use super::initial::{Initial, Shape};
use super::memory::Memory;
use super::scratch::ScratchArea;
use crate::code_object::ProgramRegisters;

/// A dispatch by registers. It knows nothing of how a program gets its arguments: user SGPRs are whatever was set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisterDispatch {
    /// Address of the first instruction (COMPUTE_PGM_LO and HI).
    pub program_address: u64,
    /// COMPUTE_PGM_RSRC1 and RSRC2. LDS_SIZE counts granules of the GPU's, 256 bytes on GCN 1.0 and 512 later.
    pub registers: ProgramRegisters,
    /// COMPUTE_USER_DATA_0 and up; `None` for one that was never set, whose value is unknown.
    pub user_data: Vec<Option<u32>>,
    /// Work-items in X, Y and Z.
    pub grid: [u32; 3],
    /// Work-items of a work-group; the groups at the far edges of the grid have fewer where it is no multiple.
    pub group: [u32; 3],
    /// Where FLAT addresses mean LDS and scratch; [`Apertures::of`] has the driver's.
    pub apertures: Apertures,
    /// Number of the launch in the run: where on the free-running clock it lies.
    pub ordinal: u64,
    /// Shader cycles after which the dispatch is given up as endless.
    pub cycle_limit: u64,
}

/// Runs a program that lies in `memory`, and writes what it stored back to what is behind `memory`, as
/// [`dispatch`](super::dispatch) does.
///
/// # Errors
/// A dispatch that does not fit the GPU or wants scratch memory, which only AMDHSA kernels are given; an instruction that cannot be
/// executed, an endless or hanging kernel, a result that is unknown and would have been written back.
pub fn dispatch_registers(
    configuration: &Configuration,
    dispatch: &RegisterDispatch,
    memory: &mut Memory,
) -> Result<LaunchStatistics, MachineError> {
    let kernel = format!("at {:#x}", dispatch.program_address);
    let wrong = |problem: String| MachineError::Launch { kernel: kernel.clone(), problem };
    let registers = dispatch.registers;
    if registers.wants_scratch_wave_offset() {
        return Err(wrong("it wants scratch memory, which the reference model gives to AMDHSA kernels only".into()));
    }
    let shape = Shape { grid: dispatch.grid, group: dispatch.group };
    let lds = registers.lds_granules() * configuration.lds_granule_bytes;
    let needs = needs(configuration, registers, shape, (lds, MAX_GROUP)).map_err(wrong)?;
    let user_sgprs = registers.user_sgprs() as usize;
    let initial = Initial {
        shape,
        needs,
        registers,
        user_data: dispatch.user_data.iter().take(user_sgprs).copied().collect(),
        scratch: ScratchArea::default(),
        segments: Segments { apertures: dispatch.apertures, private_base: 0 },
    };
    let limits = Limits {
        kernel: &kernel,
        entry: dispatch.program_address,
        ordinal: dispatch.ordinal,
        cycle_limit: dispatch.cycle_limit,
    };
    execute(configuration, limits, &initial, memory, None)
}
