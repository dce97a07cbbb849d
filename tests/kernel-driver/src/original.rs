//! The functions of the C library that this library replaces.
#![expect(unsafe_code, reason = "they are found by name, and their types are the C library's")]

use std::ffi::{CStr, c_char, c_int, c_uint, c_ulong, c_void};
use std::sync::OnceLock;

/// `open`, `open64`.
pub(crate) type Open = unsafe extern "C" fn(*const c_char, c_int, libc::mode_t) -> c_int;
/// `openat`, `openat64`.
pub(crate) type OpenAt = unsafe extern "C" fn(c_int, *const c_char, c_int, libc::mode_t) -> c_int;
/// `fopen`, `fopen64`.
pub(crate) type OpenStream = unsafe extern "C" fn(*const c_char, *const c_char) -> *mut libc::FILE;
/// `opendir`.
pub(crate) type OpenFolder = unsafe extern "C" fn(*const c_char) -> *mut libc::DIR;
/// `__open_2`, `__open64_2`.
pub(crate) type OpenChecked = unsafe extern "C" fn(*const c_char, c_int) -> c_int;
pub(crate) type Access = unsafe extern "C" fn(*const c_char, c_int) -> c_int;
/// `stat`, `lstat` and their forms for 64 bits, which are the same on x86-64.
pub(crate) type Status = unsafe extern "C" fn(*const c_char, *mut libc::stat) -> c_int;
/// `fstatat`, `fstatat64`.
pub(crate) type StatusAt = unsafe extern "C" fn(c_int, *const c_char, *mut libc::stat, c_int) -> c_int;
/// `statx`, which Rust's and newer C programs ask.
pub(crate) type ExtendedStatus = unsafe extern "C" fn(c_int, *const c_char, c_int, c_uint, *mut libc::statx) -> c_int;
/// `fstat`, `fstat64`.
pub(crate) type StatusOfOpen = unsafe extern "C" fn(c_int, *mut libc::stat) -> c_int;
/// `readlink`.
pub(crate) type ReadLink = unsafe extern "C" fn(*const c_char, *mut c_char, usize) -> isize;
/// `realpath`.
pub(crate) type RealPath = unsafe extern "C" fn(*const c_char, *mut c_char) -> *mut c_char;
/// `__realpath_chk`.
pub(crate) type RealPathChecked = unsafe extern "C" fn(*const c_char, *mut c_char, usize) -> *mut c_char;
/// `ioctl`.
pub(crate) type Request = unsafe extern "C" fn(c_int, c_ulong, *mut c_void) -> c_int;

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
