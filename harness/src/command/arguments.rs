//! What can be typed.

use clap::{Parser, Subcommand, ValueEnum};

use super::{
    analyze, assemble, bundle, compare, completions, device_child, devices, doctor, dpfactor, export, kernel, list,
    manual, measure, merge, plot, predict, report, show, site, validate,
};

/// Measures how many shader cycles AMD GCN instructions take.
#[derive(Debug, Parser)]
#[command(
    name = "gcn-timings",
    version,
    about,
    after_help = "Examples:\n  \
        gcn-timings measure                            every suite on the simulated Tahiti\n  \
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
    /// When colours are used
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t)]
    pub color: Color,
}

/// When colours are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// Makes it so for all output of this process.
    pub(super) fn apply(self) {
        let wanted = match self {
            Self::Auto => return,
            Self::Always => true,
            Self::Never => false,
        };
        console::set_colors_enabled(wanted);
        console::set_colors_enabled_stderr(wanted);
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show the devices that can be measured.
    Devices(devices::Devices),
    /// Show what is missing for measuring a card, and what would disturb it.
    Doctor(doctor::Doctor),
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
    /// Make one file of a run, to send to somebody, or check one.
    Bundle(bundle::Bundle),
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
    /// Show all that a run knows of one instruction.
    Show(show::Show),
    /// Show what differs between runs or cards.
    Compare(compare::Compare),
    /// Assemble and check the kernels of shipped GPUs, for machines without LLVM.
    Assemble(assemble::Assemble),
    /// Print what makes a shell complete commands and options.
    Completions(completions::Completions),
    /// Write the manual pages.
    Manual(manual::Manual),
    /// Drive a device for another process.
    #[command(hide = true)]
    DeviceChild(device_child::DeviceChild),
}
