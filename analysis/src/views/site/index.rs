//! The first page: every instruction on every card.

use gcn_model::isa::Encoding;
use serde::Serialize;
use serde_json::{Value, json};

use super::card::Card;
use super::evidence::contradiction;
use super::instruction::aliases;
use crate::tables::{Number, unique};

/// The table of the first page, as a script that sets a variable: a page that was opened from a file can read nothing else.
#[derive(Debug, Serialize)]
pub(super) struct Index {
    pub(super) cards: Vec<CardHead>,
    /// Name, encoding, bytes, contradiction, the cells of each card, further names, and the unit.
    rows: Vec<Value>,
}

/// A card in the head of the table, and where it is named without one.
#[derive(Debug, Serialize)]
pub(super) struct CardHead {
    slug: String,
    name: String,
    target: String,
    generation: String,
    simulated: bool,
}

/// A number, with its interval where that has a width.
fn cell(number: Number) -> Value {
    let text = number.to_string();
    number.exact.map_or_else(|| json!(text), |exact| json!([text, exact]))
}

/// The unit that executes instructions of an encoding.
fn unit(encoding: &str) -> &'static str {
    Encoding::ALL.into_iter().find(|found| found.name() == encoding).map_or("", Encoding::unit)
}

impl Index {
    pub(super) fn of(cards: &[Card<'_>], instructions: &[&str]) -> Self {
        let head = |card: &Card<'_>| CardHead {
            slug: card.slug.clone(),
            name: card.name.clone(),
            target: card.run.record.device.target.clone(),
            generation: card.run.record.device.generation_title(),
            simulated: card.is_simulated,
        };
        let row = |&name: &&str| {
            let timings = || cards.iter().filter_map(|card| card.timing(name));
            // Cycles, latency and throughput; nothing at all where the card does not have the instruction.
            let cells = |card: &Card<'_>| {
                let timing = card.timing(name)?;
                // A jump has a number for each way it can go.
                let cycles = timing.cycles.or(timing.taken).map(Number::cycles);
                let guess = card.guesses.on(&timing.instruction);
                let numbers = [
                    (cycles, if timing.cycles.is_some() { guess.cycles } else { guess.taken }),
                    (timing.latency.map(Number::cycles), guess.latency),
                    (timing.throughput.map(Number::rate), guess.throughput),
                ];
                Some(numbers.map(|(number, is_guess)| number.map(|number| cell(number.marked(is_guess)))))
            };
            json!([
                name,
                unique(timings().map(|row| row.encoding.as_str())).join(", "),
                unique(timings().map(|row| row.bytes.to_string())).join(", "),
                contradiction(cards, name),
                cards.iter().map(cells).collect::<Vec<_>>(),
                aliases(cards, name).join(" "),
                timings().next().map_or("", |row| unit(&row.encoding)),
            ])
        };
        Self { cards: cards.iter().map(head).collect(), rows: instructions.iter().map(row).collect() }
    }

    /// The script.
    pub(super) fn script(&self) -> String {
        format!("const SITE = {};\n", serde_json::to_string(self).expect("all keys are texts"))
    }
}
