//! Waves and instructions at the same time: the results of the occupancy suite.

mod allocation;
mod concurrent;
mod fit;
mod issue;
mod residence;
mod table;

pub use allocation::{Allocation, Odds};
pub use issue::IssueRow;
pub use residence::{ResidenceRow, Resource};
pub use table::{Occupancy, OccupancyRow};
