//! DPFACTOR: the double-precision class of a GPU, from the cycles of all double-precision instructions together.

use gcn_model::published;
use gcn_model::quantity::Cycles;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::settle::CYCLES_RESOLUTION;
use crate::tables::{Measured, decimal};
use crate::variants::variants;

/// Largest share of the rows that may contradict the others.
pub const CONTRADICTING_SHARE: f64 = 0.25;

/// The resolution of a factor from a DPFACTOR*4 instruction: a quarter cycle.
const FACTOR_RESOLUTION: f64 = CYCLES_RESOLUTION / 4.0;

/// The largest whole factor that is named as a candidate: an interval without end leaves all of them.
const LARGEST_FACTOR: f64 = 1024.0;

/// The factor of the full rate, which is no whole number: double precision as fast as single precision (CDNA 2 and 3).
const FULL_RATE: f64 = 0.5;

/// Candidates that a sentence names; of more, the first and the last.
const NAMED: usize = 6;

variants! {
    /// How a factor relates to the published table.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum DpClass {
        /// A factor of the published table.
        Known = "known",
        /// The instructions agree on a factor that is not in the table.
        New = "new",
        /// The instructions contradict each other: one factor does not describe this GPU.
        Inconsistent = "inconsistent",
        /// The interval leaves several factors, or none that is whole or published.
        Undecided = "undecided",
    }
}

/// One double-precision instruction: its published cycles are DPFACTOR × `multiple`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DpRow {
    pub instruction: String,
    /// Cycles per unit of DPFACTOR, as published.
    #[serde(serialize_with = "rounded")]
    pub multiple: f64,
    /// Measured cycles.
    #[serde(serialize_with = "rounded")]
    pub cycles: f64,
    /// The factor that these cycles say.
    #[serde(serialize_with = "rounded")]
    pub factor: f64,
    /// The factor's interval.
    #[serde(serialize_with = "rounded", deserialize_with = "low_end")]
    pub low: f64,
    /// The factor's interval.
    #[serde(serialize_with = "rounded", deserialize_with = "high_end")]
    pub high: f64,
    /// Whether the row agrees with the majority.
    pub agrees: bool,
}

/// DPFACTOR of a run: `dpfactor.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DpFactor {
    /// The factor that is left if the class is `known` or `new`, else `measured`.
    #[serde(serialize_with = "rounded")]
    pub dpfactor: f64,
    /// Double-precision rate against single precision: `1/4`.
    pub dp_rate: String,
    /// Whether the rate is relative to single precision without dual issue, on a target that has VOPD.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pairs_not_counted: bool,
    /// Lower end of the 95 % interval of `measured`; minus infinity, `null` in JSON, without one. 0 where all that agree take no longer
    /// than an issue, which bounds the factor from above alone.
    #[serde(serialize_with = "rounded", deserialize_with = "low_end")]
    pub low: f64,
    /// Upper end of the 95 % interval of `measured`; infinity, `null` in JSON, without one.
    #[serde(serialize_with = "rounded", deserialize_with = "high_end")]
    pub high: f64,
    /// Instructions that agree with the factor.
    pub agreeing: usize,
    /// Double-precision instructions measured.
    pub of: usize,
    /// Known, new, inconsistent or undecided.
    pub class: DpClass,
    /// The whole and the published factors that the interval leaves, where the class is `undecided`.
    #[serde(default, skip_serializing_if = "Vec::is_empty", serialize_with = "all_rounded")]
    pub candidates: Vec<f64>,
    /// Double-precision instructions that were run, and whose cycles did not settle.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unsettled: usize,
    /// Mean over the agreeing instructions.
    #[serde(serialize_with = "rounded")]
    pub measured: f64,
    /// Instructions that contradict.
    pub contradicting: Vec<String>,
    /// What each instruction says.
    pub rows: Vec<DpRow>,
}

/// No double-precision instruction was measured, so nothing is known of DPFACTOR.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "no instruction whose published cycles contain DPFACTOR was measured; \
     measure some: `gcn-timings measure --only 'V_*_F64'`, on RDNA in waves of 32 lanes"
)]
pub struct NoDoublePrecision;

impl DpFactor {
    /// How the factor relates to the published table, as a part of a sentence.
    pub(crate) fn says(&self) -> &'static str {
        match self.class {
            DpClass::Known => "a factor of the published table",
            DpClass::New => "a factor that the published table lacks",
            DpClass::Inconsistent => {
                "but the instructions contradict each other: one factor does not describe this GPU"
            }
            DpClass::Undecided if self.candidates.is_empty() => "which is neither whole nor published: undecided",
            DpClass::Undecided => "undecided: the interval leaves all of these",
        }
    }

    /// One factor for all instructions, given as name, published multiple of DPFACTOR, and measured cycles; `table` are the
    /// published factors.
    ///
    /// The centre is the weighted median of the instructions' factors; the factor is the mean of those that agree with it.
    /// Its interval is the mean of theirs, not narrower for their number: all share the filler's error. A factor is `known` or `new` only if
    /// it is the only whole or published one in that interval, and the one nearest to the mean; `unsettled` instructions say nothing.
    /// No instruction takes fewer cycles than from one issue of a SIMD to the next, `issue_interval`: one that takes just these says that the
    /// factor is not above its own, and no more. Where more rows agree with the least of these bounds than with the median, it is the centre.
    ///
    /// # Errors
    /// No instruction.
    pub fn of(
        measured: &[(&str, f64, Measured<Cycles>)],
        unsettled: usize,
        table: &[published::DpFactor],
        issue_interval: Cycles,
    ) -> Result<Self, NoDoublePrecision> {
        let is_bound = |row: &DpRow| row.cycles - issue_interval.0 <= CYCLES_RESOLUTION;
        let mut rows: Vec<DpRow> = measured.iter().map(DpRow::of).collect();
        let least_bound = rows.iter().filter(|row| is_bound(row)).min_by(|a, b| a.factor.total_cmp(&b.factor)).cloned();
        let agrees = |row: &DpRow, centre: f64| {
            let resolution = CYCLES_RESOLUTION / row.multiple;
            let is_reached = is_bound(row) || row.low - resolution <= centre;
            is_reached && centre <= row.high + resolution
        };
        let mut definite: Vec<DpRow> = rows.iter().filter(|row| !is_bound(row)).cloned().collect();
        let bound = least_bound.as_ref().map(|row| row.factor);
        let mut centre = weighted_median(&definite).or(bound).ok_or(NoDoublePrecision)?;
        // Where most take just an issue, the few that take longer say nothing about the others: only the bounds are known.
        let agreeing = |centre: f64| rows.iter().filter(|row| agrees(row, centre)).count();
        if let Some(bound) = bound.filter(|bound| agreeing(*bound) > agreeing(centre)) {
            centre = bound;
            definite.retain(|row| agrees(row, bound));
        }
        let verdicts: Vec<bool> = rows.iter().map(|row| agrees(row, centre)).collect();
        rows.iter_mut().zip(verdicts).for_each(|(row, agrees)| row.agrees = agrees);
        // Bounds decide the factor only where nothing else does.
        let says = |row: &&DpRow| row.agrees && (!is_bound(row) || definite.is_empty() && row.factor == centre);
        let agreeing: Vec<&DpRow> = rows.iter().filter(says).collect();
        let mean = |of: fn(&DpRow) -> f64| agreeing.iter().map(|row| of(row)).sum::<f64>() / agreeing.len() as f64;
        let (factor, low, high) = (mean(|row| row.factor), mean(|row| row.low), mean(|row| row.high));
        let contradicting: Vec<String> =
            rows.iter().filter(|row| !row.agrees).map(|row| row.instruction.clone()).collect();
        let reaches_down = if definite.is_empty() { 0.0 } else { low };
        let candidates = candidates((reaches_down, factor, high), table);
        let is_inconsistent = contradicting.len() as f64 > CONTRADICTING_SHARE * rows.len() as f64;
        let (class, dpfactor, dp_rate) = classified(is_inconsistent, &candidates, factor, table);
        Ok(Self {
            dpfactor,
            dp_rate,
            pairs_not_counted: false,
            low: reaches_down,
            high,
            agreeing: rows.iter().filter(|row| row.agrees).count(),
            of: rows.len(),
            class,
            candidates: if class == DpClass::Undecided { candidates } else { Vec::new() },
            unsettled,
            measured: factor,
            contradicting,
            rows,
        })
    }
}

/// `dpfactor.json`: the factor, its class, each instruction's value, and the reading of TRAPSTS.DP_RATE.
pub fn dpfactor_json(dpfactor: &DpFactor, dp_rate_field: &[u32]) -> String {
    #[derive(Serialize)]
    struct WithEvidence<'a> {
        #[serde(flatten)]
        dpfactor: &'a DpFactor,
        dp_rate_field: &'a [u32],
    }
    let with_evidence = WithEvidence { dpfactor, dp_rate_field };
    serde_json::to_string_pretty(&with_evidence).expect("numbers and names are JSON") + "\n"
}

impl DpRow {
    /// Of a name, the published multiple of DPFACTOR, and measured cycles.
    fn of(&(instruction, multiple, cycles): &(&str, f64, Measured<Cycles>)) -> Self {
        Self {
            instruction: instruction.to_owned(),
            multiple,
            cycles: cycles.value.0,
            factor: cycles.value.0 / multiple,
            low: cycles.low.0 / multiple,
            high: cycles.high.0 / multiple,
            agrees: false,
        }
    }
}

/// Class, factor and rate by the factors that are left; `measured` is the mean.
fn classified(
    is_inconsistent: bool,
    candidates: &[f64],
    measured: f64,
    table: &[published::DpFactor],
) -> (DpClass, f64, String) {
    let published = |factor: f64| table.iter().find(|known| known.dp_factor == factor);
    match candidates {
        _ if is_inconsistent => (DpClass::Inconsistent, measured, dp_rate(measured)),
        &[only] => match published(only) {
            Some(known) => (DpClass::Known, only, known.dp_rate.clone()),
            None => (DpClass::New, only, dp_rate(only)),
        },
        [] => (DpClass::Undecided, measured, dp_rate(measured)),
        several => (DpClass::Undecided, measured, named(several, |&factor| dp_rate(factor))),
    }
}

impl DpFactor {
    /// The factor as far as it is known: `16`, `2 or 3`, or the mean with four digits where no factor is left.
    pub fn words(&self) -> String {
        if self.candidates.is_empty() {
            decimal(self.dpfactor)
        } else {
            named(&self.candidates, |&factor| decimal(factor))
        }
    }

    /// The bound, where all that agree take no longer than an issue: the factor is not above it.
    fn bound(&self) -> Option<String> {
        (self.low == 0.0)
            .then(|| format!("at most {}: the agreeing instructions take no longer than an issue", decimal(self.high)))
    }

    /// The 95 % interval, `3.99 to 4.01`; nothing where there is a bound alone.
    pub(crate) fn interval(&self) -> Option<String> {
        let [low, high] = [self.low, self.high].map(decimal);
        self.bound().is_none().then(|| format!("{low} to {high}"))
    }

    /// The interval in brackets, as it follows a number, `[3.99, 4.01]`, or `at most 0.5` and why.
    pub fn bracketed(&self) -> String {
        let [low, high] = [self.low, self.high].map(decimal);
        self.bound().map_or_else(|| format!("[{low}, {high}]"), |bound| format!("({bound})"))
    }

    /// The rate, as in a sentence: `1/16`, or `1/32 (pairs of single precision, VOPD, not counted)`.
    pub fn rate(&self) -> String {
        match self.pairs_not_counted {
            true => format!("{} (pairs of single precision, VOPD, not counted)", self.dp_rate),
            false => self.dp_rate.clone(),
        }
    }

    /// How many instructions it rests on: `23 of 23 instructions agree, 106 did not settle`.
    pub fn agreement(&self) -> String {
        let unsettled =
            if self.unsettled == 0 { String::new() } else { format!(", {} did not settle", self.unsettled) };
        format!("{} of {} instructions agree{unsettled}", self.agreeing, self.of)
    }
}

/// The whole and the published factors in the interval, and the one nearest to the mean if there is any; in order.
fn candidates((low, mean, high): (f64, f64, f64), table: &[published::DpFactor]) -> Vec<f64> {
    let (low, high) = (low - FACTOR_RESOLUTION, high + FACTOR_RESOLUTION);
    let published = || table.iter().map(|known| known.dp_factor).chain([FULL_RATE]);
    let mut found: Vec<f64> = published().filter(|factor| (low..=high).contains(factor)).collect();
    // Without an end, the interval is one of NaN or infinity: nothing in it is a candidate.
    let (first, last) = (low.max(1.0).ceil(), high.min(LARGEST_FACTOR).floor());
    if first <= last {
        found.extend((first as u32..=last as u32).map(f64::from));
    }
    if !found.is_empty() {
        let whole = mean.clamp(1.0, LARGEST_FACTOR).round();
        let distance = |factor: &f64| (factor - mean).abs();
        let nearest = published().chain([whole]).min_by(|a, b| distance(a).total_cmp(&distance(b)));
        found.extend(nearest);
    }
    found.sort_by(f64::total_cmp);
    found.dedup();
    found
}

/// `2 or 3`, `1, 2 or 3`; of a long list the first and the last.
fn named(several: &[f64], name: impl Fn(&f64) -> String) -> String {
    match several {
        [] => String::new(),
        [only] => name(only),
        [first, .., last] if several.len() > NAMED => {
            format!("one of {} from {} to {}", several.len(), name(first), name(last))
        }
        [others @ .., last] => {
            format!("{} or {}", others.iter().map(&name).collect::<Vec<_>>().join(", "), name(last))
        }
    }
}

/// Rounds for print only.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn rounded<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    let rounded = (value * 1e4).round() / 1e4;
    // A whole number is written as one: `"dpfactor": 2`.
    if rounded.fract() == 0.0 && rounded.abs() < 1e15 {
        serializer.serialize_i64(rounded as i64)
    } else {
        serializer.serialize_f64(rounded)
    }
}

/// Rounds for print only.
fn all_rounded<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    struct Rounded(f64);
    impl Serialize for Rounded {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            rounded(&self.0, serializer)
        }
    }
    serializer.collect_seq(values.iter().map(|&value| Rounded(value)))
}

/// JSON has no infinity: an end that is not there is written as `null`.
fn low_end<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Option::<f64>::deserialize(deserializer).map(|end| end.unwrap_or(f64::NEG_INFINITY))
}

/// As [`low_end`].
fn high_end<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Option::<f64>::deserialize(deserializer).map(|end| end.unwrap_or(f64::INFINITY))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// The rate that belongs to a factor outside the table: `1/(2 × factor)`, as in all rows of the table.
fn dp_rate(factor: f64) -> String {
    let below = 2.0 * factor;
    let whole = below.round();
    // A measured factor is not exact; within its resolution the whole number is meant.
    let is_whole = whole >= 1.0 && (below - whole).abs() <= 2.0 * FACTOR_RESOLUTION;
    match is_whole {
        true if whole == 1.0 => "1".to_owned(),
        true => format!("1/{whole}"),
        false => format!("1/{below:.2}"),
    }
}

/// Weighted median of the factors; an instruction that tells the factor more sharply weighs more.
fn weighted_median(rows: &[DpRow]) -> Option<f64> {
    let mut weighted: Vec<(f64, f64)> = rows
        .iter()
        .map(|row| (row.factor, 1.0 / ((row.high - row.low) / 2.0 + CYCLES_RESOLUTION / row.multiple)))
        .collect();
    weighted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: f64 = weighted.iter().map(|(_, weight)| weight).sum();
    let mut below = 0.0;
    weighted
        .into_iter()
        .find(|(_, weight)| {
            below += weight;
            below >= total / 2.0
        })
        .map(|(factor, _)| factor)
}

#[cfg(test)]
mod tests;
