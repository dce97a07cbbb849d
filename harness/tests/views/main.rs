//! What is made of a run's stored tables: comparisons, plots, the report.

mod compare;
mod run_folder;
