//! The DRM driver's answer to each request.

mod buffers;
mod contexts;
mod device_information;
mod information;
mod submissions;
mod sync_objects;
mod version;

use crate::driver::Driver;
use crate::drm::request as r;
use crate::ioctl::{Errno, INVALID, NO_DEVICE, exchange, with};
use crate::report::report;

/// Answers a request; `argument` is its structure, in and out.
///
/// # Errors
/// The error number that `ioctl` gives back.
pub(crate) fn answer(driver: &Driver, number: u8, argument: &mut [u8]) -> Result<(), Errno> {
    if driver.device.is_gone() {
        return Err(NO_DEVICE);
    }
    match number {
        r::VERSION => with(argument, version::version),
        r::GET_CAP => with(argument, version::capability),
        r::SYNCOBJ_CREATE => with(argument, |create| sync_objects::create(driver, create)),
        r::SYNCOBJ_DESTROY => with(argument, |object| sync_objects::destroy(driver, object)),
        r::SYNCOBJ_WAIT => with(argument, |wait| sync_objects::wait(driver, wait)),
        r::INFO => exchange(argument, |query| information::answer(driver, query)),
        r::GEM_CREATE => exchange(argument, |create| buffers::create(driver, create)),
        r::GEM_USERPTR => with(argument, |pointer| buffers::adopt(driver, pointer)),
        r::GEM_CLOSE => with(argument, |close| buffers::close(driver, close)),
        r::GEM_MMAP => exchange(argument, |handle| buffers::offset(driver, handle)),
        r::GEM_VA => with(argument, |map| buffers::map(driver, map)),
        r::GEM_OP => with(argument, |operation| buffers::operate(driver, operation)),
        r::GEM_METADATA => with(argument, |metadata| buffers::metadata(driver, metadata)),
        r::GEM_WAIT_IDLE => exchange(argument, |wait| submissions::wait_idle(driver, wait)),
        r::CTX => contexts::answer(driver, argument),
        r::BO_LIST => exchange(argument, contexts::list),
        r::CS => exchange(argument, |submission| submissions::submit(driver, submission)),
        r::WAIT_CS => exchange(argument, |wait| submissions::wait(driver, wait)),
        number => {
            report(format_args!("the DRM driver does not know request {number:#04x}"));
            Err(INVALID)
        }
    }
}
