//! The front end by the alignment cases: block, free dwords, penalty.

use std::fmt;

use gcn_model::isa::{self, DependencyTracking, Encoding};
use gcn_model::quantity::{Bytes, Cycles};
use gcn_model::record::{ALIGNMENT, ExperimentKind, ExperimentRecord};

use super::front_end_fit::{Charge, Fit, NONE, Probe};
use crate::one_wave::{FrontEndCharge, OneWave};
use crate::run::StoredRun;
use crate::tables::plural;

/// Dwords of the longest block that is looked for.
const LONGEST_BLOCK: u32 = 32;
const DWORD: u32 = 4;
/// Charges that are named one by one.
const MOST_NAMED: usize = 4;

/// The front end by the sweeps of 2-dword instructions.
#[derive(Debug, Clone, PartialEq)]
pub struct FrontEnd {
    /// The instructions that say so.
    pub instructions: Vec<String>,
    /// The block after which the pattern repeats, or the shortest that it may be; absent where nothing is charged, or it is unknown.
    pub block: Option<Bytes>,
    /// First dwords of a block at which nothing is charged.
    pub free_dwords: u32,
    /// The charge at the other dwords, shader cycles; 0 without a charge.
    pub penalty: Cycles,
    /// The charge as it is in the cycles of code; absent where that is undecided.
    pub charge: Option<FrontEndCharge>,
    /// The rule in words.
    pub rule: String,
}

impl FrontEnd {
    /// What all sweeps on one wave say together; `None` if the run has none.
    pub(crate) fn of(run: &StoredRun, waves: &OneWave<'_>) -> Option<Self> {
        let probes = probes(run, waves);
        let is_swept = |record: &ExperimentRecord| record.rule == ALIGNMENT && record.waves_per_simd == 1;
        run.experiments.iter().find(|record| is_swept(record))?;
        let unknown = |words: &str| Self {
            instructions: Vec::new(),
            block: None,
            free_dwords: 0,
            penalty: Cycles(0.0),
            charge: None,
            rule: words.to_owned(),
        };
        let Some(fit) = Fit::of(&probes) else {
            return Some(unknown("undecided: too few cases settled, or they follow no such rule"));
        };
        let in_code = fit.charge();
        let Fit { charges, explained } = fit;
        let by = |charge: Charge, rule: String| Self {
            instructions: explained.clone(),
            block: (charge.block > 0).then_some(Bytes(charge.block * DWORD)),
            free_dwords: if charge == NONE { LONGEST_BLOCK } else { charge.free },
            penalty: Cycles(f64::from(charge.penalty)),
            charge: None,
            rule,
        };
        // Dwords that were looked at.
        let swept = probes.iter().flat_map(|probe| &probe.rows).map(|(offset, ..)| offset + 1).max().unwrap_or(0);
        let has_twin = probes.iter().any(|probe| probe.has_twin && explained.contains(&probe.name));
        let found = match charges[..] {
            [NONE] if has_twin => by(NONE, words(NONE, "")),
            _ if charges.iter().all(|charge| charge.is_flat_in(swept)) => {
                let least = charges.iter().map(|charge| charge.penalty).min().unwrap_or_default();
                let each =
                    if least > 0 { format!(", {least} cycles or more are charged at each") } else { String::new() };
                let is_whole = charges.iter().all(|charge| charge.is_flat_in(LONGEST_BLOCK));
                let within = if is_whole { String::new() } else { format!(" within {} bytes", swept * DWORD) };
                let words = format!("no dword differs from another{within}{each}");
                Self { instructions: explained, ..unknown(&words) }
            }
            [charge] => by(charge, words(charge, "")),
            [charge, .., last] if is_or_more(&charges) => {
                debug_assert_eq!(last.block, LONGEST_BLOCK, "the longest is among them");
                by(charge, words(charge, " or more"))
            }
            _ if charges.len() <= MOST_NAMED => {
                let each: Vec<String> = charges.iter().map(|&charge| words(charge, "")).collect();
                Self { instructions: explained, ..unknown(&each.join("; or ")) }
            }
            _ => {
                let words = format!("undecided: {} kinds of blocks and penalties are left", charges.len());
                Self { instructions: explained, ..unknown(&words) }
            }
        };
        Some(Self { charge: in_code, ..found })
    }
}

/// Whether they differ by nothing but the block, and are all from some block on.
fn is_or_more(charges: &[Charge]) -> bool {
    let alike = charges.windows(2).all(|two| {
        let [a, b] = two else { return false };
        (a.free, a.penalty) == (b.free, b.penalty) && b.block == 2 * a.block
    });
    alike && charges.last().is_some_and(|last| last.block == LONGEST_BLOCK)
}

fn words(charge: Charge, or_more: &str) -> String {
    if charge == NONE {
        return "no alignment penalty".to_owned();
    }
    let Charge { block, free, penalty } = charge;
    let first = if free == 1 { "dword".to_owned() } else { format!("{free} dwords") };
    let bytes = block * DWORD;
    let least = plural(penalty, "cycle");
    format!("blocks of {bytes} bytes{or_more}, nothing charged in their first {first}, at least {least} after that")
}

/// The sweeps of a run on one wave, each with what settled of it.
fn probes(run: &StoredRun, waves: &OneWave<'_>) -> Vec<Probe> {
    let mut probes: Vec<Probe> = Vec::new();
    let is_case = |record: &ExperimentRecord| {
        record.rule == ALIGNMENT && record.kind == ExperimentKind::Block && record.targets_per_block == 1
    };
    let mut baseline: Option<(usize, Option<Probe>)> = None;
    for (position, record) in run.experiments.iter().enumerate().filter(|(_, record)| is_case(record)) {
        if record.baseline.is_empty() {
            probes.extend(baseline.take().and_then(|(_, probe)| probe));
            baseline = Some((position, probe(run, waves, position)));
        }
        let Some((base, Some(probe))) = &mut baseline else { continue };
        let Some(offset) = record.offset_dwords else { continue };
        if position == *base {
            probe.rows.push((offset, 0.0, 0.0));
        } else if let Ok(difference) = waves.block_difference(position, *base) {
            probe.rows.push((offset, difference.value, difference.half_width() / 2.0));
        }
    }
    probes.extend(baseline.and_then(|(_, probe)| probe));
    probes
}

/// A probe without rows, from the experiment that the others are compared with.
fn probe(run: &StoredRun, waves: &OneWave<'_>, position: usize) -> Option<Probe> {
    let record = &run.experiments[position];
    let (cycles, _) = waves.per_target(position).ok()?;
    let filler = waves.fillers_of(record).ok()?.value / f64::from(record.fillers_per_block.max(1));
    let instruction = isa::find(&record.instruction, run.generation)?;
    use Encoding::{Vop1, Vop2, Vop3, Vop3p, Vopc};
    let is_of_fillers_unit = matches!(instruction.encoding, Vop1 | Vop2 | Vop3 | Vop3p | Vopc);
    Some(Probe {
        name: record.instruction.clone(),
        cycles: cycles.value,
        issue: run.generation.waves.issue_interval_cycles,
        filler,
        is_of_fillers_unit,
        is_issued_apart: !is_of_fillers_unit
            && run.generation.waves.dependency_tracking == DependencyTracking::Scoreboard,
        has_twin: record.offset_dwords.is_none(),
        rows: Vec::new(),
    })
}

impl fmt::Display for FrontEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rule)?;
        if self.instructions.is_empty() { Ok(()) } else { write!(f, " ({})", self.instructions.join(", ")) }
    }
}
