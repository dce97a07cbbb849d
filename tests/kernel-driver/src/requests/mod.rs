//! What the kernel driver answers to each request.

mod events;
mod memory;
mod queues;
mod system;

use bytemuck::Pod;

use crate::driver::Driver;
use crate::place::Place;
use crate::request as r;

pub(crate) use memory::Allocations;

/// An error number of the C library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Errno(pub(crate) i32);

/// No such id or handle, or a request that the driver does not know.
const INVALID: Errno = Errno(libc::EINVAL);
/// A pointer to nothing.
const BAD_ADDRESS: Errno = Errno(libc::EFAULT);
/// No memory of the kind that is asked for.
const NO_MEMORY: Errno = Errno(libc::ENOMEM);
/// The device is gone.
const NO_DEVICE: Errno = Errno(libc::ENODEV);

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
        r::AVAILABLE_MEMORY => with(argument, |available| memory::available(driver, available)),
        // Nothing of these exists in the reference model: caches, traps, masks of compute units.
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

/// Gives a request its structure. One that is shorter, from an older header, is filled up with zeros, as Linux does.
fn with<T: Pod>(argument: &mut [u8], handle: impl FnOnce(&mut T) -> Result<(), Errno>) -> Result<(), Errno> {
    let mut value = T::zeroed();
    let count = argument.len().min(size_of::<T>());
    bytemuck::bytes_of_mut(&mut value)[..count].copy_from_slice(&argument[..count]);
    let answered = handle(&mut value);
    argument[..count].copy_from_slice(&bytemuck::bytes_of(&value)[..count]);
    answered
}

/// Memory of the process which a request points to.
#[expect(unsafe_code, reason = "a request may hold pointers")]
fn pointed(address: u64, bytes: u64) -> Result<Place, Errno> {
    if address == 0 || bytes == 0 {
        return Err(BAD_ADDRESS);
    }
    // SAFETY: the header of the request says that there are so many bytes; who makes requests vouches for it.
    Ok(unsafe { Place::new(address as usize, bytes) })
}
