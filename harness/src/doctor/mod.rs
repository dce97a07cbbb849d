//! What a machine lacks for measuring a card, and what would disturb it.

mod driver;
mod finding;
mod kernel_driver;
mod node;
mod sysfs;
mod tools;

pub use driver::card_drivers;
pub use finding::{Finding, Health};
pub use kernel_driver::kernel_driver;
pub use sysfs::cards_in_sysfs;
pub use tools::tools;
