//! How many waves the LDS of their work-groups allows.

use std::num::NonZeroU32;

use gcn_model::gpu::Gpu;
use gcn_model::quantity::Bytes;
use serde::Serialize;

use crate::question::Question;

/// How many waves the LDS of their work-groups allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LdsOccupancy {
    /// LDS of a work-group.
    #[serde(rename = "group_bytes")]
    pub group: Bytes,
    /// Work-groups that a compute unit has LDS for.
    pub groups: u32,
    /// Waves of a work-group, if that is known.
    pub waves_per_group: Option<NonZeroU32>,
    /// Waves of each SIMD that there is LDS for, at least 1 if there is enough for a group; `None` if it is not known how many waves a
    /// group has.
    pub waves_per_simd: Option<u32>,
    /// With at most this much LDS of a work-group, another wave fits.
    pub bytes_for_one_more: Option<Bytes>,
}

impl LdsOccupancy {
    /// The room for work-groups with this much LDS, whose waves are on the SIMDs of a question; `None` if they have none.
    pub(crate) fn of(gpu: &Gpu, group: Bytes, question: &Question) -> Option<Self> {
        if group.0 == 0 {
            return None;
        }
        let (lds, waves_per_group) = (&gpu.lds, question.waves_per_group);
        let simds = question.simds.max(1);
        let granule = lds.granule.0.max(1);
        let all = lds.bytes.0 * gpu.generation.compute_units_of_group(question.group_mode);
        let groups = if group > lds.max_group { 0 } else { all / group.0.next_multiple_of(granule) };
        let waves_per_simd = waves_per_group.map(|waves| (groups * waves.get() / simds).max(groups.min(1)));
        let bytes_for_one_more = waves_per_group.zip(waves_per_simd).map(|(waves_per_group, waves)| {
            // Whole groups, so that each SIMD has one wave more.
            let groups = ((waves + 1) * simds).div_ceil(waves_per_group.get());
            Bytes(all / groups / granule * granule).min(lds.max_group)
        });
        Some(Self { group, groups, waves_per_group, waves_per_simd, bytes_for_one_more })
    }

    /// The LDS of a group, and the number of groups that fit if their waves are unknown.
    pub(crate) fn words(&self) -> String {
        match self.waves_per_group {
            Some(waves) => format!("{} bytes of LDS a group of {waves} waves", self.group),
            None => format!(
                "{} bytes of LDS a group, {} groups on a compute unit (--group-waves sets the waves of a group)",
                self.group, self.groups
            ),
        }
    }
}
