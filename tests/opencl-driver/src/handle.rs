//! Handles: the program's view of an object.

use std::ffi::c_void;
use std::sync::OnceLock;

use opencl_sys::cl_icd::cl_icd_dispatch;

/// The dispatch table of all objects. The functions by which the ICD loader enters the library put it here: a handle leads to the table,
/// and the functions of the table make handles.
static TABLE: OnceLock<&'static cl_icd_dispatch> = OnceLock::new();

/// The ICD loader reads this through a handle: `cl_khr_icd` asks for the dispatch table at the start of every object.
#[derive(Debug)]
#[repr(C)]
struct Head {
    /// Null in tests, which do not enter by the loader.
    table: Option<&'static cl_icd_dispatch>,
}

/// Says which table handles lead to; it is the same at every call.
pub(crate) fn lead_to(table: &'static cl_icd_dispatch) {
    TABLE.get_or_init(|| table);
}

/// A handle. It is never given out twice and its memory is never freed, so that a handle that was released can be told from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Handle(usize);

impl Handle {
    pub(crate) fn new() -> Self {
        let head: &'static Head = Box::leak(Box::new(Head { table: TABLE.get().copied() }));
        Self(std::ptr::from_ref(head).expose_provenance())
    }

    /// The one that the program passes, right or not.
    pub(crate) fn of<T>(pointer: *mut T) -> Self {
        Self(pointer.addr())
    }

    /// The program's handle.
    pub(crate) fn pointer(self) -> *mut c_void {
        std::ptr::with_exposed_provenance_mut(self.0)
    }

    /// The same as the bytes of a result.
    pub(crate) fn bytes(self) -> [u8; 8] {
        (self.0 as u64).to_ne_bytes()
    }
}
