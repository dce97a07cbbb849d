//! Pointers that the program passes.
#![expect(unsafe_code, reason = "the API is one of C: what the program passes are pointers and counts")]

use std::ffi::{CStr, c_char};

/// Where a result is to go; nowhere, if the program passed null.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Out<T>(*mut T);

impl<T> Out<T> {
    /// # Safety
    /// The pointer is null, or a `T` can be written there as long as this value is used.
    pub(crate) unsafe fn new(pointer: *mut T) -> Self {
        Self(pointer)
    }

    /// Whether the program wants the result.
    pub(crate) fn is_wanted(&self) -> bool {
        !self.0.is_null()
    }

    /// Writes the result if it is wanted.
    pub(crate) fn put(&self, value: T) {
        if self.is_wanted() {
            // SAFETY: by the contract of `new`; nothing is read, and the place need not be aligned.
            unsafe { self.0.write_unaligned(value) };
        }
    }
}

/// The `count` values from a pointer on; `None` if the pointer is null.
///
/// # Safety
/// The pointer is null, or `count` values can be read from it.
pub(crate) unsafe fn list<T: Copy>(count: usize, pointer: *const T) -> Option<Vec<T>> {
    // SAFETY: by the contract of this function.
    let value = |i| unsafe { pointer.add(i).read_unaligned() };
    (!pointer.is_null()).then(|| (0..count).map(value).collect())
}

/// The values from a pointer on to the first zero, which is left out; `None` if the pointer is null.
///
/// # Safety
/// The pointer is null, or values can be read from it up to a zero at an even place.
pub(crate) unsafe fn properties(pointer: *const isize) -> Option<Vec<(isize, isize)>> {
    if pointer.is_null() {
        return None;
    }
    let mut pairs = Vec::new();
    loop {
        // SAFETY: no pair before this one began with zero, so there is one more.
        let name = unsafe { pointer.add(2 * pairs.len()).read() };
        if name == 0 {
            return Some(pairs);
        }
        // SAFETY: a name that is not zero is followed by a value.
        pairs.push((name, unsafe { pointer.add(2 * pairs.len() + 1).read() }));
    }
}

/// The text at a pointer; `None` if the pointer is null.
///
/// # Safety
/// The pointer is null, or points to a text that ends with NUL.
pub(crate) unsafe fn text(pointer: *const c_char) -> Option<String> {
    // SAFETY: by the contract of this function.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned())
}
