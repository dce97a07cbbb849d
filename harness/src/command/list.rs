//! `gcn-timings list`.

use std::io::Write;

use anyhow::Context;
use clap::Args;
use gcn_model::gpu::Gpu;
use gcn_model::isa::{Instruction, Processor};
use gcn_model::record::ExperimentStatus;
use serde::Serialize;

use crate::experiment::{MeasureOptions, obstacle};

/// Show every instruction of a GPU.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gcn-timings list --gpu fiji\n  gcn-timings list --target gfx90a\n  gcn-timings list --gpu vega10 --json | jq -r '.[] | select(.measured) | .instruction'"
)]
pub struct List {
    /// The GPU: a name that `gcn-timings devices` shows, or a GPU file
    #[arg(long, default_value = "tahiti")]
    gpu: String,
    /// The target, as LLVM names it, in place of a GPU: also one that is not executed yet
    #[arg(long, conflicts_with = "gpu")]
    target: Option<String>,
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

/// What is listed: its name and its processor.
fn listed(arguments: &List) -> anyhow::Result<(String, Processor)> {
    let Some(target) = &arguments.target else {
        let gpu = gpu(&arguments.gpu)?;
        let processor = gpu.processor();
        return Ok((gpu.name, processor));
    };
    let processor = Processor::find(target).with_context(|| {
        let known: Vec<&str> = Processor::all().map(Processor::name).collect();
        format!("`{target}` is no target that is described; there are {}", known.join(", "))
    })?;
    Ok((processor.name().to_owned(), processor))
}

/// Why an instruction is not measured, if there is a reason.
fn why_not(instruction: &Instruction, processor: Processor) -> Option<String> {
    if let Some(why) = &processor.generation.not_executed {
        return Some(format!("not executed yet: {why}"));
    }
    let (status, why) = obstacle(instruction, &MeasureOptions::default())?;
    Some(if status == ExperimentStatus::Unsupported { format!("unsupported: {why}") } else { why })
}

pub(super) fn run(arguments: &List) -> anyhow::Result<()> {
    let (name, processor) = listed(arguments)?;
    let rows: Vec<Row> = processor
        .instructions()
        .map(|instruction| {
            let why_not = why_not(instruction, processor);
            Row {
                instruction: &instruction.name,
                encoding: instruction.encoding.name(),
                bytes: instruction.dwords().bytes().0,
                measured: why_not.is_none(),
                why_not,
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
    writeln!(out, "\n{}: {} instructions, {measured} of them measured", name, rows.len())?;
    Ok(())
}
