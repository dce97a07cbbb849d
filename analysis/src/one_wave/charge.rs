//! The charge at the start of a line, and how it is taken off cycles.
//!
//! Nothing but the probes of the run is assumed: operations in two dwords against the same in one, and jumps against jumps at the best place. A front
//! end may charge long instructions less than short ones (never more), and only some lines.

use gcn_model::quantity::Cycles;

use crate::many_waves::Hold;
use crate::settle::{CYCLES_RESOLUTION, SAME_THROUGHPUT};
use crate::statistics::Estimate;
use crate::tables::decimal;

/// Standard errors that a charge is seen by: on a card that charges nothing, one run in 30,000 sees one.
const SEEN: f64 = 4.0;

/// The most that a charge which is not seen may be, cycles: a counter in steps hides more than the published cycles are resolved.
const UNSEEN: f64 = SEEN * CYCLES_RESOLUTION;

/// The least charge of copies in the mean, cycles: one cycle for one of 16 dwords, at each second of which copies stand.
const LEAST_OF_COPIES: f64 = 0.1;

/// Cycles that the front end of a run charges 2-dword instructions for their places.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrontEndCharge {
    /// Each of those back to back from the start of a line on, in the mean.
    pub of_copies: Cycles,
    /// The most that one of those is charged.
    pub most_of_copies: Cycles,
    /// The most at the first dword of a line.
    pub most_at_start: Cycles,
    /// The most at any dword.
    pub most: Cycles,
}

/// For a row whose cycles contain some of it.
pub(crate) fn charge_note(up_to: Cycles) -> String {
    format!("the interval allows for up to {} cycles of the front end's charge", decimal(up_to))
}

/// For a row of a run that does not tell the charge.
pub(crate) const UNKNOWN_CHARGE: &str = "with the front end's charge, which the run does not tell";

/// An operation in a single dword, and its further cost in two at the same place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Twin {
    pub(super) one_dword: Estimate,
    pub(super) charge: Estimate,
}

/// A jump at the places where jumps are measured, and at the first dword of every other line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct JumpProbe {
    pub(super) measured: Estimate,
    pub(super) first: Estimate,
}

/// The charge at the places where an instruction was measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Charge {
    /// Nothing that anybody sees.
    None,
    /// So many cycles, whatever the instruction takes.
    Known(Estimate),
    /// Something between these, cycles: which, the probes do not say.
    Between(f64, f64),
}

impl Charge {
    /// The twins' statement about a 2-dword instruction with these measured cycles.
    ///
    /// A charge may shrink, never grow, with the length. So a twin at least as long as the measured cycles, charge included, that pays as much as the
    /// short ones shows that the instruction pays it too; and a twin no longer than the rest without the charge, which pays nothing,
    /// that it pays nothing.
    pub(super) fn of_two_dwords(twins: &[Twin], measured: &Estimate, least: Cycles) -> Self {
        let most = twins.iter().map(|twin| twin.charge.value).fold(0.0, f64::max);
        if !twins.iter().any(|twin| is_seen(&twin.charge)) {
            return Self::None;
        }
        let Some(of_short) = of_short(twins, least) else { return Self::within(0.0, most, measured, least) };
        if !is_seen(&of_short) {
            return Self::None;
        }
        let left = measured.minus(&of_short);
        let is_charged = |twin: &Twin| is_alike(&twin.charge, of_short.value);
        if twins.iter().any(|twin| is_charged(twin) && twin.one_dword.high() + CYCLES_RESOLUTION >= measured.value)
            && left.high() + CYCLES_RESOLUTION >= least.0
        {
            return Self::Known(of_short);
        }
        let is_free = |twin: &Twin| !is_seen(&twin.charge) && is_alike(&twin.charge, 0.0);
        if twins.iter().any(|twin| is_free(twin) && twin.one_dword.high() <= left.high() + CYCLES_RESOLUTION) {
            return Self::None;
        }
        Self::within(0.0, of_short.value, measured, least)
    }

    /// The twins' statement about a 2-dword instruction at their own places, whose cycles without a charge are known: it pays what a twin
    /// pays that is at least as long.
    pub(super) fn at_lines(twins: &[Twin], own: &Estimate) -> Self {
        let paid: Vec<Twin> = twins.iter().filter(|twin| is_seen(&twin.charge)).copied().collect();
        let charges: Vec<Estimate> = paid.iter().map(|twin| twin.charge).collect();
        let Some(all) = mean(&charges) else { return Self::None };
        let agree = charges.iter().all(|charge| is_alike(charge, all.value));
        if agree && paid.iter().any(|twin| twin.one_dword.high() + CYCLES_RESOLUTION >= own.value) {
            return Self::Known(all);
        }
        Self::Between(0.0, charges.iter().map(|charge| charge.value).fold(0.0, f64::max))
    }

    /// The probes' statement about a jump with these measured cycles.
    ///
    /// No place charges a jump less than the start of a block. What is charged there, too, is a part of the jump: no code avoids it.
    pub(super) fn of_jump(probes: &[JumpProbe], measured: &Estimate, least: Cycles) -> Self {
        let lines: Vec<Estimate> = probes.iter().map(|probe| probe.measured.minus(&probe.first)).collect();
        let Some(line) = mean(&lines) else { return Self::None };
        let most = lines.iter().map(|one| one.value).fold(0.0, f64::max);
        match lines.iter().any(is_seen) {
            _ if !lines.iter().all(|one| is_alike(one, line.value)) => Self::within(0.0, most, measured, least),
            false if line.high() > UNSEEN => Self::within(0.0, line.high(), measured, least),
            false => Self::None,
            true => Self::Known(line),
        }
    }

    /// Of the twins, where copies back to back are charged so much each: a charge at lines that is hidden in their error is not ruled out.
    pub(super) fn or_hidden(
        self,
        twins: &[Twin],
        copies: Option<&Estimate>,
        measured: &Estimate,
        least: Cycles,
    ) -> Self {
        let most = twins.iter().map(|twin| twin.charge.high()).fold(0.0, f64::max);
        let is_hidden = !twins.iter().any(|twin| is_seen(&twin.charge)) && most > UNSEEN;
        match copies.filter(|copies| is_hidden && is_seen(copies)) {
            Some(_) => Self::within(0.0, most, measured, least),
            None => self,
        }
    }

    /// Of copies back to back that are charged so much each at most: their unit may hide some of it.
    pub(super) fn of_copies(charge: &Estimate, measured: &Estimate, least: Cycles) -> Self {
        Self::within(0.0, charge.value, measured, least)
    }

    /// Likewise for a charge that may be absent.
    pub(super) fn or_nothing(self) -> Self {
        match self {
            Self::Known(charge) => Self::Between(0.0, charge.value),
            Self::Between(_, most) => Self::Between(0.0, most),
            Self::None => Self::None,
        }
    }

    /// A charge in a range, limited so that an instruction keeps its minimum.
    fn within(low: f64, high: f64, measured: &Estimate, least: Cycles) -> Self {
        let most = (measured.high() - least.0).max(0.0);
        let high = high.min(most);
        if high <= CYCLES_RESOLUTION { Self::None } else { Self::Between(low.min(high), high) }
    }

    /// Of an instruction that keeps its unit so long, whatever the front end charges a wave: no more than the rest is a charge. It is one where it is as
    /// much as short instructions pay in `full`.
    pub(super) fn beside_hold(self, hold: Hold, full: Option<Estimate>, measured: &Estimate) -> Self {
        let Self::Between(low, high) = self else { return self };
        let rest = |hold: f64| (measured.value - hold).max(0.0);
        let most = hold.least.map_or(high, rest);
        match full {
            _ if most <= CYCLES_RESOLUTION.max(SAME_THROUGHPUT * measured.value) => Self::None,
            Some(full) if is_alike(&full, rest(hold.most)) => Self::Known(full),
            _ => Self::Between(low.min(most), high.min(most)),
        }
    }

    /// Likewise where a unit may be held for an unknown time, up to these cycles: that hides a charge.
    pub(super) fn hidden_by(self, hold: Option<f64>, measured: &Estimate, least: Cycles) -> Self {
        let Self::Known(charge) = self else { return self };
        let left = measured.minus(&charge);
        match hold {
            Some(hold) if hold <= left.high() + CYCLES_RESOLUTION => self,
            Some(hold) => Self::within((measured.value - hold).max(0.0), charge.value, measured, least),
            None => Self::within(0.0, charge.value, measured, least),
        }
    }
}

/// The charge of the shortest operations: two that agree, and no other that does not.
pub(super) fn of_short(twins: &[Twin], least: Cycles) -> Option<Estimate> {
    let is_short = |twin: &&Twin| is_alike(&twin.one_dword, least.0);
    let short: Vec<Estimate> = twins.iter().filter(is_short).map(|twin| twin.charge).collect();
    mean(&short).filter(|mean| short.len() > 1 && short.iter().all(|one| is_alike(one, mean.value)))
}

/// The twins without a short one that pays more than all other short ones, where at least three of these agree: it has cycles of its own in
/// that form.
pub(super) fn without_odd_one(mut twins: Vec<Twin>, least: Cycles) -> Vec<Twin> {
    let short = twins.iter().enumerate().filter(|(_, twin)| is_alike(&twin.one_dword, least.0));
    let mut short: Vec<(usize, Estimate)> = short.map(|(place, twin)| (place, twin.charge)).collect();
    short.sort_by(|(_, one), (_, other)| one.value.total_cmp(&other.value));
    let Some((odd, charge)) = short.pop() else { return twins };
    let others: Vec<Estimate> = short.into_iter().map(|(_, charge)| charge).collect();
    let Some(usual) = mean(&others) else { return twins };
    let agree = others.len() >= 3 && others.iter().all(|one| is_alike(one, usual.value));
    if agree && !is_alike(&charge, usual.value) {
        twins.remove(odd);
    }
    twins
}

/// Whether a charge is more than noise, and more than published cycles are resolved.
pub(super) fn is_seen(charge: &Estimate) -> bool {
    charge.value > CYCLES_RESOLUTION && charge.value > SEEN * charge.standard_error
}

/// Whether copies back to back are charged in the mean: one of many may be.
pub(super) fn is_seen_in_copies(mean: &Estimate) -> bool {
    mean.value > LEAST_OF_COPIES && mean.value > SEEN * mean.standard_error
}

/// Whether an estimate may be this number, as finely as published cycles are resolved.
pub(super) fn is_alike(estimate: &Estimate, value: f64) -> bool {
    (estimate.value - value).abs() <= 2.0 * estimate.half_width() + CYCLES_RESOLUTION
}

/// The mean of estimates of the same value.
pub(super) fn mean(estimates: &[Estimate]) -> Option<Estimate> {
    (!estimates.is_empty()).then(|| Estimate::sum(estimates).scaled(1.0 / estimates.len() as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAST: Cycles = Cycles(4.0);

    fn exact(value: f64) -> Estimate {
        Estimate { value, standard_error: 0.0, degrees: 10.0 }
    }

    fn twins(cycles_and_charges: &[(f64, f64)]) -> Vec<Twin> {
        let twin = |&(cycles, charge): &(f64, f64)| Twin { one_dword: exact(cycles), charge: exact(charge) };
        cycles_and_charges.iter().map(twin).collect()
    }

    fn of(twins: &[Twin], measured: f64) -> Charge {
        Charge::of_two_dwords(twins, &exact(measured), LEAST)
    }

    #[test]
    fn nothing_is_taken_off_where_twins_cost_the_same() {
        assert_eq!(of(&twins(&[(4.0, 0.0), (4.0, 0.02), (16.0, 0.0)]), 8.0), Charge::None);
        let noisy = Estimate { value: 0.6, standard_error: 0.2, degrees: 50.0 };
        let noisy = [Twin { one_dword: exact(4.0), charge: noisy }; 2];
        assert_eq!(of(&noisy, 8.0), Charge::None);
    }

    #[test]
    fn a_charge_is_known_up_to_the_length_of_the_twins_that_pay_it() {
        let paid = twins(&[(4.0, 4.0), (4.0, 4.0), (16.0, 4.0)]);
        assert_eq!(of(&paid, 8.0), Charge::Known(exact(4.0)));
        assert_eq!(of(&paid, 16.0), Charge::Known(exact(4.0)));
        assert_eq!(of(&paid, 20.0), Charge::Between(0.0, 4.0));
        // Faster than any instruction: it pays less.
        assert_eq!(of(&paid, 6.0), Charge::Between(0.0, 2.0));
        assert_eq!(of(&paid, 4.0), Charge::None);
    }

    #[test]
    fn long_instructions_may_pay_nothing() {
        let hidden = twins(&[(4.0, 4.0), (4.0, 4.0), (16.0, 0.0)]);
        assert_eq!(of(&hidden, 20.0), Charge::None);
        assert_eq!(of(&hidden, 19.0), Charge::Between(0.0, 4.0));
        assert_eq!(of(&hidden, 8.0), Charge::Between(0.0, 4.0));
    }

    #[test]
    fn twins_that_contradict_each_other_leave_a_range() {
        assert_eq!(of(&twins(&[(4.0, 4.0), (4.0, 2.0), (16.0, 4.0)]), 8.0), Charge::Between(0.0, 4.0));
        assert_eq!(of(&twins(&[(4.0, 4.0), (16.0, 4.0)]), 8.0), Charge::Between(0.0, 4.0), "one short twin alone");
    }

    #[test]
    fn a_charge_of_copies_may_be_hidden_at_lines() {
        let noisy = Estimate { value: 5.5, standard_error: 1.4, degrees: 50.0 };
        let twins = [Twin { one_dword: exact(1.0), charge: noisy }; 2];
        let (measured, least) = (exact(6.0), Cycles(1.0));
        let charge = Charge::of_two_dwords(&twins, &measured, least);
        assert_eq!(charge, Charge::None);
        assert_eq!(charge.or_hidden(&twins, Some(&exact(5.0)), &measured, least), Charge::Between(0.0, 5.0));
        assert_eq!(charge.or_hidden(&twins, Some(&exact(0.0)), &measured, least), Charge::None);
    }

    #[test]
    fn a_twin_with_cycles_of_its_own_in_two_dwords_says_nothing() {
        let of = |charges: &[f64]| {
            let all: Vec<(f64, f64)> = charges.iter().map(|charge| (4.0, *charge)).chain([(16.0, 0.0)]).collect();
            without_odd_one(twins(&all), LEAST).len() - 1
        };
        assert_eq!((of(&[0.0, 0.0, 0.0, 4.0]), of(&[4.0, 4.0, 4.0, 0.0]), of(&[0.0, 0.0, 4.0])), (3, 4, 3));
        assert_eq!((of(&[4.0, 4.0, 4.0, 4.0]), of(&[])), (4, 0));
    }

    #[test]
    fn an_occupied_unit_hides_a_charge_unless_the_reservation_is_short() {
        let known = Charge::Known(exact(4.0));
        let of = |hold| known.hidden_by(hold, &exact(12.0), LEAST);
        assert_eq!((of(Some(8.0)), of(Some(8.2))), (known, known));
        assert_eq!((of(Some(10.0)), of(None)), (Charge::Between(2.0, 4.0), Charge::Between(0.0, 4.0)));
    }

    #[test]
    fn a_unit_that_is_kept_busy_leaves_no_room_for_a_charge() {
        let between = Charge::Between(0.0, 4.0);
        let of = |least, most| between.beside_hold(Hold { least, most }, Some(exact(4.0)), &exact(12.0));
        assert_eq!((of(Some(12.0), 12.0), of(Some(10.0), 10.0)), (Charge::None, Charge::Between(0.0, 2.0)));
        assert_eq!((of(Some(8.0), 8.0), of(None, 8.0)), (Charge::Known(exact(4.0)), Charge::Known(exact(4.0))));
        assert_eq!(of(None, 12.0), between, "it may be shorter");
    }

    #[test]
    fn a_jump_is_charged_what_the_best_place_is_not() {
        let probe = |measured, first| JumpProbe { measured: exact(measured), first: exact(first) };
        let of = |probes: &[JumpProbe], measured| Charge::of_jump(probes, &exact(measured), LEAST);
        assert_eq!(of(&[probe(16.0, 16.0); 2], 16.0), Charge::None);
        assert_eq!(of(&[probe(20.0, 16.0); 2], 20.0), Charge::Known(exact(4.0)));
        assert_eq!(of(&[probe(20.0, 16.0), probe(18.0, 16.0)], 20.0), Charge::Between(0.0, 4.0));
        assert_eq!(of(&[], 8.0), Charge::None);
    }
}
