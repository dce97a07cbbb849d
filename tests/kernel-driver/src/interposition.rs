//! The functions of the C library and of libdrm that the user space reaches the driver by.
//!
//! Each looks whether it is asked for something of the driver's, and otherwise calls the original. On x86-64 a
//! function with fixed arguments has the same calling convention as the variadic one that it stands for.
//! `mmap` is not among them: the device files are real files, and what the thunk maps of them is memory of the card.
#![expect(unsafe_code, reason = "these are C functions with C's names")]

use std::ffi::{CStr, CString, c_char, c_int, c_ulong, c_void};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStringExt;
use std::sync::OnceLock;

use crate::driver::{Driver, System};
use crate::original::{self, Open, OpenAt, OpenFolder, OpenStream, Request};
use crate::request;
use crate::requests::{self, Errno};
use crate::topology::{self, RENDER_MINOR};

/// What a path stands for.
enum Target {
    /// Nothing of ours.
    Other,
    /// A device file, which is not there if there is no card.
    Device,
    /// A file in the topology.
    File(CString),
}

fn target(path: *const c_char) -> Target {
    if path.is_null() || System::is_making() {
        return Target::Other;
    }
    // SAFETY: the caller passes a C string, as to the original.
    let Ok(path) = unsafe { CStr::from_ptr(path) }.to_str() else { return Target::Other };
    if path == "/dev/kfd" || path.strip_prefix("/dev/dri/renderD").is_some_and(|n| n.parse() == Ok(RENDER_MINOR)) {
        return Target::Device;
    }
    if !topology::is_candidate(path) {
        return Target::Other;
    }
    let file = System::get().topology.as_ref().and_then(|topology| topology.rewrite(path));
    file.and_then(|file| CString::new(file.into_os_string().into_vec()).ok()).map_or(Target::Other, Target::File)
}

fn fail(Errno(number): Errno) -> c_int {
    // SAFETY: the C library gives the address of this thread's error number.
    unsafe { *libc::__errno_location() = number };
    -1
}

fn open_device(flags: c_int) -> c_int {
    let Some(driver) = &System::get().driver else { return fail(Errno(libc::ENOENT)) };
    if driver.device.is_gone() {
        return fail(Errno(libc::ENODEV));
    }
    let store = driver.device.store();
    let command = if flags & libc::O_CLOEXEC != 0 { libc::F_DUPFD_CLOEXEC } else { libc::F_DUPFD };
    // SAFETY: a plain system call on an open file.
    unsafe { libc::fcntl(store.file().as_raw_fd(), command, 0) }
}

/// Declares a function that opens a path, in both of its names.
macro_rules! opening {
    ($($name:ident, $type:ident, ($($before:ident: $before_type:ty,)*), ($($after:ident: $after_type:ty),*)
        -> $result:ty, $device:expr;)*) => {$(
        /// Interposed.
        ///
        /// # Safety
        /// As the C library's function of that name.
        #[cfg_attr(not(test), unsafe(no_mangle))]
        pub unsafe extern "C" fn $name($($before: $before_type,)* path: *const c_char, $($after: $after_type),*) -> $result {
            static ORIGINAL: OnceLock<$type> = OnceLock::new();
            let name = const {
                match CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
                    Ok(name) => name,
                    Err(_) => panic!("a name has no zero in it"),
                }
            };
            // SAFETY: the type is that of the function in the C library.
            let original = unsafe { original::next(&ORIGINAL, name) };
            match target(path) {
                // SAFETY: the caller's arguments.
                Target::Other => unsafe { original($($before,)* path, $($after),*) },
                Target::Device => $device,
                // SAFETY: the caller's arguments, with another path.
                Target::File(file) => unsafe { original($($before,)* file.as_ptr(), $($after),*) },
            }
        }
    )*};
}

opening! {
    open, Open, (), (flags: c_int, mode: libc::mode_t) -> c_int, open_device(flags);
    open64, Open, (), (flags: c_int, mode: libc::mode_t) -> c_int, open_device(flags);
    openat, OpenAt, (folder: c_int,), (flags: c_int, mode: libc::mode_t) -> c_int, open_device(flags);
    openat64, OpenAt, (folder: c_int,), (flags: c_int, mode: libc::mode_t) -> c_int, open_device(flags);
    fopen, OpenStream, (), (mode: *const c_char) -> *mut libc::FILE, stream(mode);
    fopen64, OpenStream, (), (mode: *const c_char) -> *mut libc::FILE, stream(mode);
    opendir, OpenFolder, (), () -> *mut libc::DIR, { fail(Errno(libc::ENOTDIR)); std::ptr::null_mut() };
}

/// A device file as a stream.
fn stream(mode: *const c_char) -> *mut libc::FILE {
    match open_device(libc::O_RDWR) {
        -1 => std::ptr::null_mut(),
        // SAFETY: a descriptor of our own and the caller's mode.
        descriptor => unsafe { libc::fdopen(descriptor, mode) },
    }
}

/// Interposed: answers requests on the device files.
///
/// # Safety
/// As the C library's function of that name.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn ioctl(descriptor: c_int, number: c_ulong, argument: *mut c_void) -> c_int {
    static ORIGINAL: OnceLock<Request> = OnceLock::new();
    // SAFETY: the type is that of the function in the C library, as far as x86-64 tells them apart.
    let original = unsafe { original::next(&ORIGINAL, c"ioctl") };
    let (letter, request, size) = request::parts(number);
    if letter != request::LETTER || size == 0 || argument.is_null() {
        // SAFETY: the caller's arguments.
        return unsafe { original(descriptor, number, argument) };
    }
    let Some(driver) = device(descriptor) else {
        // SAFETY: the caller's arguments.
        return unsafe { original(descriptor, number, argument) };
    };
    // SAFETY: the number says how many bytes the argument has, and the caller vouches for it.
    let argument = unsafe { std::slice::from_raw_parts_mut(argument.cast::<u8>(), size) };
    match requests::answer(driver, request, argument) {
        Ok(()) => 0,
        Err(error) => fail(error),
    }
}

/// The driver, if the descriptor is one of its device files: a file is known by its inode, however it was passed on.
fn device(descriptor: c_int) -> Option<&'static Driver> {
    let mut status = std::mem::MaybeUninit::<libc::stat>::uninit();
    // SAFETY: the structure is large enough; it is read only if the call filled it.
    let status = unsafe { (libc::fstat(descriptor, status.as_mut_ptr()) == 0).then(|| status.assume_init())? };
    let driver = System::get().driver.as_ref()?;
    driver.is_device((status.st_dev, status.st_ino)).then_some(driver)
}

/// libdrm: there is a device.
///
/// # Safety
/// As libdrm's function of that name.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn amdgpu_device_initialize(
    _descriptor: c_int,
    major: *mut u32,
    minor: *mut u32,
    handle: *mut *mut c_void,
) -> c_int {
    // SAFETY: the caller passes places for the results.
    unsafe {
        (*major, *minor) = (3, 42);
        // Anything but null: nobody looks behind it.
        *handle = handle.cast();
    }
    0
}

/// libdrm: the device is no longer needed.
///
/// # Safety
/// As libdrm's function of that name.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn amdgpu_device_deinitialize(_handle: *mut c_void) -> c_int {
    0
}

/// libdrm: the name of the product.
///
/// # Safety
/// As libdrm's function of that name.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn amdgpu_get_marketing_name(_handle: *mut c_void) -> *const c_char {
    static NAME: OnceLock<CString> = OnceLock::new();
    let name =
        || System::get().driver.as_ref().map(|driver| driver.device.card.gpu.product.clone()).unwrap_or_default();
    NAME.get_or_init(|| CString::new(name()).unwrap_or_default()).as_ptr()
}
