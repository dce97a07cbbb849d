//! `gcn-timings assemble`.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use gcn_model::gpu::Gpu;

use super::assembler::AssemblerArguments;
use super::dpfactor::only_dpfactor;
use super::list::gpu;
use crate::device::{Device, DeviceInformation, LdsRequest, SimulatedDevice};
use crate::experiment::{MeasureOptions, Suite};
use crate::kept_kernels::{target_ids, write_kept_kernels};
use crate::run::{ObjectSource, assembled};

/// Assemble and check the kernels of shipped GPUs, for machines without LLVM.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  gcn-timings assemble --out share/gcn-timings/kernels\n\n\
                  Makes a file for each target with what `measure`, `measure --quick` and `dpfactor` launch, for each way in which a driver may name the target. \
                  `measure` takes kernels from there where it finds no LLVM; `run.json` has the same checksums of code objects either way.")]
pub struct Assemble {
    /// Folder for the files. Nothing is overwritten
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Only this GPU; may be repeated
    #[arg(long, value_name = "NAME")]
    gpu: Vec<String>,
    /// Only what `measure --quick` and `dpfactor` launch: small files, soon made
    #[arg(long)]
    quick: bool,
    #[command(flatten)]
    assembler: AssemblerArguments,
}

pub(super) fn run(arguments: &Assemble) -> anyhow::Result<()> {
    let shipped = || Gpu::shipped().map(str::to_owned).collect();
    let names: Vec<String> = if arguments.gpu.is_empty() { shipped() } else { arguments.gpu.clone() };
    let mut by_target: BTreeMap<String, Vec<Gpu>> = BTreeMap::new();
    for name in names {
        let gpu = gpu(&name)?;
        by_target.entry(gpu.gfx_target.clone()).or_default().push(gpu);
    }
    let templates = arguments.assembler.templates()?;
    let assembler = arguments.assembler.assembler()?;
    let mut out = std::io::stdout().lock();
    for (target, gpus) in by_target {
        let mut objects = Vec::new();
        for gpu in &gpus {
            let device = SimulatedDevice::new(&gpu.name, gpu);
            for information in as_drivers_say(device.information()) {
                let quick = MeasureOptions { suites: vec![Suite::Quick], ..MeasureOptions::default() };
                let whole = (!arguments.quick).then(MeasureOptions::default);
                for options in whole.into_iter().chain([quick, only_dpfactor()?]) {
                    objects.extend(assembled(&information, &assembler, &templates, &options)?);
                }
            }
        }
        write_kept_kernels(&arguments.out, &target, &assembler.made_by(), &objects)?;
        let names: Vec<&str> = gpus.iter().map(|gpu| gpu.name.as_str()).collect();
        writeln!(out, "{target}: {} code objects for {}", objects.len(), names.join(", "))?;
    }
    Ok(())
}

/// The same card as each of its drivers may describe it.
fn as_drivers_say(device: &DeviceInformation) -> Vec<DeviceInformation> {
    let ids = target_ids(&device.target);
    let with = |lds_request| {
        let ids = ids.clone().into_iter();
        ids.map(move |target_id| DeviceInformation { target_id, lds_request, ..device.clone() })
    };
    [LdsRequest::Launch, LdsRequest::Argument].into_iter().flat_map(with).collect()
}
