//! The tables of a run for a command that shows them, and its derived files.

use std::io::{ErrorKind, Write};
use std::path::Path;

use gcn_analysis::{AnalysisError, Results};
use gcn_model::printable::Printable;

use crate::shipped_results;

/// The tables of a folder. A file that contradicts the run's records is named on standard error, and not shown; a run that is
/// incomplete is named there, too, since not all that shows its values says so.
pub(super) fn load(folder: &Path) -> Result<Results, AnalysisError> {
    let tables = Results::load(folder)?;
    for name in &tables.differing {
        let path = folder.join(name);
        let text = format!(
            "{}: does not follow from the run's records (changed, or older), and is not used; `gcn-timings analyze {}` writes \
             it again",
            path.display(),
            folder.display()
        );
        say(&text);
    }
    if tables.record.end.is_none() {
        let folder = folder.display();
        say(&format!(
            "{folder}: the run is incomplete, and what did not run is missing; `gcn-timings measure --resume --out {folder}` \
             resumes it"
        ));
    }
    Ok(tables)
}

/// Writes a line on standard error; a closed one is no reason to stop.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", Printable(text));
}

/// The tables of a folder as [`load`], or the results in the program that a name such as `shipped:tahiti` means.
pub(super) fn load_or_shipped(word: &Path) -> anyhow::Result<Results> {
    match shipped_results(word)? {
        Some(tables) => Ok(tables),
        None => Ok(load(word)?),
    }
}

/// Writes the derived files of a run that was shown. A folder that is for reading alone can be shown, too: that is said, and no failure.
///
/// # Errors
/// A file cannot be written for another reason.
pub(super) fn keep(analysis: &Results, folder: &Path) -> Result<(), AnalysisError> {
    match analysis.write(folder) {
        Err(AnalysisError::Write { path, source })
            if matches!(source.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) =>
        {
            say(&format!("{}: not written: {source}", path.display()));
            Ok(())
        }
        written => written,
    }
}
