//! The kernel arguments in memory.

use gcn_model::code_object::{ArgumentKind, ArgumentMetadata, KernelMetadata};
use gcn_model::quantity::Bytes;
use gcn_simulator::Memory;

use super::arguments::{Argument, expected};
use super::hidden::Hidden;
use super::queue::put;
use crate::error::PredictError;

/// The most bytes of a kernel's arguments: HIP and OpenCL allow some thousand.
const MOST_OF_ARGUMENTS: u32 = 1 << 20;

/// A buffer of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) address: u64,
    pub(crate) bytes: usize,
}

/// LDS that the launch gives, after the kernel's own: where each part of it begins, and where it ends.
pub(crate) fn local_offsets(
    metadata: &KernelMetadata,
    arguments: &[Argument],
    fixed: Bytes,
) -> Result<(Vec<u32>, u32), PredictError> {
    let (mut offsets, mut end) = (Vec::new(), fixed.0);
    for (number, (argument, given)) in (1..).zip(metadata.explicit().zip(arguments)) {
        let Argument::Local(bytes) = given else { continue };
        let alignment = argument.pointee_alignment.map_or(16, |alignment| alignment.0.max(1));
        let place = end.checked_next_multiple_of(alignment);
        let ends = place.and_then(|start| start.checked_add(bytes.0));
        let (Some(start), Some(next)) = (place, ends) else {
            let problem = format!("{} bytes of LDS are more than 4 GiB with what is before", bytes.0);
            return Err(PredictError::Argument { number, problem });
        };
        offsets.push(start);
        end = next;
    }
    Ok((offsets, end))
}

/// Lays out the arguments of a kernel; buffers are put into memory.
///
/// # Errors
/// An argument that the kernel does not expect, a hidden one that only a runtime can fill in.
pub(crate) fn lay_out(
    memory: &mut Memory,
    metadata: &KernelMetadata,
    arguments: &[Argument],
    hidden: Hidden,
    (locals, size): (&[u32], Bytes),
) -> Result<(Vec<u8>, Vec<Option<Placed>>), PredictError> {
    let explicit: Vec<_> = metadata.explicit().collect();
    if let Some(missing) = explicit.get(arguments.len()) {
        return Err(PredictError::MissingArgument { number: arguments.len() + 1, expected: expected(missing) });
    }
    if arguments.len() > explicit.len() {
        let problem = format!("the kernel has {} arguments", explicit.len());
        return Err(PredictError::Argument { number: explicit.len() + 1, problem });
    }
    if size.0 > MOST_OF_ARGUMENTS {
        let problem = format!("its arguments take {} bytes, more than {MOST_OF_ARGUMENTS}, the limit", size.0);
        return Err(PredictError::Metadata { kernel: metadata.name.clone(), problem });
    }
    let mut kernarg = Kernarg { bytes: vec![0; size.0 as usize], kernel: &metadata.name };
    let mut locals = locals.iter();
    let mut buffers = Vec::new();
    for (number, (argument, given)) in (1..).zip(explicit.into_iter().zip(arguments)) {
        let wrong = |problem: String| PredictError::Argument { number, problem };
        let mismatch = || wrong(format!("it is {}, but the kernel expects {}", given.described(), expected(argument)));
        let mut placed = None;
        let bytes = match (&argument.kind, given) {
            (ArgumentKind::GlobalBuffer, Argument::Buffer(bytes)) => {
                let words: Vec<u32> = bytes.chunks(4).map(dword).collect();
                let address = put(memory, &words).map_err(|problem| wrong(problem.to_string()))?;
                placed = Some(Placed { address, bytes: bytes.len() });
                address.to_le_bytes().to_vec()
            }
            (ArgumentKind::DynamicSharedPointer, Argument::Local(_)) => {
                locals.next().copied().unwrap_or_default().to_le_bytes().to_vec()
            }
            (ArgumentKind::ByValue, Argument::Value(value)) => value.bytes(argument.size).ok_or_else(mismatch)?,
            _ => return Err(mismatch()),
        };
        kernarg.put(argument, &bytes)?;
        buffers.push(placed);
    }
    for argument in &metadata.arguments {
        let ArgumentKind::Hidden(name) = &argument.kind else { continue };
        let value = hidden.value(name).ok_or_else(|| PredictError::Hidden(name.clone()))?;
        kernarg.put(argument, &value.to_le_bytes()[..argument.size.0.min(8) as usize])?;
    }
    Ok((kernarg.bytes, buffers))
}

/// Bytes, four at most, as a dword.
pub(crate) fn dword(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |dword, byte| dword << 8 | u32::from(*byte))
}

struct Kernarg<'a> {
    bytes: Vec<u8>,
    kernel: &'a str,
}

impl Kernarg<'_> {
    fn put(&mut self, argument: &ArgumentMetadata, bytes: &[u8]) -> Result<(), PredictError> {
        let start = argument.offset.0 as usize;
        let place = self.bytes.get_mut(start..start + bytes.len()).filter(|_| bytes.len() <= argument.size.0 as usize);
        let Some(place) = place else {
            return Err(PredictError::Metadata {
                kernel: self.kernel.to_owned(),
                problem: format!("an argument of {} bytes is at {start} of {}", argument.size.0, self.bytes.len()),
            });
        };
        place.copy_from_slice(bytes);
        Ok(())
    }
}
