//! Launches: a kernel with its arguments and its shape, checked.

use std::sync::Arc;

use gcn_simulated_card::Kind;

use crate::buffer::Buffer;
use crate::kernel::Kernel;

#[derive(Debug)]
pub(crate) struct Launch {
    /// The kernel, which lives as long as the launch.
    pub(crate) kernel: Arc<Kernel>,
    pub(crate) arguments: Arguments,
    /// How many dimensions the program gave.
    pub(crate) dimensions: u32,
    /// Work-items in X, Y and Z.
    pub(crate) grid: [u32; 3],
    /// Work-items of a work-group.
    pub(crate) group: [u32; 3],
    /// What goes wrong with it, if that is asked for.
    pub(crate) fault: Option<Kind>,
}

/// The arguments of a launch.
#[derive(Debug)]
pub(crate) struct Arguments {
    /// The kernel's sources.
    pub(crate) bytes: Vec<u8>,
    /// LDS of a work-group, static and dynamic together.
    pub(crate) lds_bytes: u64,
    /// The buffers, which live as long as the launch.
    pub(crate) buffers: Vec<Arc<Buffer>>,
}

impl Arguments {
    /// Puts a value to its place, which the metadata's check found inside.
    pub(crate) fn put(&mut self, offset: usize, value: &[u8]) {
        if let Some(place) = self.bytes.get_mut(offset..offset + value.len()) {
            place.copy_from_slice(value);
        }
    }
}
