//! The functions of the API, each with the checks of its section of the specification.
#![expect(unsafe_code, reason = "the functions of a dispatch table take what the program passes: pointers")]
// Every function of this module has the contract of the API function that it names: pointers are null or valid for
// read or written there. Each wraps its pointers at once.

pub(crate) mod context;
pub(crate) mod device;
pub(crate) mod enqueue;
pub(crate) mod event;
pub(crate) mod kernel;
pub(crate) mod memory;
pub(crate) mod platform;
pub(crate) mod program;
pub(crate) mod queue;
pub(crate) mod transfer;
