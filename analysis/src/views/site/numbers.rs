//! The numbers of an instruction, card by card.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::card::Card;
use crate::one_wave::VariantRow;
use crate::settle::Status;
use crate::tables::{Number, by_key, unique};

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

/// Cycles in other forms than the plain one, form by card; cards with the same numbers in all forms share a column.
pub(super) fn forms(cards: &[&Card<'_>], instruction: &str) -> Option<Grid> {
    let head = |row: &&VariantRow| format!("{}, {}", row.case, row.quantity);
    let heads = unique(cards.iter().flat_map(|card| card.variants(instruction)).map(head));
    let of_card = |card: &Card<'_>| -> BTreeMap<String, Number> {
        let rows = card.variants(instruction).iter();
        rows.filter_map(|row| Some((head(row), Number::cycles(row.cycles?)))).collect()
    };
    let columns = by_key(cards.iter().map(|card| (of_card(card), card.name.as_str())));
    let columns: Vec<_> = columns.into_iter().filter(|(found, _)| !found.is_empty()).collect();
    if columns.is_empty() {
        return None;
    }
    let row = |head: String| GridRow {
        cells: columns.iter().map(|(found, _)| Number::or_dash(found.get(&head).cloned())).collect(),
        head,
    };
    let rows = heads.into_iter().map(row).collect();
    Some(Grid { columns: columns.iter().map(|(_, names)| names.join(", ")).collect(), rows })
}

/// Throughput of the plain form by card and waves on a SIMD; cards with the same numbers share a row.
pub(super) fn by_waves(cards: &[&Card<'_>], instruction: &str) -> Option<Grid> {
    let rows_of = |card: &Card<'_>| -> BTreeMap<u32, Number> {
        let plain = card.throughputs(instruction).iter().filter(|row| row.case.is_empty());
        plain.filter_map(|row| Some((row.waves_per_simd, Number::rate(row.throughput?)))).collect()
    };
    let of_card: Vec<(&str, BTreeMap<u32, Number>)> = cards.iter().map(|card| (&*card.name, rows_of(card))).collect();
    let waves: BTreeSet<u32> = of_card.iter().flat_map(|(_, rows)| rows.keys().copied()).collect();
    let cells = |found: &BTreeMap<u32, Number>| -> Vec<Number> {
        waves.iter().map(|waves| Number::or_dash(found.get(waves).cloned())).collect()
    };
    let with_rows = of_card.iter().filter(|(_, found)| !found.is_empty());
    let rows = by_key(with_rows.map(|(name, found)| (cells(found), *name)));
    let rows: Vec<GridRow> = rows.into_iter().map(|(cells, names)| GridRow { head: names.join(", "), cells }).collect();
    (!rows.is_empty()).then(|| Grid { columns: waves.iter().map(u32::to_string).collect(), rows })
}
