//! The numbers of an instruction, card by card.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::card::Card;
use crate::settle::Status;
use crate::tables::Number;

/// Cards with the same numbers: a row in an instruction's table.
#[derive(Debug, Serialize)]
pub(super) struct CardNumbers {
    cards: Vec<CardName>,
    #[serde(flatten)]
    numbers: Numbers,
}

/// A card in the head of a row.
#[derive(Debug, Serialize)]
struct CardName {
    slug: String,
    card: String,
    /// Where the next card has another one.
    target: Option<String>,
}

/// A card's tables of an instruction.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Numbers {
    is_simulated: bool,
    bytes: u32,
    cycles: Number,
    taken: Number,
    latency: Number,
    throughput: Number,
    waves: Option<u32>,
    samples: usize,
    why: String,
}

impl Numbers {
    fn of(card: &Card<'_>, instruction: &str) -> Option<Self> {
        let timing = card.timing(instruction)?;
        let guess = card.guesses.on(instruction);
        let why = match timing.status {
            Status::Ok => String::new(),
            status => format!("{status}: {}", timing.detail).trim_end_matches(": ").to_owned(),
        };
        Some(Self {
            is_simulated: card.is_simulated,
            bytes: timing.bytes.0,
            cycles: Number::or_dash(timing.cycles.map(|it| Number::cycles(it).marked(guess.cycles))),
            taken: Number::or_dash(timing.taken.map(|it| Number::cycles(it).marked(guess.taken))),
            latency: Number::or_dash(timing.latency.map(|it| Number::cycles(it).marked(guess.latency))),
            throughput: Number::or_dash(timing.throughput.map(|it| Number::rate(it).marked(guess.throughput))),
            waves: timing.waves_per_simd,
            samples: timing.samples,
            why,
        })
    }
}

/// The numbers of each card that has the instruction; a row is in the place of its first card.
pub(super) fn card_numbers(cards: &[&Card<'_>], instruction: &str) -> Vec<CardNumbers> {
    let mut rows: Vec<CardNumbers> = Vec::new();
    for card in cards {
        let Some(numbers) = Numbers::of(card, instruction) else { continue };
        let name = CardName {
            slug: card.slug.clone(),
            card: card.name.clone(),
            target: Some(card.run.record.device.target.clone()),
        };
        match rows.iter_mut().find(|row| row.numbers == numbers) {
            Some(row) => {
                if let Some(before) = row.cards.last_mut().filter(|before| before.target == name.target) {
                    before.target = None;
                }
                row.cards.push(name);
            }
            None => rows.push(CardNumbers { cards: vec![name], numbers }),
        }
    }
    rows
}

/// A table whose columns are the same for all of its rows.
#[derive(Debug, Serialize)]
pub(super) struct Grid {
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<GridRow>,
}

/// Cards for which the cells are the same.
#[derive(Debug, Serialize)]
pub(super) struct GridRow {
    pub(super) head: String,
    pub(super) cells: Vec<Number>,
}

impl Grid {
    /// A table if it has rows.
    pub(super) fn if_any(self) -> Option<Self> {
        (!self.rows.is_empty()).then_some(self)
    }
}

/// Cycles in other forms than the plain one, form by card; cards with the same numbers in all forms share a column.
pub(super) fn forms(cards: &[&Card<'_>], instruction: &str) -> Option<Grid> {
    let mut heads: Vec<String> = Vec::new();
    let mut of_card: Vec<(String, BTreeMap<String, Number>)> = Vec::new();
    for card in cards {
        let mut found = BTreeMap::new();
        for row in card.variants(instruction) {
            let head = format!("{}, {}", row.case, row.quantity);
            if let Some(cycles) = row.cycles {
                found.insert(head.clone(), Number::cycles(cycles));
            }
            if !heads.contains(&head) {
                heads.push(head);
            }
        }
        if found.is_empty() {
            continue;
        }
        match of_card.iter_mut().find(|(_, known)| *known == found) {
            Some((names, _)) => *names = format!("{names}, {}", card.name),
            None => of_card.push((card.name.clone(), found)),
        }
    }
    if of_card.is_empty() {
        return None;
    }
    let rows = heads
        .into_iter()
        .map(|head| GridRow {
            cells: of_card.iter().map(|(_, found)| Number::or_dash(found.get(&head).cloned())).collect(),
            head,
        })
        .collect();
    Grid { columns: of_card.iter().map(|(names, _)| names.clone()).collect(), rows }.if_any()
}

/// Throughput of the plain form by card and waves on a SIMD; cards with the same numbers share a row.
pub(super) fn by_waves(cards: &[&Card<'_>], instruction: &str) -> Option<Grid> {
    let rows_of = |card: &Card<'_>| -> BTreeMap<u32, Number> {
        let plain = card.throughputs(instruction).iter().filter(|row| row.case.is_empty());
        plain.filter_map(|row| Some((row.waves_per_simd, Number::rate(row.throughput?)))).collect()
    };
    let of_card: Vec<(&str, BTreeMap<u32, Number>)> = cards.iter().map(|card| (&*card.name, rows_of(card))).collect();
    let waves: BTreeSet<u32> = of_card.iter().flat_map(|(_, rows)| rows.keys().copied()).collect();
    let mut rows: Vec<GridRow> = Vec::new();
    for (name, found) in of_card.iter().filter(|(_, rows)| !rows.is_empty()) {
        let cells: Vec<Number> = waves.iter().map(|waves| Number::or_dash(found.get(waves).cloned())).collect();
        match rows.iter_mut().find(|row| row.cells == cells) {
            Some(row) => row.head = format!("{}, {name}", row.head),
            None => rows.push(GridRow { head: (*name).to_owned(), cells }),
        }
    }
    Grid { columns: waves.iter().map(u32::to_string).collect(), rows }.if_any()
}
