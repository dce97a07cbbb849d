//! What published sources say of an instruction, without a verdict where nothing was measured on a card.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::card::Card;
use crate::tables::{Measured, Number, by_key, disputed_word, unique};

/// What a source says, with the names of the cards that share it.
#[derive(Debug, Serialize)]
pub(super) struct OnCards<T> {
    #[serde(flatten)]
    said: T,
    cards: String,
}

impl<T> OnCards<T> {
    fn of((said, cards): (T, Vec<&str>), of: usize) -> Self {
        Self { said, cards: names(&cards, of) }
    }
}

/// A value of a source.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Statement {
    source: String,
    quantity: String,
    published: String,
    expected: String,
    measured: String,
    verdict: String,
}

/// A question on which sources contradict each other.
#[derive(Debug, Serialize)]
pub(super) struct Question {
    question: String,
    predictions: Vec<OnCards<Claim>>,
}

/// Names of cards, in their order; all of them is one word.
fn names(cards: &[&str], of: usize) -> String {
    if cards.len() == of && of > 1 { "all of them".to_owned() } else { cards.join(", ") }
}

/// A measurement and a source's success: empty for a simulated card, whose simulator has the values of one of the sources.
fn verdict(card: &Card<'_>, measured: Option<Measured>, verdict: &str) -> [String; 2] {
    if card.is_simulated {
        return Default::default();
    }
    let number = |measured| Number::rate(measured).text;
    [measured.map(number).unwrap_or_default(), verdict.to_owned()]
}

/// Everything that sources say of an instruction, in the order of the first card that has it.
pub(super) fn statements(cards: &[&Card<'_>], instruction: &str) -> Vec<OnCards<Statement>> {
    let mut said = Vec::new();
    for card in cards {
        for row in card.validation(instruction) {
            let [measured, verdict] = verdict(card, row.measured, row.verdict.word());
            let statement = Statement {
                source: row.source.clone(),
                quantity: row.quantity.to_string(),
                published: row.published.clone(),
                expected: row.expected.clone(),
                measured,
                verdict,
            };
            said.push((statement, card.name.as_str()));
        }
    }
    let mut found = by_key(said);
    found.sort_by(|(a, _), (b, _)| (&a.source, &a.quantity).cmp(&(&b.source, &b.quantity)));
    found.into_iter().map(|said| OnCards::of(said, cards.len())).collect()
}

/// A source's statement about a question, and its success.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(super) struct Claim {
    quantity: String,
    source: String,
    predicted: String,
    verdict: String,
}

/// What sources say, each with the cards of which it does.
type Claims<'c> = BTreeMap<Claim, Vec<&'c str>>;

/// The questions about an instruction on which sources contradict each other.
pub(super) fn questions(cards: &[&Card<'_>], instruction: &str) -> Vec<Question> {
    let mut found: BTreeMap<(u32, &str), Claims<'_>> = BTreeMap::new();
    for card in cards {
        for row in card.disputes(instruction).iter().filter(|row| !row.predicted.is_empty()) {
            let number = row.number.parse().unwrap_or(u32::MAX);
            let [_, verdict] = verdict(card, row.measured, row.verdict.name());
            let (quantity, source, predicted) =
                (disputed_word(row.quantity).to_owned(), row.source.clone(), row.predicted.clone());
            let claim = Claim { quantity, source, predicted, verdict };
            found.entry((number, &row.question)).or_default().entry(claim).or_default().push(&card.name);
        }
    }
    let question = |((_, question), rows): ((u32, &str), Claims<'_>)| Question {
        question: question.to_owned(),
        predictions: rows.into_iter().map(|claim| OnCards::of(claim, cards.len())).collect(),
    };
    found.into_iter().map(question).collect()
}

/// The sources of these questions and statements.
pub(super) fn quoted<'q>(questions: &'q [Question], statements: &'q [OnCards<Statement>]) -> BTreeSet<&'q str> {
    let predictions = questions.iter().flat_map(|question| &question.predictions).map(|row| row.said.source.as_str());
    predictions.chain(statements.iter().map(|row| row.said.source.as_str())).collect()
}

/// Which sources contradict each other, in few words: `4 clrx, mesa-aco; 16 llvm`, with the names of the cards where it is not the same of
/// all: `tahiti: 16 clrx; 8 llvm / mi300x: 8 llvm; 16 gcnasm`. Empty where none do.
pub(super) fn contradiction(cards: &[Card<'_>], instruction: &str) -> String {
    let of_card = |card: &Card<'_>| {
        let rows = card.disputes(instruction).iter().filter(|row| !row.predicted.is_empty());
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
