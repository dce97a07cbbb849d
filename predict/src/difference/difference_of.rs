//! Predicting two regions and what lies between them.

use gcn_model::gpu::Gpu;
use serde::Serialize;

use super::aligned::{ChangedLine, aligned};
use super::bounds::{BoundChange, bound_changes};
use super::change::Change;
use crate::card::Card;
use crate::code::Code;
use crate::error::PredictError;
use crate::prediction::{Prediction, predict, predict_between};
use crate::question::Question;
use crate::region::Region;
use crate::unsure::Unsure;

/// A region, and how it is to be repeated.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    pub card: &'a Card,
    pub code: &'a Code,
    pub region: &'a Region,
    pub question: Question,
}

/// Two predictions, and what lies between them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    pub before: Prediction,
    pub after: Prediction,
    /// Of the cycles in which a SIMD does an iteration of a wave: those of an iteration, by the waves that it has.
    pub change: Change,
    pub bounds: Vec<BoundChange>,
    /// In the order of both listings; `before` and `after` of all of them add up to the cycles of an iteration.
    pub lines: Vec<ChangedLine>,
}

impl Difference {
    /// Predicts both regions, and again over the ranges of the uncertain timings; the cards differ in the size of their waves alone.
    ///
    /// # Errors
    /// Those of [`predict`].
    pub fn of(before: Subject<'_>, after: Subject<'_>) -> Result<Self, PredictError> {
        let decoded =
            |subject: Subject<'_>| subject.code.part(subject.region)?.instructions(subject.card.gpu.processor());
        let between =
            |subject: Subject<'_>| predict_between(subject.card, subject.code, subject.region, subject.question);
        let (decoded_before, decoded_after) = (decoded(before)?, decoded(after)?);
        let instructions = || decoded_before.iter().chain(&decoded_after).map(|(_, decoded)| decoded.instruction);
        let gpus = |subject: Subject<'_>| Unsure::of(subject.card, instructions()).gpus();
        let share =
            |prediction: &Prediction| prediction.cycles_per_iteration.0 / f64::from(prediction.question.waves_per_simd);
        let of_simd = |gpu: &Gpu, subject: Subject<'_>| {
            predict(gpu, subject.code, subject.region, subject.question).map(|prediction| share(&prediction))
        };
        let others: Vec<f64> = (gpus(before).iter().zip(&gpus(after)).skip(1))
            .map(|(of_before, of_after)| Ok(of_simd(of_after, after)? / of_simd(of_before, before)?))
            .collect::<Result<_, PredictError>>()?;
        let (before, after) = (between(before)?, between(after)?);
        let lines = aligned(&before, &after);
        Ok(Self {
            change: Change::of(share(&after) / share(&before), others),
            bounds: bound_changes(&before, &after),
            lines,
            before,
            after,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::change::Verdict;
    use super::*;

    const MUL: u32 = 0x0a02_0100;
    const RCP: u32 = 0x7e02_4500;
    const WAIT: u32 = 0xbf8c_0f7f;

    /// Of two loops on Fiji, with this many waves on each SIMD.
    fn difference(bodies: [&[u32]; 2], waves: [u32; 2]) -> Difference {
        let fiji = Gpu::named("fiji").unwrap();
        let [before, after] = bodies.map(|body| {
            let back = 0xbf82_0000 | (0xffff - body.len() as u32);
            let code = Code { address: 0, words: body.iter().copied().chain([back]).collect() };
            let region = code.regions(fiji.processor()).unwrap().remove(0);
            (code, region)
        });
        let card = Card::from(&fiji);
        let subject = |(code, region), waves_per_simd| {
            let question = Question { waves_per_simd, ..Question::default() };
            Subject { card: &card, code, region, question }
        };
        let [one, two] = [(&before.0, &before.1), (&after.0, &after.1)];
        Difference::of(subject(one, waves[0]), subject(two, waves[1])).unwrap()
    }

    #[test]
    fn equal_lines_are_aligned_and_all_lines_add_up() {
        let compared = difference([&[RCP, MUL, RCP], &[MUL, RCP, MUL, MUL, RCP]], [1, 1]);
        let both = compared.lines.iter().filter(|it| it.before_address.is_some() && it.after_address.is_some());
        // The jump, too, though the way back is longer.
        assert_eq!(both.count(), 4);
        assert_eq!(compared.lines.len(), 6);
        let sum = |of: fn(&ChangedLine) -> f64| compared.lines.iter().map(of).sum::<f64>();
        assert_eq!(sum(|line| line.before.0), compared.before.cycles_per_iteration.0);
        assert_eq!(sum(|line| line.after.0), compared.after.cycles_per_iteration.0);
        assert_eq!(compared.change.verdict, Verdict::Longer);
        assert!((compared.change.percent - 800.0 / 56.0).abs() < 1e-9, "{:?}", compared.change);
    }

    #[test]
    fn waves_share_a_simd() {
        // Of reciprocals alone the vector ALU does one at a time, whoever they belong to.
        let rcp = [RCP; 40];
        let shared = difference([&rcp, &rcp], [2, 4]);
        assert!(shared.after.cycles_per_iteration.0 > 1.9 * shared.before.cycles_per_iteration.0);
        assert!(shared.change.percent.abs() < 3.0, "{:?}", shared.change);
    }

    #[test]
    fn an_estimate_that_is_in_both_is_the_same_in_both() {
        let more = difference([&[WAIT, WAIT], &[WAIT, WAIT, MUL]], [1, 1]);
        assert_eq!(more.change.verdict, Verdict::Longer);
        let instead = difference([&[WAIT, WAIT], &[MUL, MUL, MUL]], [1, 1]);
        assert_eq!(instead.change.verdict, Verdict::Undecided);
        assert_eq!(difference([&[WAIT], &[WAIT]], [1, 1]).change.verdict, Verdict::Same);
    }
}
