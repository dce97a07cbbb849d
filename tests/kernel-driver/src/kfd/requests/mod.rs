//! The kernel driver's answer to each request.

mod events;
mod memory;
mod queues;
mod system;

use crate::driver::Driver;
use crate::ioctl::{Errno, INVALID, NO_DEVICE, NO_MEMORY, pointed, with};
use crate::kfd::request as r;

/// Answers a request; `argument` is its structure, in and out.
///
/// # Errors
/// The error number that `ioctl` gives back.
pub(crate) fn answer(driver: &Driver, number: u8, argument: &mut [u8]) -> Result<(), Errno> {
    if driver.device.is_gone() {
        return Err(NO_DEVICE);
    }
    match number {
        r::GET_VERSION => with(argument, system::version),
        r::GET_CLOCK_COUNTERS => with(argument, |counters| system::clocks(driver, counters)),
        r::GET_PROCESS_APERTURES_NEW => with(argument, |apertures| system::apertures(driver, apertures)),
        r::GET_TILE_CONFIG => with(argument, system::tiles),
        r::SET_XNACK_MODE => with(argument, system::xnack),
        r::RUNTIME_ENABLE => with(argument, system::runtime),
        r::AVAILABLE_MEMORY => with(argument, |available| memory::available(driver, available)),
        // Nothing of these exists in the simulator: caches, traps, masks of compute units.
        r::SET_MEMORY_POLICY | r::SET_SCRATCH_BACKING_VA | r::SET_TRAP_HANDLER | r::ACQUIRE_VM | r::SET_CU_MASK => {
            Ok(())
        }
        r::ALLOC_MEMORY_OF_GPU => with(argument, |allocate| memory::allocate(driver, allocate)),
        r::FREE_MEMORY_OF_GPU => with(argument, |free| memory::free(driver, free)),
        r::MAP_MEMORY_TO_GPU => with(argument, |map| memory::map(driver, map, true)),
        r::UNMAP_MEMORY_FROM_GPU => with(argument, |map| memory::map(driver, map, false)),
        r::CREATE_QUEUE => with(argument, |create| queues::create(driver, create)),
        r::DESTROY_QUEUE => with(argument, |destroy| queues::destroy(driver, destroy)),
        r::UPDATE_QUEUE => with(argument, |update| queues::update(driver, update)),
        r::CREATE_EVENT => with(argument, |create| events::create(driver, create)),
        r::DESTROY_EVENT => with(argument, |event| events::destroy(driver, event)),
        r::SET_EVENT => with(argument, |event| events::set(driver, event, true)),
        r::RESET_EVENT => with(argument, |event| events::set(driver, event, false)),
        r::WAIT_EVENTS => with(argument, |wait| events::wait(driver, wait)),
        _ => Err(INVALID),
    }
}
