//! Comparisons as CSV and as JSON.

use serde_json::{Map, Value, json};

use super::comparison::Comparison;
use super::values::{Outcome, ValueKind};
use crate::tables::{Measured, csv_of, decimal};

/// The columns of the CSV: what is compared, the values with the ends of their intervals, and what came of it.
const HEADER: &str =
    "run_b,kind,subject,quantity,a,a_low,a_high,b,b_low,b_high,difference,difference_low,difference_high,ratio,outcome";

/// One row per value, in the comparisons' order; then a row of quantity `status` for each status change and one of quantity
/// `answer` for each answer, with the words as values.
pub fn comparison_csv(comparisons: &[Comparison]) -> String {
    csv_of(HEADER.split(','), comparisons.iter().flat_map(records))
}

fn records(comparison: &Comparison) -> impl Iterator<Item = Vec<String>> {
    let record = |what: [&str; 3], values: [[String; 3]; 3], ratio: String, outcome: Outcome| {
        let [kind, subject, quantity] = what;
        let what = [&comparison.b, kind, subject, quantity].map(str::to_owned);
        [&what[..], &values.concat(), &[ratio, outcome.name().to_owned()]].concat()
    };
    let rows = comparison.rows.iter().map(move |row| {
        let values = [row.a, row.b, row.difference].map(span);
        let ratio = row.ratio.map(decimal).unwrap_or_default();
        record([row.kind.name(), &row.subject, row.quantity], values, ratio, row.outcome)
    });
    let words = move |kind: ValueKind, subject: &str, quantity: &str, words: [&str; 2]| {
        let [a, b] = words.map(|word| [word.to_owned(), String::new(), String::new()]);
        record([kind.name(), subject, quantity], [a, b, Default::default()], String::new(), Outcome::Differs)
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
        "rows": comparison.rows,
        "statuses": comparison.statuses,
        "answers": comparison.answers,
        "only_a": comparison.only_a,
        "only_b": comparison.only_b,
    })
}

fn span(span: Option<Measured>) -> [String; 3] {
    span.map_or_else(Default::default, |span| [span.value, span.low, span.high].map(decimal))
}
