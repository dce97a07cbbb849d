//! What requests to device files have in common: their numbers, structures and errors.

use bytemuck::Pod;

use crate::place::Place;

/// An error number of the C library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Errno(pub(crate) i32);

/// No such id or handle, or a request that the driver does not know.
pub(crate) const INVALID: Errno = Errno(libc::EINVAL);
/// A pointer to nothing.
pub(crate) const BAD_ADDRESS: Errno = Errno(libc::EFAULT);
/// No memory of the kind that is asked for.
pub(crate) const NO_MEMORY: Errno = Errno(libc::ENOMEM);
/// The GPU was reset.
pub(crate) const CANCELED: Errno = Errno(libc::ECANCELED);
/// The device is gone.
pub(crate) const NO_DEVICE: Errno = Errno(libc::ENODEV);

/// The parts of a request's number: letter, number and size (Linux, `include/uapi/asm-generic/ioctl.h`).
pub(crate) fn parts(request: u64) -> (u8, u8, usize) {
    ((request >> 8) as u8, request as u8, (request >> 16) as usize & 0x3fff)
}

/// Declares the structures of requests, in C's layout, as plain bytes.
macro_rules! structures {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
        #[repr(C)]
        pub(crate) struct $name {
            $(pub(crate) $field: $type,)*
        }
    )*};
}
pub(crate) use structures;

/// Gives a request its structure. One that is shorter, from an older header, is filled up with zeros, as Linux does.
pub(crate) fn with<T: Pod>(argument: &mut [u8], handle: impl FnOnce(&mut T) -> Result<(), Errno>) -> Result<(), Errno> {
    let mut value = T::zeroed();
    let count = argument.len().min(size_of::<T>());
    bytemuck::bytes_of_mut(&mut value)[..count].copy_from_slice(&argument[..count]);
    let answered = handle(&mut value);
    argument[..count].copy_from_slice(&bytemuck::bytes_of(&value)[..count]);
    answered
}

/// Gives a request its structure, and puts the answer in its place, as requests with a union do.
pub(crate) fn exchange<I: Pod, O: Pod>(
    argument: &mut [u8],
    handle: impl FnOnce(I) -> Result<O, Errno>,
) -> Result<(), Errno> {
    let mut answer = None;
    with(argument, |input: &mut I| {
        answer = Some(handle(*input)?);
        Ok(())
    })?;
    if let Some(answer) = answer {
        let count = argument.len().min(size_of::<O>());
        argument[..count].copy_from_slice(&bytemuck::bytes_of(&answer)[..count]);
    }
    Ok(())
}

/// Memory of the process which a request points to.
#[expect(unsafe_code, reason = "a request may hold pointers")]
pub(crate) fn pointed(address: u64, bytes: u64) -> Result<Place, Errno> {
    if address == 0 || bytes == 0 {
        return Err(BAD_ADDRESS);
    }
    // SAFETY: the header of the request states this many bytes; the requesting side vouches for it.
    Ok(unsafe { Place::new(address as usize, bytes) })
}
