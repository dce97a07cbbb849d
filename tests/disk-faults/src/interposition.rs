//! The functions of the C library that a Rust program changes files by.
#![expect(unsafe_code, reason = "these are C functions with C's names")]

use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::disk::{Disk, Outcome, Step, end_at_once};
use crate::original::{self, Cut, Open, Rename, Sync, Unlink, Write};

/// Longest path that is looked at.
const LONGEST: usize = 4096;

/// The path that the caller names.
///
/// # Safety
/// It is a C string, or nothing.
unsafe fn named<'a>(path: *const c_char) -> Option<&'a Path> {
    // SAFETY: by the contract.
    (!path.is_null()).then(|| Path::new(OsStr::from_bytes(unsafe { CStr::from_ptr(path) }.to_bytes())))
}

/// The disk and the path of an open file, if it is one of the folder.
fn opened(descriptor: c_int) -> Option<(&'static Disk, PathBuf)> {
    let disk = Disk::get()?;
    let link = format!("/proc/self/fd/{descriptor}\0");
    let mut text = [0_u8; LONGEST];
    // SAFETY: a C string, and a buffer with its length.
    let length = unsafe { libc::readlink(link.as_ptr().cast(), text.as_mut_ptr().cast(), text.len()) };
    let path = PathBuf::from(OsStr::from_bytes(&text[..usize::try_from(length).ok()?]));
    disk.has(&path).then_some((disk, path))
}

fn fail(number: i32) -> c_int {
    // SAFETY: the C library gives the address of this thread's error number.
    unsafe { *libc::__errno_location() = number };
    -1
}

/// Declares `open` under its names.
macro_rules! opening {
    ($($name:ident, $text:literal;)*) => {$(
        /// Interposed.
        ///
        /// # Safety
        /// As the C library's function of that name.
        #[cfg_attr(not(test), unsafe(no_mangle))]
        pub unsafe extern "C" fn $name(path: *const c_char, flags: c_int, mode: libc::mode_t) -> c_int {
            static ORIGINAL: OnceLock<Open> = OnceLock::new();
            // SAFETY: the type is that of the function in the C library.
            let original = unsafe { original::next(&ORIGINAL, $text) };
            let writes = flags & libc::O_ACCMODE != libc::O_RDONLY || flags & (libc::O_CREAT | libc::O_TRUNC) != 0;
            // SAFETY: the caller passes a C string, as to the original.
            let place = unsafe { named(path) }.filter(|_| writes);
            if let (Some(disk), Some(place)) = (Disk::get(), place)
                && disk.has(place)
                && let Outcome::Fails(number) = disk.step(Step::Open, place)
            {
                return fail(number);
            }
            // SAFETY: the caller's arguments.
            unsafe { original(path, flags, mode) }
        }
    )*};
}

opening! {
    open, c"open";
    open64, c"open64";
}

/// Interposed.
///
/// # Safety
/// As the C library's function of that name.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn write(descriptor: c_int, bytes: *const c_void, length: usize) -> isize {
    static ORIGINAL: OnceLock<Write> = OnceLock::new();
    // SAFETY: the type is that of the function in the C library.
    let original = unsafe { original::next(&ORIGINAL, c"write") };
    let outcome = opened(descriptor).map_or(Outcome::Done, |(disk, path)| disk.step(Step::Write, &path));
    match outcome {
        Outcome::Fails(number) => fail(number) as isize,
        // SAFETY: the caller's arguments.
        Outcome::Done => unsafe { original(descriptor, bytes, length) },
        Outcome::Half | Outcome::HalfThenKilled => {
            // SAFETY: a part of the caller's data.
            let written = unsafe { original(descriptor, bytes, length.div_ceil(2)) };
            if outcome == Outcome::HalfThenKilled { end_at_once() } else { written }
        }
    }
}

/// Declares a function that brings a file onto the disk.
macro_rules! syncing {
    ($($name:ident, $text:literal;)*) => {$(
        /// Interposed.
        ///
        /// # Safety
        /// As the C library's function of that name.
        #[cfg_attr(not(test), unsafe(no_mangle))]
        pub unsafe extern "C" fn $name(descriptor: c_int) -> c_int {
            static ORIGINAL: OnceLock<Sync> = OnceLock::new();
            // SAFETY: the type is that of the function in the C library.
            let original = unsafe { original::next(&ORIGINAL, $text) };
            // No test waits for a real disk: what would be lost is known here.
            let Some((disk, path)) = opened(descriptor) else {
                // SAFETY: the caller's argument.
                return unsafe { original(descriptor) };
            };
            match disk.step(Step::Sync, &path) {
                Outcome::Fails(number) => fail(number),
                _ => {
                    disk.synced(&path);
                    0
                }
            }
        }
    )*};
}

syncing! {
    fsync, c"fsync";
    fdatasync, c"fdatasync";
}

/// Interposed.
///
/// # Safety
/// As the C library's function of that name.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn ftruncate64(descriptor: c_int, length: libc::off64_t) -> c_int {
    static ORIGINAL: OnceLock<Cut> = OnceLock::new();
    // SAFETY: the type is that of the function in the C library.
    let original = unsafe { original::next(&ORIGINAL, c"ftruncate64") };
    let outcome = opened(descriptor).map_or(Outcome::Done, |(disk, path)| disk.step(Step::Other, &path));
    match outcome {
        Outcome::Fails(number) => fail(number),
        // SAFETY: the caller's arguments.
        _ => unsafe { original(descriptor, length) },
    }
}

/// Interposed.
///
/// # Safety
/// As the C library's function of that name.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn rename(from: *const c_char, to: *const c_char) -> c_int {
    static ORIGINAL: OnceLock<Rename> = OnceLock::new();
    // SAFETY: the type is that of the function in the C library.
    let original = unsafe { original::next(&ORIGINAL, c"rename") };
    // SAFETY: the caller passes C strings, as to the original.
    let place = unsafe { named(to) };
    if let (Some(disk), Some(place)) = (Disk::get(), place)
        && disk.has(place)
        && let Outcome::Fails(number) = disk.step(Step::Other, place)
    {
        return fail(number);
    }
    // SAFETY: the caller's arguments.
    unsafe { original(from, to) }
}

/// Interposed.
///
/// # Safety
/// As the C library's function of that name.
#[cfg_attr(not(test), unsafe(no_mangle))]
pub unsafe extern "C" fn unlink(path: *const c_char) -> c_int {
    static ORIGINAL: OnceLock<Unlink> = OnceLock::new();
    // SAFETY: the type is that of the function in the C library.
    let original = unsafe { original::next(&ORIGINAL, c"unlink") };
    // SAFETY: the caller passes a C string, as to the original.
    let place = unsafe { named(path) };
    if let (Some(disk), Some(place)) = (Disk::get(), place)
        && disk.has(place)
        && let Outcome::Fails(number) = disk.step(Step::Other, place)
    {
        return fail(number);
    }
    // SAFETY: the caller's argument.
    unsafe { original(path) }
}
