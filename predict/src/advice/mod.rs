//! What to change in a region, and what each change gains: the simulator runs the changed code.

mod body;
mod dual;
mod piece;
mod proposal;
mod reordered;
mod waves;

pub use proposal::advised;
