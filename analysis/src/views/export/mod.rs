//! A run's results in the shapes that others take them in: LLVM's and ACO's scheduling tables, JSON, CSV and Markdown.

mod aco;
mod class;
mod classes;
mod csv_table;
mod error;
mod json;
mod llvm;
mod llvm_td;
mod markdown;
mod target;

pub use aco::aco_text;
pub use csv_table::export_csv;
pub use error::ExportError;
pub use json::export_json;
pub use llvm_td::llvm_text;
pub use markdown::export_markdown;
