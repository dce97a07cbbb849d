//! A card that can be measured: what its driver says of it, and the facts of its GPU.

use gcn_model::gpu::CardFacts;
use gcn_model::isa::GroupMode;
use gcn_model::record::{CardRecord, DeviceRecord, OpenClRecord};

use super::simulated_driver::recorded;
use super::{Card, DeviceError, DeviceInformation, LdsRequest};

/// A card of a GPU that this program knows.
pub(super) struct KnownCard {
    card: Card,
    /// Its processor alone.
    target: String,
    facts: CardFacts,
}

impl KnownCard {
    /// A card with this processor.
    ///
    /// # Errors
    /// [`DeviceError::NoDevice`]: no GPU that this program knows.
    pub(super) fn of(card: Card, target: &str) -> Result<Self, DeviceError> {
        let failed = |text: String| DeviceError::NoDevice(format!("{}: {text}", card.device));
        let facts = CardFacts::of(target, card.pci_device_id, &card.name).map_err(|error| failed(error.to_string()))?;
        let facts = facts.ok_or_else(|| {
            failed(format!(
                "{}, {}, is not a GPU that this program knows: it cannot be measured",
                card.name, card.target
            ))
        })?;
        Ok(Self { card, target: target.to_owned(), facts })
    }

    /// The card as a device, through a driver of this name and version that leaves results there.
    pub(super) fn information(
        self,
        driver: String,
        results_in: &str,
        opencl: Option<OpenClRecord>,
    ) -> DeviceInformation {
        let Self { card, target, facts } = self;
        let record = DeviceRecord {
            wave_size: facts.generation.has_wave_sizes().then(|| facts.generation.lanes()),
            mode: facts.generation.has_group_modes().then_some(GroupMode::ComputeUnit),
            device: card.device,
            name: card.name,
            driver: recorded(driver),
            target: target.clone(),
            generation: facts.generation.record_name().into(),
            compute_units: card.compute_units,
            clock_mhz: card.clock_mhz,
            realtime_mhz: card.wall_clock_mhz.or(facts.realtime_mhz),
            card: Some(CardRecord {
                target_id: card.target.clone(),
                pci_address: card.pci_address,
                pci_device_id: card.pci_device_id.map(|id| format!("{id:#06x}")),
                facts_from: facts.gpu.into(),
                match_quality: facts.match_quality,
                realtime_from_driver: card.wall_clock_mhz.is_some(),
                results_in: results_in.into(),
                opencl,
            }),
            facts_sha256: None,
        };
        DeviceInformation {
            record,
            target,
            target_id: card.target,
            generation: facts.generation,
            compute_units: card.compute_units.max(1),
            waves_per_simd: facts.registers.most_waves(),
            lds_bytes: facts.lds.bytes.0,
            lds_granule_bytes: facts.lds.granule.0,
            lds_bytes_per_group: facts.lds.max_group.0,
            lds_request: LdsRequest::Launch,
        }
    }
}
