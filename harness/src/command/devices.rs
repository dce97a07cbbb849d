//! `gcn-timings devices`.

use std::io::Write;

use clap::Args;
use gcn_model::gpu::Gpu;
use gcn_model::isa::Generation;
use serde::Serialize;

use crate::device::{Card, cards};

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
    #[serde(skip_serializing_if = "Option::is_none")]
    simulated_compute_units: Option<u32>,
    product: String,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    card: Option<CardRow>,
}

/// What a card's driver says of it.
#[derive(Serialize)]
struct CardRow {
    clock_mhz: Option<f64>,
    wall_clock_mhz: Option<f64>,
    pci_address: Option<String>,
    pci_device_id: Option<String>,
    facts_from: Option<String>,
}

impl From<Card> for Row {
    fn from(card: Card) -> Self {
        Self {
            device: card.device,
            target: card.target,
            generation: card.generation.map_or("none", Generation::name),
            compute_units: card.compute_units,
            simulated_compute_units: None,
            product: card.name,
            card: Some(CardRow {
                clock_mhz: card.clock_mhz,
                wall_clock_mhz: card.wall_clock_mhz,
                pci_address: card.pci_address,
                pci_device_id: card.pci_device_id.map(|id| format!("{id:#06x}")),
                facts_from: card.facts_from,
            }),
        }
    }
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
            simulated_compute_units: Some(gpu.simulation.compute_units),
            product: gpu.product,
            card: None,
        });
    }
    // The reference model is there, whatever the drivers say: it is shown first, and their failure is the program's.
    let cards = cards();
    if let Ok(Some(cards)) = &cards {
        rows.extend(cards.iter().cloned().map(Row::from));
    }
    let mut out = std::io::stdout().lock();
    if arguments.json {
        serde_json::to_writer_pretty(&mut out, &rows)?;
        writeln!(out)?;
        cards?;
        return Ok(());
    }
    writeln!(out, "{:<17} {:<8} {:<5} {:>4}  product", "device", "target", "GCN", "CUs")?;
    for row in rows {
        let Row { device, target, generation, compute_units, product, card, .. } = row;
        write!(out, "{device:<17} {target:<8} {generation:<5} {compute_units:>4}  {product}")?;
        if let Some(card) = card {
            let megahertz = |clock: Option<f64>| clock.map_or("unknown".into(), |clock| format!("{clock} MHz"));
            write!(out, "; shader clock {}, wall clock {}", megahertz(card.clock_mhz), megahertz(card.wall_clock_mhz))?;
            let facts = card.facts_from.unwrap_or_else(|| "nothing: it cannot be measured".into());
            write!(out, "; planned by the facts of {facts}")?;
        }
        writeln!(out)?;
    }
    writeln!(out, "\nsim: is the reference model, which stands in for a card.")?;
    if matches!(cards, Ok(None)) {
        writeln!(
            out,
            "Cards through HIP: not in this build (cargo build --features hip). OpenCL: not in this version."
        )?;
    }
    out.flush()?;
    cards?;
    Ok(())
}
