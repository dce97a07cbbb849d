//! A card of the site: a run, and its rows by instruction.

use std::collections::HashMap;

use gcn_model::isa::{Encoding, Generation};

use crate::many_waves::ThroughputRow;
use crate::one_wave::{TimingRow, VariantRow};
use crate::results::{Guesses, Results};
use crate::run::StoredRun;
use crate::verdict::{DisputeRow, ValidationRow};
use crate::views::SIMULATED;

/// A run as a card of the site.
pub(super) struct Card<'r> {
    /// Name of its page's file, without the ending; no other card's.
    pub(super) slug: String,
    /// A short name for the head of a column.
    pub(super) name: String,
    pub(super) is_simulated: bool,
    pub(super) run: &'r Results,
    pub(super) guesses: Guesses,
    pub(super) generation: Option<Generation>,
    /// Its names for instructions that other generations call by the key.
    own_names: HashMap<&'static str, &'r str>,
    timings: HashMap<&'r str, &'r TimingRow>,
    pub(super) variants: ByName<'r, VariantRow>,
    pub(super) throughputs: ByName<'r, ThroughputRow>,
    pub(super) validation: ByName<'r, ValidationRow>,
    pub(super) disputes: ByName<'r, DisputeRow>,
    experiments: HashMap<&'r str, usize>,
}

/// Rows by their instruction.
type ByName<'r, T> = HashMap<&'r str, Vec<&'r T>>;

fn by_name<'r, T>(rows: &'r [T], name: impl Fn(&'r T) -> &'r str) -> ByName<'r, T> {
    let mut found = ByName::new();
    for row in rows {
        found.entry(name(row)).or_default().push(row);
    }
    found
}

impl<'r> Card<'r> {
    /// The cards of these runs, older targets first; each has a name of its own.
    pub(super) fn of(runs: &'r [Results]) -> Vec<Self> {
        let mut sorted: Vec<&Results> = runs.iter().collect();
        let target = |run: &&Results| run.record.device.target.clone();
        sorted.sort_by_key(|run| (target(run).len(), target(run), run.record.device.name.clone(), run.run_id()));
        let mut known: HashMap<String, u32> = HashMap::new();
        sorted
            .into_iter()
            .map(|run| {
                let short = short_name(&run.record.device.name);
                let count = known.entry(slug(short)).or_default();
                *count += 1;
                let (slug, name) = match *count {
                    1 => (slug(short), short.to_owned()),
                    n => (format!("{}-{n}", slug(short)), format!("{short} ({n})")),
                };
                Self::new(slug, name, run)
            })
            .collect()
    }

    fn new(slug: String, name: String, run: &'r Results) -> Self {
        let generation = run.record.device.known_generation();
        let own_name = |row: &'r TimingRow| {
            let shared = shared_name(generation?, &row.instruction)?;
            Some((shared, row.instruction.as_str()))
        };
        Self {
            slug,
            name,
            generation,
            own_names: run.timings.iter().filter_map(own_name).collect(),
            is_simulated: run.record.device.is_simulated(),
            timings: run.timings.iter().map(|row| (row.instruction.as_str(), row)).collect(),
            variants: by_name(&run.variants, |row| &row.instruction),
            throughputs: by_name(&run.throughputs, |row| &row.instruction),
            validation: by_name(&run.validation, |row| &row.instruction),
            disputes: by_name(&run.disputes, |row| &row.instruction),
            experiments: run.run.as_ref().map(|stored| stored.positions()).unwrap_or_default(),
            guesses: Guesses::of(&run.record.device),
            run,
        }
    }

    /// This card's name for an instruction.
    pub(super) fn own_name<'n>(&self, instruction: &'n str) -> &'n str
    where
        'r: 'n,
    {
        self.own_names.get(instruction).copied().unwrap_or(instruction)
    }

    /// The names by which the site lists the card's instructions: those of the first generation that has them.
    pub(super) fn instructions(&self) -> impl Iterator<Item = &'r str> {
        let shared = |name: &'r str| self.generation.and_then(|generation| shared_name(generation, name));
        self.run.timings.iter().map(move |row| shared(&row.instruction).unwrap_or(&row.instruction))
    }

    pub(super) fn timing(&self, instruction: &str) -> Option<&'r TimingRow> {
        self.timings.get(self.own_name(instruction)).copied()
    }

    /// Those of some rows that are of an instruction.
    pub(super) fn rows<'c, T>(&self, of: &'c ByName<'r, T>, instruction: &str) -> &'c [&'r T] {
        of.get(self.own_name(instruction)).map_or(&[], Vec::as_slice)
    }

    /// The run's records and the place of an experiment in them, if they were kept and have it.
    pub(super) fn experiment(&self, name: &str) -> Option<(&'r StoredRun, usize)> {
        Some((self.run.run.as_ref()?, *self.experiments.get(name)?))
    }
}

/// The note above numbers of these cards; empty where all were measured.
pub(super) fn banner<'c>(cards: impl Iterator<Item = &'c Card<'c>>) -> Option<&'static str> {
    let (mut simulated, mut measured) = (false, false);
    for card in cards {
        simulated |= card.is_simulated;
        measured |= !card.is_simulated;
    }
    match (simulated, measured) {
        (true, false) => Some(SIMULATED),
        (true, true) => Some(
            "Partly simulated: numbers of cards marked “simulated” were not measured on a card, and cannot confirm or refute a source.",
        ),
        (false, _) => None,
    }
}

/// The name that earlier generations have for an instruction, where it is another one. Halves of a dual issue keep theirs: they are timed as a
/// part of a pair, not alone.
fn shared_name(generation: Generation, name: &str) -> Option<&'static str> {
    let instruction = generation.instruction(name).filter(|found| found.encoding != Encoding::Vopd)?;
    instruction.same_as.as_deref()
}

/// The name of a device in the head of a column: a simulated one by its own name, not by its model.
fn short_name(name: &str) -> &str {
    name.split_once(" (").map_or(name, |(short, _)| short)
}

/// A name that every file system takes, and that leads nowhere else.
fn slug(name: &str) -> String {
    let lower = name.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let slug = words.collect::<Vec<_>>().join("-");
    if slug.is_empty() { "card".to_owned() } else { slug }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_lead_nowhere_else() {
        assert_eq!(slug("AMD Radeon VII"), "amd-radeon-vii");
        assert_eq!(slug("../../etc/passwd"), "etc-passwd");
        assert_eq!(slug("…"), "card");
        assert_eq!(short_name("vega20 (simulated Radeon Instinct MI50)"), "vega20");
    }
}
