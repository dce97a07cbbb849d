//! The changes that gain most.

use gcn_simulator::{Block, BlockInstruction, LoweredBlock};
use rayon::prelude::*;

use super::body::Body;
use super::reordered::{Reordered, interleaved, loads_after_use, loads_to_others, wait_later};
use super::{dual, waves};
use crate::card::Card;
use crate::code::Code;
use crate::error::PredictError;
use crate::gain::{Advice, AdviceKind};
use crate::hazards::{Hazard, NOT_WAITED_FOR, hazards};
use crate::placement::Placements;
use crate::prediction::{Prediction, predict_card};
use crate::region::{Region, RegionKind};
use crate::stall::Stall;
use crate::steady::STEADY;
use crate::written::written;

/// As many changes are told.
const TOLD: usize = 3;
/// As many waits are tried, those first for which waves are stalled longest.
const WAITS: usize = 3;

/// A region that may be changed.
struct Subject<'a> {
    card: &'a Card,
    part: &'a Code,
    prediction: &'a Prediction,
    /// Hazards of the region by itself.
    hazards: usize,
}

impl Subject<'_> {
    fn advice(&self, kind: AdviceKind, words: String, with: &Prediction) -> Option<Advice> {
        let of_simd = |it: &Prediction| it.cycles_per_iteration.0 / f64::from(it.question.waves_per_simd);
        let gain = 1.0 - of_simd(with) / of_simd(self.prediction);
        let (waves_per_simd, cycles) = (with.question.waves_per_simd, with.cycles_per_iteration);
        let advice = Advice { kind, words, waves_per_simd, cycles, gain_percent: gain * 100.0, code: Vec::new() };
        (gain > STEADY).then_some(advice)
    }

    /// The gain of a region in another order; `None` if it gains nothing, or has hazards that were not there.
    fn of_order(&self, kind: AdviceKind, change: Reordered) -> Result<Option<Advice>, PredictError> {
        let Reordered { body, iterations, words } = change;
        let code = Code { address: self.part.address, words: body.words().into() };
        let region = Region { end: code.end(), ..self.prediction.region.clone() };
        let mut with = predict_card(self.card, &code, &region, self.prediction.question)?;
        with.cycles_per_iteration.0 /= f64::from(iterations);
        // Of an unrolled loop the registers of the second half stand for others.
        let is_real = |hazard: &&Hazard| iterations == 1 || hazard.rule != NOT_WAITED_FOR;
        if with.hazards.iter().filter(is_real).count() > self.hazards * iterations as usize {
            return Ok(None);
        }
        let decoded = code.instructions(self.card.gpu.processor())?;
        let code = decoded.iter().map(|(_, decoded)| written(decoded)).collect();
        Ok(self.advice(kind, words, &with).map(|advice| Advice { code, ..advice }))
    }

    /// Changes of the order.
    fn orders(&self, instructions: &[BlockInstruction]) -> Result<Vec<Advice>, PredictError> {
        let lines = &self.prediction.instructions;
        let Some(body) = Body::of(self.part, lines, instructions) else { return Ok(Vec::new()) };
        let mut changes: Vec<(AdviceKind, Reordered)> = Vec::new();
        let waited = |at: &usize| lines[*at].stalls.get(&Stall::Waitcnt).map_or(0.0, |cycles| cycles.0);
        let mut waits: Vec<usize> = (0..lines.len()).filter(|at| waited(at) > 0.0 && body.knows_waits()).collect();
        waits.sort_by(|one, other| waited(other).total_cmp(&waited(one)));
        for wait in waits.into_iter().take(WAITS) {
            let of_wait = [
                (AdviceKind::WaitMoved, wait_later(&body, wait)),
                (AdviceKind::LoadsAhead, loads_after_use(&body, wait)),
                (AdviceKind::LoadsAhead, loads_to_others(&body, wait)),
            ];
            for (kind, change) in of_wait.into_iter().filter_map(|(kind, it)| Some((kind, it?))) {
                if changes.iter().all(|(_, other)| other.words != change.words) {
                    changes.push((kind, change));
                }
            }
        }
        if let Some((paired, pairs)) = dual::paired(&body, self.card.gpu.processor()) {
            let words = format!("{pairs} more VOPD instructions, each instead of two instructions");
            changes.push((AdviceKind::DualIssue, Reordered { body: paired, iterations: 1, words }));
        }
        // For results, or for the matrix unit.
        let is_stalled = lines.iter().any(|line| {
            [Stall::AluDependency, Stall::ArbiterNotWin].iter().any(|stall| line.stalls.contains_key(stall))
        });
        if let Some(other) = interleaved(&body).filter(|_| is_stalled) {
            let is_matrix = lines.iter().any(|line| line.decoded.matrix_operation().is_some());
            let kind = if is_matrix { AdviceKind::MatrixInterleaved } else { AdviceKind::Interleaved };
            let words = "put independent instructions between those that wait for each other".to_owned();
            changes.push((kind, Reordered { body: other, iterations: 1, words }));
        }
        let gains = changes.into_par_iter().map(|(kind, change)| self.of_order(kind, change));
        let gains: Vec<Option<Advice>> = gains.collect::<Result<_, _>>()?;
        Ok(gains.into_iter().flatten().collect())
    }

    fn placed(&self) -> Result<Option<Advice>, PredictError> {
        let gpu = &self.card.likeliest();
        let rules = &gpu.front_end;
        if !(rules.alignment_penalties || rules.jump_penalties || rules.untaken_penalties) {
            return Ok(None);
        }
        let prediction = self.prediction;
        let places = Placements::of(gpu, self.part, &prediction.region, prediction.question, &[])?;
        let best = places.best;
        let words = format!(
            "its first instruction {} bytes after the start of a line of {} bytes, instead of {}",
            best.offset, places.line_bytes, places.today.offset
        );
        let with = Prediction { cycles_per_iteration: best.cycles, ..prediction.clone() };
        Ok(self.advice(AdviceKind::Alignment, words, &with))
    }
}

/// A prediction with the changes that gain most.
///
/// # Errors
/// Those of [`crate::predict`].
pub fn advised(prediction: Prediction, card: &Card, code: &Code) -> Result<Prediction, PredictError> {
    let advice = Some(advise(card, code, &prediction)?);
    Ok(Prediction { advice, ..prediction })
}

/// The changes of a region that gain most, the one that gains most first.
fn advise(card: &Card, code: &Code, prediction: &Prediction) -> Result<Vec<Advice>, PredictError> {
    if prediction.region.kind == RegionKind::Straight {
        return Ok(Vec::new());
    }
    let part = &code.part(&prediction.region)?;
    let configuration = prediction.question.machine(&card.likeliest());
    let block = Block { name: &prediction.region.name, address: part.address, words: &part.words };
    let lowered = LoweredBlock::of(&configuration, block)?;
    let hazards = hazards(&card.gpu, part, &prediction.region)?.len();
    let subject = Subject { card, part, prediction, hazards };
    let mut found = subject.orders(lowered.instructions())?;
    if let Some(with) = waves::more_waves(card, code, prediction)? {
        let words = waves::words(prediction, with.question.waves_per_simd);
        found.extend(subject.advice(AdviceKind::MoreWaves, words, &with));
    }
    found.extend(subject.placed()?);
    found.sort_by(|one, other| other.gain_percent.total_cmp(&one.gain_percent));
    found.truncate(TOLD);
    Ok(found)
}
