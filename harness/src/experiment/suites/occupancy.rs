//! Experiments on how many waves run at once on a SIMD, by what each of them needs.
//!
//! More waves than can fit sleep for so long that all that fit are there at the same time. Nothing here knows
//! how large a register file is.

use gcn_model::isa::Processor;
use gcn_model::record::ExperimentKind;

use crate::device::DeviceInformation;
use crate::experiment::measurement::Measurement;
use crate::experiment::plan::Plan;
use crate::experiment::planned::{Experiment, Phase, PlannedLaunch};
use crate::experiment::subject::{Subject, experiment_id};
use crate::kernel::{Allocation, Block, Order, Section, Snippet};

/// The rule of these experiments.
const RULE: &str = "occupancy";
/// Waves that are launched for each SIMD: twice the slots of any GCN SIMD (ten: page, occupancy table), so that some have to
/// wait, and those that do not are the concurrent ones. Where a SIMD has more slots, twice those.
const OFFERED: u32 = 20;
/// Sleeps of a wave, of 8128 cycles each: thousands of times the launch of a wave.
const SLEEPS: u32 = 16;
/// Fewest SGPRs that are asked for: those of the templates.
const LEAST_SGPRS: u32 = 32;
/// Most SGPRs that a kernel of every generation can ask for: 102 that it can name, and VCC (facts §1.4).
const MOST_SGPRS: u32 = 104;
/// LDS of the waves in a group of a single wave, bytes, finely: where the allocation differs from the request.
const FINE_LDS: std::ops::RangeInclusive<u32> = 1664..=3712;
/// Step of these, bytes.
const FINE_LDS_STEP: usize = 128;
/// LDS of a lane, dwords: all that the published table has.
const LDS_DWORDS: std::ops::RangeInclusive<u32> = 1..=64;

impl Plan {
    /// How many waves there are at once, and how many instructions are issued in a cycle.
    pub(super) fn occupancy(&mut self, measured: Measurement<'_>) {
        self.residence(measured);
        self.issue(measured);
    }

    /// Waves at once by VGPRs, by SGPRs and by LDS.
    fn residence(&mut self, measured: Measurement<'_>) {
        let device = measured.device;
        let Some(snippet) = Snippet::long_sleep(device.generation) else { return };
        if !measured.options.wants(&snippet.instruction.name) {
            return;
        }
        let sgprs = sgprs(device);
        // With as few registers of the other kind as can be, so that they limit nothing if they need not.
        let least = sgprs.first().map_or_else(Allocation::default, |sgprs| Allocation::of_all_sgprs(*sgprs));
        let least = least.with_vgprs(Allocation::LEAST_VGPRS);
        let subject = Subject { allocation: least, ..Subject::new(measured, snippet) };
        let generation = device.generation;
        // Work-items of a group of a single wave, and of a group with a wave for each SIMD.
        let (wave, wide) = (device.lanes(), device.lanes() * device.simds());
        let facts = device.processor().map_or_else(|| generation.descriptor.clone(), Processor::descriptor);
        let most_vgprs = facts.vgprs_of_a_lane.min(Allocation::most_vgprs(&facts));
        for vgprs in (Allocation::LEAST_VGPRS..=most_vgprs).step_by(facts.vgpr_granule as usize) {
            let allocation = least.with_vgprs(vgprs);
            let kernel = self.resident(&Subject { allocation, ..subject.clone() }, "vgprs", vgprs, wave);
            self.stay(&subject, kernel, ("vgprs", vgprs), wave, 0);
        }
        for sgprs in sgprs {
            let allocation = Allocation::of_all_sgprs(sgprs).with_vgprs(Allocation::LEAST_VGPRS);
            let kernel = self.resident(&Subject { allocation, ..subject.clone() }, "sgprs", sgprs, wave);
            self.stay(&subject, kernel, ("sgprs", sgprs), wave, 0);
        }
        let kernel = self.resident(&subject, "lds", 1, wave);
        let fine = FINE_LDS.step_by(FINE_LDS_STEP);
        // A wide group cannot have it where a group's LDS is limited; groups of a single wave can.
        let most_of_group = device.lds_bytes_per_group / (wide * 4);
        let beyond = LDS_DWORDS.filter(|dwords| *dwords > most_of_group).map(|dwords| dwords * wave * 4);
        for bytes in fine.chain(beyond.filter(|bytes| *bytes > *FINE_LDS.end())) {
            self.stay(&subject, kernel, ("lds of a wave", bytes), wave, bytes);
        }
        let kernel = self.resident(&subject, "lds", device.simds(), wide);
        let of_wide = format!("lds of {} waves", if device.simds() == 2 { "two" } else { "four" });
        for dwords in LDS_DWORDS.filter(|dwords| *dwords <= most_of_group) {
            let bytes = dwords * wide * 4;
            self.stay(&subject, kernel, (&of_wide, bytes), wide, bytes);
        }
    }

    /// A kernel whose waves sleep.
    fn resident(&mut self, subject: &Subject<'_>, what: &str, amount: u32, group_size: u32) -> usize {
        let purpose = "waves that sleep on their SIMD: how many are concurrent";
        let name = format!("{what}_{amount}");
        let sections = vec![Section { n: SLEEPS, loops: None }];
        let log2_waves = (group_size / subject.device.lanes()).ilog2();
        let kernel = self.kernel(subject, &name, purpose, (Block::bare(), Order::Straight), sections, 1, log2_waves);
        // The first stay counts: those that come later have found room.
        self.kernels[kernel].warm_passes = 0;
        kernel
    }

    /// An experiment: `amount` of `what`.
    fn stay(
        &mut self,
        subject: &Subject<'_>,
        kernel: usize,
        (what, amount): (&str, u32),
        group_size: u32,
        lds_bytes: u32,
    ) {
        let id = experiment_id(subject, &format!("{RULE}/{}-{amount}", what.replace(' ', "-")));
        let mut record = self.record(kernel, ExperimentKind::Residence, id, offered(subject.device), 1, what);
        record.rule = RULE.into();
        record.amount = Some(amount);
        let offered = offered(subject.device) * subject.device.simds() * subject.device.lanes();
        let groups = subject.device.compute_units * offered / group_size;
        let launch = PlannedLaunch { kernel, groups, group_size, lds_bytes };
        self.experiments.push(Experiment { record, launches: vec![launch], phase: Phase::Once });
    }
}

/// Waves that are launched for each SIMD.
fn offered(device: &DeviceInformation) -> u32 {
    OFFERED.max(2 * device.generation.waves.slots)
}

/// SGPRs that are asked for, from the fewest on, those at the end (VCC and the like) included; none where every wave has the same number.
fn sgprs(device: &DeviceInformation) -> Vec<u32> {
    if device.generation.descriptor.sgprs_of_a_wave.is_some() {
        return Vec::new();
    }
    // The initialisation bug takes all 96 always.
    if Processor::find(&device.target).is_some_and(|processor| processor.has_feature("sgpr-init-bug")) {
        return vec![96];
    }
    (LEAST_SGPRS..=MOST_SGPRS).step_by(device.generation.descriptor.sgpr_granule as usize).collect()
}
