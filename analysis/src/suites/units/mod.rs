//! Units whose waves go on while a result is under way: how soon each can use what another brings, what S_DELAY_ALU changes, and what goes on
//! with transcendental instructions.

mod cells;
mod delays;
mod found;
mod overlap;

pub use cells::UnitRow;
pub use delays::{DelayCase, DelayRow};
pub use found::Units;
pub(super) use found::{section, words};
pub use overlap::TranscendentalOverlapRow;
