//! The time of waves, added up: what is kept of a launch whose segments would be too many.

use std::collections::HashMap;

use crate::issue::activity::Activity;

/// Shader cycles by activity, in the order of [`Activity::ALL`].
pub(crate) type Cycles = [u64; Activity::ALL.len()];

/// What waves spent on one instruction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Spent {
    /// How often it was issued.
    pub executed: u64,
    pub cycles: Cycles,
}

/// What one wave did with its life.
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
    /// By the address of the instruction.
    pub instructions: HashMap<u64, Spent>,
    /// In the order of their launch.
    pub waves: Vec<Life>,
}

impl Totals {
    /// The next wave of the compute unit starts.
    pub(crate) fn start(&mut self, number: u32, start: u64) {
        self.waves.push(Life { number, start, cycles: Cycles::default() });
    }

    /// A wave of the compute unit issued the instruction at `address`.
    pub(crate) fn execute(&mut self, address: u64) {
        self.instructions.entry(address).or_default().executed += 1;
    }

    /// A wave of the compute unit spent so many cycles on the instruction at `address`.
    pub(crate) fn spend(&mut self, wave: u32, address: u64, activity: Activity, cycles: u64) {
        self.instructions.entry(address).or_default().cycles[activity as usize] += cycles;
        self.waves[wave as usize].cycles[activity as usize] += cycles;
    }
}
