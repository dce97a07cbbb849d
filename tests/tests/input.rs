//! Files of strangers: damaged ones, random ones, and code objects of other projects.

mod bad_input;
mod corpora;
mod csv_tables;
mod damaged_runs;
mod fuzz;
