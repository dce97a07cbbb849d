//! Requests for events.

use std::time::Duration;

use super::{Errno, INVALID, NO_MEMORY, pointed};
use crate::driver::Driver;
use crate::kfd::event::{Awaited, SIGNAL, Wait};
use crate::kfd::request::{CreateEvent, EventData, EventId, WaitEvents};

/// No time limit.
const FOR_EVER: u32 = u32::MAX;

/// Where the page of signal events would be mapped from (`KFD_MMAP_TYPE_EVENTS`). The thunk of a card has given the driver a
/// page of its own and maps nothing; but where this is 0 it leaves signals without a mailbox, and no thread is woken.
const EVENT_PAGE: u64 = 2 << 62;

/// Makes an event.
pub(super) fn create(driver: &Driver, request: &mut CreateEvent) -> Result<(), Errno> {
    let id = driver.device.events.create(request.kind, request.auto_reset != 0).ok_or(NO_MEMORY)?;
    (request.event_id, request.slot) = (id, id);
    if request.kind == SIGNAL {
        (request.trigger_data, request.page_offset) = (id, EVENT_PAGE);
    }
    Ok(())
}

/// Removes an event.
pub(super) fn destroy(driver: &Driver, request: &mut EventId) -> Result<(), Errno> {
    driver.device.events.destroy(request.event_id).then_some(()).ok_or(INVALID)
}

/// Sets or resets an event.
pub(super) fn set(driver: &Driver, request: &mut EventId, is_set: bool) -> Result<(), Errno> {
    driver.device.events.set(request.event_id, is_set).then_some(()).ok_or(INVALID)
}

/// Waits for events, and says what came with those that are set.
pub(super) fn wait(driver: &Driver, request: &mut WaitEvents) -> Result<(), Errno> {
    let size = size_of::<EventData>() as u64;
    let list = pointed(request.events, size * u64::from(request.count))?;
    let entries = (0..u64::from(request.count)).filter_map(|i| list.at(i * size));
    let read = |entry: &crate::place::Place| {
        let mut data = EventData { data: [0; 8], extension: 0, event_id: 0, pad: 0 };
        entry.read(bytemuck::bytes_of_mut(&mut data));
        data
    };
    let entries: Vec<_> = entries.map(|entry| (entry, read(&entry))).collect();
    let awaited = |(_, entry): &(_, EventData)| {
        let last_age = u64::from(entry.data[0]) | u64::from(entry.data[1]) << 32;
        Awaited { id: entry.event_id, last_age }
    };
    let awaited: Vec<Awaited> = entries.iter().map(awaited).collect();
    let timeout = (request.timeout_ms != FOR_EVER).then(|| Duration::from_millis(u64::from(request.timeout_ms)));
    request.result = match driver.device.events.wait(&awaited, request.for_all != 0, timeout) {
        Wait::Complete(happened) => {
            for ((entry, data), happened) in entries.into_iter().zip(happened) {
                if let Some(happened) = happened {
                    entry.write(bytemuck::bytes_of(&EventData { data: happened, ..data }));
                }
            }
            0
        }
        Wait::Timeout => 1,
        Wait::Fail => 2,
    };
    Ok(())
}
