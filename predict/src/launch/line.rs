//! One instruction of a launch.

use std::collections::BTreeMap;

use gcn_model::code_object::CodeObject;
use gcn_model::decode::{Decoded, decode};
use gcn_model::quantity::{Bytes, Cycles};
use gcn_model::timing::Timings;
use gcn_simulator::{Activity, InstructionProfile, Unit};
use serde::Serialize;

use crate::basis::Basis;
use crate::bound::unit_name;
use crate::card::Card;
use crate::line::note;
use crate::stall::{Stall, main_stall, stalled, stalls_of};
use crate::written::written;

/// The cost of an instruction for all waves of a launch together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LaunchLine {
    /// Its address in the code object.
    pub address: u64,
    pub bytes: Bytes,
    #[serde(skip)]
    pub decoded: Decoded,
    /// Its text, as its author writes it.
    pub text: String,
    /// Its jump target, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Which unit executes it.
    pub unit: &'static str,
    /// How often a wave executed it.
    pub executed: u64,
    /// Cycles in which it held a wave, of all waves.
    pub issue: Cycles,
    /// Cycles in which a wave stood still for it, of all waves, by the reason.
    pub stalls: BTreeMap<Stall, Cycles>,
    /// For how many cycles more its bank conflicts kept the LDS.
    pub conflicts: Cycles,
    pub basis: Basis,
    /// Where its cycles come from.
    pub source: String,
    /// Its values are approximations of this host, and not a card's. Its timing does not depend on that.
    pub is_value_approximate: bool,
}

impl LaunchLine {
    /// Cycles in which waves stood still for it.
    pub fn stalled(&self) -> Cycles {
        stalled(&self.stalls)
    }

    /// Why waves stood still for it most of the time.
    pub fn main_stall(&self) -> Option<Stall> {
        main_stall(&self.stalls)
    }

    fn new(
        address: u64,
        decoded: &Decoded,
        (card, timings): (&Card, &Timings),
        profile: Option<&InstructionProfile>,
    ) -> Self {
        let (basis, source) = card.basis(timings, decoded.instruction);
        let of = |activity: Activity| profile.map_or(0, |profile| profile.cycles(activity)) as f64;
        Self {
            address,
            bytes: Bytes(u32::from(decoded.dwords.0) * 4),
            decoded: *decoded,
            text: written(decoded),
            note: note(address, decoded),
            unit: unit_name(Unit::of(decoded.instruction)),
            executed: profile.map_or(0, |profile| profile.executed),
            issue: Cycles(of(Activity::Issue)),
            stalls: stalls_of(of),
            conflicts: Cycles(profile.map_or(0, |profile| profile.conflict_cycles) as f64),
            basis,
            source,
            is_value_approximate: profile.is_some_and(|profile| profile.is_approximate),
        }
    }
}

/// The lines of a launch: the instructions that waves got to, by their addresses in the code object, and those in between that none did.
pub(crate) fn lines(object: &CodeObject, card: &Card, profiles: &BTreeMap<u64, InstructionProfile>) -> Vec<LaunchLine> {
    let decoded = |address: u64| decode(card.gpu.processor(), object.code_from(address), address).ok();
    // Unmeasured values rest on the card's own file.
    let timings = Timings::of(&card.gpu);
    let of_card = (card, &timings);
    let mut lines = Vec::new();
    let mut next: Option<u64> = None;
    for (address, profile) in profiles {
        // Code after the start of another kernel is not between two instructions of this one.
        let is_one = |from: &u64| !object.kernels.iter().any(|kernel| (from + 1..=*address).contains(&kernel.entry));
        let mut gap = next.filter(is_one).unwrap_or(*address);
        while gap < *address {
            let Some(passed_over) = decoded(gap) else { break };
            lines.push(LaunchLine::new(gap, &passed_over, of_card, None));
            gap += u64::from(passed_over.dwords.0) * 4;
        }
        let Some(reached) = decoded(*address) else { continue };
        lines.push(LaunchLine::new(*address, &reached, of_card, Some(profile)));
        next = Some(address + u64::from(reached.dwords.0) * 4);
    }
    lines
}
