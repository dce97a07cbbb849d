//! What published sources say of an instruction, without a verdict where nothing was measured on a card.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::card::Card;
use crate::tables::{Measured, Number, by_key, disputed_word, unique};

/// What a source says, with the names of the cards that share it, in their order; all of them is one word.
fn on_cards(mut said: Value, cards: &[&str], of: usize) -> Value {
    let names = if cards.len() == of && of > 1 { "all of them".to_owned() } else { cards.join(", ") };
    said["cards"] = names.into();
    said
}

/// A measurement and a source's success: empty for a simulated card, whose simulator has the values of one of the sources.
fn verdict(card: &Card<'_>, measured: Option<Measured>, verdict: &str) -> [String; 2] {
    if card.is_simulated {
        return Default::default();
    }
    let number = |measured| Number::rate(measured).text;
    [measured.map(number).unwrap_or_default(), verdict.to_owned()]
}

/// Everything that sources say of an instruction, by source and quantity, in the order of the first card that has it.
pub(super) fn statements(cards: &[&Card<'_>], instruction: &str) -> Vec<Value> {
    let rows =
        cards.iter().flat_map(|card| card.rows(&card.validation, instruction).iter().map(move |row| (card, row)));
    let said = rows.map(|(card, row)| {
        let [measured, verdict] = verdict(card, row.measured, row.verdict.word());
        let statement = json!({
            "source": row.source,
            "quantity": row.quantity,
            "published": row.published,
            "expected": row.expected,
            "measured": measured,
            "verdict": verdict,
        });
        ((&row.source, row.quantity.name(), statement), card.name.as_str())
    });
    let mut found = by_key(said);
    found.sort_by_key(|((source, quantity, _), _)| (*source, *quantity));
    found.into_iter().map(|((.., said), names)| on_cards(said, &names, cards.len())).collect()
}

/// Sources' statements about a question (quantity, source, prediction and its success), each with the cards of which it is.
type Claims<'c> = BTreeMap<[String; 4], Vec<&'c str>>;

/// The questions about an instruction on which sources contradict each other.
pub(super) fn questions(cards: &[&Card<'_>], instruction: &str) -> Vec<Value> {
    let mut found: BTreeMap<(u32, &str), Claims<'_>> = BTreeMap::new();
    for card in cards {
        for row in card.rows(&card.disputes, instruction).iter().filter(|row| !row.predicted.is_empty()) {
            let number = row.number.parse().unwrap_or(u32::MAX);
            let [_, verdict] = verdict(card, row.measured, row.verdict.name());
            let claim = [disputed_word(row.quantity).to_owned(), row.source.clone(), row.predicted.clone(), verdict];
            found.entry((number, &row.question)).or_default().entry(claim).or_default().push(&card.name);
        }
    }
    let prediction = |([quantity, source, predicted, verdict], names): ([String; 4], Vec<&str>)| {
        let said = json!({ "quantity": quantity, "source": source, "predicted": predicted, "verdict": verdict });
        on_cards(said, &names, cards.len())
    };
    let question = |((_, question), claims): ((u32, &str), Claims<'_>)| json!({ "question": question, "predictions": claims.into_iter().map(prediction).collect::<Vec<_>>() });
    found.into_iter().map(question).collect()
}

/// The sources that say something of an instruction.
pub(super) fn quoted<'c>(cards: &[&'c Card<'_>], instruction: &str) -> BTreeSet<&'c str> {
    let values = cards.iter().flat_map(|card| card.rows(&card.validation, instruction)).map(|row| row.source.as_str());
    let disputes =
        cards.iter().flat_map(|card| card.rows(&card.disputes, instruction)).filter(|row| !row.predicted.is_empty());
    values.chain(disputes.map(|row| row.source.as_str())).collect()
}

/// Which sources contradict each other, in few words: `4 clrx, mesa-aco; 16 llvm`, with the names of the cards where it is not the same of
/// all: `tahiti: 16 clrx; 8 llvm / mi300x: 8 llvm; 16 gcnasm`. Empty where none do.
pub(super) fn contradiction(cards: &[Card<'_>], instruction: &str) -> String {
    let of_card = |card: &Card<'_>| {
        let rows = card.rows(&card.disputes, instruction).iter().filter(|row| !row.predicted.is_empty());
        let said = by_key(rows.map(|row| (row.predicted.as_str(), row.source.as_str())));
        let is_contradicted = said.len() > 1;
        let words = said.into_iter().map(|(predicted, sources)| format!("{predicted} {}", unique(sources).join(", ")));
        is_contradicted.then(|| words.collect::<Vec<_>>().join("; "))
    };
    let found = by_key(cards.iter().filter_map(|card| Some((of_card(card)?, card.name.as_str()))));
    let of = |(words, names): &(String, Vec<&str>)| match names.len() == cards.len() {
        true => words.clone(),
        false => format!("{}: {words}", names.join(", ")),
    };
    found.iter().map(of).collect::<Vec<_>>().join(" / ")
}
