//! The CLRX table's occupancy table, from what ran at the same time.

use std::cmp::Reverse;
use std::fmt;

use gcn_model::published::Published;
use gcn_model::quantity::InstructionsPerCycle;
use gcn_model::record::ExperimentKind;

use super::allocation::{Allocation, Sweep};
use super::issue::IssueRow;
use super::residence::{ResidenceRow, Resource};
use crate::many_waves::{HwIdLayout, Slots};
use crate::run::StoredRun;
use crate::settle::{Status, THROUGHPUT_RESOLUTION};
use crate::tables::{Measured, Quantity, Verdict, decimal, table};
use crate::verdict::ValidationRow;

const DWORD_BYTES: u32 = 4;

/// The resources that are swept finely enough to tell the granule.
const SWEPT: [Resource; 3] = [Resource::Vgprs, Resource::Sgprs, Resource::LdsOfWave];

/// Everything that the occupancy suite shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Occupancy {
    /// Rows of `residence.csv`.
    pub residence: Vec<ResidenceRow>,
    /// Rows of `issue.csv`.
    pub issue: Vec<IssueRow>,
    /// Waves that a SIMD has room for; absent if none ran.
    pub slots: Option<Slots>,
    /// Rows of `allocation.csv`.
    pub allocations: Vec<Allocation>,
    /// Rows of `occupancy.csv`.
    pub table: Vec<OccupancyRow>,
}

table! { "occupancy.csv":
    /// A row of `occupancy.csv`: the most of a resource with which this many waves run at once on a SIMD.
    #[derive(Default)]
    pub struct OccupancyRow {
        /// Waves at once on a SIMD.
        pub waves_per_simd: u32,
        /// SGPRs of a wave, those of VCC and the like included.
        pub sgprs: Option<u32>,
        /// VGPRs of a wave.
        pub vgprs: Option<u32>,
        /// LDS of a wave divided by its lanes, dwords.
        pub lds_dwords_per_lane: Option<f64>,
        /// Instructions per cycle and compute unit in the block of unlike instructions that issued fastest.
        pub issue: Option<Measured<InstructionsPerCycle>>,
    }
}

impl Occupancy {
    /// Derives all from a run; empty if it has nothing of the suite.
    pub(crate) fn of(run: &StoredRun, layout: Option<HwIdLayout>) -> Self {
        let mut residence = residence(run, layout);
        let sweeps = sweeps(&residence);
        for row in &mut residence {
            let sweep = sweeps.iter().find(|(resource, _)| *resource == row.resource);
            if sweep.is_some_and(|(_, sweep)| sweep.contradicts(row)) {
                *row = row.contradicted();
            }
        }
        let mixes = run.experiments.iter().enumerate().filter(|(_, record)| record.kind == ExperimentKind::Issue);
        let issue = mixes.map(|(position, record)| IssueRow::of(record, run.readings_of(position), layout));
        let issue: Vec<IssueRow> = issue.collect();
        let of = |resource| sweeps.iter().find(|(known, _)| *known == resource).map(|(_, sweep)| sweep);
        let is_fixed = layout.is_some_and(|layout| layout.generation.descriptor.sgprs_of_a_wave.is_some());
        let sgprs = if is_fixed { of(Resource::Vgprs) } else { of(Resource::Sgprs) };
        let slots = slots(&residence, of(Resource::Vgprs), sgprs);
        let allocations = sweeps.iter().filter_map(|(resource, sweep)| Allocation::of(*resource, sweep)).collect();
        let by_issue = issue.iter().filter(|row| row.issue.is_some()).map(|row| row.waves_per_simd).max();
        let most = slots.map(Slots::at_least).or(by_issue).unwrap_or(0);
        let table =
            (1..=most).map(|waves| OccupancyRow::of(waves, run.record.device.lanes(), &residence, &issue)).collect();
        Self { residence, issue, slots, allocations, table }
    }

    /// Ids of the experiments on resident waves that are to be measured again: they did not settle, some places have another number
    /// of waves than most, or the other amounts contradict them.
    pub(crate) fn unsettled(run: &StoredRun, layout: Option<HwIdLayout>) -> Vec<String> {
        let rows = residence(run, layout);
        let sweeps = sweeps(&rows);
        let is_open = |row: &&ResidenceRow| {
            let sweep = sweeps.iter().find(|(resource, _)| *resource == row.resource);
            row.status == Status::Unstable
                || row.status == Status::Ok && !row.is_unanimous
                || sweep.is_some_and(|(_, sweep)| sweep.contradicts(row))
        };
        rows.iter().filter(is_open).map(|row| row.experiment.clone()).collect()
    }

    /// Whether an experiment failed because the card has not as much of a resource: nothing is lost.
    pub(crate) fn is_refused(&self, experiment: &str) -> bool {
        self.residence.iter().any(|row| row.experiment == experiment && row.status == Status::Unsupported)
    }

    /// The most of a resource that was asked for.
    pub(crate) fn most_asked(&self, resource: Resource) -> Option<u32> {
        self.residence.iter().filter(|row| row.resource == resource).map(|row| row.amount).max()
    }

    /// The source's occupancy table against what ran; nothing if nothing did.
    pub(crate) fn validation(&self, sources: &[Published], target: &str) -> Vec<ValidationRow> {
        if self.table.is_empty() {
            return Vec::new();
        }
        let rows = |source: &Published| -> Vec<ValidationRow> {
            let of_row = |published: &gcn_model::published::Occupancy| {
                let found = self.table.iter().find(|row| row.waves_per_simd == published.waves_per_simd);
                let registers = |count: Option<u32>| count.map(|count| [f64::from(count); 3]);
                let issue = found.and_then(|row| row.issue.as_ref()).map(Measured::numbers);
                let lds = found.and_then(|row| row.lds_dwords_per_lane).map(|dwords| [dwords; 3]);
                let sgprs = registers(found.and_then(|row| row.sgprs));
                let vgprs = registers(found.and_then(|row| row.vgprs));
                let limit = |resource| self.most_asked(resource).map(f64::from);
                let amount = |quantity, printed, measured, limit| {
                    (quantity, printed, measured, amount_verdict(printed, measured, limit))
                };
                [
                    amount(Quantity::Sgprs, published.sgprs, sgprs, limit(Resource::Sgprs)),
                    amount(Quantity::Vgprs, published.vgprs, vgprs, limit(Resource::Vgprs)),
                    amount(Quantity::LdsDwordsPerLane, published.lds_dwords_per_lane, lds, None),
                    (Quantity::Issue, published.issue, issue, issue_verdict(published.issue, issue)),
                ]
                .map(|(quantity, printed, measured, verdict)| ValidationRow {
                    source: source.name().to_owned(),
                    section: "occupancy table".to_owned(),
                    instruction: format!("{} waves", published.waves_per_simd),
                    quantity,
                    published: printed.to_string(),
                    expected: decimal(printed),
                    measured: measured.map(Measured::from),
                    verdict,
                    asked: true,
                })
            };
            source.occupancy_on(target).iter().flat_map(of_row).collect()
        };
        sources.iter().flat_map(rows).collect()
    }
}

/// Rows of `residence.csv`, as their readings say them.
fn residence(run: &StoredRun, layout: Option<HwIdLayout>) -> Vec<ResidenceRow> {
    let all = run.experiments.iter().enumerate();
    let of_kind = all.filter(|(_, record)| record.kind == ExperimentKind::Residence);
    let rows = of_kind.filter_map(|(position, record)| ResidenceRow::of(record, run.readings_of(position), layout));
    let mut rows: Vec<ResidenceRow> = rows.collect();
    for resource in SWEPT {
        refuse_most(rows.iter_mut().filter(|row| row.resource == resource).collect());
    }
    rows
}

/// Where every launch with more than some amount failed, that is the sweep's result: the card has no more.
fn refuse_most(mut sweep: Vec<&mut ResidenceRow>) {
    sweep.sort_by_key(|row| Reverse(row.amount));
    let has_failed = |row: &&mut &mut ResidenceRow| row.status == Status::Failed;
    if sweep.iter().any(|row| row.waves_per_simd.is_some()) {
        sweep.iter_mut().take_while(has_failed).for_each(|row| row.status = Status::Unsupported);
    }
}

fn sweeps(residence: &[ResidenceRow]) -> Vec<(Resource, Sweep)> {
    SWEPT.into_iter().filter_map(|resource| Some((resource, Sweep::of(resource, residence)?))).collect()
}

/// The waves that fit on a SIMD, by the sweeps of VGPRs and of SGPRs together; `None` if no wave ran.
///
/// Both have the kernel with the least of both in common. Where more of the one and of the other still let as many run, neither is what
/// limits that kernel. Where every wave has the same number of SGPRs, which limits no occupancy (S5), the sweep of VGPRs says it alone.
fn slots(rows: &[ResidenceRow], vgprs: Option<&Sweep>, sgprs: Option<&Sweep>) -> Option<Slots> {
    let limit = |sweep: Option<&Sweep>| sweep.and_then(|sweep| sweep.fit.as_ref()?.other_limit());
    let most = rows.iter().filter_map(|row| row.waves_per_simd).max()?;
    Some(match (limit(vgprs), limit(sgprs)) {
        (Some(a), Some(b)) if a == b => Slots::Exactly(a),
        _ => Slots::AtLeast(most),
    })
}

impl fmt::Display for Occupancy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The one that surely is the fastest, not the one that noise made look so.
        let issue = self.table.iter().filter_map(|row| row.issue).max_by(|a, b| a.low.0.total_cmp(&b.low.0));
        let issue = issue.map(|issue| {
            let [value, low, high] = issue.numbers().map(|number| decimal((number * 100.0).round() / 100.0));
            let is_sharp = issue.half_width() <= THROUGHPUT_RESOLUTION * issue.value.0;
            let number = if is_sharp { value } else { format!("{low} to {high}") };
            format!("up to {number} instructions in a cycle")
        });
        let waves = self.slots.map(|slots| slots.to_string());
        let given = self.allocations.iter().map(ToString::to_string);
        let parts: Vec<String> = waves.into_iter().chain(given).chain(issue).collect();
        f.write_str(&parts.join("; "))
    }
}

impl OccupancyRow {
    fn of(waves: u32, lanes: u32, residence: &[ResidenceRow], issue: &[IssueRow]) -> Self {
        let running = |resource| {
            let runs = |row: &&ResidenceRow| row.waves_per_simd.is_some_and(|found| found >= waves);
            residence.iter().filter(move |row| row.resource == resource).filter(runs).map(|row| row.amount)
        };
        let lds = |resource: Resource| {
            let per_lane = move |bytes| f64::from(bytes) / f64::from(DWORD_BYTES * lanes * resource.waves());
            running(resource).map(per_lane)
        };
        let lds = lds(Resource::LdsOfWave).chain(lds(Resource::LdsOfTwoWaves)).chain(lds(Resource::LdsOfFourWaves));
        let on_waves = issue.iter().filter(|row| row.waves_per_simd == waves).filter_map(|row| row.issue);
        Self {
            waves_per_simd: waves,
            sgprs: running(Resource::Sgprs).max(),
            vgprs: running(Resource::Vgprs).max(),
            lds_dwords_per_lane: lds.max_by(f64::total_cmp),
            issue: on_waves.max_by(|a, b| a.low.0.total_cmp(&b.low.0)),
        }
    }
}

/// An amount is met exactly; beyond a kernel's largest request, nothing can be said.
fn amount_verdict(published: u32, measured: Option<[f64; 3]>, limit: Option<f64>) -> Verdict {
    let published = f64::from(published);
    match measured {
        Some([value, ..]) if value == published => Verdict::Match,
        Some([value, ..]) if limit == Some(value) && published > value => Verdict::Unmeasured,
        Some(_) => Verdict::Mismatch,
        None => Verdict::Unmeasured,
    }
}

/// The CLRX table gives the most instructions of a cycle. More than N - 1 on average prove that in some cycles there were N; fewer prove
/// nothing, since other blocks may issue more.
fn issue_verdict(published: u32, measured: Option<[f64; 3]>) -> Verdict {
    let published = f64::from(published);
    match measured {
        Some([value, low, _]) if low > published + THROUGHPUT_RESOLUTION * value => Verdict::Mismatch,
        Some([_, low, _]) if low > published - 1.0 => Verdict::Match,
        _ => Verdict::Unmeasured,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_average_above_four_needs_cycles_with_five() {
        let at = |value: f64| issue_verdict(5, Some([value, value - 0.01, value + 0.01]));
        assert_eq!((at(4.4), at(5.0), at(3.9), at(5.3)), {
            use Verdict::{Match, Mismatch, Unmeasured};
            (Match, Match, Unmeasured, Mismatch)
        });
    }

    #[test]
    fn amounts_above_a_kernels_maximum_are_unknown() {
        let at = |value: f64| amount_verdict(128, Some([value; 3]), Some(104.0));
        assert_eq!((at(104.0), at(128.0), at(96.0)), (Verdict::Unmeasured, Verdict::Match, Verdict::Mismatch));
    }
}
