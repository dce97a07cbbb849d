//! A disputed question of a run in a line.

use std::fmt;

use crate::verdict::{DisputeRow, DisputeVerdict};

/// A run's statement about a question on which sources contradict each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Its number in the facts.
    pub number: String,
    pub question: String,
    /// Instructions that were measured for it.
    pub instructions: usize,
    /// The sources that say something of them, in their order.
    pub sources: Vec<QuestionSource>,
    /// Why it is open; empty if something was measured.
    pub open: String,
}

/// How often a source agreed with the measurement.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    let mut sources: Vec<QuestionSource> = Vec::new();
    let judged = |row: &&DisputeRow| matches!(row.verdict, DisputeVerdict::Match | DisputeVerdict::Differs);
    for row in measured().filter(|row| !row.source.is_empty()).filter(judged) {
        let known = sources.iter().position(|known| known.source == row.source);
        let position = known.unwrap_or_else(|| {
            sources.push(QuestionSource { source: row.source.clone(), matching: 0, of: 0 });
            sources.len() - 1
        });
        sources[position].of += 1;
        sources[position].matching += usize::from(row.verdict == DisputeVerdict::Match);
    }
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
        open,
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.question)?;
        if !self.open.is_empty() {
            return f.write_str(&self.open);
        }
        let said = |found: &QuestionSource| format!("as {} says in {} of {}", found.source, found.matching, found.of);
        let said: Vec<String> = self.sources.iter().map(said).collect();
        f.write_str(&if said.is_empty() { "measured, and no source says a number".to_owned() } else { said.join(", ") })
    }
}

#[cfg(test)]
mod tests {
    use gcn_model::published::DisputedQuantity;

    use super::*;

    fn row(source: &str, measured: Option<[f64; 3]>, verdict: DisputeVerdict) -> DisputeRow {
        DisputeRow {
            number: "1".into(),
            question: "4 or 16".into(),
            instruction: "V_CVT_F32_I32".into(),
            quantity: DisputedQuantity::Cycles,
            source: source.into(),
            predicted: String::new(),
            measured,
            verdict,
            detail: String::new(),
        }
    }

    #[test]
    fn a_question_counts_who_said_so() {
        let four = Some([4.0; 3]);
        let rows = [row("clrx", four, DisputeVerdict::Match), row("llvm", four, DisputeVerdict::Differs)];
        assert_eq!(questions(&rows)[0].to_string(), "4 or 16: as clrx says in 1 of 1, as llvm says in 0 of 1");
        let open = [row("clrx", None, DisputeVerdict::NotMeasured)];
        assert_eq!(questions(&open)[0].to_string(), "4 or 16: not measured");
    }
}
