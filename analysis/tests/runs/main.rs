//! Whole runs with known truth, from readings to tables.

mod coverage;
mod estimates;
mod folders;
mod synthetic;
mod tables;
