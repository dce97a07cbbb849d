//! The views of a run's stored tables: comparisons, plots, the report.

mod browser;
mod compare;
mod plot;
mod predicted;
mod report;
mod run_folder;
mod site;
