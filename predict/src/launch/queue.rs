//! The packet of a launch and its queue, as kernels read them in memory.
//!
//! Sources: the HSA Platform System Architecture Specification, "Kernel dispatch packet"; LLVM `AMDGPUUsage.rst`, "Flat Scratch" and
//! `amd_queue_t`, for the apertures.

use gcn_simulator::{Apertures, Memory, Problem};

use super::hidden::dimensions;

/// Dwords of `hsa_kernel_dispatch_packet_t`.
const PACKET_DWORDS: usize = 16;
/// Dwords of `amd_queue_t`, more than any of its versions has.
const QUEUE_DWORDS: usize = 64;

/// Puts a queue into memory and gives its address: of its fields kernels read the high halves of the apertures.
pub(crate) fn put_queue(memory: &mut Memory, apertures: Apertures) -> Result<u64, Problem> {
    let mut queue = [0; QUEUE_DWORDS];
    queue[0x40 / 4] = (apertures.shared >> 32) as u32;
    queue[0x44 / 4] = (apertures.private >> 32) as u32;
    put(memory, &queue)
}

/// Puts the packet of a launch into memory and gives its address.
pub(crate) fn put_packet(
    memory: &mut Memory,
    (grid, group): ([u32; 3], [u32; 3]),
    (private_bytes, group_bytes): (u32, u32),
    (descriptor, kernarg): (u64, u64),
) -> Result<u64, Problem> {
    let mut packet = [0; PACKET_DWORDS];
    // The kind of the packet is 2, a kernel dispatch.
    packet[0] = 2 | dimensions(grid) << 16;
    packet[1] = group[0] | group[1] << 16;
    packet[2] = group[2];
    packet[3..6].copy_from_slice(&grid);
    (packet[6], packet[7]) = (private_bytes, group_bytes);
    for (at, address) in [(8, descriptor), (10, kernarg)] {
        (packet[at], packet[at + 1]) = (address as u32, (address >> 32) as u32);
    }
    put(memory, &packet)
}

/// Puts dwords into memory of their own.
pub(crate) fn put(memory: &mut Memory, words: &[u32]) -> Result<u64, Problem> {
    let address = memory.allocate(words.len() as u64 * 4);
    memory.upload(address, words)?;
    Ok(address)
}
