//! More waves on each SIMD.

use crate::bound::BINDS;
use crate::card::Card;
use crate::code::Code;
use crate::error::PredictError;
use crate::occupancy::Limiter;
use crate::prediction::{Prediction, predict_card};
use crate::question::Question;

/// Twice as many waves at a time, up to as many as fit: the prediction with the fewest for which a unit binds, or else with the most; if no more
/// fit, with one more than fit, where a SIMD has slots for it.
pub(super) fn more_waves(
    card: &Card,
    code: &Code,
    prediction: &Prediction,
) -> Result<Option<Prediction>, PredictError> {
    let (waves, room) = (prediction.question.waves_per_simd, prediction.occupancy.waves_per_simd);
    let binds = |prediction: &Prediction| prediction.bounds.iter().any(|bound| bound.share >= BINDS);
    if binds(prediction) || prediction.occupancy.limiter == Limiter::Slots && waves >= room {
        return Ok(None);
    }
    let of = |waves_per_simd: u32| {
        let question = Question { waves_per_simd, ..prediction.question };
        predict_card(card, code, &prediction.region, question)
    };
    let most = if waves < room { room } else { waves + 1 };
    let mut next = waves;
    loop {
        next = (next * 2).min(most);
        let found = of(next)?;
        if next == most || binds(&found) {
            return Ok(Some(found));
        }
    }
}

/// What to do to have that many waves.
pub(super) fn words(prediction: &Prediction, more: u32) -> String {
    let (room, one) = (&prediction.occupancy, prediction.occupancy.waves_per_simd);
    let waves = prediction.question.waves_per_simd;
    match more <= one {
        true => format!("{more} waves on each SIMD instead of {waves}; {one} fit"),
        false => format!("one wave more than fits; {}", room.words()),
    }
}
