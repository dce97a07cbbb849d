//! HIP's library, loaded at run time.
#![expect(unsafe_code, reason = "HIP is only reachable through its C interface, loaded at run time")]

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

use hip_sys::hiprt::{hipError_t, hipFunction_t, hipModule_t, hipStream_t};
use libloading::Library as Shared;

use super::super::DeviceError;

/// Names of the library: the developer's link, then ROCm 7, 6 and 5, then where ROCm's own packages put it.
const NAMES: [&str; 5] =
    ["libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so", "/opt/rocm/lib/libamdhip64.so"];

/// A status as HIP gives it. Not [`hipError_t`]: a newer library gives values that the enumeration does not have.
pub(super) type Status = c_int;

/// `hipGetDeviceProperties` in one of its versions: fills a structure whose layout its name stands for.
pub(super) type GetProperties = unsafe extern "C" fn(*mut c_void, c_int) -> Status;

/// Which layout of `hipDeviceProp_t` a library fills in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// ROCm 6 and later.
    R0600,
    /// Before ROCm 6.
    R0000,
}

macro_rules! api {
    ($($(#[$doc:meta])* $field:ident = $symbol:literal: fn($($argument:ty),*) -> $result:ty;)*) => {
        /// Functions of the library.
        pub(super) struct Api {
            $($(#[$doc])* pub(super) $field: unsafe extern "C" fn($($argument),*) -> $result,)*
            pub(super) properties: Option<(Layout, GetProperties)>,
            _library: Shared,
        }

        impl Api {
            fn of(library: Shared) -> Result<Self, String> {
                // SAFETY: the types are those of the header file, with statuses as plain numbers; they have been the same
                // since ROCm 4. The pointers are called only while `Api` keeps the library.
                unsafe {
                    Ok(Self {
                        $($field: *library.get($symbol).map_err(|error| error.to_string())?,)*
                        properties: properties(&library),
                        _library: library,
                    })
                }
            }
        }
    };
}

api! {
    init = b"hipInit\0": fn(c_uint) -> Status;
    runtime_version = b"hipRuntimeGetVersion\0": fn(*mut c_int) -> Status;
    device_count = b"hipGetDeviceCount\0": fn(*mut c_int) -> Status;
    set_device = b"hipSetDevice\0": fn(c_int) -> Status;
    set_flags = b"hipSetDeviceFlags\0": fn(c_uint) -> Status;
    device_name = b"hipDeviceGetName\0": fn(*mut c_char, c_int, c_int) -> Status;
    attribute = b"hipDeviceGetAttribute\0": fn(*mut c_int, c_int, c_int) -> Status;
    pci_address = b"hipDeviceGetPCIBusId\0": fn(*mut c_char, c_int, c_int) -> Status;
    error_name = b"hipGetErrorName\0": fn(Status) -> *const c_char;
    error_text = b"hipGetErrorString\0": fn(Status) -> *const c_char;
    module_load = b"hipModuleLoadData\0": fn(*mut hipModule_t, *const c_void) -> Status;
    module_unload = b"hipModuleUnload\0": fn(hipModule_t) -> Status;
    module_function = b"hipModuleGetFunction\0": fn(*mut hipFunction_t, hipModule_t, *const c_char) -> Status;
    launch = b"hipModuleLaunchKernel\0": fn(
        hipFunction_t, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, hipStream_t, *mut *mut c_void, *mut *mut c_void
    ) -> Status;
    synchronize = b"hipDeviceSynchronize\0": fn() -> Status;
    host_malloc = b"hipHostMalloc\0": fn(*mut *mut c_void, usize, c_uint) -> Status;
    host_pointer = b"hipHostGetDevicePointer\0": fn(*mut *mut c_void, *mut c_void, c_uint) -> Status;
    host_free = b"hipHostFree\0": fn(*mut c_void) -> Status;
    malloc = b"hipMalloc\0": fn(*mut *mut c_void, usize) -> Status;
    free = b"hipFree\0": fn(*mut c_void) -> Status;
    copy = b"hipMemcpy\0": fn(*mut c_void, *const c_void, usize, c_uint) -> Status;
}

/// The function that fills the newest layout which the library has; the plain name has the old one in every version
/// (LLVM's `AMDGPUArchByHIP.cpp` asks in this order).
///
/// # Safety
/// As for looking up any symbol: the type must be the function's, which it is.
unsafe fn properties(library: &Shared) -> Option<(Layout, GetProperties)> {
    let symbols: [(&[u8], Layout); 3] = [
        (b"hipGetDevicePropertiesR0600\0", Layout::R0600),
        (b"hipGetDevicePropertiesR0000\0", Layout::R0000),
        (b"hipGetDeviceProperties\0", Layout::R0000),
    ];
    symbols.into_iter().find_map(|(symbol, layout)| {
        // SAFETY: the caller's promise.
        let function = unsafe { library.get::<GetProperties>(symbol) }.ok()?;
        Some((layout, *function))
    })
}

impl Api {
    /// Loads and starts HIP.
    ///
    /// # Errors
    /// [`DeviceError::NoDevice`]: no library, or one that lacks a function.
    pub(super) fn load() -> Result<Self, DeviceError> {
        let mut missing = String::new();
        for name in NAMES {
            // SAFETY: loading HIP runs its start-up code; this process is there for nothing else.
            match unsafe { Shared::new(name) } {
                Ok(library) => {
                    return Self::of(library)
                        .map_err(|error| DeviceError::NoDevice(format!("{name} is no HIP library: {error}")));
                }
                Err(error) if missing.is_empty() => missing = error.to_string(),
                Err(_) => {}
            }
        }
        Err(DeviceError::NoDevice(format!("HIP's library libamdhip64 was not found ({missing}): is ROCm installed?")))
    }

    /// `Ok` for success, and otherwise what HIP says.
    pub(super) fn check(&self, call: &str, status: Status) -> Result<(), HipError> {
        if status == hipError_t::hipSuccess as Status {
            return Ok(());
        }
        let text = |function: unsafe extern "C" fn(Status) -> *const c_char| {
            // SAFETY: HIP gives a string that ends with a zero and is never freed, for any number.
            let text = unsafe {
                let pointer = function(status);
                (!pointer.is_null()).then(|| CStr::from_ptr(pointer))
            };
            text.map_or_else(|| "?".into(), |text| text.to_string_lossy().into_owned())
        };
        let (name, text) = (text(self.error_name), text(self.error_text));
        Err(HipError { status, text: format!("{call}: {name} ({status}), {text}") })
    }
}

/// What HIP said instead of success.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HipError {
    pub(super) status: Status,
    pub(super) text: String,
}

impl HipError {
    /// Whether nothing has happened: HIP refused the request, and works as before.
    pub(super) fn is_refusal(&self) -> bool {
        use hipError_t::*;
        [
            hipErrorInvalidValue,
            hipErrorOutOfMemory,
            hipErrorInvalidConfiguration,
            hipErrorInvalidDeviceFunction,
            hipErrorInvalidImage,
            hipErrorNoBinaryForGpu,
            hipErrorInvalidKernelFile,
            hipErrorSharedObjectInitFailed,
            hipErrorNotFound,
            hipErrorLaunchOutOfResources,
            hipErrorNotSupported,
        ]
        .into_iter()
        .any(|error| error as Status == self.status)
    }
}
