//! The command line: one file per command.

mod analyze;
mod arguments;
mod assemble;
mod assemble_child;
mod assembler;
mod bundle;
mod causes;
mod choice;
mod code_file;
mod columns;
mod compare;
mod completions;
mod device_child;
mod devices;
mod doctor;
mod document_text;
mod dpfactor;
mod dry_run;
mod export;
mod interruption;
mod json_output;
mod kernel;
mod list;
mod log;
mod manual;
mod measure;
mod merge;
mod output_file;
mod plot;
mod predict;
mod predict_code;
mod predict_compare;
mod predict_found;
mod predict_input;
mod predict_launch;
mod predict_library;
mod predict_questions;
mod predict_sides;
mod predict_table;
mod predict_trip;
mod prediction_format;
mod progress;
mod report;
mod run_program;
mod run_summary;
mod run_values;
mod show;
mod similar_names;
mod site;
mod site_kernels;
mod summary;
mod summary_json;
mod tables;
mod terminal;
mod threads;
mod validate;

use std::process::ExitCode;

use clap::CommandFactory;

pub use arguments::{Arguments, Color, Command};
pub use causes::told;
pub use interruption::exit_code;

/// Carries out a command; the exit code is 0, or as in the command's help.
///
/// # Errors
/// Whatever stops it, for standard error; the exit code is then [`exit_code`].
pub fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    arguments.color.apply();
    threads::check_variable()?;
    let done = match arguments.command {
        Command::Devices(devices) => devices::run(&devices),
        Command::Assemble(assemble) => assemble::run(&assemble),
        Command::Completions(completions) => completions::run(&completions, &mut Arguments::command()),
        Command::Manual(manual) => manual::run(&manual, Arguments::command()),
        Command::Doctor(doctor) => return doctor::run(&doctor),
        Command::AssembleChild(child) => assemble_child::run(&child),
        Command::DeviceChild(child) => device_child::run(&child),
        Command::List(list) => list::run(&list),
        Command::Kernel(kernel) => kernel::run(&kernel),
        Command::Predict(predict) => return predict::run(&predict),
        Command::Run(program) => return run_program::run(&program),
        Command::Measure(measure) => measure::run(&measure),
        Command::Merge(merge) => merge::run(&merge),
        Command::Analyze(analyze) => analyze::run(&analyze),
        Command::Bundle(bundle) => bundle::run(&bundle),
        Command::Dpfactor(dpfactor) => return dpfactor::run(&dpfactor),
        Command::Validate(validate) => validate::run(&validate),
        Command::Plot(plot) => plot::run(&plot),
        Command::Report(report) => report::run(&report),
        Command::Site(site) => site::run(&site),
        Command::Export(export) => export::run(&export),
        Command::Show(show) => show::run(&show),
        Command::Compare(compare) => return compare::run(&compare),
    };
    done.map(|()| ExitCode::SUCCESS)
}
