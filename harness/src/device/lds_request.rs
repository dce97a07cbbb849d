//! How a launch says how much LDS its groups get.

use serde::{Deserialize, Serialize};

/// How a launch says how much LDS its groups get.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum LdsRequest {
    /// Beside the arguments of the kernel, which has none for it.
    #[default]
    Launch,
    /// By an argument, the last one: OpenCL has no other way. The kernels have to declare it.
    Argument,
}
