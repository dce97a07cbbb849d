//! What requests to device files have in common: their numbers, structures and errors.

use bytemuck::Pod;

use crate::place::{PAGE, Place};

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

/// Pages of the process that the GPU is to see, too.
///
/// # Errors
/// Not whole pages, or pages that the process does not have, as Linux refuses them (`amdgpu_gem_userptr_ioctl`, `init_user_pages`).
#[expect(unsafe_code, reason = "the system says which pages there are")]
pub(crate) fn own_pages(address: u64, bytes: u64) -> Result<Place, Errno> {
    let place = pointed(address, bytes)?;
    if !address.is_multiple_of(PAGE) || !bytes.is_multiple_of(PAGE) {
        return Err(INVALID);
    }
    let mut in_memory = vec![0_u8; (bytes / PAGE) as usize];
    let start = std::ptr::without_provenance_mut(address as usize);
    // SAFETY: it writes a byte for each page, and looks at no page.
    match unsafe { libc::mincore(start, bytes as usize, in_memory.as_mut_ptr()) } {
        0 => Ok(place),
        _ => Err(BAD_ADDRESS),
    }
}

#[cfg(test)]
#[expect(unsafe_code, reason = "memory with a hole after it")]
mod tests {
    use super::*;

    #[test]
    fn the_gpu_sees_whole_pages_that_the_process_has() {
        let (pages, access) = (2 * PAGE as usize, libc::PROT_READ | libc::PROT_WRITE);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: new memory, of which the second page is given back.
        let start = unsafe { libc::mmap(std::ptr::null_mut(), pages, access, flags, -1, 0) } as u64;
        assert!(own_pages(start, 2 * PAGE).is_ok());
        assert_eq!(own_pages(start + 64, PAGE).err(), Some(INVALID));
        assert_eq!(own_pages(start, PAGE + 64).err(), Some(INVALID));
        // SAFETY: nothing uses that page.
        unsafe { libc::munmap(std::ptr::without_provenance_mut((start + PAGE) as usize), PAGE as usize) };
        assert!(own_pages(start, PAGE).is_ok());
        assert_eq!(own_pages(start, 2 * PAGE).err(), Some(BAD_ADDRESS));
    }
}
