//! The disputed questions, each with the sources' statements about this GPU and the measurement.

use std::fmt;

use gcn_model::isa::Instruction;
use gcn_model::published::{Dispute, DisputedQuantity, Published, Statement};
use gcn_model::record::DeviceRecord;

use super::expectation::{Subject, values_for};
use super::lds_banks::LdsBanks;
use super::validation::{Measurements, validated};
use crate::many_waves::Slots;
use crate::settle::THROUGHPUT_RESOLUTION;
use crate::tables::{Measured, Verdict, decimal, disputed_word, table, words};

words! { in word_on:
    /// How a source fared on a question.
    pub enum DisputeVerdict {
        /// It predicted the measurement.
        Match = "match",
        /// It predicted something else.
        Differs = "differs",
        /// It leaves the question open, or its range holds the measurement.
        NotContradicted = "not contradicted",
        /// It could be settled on this GPU, but this run did not measure it sharply enough.
        NotMeasured = "not measured",
        /// It cannot be settled here; the detail says why.
        CannotBeTold = "undecided",
    }
}

table! { "disputes.csv":
    /// A row of `disputes.csv`.
    pub struct DisputeRow {
        /// The question's number in the facts.
        pub number: String,
        pub question: String,
        /// The instruction; empty where the question is of none, or this run does not settle it.
        pub instruction: String,
        pub quantity: DisputedQuantity,
        /// The source that predicts; empty where none says anything or nothing can be said.
        pub source: String,
        /// Its prediction for this GPU.
        pub predicted: String,
        pub measured: Option<Measured> = "measured" "low" "high",
        /// How the source fared.
        pub verdict: DisputeVerdict,
        /// Why the question was not settled.
        pub detail: String,
    }
}

impl DisputeVerdict {
    /// The word for people, of a device: on the simulator, which judges no source, that of a published value.
    pub fn word_on(self, device: &DeviceRecord) -> &'static str {
        match self {
            Self::Match => Verdict::Match.word_on(device),
            Self::Differs => Verdict::Mismatch.word_on(device),
            Self::NotContradicted if device.is_simulated() => Verdict::Answers.word_on(device),
            _ => self.name(),
        }
    }
}

impl fmt::Display for DisputeVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl From<Verdict> for DisputeVerdict {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Match => Self::Match,
            Verdict::Mismatch => Self::Differs,
            Verdict::Answers => Self::NotContradicted,
            Verdict::Unmeasured => Self::NotMeasured,
        }
    }
}

/// The rows of the questions that a GPU has, in their order.
pub(crate) fn settle(
    disputes: &[Dispute],
    sources: &[Published],
    gpu: Subject<'_>,
    measurements: &Measurements<'_>,
    banks: Option<&LdsBanks>,
    waves: Option<Slots>,
) -> Vec<DisputeRow> {
    let rows = |dispute: &Dispute| {
        let empty = |verdict, detail: String| DisputeRow {
            number: dispute.number.clone(),
            question: dispute.question.clone(),
            instruction: String::new(),
            quantity: dispute.quantity,
            source: String::new(),
            predicted: String::new(),
            measured: None,
            verdict,
            detail,
        };
        match dispute.quantity {
            DisputedQuantity::Other => vec![empty(DisputeVerdict::CannotBeTold, format!("needs {}", dispute.needs))],
            DisputedQuantity::Waves => {
                of_waves(sources, gpu, waves, &empty(DisputeVerdict::NotMeasured, format!("needs {}", dispute.needs)))
            }
            DisputedQuantity::LdsBanks | DisputedQuantity::LdsConflict => {
                of_statements(dispute, sources, gpu, banks, &empty(DisputeVerdict::NotMeasured, String::new()))
            }
            _ => {
                let instructions = dispute.instructions.iter().filter_map(|name| gpu.instruction(name));
                let row = empty(DisputeVerdict::NotMeasured, String::new());
                instructions.flat_map(|found| of_instruction(found, sources, gpu, measurements, &row)).collect()
            }
        }
    };
    disputes.iter().filter(|dispute| dispute.is_of(gpu.generation, gpu.target)).flat_map(rows).collect()
}

/// What sources say of an instruction, or the measurement alone if none has a number for it in its file.
fn of_instruction(
    instruction: &Instruction,
    sources: &[Published],
    gpu: Subject<'_>,
    measurements: &Measurements<'_>,
    row: &DisputeRow,
) -> Vec<DisputeRow> {
    let values = sources.iter().flat_map(|source| values_for(source, gpu, instruction));
    let said = values.filter(|value| value.quantity.name() == disputed_word(row.quantity));
    let rows: Vec<DisputeRow> = said
        .map(|value| validated(value, measurements, true))
        .map(|found| DisputeRow {
            instruction: found.instruction,
            source: found.source,
            predicted: if found.expected.is_empty() { found.published } else { found.expected },
            measured: found.measured,
            verdict: found.verdict.into(),
            ..row.clone()
        })
        .collect();
    if !rows.is_empty() {
        return rows;
    }
    let measured = measurements.get_disputed(&instruction.name, row.quantity).map(Measured::from);
    let verdict = if measured.is_some() { DisputeVerdict::NotContradicted } else { DisputeVerdict::NotMeasured };
    vec![DisputeRow { instruction: instruction.name.clone(), measured, verdict, ..row.clone() }]
}

/// The sources' statements about the waves of a SIMD.
fn of_waves(sources: &[Published], gpu: Subject<'_>, waves: Option<Slots>, row: &DisputeRow) -> Vec<DisputeRow> {
    let Some(waves) = waves else {
        return vec![row.clone()];
    };
    let said = |source: &Published| source.statements_on(gpu.generation, gpu.target).find_map(most_waves);
    let rows = sources.iter().filter_map(|source| Some((source, said(source)?)));
    rows.map(|(source, predicted)| DisputeRow {
        source: source.name().to_owned(),
        predicted: decimal(predicted),
        measured: waves.exactly().map(|waves| Measured::exactly(f64::from(waves))),
        verdict: match waves.exactly() {
            Some(waves) if predicted == f64::from(waves) => DisputeVerdict::Match,
            None if predicted >= f64::from(waves.at_least()) => DisputeVerdict::NotMeasured,
            _ => DisputeVerdict::Differs,
        },
        detail: if waves.exactly().is_some() { String::new() } else { waves.to_string() },
        ..row.clone()
    })
    .collect()
}

fn most_waves(said: &Statement) -> Option<f64> {
    if said.topic != "occupancy" {
        return None;
    }
    Some(said.numbers.get("waves_per_compute_unit")? / said.numbers.get("simds")?)
}

/// The sources' statements about LDS banks.
fn of_statements(
    dispute: &Dispute,
    sources: &[Published],
    gpu: Subject<'_>,
    banks: Option<&LdsBanks>,
    row: &DisputeRow,
) -> Vec<DisputeRow> {
    let Some(banks) = banks else {
        return vec![DisputeRow { detail: "needs a sweep over LDS strides (the lds suite)".to_owned(), ..row.clone() }];
    };
    let judge = |said: &Statement| match dispute.quantity {
        DisputedQuantity::LdsBanks => {
            let predicted = *said.numbers.get("banks")?;
            let verdict = match banks.banks.map(f64::from) {
                Some(found) if found == predicted => DisputeVerdict::Match,
                Some(_) => DisputeVerdict::Differs,
                None if banks.verdict == Verdict::Unmeasured => DisputeVerdict::NotMeasured,
                None if banks.candidates.iter().any(|found| f64::from(*found) == predicted) => {
                    DisputeVerdict::NotMeasured
                }
                None => DisputeVerdict::Differs,
            };
            Some((predicted, banks.banks.map(|found| [f64::from(found); 3]), verdict))
        }
        _ => {
            let predicted = 1.0 / *said.numbers.get("worst_throughput")?;
            let numbers @ [value, low, high] = banks.worst.numbers();
            let resolution = THROUGHPUT_RESOLUTION * value;
            let is_met = low - resolution <= predicted && predicted <= high + resolution;
            Some((predicted, Some(numbers), if is_met { DisputeVerdict::Match } else { DisputeVerdict::Differs }))
        }
    };
    sources
        .iter()
        .flat_map(|source| source.statements_on(gpu.generation, gpu.target).map(move |said| (source, said)))
        .filter(|(_, said)| said.topic == "bank conflicts")
        .filter_map(|(source, said)| Some((source, judge(said)?)))
        .map(|(source, (predicted, measured, verdict))| DisputeRow {
            instruction: banks.instruction.clone(),
            source: source.name().to_owned(),
            predicted: decimal(predicted),
            measured: measured.map(Measured::from),
            verdict,
            detail: if banks.banks.is_some() { String::new() } else { banks.to_string() },
            ..row.clone()
        })
        .collect()
}
