//! Units whose waves go on while a result is under way: how soon each can use what another brings, what S_DELAY_ALU changes, and what goes on
//! with transcendental instructions.

mod cells;
mod delays;
mod found;
mod overlap;
mod section;

pub use cells::UnitRow;
pub use delays::{DelayCase, DelayRow};
pub use found::Units;
pub use overlap::TranscendentalOverlapRow;
pub(super) use section::{section, words};
