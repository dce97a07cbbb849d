//! What work-groups need room for.

use crate::cost::configuration::Configuration;
use crate::dispatch::shape::Shape;
use gcn_model::code_object::ProgramRegisters;

/// The resources of a compute unit that a wave and its group need, in whole granules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Needs {
    /// VGPRs of a lane.
    pub vgprs: u32,
    pub sgprs: u32,
    /// LDS of the group, bytes.
    pub lds: u32,
}

impl Needs {
    /// Largest work-group of the hardware: 16 waves.
    pub(crate) const MOST_ITEMS: u64 = 1024;

    /// Those of a launch with this much LDS for each group, whose groups may have at most this many work-items.
    ///
    /// # Errors
    /// The limits of the GPU.
    pub(crate) fn of(
        configuration: &Configuration,
        registers: ProgramRegisters,
        shape: Shape,
        (lds, most_items): (u32, u64),
    ) -> Result<Self, String> {
        let items = shape.group.iter().map(|items| u64::from(*items)).product::<u64>();
        if items == 0 || items > most_items {
            return Err(format!("a work-group of {items} work-items: 1 to {most_items} are allowed"));
        }
        if shape.grid.contains(&0) {
            return Err("a launch of 0 work-groups".into());
        }
        if lds > configuration.lds_bytes_per_group {
            return Err(format!("{lds} bytes of LDS: a group can have {}", configuration.lds_bytes_per_group));
        }
        let lds = lds.next_multiple_of(configuration.lds_granule_bytes);
        let granules = &configuration.processor.descriptor();
        let vgprs = registers.vgprs(granules).next_multiple_of(configuration.vgpr_granule);
        let sgprs = registers.sgprs(granules).next_multiple_of(configuration.sgpr_granule);
        if vgprs > configuration.vgprs || sgprs > configuration.sgprs {
            return Err(format!(
                "{vgprs} VGPRs and {sgprs} SGPRs: a SIMD has {} and {}",
                configuration.vgprs, configuration.sgprs
            ));
        }
        let waves = (items as u32).div_ceil(configuration.issue.wave_size);
        let room = (configuration.vgprs / vgprs).min(configuration.sgprs / sgprs).min(configuration.waves_per_simd);
        if waves > room * configuration.issue.simds {
            return Err(format!(
                "a work-group of {waves} waves of {vgprs} VGPRs and {sgprs} SGPRs: a compute unit holds {}",
                room * configuration.issue.simds
            ));
        }
        Ok(Self { vgprs, sgprs, lds })
    }
}
