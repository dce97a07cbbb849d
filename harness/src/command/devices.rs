//! `gcn-timings devices`.

use std::io::Write;

use clap::Args;
use gcn_model::gpu::Gpu;
use serde::Serialize;

/// Show the devices that can be measured.
#[derive(Debug, Args)]
pub struct Devices {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    device: String,
    target: String,
    generation: &'static str,
    compute_units: u32,
    simulated_compute_units: u32,
    product: String,
}

pub(super) fn run(arguments: &Devices) -> anyhow::Result<()> {
    let mut rows = Vec::new();
    for name in Gpu::shipped() {
        let gpu = Gpu::named(name)?;
        rows.push(Row {
            device: format!("sim:{name}"),
            target: gpu.gfx_target.clone(),
            generation: gpu.generation.name(),
            compute_units: gpu.compute_units,
            simulated_compute_units: gpu.simulation.compute_units,
            product: gpu.product,
        });
    }
    let mut out = std::io::stdout().lock();
    if arguments.json {
        serde_json::to_writer_pretty(&mut out, &rows)?;
        writeln!(out)?;
        return Ok(());
    }
    writeln!(out, "{:<17} {:<8} {:<5} {:>4}  product", "device", "target", "GCN", "CUs")?;
    for row in rows {
        let Row { device, target, generation, compute_units, product, .. } = row;
        writeln!(out, "{device:<17} {target:<8} {generation:<5} {compute_units:>4}  {product}")?;
    }
    writeln!(
        out,
        "\nThe devices above are the reference model, which stands in for a card. Cards through HIP and OpenCL:\nnot in this version."
    )?;
    Ok(())
}
