//! How many waves were there at the same time, from where and when each of them ran.

use std::collections::BTreeMap;
use std::fmt;

use gcn_model::record::{ExperimentRecord, ExperimentStatus};

use crate::many_waves::{ComputeUnit, HwIdLayout};
use crate::run::StoredReading;
use crate::settle::{DropRule, Dropped, Status, Tally, Unsettled, is_below_bound, least_block_cycles};
use crate::tables::{ResidenceRecord, Tabled};

/// What limits how many waves there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Resource {
    /// VGPRs of a wave's lane.
    Vgprs,
    /// SGPRs of a wave.
    Sgprs,
    /// LDS of groups of one wave, bytes.
    LdsOfWave,
    /// LDS of groups of four waves, bytes.
    LdsOfFourWaves,
}

/// A row of `residence.csv`: waves at the same time, each with so much of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResidenceRow {
    /// Id of the experiment.
    pub experiment: String,
    /// What they have.
    pub resource: Resource,
    /// How much of it: registers of a wave, or bytes of a group.
    pub amount: u32,
    /// Waves at the same time on one SIMD.
    pub waves_per_simd: Option<u32>,
    /// Waves at the same time on one compute unit.
    pub waves_per_compute_unit: Option<u32>,
    /// What became of the readings.
    pub tally: Tally,
    /// How it ended.
    pub status: Status,
    /// Why, or how many waves were left out.
    pub detail: String,
}

impl Resource {
    /// All, in the order of the tables.
    pub const ALL: [Self; 4] = [Self::Vgprs, Self::Sgprs, Self::LdsOfWave, Self::LdsOfFourWaves];

    /// The word in the tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vgprs => "vgprs",
            Self::Sgprs => "sgprs",
            Self::LdsOfWave => "lds of a wave",
            Self::LdsOfFourWaves => "lds of four waves",
        }
    }

    /// The resource that an experiment's case names.
    fn of_case(case: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|resource| resource.name() == case)
    }

    /// Whether the SIMDs share it.
    pub(super) const fn is_shared(self) -> bool {
        matches!(self, Self::LdsOfWave | Self::LdsOfFourWaves)
    }

    /// Waves that have the amount together.
    pub(super) const fn waves(self) -> u32 {
        match self {
            Self::LdsOfFourWaves => 4,
            _ => 1,
        }
    }
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Tabled for ResidenceRow {
    type Record = ResidenceRecord;

    fn records(&self) -> impl Iterator<Item = ResidenceRecord> {
        std::iter::once(ResidenceRecord {
            resource: self.resource.to_string(),
            amount: self.amount,
            waves_per_simd: self.waves_per_simd,
            waves_per_compute_unit: self.waves_per_compute_unit,
            status: self.status.to_string(),
            detail: self.detail.clone(),
        })
    }
}

/// From the first reading of a wave to its last, shader cycles.
type Window = (u64, u64);

/// The most waves that were at one place at the same time, and whether others waited for theirs to end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Crowd {
    waves: u32,
    is_full: bool,
}

impl ResidenceRow {
    /// What an experiment of kind `residence` shows; `None` if its case names no resource.
    ///
    /// A wave is there from before its first reading until after its last: windows that overlap prove that both waves were there.
    /// That no more fit is proved by waves that began after others had ended at the same place; without such waves the number is
    /// only a lower bound, and the row says so.
    pub(crate) fn of(
        record: &ExperimentRecord,
        readings: &[StoredReading],
        layout: Option<HwIdLayout>,
    ) -> Option<Self> {
        let (resource, amount) = (Resource::of_case(&record.case)?, record.amount?);
        let row = |status, detail| Self {
            experiment: record.experiment.clone(),
            resource,
            amount,
            waves_per_simd: None,
            waves_per_compute_unit: None,
            tally: Tally::unused(readings.len()),
            status,
            detail,
        };
        if record.status != ExperimentStatus::Ok {
            return Some(row(record.status.into(), record.detail.clone()));
        }
        let Some(layout) = layout else {
            return Some(row(Status::Unsupported, "HW_ID of this target is not known".to_owned()));
        };
        if readings.is_empty() {
            return Some(row(Status::Failed, Unsettled::NoReadings.to_string()));
        }
        let mut simds: BTreeMap<(u32, ComputeUnit, u8), Vec<Window>> = BTreeMap::new();
        let mut units: BTreeMap<(u32, ComputeUnit), Vec<Window>> = BTreeMap::new();
        let (mut dropped, least_block) = (Dropped::default(), least_block_cycles(record, layout.generation));
        for reading in readings {
            let (place, last) = (layout.decode(reading.hw_id), layout.decode(reading.hw_id_end));
            if is_below_bound(reading, least_block) {
                dropped.add(DropRule::BelowBound, 1);
                continue;
            }
            if place != last {
                dropped.add(DropRule::Moved, 1);
                continue;
            }
            let window = (reading.begin, reading.end);
            simds.entry((reading.launch, place.compute_unit, place.simd)).or_default().push(window);
            units.entry((reading.launch, place.compute_unit)).or_default().push(window);
        }
        let most = |crowds: &mut dyn Iterator<Item = Crowd>| crowds.max().unwrap_or_default();
        let simd = most(&mut simds.values().map(|windows| crowd(windows)));
        let unit = most(&mut units.values().map(|windows| crowd(windows)));
        let (counts, waves_per_simd) =
            if resource.is_shared() { (unit, unit.waves / layout.generation.waves.simds) } else { (simd, simd.waves) };
        let left_out = if dropped.total() > 0 { format!("left out: {dropped}") } else { String::new() };
        let used = units.values().map(Vec::len).sum();
        let tally = Tally { readings: readings.len(), ..Tally::used(used, dropped) };
        if !counts.is_full {
            let detail = format!("no wave had to wait: {waves_per_simd} or more on a SIMD; {left_out}");
            let tally = tally.without_estimate();
            return Some(Self { tally, ..row(Status::Unstable, detail.trim_end_matches("; ").to_owned()) });
        }
        Some(Self {
            waves_per_simd: Some(waves_per_simd),
            waves_per_compute_unit: Some(unit.waves),
            tally,
            ..row(Status::Ok, left_out)
        })
    }

    /// What the resource's owner held at once: waves of a SIMD, or groups of a compute unit.
    pub(super) fn holders(&self) -> Option<u32> {
        if self.resource.is_shared() {
            Some(self.waves_per_compute_unit? / self.resource.waves())
        } else {
            self.waves_per_simd
        }
    }
}

/// The most windows that hold one moment; a wave that begins when another ends has taken its place.
fn crowd(windows: &[Window]) -> Crowd {
    let mut ends: Vec<u64> = windows.iter().map(|window| window.1).collect();
    let mut begins: Vec<u64> = windows.iter().map(|window| window.0).collect();
    ends.sort_unstable();
    begins.sort_unstable();
    let (mut here, mut most, mut ended) = (0_u32, 0, 0);
    for begin in &begins {
        while ends.get(ended).is_some_and(|end| end <= begin) {
            ended += 1;
            here -= 1;
        }
        here += 1;
        most = most.max(here);
    }
    Crowd { waves: most, is_full: ended > 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_is_what_overlaps() {
        let full = |waves| Crowd { waves, is_full: true };
        assert_eq!(crowd(&[(0, 10), (2, 12), (10, 20), (13, 22)]), full(2));
        assert_eq!(crowd(&[(0, 10), (9, 12), (3, 20)]), Crowd { waves: 3, is_full: false });
        assert_eq!(crowd(&[(0, 10), (10, 20)]), full(1));
        assert_eq!(crowd(&[]), Crowd::default());
    }
}
