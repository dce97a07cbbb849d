//! Two runs side by side.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::significance::{Difference, Rule};
use super::values::{ComparisonRow, Outcome, ValueKind, run_values};
use crate::one_wave::TimingRow;
use crate::results::Results;
use crate::settle::Status;
use crate::tables::{Measured, Single};
use crate::verdict::SemanticVerdict;

impl ComparisonRow {
    /// Compares the two by a rule.
    fn judge(&mut self, rule: &Rule) {
        let Some((a, b)) = self.a.zip(self.b) else { return };
        let Difference { span, ratio, significant } = rule.difference(self.unit, a, b);
        (self.difference, self.ratio) = (Some(span), ratio);
        if significant {
            self.outcome = Outcome::Differs;
        }
    }

    /// Size of the difference that has no direction: the logarithm of how many times the one is the other; infinite where that
    /// has none, 0 where nothing is compared.
    fn size(&self) -> f64 {
        match (self.ratio, self.difference) {
            (Some(ratio), _) => ratio.ln().abs(),
            (None, Some(difference)) if difference.value != 0.0 => f64::INFINITY,
            _ => 0.0,
        }
    }
}

/// An instruction whose status is not the same in both runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StatusChange {
    pub instruction: String,
    pub a: String,
    pub b: String,
    /// Why, in the run where it is not `ok`; run B's reason if it is in neither.
    pub detail: String,
}

/// A question that both runs answer, each otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AnswerChange {
    pub question: String,
    pub a: String,
    pub b: String,
}

/// Two runs, compared row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Device and start of run A.
    pub a: String,
    /// Device and start of run B.
    pub b: String,
    /// The rule that was applied.
    pub rule: Rule,
    /// Every value that a run has, by kind: differences first, the largest first; then equal values, then those of a single run.
    pub rows: Vec<ComparisonRow>,
    /// Status changes, in the order of run A.
    pub statuses: Vec<StatusChange>,
    /// Instructions that only run A lists.
    pub only_a: Vec<String>,
    /// Instructions that only run B lists.
    pub only_b: Vec<String>,
    /// Answers in words that exclude each other.
    pub answers: Vec<AnswerChange>,
}

impl Comparison {
    /// Compares a run with each of others, by the values of these kinds. One rule holds for all of these comparisons.
    pub fn with_each(a: &Results, others: &[Results], kinds: &[ValueKind]) -> Vec<Self> {
        let values = |run| -> Vec<ComparisonRow> {
            run_values(run).into_iter().filter(|value| kinds.contains(&value.kind)).collect()
        };
        let of_a = values(a);
        let pairs: Vec<_> = others.iter().map(|b| (b, joined(&of_a, values(b)))).collect();
        let both = pairs.iter().flat_map(|(_, rows)| rows).filter(|row| row.a.is_some() && row.b.is_some()).count();
        let rule = Rule::of(both);
        let of_pair = |(b, rows)| {
            let mut found = Self::of(a, b, rule, rows);
            if !kinds.contains(&ValueKind::Instructions) {
                (found.statuses, found.only_a, found.only_b) = (Vec::new(), Vec::new(), Vec::new());
            }
            if !kinds.contains(&ValueKind::Answers) {
                found.answers.clear();
            }
            found
        };
        pairs.into_iter().map(of_pair).collect()
    }

    fn of(a: &Results, b: &Results, rule: Rule, mut rows: Vec<ComparisonRow>) -> Self {
        rows.iter_mut().for_each(|row| row.judge(&rule));
        // Stable: equal sizes keep the runs' order.
        rows.sort_by(|x, y| (x.kind, x.outcome).cmp(&(y.kind, y.outcome)).then_with(|| y.size().total_cmp(&x.size())));
        let of_b: HashMap<&str, &TimingRow> = by_name(&b.timings);
        let of_a: HashMap<&str, &TimingRow> = by_name(&a.timings);
        let statuses = a
            .timings
            .iter()
            .filter_map(|row| Some((row, *of_b.get(row.instruction.as_str())?)))
            .filter(|(a, b)| a.status != b.status)
            .map(|(a, b)| StatusChange {
                instruction: a.instruction.clone(),
                a: a.status.to_string(),
                b: b.status.to_string(),
                detail: if b.status == Status::Ok { a.detail.clone() } else { b.detail.clone() },
            })
            .collect();
        let only = |run: &Results, other: &HashMap<&str, &TimingRow>| {
            let names = run.timings.iter().map(|row| &row.instruction);
            names.filter(|name| !other.contains_key(name.as_str())).cloned().collect()
        };
        Self {
            a: a.title(),
            b: b.title(),
            rule,
            rows,
            statuses,
            only_a: only(a, &of_b),
            only_b: only(b, &of_a),
            answers: answer_changes(a, b),
        }
    }

    /// The kinds of which a run has a value.
    pub fn kinds(&self) -> impl Iterator<Item = ValueKind> {
        let found: HashSet<ValueKind> = self.rows.iter().map(|row| row.kind).collect();
        ValueKind::ALL.into_iter().filter(move |kind| found.contains(kind))
    }

    /// How many rows of a kind stand so.
    pub fn count_of(&self, kind: ValueKind, outcome: Outcome) -> usize {
        self.rows.iter().filter(|row| (row.kind, row.outcome) == (kind, outcome)).count()
    }

    /// Whether a value, an answer or a status is not the same.
    pub fn differs(&self) -> bool {
        self.count(Outcome::Differs) > 0 || !self.statuses.is_empty() || !self.answers.is_empty()
    }

    /// How many rows stand so.
    pub fn count(&self, outcome: Outcome) -> usize {
        self.rows.iter().filter(|row| row.outcome == outcome).count()
    }
}

fn by_name(rows: &[TimingRow]) -> HashMap<&str, &TimingRow> {
    rows.iter().map(|row| (row.instruction.as_str(), row)).collect()
}

/// The values of two runs, those of A in its order and then those that only B has.
fn joined(a: &[ComparisonRow], b: Vec<ComparisonRow>) -> Vec<ComparisonRow> {
    let key = |row: &ComparisonRow| (row.kind, row.subject.clone(), row.quantity);
    let of_b: HashMap<_, Option<Measured>> = b.iter().map(|row| (key(row), row.a)).collect();
    let keys: HashSet<_> = a.iter().map(key).collect();
    let of_a = a.iter().cloned().map(|row| match of_b.get(&key(&row)) {
        Some(&b) => ComparisonRow { b, outcome: Outcome::Same, ..row },
        None => row,
    });
    let only_b = b.into_iter().filter(|row| !keys.contains(&key(row)));
    let only_b = only_b.map(|row| ComparisonRow { a: None, b: row.a, outcome: Outcome::OnlyB, ..row });
    of_a.chain(only_b).collect()
}

/// The answers that exclude each other: granules of which none is in both runs, and readings that hold.
fn answer_changes(a: &Results, b: &Results) -> Vec<AnswerChange> {
    let mut changes = Vec::new();
    for of_a in &a.occupancy.allocations {
        let Some(of_b) = b.occupancy.allocations.iter().find(|row| row.resource == of_a.resource) else { continue };
        let [a, b] = [&of_a.granules, &of_b.granules];
        if !a.is_empty() && !b.is_empty() && !a.iter().any(|granule| b.contains(granule)) {
            let question = format!("granule of {}", of_a.resource);
            changes.push(AnswerChange { question, a: a.text(), b: b.text() });
        }
    }
    for of_a in &a.semantics {
        let Some(of_b) = b.semantics.iter().find(|row| row.case == of_a.case) else { continue };
        let both_hold = [of_a, of_b].into_iter().all(|row| row.verdict == SemanticVerdict::Holds);
        if both_hold && of_a.reading != of_b.reading {
            let question = of_a.question.clone();
            changes.push(AnswerChange { question, a: of_a.reading.clone(), b: of_b.reading.clone() });
        }
    }
    changes
}
