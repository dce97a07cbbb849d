//! A comparison as CSV and as JSON.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::comparison::{Comparison, ComparisonRow, Outcome};
use crate::tables::{Span, decimal, text};

/// One row per instruction and quantity, in the comparison's order; a row of quantity `status` for each status change, with the
/// two words as its values.
pub fn comparison_csv(comparison: &Comparison) -> String {
    let rows = comparison.rows.iter().map(|row| {
        let [a, a_low, a_high] = span(row.a);
        let [b, b_low, b_high] = span(row.b);
        let [difference, difference_low, difference_high] = span(row.difference.map(|difference| difference.span));
        ComparisonRecord {
            instruction: row.instruction.clone(),
            quantity: row.quantity.column().to_owned(),
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
    let statuses = comparison.statuses.iter().map(|change| ComparisonRecord {
        instruction: change.instruction.clone(),
        quantity: "status".to_owned(),
        a: change.a.clone(),
        b: change.b.clone(),
        outcome: Outcome::Differs.name().to_owned(),
        ..ComparisonRecord::default()
    });
    text(rows.chain(statuses))
}

/// A row of the CSV, as text: a status is a word.
#[derive(Default, Serialize, Deserialize)]
struct ComparisonRecord {
    instruction: String,
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

/// The whole comparison: runs, rule, counts, rows, status changes, and instructions of one run only.
pub fn comparison_json(comparison: &Comparison) -> Value {
    let counts: serde_json::Map<String, Value> =
        Outcome::ALL.into_iter().map(|outcome| (outcome.name().into(), comparison.count(outcome).into())).collect();
    let [a, b] = comparison.dpfactor;
    json!({
        "a": comparison.a,
        "b": comparison.b,
        "rule": comparison.rule.to_string(),
        "comparisons": comparison.rule.comparisons,
        "widening": comparison.rule.widening,
        "dpfactor": { "a": a, "b": b },
        "counts": counts,
        "rows": comparison.rows.iter().map(row).collect::<Vec<_>>(),
        "statuses": comparison.statuses.iter().map(|change| json!({
            "instruction": change.instruction, "a": change.a, "b": change.b, "detail": change.detail,
        })).collect::<Vec<_>>(),
        "only_a": comparison.only_a,
        "only_b": comparison.only_b,
    })
}

fn row(row: &ComparisonRow) -> Value {
    let span = |span: Option<Span>| span.map(|span| json!({ "value": span.value, "low": span.low, "high": span.high }));
    json!({
        "instruction": row.instruction,
        "quantity": row.quantity.column(),
        "a": span(row.a),
        "b": span(row.b),
        "difference": span(row.difference.map(|difference| difference.span)),
        "ratio": row.difference.and_then(|difference| difference.ratio),
        "outcome": row.outcome.name(),
    })
}

fn span(span: Option<Span>) -> [String; 3] {
    span.map_or_else(Default::default, |span| [span.value, span.low, span.high].map(decimal))
}
