//! A run's folder, read and checked: every later step works on this and nothing else.

mod experiments;
mod file;
mod folder;
mod journal;
mod readings;
mod row_file;
mod run_record;
mod stored_files;

pub(crate) use file::remove;
pub use file::{RECORDS, derived, remove_derived, remove_leftovers, sync_folder, write_atomically};
pub use folder::StoredRun;
pub use journal::{JournalEntry, signed};
pub use readings::StoredReading;
pub use row_file::Torn;
pub(crate) use run_record::parse_run_record;
pub use run_record::{RunKey, sha256};
pub use run_record::{kept_record_text, load_run_record, run_record_text};
pub use stored_files::{BATCH, StoredFile, StoredFiles, Try};
