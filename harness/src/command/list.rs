//! `gcn-timings list`.

use std::io::Write;

use clap::Args;
use gcn_model::gpu::Gpu;
use gcn_model::record::ExperimentStatus;
use serde::Serialize;

use crate::experiment::{MeasureOptions, obstacle};

/// Show every instruction of a GPU.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gcn-timings list --gpu fiji\n  gcn-timings list --gpu vega10 --json | jq -r '.[] | select(.measured) | .instruction'"
)]
pub struct List {
    /// The GPU: a name that `gcn-timings devices` shows, or a GPU file
    #[arg(long, default_value = "tahiti")]
    gpu: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    instruction: &'static str,
    encoding: &'static str,
    bytes: u32,
    measured: bool,
    why_not: Option<String>,
}

/// The GPU of a name or a file.
pub(super) fn gpu(name: &str) -> anyhow::Result<Gpu> {
    let name = name.strip_prefix("sim:").unwrap_or(name);
    Ok(if name.ends_with(".toml") { Gpu::from_file(name.as_ref())? } else { Gpu::named(name)? })
}

pub(super) fn run(arguments: &List) -> anyhow::Result<()> {
    let gpu = gpu(&arguments.gpu)?;
    let options = MeasureOptions::default();
    let rows: Vec<Row> = gpu
        .processor()
        .instructions()
        .map(|instruction| {
            let obstacle = obstacle(instruction, &options);
            Row {
                instruction: &instruction.name,
                encoding: instruction.encoding.name(),
                bytes: instruction.dwords().bytes().0,
                measured: obstacle.is_none(),
                why_not: obstacle.map(|(status, why): (ExperimentStatus, String)| {
                    if status == ExperimentStatus::Unsupported { format!("unsupported: {why}") } else { why }
                }),
            }
        })
        .collect();
    let mut out = std::io::stdout().lock();
    if arguments.json {
        serde_json::to_writer_pretty(&mut out, &rows)?;
        writeln!(out)?;
        return Ok(());
    }
    writeln!(out, "{:<34} {:<8} {:>5}  measured", "instruction", "encoding", "bytes")?;
    for row in &rows {
        let measured = row.why_not.as_ref().map_or_else(|| "yes".into(), |why| format!("no: {why}"));
        writeln!(out, "{:<34} {:<8} {:>5}  {measured}", row.instruction, row.encoding, row.bytes)?;
    }
    let measured = rows.iter().filter(|row| row.measured).count();
    writeln!(out, "\n{}: {} instructions, {measured} of them measured", gpu.name, rows.len())?;
    Ok(())
}
