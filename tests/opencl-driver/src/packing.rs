//! Packing the arguments that were set into the bytes that a kernel reads.

use opencl_sys::*;

use crate::arguments::Value;
use crate::buffer::Buffer;
use crate::failure::{Done, Failure};
use crate::kernel::Kernel;
use crate::launch::Arguments;
use crate::metadata::{Argument, KernelMetadata, ValueKind};
use crate::object_table::ObjectTable;

/// Packs the arguments of a kernel, all of which must be set.
///
/// # Errors
/// The code that `clEnqueueNDRangeKernel` gives.
pub(crate) fn pack(kernel: &Kernel, objects: &mut ObjectTable, offset: [usize; 3]) -> Done<Arguments> {
    let metadata = &kernel.loaded.metadata;
    let mut packed = Arguments {
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

impl Arguments {
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
                // The buffer was checked when it was set; a fault now happened since.
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
}
