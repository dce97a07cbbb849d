//! What can be typed.

use clap::{Parser, Subcommand, ValueEnum};

use super::{
    analyze, assemble, assemble_child, bundle, compare, completions, device_child, devices, doctor, dpfactor, export,
    kernel, list, manual, measure, merge, plot, predict, report, run_program, show, site, validate,
};

/// Measures how many cycles instructions of AMD GPUs take, and predicts what code costs.
#[derive(Debug, Parser)]
#[command(
    name = "gcn-timings",
    version,
    about,
    after_help = "Examples:\n  \
        gcn-timings measure                            every suite on the simulated Tahiti\n  \
        gcn-timings measure --device sim:fiji --only 'V_*_F64'\n  \
        gcn-timings dpfactor --device sim:hawaii       the double-precision class, in seconds\n  \
        gcn-timings kernel V_ADD_F64 --gpu fiji        the assembly that is run\n  \
        gcn-timings run --gpu fiji -- rocminfo         a program of ROCm on a simulated card\n\n\
        A device is sim:NAME (a GPU that ships), sim:FILE.toml (a GPU file of yours), hip:N or opencl:N.\n\
        `gcn-timings devices` shows them. Nothing has run on silicon yet."
)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// When to use colours
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
    /// Check what a measurement needs, and what would disturb it.
    Doctor(doctor::Doctor),
    /// Show every instruction of a GPU: encoding, size, and whether it is measured.
    List(list::List),
    /// Print the kernels that measure an instruction.
    Kernel(kernel::Kernel),
    /// Predict how many cycles a loop or a piece of code takes, and why.
    Predict(predict::Predict),
    /// Run a program of ROCm or OpenCL on a simulated card.
    Run(run_program::Run),
    /// Measure a device and derive its tables.
    Measure(measure::Measure),
    /// Join the shards of a run.
    Merge(merge::Merge),
    /// Derive the tables again from a run's readings.
    Analyze(analyze::Analyze),
    /// Pack a run into one file, or check such a file.
    Bundle(bundle::Bundle),
    /// Find the double-precision class of a device or a run.
    Dpfactor(dpfactor::Dpfactor),
    /// Compare a run with the published timings.
    Validate(validate::Validate),
    /// Draw the plots of a run.
    Plot(plot::Plot),
    /// Write the HTML report of a run.
    Report(report::Report),
    /// Write a static site of the results of one or more cards.
    Site(site::SiteArguments),
    /// Print a run's results as LLVM's or ACO's tables, JSON, CSV or Markdown.
    Export(export::Export),
    /// Show everything about one instruction.
    Show(show::Show),
    /// Compare runs or cards.
    Compare(compare::Compare),
    /// Assemble and check the kernels of shipped GPUs, for machines without LLVM.
    Assemble(assemble::Assemble),
    /// Print completions for a shell.
    Completions(completions::Completions),
    /// Write the manual pages.
    Manual(manual::Manual),
    /// Assemble a user's text for another process.
    #[command(hide = true)]
    AssembleChild(assemble_child::AssembleChild),
    /// Drive a device for another process.
    #[command(hide = true)]
    DeviceChild(device_child::DeviceChild),
}
