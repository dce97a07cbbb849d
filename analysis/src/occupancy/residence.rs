//! How many waves were there at the same time, from where and when each of them ran.

use std::collections::{BTreeMap, BTreeSet};

use gcn_model::record::{ExperimentRecord, ExperimentStatus};

use super::concurrent::{Agreement, Stay, clip, concurrent};
use crate::many_waves::{ComputeUnit, HwIdLayout};
use crate::run::StoredReading;
use crate::settle::{DropRule, Dropped, Status, Tally, Unsettled, is_below_bound, least_block_cycles};
use crate::tables::{table, words};

words! {
    /// What limits how many waves there are.
    #[derive(Default)]
    pub enum Resource {
        /// VGPRs of a wave's lane.
        #[default]
        Vgprs = "vgprs",
        /// SGPRs of a wave.
        Sgprs = "sgprs",
        /// LDS of groups of a single wave, bytes.
        LdsOfWave = "lds of a wave",
        /// LDS of groups of two waves, bytes: of groups with a wave for each SIMD, where these are two.
        LdsOfTwoWaves = "lds of two waves",
        /// LDS of groups of four waves, bytes.
        LdsOfFourWaves = "lds of four waves",
    }
}

table! { "residence.csv":
    /// A row of `residence.csv`: waves at the same time, each with an amount of a resource.
    #[derive(Default, Eq)]
    pub struct ResidenceRow {
        pub resource: Resource,
        /// How much of it: registers of a wave, or bytes of a group.
        pub amount: u32,
        /// Waves at the same time on one SIMD.
        pub waves_per_simd: Option<u32>,
        /// Waves at the same time on one compute unit.
        pub waves_per_compute_unit: Option<u32>,
        pub status: Status,
        /// Why, or how many waves were left out.
        pub detail: String,
    } beside {
        pub experiment: String,
        /// By how many more places have that number than have another.
        pub margin: u32,
        /// Whether few enough places disagree that nothing is measured again.
        pub is_unanimous: bool,
        /// What became of the readings.
        pub tally: Tally,
    }
}

impl Resource {
    /// The resource that an experiment's case names.
    fn of_case(case: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|resource| resource.name() == case)
    }

    /// Whether the SIMDs share it.
    pub(super) const fn is_shared(self) -> bool {
        matches!(self, Self::LdsOfWave | Self::LdsOfTwoWaves | Self::LdsOfFourWaves)
    }

    /// Waves that have the amount together.
    pub(super) const fn waves(self) -> u32 {
        match self {
            Self::LdsOfTwoWaves => 2,
            Self::LdsOfFourWaves => 4,
            _ => 1,
        }
    }
}

fn on_simd(stays: &[Stay], simd: u8) -> Vec<Stay> {
    stays.iter().filter(|stay| stay.slot.0 == simd).copied().collect()
}

/// Stays of a launch's waves on each compute unit.
type Stays = BTreeMap<(u32, ComputeUnit), Vec<Stay>>;

/// The stays that readings prove, and the readings that prove none.
fn stays_by_unit(readings: &[StoredReading], layout: HwIdLayout, least_block: f64) -> (Stays, Dropped) {
    let (mut units, mut dropped) = (Stays::new(), Dropped::default());
    for reading in readings {
        let (place, last) = (layout.decode(reading.hw_id), layout.decode(reading.hw_id_end));
        if is_below_bound(reading, least_block) {
            dropped.add(DropRule::BelowBound, 1);
        } else if place != last {
            dropped.add(DropRule::Moved, 1);
        } else {
            let stay = Stay { slot: (place.simd, place.slot), window: (reading.begin, reading.end) };
            units.entry((reading.launch, place.compute_unit)).or_default().push(stay);
        }
    }
    units.values_mut().for_each(|stays| clip(stays));
    (units, dropped)
}

/// Share of the places that has to have the same number of waves for it to stand.
const MAJORITY: f64 = 0.5;
/// Share from which on nothing is measured again.
const UNANIMOUS: f64 = 0.75;

impl ResidenceRow {
    /// The result of an experiment of kind `residence`; `None` if its case names no resource.
    ///
    /// A wave is there from before its first reading until after its last: windows that overlap prove that both waves were there, unless
    /// a reading came late, which [`clip`] takes off. Of all places the median counts.
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
            tally: Tally::unused(readings.len()),
            status,
            detail,
            ..Self::default()
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
        let (units, dropped) = stays_by_unit(readings, layout, least_block_cycles(record, layout.generation));
        let simds: BTreeSet<u8> = units.values().flatten().map(|stay| stay.slot.0).collect();
        let by_simd = units.values().flat_map(|stays| simds.iter().map(|&simd| concurrent(&on_simd(stays, simd))));
        let (by_simd, by_unit) = (Agreement::of(by_simd), Agreement::of(units.values().map(|stays| concurrent(stays))));
        let (counts, waves_per_simd) =
            if resource.is_shared() { (by_unit, by_unit.waves / layout.simds()) } else { (by_simd, by_simd.waves) };
        let left_out = if dropped.total() > 0 { format!("left out: {dropped}") } else { String::new() };
        let used = units.values().map(Vec::len).sum();
        let tally = Tally { readings: readings.len(), ..Tally::used(used, dropped) };
        let unstable = |why: String| {
            let detail = format!("{why}; {left_out}").trim_end_matches("; ").to_owned();
            Some(Self { tally: tally.without_estimate(), ..row(Status::Unstable, detail) })
        };
        if !counts.is_full {
            return unstable(format!("no wave had to wait: {waves_per_simd} or more on a SIMD"));
        }
        let margin = (2 * counts.agreeing).saturating_sub(counts.places);
        if f64::from(counts.agreeing) <= MAJORITY * f64::from(counts.places) && counts.places > 1 {
            return unstable(format!(
                "only {} of {} places have the same number of waves",
                counts.agreeing, counts.places
            ));
        }
        Some(Self {
            waves_per_simd: Some(waves_per_simd),
            waves_per_compute_unit: Some(by_unit.waves),
            margin,
            is_unanimous: f64::from(counts.agreeing) >= UNANIMOUS * f64::from(counts.places),
            tally,
            ..row(Status::Ok, left_out)
        })
    }

    /// The same row when the other amounts contradict it.
    pub(super) fn contradicted(&self) -> Self {
        let waves = self.waves_per_simd.map(|waves| waves.to_string()).unwrap_or_default();
        let left_out = if self.detail.is_empty() { String::new() } else { format!("; {}", self.detail) };
        Self {
            waves_per_simd: None,
            waves_per_compute_unit: None,
            tally: self.tally.without_estimate(),
            status: Status::Unstable,
            detail: format!("{waves} waves on a SIMD do not fit the other amounts{left_out}"),
            ..self.clone()
        }
    }

    /// The owner's concurrent holders: waves of a SIMD, or groups of a compute unit.
    pub(super) fn holders(&self) -> Option<u32> {
        if self.resource.is_shared() {
            Some(self.waves_per_compute_unit? / self.resource.waves())
        } else {
            self.waves_per_simd
        }
    }
}
