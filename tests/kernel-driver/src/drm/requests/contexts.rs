//! Requests for contexts and lists of buffers.

use crate::driver::Driver;
use crate::drm::request::{BufferList, Context, ContextState, Handle};
use crate::ioctl::{Errno, INVALID, exchange, with};

/// `AMDGPU_CTX_OP_ALLOC_CTX` and those that follow.
const ALLOCATE: u32 = 1;
const FREE: u32 = 2;
const QUERY_STATE: u32 = 3;
const QUERY_STATE_2: u32 = 4;

/// `AMDGPU_CTX_QUERY2_FLAGS_RESET`, `_VRAMLOST` and `_GUILTY`.
const RESET: u64 = 1 << 0;
const GUILTY: u64 = 1 << 2;
/// `AMDGPU_CTX_GUILTY_RESET` and `AMDGPU_CTX_INNOCENT_RESET`.
const GUILTY_RESET: u32 = 1;
const INNOCENT_RESET: u32 = 2;

/// Makes and removes contexts, and says whether the GPU was reset in their time.
pub(super) fn answer(driver: &Driver, argument: &mut [u8]) -> Result<(), Errno> {
    let mut operation = 0;
    with(argument, |context: &mut Context| {
        operation = context.operation;
        Ok(())
    })?;
    let contexts = || driver.drm.contexts();
    match operation {
        ALLOCATE => exchange(argument, |_: Context| Ok(Handle { handle: contexts().create(), pad: 0 })),
        FREE => exchange(argument, |context: Context| contexts().free(context.context).map(|()| context)),
        QUERY_STATE | QUERY_STATE_2 => exchange(argument, |context: Context| state(driver, context)),
        // Fixed clocks for profilers are not there.
        _ => Err(INVALID),
    }
}

fn state(driver: &Driver, context: Context) -> Result<ContextState, Errno> {
    let (was_reset, is_guilty) = driver.drm.contexts().state(context.context)?;
    let reset_status = match (was_reset, is_guilty) {
        (false, _) => 0,
        (true, false) => INNOCENT_RESET,
        (true, true) => GUILTY_RESET,
    };
    let flags = if was_reset { RESET } else { 0 } | if is_guilty { GUILTY } else { 0 };
    // The first form has no flags.
    let flags = if context.operation == QUERY_STATE { 0 } else { flags };
    Ok(ContextState { flags, hangs: u32::from(is_guilty), reset_status })
}

/// A list of the buffers that a submission uses. All buffers are always there, so that any list is as good as the other.
pub(super) fn list(_list: BufferList) -> Result<Handle, Errno> {
    Ok(Handle { handle: 1, pad: 0 })
}
