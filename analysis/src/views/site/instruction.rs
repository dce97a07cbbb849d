//! The page of an instruction.

use std::collections::BTreeSet;

use gcn_model::isa::Generation;
use gcn_model::published::{self, Published};
use serde::Serialize;

use super::card::{Card, banner};
use super::evidence::{OnCards, Question, Statement, questions, quoted, statements};
use super::kernel::{KernelListing, Kernels, folded};
use super::numbers::{CardNumbers, Grid, by_waves, card_numbers, forms};
use super::picture::{ReadingsPicture, picture};
use crate::settle::Status;
use crate::tables::ascending;

/// The content of an instruction's template.
#[derive(Debug, Serialize)]
pub(super) struct InstructionPage {
    name: String,
    /// Its names on cards that have another one.
    aliases: String,
    root: &'static str,
    banner: Option<&'static str>,
    has_measured: bool,
    encodings: Vec<EncodingRow>,
    numbers: Vec<CardNumbers>,
    has_taken: bool,
    has_reasons: bool,
    waves: Option<Grid>,
    forms: Option<Grid>,
    picture: Option<ReadingsPicture>,
    kernel: Option<KernelText>,
    questions: Vec<Question>,
    statements: Vec<OnCards<Statement>>,
    sources: Vec<SourceNote>,
}

/// A source that the page quotes.
#[derive(Debug, Serialize)]
struct SourceNote {
    name: &'static str,
    title: &'static str,
    from: &'static str,
    url: &'static str,
}

/// Generations that write the instruction in the same way.
#[derive(Debug, Serialize)]
struct EncodingRow {
    generations: String,
    #[serde(flatten)]
    word: Word,
}

/// How an instruction is written.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Word {
    name: &'static str,
    encoding: &'static str,
    opcode: String,
    bytes: u32,
    vop3: Option<String>,
    llvm: Option<String>,
    source: String,
}

#[derive(Debug, Serialize)]
struct KernelText {
    target: String,
    command: String,
    text: String,
}

impl InstructionPage {
    pub(super) fn of(cards: &[Card<'_>], name: &str, kernels: &dyn Kernels) -> Self {
        let with: Vec<&Card<'_>> = cards.iter().filter(|card| card.timing(name).is_some()).collect();
        let numbers = card_numbers(&with, name);
        // The newest card's kernel.
        let kernel = with.iter().rev().find_map(|card| {
            let target = &card.run.record.device.target;
            let KernelListing { command, text } = kernels.of(target, card.own_name(name))?;
            Some(KernelText { target: target.clone(), command, text: folded(&text) })
        });
        let (questions, statements) = (questions(&with, name), statements(&with, name));
        Self {
            name: name.to_owned(),
            aliases: aliases(cards, name).join(", "),
            root: "../",
            banner: banner(with.iter().copied()),
            has_measured: with.iter().any(|card| !card.is_simulated),
            encodings: encodings(&with, name),
            has_taken: with.iter().filter_map(|card| card.timing(name)).any(|row| row.taken.is_some()),
            has_reasons: with.iter().filter_map(|card| card.timing(name)).any(|row| row.status != Status::Ok),
            numbers,
            waves: by_waves(&with, name),
            forms: forms(&with, name),
            picture: picture(&with, name),
            kernel,
            sources: notes(quoted(&questions, &statements)),
            questions,
            statements,
        }
    }
}

/// The other names of an instruction on these cards, each once.
pub(super) fn aliases<'n>(cards: &[Card<'n>], name: &'n str) -> Vec<&'n str> {
    ascending(cards.iter().map(|card| card.own_name(name)).filter(|own| *own != name))
}

/// What is known of sources with these names, in the order of all sources.
fn notes(names: BTreeSet<&str>) -> Vec<SourceNote> {
    let of = |source: &'static Published| SourceNote {
        name: source.name(),
        title: source.title(),
        from: source.from(),
        url: source.url(),
    };
    published::sources().iter().filter(|source| names.contains(source.name())).map(of).collect()
}

/// How the instruction is written in each generation of these cards.
fn encodings(cards: &[&Card<'_>], name: &str) -> Vec<EncodingRow> {
    let mut known: Vec<Generation> = Vec::new();
    let mut rows: Vec<EncodingRow> = Vec::new();
    for card in cards {
        let Some(generation) = card.generation.filter(|generation| !known.contains(generation)) else { continue };
        known.push(generation);
        let Some(instruction) = generation.instruction(card.own_name(name)) else { continue };
        let word = Word {
            name: &instruction.name,
            encoding: instruction.encoding.name(),
            opcode: format!("{} ({:#x})", instruction.opcode, instruction.opcode),
            bytes: instruction.dwords().bytes().0,
            vop3: instruction.vop3_opcode.map(|opcode| format!("{opcode} ({opcode:#x})")),
            llvm: instruction.llvm_mnemonic().map(Into::into),
            source: instruction.source.clone(),
        };
        match rows.iter_mut().find(|row| row.word == word) {
            Some(row) => row.generations = format!("{}, {}", row.generations, generation.title()),
            None => rows.push(EncodingRow { generations: generation.title(), word }),
        }
    }
    rows
}
