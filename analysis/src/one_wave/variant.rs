//! An instruction in another form than its plain one: with GLC, with another addressing mode, backwards.

use gcn_model::quantity::Cycles;
use gcn_model::record::ExperimentKind;

use super::slopes::{Form, OneWave, Outcome};
use super::timing::measured;
use crate::settle::Status;
use crate::statistics::Estimate;
use crate::tables::{Column, Measured, Quantity, table};

/// The form with the GLC modifier.
pub(crate) const GLC: &str = "glc";

table! { "variants.csv":
    /// A row of `variants.csv`.
    pub struct VariantRow {
        pub instruction: String,
        /// The form: `glc`, `idxen`, `backward`.
        pub case: String,
        pub quantity: Column,
        /// Shader cycles in this form.
        pub cycles: Option<Measured<Cycles>> = "cycles" "cycles_low" "cycles_high",
        /// Shader cycles more than in the plain form; absent where the plain form has none.
        pub difference: Option<Measured<Cycles>> = "difference" "difference_low" "difference_high",
        /// Samples of `cycles`.
        pub samples: usize,
        pub status: Status,
        /// Why, or why there is no difference.
        pub detail: String,
    }
}

/// The rows of a form, compared with the plain form of the instruction if that was measured.
pub(crate) fn variant_rows(waves: &OneWave<'_>, form: &Form<'_>, plain: Option<&Form<'_>>) -> Vec<VariantRow> {
    let outcomes = [
        (Quantity::Cycles, waves.cycles(form)),
        (Quantity::TakenCycles, waves.taken(form)),
        (Quantity::Latency, waves.latency(form)),
    ];
    let tried = outcomes.into_iter().filter_map(|(quantity, outcome)| Some((quantity, outcome?)));
    tried.map(|(quantity, outcome)| variant_row(waves, form, plain, quantity, &outcome)).collect()
}

fn variant_row(
    waves: &OneWave<'_>,
    form: &Form<'_>,
    plain: Option<&Form<'_>>,
    quantity: Quantity,
    outcome: &Outcome,
) -> VariantRow {
    let difference = difference(waves, form, plain, quantity);
    let (status, detail) = match (outcome, &difference) {
        (Err((status, reason)), _) => (*status, reason.clone()),
        (Ok(_), Err(reason)) => (Status::Ok, format!("no difference: {reason}")),
        (Ok(_), Ok(_)) => (Status::Ok, String::new()),
    };
    VariantRow {
        instruction: form.instruction.to_owned(),
        case: form.case.to_owned(),
        quantity: Column(quantity),
        cycles: measured(Some(outcome)),
        difference: difference.ok().map(|estimate| Measured::from(&estimate)),
        samples: outcome.as_ref().map_or(0, |(_, slope)| slope.kept),
        status,
        detail,
    }
}

/// Cycles more than in the plain form.
fn difference(
    waves: &OneWave<'_>,
    form: &Form<'_>,
    plain: Option<&Form<'_>>,
    quantity: Quantity,
) -> Result<Estimate, String> {
    let missing = || "the plain form was not measured".to_owned();
    let plain = plain.ok_or_else(missing)?;
    let kinds: &[ExperimentKind] = match quantity {
        Quantity::Cycles => &[ExperimentKind::Cycles],
        Quantity::TakenCycles => &[ExperimentKind::Taken],
        _ => &[ExperimentKind::Chase],
    };
    let places = kinds.iter().find_map(|&kind| Some((waves.find(form, kind)?, waves.find(plain, kind)?)));
    let text = |(status, reason): (Status, String)| format!("the plain form: {status}: {reason}");
    if let Some((position, base)) = places {
        return waves.uncharged_difference(position, base).map_err(text);
    }
    // Two latencies from chains of different kinds.
    let latency = |form| waves.latency(form).ok_or_else(missing)?.map(|(estimate, _)| estimate).map_err(text);
    if quantity == Quantity::Latency { Ok(latency(form)?.minus(&latency(plain)?)) } else { Err(missing()) }
}
