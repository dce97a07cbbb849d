//! The numbers of an instruction, card by card.

use std::collections::{BTreeMap, BTreeSet};

use gcn_model::quantity::Cycles;
use serde_json::{Value, json};

use super::card::Card;
use crate::one_wave::VariantRow;
use crate::settle::Status;
use crate::tables::{Measured, Number, by_key, unique};

/// A card's numbers of an instruction.
fn numbers_of(card: &Card<'_>, instruction: &str) -> Option<Value> {
    let timing = card.timing(instruction)?;
    let guess = card.guesses.on(instruction);
    let why = match timing.status {
        Status::Ok => String::new(),
        status => format!("{status}: {}", timing.detail).trim_end_matches(": ").to_owned(),
    };
    let cycles = |measured: Option<Measured<Cycles>>, is_guess| {
        Number::or_dash(measured.map(|it| Number::cycles(it).marked(is_guess)))
    };
    Some(json!({
        "is_simulated": card.is_simulated,
        "bytes": timing.bytes.0,
        "cycles": cycles(timing.cycles, guess.cycles),
        "taken": cycles(timing.taken, guess.taken),
        "latency": cycles(timing.latency, guess.latency),
        "throughput": Number::or_dash(timing.throughput.map(|it| Number::rate(it).marked(guess.throughput))),
        "waves": timing.waves_per_simd,
        "samples": timing.samples,
        "why": why,
    }))
}

/// The numbers of each card that has the instruction; a row is in the place of its first card. Neighbours with a target in common name it once.
pub(super) fn card_numbers(cards: &[&Card<'_>], instruction: &str) -> Vec<Value> {
    let rows = by_key(cards.iter().filter_map(|card| Some((numbers_of(card, instruction)?, *card))));
    let row = |(mut row, cards): (Value, Vec<&Card<'_>>)| {
        let target = |at: usize| cards.get(at).map(|card| &card.run.record.device.target);
        let name = |(at, card): (usize, &&Card<'_>)| {
            let target = target(at).filter(|own| target(at + 1) != Some(*own));
            json!({ "slug": card.slug, "card": card.name, "target": target })
        };
        row["cards"] = cards.iter().enumerate().map(name).collect();
        row
    };
    rows.into_iter().map(row).collect()
}

/// A table whose columns are the same for all of its rows: each has a head, and a number for each column; none without rows.
fn grid(columns: Vec<String>, rows: impl Iterator<Item = (String, Vec<Number>)>) -> Option<Value> {
    let rows: Vec<Value> = rows.map(|(head, cells)| json!({ "head": head, "cells": cells })).collect();
    (!rows.is_empty()).then(|| json!({ "columns": columns, "rows": rows }))
}

/// Cycles in other forms than the plain one, form by card; cards with the same numbers in all forms share a column.
pub(super) fn forms(cards: &[&Card<'_>], instruction: &str) -> Option<Value> {
    let head = |row: &&VariantRow| format!("{}, {}", row.case, row.quantity);
    let heads = unique(cards.iter().flat_map(|card| card.rows(&card.variants, instruction)).map(head));
    let of_card = |card: &Card<'_>| -> BTreeMap<String, Number> {
        let rows = card.rows(&card.variants, instruction).iter();
        rows.filter_map(|row| Some((head(row), Number::cycles(row.cycles?)))).collect()
    };
    let columns = by_key(cards.iter().map(|card| (of_card(card), card.name.as_str())));
    let columns: Vec<_> = columns.into_iter().filter(|(found, _)| !found.is_empty()).collect();
    if columns.is_empty() {
        return None;
    }
    let cells = |head: &String| columns.iter().map(|(found, _)| Number::or_dash(found.get(head).cloned())).collect();
    grid(
        columns.iter().map(|(_, names)| names.join(", ")).collect(),
        heads.into_iter().map(|head| (head.clone(), cells(&head))),
    )
}

/// Throughput of the plain form by card and waves on a SIMD; cards with the same numbers share a row.
pub(super) fn by_waves(cards: &[&Card<'_>], instruction: &str) -> Option<Value> {
    let rows_of = |card: &Card<'_>| -> BTreeMap<u32, Number> {
        let plain = card.rows(&card.throughputs, instruction).iter().filter(|row| row.case.is_empty());
        plain.filter_map(|row| Some((row.waves_per_simd, Number::rate(row.throughput?)))).collect()
    };
    let of_card: Vec<(&str, BTreeMap<u32, Number>)> = cards.iter().map(|card| (&*card.name, rows_of(card))).collect();
    let waves: BTreeSet<u32> = of_card.iter().flat_map(|(_, rows)| rows.keys().copied()).collect();
    let cells = |found: &BTreeMap<u32, Number>| -> Vec<Number> {
        waves.iter().map(|waves| Number::or_dash(found.get(waves).cloned())).collect()
    };
    let with_rows = of_card.iter().filter(|(_, found)| !found.is_empty());
    let rows = by_key(with_rows.map(|(name, found)| (cells(found), *name)));
    grid(waves.iter().map(u32::to_string).collect(), rows.into_iter().map(|(cells, names)| (names.join(", "), cells)))
}
