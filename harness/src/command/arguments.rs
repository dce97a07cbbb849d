//! What can be typed.

use clap::{Parser, Subcommand};

use super::{
    analyze, compare, device_child, devices, dpfactor, export, kernel, list, measure, merge, plot, predict, report,
    site, validate,
};

/// Measures how many shader cycles AMD GCN instructions take.
#[derive(Debug, Parser)]
#[command(
    name = "gcn-timings",
    version,
    about,
    after_help = "Examples:\n  \
        gcn-timings measure                            the whole ALU table of the reference Tahiti\n  \
        gcn-timings measure --device sim:fiji --only 'V_*_F64'\n  \
        gcn-timings dpfactor --device sim:hawaii       the double-precision class, in seconds\n  \
        gcn-timings kernel V_ADD_F64 --gpu fiji        the assembly that is run\n\n\
        A device is sim:NAME (a GPU that ships), sim:FILE.toml (a GPU file of yours), hip:N or opencl:N.\n\
        `gcn-timings devices` shows them. Nothing has been tried on silicon yet."
)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show the devices that can be measured.
    Devices(devices::Devices),
    /// Show every instruction of a GPU: encoding, size, and whether it is measured.
    List(list::List),
    /// Print the kernels that measure an instruction.
    Kernel(kernel::Kernel),
    /// Predict how many cycles a loop or a piece of code takes, and why.
    Predict(predict::Predict),
    /// Measure a device and derive its tables.
    Measure(measure::Measure),
    /// Put the shards of a run together.
    Merge(merge::Merge),
    /// Derive everything again from a run's stored readings.
    Analyze(analyze::Analyze),
    /// Find the double-precision class of a device or a run.
    Dpfactor(dpfactor::Dpfactor),
    /// Compare a run with the published timings.
    Validate(validate::Validate),
    /// Draw the pictures of a run.
    Plot(plot::Plot),
    /// Write the report of a run: one HTML page.
    Report(report::Report),
    /// Write a static site of the results of one or more cards.
    Site(site::SiteArguments),
    /// Print a run's results as LLVM's or ACO's tables, JSON, CSV or Markdown.
    Export(export::Export),
    /// Show what differs between two runs or two cards.
    Compare(compare::Compare),
    /// Drive a device for another process.
    #[command(hide = true)]
    DeviceChild(device_child::DeviceChild),
}
