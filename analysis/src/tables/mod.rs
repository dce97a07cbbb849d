//! The tables of a run, for comparisons, pictures and reports.
//!
//! Published results are kept without their readings, so nothing here needs them.

mod measured;
mod number;
mod published;
mod schema;
mod single;
mod table;
mod unique;
mod value;

pub use measured::Measured;
pub(crate) use measured::{decimal, plain, printed};
pub(crate) use number::{GUESS, cell, plural, two};
pub use number::{Number, marked};
pub use published::{Column, Quantity, Verdict};
pub(crate) use schema::{Description, described_columns, described_files};
pub(crate) use single::{Single, named, words};
pub(crate) use table::{AnyTable, TableFiles, csv_of, names, put, table};
pub use table::{Cells, Tabled, csv_text};
pub(crate) use unique::{ascending, by_key, joined, unique};
pub use value::Shown;
pub(crate) use value::{Value, disputed_word, from_to};
