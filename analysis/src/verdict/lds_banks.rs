//! The number of LDS banks, from what strides of powers of two cost.

use std::collections::BTreeMap;
use std::fmt;

use gcn_model::published::Published;
use gcn_model::quantity::Cycles;
use gcn_model::record::{DeviceRecord, StrideCase};

use crate::many_waves::ThroughputRow;
use crate::tables::{Measured, Number, Verdict, plural};

/// Costs that differ by less than this share are the same.
const SAME_COST: f64 = 0.02;
/// Odds from which on a number of banks is ruled out by a better one.
const STRONG_ODDS: f64 = 20.0;
/// Degrees of freedom of the residuals: few, so that a stride that is off counts for little.
const DEGREES: f64 = 3.0;
/// Standard errors from which on a stride is not explained, and the share of the strides that may be.
const UNEXPLAINED: f64 = 8.0;
const MOST_UNEXPLAINED: f64 = 0.2;
/// Numbers of banks that are named one by one, and how far they may be apart to be named as a range.
const MOST_NAMED: usize = 4;
const WIDEST_RANGE: u32 = 32;
/// Most banks that are tried: as many as the widest stride tells apart, which waves of fewer lanes can meet in as well.
const MOST_BANKS: u32 = 64;

/// The LDS by the stride sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct LdsBanks {
    /// The instruction that was swept.
    pub instruction: String,
    /// Waves on each SIMD of the sweep that was taken.
    pub waves_per_simd: u32,
    /// Banks; absent where the sweep cannot tell.
    pub banks: Option<u32>,
    /// Numbers of banks of which none is 20 times as likely as another; empty if none explains the sweep.
    pub candidates: Vec<u32>,
    /// Arrays of banks that serve the compute units of a work-group processor at once; `None` in CU mode, or where the sweep cannot tell.
    pub arrays: Option<u32>,
    /// Whether some strides cost more than others.
    pub has_conflicts: bool,
    /// Cycles of the compute unit for an instruction without conflicts.
    pub free: Measured<Cycles>,
    /// Cycles of the compute unit for an instruction in the worst case of the sweep.
    pub worst: Measured<Cycles>,
    /// Banks that a source states.
    pub published: Option<u32>,
    /// Whether that was found.
    pub verdict: Verdict,
}

/// A source's statement about banks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LdsStatement {
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

/// Costs by stride.
type Costs = BTreeMap<u32, Measured<Cycles>>;

/// The banks that a run's sweep shows; `None` if it has none, of two strides at least.
///
/// Each number of banks predicts the cost of each stride (see [`array_cycles`]), as far as it exceeds an instruction's own cost;
/// more banks than a wave has lanes make no difference. All strides that settled are compared with that; an instruction's own cost
/// is fitted. Of several instructions and numbers of waves the one that costs least counts: there the LDS hides least. In WGP mode an array
/// may serve one compute unit or both: then each cost is twice that.
pub(crate) fn lds_banks(
    throughputs: &[ThroughputRow],
    device: &DeviceRecord,
    sources: &[Published],
) -> Option<LdsBanks> {
    let lanes = device.lanes();
    let units = device.known_generation().map_or(1, |it| it.compute_units_of_group(device.group_mode()));
    let mut sweeps: BTreeMap<(&str, u32), Costs> = BTreeMap::new();
    for row in throughputs {
        if let Some((StrideCase(stride), cost)) = StrideCase::read(&row.case).zip(row.cost()) {
            sweeps.entry((&row.instruction, row.waves_per_simd)).or_default().insert(stride, cost);
        }
    }
    let cheapest = |costs: &Costs| costs.values().map(|cost| cost.value.0).fold(f64::INFINITY, f64::min);
    let ((instruction, waves_per_simd), costs) = sweeps
        .into_iter()
        .filter(|(_, costs)| costs.len() > 1)
        .min_by(|(_, a), (_, b)| (cheapest(a) * (1.0 - SAME_COST)).total_cmp(&cheapest(b)))?;
    let shape = (lanes, units);
    let (best, candidates) = fits(&costs, shape)?;
    let candidates = with_doubtful_left_out(candidates, &costs, shape);
    let (free, worst) = (middle(&costs, &best, f64::min)?, middle(&costs, &best, f64::max)?);
    // Of the fit and of the readings: noise alone must not be taken for a conflict.
    let has_conflicts =
        costs.keys().any(|stride| best.cost(*stride) > best.floor * (1.0 + SAME_COST)) && worst.low.0 > free.high.0;
    let banks = match candidates[..] {
        [banks] if has_conflicts => Some(banks),
        _ => None,
    };
    // A lane each cycle is the least that an array does, whatever noise makes of it.
    let limit = f64::from(lanes * best.units).max(free.high.0);
    let worst = worst.map(|cycles| Cycles(cycles.0.min(limit)));
    let published = LdsStatement::of(sources).map(|said| said.banks);
    let verdict = match (published, banks) {
        (Some(published), Some(banks)) if published == banks => Verdict::Match,
        (Some(published), _) if has_conflicts && best.is_explained && !candidates.contains(&published) => {
            Verdict::Mismatch
        }
        _ => Verdict::Unmeasured,
    };
    Some(LdsBanks {
        instruction: instruction.to_owned(),
        waves_per_simd,
        banks,
        arrays: banks.filter(|_| units > 1).map(|_| units / best.units),
        candidates,
        has_conflicts,
        free,
        worst,
        published,
        verdict,
    })
}

/// The likeliest fit, and the numbers of banks of which none is 20 times as likely as another; none if not even the likeliest explains the costs.
fn fits(costs: &Costs, (lanes, most_units): Shape) -> Option<(Fit, Vec<u32>)> {
    let banks = 1..=lanes.max(MOST_BANKS);
    let each = banks.flat_map(|banks| (1..=most_units).map(move |units| Fit::of(banks, lanes, units, costs)));
    let fits: Vec<Fit> = each.collect();
    let best = *fits.iter().max_by(|a, b| a.likelihood.total_cmp(&b.likelihood))?;
    let is_left = |fit: &&Fit| best.is_explained && fit.likelihood > best.likelihood - STRONG_ODDS.ln();
    let mut left: Vec<u32> = fits.iter().filter(is_left).map(|fit| fit.banks).collect();
    left.dedup();
    Some((best, left))
}

fn is_exact(cost: &Measured<Cycles>) -> bool {
    cost.half_width() <= SAME_COST / 2.0 * cost.value.0
}

/// The candidates, and those that are left without a stride whose cost is not exact: noise must not decide alone.
fn with_doubtful_left_out(mut candidates: Vec<u32>, costs: &Costs, shape: Shape) -> Vec<u32> {
    if candidates.is_empty() {
        return candidates;
    }
    for (stride, _) in costs.iter().filter(|(_, cost)| !is_exact(cost)) {
        let others = costs.iter().filter(|(other, _)| *other != stride).map(|(other, cost)| (*other, *cost)).collect();
        candidates.extend(fits(&others, shape).map(|(_, left)| left).unwrap_or_default());
    }
    candidates.sort_unstable();
    candidates.dedup();
    candidates
}

/// The median of the strides that cost least, or most, by a fit.
fn middle(costs: &Costs, fit: &Fit, end: fn(f64, f64) -> f64) -> Option<Measured<Cycles>> {
    let wanted = costs.keys().map(|stride| fit.cost(*stride)).reduce(end)?;
    let is_meant = |stride: &u32| (fit.cost(*stride) - wanted).abs() <= SAME_COST * wanted;
    let mut found: Vec<&Measured<Cycles>> =
        costs.iter().filter(|(stride, _)| is_meant(stride)).map(|(_, cost)| cost).collect();
    found.sort_by(|a, b| a.value.0.total_cmp(&b.value.0));
    found.get(found.len().saturating_sub(1) / 2).map(|cost| **cost)
}

/// The lanes of a wave, and the compute units whose waves a work-group has.
type Shape = (u32, u32);

/// How well a number of banks explains the costs.
#[derive(Clone, Copy)]
struct Fit {
    banks: u32,
    lanes: u32,
    /// Compute units that an array serves.
    units: u32,
    /// The cost of an instruction without conflicts, cycles of the compute unit.
    floor: f64,
    likelihood: f64,
    /// Whether hardly any stride contradicts it.
    is_explained: bool,
}

impl Fit {
    fn of(banks: u32, lanes: u32, units: u32, costs: &Costs) -> Self {
        let residuals = |floor: f64| {
            costs.iter().map(move |(stride, cost)| {
                let error = (cost.half_width() / 2.0).hypot(SAME_COST / 2.0 * cost.value.0);
                (cost.value.0 - (f64::from(units) * array_cycles(*stride, lanes, banks)).max(floor)) / error
            })
        };
        let likelihood = |floor: f64| -> f64 {
            let of_one = |residual: f64| -f64::midpoint(DEGREES, 1.0) * (1.0 + residual * residual / DEGREES).ln();
            residuals(floor).map(of_one).sum()
        };
        let floors = costs.values().map(|cost| cost.value.0);
        let floor = floors.max_by(|a, b| likelihood(*a).total_cmp(&likelihood(*b))).unwrap_or_default();
        let unexplained: Vec<&Measured<Cycles>> = residuals(floor)
            .zip(costs.values())
            .filter(|(residual, _)| residual.abs() > UNEXPLAINED)
            .map(|(_, cost)| cost)
            .collect();
        // One stride may be off by chance; two of them that are known exactly are not.
        let exact = unexplained.iter().filter(|cost| is_exact(cost)).count();
        let is_explained = exact < 2 && unexplained.len() as f64 <= MOST_UNEXPLAINED * costs.len() as f64;
        Self { banks, lanes, units, floor, likelihood: likelihood(floor), is_explained }
    }

    fn cost(&self, stride: u32) -> f64 {
        (f64::from(self.units) * array_cycles(stride, self.lanes, self.banks)).max(self.floor)
    }
}

/// Cycles of the array for lanes that are `stride` dwords apart: a pass serves as many lanes as there are banks, and takes as many
/// cycles as the most distinct dwords that it wants from one bank.
fn array_cycles(stride: u32, lanes: u32, banks: u32) -> f64 {
    let mut cycles = 0;
    let mut wanted = vec![0_u32; banks as usize];
    for first in (0..lanes).step_by(banks as usize) {
        wanted.fill(0);
        for lane in first..lanes.min(first + banks) {
            wanted[(lane * stride % banks) as usize] += 1;
        }
        cycles += wanted.iter().max().copied().unwrap_or_default();
    }
    f64::from(cycles)
}

impl fmt::Display for LdsBanks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.candidates.iter().map(u32::to_string).collect();
        match self.candidates[..] {
            _ if !self.has_conflicts => f.write_str("no bank conflicts seen")?,
            [.., _] if names.len() <= MOST_NAMED => write!(f, "{} banks", names.join(" or "))?,
            [first, .., last] if last - first <= WIDEST_RANGE => write!(f, "{first} to {last} banks")?,
            _ => f.write_str("the number of banks is unknown")?,
        }
        let [free, worst] = [self.free, self.worst].map(Number::cycles);
        let free = plural(free, "cycle");
        match self.arrays {
            Some(1) => f.write_str(" in one array for both compute units of a work-group processor")?,
            Some(_) => f.write_str(" for each compute unit of a work-group processor")?,
            None => {}
        }
        write!(f, " ({}: {free} without conflicts, {worst} at worst", self.instruction)?;
        match self.published {
            Some(published) => write!(f, "; published: {published} banks)"),
            None => f.write_str(")"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A card of 63 banks, of which 33 explain all but two strides.
    #[test]
    fn two_exact_strides_contradict_a_number_of_banks() {
        let cost = |stride: u32| match stride {
            7 => 10.0,
            3 | 6 | 12 | 15 | 24 | 33 => 6.0,
            _ => 4.0,
        };
        let shape = (64, 1);
        let strides = [1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 16, 24, 31, 32, 33, 64];
        let all: Costs = strides.iter().map(|&stride| (stride, Measured::exactly(Cycles(cost(stride))))).collect();
        assert!(fits(&all, shape).is_some_and(|(_, left)| left.is_empty()));
        let but_one: Costs = all.into_iter().filter(|(stride, _)| *stride != 33).collect();
        assert!(fits(&but_one, shape).is_some_and(|(_, left)| left == [33]), "one stride may be off by chance");
    }
}
