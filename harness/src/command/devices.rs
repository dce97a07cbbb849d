//! `gcn-timings devices`.

use std::collections::BTreeSet;
use std::io::Write;

use anyhow::bail;
use clap::Args;
use gcn_model::gpu::{Gpu, plain};
use gcn_model::isa::Generation;
use serde::Serialize;

use super::json_output::print_json;
use super::terminal::Terminal;
use crate::device::{Card, CardDriver, cards};

/// Show the devices that can be measured.
#[derive(Debug, Args)]
#[command(
    after_help = "hip:N and opencl:N are cards, numbered from 0 in their driver's order. For OpenCL that is the order of its platforms and of the \
    devices of each, those that cannot be measured included: they are listed with the reason. The exit code is 1 if this build \
    has HIP or OpenCL and there is no card that can be measured."
)]
pub struct Devices {
    /// Only those whose name, target, product or family contains this; a chip such as `navi32` has all products of its target
    filter: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    device: String,
    target: String,
    generation: &'static str,
    /// Empty for a device that is none of a generation.
    family: String,
    compute_units: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    simulated_compute_units: Option<u32>,
    product: String,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    card: Option<CardRow>,
}

/// A driver's statement about a card.
#[derive(Serialize)]
struct CardRow {
    clock_mhz: Option<f64>,
    wall_clock_mhz: Option<f64>,
    pci_address: Option<String>,
    pci_device_id: Option<String>,
    facts_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    driver: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
}

impl From<Card> for Row {
    fn from(card: Card) -> Self {
        Self {
            device: card.device,
            target: if card.target.is_empty() { "-".into() } else { card.target },
            generation: card.generation.map_or("none", Generation::record_name),
            family: card.generation.map_or_else(String::new, Generation::title),
            compute_units: card.compute_units,
            simulated_compute_units: None,
            product: card.name,
            card: Some(CardRow {
                clock_mhz: card.clock_mhz,
                wall_clock_mhz: card.wall_clock_mhz,
                pci_address: card.pci_address,
                pci_device_id: card.pci_device_id.map(|id| format!("{id:#06x}")),
                facts_from: card.facts_from,
                driver: card.driver,
                refused: card.refused,
            }),
        }
    }
}

impl Row {
    /// Whether one of its names contains another, or it is of a target.
    fn is_called(&self, wanted: &str, target: Option<&str>) -> bool {
        let names = [&self.device, &self.target, &self.product, &self.family];
        names.into_iter().any(|name| plain(name).contains(wanted)) || target == self.target.split(':').next()
    }

    fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let Self { device, target, compute_units, product, card, .. } = self;
        write!(out, "{device:<17} {target:<8} {compute_units:>4}  {product}")?;
        if let Some(card) = card {
            if let Some(id) = &card.pci_device_id {
                let at = card.pci_address.as_ref().map_or(String::new(), |address| format!(" at {address}"));
                write!(out, "; PCI device {id}{at}")?;
            }
            let megahertz = |clock: Option<f64>| clock.map_or("unknown".into(), |clock| format!("{clock} MHz"));
            write!(out, "; shader clock {}, wall clock {}", megahertz(card.clock_mhz), megahertz(card.wall_clock_mhz))?;
            if let Some(driver) = &card.driver {
                write!(out, "; {driver}")?;
            }
            match (&card.refused, &card.facts_from) {
                (Some(why), _) => write!(out, "; cannot be measured: {why}")?,
                (None, Some(facts)) => write!(out, "; planned by the facts of {facts}")?,
                (None, None) => {}
            }
        }
        writeln!(out)
    }
}

/// The devices that the drivers show.
#[derive(Default)]
struct Shown {
    rows: Vec<Row>,
    /// Why a driver shows nothing.
    failures: Vec<String>,
    /// Whether there is a card that can be measured.
    has_card: bool,
}

fn shown() -> Shown {
    let mut shown = Shown::default();
    for driver in CardDriver::ALL.into_iter().filter(|driver| driver.is_built_in()) {
        match cards(driver) {
            Ok(cards) => {
                shown.has_card |= cards.iter().any(|card| card.refused.is_none());
                shown.rows.extend(cards.into_iter().map(Row::from));
            }
            Err(error) => shown.failures.push(error.to_string()),
        }
    }
    shown
}

/// The simulated cards, family by family: targets of GCN 1.4 are numbered between those of CDNA.
fn simulated() -> anyhow::Result<Vec<Row>> {
    let mut gpus = Gpu::shipped().map(Gpu::named).collect::<Result<Vec<_>, _>>()?;
    let families: Vec<Generation> = gpus.iter().map(|gpu| gpu.generation).collect();
    gpus.sort_by_key(|gpu| families.iter().position(|family| *family == gpu.generation));
    let row = |gpu: Gpu| Row {
        device: format!("sim:{}", gpu.name),
        target: gpu.gfx_target.clone(),
        generation: gpu.generation.record_name(),
        family: gpu.generation.title(),
        compute_units: gpu.compute_units,
        simulated_compute_units: Some(gpu.simulation.compute_units),
        product: gpu.product,
        card: None,
    };
    Ok(gpus.into_iter().map(row).collect())
}

/// The table: families one after another, the cards of drivers last.
fn write_table(rows: &[Row]) -> std::io::Result<()> {
    let mut out = Terminal::standard();
    writeln!(out, "{:<17} {:<8} {:>4}  product", "device", "target", "CUs")?;
    let mut family = None;
    for row in rows {
        let of_row = if row.card.is_some() { "Cards" } else { row.family.as_str() };
        if family.replace(of_row) != Some(of_row) {
            writeln!(out, "\n{of_row}")?;
        }
        row.write(&mut out)?;
    }
    writeln!(out, "\nsim: is the simulator, which replaces a card.")?;
    for driver in CardDriver::ALL.into_iter().filter(|driver| !driver.is_built_in()) {
        let feature = driver.prefix();
        writeln!(out, "Cards through {driver}: not in this build (cargo build --features {feature}).")?;
    }
    out.flush()
}

pub(super) fn run(arguments: &Devices) -> anyhow::Result<()> {
    let mut rows = simulated()?;
    // The simulator is there, whatever the drivers say, and a driver that fails hides no other's cards.
    let Shown { rows: cards, mut failures, has_card } = shown();
    let has_other = !cards.is_empty();
    rows.extend(cards);
    if let Some(filter) = &arguments.filter {
        let meant = Gpu::meant(filter).map(Gpu::named).transpose()?;
        let target = meant.as_ref().map(|gpu| gpu.gfx_target.as_str());
        rows.retain(|row| row.is_called(&plain(filter), target));
        if rows.is_empty() {
            let families: BTreeSet<String> =
                Generation::all().into_iter().filter(|it| Gpu::is_known_of(*it)).map(Generation::title).collect();
            let families = families.into_iter().collect::<Vec<_>>().join(", ");
            bail!("no device has `{filter}` in its name, target, product or family; families are {families}");
        }
    }
    if arguments.json {
        print_json(&rows)?;
    } else {
        write_table(&rows)?;
    }
    let is_any_built_in = CardDriver::ALL.into_iter().any(CardDriver::is_built_in);
    if is_any_built_in && !has_card {
        if has_other {
            failures.push(
                "none of the devices listed is an AMD GPU that this program knows on a platform that takes machine code"
                    .into(),
            );
        }
        bail!("there is no card that can be measured: {}", failures.join("; "));
    }
    for failure in failures {
        writeln!(std::io::stderr(), "gcn-timings: {failure}")?;
    }
    Ok(())
}
