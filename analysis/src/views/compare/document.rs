//! A comparison for a reader, as CSV and as JSON.

use std::iter;

use serde_json::{Map, Value, json};

use super::comparison::Comparison;
use super::values::{ComparisonRow, Outcome, ValueKind, ValueUnit};
use crate::document::{Document, Fact, Line, Tone, Topic, literal};
use crate::tables::{Measured, Number, csv_of, decimal, plural};

/// Names that are shown of a list.
const SHOWN: usize = 12;

impl Comparison {
    /// How much differs, and what; with `all`, values without a significant difference too.
    pub fn document(&self, all: bool) -> Document {
        let mut page = Document::default();
        page.section(Topic::Comparison, 1, "Comparison");
        page.table(["", ""], [("A", &self.a), ("B", &self.b)].map(|(name, run)| [name.to_owned(), literal(run)]));
        page.section(Topic::Comparison, 2, "Values");
        let counts = self.kinds().map(|kind| {
            let [differ, same, a, b] = Outcome::ALL.map(|outcome| self.count_of(kind, outcome).to_string());
            [kind.name().to_owned(), differ, same, a, b]
        });
        page.table(["", "differ", "same", "only A", "only B"], counts);
        for kind in self.kinds() {
            let is_shown = |row: &&ComparisonRow| row.kind == kind && (all || row.outcome != Outcome::Same);
            let rows: Vec<&ComparisonRow> = self.rows.iter().filter(is_shown).collect();
            if !rows.is_empty() {
                values(&mut page, kind, &rows);
            }
        }
        self.words(&mut page);
        page.section(Topic::Comparison, 2, "In all");
        page.paragraph(self.rule.to_string());
        page.paragraph(self.sum());
        page
    }

    /// What is said in words, and in one run alone.
    fn words(&self, page: &mut Document) {
        if !self.statuses.is_empty() {
            page.section(Topic::Comparison, 2, "Status");
        }
        for change in &self.statuses {
            let reason = if change.detail.is_empty() { String::new() } else { format!(": {}", change.detail) };
            page.fact(Fact::plain(&change.instruction, &format!("{} -> {}{reason}", change.a, change.b)));
        }
        if !self.answers.is_empty() {
            page.section(Topic::Comparison, 2, "Answers");
        }
        for change in &self.answers {
            page.item(literal(&format!("{}: {} -> {}", change.question, change.a, change.b)));
        }
        let lists = [("only A", &self.only_a), ("only B", &self.only_b)];
        if lists.iter().any(|(_, names)| !names.is_empty()) {
            page.section(Topic::Comparison, 2, "Instructions that one run lists");
        }
        for (run, names) in lists.into_iter().filter(|(_, names)| !names.is_empty()) {
            let more = names.len().saturating_sub(SHOWN);
            let more = if more > 0 { format!(" … and {more} more") } else { String::new() };
            let first = names[..names.len().min(SHOWN)].join(", ");
            page.fact(Fact::plain(run, &format!("{}: {first}{more}", plural(names.len(), "instruction"))));
        }
    }

    /// `5 values differ, 5 do not, …`.
    fn sum(&self) -> String {
        let [differ, same, only_a, only_b] = Outcome::ALL.map(|outcome| self.count(outcome));
        format!(
            "{} differ, {same} do not, {only_a} only in A, {only_b} only in B, {} changed status, {} differ",
            plural(differ, "value"),
            plural(self.statuses.len(), "instruction"),
            plural(self.answers.len(), "answer"),
        )
    }
}

/// The values of a kind; a quantity that all of them have is in the title.
fn values(page: &mut Document, kind: ValueKind, rows: &[&ComparisonRow]) {
    let quantity = rows[0].quantity;
    let is_common = rows.iter().all(|row| row.quantity == quantity);
    let is_named = is_common && !quantity.eq_ignore_ascii_case(kind.name());
    let quantity = if is_named { format!(": {quantity}") } else { String::new() };
    page.section(Topic::Comparison, 2, format!("{}{quantity}", kind.name()));
    let head = ["", "quantity", "A", "B", "B - A", "B / A", ""];
    let line = |row: &&ComparisonRow| {
        let quantity = (!is_common).then(|| row.quantity.to_owned());
        let cells = iter::once(literal(&row.subject)).chain(quantity).chain(numbers(row)).collect();
        Line { cells, tone: tone(row) }
    };
    page.table(head.into_iter().filter(|name| !is_common || *name != "quantity"), rows.iter().map(line));
}

fn numbers(row: &ComparisonRow) -> [String; 5] {
    let number = |span| match row.unit {
        ValueUnit::PerCycle => Number::rate(span).to_string(),
        ValueUnit::Cycles | ValueUnit::Number => Number::cycles(span).to_string(),
    };
    let value = |span: Option<Measured>| span.map_or_else(|| "-".to_owned(), number);
    [
        value(row.a),
        value(row.b),
        row.difference.map_or_else(String::new, number),
        row.ratio.map(decimal).unwrap_or_default(),
        row.outcome.name().to_owned(),
    ]
}

/// Fewer cycles, or more instructions per cycle, are the better.
fn tone(row: &ComparisonRow) -> Tone {
    let Some(difference) = row.difference else { return Tone::Doubtful };
    let is_more = difference.value > 0.0;
    match row.unit {
        ValueUnit::Cycles | ValueUnit::PerCycle if row.outcome != Outcome::Differs => Tone::Plain,
        ValueUnit::Cycles if is_more => Tone::Bad,
        ValueUnit::PerCycle if !is_more => Tone::Bad,
        ValueUnit::Cycles | ValueUnit::PerCycle => Tone::Good,
        ValueUnit::Number => Tone::Plain,
    }
}

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
