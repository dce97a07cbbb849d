//! Answers of the `clGet…Info` functions: a value, its size, and the room that the program has for it.
#![expect(unsafe_code, reason = "the program says where the answer is to go")]

use std::ffi::c_void;

use opencl_sys::CL_INVALID_VALUE;

use crate::failure::{Done, Failure};
use crate::handle::Handle;
use crate::raw::Out;

/// Where an answer is to go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answer {
    room: usize,
    value: *mut c_void,
    size: Out<usize>,
}

impl Answer {
    /// # Safety
    /// `room` bytes can be written at `value`, and a size at `size`, unless they are null.
    pub(crate) unsafe fn new(room: usize, value: *mut c_void, size: *mut usize) -> Self {
        // SAFETY: by the contract of this function.
        Self { room, value, size: unsafe { Out::new(size) } }
    }

    /// Gives bytes.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` if there is too little room.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> Done<()> {
        if !self.value.is_null() {
            if self.room < bytes.len() {
                let reason = format!("the answer has {} bytes, and there is room for {}", bytes.len(), self.room);
                return Err(Failure::wrong(CL_INVALID_VALUE, reason));
            }
            // SAFETY: `room` bytes can be written by the contract of `new`.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.value.cast(), bytes.len()) };
        }
        self.size.put(bytes.len());
        Ok(())
    }

    /// Gives a text, with the NUL that ends it.
    pub(crate) fn text(&self, text: &str) -> Done<()> {
        self.bytes(&[text.as_bytes(), &[0]].concat())
    }

    /// Gives a `cl_uint` or another type of 4 bytes.
    pub(crate) fn u32(&self, value: u32) -> Done<()> {
        self.bytes(&value.to_ne_bytes())
    }

    /// Gives a `cl_ulong` or another type of 8 bytes.
    pub(crate) fn u64(&self, value: u64) -> Done<()> {
        self.bytes(&value.to_ne_bytes())
    }

    /// Gives several sizes.
    pub(crate) fn sizes(&self, values: &[usize]) -> Done<()> {
        self.bytes(&values.iter().flat_map(|value| value.to_ne_bytes()).collect::<Vec<_>>())
    }

    /// Returns an object; null if it does not exist.
    pub(crate) fn handle(&self, handle: Option<Handle>) -> Done<()> {
        self.bytes(&handle.map_or([0; 8], Handle::bytes))
    }

    /// Writes a list through pointers that are the answer's elements, as `CL_PROGRAM_BINARIES` does: each is a place with space
    /// for its bytes, or null.
    pub(crate) fn behind_pointers(&self, contents: &[&[u8]]) -> Done<()> {
        let size = size_of::<*mut u8>() * contents.len();
        if !self.value.is_null() {
            if self.room < size {
                return Err(Failure::wrong(
                    CL_INVALID_VALUE,
                    format!("there is room for {} bytes of {size}", self.room),
                ));
            }
            for (i, content) in contents.iter().enumerate() {
                // SAFETY: the list of pointers has `room` bytes, and each of them has room for its content or is null.
                let place = unsafe { self.value.cast::<*mut u8>().add(i).read_unaligned() };
                if !place.is_null() {
                    // SAFETY: as above.
                    unsafe { std::ptr::copy_nonoverlapping(content.as_ptr(), place, content.len()) };
                }
            }
        }
        self.size.put(size);
        Ok(())
    }
}
