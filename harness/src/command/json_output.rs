//! JSON on standard output.

use std::io::Write;

use serde::Serialize;

/// Prints a value in lines that a person can read, too.
pub(super) fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, value)?;
    Ok(writeln!(out)?)
}
