//! A run's results in the shapes that others take them in: LLVM's and ACO's scheduling tables, JSON, CSV and Markdown.

mod aco;
mod classes;
mod json;
mod llvm;
mod llvm_td;
mod timings;

pub use aco::aco_text;
pub use classes::ExportError;
pub use json::export_json;
pub use llvm_td::llvm_text;
pub use timings::{export_csv, export_markdown};
