//! Predicting two regions and what lies between them.

use gcn_model::gpu::Gpu;
use serde::Serialize;

use super::aligned::{ChangedLine, Listing, aligned};
use super::bounds::{BoundChange, bound_changes};
use super::change::Change;
use crate::card::Card;
use crate::code::Code;
use crate::error::PredictError;
use crate::prediction::{Prediction, Question, predict, predict_between};
use crate::region::Region;
use crate::unsure::Unsure;

/// A region, and how it is to be repeated.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    pub code: &'a Code,
    pub region: &'a Region,
    pub question: Question,
}

/// Two predictions, and what lies between them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    pub before: Prediction,
    pub after: Prediction,
    /// Of the cycles in which a SIMD does one iteration of one wave: those of an iteration, by the waves that it has.
    pub change: Change,
    pub bounds: Vec<BoundChange>,
    /// In the order of both listings; `before` and `after` of all of them add up to the cycles of an iteration.
    pub lines: Vec<ChangedLine>,
}

impl Difference {
    /// Predicts both regions on a card, and again with each unsure timing at its ends in both.
    ///
    /// # Errors
    /// Those of [`predict`].
    pub fn of(card: &Card, before: Subject<'_>, after: Subject<'_>) -> Result<Self, PredictError> {
        let processor = card.gpu.processor();
        let decoded = |subject: Subject<'_>| subject.code.part(subject.region)?.instructions(processor);
        let between = |subject: Subject<'_>| predict_between(card, subject.code, subject.region, subject.question);
        let (decoded_before, decoded_after) = (decoded(before)?, decoded(after)?);
        let instructions = decoded_before.iter().chain(&decoded_after).map(|(_, decoded)| decoded.instruction);
        let gpus = Unsure::of(card, instructions).gpus();
        let share =
            |prediction: &Prediction| prediction.cycles_per_iteration.0 / f64::from(prediction.question.waves_per_simd);
        let of_simd = |gpu: &Gpu, subject: Subject<'_>| {
            predict(gpu, subject.code, subject.region, subject.question).map(|prediction| share(&prediction))
        };
        let others: Vec<f64> = (gpus.iter().skip(1))
            .map(|gpu| Ok(of_simd(gpu, after)? / of_simd(gpu, before)?))
            .collect::<Result<_, PredictError>>()?;
        let (before, after) = (between(before)?, between(after)?);
        let lines = aligned(
            &Listing { prediction: &before, decoded: &decoded_before },
            &Listing { prediction: &after, decoded: &decoded_after },
        );
        Ok(Self {
            change: Change::of(share(&after) / share(&before), others),
            bounds: bound_changes(&before, &after),
            lines,
            before,
            after,
        })
    }
}
