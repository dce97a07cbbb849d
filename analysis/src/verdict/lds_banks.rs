//! The number of LDS banks, from what strides of powers of two cost.

use std::collections::BTreeMap;
use std::fmt;

use gcn_model::published::Published;
use gcn_model::quantity::Cycles;

use crate::many_waves::ThroughputRow;
use crate::tables::{Measured, Verdict, decimal};

/// Costs that differ by less than this share are the same: a step of the sweep doubles the conflicts.
const SAME_COST: f64 = 0.1;

/// Lanes of a wave.
const LANES: u32 = 64;

/// What the stride sweep says of the LDS.
#[derive(Debug, Clone, PartialEq)]
pub struct LdsBanks {
    /// The instruction that was swept.
    pub instruction: String,
    /// Waves on each SIMD of the sweep that was taken.
    pub waves_per_simd: u32,
    /// Banks; absent where the sweep cannot tell.
    pub banks: Option<u32>,
    /// The longest stride that still costs more than the one before it: there are at least as many banks.
    pub at_least: u32,
    /// Cycles of the compute unit for an instruction without conflicts.
    pub free: Measured<Cycles>,
    /// Cycles of the compute unit for an instruction in the worst case of the sweep.
    pub worst: Measured<Cycles>,
    /// Banks that a source states.
    pub published: Option<u32>,
    /// Whether that is what was found.
    pub verdict: Verdict,
}

/// What a source says of banks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LdsStatement {
    /// Banks.
    pub(crate) banks: u32,
    /// Throughput that the worst case does not exceed, instructions per cycle and compute unit.
    pub(crate) worst_throughput: f64,
}

impl LdsStatement {
    /// The first source's sentence about bank conflicts.
    pub(crate) fn of(sources: &[Published]) -> Option<Self> {
        let mut statements = sources.iter().flat_map(Published::statements);
        let numbers = &statements.find(|statement| statement.topic == "bank conflicts")?.numbers;
        let (banks, worst) = (numbers.get("banks")?, numbers.get("worst_throughput")?);
        Some(Self { banks: *banks as u32, worst_throughput: *worst })
    }
}

/// Dwords from one lane's address to the next's in a case `stride 8`.
pub(crate) fn stride_of(case: &str) -> Option<u32> {
    case.strip_prefix("stride ")?.parse().ok()
}

/// The banks that a run's sweep shows; `None` if it has none, of stride 1 and one more at least.
///
/// Lanes that are N dwords apart meet N-fold in a bank until N reaches the number of banks; a longer stride of a power of two costs
/// no more. The bank count is the stride from which on the cost stays. The last stride of a sweep has none behind it: it is the bank
/// count only where it costs a cycle for each of the 64 lanes, since nothing can cost more.
/// Of several numbers of waves the one with the cheapest stride 1 counts: there the LDS has most to do.
pub(crate) fn lds_banks(throughputs: &[ThroughputRow], sources: &[Published]) -> Option<LdsBanks> {
    let mut sweeps: BTreeMap<(&str, u32), BTreeMap<u32, Measured<Cycles>>> = BTreeMap::new();
    for row in throughputs {
        if let Some((stride, cost)) = stride_of(&row.case).filter(|stride| stride.is_power_of_two()).zip(row.cost()) {
            sweeps.entry((&row.instruction, row.waves_per_simd)).or_default().insert(stride, cost);
        }
    }
    let ((instruction, waves_per_simd), costs) = sweeps
        .into_iter()
        .filter(|(_, costs)| costs.len() > 1 && costs.contains_key(&1))
        .min_by(|(_, a), (_, b)| a[&1].value.0.total_cmp(&b[&1].value.0))?;
    let free = costs[&1];
    let worst = *costs.values().max_by(|a, b| a.value.0.total_cmp(&b.value.0))?;
    let (at_least, banks) = bank_count(&costs);
    let published = LdsStatement::of(sources).map(|said| said.banks);
    let verdict = match (published, banks) {
        (Some(published), Some(banks)) if published == banks => Verdict::Match,
        (Some(_), Some(_)) => Verdict::Mismatch,
        (Some(published), None) if published < at_least => Verdict::Mismatch,
        _ => Verdict::Unmeasured,
    };
    let instruction = instruction.to_owned();
    Some(LdsBanks { instruction, waves_per_simd, banks, at_least, free, worst, published, verdict })
}

/// The stride from which on the cost stays, and the bank count if the sweep tells it.
fn bank_count(costs: &BTreeMap<u32, Measured<Cycles>>) -> (u32, Option<u32>) {
    let value = |stride: &u32| costs[stride].value.0;
    let same = |a: f64, b: f64| (a - b).abs() <= SAME_COST * a.max(b);
    let strides: Vec<u32> = costs.keys().copied().collect();
    let last = strides[strides.len() - 1];
    let stays =
        |from: &u32| strides.iter().filter(|stride| *stride > from).all(|stride| same(value(stride), value(from)));
    let knee = strides.iter().copied().find(stays).unwrap_or(last);
    let seen = knee < last && knee > 1;
    let is_worst = knee == last && knee > 1 && value(&last) >= (1.0 - SAME_COST) * f64::from(LANES);
    (knee, (seen || is_worst).then_some(knee))
}

impl fmt::Display for LdsBanks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.banks {
            Some(banks) => write!(f, "{banks} banks")?,
            None if self.at_least > 1 => write!(f, "at least {} banks", self.at_least)?,
            None => f.write_str("no bank conflicts seen")?,
        }
        let two = |cycles: Cycles| decimal((cycles.0 * 100.0).round() / 100.0);
        write!(
            f,
            " ({}: {} cycles without conflicts, {} at worst",
            self.instruction,
            two(self.free.value),
            two(self.worst.value)
        )?;
        match self.published {
            Some(published) => write!(f, "; published: {published} banks)"),
            None => f.write_str(")"),
        }
    }
}
