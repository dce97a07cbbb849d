//! Which block, free dwords and penalty explain what 2-dword instructions cost at each dword.

use gcn_model::quantity::Cycles;

use crate::one_wave::FrontEndCharge;
use crate::tables::ascending;

/// Dwords of the blocks that are tried: 8 to 128 bytes.
const BLOCKS: [u32; 5] = [2, 4, 8, 16, 32];
/// Cycles of a long instruction for each dword at the end of a block that is free for it; 0 if no dword is.
const LONG_RULES: [u32; 9] = [0, 1, 2, 3, 4, 6, 8, 12, 16];
/// Cycles of an instruction that is not long.
const SHORT: u32 = 4;
/// Penalties that are tried, cycles.
const MOST_PENALTY: u32 = 64;
/// Least error of a row, cycles: what rounding leaves.
const LEAST_ERROR: f64 = 0.1;
/// Degrees of freedom of the residuals: few, so that a row that is off counts for little.
const DEGREES: f64 = 4.0;
/// Odds at which a whole instruction that does not fit is put down to the instruction, logarithm.
const OWN_WAYS: f64 = -14.0;
/// Odds from which on a hypothesis is ruled out by a better one.
const STRONG_ODDS: f64 = 20.0;
/// Rows that a definite answer needs.
const LEAST_ROWS: usize = 12;
/// Longest instructions that are used, cycles: longer ones may hold their unit or wait.
const LONGEST: f64 = 20.0;

/// A row: the instruction's place, its extra cycles there, and their standard error.
pub(super) type Row = (u32, f64, f64);

/// An instruction that was swept through a line.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Probe {
    pub(super) name: String,
    /// Cycles where the others are compared with.
    pub(super) cycles: f64,
    /// Cycles from one instruction of a wave to the next, at least.
    pub(super) issue: u32,
    /// Cycles of a filler of its blocks.
    pub(super) filler: f64,
    /// Whether it shares its unit with its fillers: then a unit that is held longer than the wave hides a charge.
    pub(super) is_of_fillers_unit: bool,
    /// Whether another unit than the fillers' issues it, which may take cycles that hide a part of a charge.
    pub(super) is_issued_apart: bool,
    /// Whether the others are compared with the same operation in one dword, not with the first dword.
    pub(super) has_twin: bool,
    pub(super) rows: Vec<Row>,
}

/// The front end's charge: to 2-dword instructions from the first dword of a block on that is not free.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Charge {
    /// Dwords of a block.
    pub(super) block: u32,
    /// Free dwords at its start.
    pub(super) free: u32,
    /// Cycles; 0 if nothing is charged.
    pub(super) penalty: u32,
}

/// Nothing is charged.
pub(super) const NONE: Charge = Charge { block: 0, free: 0, penalty: 0 };

/// Charges of which none is 20 times as likely as another.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fit {
    /// In order of block and free dwords.
    pub(super) charges: Vec<Charge>,
    /// Instructions that the best of them explains.
    pub(super) explained: Vec<String>,
}

impl Probe {
    fn is_used(&self) -> bool {
        self.cycles <= LONGEST && self.rows.len() > 4
    }

    /// Its possible causes: cycles of its own, and cycles of a hidden charge.
    fn ways(&self) -> Vec<(u32, u32)> {
        let measured = (self.cycles.round() as u32).max(self.issue);
        let filler = (self.filler.round() as u32).saturating_sub(self.issue);
        let mut ways = Vec::new();
        for own in self.issue..=measured {
            // Longer than its own: its unit is held, or dword 0 is charged.
            let held = if self.is_of_fillers_unit { measured - own } else { 0 };
            if own < measured && self.has_twin && !self.is_of_fillers_unit {
                continue;
            }
            let apart = if self.is_issued_apart { 1..SHORT } else { 0..0 };
            for hidden in [0, held, filler, held + filler].into_iter().chain(apart) {
                // The same operation in a single dword pays no charge: its extra cycles are a hold.
                let is_free_in_one_dword = self.has_twin && hidden < held;
                if !is_free_in_one_dword && !ways.contains(&(own, hidden)) {
                    ways.push((own, hidden));
                }
            }
        }
        ways
    }

    /// Likelihood of a charge with a long rule, of the likeliest way.
    fn likelihood(&self, charge: Charge, long: u32, ways: &[(u32, u32)]) -> f64 {
        let mut tried: Vec<(u32, u32)> = Vec::new();
        let mut best = f64::NEG_INFINITY;
        for &(own, hidden) in ways {
            let last = if own > SHORT { own.checked_div(long).unwrap_or(0) } else { 0 };
            let visible = charge.penalty.saturating_sub(hidden);
            if tried.contains(&(last, visible)) {
                continue;
            }
            tried.push((last, visible));
            let cost = |offset: u32| f64::from(if charge.is_charged(offset, last) { visible } else { 0 });
            let base = if self.has_twin { 0.0 } else { cost(0) };
            let rows = self.rows.iter();
            let sum =
                rows.map(|&(offset, value, error)| density((value + base - cost(offset)) / error.max(LEAST_ERROR)));
            best = best.max(sum.sum());
        }
        best
    }
}

/// Logarithm of Student's density, but for a constant.
fn density(residual: f64) -> f64 {
    -f64::midpoint(DEGREES, 1.0) * (1.0 + residual * residual / DEGREES).ln()
}

impl Charge {
    fn is_charged(self, offset: u32, last: u32) -> bool {
        if self.penalty == 0 {
            return false;
        }
        let dword = offset % self.block;
        dword >= self.free && dword + last < self.block
    }

    /// As it is in the cycles of code.
    fn in_code(self) -> FrontEndCharge {
        let places = (0..self.block.max(2)).step_by(2);
        let charged = places.clone().filter(|dword| self.is_charged(*dword, 0)).count();
        let most = Cycles(f64::from(self.penalty));
        FrontEndCharge {
            of_copies: Cycles(most.0 * charged as f64 / places.count() as f64),
            most_of_copies: if charged > 0 { most } else { Cycles(0.0) },
            most_at_start: if self.is_charged(0, 0) { most } else { Cycles(0.0) },
            most,
        }
    }

    /// Whether all of this many dwords are alike.
    pub(super) fn is_flat_in(self, dwords: u32) -> bool {
        self.penalty == 0 || self.free == 0 || self.free >= dwords
    }
}

impl Fit {
    /// The charge as it is in the cycles of code; `None` where the charges that are left differ in that of copies back to back.
    pub(super) fn charge(&self) -> Option<FrontEndCharge> {
        let mut each = self.charges.iter().map(|charge| charge.in_code());
        let first = each.next()?;
        each.try_fold(first, |all, other| {
            let most = |of: fn(&FrontEndCharge) -> Cycles| Cycles(of(&all).0.max(of(&other).0));
            (other.of_copies == all.of_copies).then(|| FrontEndCharge {
                of_copies: all.of_copies,
                most_of_copies: most(|charge| charge.most_of_copies),
                most_at_start: most(|charge| charge.most_at_start),
                most: most(|charge| charge.most),
            })
        })
    }

    /// The probes' combined statement; `None` if they have too few rows.
    pub(super) fn of(probes: &[Probe]) -> Option<Self> {
        let used: Vec<(&Probe, Vec<(u32, u32)>)> =
            probes.iter().filter(|probe| probe.is_used()).map(|probe| (probe, probe.ways())).collect();
        if used.iter().map(|(probe, _)| probe.rows.len()).sum::<usize>() < LEAST_ROWS {
            return None;
        }
        let penalties = penalties(&used);
        let mut charges = vec![NONE];
        for block in BLOCKS {
            for free in 0..block {
                charges.extend(penalties.iter().map(|&penalty| Charge { block, free, penalty }));
            }
        }
        // Each instruction on its own explains itself best with a single hypothesis: one that is far worse together is special.
        let of_charge = |charge: Charge| -> (f64, Vec<f64>) {
            let of_rule = |long: u32| -> (f64, Vec<f64>) {
                let each: Vec<f64> =
                    used.iter().map(|(probe, ways)| probe.likelihood(charge, long, ways).max(OWN_WAYS)).collect();
                (each.iter().sum(), each)
            };
            let long_rules: &[u32] = if charge == NONE { &[0] } else { &LONG_RULES };
            let all = long_rules.iter().map(|&long| of_rule(long));
            all.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default()
        };
        let found: Vec<(Charge, (f64, Vec<f64>))> =
            charges.into_iter().map(|charge| (charge, of_charge(charge))).collect();
        let (_, (best, each)) = found.iter().max_by(|a, b| a.1.0.total_cmp(&b.1.0))?;
        let explained: Vec<String> = used
            .iter()
            .zip(each)
            .filter(|(_, likelihood)| **likelihood > OWN_WAYS)
            .map(|((probe, _), _)| probe.name.clone())
            .collect();
        let left = found.iter().filter(|(_, (likelihood, _))| *likelihood > best - STRONG_ODDS.ln());
        let mut charges: Vec<Charge> = left.map(|(charge, _)| *charge).collect();
        charges.sort_unstable();
        // Where most instructions are special, they show no charge of this kind.
        (2 * explained.len() > used.len()).then_some(Self { charges, explained })
    }
}

/// Penalties near the observed one, or near its possibly hidden part.
fn penalties(used: &[(&Probe, Vec<(u32, u32)>)]) -> Vec<u32> {
    let mut penalties = Vec::new();
    for (probe, ways) in used {
        let hidden = ascending(ways.iter().map(|(_, hidden)| *hidden));
        for (_, value, _) in &probe.rows {
            let seen = value.abs().round().min(f64::from(MOST_PENALTY)) as u32;
            for near in [seen.saturating_sub(1), seen, seen + 1] {
                penalties.extend(hidden.iter().map(|hidden| near + hidden).filter(|_| seen > 0));
            }
        }
    }
    let mut penalties = ascending(penalties.into_iter().filter(|penalty| (1..=MOST_PENALTY).contains(penalty)));
    if penalties.is_empty() {
        penalties.push(SHORT);
    }
    penalties
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A probe as a front end would show it.
    fn probe(name: &str, (own, hold): (u32, u32), has_twin: bool, charge: Charge, long: u32) -> Probe {
        let last = if own > 4 { own.checked_div(long).unwrap_or(0) } else { 0 };
        let measured = own.max(hold);
        let seen = |offset: u32| {
            let charged = if charge.is_charged(offset, last) { charge.penalty } else { 0 };
            f64::from((own + charged).max(hold))
        };
        let base = if has_twin { f64::from(measured) } else { seen(0) };
        Probe {
            name: name.to_owned(),
            cycles: base,
            issue: 4,
            filler: 4.0,
            is_of_fillers_unit: true,
            is_issued_apart: false,
            has_twin,
            rows: (0..if has_twin { 32 } else { 16 }).map(|offset| (offset, seen(offset) - base, 0.0)).collect(),
        }
    }

    fn all(charge: Charge, long: u32, hold: u32) -> Vec<Probe> {
        vec![
            probe("TWIN", (4, 4), true, charge, long),
            probe("SHORT", (4, hold), false, charge, long),
            probe("LONG", (16, 16), false, charge, long),
        ]
    }

    #[test]
    fn a_charge_hidden_from_one_instruction_is_found_by_others() {
        for (block, free, penalty, long) in
            [(8, 3, 4, 4), (4, 1, 8, 2), (16, 5, 12, 0), (32, 20, 3, 4), (2, 1, 1, 4), (8, 7, 4, 0)]
        {
            let charge = Charge { block, free, penalty };
            for hold in [4, 16] {
                let found = Fit::of(&all(charge, long, hold)).unwrap();
                assert_eq!(found.charges, [charge], "{hold}");
            }
        }
    }

    #[test]
    fn only_the_twin_separates_no_charge_from_a_charge_everywhere() {
        assert_eq!(Fit::of(&all(NONE, 4, 4)).unwrap().charges, [NONE]);
        let everywhere = Charge { block: 8, free: 0, penalty: 4 };
        let found = Fit::of(&all(everywhere, 0, 4)).unwrap();
        assert!(
            found.charges.iter().all(|charge| charge.is_flat_in(32)) && !found.charges.contains(&NONE),
            "{found:?}"
        );
        let without = Fit::of(&all(everywhere, 0, 4)[1..]).unwrap();
        assert!(without.charges.contains(&NONE) && without.charges.contains(&everywhere), "{without:?}");
    }

    #[test]
    fn samples_without_a_rule_give_no_front_end() {
        let mut probes = all(NONE, 0, 4);
        for (place, probe) in probes.iter_mut().enumerate() {
            probe.rows.iter_mut().for_each(|row| row.1 = f64::from(row.0 * 7 % (5 + place as u32)));
        }
        assert_eq!(Fit::of(&probes), None);
    }
}
