//! A comparison as CSV and as JSON.

use serde_json::{Value, json};

use super::comparison::{Comparison, ComparisonRow, Outcome};
use crate::tables::{Span, decimal, table};

/// Columns of the CSV.
const COLUMNS: [&str; 13] = [
    "instruction",
    "quantity",
    "a",
    "a_low",
    "a_high",
    "b",
    "b_low",
    "b_high",
    "difference",
    "difference_low",
    "difference_high",
    "ratio",
    "outcome",
];

/// One row per instruction and quantity, in the comparison's order; a row of quantity `status` for each status change, with the
/// two words as its values.
pub fn comparison_csv(comparison: &Comparison) -> String {
    let rows = comparison.rows.iter().map(|row| {
        let mut fields = vec![row.instruction.clone(), row.quantity.column().to_owned()];
        fields.extend(span(row.a));
        fields.extend(span(row.b));
        fields.extend(span(row.difference.map(|difference| difference.span)));
        fields.push(row.difference.and_then(|difference| difference.ratio).map(decimal).unwrap_or_default());
        fields.push(row.outcome.name().to_owned());
        fields
    });
    let statuses = comparison.statuses.iter().map(|change| {
        let mut fields = vec![String::new(); COLUMNS.len()];
        fields[0].clone_from(&change.instruction);
        "status".clone_into(&mut fields[1]);
        fields[2].clone_from(&change.a);
        fields[5].clone_from(&change.b);
        Outcome::Differs.name().clone_into(&mut fields[12]);
        fields
    });
    table(&COLUMNS, rows.chain(statuses))
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
