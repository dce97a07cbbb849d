//! The missing parts of a machine for measuring a card, and disturbances.

mod driver;
mod finding;
mod kernel_driver;
mod node;
mod result;
mod sysfs;
mod tools;

pub use driver::card_drivers;
pub use finding::{Finding, Health};
pub use kernel_driver::kernel_driver;
pub use result::result;
pub use sysfs::cards_in_sysfs;
pub use tools::tools;
