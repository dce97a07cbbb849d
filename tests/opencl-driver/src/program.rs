//! Programs: a code object, and what building made of it.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use opencl_sys::*;

use crate::context::Context;
use crate::failure::{Done, Failure};
use crate::handle::Handle;
use crate::image::Image;

#[derive(Debug)]
pub(crate) struct Program {
    /// `cl_program`.
    pub(crate) handle: Handle,
    /// Where it belongs.
    pub(crate) context: Arc<Context>,
    /// The code object.
    pub(crate) binary: Vec<u8>,
    /// Kernels that the program has of it.
    pub(crate) kernels: AtomicU32,
    build: Mutex<Build>,
}

/// What building made of a program.
#[derive(Debug, Clone, Default)]
pub(crate) struct Build {
    /// The code in the card's memory.
    pub(crate) image: Option<Arc<Image>>,
    /// What went wrong, in words; empty if nothing did.
    pub(crate) log: String,
    /// The options, as they were given.
    pub(crate) options: String,
}

impl Program {
    /// A program that was not built.
    pub(crate) fn new(context: Arc<Context>, binary: Vec<u8>) -> Self {
        Self { handle: Handle::new(), context, binary, kernels: AtomicU32::new(0), build: Mutex::default() }
    }

    /// What building made of it.
    pub(crate) fn build(&self) -> MutexGuard<'_, Build> {
        self.build.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `CL_PROGRAM_BUILD_STATUS`.
    pub(crate) fn status(&self) -> cl_build_status {
        let build = self.build();
        match (&build.image, build.log.is_empty()) {
            (Some(_), _) => CL_BUILD_SUCCESS,
            (None, true) => CL_BUILD_NONE,
            (None, false) => CL_BUILD_ERROR,
        }
    }

    /// Its code.
    ///
    /// # Errors
    /// `CL_INVALID_PROGRAM_EXECUTABLE` if it was not built.
    pub(crate) fn image(&self) -> Done<Arc<Image>> {
        let image = self.build().image.clone();
        image.ok_or_else(|| Failure::wrong(CL_INVALID_PROGRAM_EXECUTABLE, "the program was not built"))
    }

    /// Whether it has kernels, which forbid to build it again.
    pub(crate) fn has_kernels(&self) -> bool {
        self.kernels.load(Ordering::Relaxed) > 0
    }
}
