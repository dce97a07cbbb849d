//! Requests for synchronisation objects, by which Mesa 24.1 and later waits for submissions.

use crate::driver::Driver;
use crate::drm::contexts::End;
use crate::drm::request::{Handle, SyncCreate, SyncWait};
use crate::ioctl::{Errno, INVALID, pointed};

use super::submissions::wait_until;

/// `DRM_SYNCOBJ_CREATE_SIGNALED`.
const SIGNALLED: u32 = 1 << 0;
/// `DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL` and `DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT`.
const ALL: u32 = 1 << 0;
const FOR_SUBMISSION: u32 = 1 << 1;
/// The time is over.
const TIME_OUT: Errno = Errno(libc::ETIME);

/// Makes one.
pub(super) fn create(driver: &Driver, create: &mut SyncCreate) -> Result<(), Errno> {
    if create.flags & !SIGNALLED != 0 {
        return Err(INVALID);
    }
    create.handle = driver.drm.sync_objects().create(create.flags & SIGNALLED != 0);
    Ok(())
}

/// Removes one.
pub(super) fn destroy(driver: &Driver, object: &mut Handle) -> Result<(), Errno> {
    driver.drm.sync_objects().destroy(object.handle)
}

/// Waits for one or for all, until an absolute time of the monotonic clock in nanoseconds. A reset signals as well: the context tells it.
pub(super) fn wait(driver: &Driver, wait: &mut SyncWait) -> Result<(), Errno> {
    if wait.flags & !(ALL | FOR_SUBMISSION) != 0 || wait.count == 0 {
        return Err(INVALID);
    }
    let place = pointed(wait.handles, 4 * u64::from(wait.count))?;
    let mut bytes = vec![0; 4 * wait.count as usize];
    place.read(&mut bytes);
    let handles: Vec<u32> =
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    let ends = || -> Result<Vec<Option<End>>, Errno> {
        handles.iter().map(|handle| driver.drm.sync_objects().end(*handle)).collect()
    };
    if wait.flags & FOR_SUBMISSION == 0 && ends()?.contains(&None) {
        return Err(INVALID);
    }
    let is_signalled = |end: &Option<End>| matches!(end, Some(End::Done | End::Reset));
    let first = || -> Result<Option<usize>, Errno> {
        let ends = ends()?;
        let first = ends.iter().position(is_signalled);
        Ok(first.filter(|_| wait.flags & ALL == 0 || ends.iter().all(is_signalled)))
    };
    let found = wait_until(wait.timeout.max(0) as u64, first)?.ok_or(TIME_OUT)?;
    wait.first_signalled = found as u32;
    Ok(())
}
