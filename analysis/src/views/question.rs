//! A disputed question of a run, in a line for each different answer.

use gcn_model::published::DisputedQuantity;
use serde::Serialize;

use crate::tables::{Measured, Number, by_key};
use crate::verdict::{DisputeRow, DisputeVerdict};

/// Instructions that a line names.
const NAMED: usize = 3;

/// A run's statement about a question on which sources contradict each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Question {
    /// Its number in the facts.
    pub number: String,
    pub question: String,
    /// Instructions that were measured for it.
    pub instructions: usize,
    /// The sources that say something of them, in their order.
    pub sources: Vec<QuestionSource>,
    /// A measurement: instructions with the same number and the same statements of sources.
    pub answers: Vec<Answer>,
    /// Why it is open; empty if something was measured.
    pub open: String,
}

/// The measurement of some instructions of a question, and the sources that agree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answer {
    pub instructions: Vec<String>,
    /// The number with its unit.
    pub measured: String,
    /// Sources that say the same.
    pub agree: Vec<String>,
    /// Sources that disagree.
    pub differ: Vec<Disagreement>,
}

/// A source that disagrees with a measurement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Disagreement {
    pub source: String,
    pub predicted: String,
}

impl Answer {
    fn of(rows: &[DisputeRow]) -> Option<Self> {
        let first = rows.iter().find(|row| row.measured.is_some())?;
        let of = |verdict| rows.iter().filter(move |row| row.verdict == verdict && !row.source.is_empty());
        let disagreement =
            |row: &DisputeRow| Disagreement { source: row.source.clone(), predicted: predicted_words(row) };
        Some(Self {
            instructions: vec![first.instruction.clone()],
            measured: measured_words(first),
            agree: of(DisputeVerdict::Match).map(|row| row.source.clone()).collect(),
            differ: of(DisputeVerdict::Differs).map(disagreement).collect(),
        })
    }

    /// The instructions; of many the first ones and their number.
    pub fn names(&self) -> String {
        let all = &self.instructions;
        if all.len() <= NAMED {
            all.join(", ")
        } else {
            format!("{}, … ({})", all[..NAMED - 1].join(", "), all.len())
        }
    }

    /// `agree: clrx, rga · differ: llvm (8)`.
    pub fn sources(&self) -> String {
        let differ = self.differ.iter().map(|Disagreement { source, predicted }| format!("{source} ({predicted})"));
        let differ: Vec<String> = differ.collect();
        let parts = [("agree", self.agree.join(", ")), ("differ", differ.join(", "))];
        let said: Vec<String> =
            parts.iter().filter(|(_, who)| !who.is_empty()).map(|(word, who)| format!("{word}: {who}")).collect();
        if said.is_empty() { "no source says a number".to_owned() } else { said.join(" · ") }
    }

    /// Whether a source contradicts the measurement.
    pub fn is_contradicted(&self) -> bool {
        !self.differ.is_empty()
    }
}

/// The measurement of a dispute with its unit.
pub(super) fn measured_words(row: &DisputeRow) -> String {
    let Some(measured) = row.measured else { return String::new() };
    let number = match row.quantity {
        DisputedQuantity::Throughput => Number::rate(measured),
        _ => Number::cycles(measured),
    };
    let unit = match row.quantity {
        DisputedQuantity::Cycles | DisputedQuantity::LdsConflict if number.text == "1" => "cycle",
        DisputedQuantity::Cycles | DisputedQuantity::LdsConflict => "cycles",
        DisputedQuantity::TakenCycles => "cycles if taken",
        DisputedQuantity::Throughput => "per cycle",
        DisputedQuantity::LdsBanks => "banks",
        DisputedQuantity::Waves => "waves",
        DisputedQuantity::Other => "",
    };
    format!("{number} {unit}").trim_end().to_owned()
}

/// A source's prediction, printed as the measurement is.
pub(super) fn predicted_words(row: &DisputeRow) -> String {
    match row.predicted.parse::<f64>() {
        Ok(rate) if row.quantity == DisputedQuantity::Throughput => Number::rate(Measured::exactly(rate)).text,
        _ => row.predicted.clone(),
    }
}

fn answers(rows: &[DisputeRow]) -> Vec<Answer> {
    let of_instructions = rows.chunk_by(|a, b| a.instruction == b.instruction).filter_map(Answer::of);
    let by_words = by_key(of_instructions.map(|it| ((it.measured, it.agree, it.differ), it.instructions)));
    let answer = |((measured, agree, differ), names): (_, Vec<_>)| Answer {
        instructions: names.concat(),
        measured,
        agree,
        differ,
    };
    by_words.into_iter().map(answer).collect()
}

/// How often a source agreed with the measurement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct QuestionSource {
    /// Its short name.
    pub source: String,
    /// Values that it predicted as they were measured.
    pub matching: usize,
    /// Values that it predicted at all, and that were measured.
    pub of: usize,
}

/// The questions of a run, in their order.
pub(super) fn questions(rows: &[DisputeRow]) -> Vec<Question> {
    rows.chunk_by(|a, b| a.number == b.number).map(question).collect()
}

fn question(rows: &[DisputeRow]) -> Question {
    let first = &rows[0];
    let measured = || rows.iter().filter(|row| row.measured.is_some());
    let mut instructions: Vec<&str> = measured().map(|row| row.instruction.as_str()).collect();
    instructions.dedup();
    let is_judged = |row: &&DisputeRow| matches!(row.verdict, DisputeVerdict::Match | DisputeVerdict::Differs);
    let judged = measured().filter(|row| !row.source.is_empty()).filter(is_judged);
    let source = |(source, verdicts): (&String, Vec<DisputeVerdict>)| QuestionSource {
        source: source.clone(),
        matching: verdicts.iter().filter(|verdict| **verdict == DisputeVerdict::Match).count(),
        of: verdicts.len(),
    };
    let sources = by_key(judged.map(|row| (&row.source, row.verdict))).into_iter().map(source).collect();
    let open = match (instructions.is_empty(), first.detail.is_empty()) {
        (false, _) => String::new(),
        (true, true) => "not measured".to_owned(),
        (true, false) => first.detail.clone(),
    };
    Question {
        number: first.number.clone(),
        question: first.question.clone(),
        instructions: instructions.len(),
        sources,
        answers: answers(rows),
        open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(instruction: &str, source: &str, measured: Option<f64>, verdict: DisputeVerdict) -> DisputeRow {
        DisputeRow {
            number: "1".into(),
            question: "4 or 16".into(),
            instruction: instruction.into(),
            quantity: DisputedQuantity::Cycles,
            source: source.into(),
            predicted: if verdict == DisputeVerdict::Match { "4" } else { "16" }.into(),
            measured: measured.map(Measured::exactly),
            verdict,
            detail: String::new(),
        }
    }

    #[test]
    fn instructions_with_one_answer_are_one_line() {
        use DisputeVerdict::{Differs, Match};
        let of = |name, cycles, llvm| [row(name, "clrx", Some(4.0), Match), row(name, "llvm", Some(cycles), llvm)];
        let rows = [of("A", 4.0, Differs), of("B", 4.0, Match), of("C", 4.0, Differs)].concat();
        let [question] = &questions(&rows)[..] else { panic!("one question") };
        let lines = |answer: &Answer| format!("{}  {}  {}", answer.names(), answer.measured, answer.sources());
        let lines: Vec<String> = question.answers.iter().map(lines).collect();
        assert_eq!(lines, ["A, C  4 cycles  agree: clrx · differ: llvm (16)", "B  4 cycles  agree: clrx, llvm"]);
        let names =
            |count: usize| Answer { instructions: vec!["A".into(); count], ..question.answers[0].clone() }.names();
        assert_eq!([names(3), names(4)], ["A, A, A", "A, A, … (4)"]);
    }

    #[test]
    fn open_questions_have_a_reason_and_no_answer() {
        let found = questions(&[row("A", "clrx", None, DisputeVerdict::NotMeasured)]);
        assert_eq!((found[0].open.as_str(), found[0].answers.len()), ("not measured", 0));
    }
}
