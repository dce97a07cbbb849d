//! `gcn-timings show`.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use gcn_model::isa::Processor;

use super::document_text;
use super::json_output::print_json;
use super::similar_names::did_you_mean;
use super::tables::load_or_shipped;
use super::terminal::Terminal;

/// Show all that a run knows of one instruction.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gcn-timings show V_ADD_F64 results/tahiti/2026-11-21T12-00-00Z\n  gcn-timings show v_add_f64 DIR --json\n\n\
                  A folder of results without readings is shown as its tables say, such as results/reference/tahiti."
)]
pub struct Show {
    /// The instruction
    instruction: String,
    /// Folder of the run, or shipped:NAME, such as shipped:tahiti
    dir: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Show) -> anyhow::Result<()> {
    let run = load_or_shipped(&arguments.dir)?;
    let name = arguments.instruction.to_ascii_uppercase();
    if !run.timings.iter().any(|row| row.instruction == name) {
        return Err(unknown(&name, &run.record.device.target));
    }
    if arguments.json {
        return print_json(&run.json_about(&name));
    }
    Ok(document_text::write(&mut Terminal::standard(), &run.document_about(&name))?)
}

fn unknown(name: &str, target: &str) -> anyhow::Error {
    let instructions = || Processor::find(target).into_iter().flat_map(|processor| processor.instructions());
    if instructions().any(|instruction| instruction.name == name) {
        return anyhow!("{name}: this run did not measure it: it has other instructions, is a shard, or is incomplete");
    }
    let instructions = instructions();
    anyhow!("{name}: the run has no such instruction; {}", did_you_mean(name, instructions, "see timings.csv"))
}
