//! Cards as their drivers list them.

use gcn_model::isa::Generation;
use serde::{Deserialize, Serialize};

/// A card that a driver sees.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// How a user names it: `hip:0`.
    pub device: String,
    /// Its own name.
    pub name: String,
    /// Target with its features: `gfx906:sramecc+:xnack-`; empty if it is not known.
    pub target: String,
    /// Instruction set; `None` if it cannot be measured here.
    pub generation: Option<Generation>,
    pub compute_units: u32,
    /// Highest shader clock, MHz.
    pub clock_mhz: Option<f64>,
    /// Rate of the wall clock (S_MEMREALTIME), MHz, where the driver tells it.
    pub wall_clock_mhz: Option<f64>,
    pub pci_address: Option<String>,
    pub pci_device_id: Option<u32>,
    /// GPU file with the facts that a run of it is planned by.
    pub facts_from: Option<String>,
    /// Platform and driver with their versions, where there can be several.
    pub driver: Option<String>,
    /// Why it cannot be measured, if it cannot.
    pub refused: Option<String>,
}
