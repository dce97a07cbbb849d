//! The `gcn-timings` program.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use gcn_harness::command::{Arguments, exit_code, run, told};

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(code) => code,
        // A reader that has seen enough (`| head`) is no failure.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do if standard error is closed as well.
            let _ = writeln!(std::io::stderr(), "gcn-timings: {}", told(&error));
            exit_code(&error)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let of_io = cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        // The JSON writer keeps the cause to itself.
        let of_json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        of_io.or(of_json) == Some(std::io::ErrorKind::BrokenPipe)
    })
}
