//! The functions of the C library that the user space reaches the driver by.
//!
//! Each looks whether it is asked for something of the driver's, and otherwise calls the original. On x86-64 a
//! function with fixed arguments has the same calling convention as the variadic one that it stands for.
//! `mmap` is not among them: the device files are real files, and a program's mappings of them are memory of the card.
#![expect(unsafe_code, reason = "these are C functions with C's names")]

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_ulong, c_void};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStringExt;
use std::sync::OnceLock;

use crate::driver::{Driver, System};
use crate::drm;
use crate::drm::sysfs::{DRM_MAJOR, RENDER_MINOR, USED_MEMORY};
use crate::ioctl::{self, Errno};
use crate::kfd;
use crate::original::{
    self, Access, ExtendedStatus, Open, OpenAt, OpenChecked, OpenFolder, OpenStream, ReadLink, RealPath,
    RealPathChecked, Request, Status, StatusAt, StatusOfOpen,
};
use crate::report::report;
use crate::sysfs;

/// The driver's device files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Node {
    /// `/dev/kfd`.
    Kfd,
    /// `/dev/dri/renderD128`.
    Render,
}

impl Node {
    const ALL: [(Self, &CStr); 2] = [(Self::Kfd, c"/dev/kfd"), (Self::Render, c"/dev/dri/renderD128")];

    /// The driver, if it has this file.
    fn driver(self) -> Option<&'static Driver> {
        let driver = System::get().driver.as_ref()?;
        (self == Self::Render || driver.device.card.has_rocm()).then_some(driver)
    }
}

/// The meaning of a path.
enum Target {
    /// Nothing of ours.
    Other,
    /// A device file, which is not there if there is no card.
    Device(Node),
    /// A file in the folder that stands for sysfs.
    File(CString),
}

fn target(path: *const c_char) -> Target {
    if path.is_null() || System::is_making() {
        return Target::Other;
    }
    // SAFETY: the caller passes a C string, as to the original.
    let path = unsafe { CStr::from_ptr(path) };
    if let Some((node, _)) = Node::ALL.iter().find(|(_, name)| *name == path) {
        return Target::Device(*node);
    }
    let Some(path) = path.to_str().ok().filter(|path| sysfs::is_candidate(path)) else { return Target::Other };
    let system = System::get();
    let file = system.sysfs.as_ref().and_then(|sysfs| sysfs.rewrite(path));
    if let (Some(file), Some(driver)) = (&file, &system.driver)
        && path.ends_with(USED_MEMORY)
    {
        // A reader that finds the file gone or full has the number from before.
        let _ = std::fs::write(file, format!("{}\n", driver.used_memory()));
    }
    file.and_then(|file| CString::new(file.into_os_string().into_vec()).ok()).map_or(Target::Other, Target::File)
}

fn fail(Errno(number): Errno) -> c_int {
    // SAFETY: the C library gives the address of this thread's error number.
    unsafe { *libc::__errno_location() = number };
    -1
}

fn open_device(node: Node, flags: c_int) -> c_int {
    let Some(driver) = node.driver() else {
        if let Some(card) = System::get().driver.as_ref().map(|driver| &driver.device.card) {
            let (name, target) = (&card.gpu.name, &card.gpu.gfx_target);
            report(format_args!("there is no GPU for ROCm: {name} is {target}: ROCm 5 runs gfx8 and gfx9 only"));
        }
        return fail(Errno(libc::ENOENT));
    };
    if driver.device.is_gone() {
        return fail(Errno(libc::ENODEV));
    }
    let store = driver.device.store();
    let command = if flags & libc::O_CLOEXEC != 0 { libc::F_DUPFD_CLOEXEC } else { libc::F_DUPFD };
    // SAFETY: a plain system call on an open file.
    unsafe { libc::fcntl(store.file().as_raw_fd(), command, 0) }
}

/// Declares a function that takes a path: its treatment of a device file follows the arrow.
macro_rules! with_path {
    ($($name:ident, $type:ident, ($($before:ident: $before_type:ty,)*), ($($after:ident: $after_type:ty),*)
        -> $result:ty, |$node:ident| $device:expr;)*) => {$(
        /// Interposed.
        ///
        /// # Safety
        /// As the C library's function of that name.
        // From some version after 1.95 on, Rust denies an `open` that names the argument which C passes by `...`. x86-64 passes both
        // alike. It is no `expect`: older versions do not know the lint, and only one of the functions has it.
        #[allow(unknown_lints, invalid_runtime_symbol_definitions, reason = "a definition with `...` needs a newer Rust than 1.89")]
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
                Target::Device($node) => $device,
                // SAFETY: the caller's arguments, with another path.
                Target::File(file) => unsafe { original($($before,)* file.as_ptr(), $($after),*) },
            }
        }
    )*};
}

with_path! {
    open, Open, (), (flags: c_int, mode: libc::mode_t) -> c_int, |node| open_device(node, flags);
    open64, Open, (), (flags: c_int, mode: libc::mode_t) -> c_int, |node| open_device(node, flags);
    __open_2, OpenChecked, (), (flags: c_int) -> c_int, |node| open_device(node, flags);
    __open64_2, OpenChecked, (), (flags: c_int) -> c_int, |node| open_device(node, flags);
    openat, OpenAt, (folder: c_int,), (flags: c_int, mode: libc::mode_t) -> c_int, |node| open_device(node, flags);
    openat64, OpenAt, (folder: c_int,), (flags: c_int, mode: libc::mode_t) -> c_int, |node| open_device(node, flags);
    fopen, OpenStream, (), (mode: *const c_char) -> *mut libc::FILE, |node| stream(node, mode);
    fopen64, OpenStream, (), (mode: *const c_char) -> *mut libc::FILE, |node| stream(node, mode);
    opendir, OpenFolder, (), () -> *mut libc::DIR, |_node| fail_null(Errno(libc::ENOTDIR));
    access, Access, (), (mode: c_int) -> c_int, |node| if node.driver().is_some() { 0 } else { fail(Errno(libc::ENOENT)) };
    stat, Status, (), (status: *mut libc::stat) -> c_int, |node| status_of_device(node, status);
    stat64, Status, (), (status: *mut libc::stat) -> c_int, |node| status_of_device(node, status);
    lstat, Status, (), (status: *mut libc::stat) -> c_int, |node| status_of_device(node, status);
    lstat64, Status, (), (status: *mut libc::stat) -> c_int, |node| status_of_device(node, status);
    fstatat, StatusAt, (folder: c_int,), (status: *mut libc::stat, flags: c_int) -> c_int, |node| status_of_device(node, status);
    fstatat64, StatusAt, (folder: c_int,), (status: *mut libc::stat, flags: c_int) -> c_int, |node| status_of_device(node, status);
    statx, ExtendedStatus, (folder: c_int,), (flags: c_int, mask: c_uint, status: *mut libc::statx) -> c_int,
        |node| extended_status_of_device(node, status);
    readlink, ReadLink, (), (text: *mut c_char, bytes: usize) -> isize, |_node| fail(Errno(libc::EINVAL)) as isize;
    // Mesa and libdrm ask for the real path of folders of sysfs, never of a device file.
    realpath, RealPath, (), (text: *mut c_char) -> *mut c_char, |_node| fail_null(Errno(libc::ENOENT));
    __realpath_chk, RealPathChecked, (), (text: *mut c_char, bytes: usize) -> *mut c_char, |_node| fail_null(Errno(libc::ENOENT));
}

fn fail_null<T>(error: Errno) -> *mut T {
    fail(error);
    std::ptr::null_mut()
}

/// Makes a status that of a character device of DRM's.
fn become_device(status: &mut libc::stat) {
    status.st_mode = libc::S_IFCHR | 0o666;
    status.st_rdev = libc::makedev(DRM_MAJOR, RENDER_MINOR);
    (status.st_size, status.st_blocks) = (0, 0);
}

/// What `stat` says of a device file.
fn status_of_device(node: Node, status: *mut libc::stat) -> c_int {
    let Some(driver) = node.driver() else { return fail(Errno(libc::ENOENT)) };
    // SAFETY: all zeros are a status.
    let mut found = unsafe { std::mem::zeroed::<libc::stat>() };
    (found.st_dev, found.st_ino) = driver.identity();
    found.st_nlink = 1;
    become_device(&mut found);
    // SAFETY: the caller passes a place for the status.
    unsafe { status.write(found) };
    0
}

/// Likewise for `statx`.
fn extended_status_of_device(node: Node, status: *mut libc::statx) -> c_int {
    // SAFETY: all zeros are a status.
    let (mut found, mut extended) = unsafe { (std::mem::zeroed::<libc::stat>(), std::mem::zeroed::<libc::statx>()) };
    if status_of_device(node, &raw mut found) != 0 {
        return -1;
    }
    extended.stx_mask = libc::STATX_BASIC_STATS;
    (extended.stx_mode, extended.stx_nlink, extended.stx_ino) = (found.st_mode as u16, 1, found.st_ino);
    (extended.stx_rdev_major, extended.stx_rdev_minor) = (libc::major(found.st_rdev), libc::minor(found.st_rdev));
    (extended.stx_dev_major, extended.stx_dev_minor) = (libc::major(found.st_dev), libc::minor(found.st_dev));
    // SAFETY: the caller passes a place for the status.
    unsafe { status.write(extended) };
    0
}

/// Declares a function about the kind of an open file: the driver's memory is a device of DRM's.
macro_rules! of_open_file {
    ($($name:ident, $text:literal;)*) => {$(
        /// Interposed.
        ///
        /// # Safety
        /// As the C library's function of that name.
        #[cfg_attr(not(test), unsafe(no_mangle))]
        pub unsafe extern "C" fn $name(descriptor: c_int, status: *mut libc::stat) -> c_int {
            static ORIGINAL: OnceLock<StatusOfOpen> = OnceLock::new();
            // SAFETY: the type is that of the function in the C library.
            let original = unsafe { original::next(&ORIGINAL, $text) };
            // SAFETY: the caller's arguments.
            let result = unsafe { original(descriptor, status) };
            // SAFETY: the call filled it if it succeeded.
            if let Some(status) = (result == 0).then(|| unsafe { status.as_mut() }).flatten()
                && Driver::is_any_device((status.st_dev, status.st_ino))
            {
                become_device(status);
            }
            result
        }
    )*};
}

of_open_file! {
    fstat, c"fstat";
    fstat64, c"fstat64";
}

/// A device file as a stream.
fn stream(node: Node, mode: *const c_char) -> *mut libc::FILE {
    match open_device(node, libc::O_RDWR) {
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
    let (letter, request, size) = ioctl::parts(number);
    let answer = match letter {
        kfd::LETTER => kfd::answer,
        drm::LETTER => drm::answer,
        // SAFETY: the caller's arguments.
        _ => return unsafe { original(descriptor, number, argument) },
    };
    let driver = if size == 0 || argument.is_null() { None } else { device(descriptor) };
    let Some(driver) = driver else {
        // SAFETY: the caller's arguments.
        return unsafe { original(descriptor, number, argument) };
    };
    // SAFETY: the number says how many bytes the argument has, and the caller vouches for it.
    let argument = unsafe { std::slice::from_raw_parts_mut(argument.cast::<u8>(), size) };
    match answer(driver, request, argument) {
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
