//! The time of waves, added up: the record of a launch whose segments would be too many.

use crate::issue::activity::Activity;

/// Shader cycles by activity, in the order of [`Activity::ALL`].
pub(crate) type Cycles = [u64; Activity::ALL.len()];

/// What waves spent on one instruction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Spent {
    /// How often it was issued.
    pub executed: u64,
    /// For how many cycles more its bank conflicts kept the LDS.
    pub conflict_cycles: u64,
    pub cycles: Cycles,
}

/// The use of a wave's lifetime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Life {
    /// Number of the wave in the launch.
    pub number: u32,
    /// The cycle at which it was launched.
    pub start: u64,
    pub cycles: Cycles,
}

/// The time of all waves of a compute unit.
#[derive(Debug, Default)]
pub(crate) struct Totals {
    /// By the number of the step in its program, as far as waves got.
    pub steps: Vec<Spent>,
    /// In the order of their launch.
    pub waves: Vec<Life>,
}

impl Totals {
    /// The next wave of the compute unit starts.
    pub(crate) fn start(&mut self, number: u32, start: u64) {
        self.waves.push(Life { number, start, cycles: Cycles::default() });
    }

    /// The time of a compute unit's wave on the step of this number.
    #[inline(always)]
    pub(crate) fn spender(&mut self, wave: u32, step: u32) -> Spender<'_> {
        let step = step as usize;
        if step >= self.steps.len() {
            self.steps.resize(step + 1, Spent::default());
        }
        Spender { step: &mut self.steps[step], wave: &mut self.waves[wave as usize].cycles }
    }
}

/// Where the cycles go that a wave spends on a step.
#[derive(Debug)]
pub(crate) struct Spender<'a> {
    step: &'a mut Spent,
    wave: &'a mut Cycles,
}

impl Spender<'_> {
    /// The wave issued it.
    #[inline(always)]
    pub(crate) fn execute(&mut self) {
        self.step.executed += 1;
    }

    /// Its bank conflicts kept the LDS for so many cycles more.
    pub(crate) fn conflict(&mut self, cycles: u32) {
        self.step.conflict_cycles += u64::from(cycles);
    }

    /// So many cycles more.
    #[inline(always)]
    pub(crate) fn spend(&mut self, activity: Activity, cycles: u64) {
        self.step.cycles[activity as usize] += cycles;
        self.wave[activity as usize] += cycles;
    }
}
