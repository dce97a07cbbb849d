//! `gcn-timings`, built together with the library that kills it: cargo gives a test the programs of its own package alone.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use gcn_harness::command::{Arguments, run, told};

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(code) => code,
        Err(error) => {
            // Nothing is left to do if standard error is closed as well.
            let _ = writeln!(std::io::stderr(), "gcn-timings: {}", told(&error));
            ExitCode::FAILURE
        }
    }
}
