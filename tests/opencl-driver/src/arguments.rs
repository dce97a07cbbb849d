//! Arguments of a kernel, as the program sets them.

use opencl_sys::*;

use crate::failure::{Done, Failure, require};
use crate::handle::Handle;
use crate::metadata::{Argument, ValueKind};

/// An argument that was set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    /// The bytes of a value.
    Bytes(Vec<u8>),
    /// A buffer, or null. The kernel does not keep the buffer: it may be released before the kernel is enqueued.
    Buffer(Option<Handle>),
    /// So many bytes of LDS.
    Local(usize),
}

impl Value {
    /// Checks an argument against the kernel's parameter. `bytes` is nothing if the program passed null.
    ///
    /// # Errors
    /// The code that `clSetKernelArg` gives.
    pub(crate) fn new(argument: &Argument, size: usize, bytes: Option<Vec<u8>>) -> Done<Self> {
        let size_is = |wanted: usize, what: &str| {
            require(size == wanted, CL_INVALID_ARG_SIZE, || {
                format!("{size} bytes, and the kernel takes {what} of {wanted}")
            })
        };
        match argument.kind {
            ValueKind::ByValue => {
                size_is(argument.bytes, "a value")?;
                let null = || Failure::wrong(CL_INVALID_ARG_VALUE, "null, and the kernel takes a value");
                Ok(Self::Bytes(bytes.ok_or_else(null)?))
            }
            ValueKind::GlobalBuffer => {
                size_is(size_of::<cl_mem>(), "a cl_mem")?;
                let address = bytes.and_then(|bytes| bytes.try_into().ok()).map_or(0, usize::from_ne_bytes);
                let handle = Handle::of(std::ptr::without_provenance_mut::<u8>(address));
                Ok(Self::Buffer((address != 0).then_some(handle)))
            }
            _ => {
                require(bytes.is_none(), CL_INVALID_ARG_VALUE, || {
                    "not null, and the kernel takes local memory".into()
                })?;
                require(size > 0, CL_INVALID_ARG_SIZE, || "0 bytes of local memory".into())?;
                Ok(Self::Local(size))
            }
        }
    }
}
