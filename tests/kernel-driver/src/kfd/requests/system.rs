//! Requests about the whole system.

use gcn_simulator::Apertures as Segments;

use super::{Errno, pointed};
use crate::clock::SYSTEM_HZ;
use crate::driver::Driver;
use crate::kfd::request::{Apertures, ClockCounters, DeviceApertures, RuntimeEnable, TileConfig, Version, XnackMode};
use crate::kfd::topology::GPU_ID;

/// Bytes of the parts of the flat address space that mean LDS and scratch memory.
const APERTURE_BYTES: u64 = 1 << 32;
/// First address that the GPU may use.
const FIRST_ADDRESS: u64 = 0x100_0000;

/// The version of the requests: that with the age of events, without which a thread of ROCr 6.4 misses what another one takes. ROCr 6 and
/// later want to know what memory is left (1.9). Of what lies between, checkpoints (1.7) and the debugger (1.13) do not exist here.
pub(super) fn version(version: &mut Version) -> Result<(), Errno> {
    *version = Version { major: 1, minor: 14 };
    Ok(())
}

/// All clocks at the same time.
pub(super) fn clocks(driver: &Driver, counters: &mut ClockCounters) -> Result<(), Errno> {
    let clock = &driver.device.clock;
    let system = clock.system();
    *counters = ClockCounters { gpu: clock.gpu(), cpu: system, system, system_hz: SYSTEM_HZ, ..*counters };
    Ok(())
}

/// The address space of the GPU.
pub(super) fn apertures(driver: &Driver, request: &mut Apertures) -> Result<(), Errno> {
    let room = request.nodes;
    request.nodes = 1;
    if room == 0 {
        return Ok(());
    }
    // GFX8 has addresses of 40 bits, GFX9 of 47 for a process.
    let bits = if driver.device.card.is_gfx9_or_later() { 47 } else { 40 };
    let Segments { shared, private } = Segments::of(driver.device.card.gpu.generation);
    let apertures = DeviceApertures {
        lds_base: shared,
        lds_limit: shared + APERTURE_BYTES - 1,
        scratch_base: private,
        scratch_limit: private + APERTURE_BYTES - 1,
        gpuvm_base: FIRST_ADDRESS,
        gpuvm_limit: (1 << bits) - 1,
        gpu_id: GPU_ID,
        pad: 0,
    };
    let bytes = bytemuck::bytes_of(&apertures);
    pointed(request.apertures, bytes.len() as u64)?.write(bytes);
    Ok(())
}

/// The layout of images in memory. ROCr's image library for GFX8 asserts some of it, though nothing here uses images: two
/// banks (encoded), one rank, entry 8 of the table is "linear, aligned", and the tables have the lengths of the hardware's.
pub(super) fn tiles(tiles: &mut TileConfig) -> Result<(), Errno> {
    const LINEAR_ALIGNED: (u64, u32) = (8, 1 << 2);
    // Linux: GB_TILE_MODE0 to 31 and GB_MACROTILE_MODE0 to 15.
    tiles.tile_count = tiles.tile_count.min(32);
    tiles.macro_tile_count = tiles.macro_tile_count.min(16);
    for (address, count) in [(tiles.tiles, tiles.tile_count), (tiles.macro_tiles, tiles.macro_tile_count)] {
        if address != 0 && count > 0 {
            pointed(address, 4 * u64::from(count))?.write(&vec![0; 4 * count as usize]);
        }
    }
    if u64::from(tiles.tile_count) > LINEAR_ALIGNED.0 {
        pointed(tiles.tiles + 4 * LINEAR_ALIGNED.0, 4)?.store32(LINEAR_ALIGNED.1);
    }
    (tiles.address_config, tiles.banks, tiles.ranks) = (0, 2, 0);
    Ok(())
}

/// A debugger of the runtime's is not there: it can only be told to go (KFD_RUNTIME_ENABLE_MODE_ENABLE_MASK).
pub(super) fn runtime(request: &mut RuntimeEnable) -> Result<(), Errno> {
    if request.mode_mask & 1 != 0 { Err(super::INVALID) } else { Ok(()) }
}

/// Page faults are never retried.
pub(super) fn xnack(mode: &mut XnackMode) -> Result<(), Errno> {
    if mode.enabled > 0 {
        return Err(super::INVALID);
    }
    mode.enabled = 0;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_satisfies_rocm_6() {
        let mut answer = Version { major: 0, minor: 0 };
        version(&mut answer).unwrap();
        // AVAILABLE_MEMORY came with 1.9, the age of events with 1.14.
        assert!((answer.major, answer.minor) >= (1, 14), "{answer:?}");
    }
}
