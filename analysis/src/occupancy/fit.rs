//! Which totals, granules and limits explain how many waves ran with each amount of a resource.
//!
//! With a total T, a granule g and a limit L of something else there are `min(L, T / roundup(amount, g))` waves (groups, for LDS). A row
//! may be wrong: each that a hypothesis does not explain costs it the odds at which a row is taken to be right. Of the hypotheses that are
//! left, none is 20 times as likely as another.

use crate::tables::ascending;

/// Odds at which one place more than half of them is right.
const PLACE_ODDS: f64 = 50.0;
/// Places that count as witnesses of their own: an error at many may be an error at all.
const MOST_WITNESSES: u32 = 4;
/// Odds of a granule that divides the steps of a kernel's request or is a multiple of them, against any other: the descriptor counts in such
/// steps for a reason.
const COMMENSURATE_ODDS: f64 = 50.0;
/// Odds from which on a hypothesis is ruled out by a better one.
pub(super) const STRONG_ODDS: f64 = 20.0;
/// Share of the rows that may contradict the best hypothesis.
const MOST_WRONG: f64 = 0.1;
/// Waves or groups beyond which a total is not told apart.
const MOST_HOLDERS: u32 = 64;

/// How many held an amount at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) amount: u32,
    pub(super) holders: u32,
    /// Places that say so, less those that do not.
    pub(super) margin: u32,
}

/// A hypothesis that is left: a granule, a limit, and the totals that explain the same rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Explanation {
    pub(super) granule: u32,
    /// What else limits the waves; `None` if nothing does within the sweep.
    pub(super) limit: Option<u32>,
    /// Least and most of the resource.
    pub(super) total: (u32, Option<u32>),
    /// Logarithm of its likelihood.
    likelihood: f64,
    /// Logarithm of the odds of the granule itself, which are part of that.
    prior: f64,
}

/// All hypotheses that are left.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fit {
    pub(super) explanations: Vec<Explanation>,
    /// Those that explain the rows as well and are ruled out by nothing but their granule, which does not go with the steps.
    pub(super) uneven: Vec<Explanation>,
    /// Odds of the granules that are left against the best other one.
    pub(super) odds: Option<f64>,
    /// Least amount of the sweep.
    least: u32,
}

impl Explanation {
    fn holders(&self, amount: u32) -> std::ops::RangeInclusive<u32> {
        let taken = amount.next_multiple_of(self.granule);
        let limit = self.limit.unwrap_or(u32::MAX);
        (self.total.0 / taken).min(limit)..=self.total.1.map_or(u32::MAX, |most| most / taken).min(limit)
    }

    fn explains(&self, row: &Held) -> bool {
        self.holders(row.amount).contains(&row.holders)
    }
}

impl Fit {
    /// Tries all granules that are multiples of `unit`, up to `most`; `None` if there are no rows, or nothing explains nine of ten.
    pub(super) fn of(rows: &[Held], step: u32, unit: u32, most: u32) -> Option<Self> {
        let least = rows.iter().map(|row| row.amount).min()?;
        let all: Vec<Explanation> =
            (1..=most / unit).flat_map(|units| explanations(rows, step, units * unit)).collect();
        let best = all.iter().map(|found| found.likelihood).fold(f64::NEG_INFINITY, f64::max);
        let is_left = |found: &&Explanation| found.likelihood > best - STRONG_ODDS.ln();
        let explanations: Vec<Explanation> = all.iter().filter(is_left).copied().collect();
        let of_rows = |found: &Explanation| found.likelihood - found.prior;
        let most = all.iter().map(of_rows).fold(f64::NEG_INFINITY, f64::max) - STRONG_ODDS.ln();
        let is_uneven = |found: &&Explanation| found.prior < 0.0 && !is_left(found) && of_rows(found) > most;
        let uneven: Vec<Explanation> = all.iter().filter(is_uneven).copied().collect();
        let is_named = |granule| explanations.iter().any(|found| found.granule == granule);
        let rival = all.iter().filter(|found| !is_named(found.granule)).map(|found| found.likelihood);
        let rival = rival.fold(f64::NEG_INFINITY, f64::max);
        let odds = rival.is_finite().then(|| (best - rival).exp());
        let found = Self { explanations, uneven, odds, least };
        let wrong = rows.iter().filter(|row| !found.explains(row)).count();
        (wrong as f64 <= (MOST_WRONG * rows.len() as f64).max(1.0)).then_some(found)
    }

    /// Whether the remaining hypotheses explain a row.
    pub(super) fn explains(&self, row: &Held) -> bool {
        self.explanations.iter().any(|found| found.explains(row))
    }

    /// The granules that are left, in their order.
    pub(super) fn granules(&self) -> Vec<u32> {
        ascending(self.explanations.iter().map(|found| found.granule))
    }

    /// The granules that explain the rows as well and do not go with the steps.
    pub(super) fn uneven_granules(&self) -> Vec<u32> {
        ascending(self.uneven.iter().map(|found| found.granule))
    }

    /// Least and most that there can be of the resource.
    pub(super) fn total(&self) -> (u32, Option<u32>) {
        let all = || self.explanations.iter().chain(&self.uneven);
        let low = all().map(|found| found.total.0).min().unwrap_or_default();
        let high = all().map(|found| found.total.1.unwrap_or(u32::MAX)).max();
        (low, high.filter(|high| *high < u32::MAX))
    }

    /// What limits the waves that is surely not this resource; `None` if the resource itself may be what does.
    pub(super) fn other_limit(&self) -> Option<u32> {
        let mut limits = self.explanations.iter().chain(&self.uneven).map(|found| {
            let taken = self.least.next_multiple_of(found.granule);
            found.limit.filter(|limit| found.total.0 / taken > *limit)
        });
        let first = limits.next()??;
        limits.all(|limit| limit == Some(first)).then_some(first)
    }
}

/// The likeliest totals with a granule, for each limit.
///
/// As T grows, the number for an amount grows by one at each multiple of its allocation: between two such totals nothing changes.
fn explanations(rows: &[Held], step: u32, granule: u32) -> Vec<Explanation> {
    let mut steps: Vec<(u32, usize)> = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        let taken = row.amount.next_multiple_of(granule);
        // Beyond one more than was seen nothing changes any more.
        steps.extend((1..=(row.holders + 1).min(MOST_HOLDERS)).map(|holders| (holders * taken, place)));
    }
    steps.sort_unstable();
    let limits = std::iter::once(None).chain(ascending(rows.iter().map(|row| row.holders)).into_iter().map(Some));
    let is_commensurate = granule.is_multiple_of(step) || step.is_multiple_of(granule);
    let prior = if is_commensurate { 0.0 } else { -COMMENSURATE_ODDS.ln() };
    limits.filter_map(|limit| totals(rows, granule, &steps, (limit, prior))).collect()
}

fn totals(
    rows: &[Held],
    granule: u32,
    steps: &[(u32, usize)],
    (limit, prior): (Option<u32>, f64),
) -> Option<Explanation> {
    let most = limit.unwrap_or(u32::MAX);
    let cost = |row: &Held| PLACE_ODDS.ln() * f64::from(row.margin.clamp(1, MOST_WITNESSES));
    let mut holders = vec![0_u32; rows.len()];
    let mut likelihood: f64 = prior - rows.iter().filter(|row| row.holders > 0).map(cost).sum::<f64>();
    let mut best: Option<Explanation> = None;
    let mut place = 0;
    while place < steps.len() {
        let total = steps[place].0;
        while let Some(&(_, row)) = steps.get(place).filter(|(step, _)| *step == total) {
            let seen = rows[row].holders;
            let was = holders[row].min(most) == seen;
            holders[row] += 1;
            let is = holders[row].min(most) == seen;
            likelihood += f64::from(i8::from(is) - i8::from(was)) * cost(&rows[row]);
            place += 1;
        }
        let high = steps.get(place).map(|(next, _)| next - 1);
        // Sums of the same terms in another order differ in their last digits.
        match &mut best {
            Some(found) if likelihood <= found.likelihood - 1e-6 => {}
            Some(found) if likelihood < found.likelihood + 1e-6 => found.total.1 = high,
            best => *best = Some(Explanation { granule, limit, total: (total, high), likelihood, prior }),
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep(total: u32, granule: u32, limit: u32) -> Vec<Held> {
        let row =
            |amount: u32| Held { amount, holders: (total / amount.next_multiple_of(granule)).min(limit), margin: 4 };
        (8..=256).step_by(4).map(row).filter(|row| row.holders > 0).collect()
    }

    #[test]
    fn one_wrong_row_neither_hides_nor_makes_a_granule() {
        for place in [3, 10, 20, 40] {
            let mut rows = sweep(256, 8, 10);
            rows[place].holders += 1;
            rows[place].margin = 1;
            let found = Fit::of(&rows, 4, 1, 256).unwrap();
            assert_eq!(found.granules(), [8], "{place}");
            assert!(!found.explains(&rows[place]) && found.odds.unwrap() > STRONG_ODDS, "{place}");
            assert_eq!(found.other_limit(), Some(10));
        }
    }

    #[test]
    fn an_ambiguous_limit_is_not_stated() {
        // With 8 registers each, 96 are for 12 waves; whether more have slots cannot be seen.
        assert_eq!(Fit::of(&sweep(96, 4, 16), 4, 1, 256).unwrap().other_limit(), None);
        assert_eq!(Fit::of(&sweep(96, 4, 11), 4, 1, 256).unwrap().other_limit(), Some(11));
    }

    #[test]
    fn rows_that_nothing_explains_say_nothing() {
        let mut rows = sweep(256, 8, 10);
        rows.iter_mut().step_by(3).for_each(|row| row.holders += 2);
        assert_eq!(Fit::of(&rows, 4, 1, 256), None);
    }
}
