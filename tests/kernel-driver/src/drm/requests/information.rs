//! `DRM_AMDGPU_INFO`: the driver's facts about the card.

use crate::driver::Driver;
use crate::drm::request::{HardwareIp, Heap, Information, MemoryInformation, MemorySizes};
use crate::ioctl::{Errno, INVALID, pointed};
use crate::report::report;
use gcn_simulated_card::{Card, VRAM_BYTES};

use super::device_information::device_information;

const ACCELERATION_WORKING: u32 = 0x00;
const HARDWARE_IP: u32 = 0x02;
const HARDWARE_IP_COUNT: u32 = 0x03;
const TIMESTAMP: u32 = 0x05;
const FIRMWARE_VERSION: u32 = 0x0e;
const BYTES_MOVED: u32 = 0x0f;
const VRAM_USAGE: u32 = 0x10;
const GTT_USAGE: u32 = 0x11;
const MEMORY_SIZES: u32 = 0x14;
const READ_REGISTERS: u32 = 0x15;
const DEVICE: u32 = 0x16;
const VISIBLE_VRAM_USAGE: u32 = 0x17;
const EVICTIONS: u32 = 0x18;
const MEMORY: u32 = 0x19;
const SENSOR: u32 = 0x1d;
const PAGE_FAULTS: u32 = 0x1e;
const VIDEO_CAPABILITIES: u32 = 0x21;
const MOST_COMMAND_BUFFERS: u32 = 0x22;

/// Types of hardware: graphics and compute rings.
const GRAPHICS: u32 = 0;
const COMPUTE: u32 = 1;

/// Bytes of the card's memory that the host sees: the window that cards of these generations have.
const VISIBLE_VRAM_BYTES: u64 = 256 << 20;
/// Bytes of the host's memory that the GPU may use.
const GTT_BYTES: u64 = 4 << 30;

/// Answers a query; the answer is written to where the query says.
pub(super) fn answer(driver: &Driver, query: Information) -> Result<Information, Errno> {
    let card = &driver.device.card;
    let [vram, gtt] = driver.drm.buffers().used_bytes();
    let visible = vram.min(VISIBLE_VRAM_BYTES);
    match query.query {
        ACCELERATION_WORKING => give(query, &1_u32),
        HARDWARE_IP => give(query, &hardware_ip(card, query.operands[0])),
        HARDWARE_IP_COUNT => give(query, &u32::from(matches!(query.operands[0], GRAPHICS | COMPUTE))),
        TIMESTAMP => give(query, &driver.device.clock.gpu()),
        // No firmware is there whose version Mesa could count on.
        FIRMWARE_VERSION => give(query, &[0_u32; 2]),
        VRAM_USAGE => give(query, &vram),
        VISIBLE_VRAM_USAGE => give(query, &visible),
        GTT_USAGE => give(query, &gtt),
        BYTES_MOVED | EVICTIONS | PAGE_FAULTS => give(query, &0_u64),
        MEMORY_SIZES => {
            give(query, &MemorySizes { vram: VRAM_BYTES, visible_vram: VISIBLE_VRAM_BYTES, gtt: GTT_BYTES })
        }
        MEMORY => {
            let heap =
                |bytes: u64, used_bytes| Heap { bytes, usable_bytes: bytes, used_bytes, most_bytes: bytes * 3 / 4 };
            let [vram, visible_vram] = [heap(VRAM_BYTES, vram), heap(VISIBLE_VRAM_BYTES, visible)];
            give(query, &MemoryInformation { vram, visible_vram, gtt: heap(GTT_BYTES, gtt) })
        }
        READ_REGISTERS => read_registers(card, query),
        DEVICE => give(query, &device_information(card)),
        // Mesa asks and does without: there are neither sensors nor video engines, and Linux 6.1 does not know the last one.
        SENSOR | VIDEO_CAPABILITIES | MOST_COMMAND_BUFFERS => Err(INVALID),
        number => {
            report(format_args!("the DRM driver does not know query {number:#04x} of AMDGPU_INFO"));
            Err(INVALID)
        }
    }
}

/// Writes an answer, cut to the room that there is.
fn give<T: bytemuck::NoUninit>(query: Information, value: &T) -> Result<Information, Errno> {
    let bytes = bytemuck::bytes_of(value);
    let count = bytes.len().min(query.bytes as usize);
    pointed(query.pointer, count as u64)?.write(&bytes[..count]);
    Ok(query)
}

/// Rings of a type of hardware: one for graphics, and for compute 2 before GFX7 and 8 from there on (Linux, `gfx_v6_0.c`, `gfx_v7_0.c`). The copy
/// engines are not there, which Mesa 22.3 uses for images alone; nor is any for video.
fn hardware_ip(card: &Card, kind: u32) -> HardwareIp {
    let rings = match kind {
        GRAPHICS => 1,
        COMPUTE if card.version[0] == 6 => 0b11,
        COMPUTE => 0xff,
        _ => 0,
    };
    // Mesa looks at the minor version on GFX10 alone.
    let [major, start_alignment, size_alignment] = if rings == 0 { [0; 3] } else { [card.version[0], 32, 32] };
    HardwareIp { major, minor: 0, capabilities: 0, start_alignment, size_alignment, rings, discovery: 0 }
}

/// Registers of the graphics block by dword offset. libdrm 2.4.114 reads them at its start (`amdgpu_gpu_info.c`), and their content is about
/// images, which are not there: where they lie in memory, and which render backends write them.
fn read_registers(card: &Card, query: Information) -> Result<Information, Errno> {
    const BACKEND_DISABLE: u32 = 0x263d;
    const ADDRESS_CONFIG: u32 = 0x263e;
    const TILE_MODES: std::ops::Range<u32> = 0x2644..0x2664;
    const MACRO_TILE_MODES: std::ops::Range<u32> = 0x2664..0x2674;
    const RASTER_CONFIG: u32 = 0xa0d4;
    const RASTER_CONFIG_1: u32 = 0xa0d5;
    const MEMORY_CONFIG: u32 = 0x09d8;
    /// Entry 8 of the table is "linear, aligned": ARRAY_MODE 1 (the same as the KFD's table says).
    const LINEAR: u32 = 0x2644 + 8;
    let [first, count, _instance, _flags] = query.operands;
    let value = |offset: u32| match offset {
        ADDRESS_CONFIG => Ok(card.chip.address_config),
        LINEAR => Ok(1 << 2),
        // MC_ARB_RAMCFG: NOOFBANK 2, which is 16 banks.
        MEMORY_CONFIG => Ok(2),
        BACKEND_DISABLE | RASTER_CONFIG | RASTER_CONFIG_1 => Ok(0),
        offset if TILE_MODES.contains(&offset) || MACRO_TILE_MODES.contains(&offset) => Ok(0),
        offset => {
            report(format_args!("the DRM driver does not know the register at dword {offset:#x}"));
            Err(INVALID)
        }
    };
    let values = (first..first.saturating_add(count.min(128))).map(value).collect::<Result<Vec<u32>, Errno>>()?;
    let bytes: &[u8] = bytemuck::cast_slice(&values);
    let count = bytes.len().min(query.bytes as usize);
    pointed(query.pointer, count as u64)?.write(&bytes[..count]);
    Ok(query)
}
