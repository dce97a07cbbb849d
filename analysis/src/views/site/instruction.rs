//! The page of an instruction.

use std::collections::BTreeSet;

use gcn_model::isa::Generation;
use gcn_model::published::{self, Published};
use serde_json::{Value, json};

use super::card::{Card, banner};
use super::evidence::{questions, quoted, statements};
use super::kernel::{KernelListing, Kernels, folded};
use super::numbers::{by_waves, card_numbers, forms};
use super::picture::picture;
use crate::settle::Status;
use crate::tables::{ascending, by_key};

/// The content of an instruction's template.
pub(super) fn instruction_page(cards: &[Card<'_>], name: &str, kernels: &dyn Kernels) -> Value {
    let with: Vec<&Card<'_>> = cards.iter().filter(|card| card.timing(name).is_some()).collect();
    let timings = || with.iter().filter_map(|card| card.timing(name));
    // The newest card's kernel.
    let kernel = with.iter().rev().find_map(|card| {
        let target = &card.run.record.device.target;
        let KernelListing { command, text } = kernels.of(target, card.own_name(name))?;
        Some(json!({ "target": target, "command": command, "text": folded(&text) }))
    });
    json!({
        "name": name,
        // Its names on cards that have another one.
        "aliases": aliases(cards, name).join(", "),
        "root": "../",
        "banner": banner(with.iter().copied()),
        "has_measured": with.iter().any(|card| !card.is_simulated),
        "encodings": encodings(&with, name),
        "numbers": card_numbers(&with, name),
        "has_taken": timings().any(|row| row.taken.is_some()),
        "has_reasons": timings().any(|row| row.status != Status::Ok),
        "waves": by_waves(&with, name),
        "forms": forms(&with, name),
        "picture": picture(&with, name),
        "kernel": kernel,
        "questions": questions(&with, name),
        "statements": statements(&with, name),
        "sources": notes(&quoted(&with, name)),
    })
}

/// The other names of an instruction on these cards, each once.
pub(super) fn aliases<'n>(cards: &[Card<'n>], name: &'n str) -> Vec<&'n str> {
    ascending(cards.iter().map(|card| card.own_name(name)).filter(|own| *own != name))
}

/// What is known of sources with these names, in the order of all sources.
fn notes(names: &BTreeSet<&str>) -> Vec<Value> {
    let of = |source: &Published| json!({ "name": source.name(), "title": source.title(), "from": source.from(), "url": source.url() });
    published::sources().iter().filter(|source| names.contains(source.name())).map(of).collect()
}

/// How the instruction is written in each generation of these cards; those that write it in the same way are together.
fn encodings(cards: &[&Card<'_>], name: &str) -> Vec<Value> {
    let mut known: Vec<Generation> = Vec::new();
    let words = cards.iter().filter_map(|card| {
        let generation = card.generation.filter(|generation| !known.contains(generation))?;
        known.push(generation);
        let instruction = generation.instruction(card.own_name(name))?;
        let word = json!({
            "name": instruction.name,
            "encoding": instruction.encoding.name(),
            "opcode": format!("{} ({:#x})", instruction.opcode, instruction.opcode),
            "bytes": instruction.dwords().bytes().0,
            "vop3": instruction.vop3_opcode.map(|opcode| format!("{opcode} ({opcode:#x})")),
            "llvm": instruction.llvm_mnemonic(),
            "source": instruction.source,
        });
        Some((word, generation.title()))
    });
    let row = |(mut word, generations): (Value, Vec<String>)| {
        word["generations"] = generations.join(", ").into();
        word
    };
    by_key(words).into_iter().map(row).collect()
}
