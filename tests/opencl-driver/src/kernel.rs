//! Kernels: one of a program's, and the arguments that were set.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::arguments::Value;
use crate::handle::Handle;
use crate::image::{Image, LoadedKernel};
use crate::program::Program;

#[derive(Debug)]
pub(crate) struct Kernel {
    /// `cl_kernel`.
    pub(crate) handle: Handle,
    /// The program that it is of.
    pub(crate) program: Arc<Program>,
    /// The code, which lives as long as the kernel.
    _image: Arc<Image>,
    /// Its facts.
    pub(crate) loaded: LoadedKernel,
    values: Mutex<Vec<Option<Value>>>,
}

impl Kernel {
    /// A kernel without arguments.
    pub(crate) fn new(program: Arc<Program>, image: Arc<Image>, loaded: LoadedKernel) -> Self {
        program.kernels.fetch_add(1, Ordering::Relaxed);
        let values = Mutex::new(vec![None; loaded.metadata.explicit().count()]);
        Self { handle: Handle::new(), program, _image: image, loaded, values }
    }

    pub(crate) fn name(&self) -> &str {
        &self.loaded.metadata.name
    }

    /// The arguments that the program set.
    pub(crate) fn values(&self) -> MutexGuard<'_, Vec<Option<Value>>> {
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        self.program.kernels.fetch_sub(1, Ordering::Relaxed);
    }
}
