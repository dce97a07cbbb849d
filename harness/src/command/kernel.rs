//! `gcn-timings kernel`.

use std::io::Write;

use anyhow::{Context, anyhow, bail};
use clap::Args;

use super::assembler::AssemblerArguments;
use super::list::gpu;
use super::similar_names::did_you_mean;
use crate::device::{Device, SimulatedDevice};
use crate::experiment::{MeasureOptions, Plan};

/// Print the kernels that measure an instruction.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gcn-timings kernel V_ADD_F64 --gpu fiji\n  gcn-timings kernel V_ADD_F64 --gpu fiji --kind chain\n  gcn-timings kernel V_ADD_F64 --kind cycles > k.s && llvm-mc -triple amdgcn-amd-amdhsa -mcpu=gfx600 -filetype=obj k.s -o k.o"
)]
pub struct Kernel {
    /// The instruction
    instruction: String,
    /// A GPU of `gcn-timings devices`, or a GPU file
    #[arg(long, default_value = "tahiti")]
    gpu: String,
    /// Only the kernel of this kind, such as cycles, chain, relay or chase; a wrong one lists all
    #[arg(long)]
    kind: Option<String>,
    /// Readings of each block length and wave
    #[arg(long, default_value_t = 20)]
    samples: u32,
    #[command(flatten)]
    assembler: AssemblerArguments,
}

pub(super) fn run(arguments: &Kernel) -> anyhow::Result<()> {
    let gpu = gpu(&arguments.gpu)?;
    let name = arguments.instruction.to_ascii_uppercase();
    let instruction = gpu.processor().instruction(&name).ok_or_else(|| {
        let hint = did_you_mean(&name, gpu.processor().instructions(), "`gcn-timings list` shows all");
        anyhow!("{} ({}) has no instruction {name}: {hint}", gpu.name, gpu.gfx_target)
    })?;
    let device = SimulatedDevice::new(&gpu.name, &gpu);
    let options = MeasureOptions { samples: arguments.samples, dangerous: true, ..MeasureOptions::default() };
    let mut plan = Plan::of_instruction(device.information(), &options, instruction);
    if plan.kernels.is_empty() {
        let why = plan.experiments.first().map_or("no experiment", |experiment| &experiment.record.detail);
        bail!("there is no kernel for {name}: {why}");
    }
    if let Some(kind) = &arguments.kind {
        let kinds: Vec<_> =
            plan.kernels.iter().map(|kernel| kernel.experiment.replace(&format!("{name}/"), "")).collect();
        plan.kernels.retain(|kernel| kernel.experiment == format!("{name}/{kind}"));
        if plan.kernels.is_empty() {
            bail!("{name} has no kernel of kind {kind}; it has {}", kinds.join(", "));
        }
    }
    let module = arguments.assembler.templates()?.module(&gpu.gfx_target, gpu.generation, &plan.kernels)?;
    if arguments.assembler.is_chosen() {
        arguments.assembler.assembler()?.assemble(&module)?;
    }
    let mut out = std::io::stdout().lock();
    let texts = std::iter::once(&module.header).chain(module.kernels.iter().map(|kernel| &kernel.text));
    for text in texts.chain([&module.footer]) {
        writeln!(out, "{}", text.as_str().trim_end()).context("cannot write the kernel")?;
    }
    Ok(())
}
