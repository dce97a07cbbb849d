//! The header before a kernel's code: `amd_kernel_code_t`, of which Mesa reads the two resource registers, the properties and the
//! scratch of a work-item.
//!
//! Source: LLVM's `AMDKernelCodeT.h` (layout, constants), Mesa's `si_compute.c` (fields that it reads).

use super::super::{CodeObjectError, Kernel};
use crate::isa::Generation;

/// Size of the header, bytes. Mesa starts the code right after it, whatever the header says.
pub(super) const BYTES: usize = 256;
/// Kernel arguments as all kernels of this project take them, bytes: u64 results, u32 their size and u32 passes of longer code
/// (a single argument for clover), u64 scratch memory.
pub(super) const KERNARG_BYTES: u32 = 24;
/// `ENABLE_SGPR_KERNARG_SEGMENT_PTR`: s[0:1] hold the address of the kernel arguments. It is the same bit in both formats.
const KERNARG_POINTER: u16 = 1 << 3;
/// User SGPRs that go with it.
const USER_SGPRS: u32 = 2;
/// COMPUTE_PGM_RSRC2, bit 0: SCRATCH_EN.
const SCRATCH_EN: u32 = 1;
/// COMPUTE_PGM_RSRC2: place and width of LDS_SIZE.
const LDS_SIZE_BIT: u32 = 15;
const MOST_LDS_BLOCKS: u32 = (1 << 9) - 1;

/// The header of a kernel with this LDS per work-group; `isa` is major, minor and stepping of the target.
///
/// # Errors
/// A kernel that clover cannot be given.
pub(super) fn kernel_header(
    kernel: &Kernel,
    generation: Generation,
    isa: [u16; 3],
    lds_bytes: u32,
) -> Result<[u8; BYTES], CodeObjectError> {
    let problem = |problem: String| CodeObjectError::Kernel { kernel: kernel.name.clone(), problem };
    let descriptor = &kernel.descriptor;
    if descriptor.kernarg_bytes == 0 {
        return Err(problem("it has no arguments, which crashes clover".into()));
    }
    if descriptor.kernarg_bytes != KERNARG_BYTES {
        let bytes = descriptor.kernarg_bytes;
        return Err(problem(format!("it has {bytes} bytes of arguments, but clover passes {KERNARG_BYTES}")));
    }
    if descriptor.code_properties != KERNARG_POINTER || descriptor.registers.user_sgprs() != USER_SGPRS {
        return Err(problem("it needs other user SGPRs than the address of its arguments in s[0:1]".into()));
    }
    if descriptor.private_segment_bytes != 0 || descriptor.registers.rsrc2 & SCRATCH_EN != 0 {
        return Err(problem("it needs private memory, which clover does not provide".into()));
    }
    let granules = &generation.descriptor;
    let block = granules.lds_granule_bytes;
    let lds_bytes = lds_bytes.saturating_add(descriptor.group_segment_bytes);
    let blocks = lds_bytes.div_ceil(block);
    if blocks > MOST_LDS_BLOCKS {
        return Err(problem(format!("{lds_bytes} bytes of LDS are more than the hardware can be asked for")));
    }
    let rsrc2 = descriptor.registers.rsrc2 & !(MOST_LDS_BLOCKS << LDS_SIZE_BIT) | blocks << LDS_SIZE_BIT;

    let mut header = [0; BYTES];
    let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
    // Version 1.2 of the structure, an AMD GPU, its target, where the code starts.
    put(0, &1u32.to_le_bytes());
    put(4, &2u32.to_le_bytes());
    put(8, &1u16.to_le_bytes());
    for (index, number) in isa.into_iter().enumerate() {
        put(10 + 2 * index, &number.to_le_bytes());
    }
    put(16, &(BYTES as u64).to_le_bytes());
    put(48, &descriptor.registers.rsrc1.to_le_bytes());
    put(52, &rsrc2.to_le_bytes());
    put(56, &u32::from(KERNARG_POINTER).to_le_bytes());
    put(64, &lds_bytes.to_le_bytes());
    put(72, &u64::from(KERNARG_BYTES).to_le_bytes());
    // Mesa prints these two when it is asked to debug.
    put(84, &(descriptor.registers.sgprs(granules) as u16).to_le_bytes());
    put(86, &(descriptor.registers.vgprs(granules) as u16).to_le_bytes());
    // Log2 of alignments (kernel arguments, group, private segment) and of the wave's size.
    put(100, &[4, 4, 4, 6]);
    // No calling convention.
    put(104, &(-1i32).to_le_bytes());
    Ok(header)
}
