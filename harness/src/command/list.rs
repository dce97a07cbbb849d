//! `gcn-timings list`.

use std::collections::BTreeSet;
use std::io::Write;

use anyhow::{Context, bail};
use clap::Args;
use gcn_model::gpu::Gpu;
use gcn_model::isa::{Instruction, Processor};
use gcn_model::record::ExperimentStatus;
use glob::Pattern;
use serde::Serialize;

use super::json_output::print_json;
use crate::experiment::{MeasureOptions, skip_reason};

/// Show every instruction of a GPU.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gcn-timings list --gpu fiji\n  gcn-timings list --target gfx90a\n  gcn-timings list --gpu vega10 --encoding VOP3P\n  gcn-timings list --only 'DS_*' --unmeasured                    and why\n  gcn-timings list --gpu vega10 --json | jq -r '.[] | select(.measured) | .instruction'"
)]
pub struct List {
    /// A GPU of `gcn-timings devices`, or a GPU file
    #[arg(long, default_value = "tahiti")]
    gpu: String,
    /// A target as LLVM names it, instead of a GPU
    #[arg(long, conflicts_with = "gpu")]
    target: Option<String>,
    /// Only instructions whose name matches, as in 'V_*_F64'; may be repeated
    #[arg(long, value_name = "GLOB")]
    only: Vec<Pattern>,
    /// Only this encoding, such as VOP3; may be repeated
    #[arg(long, value_name = "ENCODING")]
    encoding: Vec<String>,
    /// Only instructions that are measured
    #[arg(long, conflicts_with = "unmeasured")]
    measured: bool,
    /// Only instructions that are not measured
    #[arg(long)]
    unmeasured: bool,
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

impl List {
    fn wants(&self, row: &Row) -> bool {
        (self.only.is_empty() || self.only.iter().any(|only| only.matches(row.instruction)))
            && (self.encoding.is_empty() || self.encoding.iter().any(|name| name.eq_ignore_ascii_case(row.encoding)))
            && (!self.measured || row.measured)
            && (!self.unmeasured || !row.measured)
    }

    /// An encoding that the GPU has not is a slip of the pen.
    fn check_encodings(&self, name: &str, rows: &[Row]) -> anyhow::Result<()> {
        for wanted in &self.encoding {
            if !rows.iter().any(|row| row.encoding.eq_ignore_ascii_case(wanted)) {
                let known: BTreeSet<&str> = rows.iter().map(|row| row.encoding).collect();
                let known = known.into_iter().collect::<Vec<_>>().join(", ");
                bail!("--encoding {wanted}: {name} has {known}");
            }
        }
        Ok(())
    }
}

/// The GPU of a name or a file.
pub(super) fn gpu(name: &str) -> anyhow::Result<Gpu> {
    let name = name.strip_prefix("sim:").unwrap_or(name);
    Ok(Gpu::typed(name)?)
}

/// A list entry: its name and its processor.
fn listed(arguments: &List) -> anyhow::Result<(String, Processor)> {
    let Some(target) = &arguments.target else {
        // A target that no product has, or a generic one, is listed by its name alone.
        if Gpu::meant(&arguments.gpu).is_none()
            && let Some(processor) = Processor::find(&arguments.gpu)
        {
            return Ok((processor.name().to_owned(), processor));
        }
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
fn why_not(instruction: &Instruction) -> Option<String> {
    let (status, why) = skip_reason(instruction, &MeasureOptions::default())?;
    Some(if status == ExperimentStatus::Unsupported { format!("unsupported: {why}") } else { why })
}

pub(super) fn run(arguments: &List) -> anyhow::Result<()> {
    let (name, processor) = listed(arguments)?;
    let has_gpu = Gpu::meant(processor.name()).is_some();
    let of_target = || (!has_gpu).then(|| "no GPU of this target is described".to_owned());
    let mut rows: Vec<Row> = processor
        .instructions()
        .map(|instruction| {
            let why_not = of_target().or_else(|| why_not(instruction));
            Row {
                instruction: &instruction.name,
                encoding: instruction.encoding.name(),
                bytes: instruction.dwords().bytes().0,
                measured: why_not.is_none(),
                why_not,
            }
        })
        .collect();
    arguments.check_encodings(&name, &rows)?;
    let all = rows.len();
    rows.retain(|row| arguments.wants(row));
    if arguments.json {
        return print_json(&rows);
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "{:<34} {:<8} {:>5}  measured", "instruction", "encoding", "bytes")?;
    for row in &rows {
        let measured = row.why_not.as_ref().map_or_else(|| "yes".into(), |why| format!("no: {why}"));
        writeln!(out, "{:<34} {:<8} {:>5}  {measured}", row.instruction, row.encoding, row.bytes)?;
    }
    let measured = rows.iter().filter(|row| row.measured).count();
    let shown = if rows.len() == all { String::new() } else { format!("{} of ", rows.len()) };
    writeln!(out, "\n{name}: {shown}{all} instructions, {measured} of them measured")?;
    Ok(())
}
