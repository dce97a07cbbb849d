//! The functions of the C library that this library replaces.
#![expect(unsafe_code, reason = "they are found by name, and their types are the C library's")]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;

/// `open`, `open64`.
pub(crate) type Open = unsafe extern "C" fn(*const c_char, c_int, libc::mode_t) -> c_int;
pub(crate) type Write = unsafe extern "C" fn(c_int, *const c_void, usize) -> isize;
/// `fsync`, `fdatasync`.
pub(crate) type Sync = unsafe extern "C" fn(c_int) -> c_int;
/// `ftruncate64`.
pub(crate) type Cut = unsafe extern "C" fn(c_int, libc::off64_t) -> c_int;
pub(crate) type Rename = unsafe extern "C" fn(*const c_char, *const c_char) -> c_int;
pub(crate) type Unlink = unsafe extern "C" fn(*const c_char) -> c_int;

/// The next definition of a function, after this library's.
///
/// # Safety
/// `F` is the function's type.
pub(crate) unsafe fn next<F: Copy>(cell: &OnceLock<F>, name: &CStr) -> F {
    *cell.get_or_init(|| {
        // SAFETY: a C string and the special handle for "the next one".
        let address = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
        // The C library has all of them; without it there would be no process.
        assert!(!address.is_null(), "the C library has no {}", name.to_string_lossy());
        // SAFETY: `F` is a function pointer by the contract, as large as any other pointer.
        unsafe { std::mem::transmute_copy(&address) }
    })
}
