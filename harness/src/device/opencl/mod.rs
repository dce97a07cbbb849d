//! Cards through OpenCL: Mesa's clover, and AMD's own driver from GCN 1.2 on.
//!
//! The calls are those of the crate `ocl`. Two things of it are kept from the user. It is linked with OpenCL's loader, without which a program would
//! not start: here its functions are looked up when a device is asked for (`forward`). And it panics on a status that it does not
//! know, and where an object cannot be released: it is not told of these, the message is (`status`).

mod buffer;
mod cards;
mod forward;
mod identity;
mod library;
mod listing;
mod loading;
mod module;
mod opened;
mod pci;
mod query;
mod status;

pub(super) use cards::cards;
pub(super) use opened::OpenClDevice;
