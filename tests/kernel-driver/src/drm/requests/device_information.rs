//! `AMDGPU_INFO_DEV_INFO`: the chip, its compute units and its address space.

use bytemuck::Zeroable;

use crate::drm::request::DeviceInformation;
use crate::place::PAGE;
use gcn_simulated_card::Card;

/// Where addresses for the process begin: `AMDGPU_VA_RESERVED_SIZE` of Linux 6.1, 2 MiB.
const FIRST_ADDRESS: u64 = 2 << 20;
/// Bytes of the address space: of GFX6 to GFX8 64 GiB (Linux, `gmc_v6_0.c` to `gmc_v8_0.c`), of GFX9 what lies below the hole.
const ADDRESS_SPACE: [u64; 2] = [64 << 30, 1 << 47];
/// What Mesa aligns large buffers to: a fragment of page table entries of GFX8 (`gmc_v8_0.c`: 2^9 pages).
const FRAGMENT_BYTES: u32 = 2 << 20;

/// The driver's facts about a card. It has as many compute units as the simulator simulates, one array of them in each shader engine.
/// Facts that no GPU file has and nothing here depends on are 0, which is "unknown" for the kind of memory.
pub(super) fn device_information(card: &Card) -> DeviceInformation {
    let chip = &card.chip;
    let (units, engines) = (card.compute_units(), card.shader_engines());
    let units_of = |engine: u32| units / engines + u32::from(engine < units % engines);
    let mask = |count: u32| if count >= 32 { u32::MAX } else { (1 << count) - 1 };
    let mut masks = [[0; 4]; 4];
    for (engine, row) in (0..engines).zip(&mut masks) {
        row[0] = mask(units_of(engine));
    }
    let backends = chip.backends_per_engine * engines;
    DeviceInformation {
        device_id: chip.device_id,
        external_revision: chip.external_revision,
        pci_revision: chip.revision,
        family: chip.family,
        shader_engines: engines,
        arrays_per_engine: 1,
        counter_khz: (card.realtime_hz() / 1e3) as u32,
        most_engine_khz: (card.gpu.clock.shader_mhz * 1e3) as u64,
        compute_units: units,
        compute_unit_masks: masks,
        backend_mask: mask(backends),
        backends,
        contexts: 8,
        first_address: FIRST_ADDRESS,
        end_address: ADDRESS_SPACE[usize::from(card.is_gfx9_or_later())],
        address_alignment: PAGE as u32,
        fragment_bytes: FRAGMENT_BYTES,
        page_bytes: PAGE as u32,
        constant_engine_bytes: 32 << 10,
        wavefront: 64,
        vgprs: card.gpu.registers.vgprs,
        units_per_array: units.div_ceil(engines),
        l2_blocks: chip.l2_blocks,
        always_on_masks: masks,
        ..DeviceInformation::zeroed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcn_model::gpu::Gpu;

    #[test]
    fn compute_units_are_spread_over_the_engines() {
        let text = "base = \"hawaii\"\nname = \"large\"\n[simulation]\ncompute_units = 6\n";
        let card = Card::new(Gpu::from_toml(text, "large.toml").unwrap()).unwrap();
        let information = device_information(&card);
        assert_eq!(information.compute_unit_masks.map(|row| row[0]), [0b11, 0b11, 1, 1]);
        assert_eq!((information.shader_engines, information.backends, information.backend_mask), (4, 16, 0xffff));
        assert_eq!((information.family, information.external_revision), (120, 40));
        let card = Card::new(Gpu::named("hawaii").unwrap()).unwrap();
        assert_eq!(device_information(&card).compute_unit_masks.map(|row| row[0]), [1, 1, 0, 0]);
    }
}
