//! A device that lives in a process of its own, so that nothing that happens to it happens to the run.
//!
//! Drivers abort on memory faults and illegal instructions, and spin forever on a kernel that does not end
//! (ROCm does all three). The parent starts its own executable again with a hidden command; both speak in frames over the
//! child's standard input and output. When the child dies, hangs or says something that is no frame, the launch is a
//! [`super::DeviceError::Fault`] with the known facts, and the next launch finds a new child.

mod cards;
mod device;
mod frame;
mod limits;
mod message;
mod own_program;
mod process;
mod serve;
mod standard_error;

pub use cards::{list_cards, send_cards};
pub use device::ChildDevice;
pub use limits::ChildLimits;
pub use process::ChildProgram;
pub use serve::{end_at_once, serve, take_standard_output};
