//! The questions on which the published sources contradict each other.

use std::sync::LazyLock;

use serde::Deserialize;

use super::target_group::is_member;
use crate::isa::Generation;

/// The measured quantity that answers a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DisputedQuantity {
    /// Shader cycles on one wave.
    Cycles,
    /// Shader cycles of a jump that is taken.
    TakenCycles,
    /// Instructions per cycle and compute unit.
    Throughput,
    /// Banks of the LDS, from a sweep over strides.
    LdsBanks,
    /// Cycles of the compute unit for an LDS instruction all of whose lanes meet in one bank.
    LdsConflict,
    /// Waves that run at once on a SIMD, whatever they need.
    Waves,
    /// Nothing that a suite for instructions measures; [`Dispute::needs`] says what would.
    Other,
}

/// One question of `docs/facts.md` §8. What each source says of it is in the source's own file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dispute {
    /// Its number there: `1b`.
    pub number: String,
    /// The question in a few words.
    pub question: String,
    /// The instructions that decide it, upper case.
    #[serde(default)]
    pub instructions: Vec<String>,
    /// The deciding quantity.
    pub quantity: DisputedQuantity,
    /// The generations that have the question; empty: all.
    #[serde(default)]
    pub generations: Vec<Generation>,
    /// The LLVM targets that have it, or groups of `timings/target-groups.csv`; empty: all.
    #[serde(default)]
    pub targets: Vec<String>,
    /// The requirements beyond timing an instruction; empty if there are no others.
    #[serde(default)]
    pub needs: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    disputes: Vec<Dispute>,
}

impl Dispute {
    /// Whether a GPU has the question.
    pub fn is_of(&self, generation: Generation, target: &str) -> bool {
        let chip = target.split(':').next().unwrap_or(target);
        let of_target =
            self.targets.is_empty() || self.targets.iter().any(|listed| listed == chip || is_member(chip, listed));
        of_target && (self.generations.is_empty() || self.generations.contains(&generation))
    }
}

/// The questions that a GPU has, in the order of the facts.
pub fn disputes_of(generation: Generation, target: &str) -> impl Iterator<Item = &'static Dispute> {
    disputes().iter().filter(move |dispute| dispute.is_of(generation, target))
}

/// All questions, in the order of the facts.
///
/// # Panics
/// If the file that is built in is wrong, which the tests rule out.
pub fn disputes() -> &'static [Dispute] {
    static DISPUTES: LazyLock<Vec<Dispute>> = LazyLock::new(|| {
        let file: Result<File, _> = toml::from_str(include_str!("../../data/timings/disputes.toml"));
        file.unwrap_or_else(|error| panic!("built-in file: timings/disputes.toml: {error}")).disputes
    });
    &DISPUTES
}
