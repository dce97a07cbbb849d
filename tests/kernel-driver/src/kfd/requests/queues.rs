//! Requests for queues.

use super::{Errno, INVALID, NO_MEMORY};
use crate::driver::Driver;
use crate::kfd::aql::ComputeQueue;
use crate::kfd::pm4::CommandQueue;
use crate::kfd::queue::Queue;
use crate::kfd::request::{CreateQueue, DestroyQueue, UpdateQueue};
use crate::kfd::ring::Ring;
use crate::kfd::sdma::CopyQueue;
use crate::store::{DOORBELL_BYTES, DOORBELLS};

/// `KFD_IOC_QUEUE_TYPE_COMPUTE`: PM4.
const COMMANDS: u32 = 0;
/// `KFD_IOC_QUEUE_TYPE_SDMA`.
const SDMA: u32 = 1;
/// `KFD_IOC_QUEUE_TYPE_COMPUTE_AQL`.
const AQL: u32 = 2;
/// `KFD_MIN_QUEUE_RING_SIZE`.
const LEAST_RING: u32 = 1024;

/// Makes a queue. Its doorbell has not been rung.
pub(super) fn create(driver: &Driver, request: &mut CreateQueue) -> Result<(), Errno> {
    let bytes = request.ring_bytes;
    if !bytes.is_power_of_two() || bytes < LEAST_RING || !matches!(request.kind, COMMANDS | SDMA | AQL) {
        return Err(INVALID);
    }
    // GFX9 says where in the page the doorbell is; before that the thunk computes it from the queue's id.
    let is_gfx9_or_later = driver.device.card.is_gfx9_or_later();
    let slot_bytes = if is_gfx9_or_later { 8 } else { 4 };
    let (ring_base, read_pointer, kind) = (request.ring_base, request.read_pointer, request.kind);
    let make = |id: u32| {
        let offset = DOORBELLS + u64::from(id) * slot_bytes;
        let doorbell = driver.device.store().place(offset, slot_bytes);
        doorbell.write(&[0xff; 8]);
        let ring = Ring { base: ring_base, bytes: u64::from(bytes), read_pointer, doorbell };
        match kind {
            AQL => Queue::Compute(ComputeQueue::new(ring)),
            COMMANDS => Queue::Commands(CommandQueue::new(ring)),
            _ => Queue::Copy(CopyQueue::new(ring)),
        }
    };
    let limit = (DOORBELL_BYTES / 8) as u32;
    let id = driver.processor.add(&driver.device, limit, make).ok_or(NO_MEMORY)?;
    request.queue_id = id;
    request.doorbell_offset = DOORBELLS + if is_gfx9_or_later { u64::from(id) * slot_bytes } else { 0 };
    Ok(())
}

/// Removes a queue, as soon as it is done with its packet.
pub(super) fn destroy(driver: &Driver, request: &mut DestroyQueue) -> Result<(), Errno> {
    driver.processor.remove(request.queue_id).then_some(()).ok_or(INVALID)
}

/// Stops a queue (0 per cent) or lets it go on.
pub(super) fn update(driver: &Driver, request: &mut UpdateQueue) -> Result<(), Errno> {
    driver.processor.set_paused(request.queue_id, request.percentage == 0).then_some(()).ok_or(INVALID)
}
