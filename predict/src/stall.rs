//! Why a wave does not go on.

use std::collections::BTreeMap;

use gcn_model::quantity::Cycles;
use gcn_simulator::Activity;
use serde::Serialize;

/// Why a wave does not go on. The names are those of AMD's program counter sampling on GCN 1.4 and later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Stall {
    /// The instruction has not been fetched: a line of the cache that is missing, or the charge of a place in a block.
    NoInstructionAvailable,
    /// A result that the instruction reads is not there yet.
    AluDependency,
    /// Another wave has the unit, or the port to it, or vector instructions before it wait for banks of registers.
    ArbiterNotWin,
    /// S_WAITCNT waits for memory or LDS.
    Waitcnt,
    /// Other waves have not reached the barrier.
    BarrierWait,
    /// S_SLEEP.
    SleepWait,
}

impl Stall {
    /// All of them, in their order.
    pub const ALL: [Self; 6] = [
        Self::NoInstructionAvailable,
        Self::AluDependency,
        Self::ArbiterNotWin,
        Self::Waitcnt,
        Self::BarrierWait,
        Self::SleepWait,
    ];

    /// The stall of an activity; `None` for issuing.
    pub fn of(activity: Activity) -> Option<Self> {
        Some(match activity {
            Activity::Issue => return None,
            Activity::Alignment | Activity::Fetch => Self::NoInstructionAvailable,
            Activity::Dependency => Self::AluDependency,
            Activity::Arbitration => Self::ArbiterNotWin,
            Activity::Wait => Self::Waitcnt,
            Activity::Barrier => Self::BarrierWait,
            Activity::Sleep => Self::SleepWait,
        })
    }

    /// AMD's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoInstructionAvailable => "NO_INSTRUCTION_AVAILABLE",
            Self::AluDependency => "ALU_DEPENDENCY",
            Self::ArbiterNotWin => "ARBITER_NOT_WIN",
            Self::Waitcnt => "WAITCNT",
            Self::BarrierWait => "BARRIER_WAIT",
            Self::SleepWait => "SLEEP_WAIT",
        }
    }
}

/// The cycles of each stall, of those that there are.
pub(crate) fn stalls_of(cycles: impl Fn(Activity) -> f64) -> BTreeMap<Stall, Cycles> {
    let mut stalls: BTreeMap<Stall, Cycles> = BTreeMap::new();
    for activity in Activity::ALL {
        let cycles = cycles(activity);
        if let (Some(stall), true) = (Stall::of(activity), cycles > 0.0) {
            stalls.entry(stall).or_insert(Cycles(0.0)).0 += cycles;
        }
    }
    stalls
}

/// The cycles of all stalls together.
pub(crate) fn stalled(stalls: &BTreeMap<Stall, Cycles>) -> Cycles {
    // The sum of no numbers is -0.
    Cycles(stalls.values().fold(0.0, |sum, cycles| sum + cycles.0))
}

/// The longest stall.
pub(crate) fn main_stall(stalls: &BTreeMap<Stall, Cycles>) -> Option<Stall> {
    stalls.iter().max_by(|one, other| one.1.0.total_cmp(&other.1.0)).map(|(stall, _)| *stall)
}

/// The stalls of a list of instructions added up, the longest first.
pub(crate) fn longest_first<'a>(lines: impl Iterator<Item = &'a BTreeMap<Stall, Cycles>>) -> Vec<(Stall, Cycles)> {
    let mut sums: BTreeMap<Stall, f64> = BTreeMap::new();
    for (stall, cycles) in lines.flatten() {
        *sums.entry(*stall).or_default() += cycles.0;
    }
    let mut sums: Vec<_> = sums.into_iter().map(|(stall, cycles)| (stall, Cycles(cycles))).collect();
    sums.sort_by(|one, other| other.1.0.total_cmp(&one.1.0));
    sums
}
