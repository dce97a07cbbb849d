//! What each wave does with each of its cycles.
//!
//! From its start to its end a wave's time is cut into segments without gap or overlap: their sum is its lifetime.

use crate::issue::outcome::Outcome;
use crate::lower::operation::Operation;
use crate::lower::step::Step;

/// What a wave does with a part of its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Activity {
    /// It issues, and the instruction holds it.
    Issue,
    /// It pays for where an instruction or the target of a jump lies in its block.
    Alignment,
    /// It waits for a line of the instruction cache.
    Fetch,
    /// It waits until a result that its instruction reads is there, or pays for reading a flag too early.
    Dependency,
    /// Its instruction is ready, and another wave has the unit or the port to it.
    Arbitration,
    /// S_WAITCNT waits for memory or LDS.
    Wait,
    /// It waits at a barrier for other waves.
    Barrier,
    /// S_SLEEP.
    Sleep,
}

impl Activity {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 8] = [
        Self::Issue,
        Self::Alignment,
        Self::Fetch,
        Self::Dependency,
        Self::Arbitration,
        Self::Wait,
        Self::Barrier,
        Self::Sleep,
    ];
}

/// A part of a wave's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// Number of the wave in the launch.
    pub wave: u32,
    /// Address of the instruction that the time is spent on: issuing it, or waiting to.
    pub address: u64,
    pub activity: Activity,
    /// First shader cycle.
    pub start: u64,
    /// Shader cycles, at least 1.
    pub cycles: u64,
}

/// The segments of all waves of a compute unit.
#[derive(Debug, Default)]
pub(crate) struct Recording {
    /// In the order of their recording; those of one wave are in the order of time.
    pub(crate) segments: Vec<Segment>,
    waves: Vec<Recorded>,
}

/// How far the time of a wave is recorded.
#[derive(Debug, Clone, Copy)]
struct Recorded {
    number: u32,
    until: u64,
    /// Address of the instruction that it issued last.
    issued: u64,
}

impl Recording {
    /// Wave `number` of the launch starts, as the next one of the compute unit.
    pub(crate) fn start(&mut self, number: u32, cycle: u64) {
        self.waves.push(Recorded { number, until: cycle, issued: 0 });
    }

    /// A wave of the compute unit executed an instruction, issued at `cycle`: `cost` cycles hold it, of them `penalty` for the place of
    /// the instruction, unless the outcome says otherwise. It is ready again at cycle `ready`.
    pub(crate) fn executed(
        &mut self,
        wave: u32,
        step: &Step,
        (cycle, cost, penalty): (u64, u64, u64),
        outcome: Outcome,
        ready: u64,
    ) {
        let (held, of_alignment) = match outcome {
            Outcome::Jump { .. } | Outcome::Away { .. } => (u64::from(step.taken_cycles), u64::from(step.jump_penalty)),
            Outcome::NotTaken(_) => (cost - penalty, penalty + u64::from(step.untaken_penalty)),
            // The wait states of S_NOP are its own.
            Outcome::Until(_) if step.operation == Operation::Nop => (ready - cycle, penalty),
            _ => (cost - penalty, penalty),
        };
        let rest = match (outcome, step.operation) {
            (Outcome::Until(_), Operation::Sleep) => Activity::Sleep,
            (Outcome::Until(_), _) => Activity::Wait,
            // A flag that was written by the instruction before.
            _ => Activity::Dependency,
        };
        self.waves[wave as usize].issued = step.address;
        self.spend(wave, step.address, Activity::Issue, cycle + held);
        self.spend(wave, step.address, Activity::Alignment, cycle + held + of_alignment);
        self.spend(wave, step.address, rest, ready);
    }

    /// A wave's time up to `until`, as far as it is not recorded, was spent on the instruction at `address`.
    pub(crate) fn spend(&mut self, wave: u32, address: u64, activity: Activity, until: u64) {
        let recorded = &mut self.waves[wave as usize];
        let Some(cycles) = until.checked_sub(recorded.until).filter(|cycles| *cycles > 0) else { return };
        let segment = Segment { wave: recorded.number, address, activity, start: recorded.until, cycles };
        recorded.until = until;
        self.segments.push(segment);
    }

    /// The same for the instruction that the wave issued last.
    pub(crate) fn spend_on_issued(&mut self, wave: u32, activity: Activity, until: u64) {
        self.spend(wave, self.waves[wave as usize].issued, activity, until);
    }
}
