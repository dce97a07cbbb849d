//! Arguments of a kernel: what the program may set, and the bytes that the kernel reads.

use std::sync::Arc;

use opencl_sys::*;

use crate::buffer::Buffer;
use crate::failure::{Done, Failure, require};
use crate::handle::Handle;
use crate::kernel::Kernel;
use crate::metadata::{Argument, KernelMetadata, ValueKind};
use crate::object_table::ObjectTable;

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
    /// Checks an argument against what the kernel takes there. `bytes` is nothing if the program passed null.
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

/// The arguments of a launch.
#[derive(Debug)]
pub(crate) struct Packed {
    /// What the kernel reads.
    pub(crate) bytes: Vec<u8>,
    /// LDS of a work-group, static and dynamic together.
    pub(crate) lds_bytes: u64,
    /// The buffers, which live as long as the launch.
    pub(crate) buffers: Vec<Arc<Buffer>>,
}

/// Packs the arguments of a kernel, all of which must be set.
///
/// # Errors
/// The code that `clEnqueueNDRangeKernel` gives.
pub(crate) fn pack(kernel: &Kernel, objects: &mut ObjectTable, offset: [usize; 3]) -> Done<Packed> {
    let metadata = &kernel.loaded.metadata;
    let mut packed = Packed {
        bytes: vec![0; metadata.kernarg_bytes as usize],
        lds_bytes: u64::from(metadata.group_segment_bytes),
        buffers: Vec::new(),
    };
    let values = kernel.values().clone();
    for (i, (argument, value)) in metadata.explicit().zip(values).enumerate() {
        let done = packed.explicit(kernel, argument, value, objects);
        done.map_err(|failure| failure.of(format_args!("kernel {}, argument {i}", kernel.name())))?;
    }
    packed.hidden(metadata, offset);
    Ok(packed)
}

impl Packed {
    fn explicit(
        &mut self,
        kernel: &Kernel,
        argument: &Argument,
        value: Option<Value>,
        objects: &mut ObjectTable,
    ) -> Done<()> {
        let wrong = |reason: String| Failure::wrong(CL_INVALID_KERNEL_ARGS, reason);
        match value {
            None => return Err(wrong("it was not set".into())),
            Some(Value::Bytes(bytes)) => self.put(argument.offset, &bytes),
            Some(Value::Buffer(None)) => self.put(argument.offset, &[0; 8]),
            Some(Value::Buffer(Some(handle))) => {
                // The buffer was checked when it was set; what is wrong now happened since.
                let buffer = objects.get::<Buffer>(handle).map_err(|failure| wrong(failure.reason))?;
                if buffer.is_mapped() {
                    return Err(Failure::wrong(CL_INVALID_OPERATION, format!("{} is mapped", objects.label(handle))));
                }
                kernel.program.context.check_same(&buffer.context, &objects.label(handle))?;
                self.put(argument.offset, &buffer.address().to_le_bytes());
                self.buffers.push(buffer);
            }
            Some(Value::Local(bytes)) => {
                let alignment = u64::from(argument.pointee_alignment_bytes.unwrap_or(1));
                let start = self.lds_bytes.next_multiple_of(alignment);
                self.put(argument.offset, &(start as u32).to_le_bytes());
                self.lds_bytes = start.saturating_add(bytes as u64);
            }
        }
        Ok(())
    }

    fn hidden(&mut self, metadata: &KernelMetadata, offset: [usize; 3]) {
        for argument in &metadata.arguments {
            let value = match argument.kind {
                ValueKind::HiddenGlobalOffsetX => offset[0],
                ValueKind::HiddenGlobalOffsetY => offset[1],
                ValueKind::HiddenGlobalOffsetZ => offset[2],
                _ => continue,
            };
            self.put(argument.offset, &(value as u64).to_le_bytes());
        }
    }

    /// Puts a value to its place, which the metadata's check found inside.
    fn put(&mut self, offset: usize, value: &[u8]) {
        if let Some(place) = self.bytes.get_mut(offset..offset + value.len()) {
            place.copy_from_slice(value);
        }
    }
}
