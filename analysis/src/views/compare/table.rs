//! Comparisons as CSV and as JSON.

use serde_json::{Map, Value, json};

use super::comparison::{Comparison, ComparisonRow, Outcome};
use super::values::ValueKind;
use crate::tables::{Measured, csv_text, decimal, table};

/// One row per value, in the comparisons' order; then a row of quantity `status` for each status change and one of quantity
/// `answer` for each answer, with the words as values.
pub fn comparison_csv(comparisons: &[Comparison]) -> String {
    csv_text(&comparisons.iter().flat_map(records).collect::<Vec<_>>())
}

fn records(comparison: &Comparison) -> impl Iterator<Item = ComparisonRecord> {
    let rows = comparison.rows.iter().map(|row| {
        let [a, a_low, a_high] = span(row.a);
        let [b, b_low, b_high] = span(row.b);
        let [difference, difference_low, difference_high] = span(row.difference.map(|difference| difference.span));
        ComparisonRecord {
            run_b: comparison.b.clone(),
            kind: row.kind.name().to_owned(),
            subject: row.subject.clone(),
            quantity: row.quantity.to_owned(),
            a,
            a_low,
            a_high,
            b,
            b_low,
            b_high,
            difference,
            difference_low,
            difference_high,
            ratio: row.difference.and_then(|difference| difference.ratio).map(decimal).unwrap_or_default(),
            outcome: row.outcome.name().to_owned(),
        }
    });
    let words = |kind: ValueKind, subject: &String, quantity: &str, [a, b]: [&String; 2]| ComparisonRecord {
        run_b: comparison.b.clone(),
        kind: kind.name().to_owned(),
        subject: subject.clone(),
        quantity: quantity.to_owned(),
        a: a.clone(),
        b: b.clone(),
        outcome: Outcome::Differs.name().to_owned(),
        ..ComparisonRecord::default()
    };
    let statuses = comparison
        .statuses
        .iter()
        .map(move |change| words(ValueKind::Instructions, &change.instruction, "status", [&change.a, &change.b]));
    let answers = comparison
        .answers
        .iter()
        .map(move |change| words(ValueKind::Answers, &change.question, "answer", [&change.a, &change.b]));
    rows.chain(statuses).chain(answers)
}

/// A row of the CSV, as text: a status is a word.
#[derive(Default)]
struct ComparisonRecord {
    run_b: String,
    kind: String,
    subject: String,
    quantity: String,
    a: String,
    a_low: String,
    a_high: String,
    b: String,
    b_low: String,
    b_high: String,
    difference: String,
    difference_low: String,
    difference_high: String,
    ratio: String,
    outcome: String,
}

table!(ComparisonRecord {
    run_b,
    kind,
    subject,
    quantity,
    a,
    a_low,
    a_high,
    b,
    b_low,
    b_high,
    difference,
    difference_low,
    difference_high,
    ratio,
    outcome
});

/// A whole comparison: runs, rule, counts, rows, status changes, answers, and instructions of a single run only.
pub fn comparison_json(comparison: &Comparison) -> Value {
    let counts = |of: &dyn Fn(Outcome) -> usize| -> Map<String, Value> {
        Outcome::ALL.into_iter().map(|outcome| (outcome.name().into(), of(outcome).into())).collect()
    };
    let kinds: Map<String, Value> = comparison
        .kinds()
        .map(|kind| (kind.name().into(), counts(&|outcome| comparison.count_of(kind, outcome)).into()))
        .collect();
    json!({
        "a": comparison.a,
        "b": comparison.b,
        "rule": comparison.rule.to_string(),
        "comparisons": comparison.rule.comparisons,
        "widening": comparison.rule.widening,
        "counts": counts(&|outcome| comparison.count(outcome)),
        "kinds": kinds,
        "rows": comparison.rows.iter().map(row).collect::<Vec<_>>(),
        "statuses": comparison.statuses.iter().map(|change| json!({
            "instruction": change.instruction, "a": change.a, "b": change.b, "detail": change.detail,
        })).collect::<Vec<_>>(),
        "answers": comparison.answers.iter().map(|change| json!({
            "question": change.question, "a": change.a, "b": change.b,
        })).collect::<Vec<_>>(),
        "only_a": comparison.only_a,
        "only_b": comparison.only_b,
    })
}

fn row(row: &ComparisonRow) -> Value {
    json!({
        "kind": row.kind.name(),
        "subject": row.subject,
        "quantity": row.quantity,
        "a": row.a,
        "b": row.b,
        "difference": row.difference.map(|difference| difference.span),
        "ratio": row.difference.and_then(|difference| difference.ratio),
        "outcome": row.outcome.name(),
    })
}

fn span(span: Option<Measured>) -> [String; 3] {
    span.map_or_else(Default::default, |span| [span.value, span.low, span.high].map(decimal))
}
