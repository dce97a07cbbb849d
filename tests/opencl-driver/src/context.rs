//! Contexts.

use std::sync::Arc;

use crate::device::Device;
use crate::failure::{Done, require};
use crate::handle::Handle;
use opencl_sys::CL_INVALID_CONTEXT;

/// A context of the one device.
#[derive(Debug)]
pub(crate) struct Context {
    /// `cl_context`.
    pub(crate) handle: Handle,
    pub(crate) device: Arc<Device>,
    /// The properties that it was made with, the final zero included; nothing if there were none.
    pub(crate) properties: Vec<usize>,
}

impl Context {
    /// Checks that something belongs to this context.
    pub(crate) fn check_same(&self, other: &Self, what: &str) -> Done<()> {
        require(self.handle == other.handle, CL_INVALID_CONTEXT, || format!("{what} is of another context"))
    }
}
