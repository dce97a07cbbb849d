//! Whole runs with known truth, from readings to tables.

mod clock;
mod coverage;
mod estimates;
mod folders;
mod forms;
mod lcg;
mod rules;
mod synthetic;
mod tables;
