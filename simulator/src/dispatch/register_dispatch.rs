//! Dispatching a program that lies in memory, as the registers of a command buffer ask for it.
//!
//! Source: AMD "Southern Islands 3D/Compute Register Reference Guide" (2012), the COMPUTE_ registers: what
//! PM4's DISPATCH_DIRECT starts is their content.

use crate::cost::clock::Clock;
use crate::cost::configuration::Configuration;
use crate::dispatch::dispatcher::{LaunchStatistics, Limits, Observer};
use crate::dispatch::initial::Initial;
use crate::dispatch::needs::Needs;
use crate::dispatch::packet::execute;
use crate::dispatch::scratch::ScratchArea;
use crate::dispatch::shape::Shape;
use crate::error::SimulationError;
use crate::memory::aperture::{Apertures, Segments};
use crate::memory::global::Memory;
use gcn_model::code_object::ProgramRegisters;

/// A dispatch by registers. It knows nothing of how a program gets its arguments: user SGPRs are whatever was set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisterDispatch {
    /// Address of the first instruction (COMPUTE_PGM_LO and HI).
    pub program_address: u64,
    /// COMPUTE_PGM_RSRC1 to RSRC3. LDS_SIZE counts 256 bytes on GCN 1.0 and 512 later.
    pub registers: ProgramRegisters,
    /// COMPUTE_USER_DATA_0 and up; `None` for one that was never set, whose value is unknown.
    pub user_data: Vec<Option<u32>>,
    /// Work-items in X, Y and Z.
    pub grid: [u32; 3],
    /// Work-items of a work-group; the groups at the far edges of the grid have fewer where it is no multiple.
    pub group: [u32; 3],
    /// Lanes of a wave; `None` takes those of the GPU.
    pub wave_size: Option<u32>,
    /// Scratch memory of a work-item, bytes. Where FLAT_SCRATCH is architected, the simulator allocates it. Elsewhere the program has the
    /// address of what its driver allocated, and a wave gets its offset there.
    pub private_segment_bytes: u32,
    /// Waves that this memory is for, where the driver allocated it (WAVES of COMPUTE_TMPRING_SIZE).
    pub scratch_waves: u32,
    /// Where FLAT addresses mean LDS and scratch; [`Apertures::of`] has the driver's.
    pub apertures: Apertures,
    /// Number of the launch in the run: where on the free-running clock it lies.
    pub ordinal: u64,
    /// Shader cycles after which the dispatch is given up as endless.
    pub cycle_limit: u64,
}

/// Runs a program that lies in `memory`, and writes its stores back to the backing of `memory`, as
/// [`dispatch`](crate::dispatch()) does.
///
/// # Errors
/// A dispatch that does not fit the GPU, or whose scratch memory is for too few waves; an instruction that cannot be executed, an endless or
/// hanging kernel, a result that is unknown and would have been written back.
pub fn dispatch_registers(
    configuration: &Configuration,
    dispatch: &RegisterDispatch,
    memory: &mut Memory,
) -> Result<LaunchStatistics, SimulationError> {
    observed_registers(configuration, dispatch, memory, None)
}

/// The same before the eyes of an observer, if there is one.
///
/// # Errors
/// Those of [`dispatch_registers`].
pub(crate) fn observed_registers(
    configuration: &Configuration,
    dispatch: &RegisterDispatch,
    memory: &mut Memory,
    observer: Option<&mut Observer>,
) -> Result<LaunchStatistics, SimulationError> {
    let kernel = format!("at {:#x}", dispatch.program_address);
    let wrong = |problem: String| SimulationError::Launch { kernel: kernel.clone(), problem };
    let registers = dispatch.registers;
    let lanes = dispatch.wave_size.unwrap_or(configuration.issue.wave_size);
    let configuration = &*configuration
        .for_waves_of(lanes)
        .ok_or_else(|| wrong(format!("its waves have {lanes} lanes, and the GPU has no such waves")))?;
    let configuration = &*configuration.for_groups_in(registers.group_mode(configuration.generation));
    let has_scratch = registers.wants_scratch_wave_offset();
    let is_drivers = has_scratch && !configuration.generation.descriptor.architected_flat_scratch;
    let waves = if is_drivers { dispatch.scratch_waves } else { u32::MAX };
    let configuration = &*configuration
        .for_at_most(waves)
        .ok_or_else(|| wrong(format!("it has scratch memory for {waves} waves, and the GPU has more SIMDs")))?;
    let shape = Shape { grid: dispatch.grid, group: dispatch.group };
    let lds = registers.lds_granules() * lds_unit(configuration.lds_granule_bytes);
    let needs = Needs::of(configuration, registers, shape, (lds, Needs::MOST_ITEMS)).map_err(wrong)?;
    let item_bytes = if has_scratch { dispatch.private_segment_bytes } else { 0 };
    let needed = ScratchArea::needed(configuration, item_bytes);
    let scratch = if is_drivers { needed } else { needed.allocated(memory).map_err(wrong)? };
    let allocated = (scratch.bytes > 0 && !is_drivers).then_some(scratch.address);
    let user_sgprs = registers.user_sgprs() as usize;
    let initial = Initial {
        shape,
        needs,
        registers,
        user_data: dispatch.user_data.iter().take(user_sgprs).copied().collect(),
        file: registers.vector_file(&configuration.processor.descriptor()),
        scratch,
        segments: Segments { apertures: dispatch.apertures, private_base: scratch.address },
    };
    let clock = Clock::of(configuration, dispatch.ordinal);
    let limits =
        Limits { kernel: &kernel, entry: dispatch.program_address, clock: &clock, cycle_limit: dispatch.cycle_limit };
    execute(configuration, limits, &initial, (memory, allocated), observer)
}

/// The unit that LDS_SIZE counts in: that of 512 bytes where LDS is allocated in pieces of 1024 (LLVM `AMDGPUUsage.rst`,
/// GRANULATED_LDS_SIZE).
fn lds_unit(granule: u32) -> u32 {
    if granule == 1024 { 512 } else { granule }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcn_model::gpu::Gpu;

    /// Takes the work-item's number in its group and the group's through LDS, at `LDS` and up, to the buffer at s[0:1].
    const PROGRAM: [u32; 21] = [
        0xbe84_0300, // s_mov_b32 s4, s0
        0xbe85_0301, // s_mov_b32 s5, s1
        0xbe86_03c1, // s_mov_b32 s6, -1
        0xbe87_03ff, // s_mov_b32 s7, 0xf000
        0x0000_f000, //
        0xbefc_03c1, // s_mov_b32 m0, -1
        0x3402_0082, // v_lshlrev_b32 v1, 2, v0
        0x4a04_02ff, // v_add_i32 v2, vcc, LDS, v1
        0x0000_0000, //
        0x8f03_8802, // s_lshl_b32 s3, s2, 8
        0x4a02_0203, // v_add_i32 v1, vcc, s3, v1
        0x4a00_0002, // v_add_i32 v0, vcc, s2, v0
        0xd834_0000, // ds_write_b32 v2, v0
        0x0000_0002, //
        0xbf8c_007f, // s_waitcnt lgkmcnt(0)
        0xd8d8_0000, // ds_read_b32 v0, v2
        0x0000_0002, //
        0xbf8c_007f, // s_waitcnt lgkmcnt(0)
        0xe070_1000, // buffer_store_dword v0, v1, s[4:7], 0 offen
        0x8001_0001, //
        0xbf81_0000, // s_endpgm
    ];
    /// Where `LDS` is in it.
    const LDS: usize = 8;

    /// The stores of a launch of 100 work-items in two groups, with that many granules of LDS.
    fn run(
        gpu: &str,
        granules: u32,
        lds_address: u32,
        user_data: impl Fn(u64) -> Vec<Option<u32>>,
    ) -> Result<Vec<u32>, SimulationError> {
        let mut words = PROGRAM;
        words[LDS] = lds_address;
        run_with(gpu, &words, user_data, |dispatch| dispatch.registers.rsrc2 |= granules << 15)
    }

    fn run_with(
        gpu: &str,
        words: &[u32],
        user_data: impl Fn(u64) -> Vec<Option<u32>>,
        change: impl Fn(&mut RegisterDispatch),
    ) -> Result<Vec<u32>, SimulationError> {
        let configuration = Configuration::of(&Gpu::named(gpu).unwrap());
        let mut memory = Memory::default();
        let [program, output] = [PROGRAM.len() * 4, 512].map(|bytes| memory.allocate(bytes as u64));
        memory.upload(program, words).unwrap();
        let mut dispatch = RegisterDispatch {
            program_address: program,
            // 8 VGPRs and 16 SGPRs; two user SGPRs, the id X of the group.
            registers: ProgramRegisters { rsrc1: 1 | 1 << 6 | 0xc0 << 12, rsrc2: 2 << 1 | 1 << 7, rsrc3: 0 },
            user_data: user_data(output),
            grid: [100, 1, 1],
            group: [64, 1, 1],
            wave_size: None,
            private_segment_bytes: 0,
            scratch_waves: 0,
            apertures: Apertures::of(configuration.generation),
            ordinal: 0,
            cycle_limit: 100_000,
        };
        change(&mut dispatch);
        let statistics = dispatch_registers(&configuration, &dispatch, &mut memory)?;
        assert_eq!(statistics.waves, 2);
        Ok(memory.download(output, 100).unwrap())
    }

    fn address(output: u64) -> Vec<Option<u32>> {
        vec![Some(output as u32), Some((output >> 32) as u32), Some(7)]
    }

    #[test]
    fn user_data_ids_and_granules_are_as_the_registers_say() {
        let inside: Vec<u32> = (0..64).chain((0..36).map(|item| item + 1)).collect();
        // Beyond the group's LDS writes are dropped, and reads give 0.
        let beyond = vec![0; 100];
        for (gpu, granules, lds_address, is_inside) in [
            ("tahiti", 1, 0, true),
            ("tahiti", 1, 256, false),
            ("tahiti", 3, 512, true),
            ("tahiti", 3, 768, false),
            ("bonaire", 1, 256, true),
            ("bonaire", 1, 512, false),
        ] {
            let expected = if is_inside { &inside } else { &beyond };
            let found = run(gpu, granules, lds_address, address);
            assert_eq!(found.as_ref(), Ok(expected), "{gpu}: {granules} granules, {lds_address}");
        }
    }

    #[test]
    fn waves_get_their_offset_in_the_drivers_scratch_memory() {
        // Adds s3, the offset, in place of the group's number, which is scaled in s8.
        let mut words = PROGRAM;
        (words[LDS + 1], words[LDS + 2], words[LDS + 3]) = (0x8f08_8802, 0x4a02_0208, 0x4a00_0003);
        let run = |waves| {
            run_with("tahiti", &words, address, |dispatch| {
                dispatch.registers.rsrc2 |= 1 | 1 << 15;
                (dispatch.private_segment_bytes, dispatch.scratch_waves) = (16, waves);
            })
        };
        // The second group runs on the second compute unit, after the slots of four SIMDs.
        for (waves, second) in [(80, 40 * 1024), (16, 8 * 1024)] {
            let expected: Vec<u32> = (0..64).chain((0..36).map(|item| item + second)).collect();
            assert_eq!(run(waves), Ok(expected), "{waves}");
        }
        assert!(run(7).unwrap_err().to_string().contains("scratch memory for 7 waves"));
    }

    #[test]
    fn unset_registers_are_unknown() {
        let error = run("tahiti", 1, 0, |output| vec![Some(output as u32), None]).unwrap_err();
        assert!(error.to_string().contains("unknown to the simulator"), "{error}");
    }
}
