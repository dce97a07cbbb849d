//! DPFACTOR: the double-precision class of a GPU, from the cycles of all double-precision instructions together.

use gcn_model::published;
use gcn_model::quantity::Cycles;
use serde::{Deserialize, Serialize};

use super::factor_numbers::{all_rounded, high_end, is_zero, low_end, rounded};
use crate::settle::CYCLES_RESOLUTION;
use crate::tables::{Measured, decimal};

/// Largest share of the rows that may contradict the others.
pub const CONTRADICTING_SHARE: f64 = 0.25;

/// What a factor of a DPFACTOR*4 instruction is known to: a quarter cycle.
const FACTOR_RESOLUTION: f64 = CYCLES_RESOLUTION / 4.0;

/// The largest whole factor that is named as a candidate: an interval without end leaves all of them.
const LARGEST_FACTOR: f64 = 1024.0;

/// Candidates that a sentence names; of more, the first and the last.
const NAMED: usize = 6;

/// How a factor relates to the published table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DpClass {
    /// A factor of the published table.
    Known,
    /// The instructions agree on a factor that is not in the table.
    New,
    /// The instructions contradict each other: one factor does not describe this GPU.
    Inconsistent,
    /// The interval leaves several factors, or none that is whole or published.
    Undecided,
}

impl DpClass {
    /// The word in `dpfactor.json`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Known => "known",
            Self::New => "new",
            Self::Inconsistent => "inconsistent",
            Self::Undecided => "undecided",
        }
    }
}

/// One double-precision instruction: its published cycles are DPFACTOR × `multiple`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DpRow {
    /// Upper-case name.
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
    /// Lower end of the 95 % interval of `measured`; minus infinity, `null` in JSON, if there is none.
    #[serde(serialize_with = "rounded", deserialize_with = "low_end")]
    pub low: f64,
    /// Upper end of the 95 % interval of `measured`; infinity, `null` in JSON, if there is none.
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
     measure some: `gcn-timings measure --only 'V_*_F64'`"
)]
pub struct NoDoublePrecision;

impl DpFactor {
    /// How the factor relates to the published table, as a part of a sentence.
    pub(crate) fn says(&self) -> &'static str {
        match self.class {
            DpClass::Known => "a factor of the published table",
            DpClass::New => "a factor that the published table does not have",
            DpClass::Inconsistent => {
                "but the instructions contradict each other: one factor does not describe this GPU"
            }
            DpClass::Undecided if self.candidates.is_empty() => {
                "which is no whole and no published factor: it is undecided"
            }
            DpClass::Undecided => "undecided: the interval leaves all of these",
        }
    }

    /// One factor for all instructions, given as name, published multiple of DPFACTOR, and measured cycles; `table` are the
    /// published factors.
    ///
    /// The centre is the weighted median of the instructions' factors; the factor is the mean of those that agree with it.
    /// Its interval is the mean of theirs, not narrower for their number: all share the filler's error. A factor is `known` or `new` only if
    /// it is the only whole or published one in that interval, and the one nearest to the mean; `unsettled` instructions say nothing.
    ///
    /// # Errors
    /// No instruction.
    pub fn of(
        measured: &[(&str, f64, Measured<Cycles>)],
        unsettled: usize,
        table: &[published::DpFactor],
    ) -> Result<Self, NoDoublePrecision> {
        let mut rows: Vec<DpRow> = measured
            .iter()
            .map(|&(instruction, multiple, cycles)| DpRow {
                instruction: instruction.to_owned(),
                multiple,
                cycles: cycles.value.0,
                factor: cycles.value.0 / multiple,
                low: cycles.low.0 / multiple,
                high: cycles.high.0 / multiple,
                agrees: false,
            })
            .collect();
        let centre = weighted_median(&rows).ok_or(NoDoublePrecision)?;
        for row in &mut rows {
            let resolution = CYCLES_RESOLUTION / row.multiple;
            row.agrees = row.low - resolution <= centre && centre <= row.high + resolution;
        }
        let agreeing: Vec<&DpRow> = rows.iter().filter(|row| row.agrees).collect();
        let mean = |of: fn(&DpRow) -> f64| agreeing.iter().map(|row| of(row)).sum::<f64>() / agreeing.len() as f64;
        let (factor, low, high) = (mean(|row| row.factor), mean(|row| row.low), mean(|row| row.high));
        let contradicting: Vec<String> =
            rows.iter().filter(|row| !row.agrees).map(|row| row.instruction.clone()).collect();
        let published = |factor: f64| table.iter().find(|known| f64::from(known.dp_factor) == factor);
        let candidates = candidates((low, factor, high), table);
        let class = match candidates[..] {
            _ if contradicting.len() as f64 > CONTRADICTING_SHARE * rows.len() as f64 => DpClass::Inconsistent,
            [only] if published(only).is_some() => DpClass::Known,
            [_] => DpClass::New,
            _ => DpClass::Undecided,
        };
        let (dpfactor, dp_rate) = match (class, &candidates[..]) {
            (DpClass::Known | DpClass::New, &[only]) => {
                (only, published(only).map_or_else(|| dp_rate(only), |known| known.dp_rate.clone()))
            }
            (DpClass::Undecided, several) if !several.is_empty() => (factor, named(several, |&factor| dp_rate(factor))),
            _ => (factor, dp_rate(factor)),
        };
        Ok(Self {
            dpfactor,
            dp_rate,
            low,
            high,
            agreeing: agreeing.len(),
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

impl DpFactor {
    /// The factor as far as it is known: `16`, `2 or 3`, or the mean with four digits where no factor is left.
    pub fn words(&self) -> String {
        if self.candidates.is_empty() {
            decimal(self.dpfactor)
        } else {
            named(&self.candidates, |&factor| decimal(factor))
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
    let published = || table.iter().map(|known| f64::from(known.dp_factor));
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

/// `2 or 3`, `1, 2 or 3`; of many the first and the last.
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

/// The rate that belongs to a factor outside the table: `1/(2 × factor)`, as in all rows of the table.
fn dp_rate(factor: f64) -> String {
    let below = 2.0 * factor;
    let whole = below.round();
    // A measured factor is not exact; within its resolution the whole number is meant.
    if whole >= 1.0 && (below - whole).abs() <= 2.0 * FACTOR_RESOLUTION {
        format!("1/{whole}")
    } else {
        format!("1/{below:.2}")
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
mod tests {
    use super::*;

    fn exact(cycles: f64) -> Measured<Cycles> {
        Measured { value: Cycles(cycles), low: Cycles(cycles - 0.05), high: Cycles(cycles + 0.05) }
    }

    fn table() -> &'static [published::DpFactor] {
        published::source("clrx").expect("a built-in source").dp_factors()
    }

    fn factor(rows: &[(&str, f64, f64)]) -> DpFactor {
        let rows: Vec<_> = rows.iter().map(|&(name, multiple, cycles)| (name, multiple, exact(cycles))).collect();
        DpFactor::of(&rows, 0, table()).expect("rows")
    }

    /// One instruction of DPFACTOR*4 whose interval is that of a factor.
    fn interval(low: f64, value: f64, high: f64) -> DpFactor {
        let [low, value, high] = [low, value, high].map(|factor| Cycles(4.0 * factor));
        DpFactor::of(&[("V_ADD_F64", 4.0, Measured { value, low, high })], 7, table()).expect("a row")
    }

    #[test]
    fn every_factor_of_the_table_is_known() {
        for (known, rate) in [1.0, 2.0, 4.0, 8.0].into_iter().zip(["1/2", "1/4", "1/8", "1/16"]) {
            let found = factor(&[("V_ADD_F64", 4.0, 4.0 * known), ("V_FMA_F64", 8.0, 8.0 * known)]);
            assert_eq!((found.dpfactor, found.dp_rate.as_str(), found.class), (known, rate, DpClass::Known));
            assert_eq!((found.agreeing, found.of), (2, 2));
        }
    }

    #[test]
    fn an_interval_without_end_is_written_and_read_again() {
        let found = interval(f64::NEG_INFINITY, 2.0, f64::INFINITY);
        let text = serde_json::to_string(&found).expect("JSON");
        assert!(text.contains("\"high\":null"), "{text}");
        assert_eq!(serde_json::from_str::<DpFactor>(&text).expect("what was written"), found);
    }

    #[test]
    fn a_factor_outside_the_table_is_new_and_has_its_rate() {
        let found = factor(&[("V_ADD_F64", 4.0, 12.0), ("V_FMA_F64", 8.0, 24.0)]);
        assert_eq!((found.dpfactor, found.dp_rate.as_str(), found.class), (3.0, "1/6", DpClass::New));
        let found = factor(&[("V_ADD_F64", 4.0, 2.0), ("V_FMA_F64", 8.0, 4.0)]);
        assert_eq!((found.dp_rate.as_str(), found.class), ("1/1", DpClass::Undecided));
        assert_eq!(factor(&[("V_ADD_F64", 4.0, 10.4)]).dp_rate, "1/5.20");
    }

    #[test]
    fn a_factor_is_definite_only_if_no_other_is_left() {
        // Three noisy cards of a campaign: of the first the truth is 2, of the second 3, of the third 8.
        for (low, value, high, truth, words) in [
            (0.94, 1.875, 2.81, 2.0, "1 or 2"),
            (2.008, 2.94, 3.865, 3.0, "2 or 3"),
            (-6.0, 8.45, 22.9, 8.0, "one of 22 from 1 to 22"),
        ] {
            let found = interval(low, value, high);
            assert_eq!((found.class, found.words().as_str()), (DpClass::Undecided, words));
            assert!(found.candidates.contains(&truth), "{found:?}");
        }
        assert_eq!(interval(2.008, 2.94, 3.865).dp_rate, "1/4 or 1/6");
        // One factor is inside, but another one is nearer: neither is definite.
        assert_eq!(interval(2.2, 2.4, 3.0).candidates, [2.0, 3.0]);
        // None is inside.
        let found = interval(2.4, 2.5, 2.6);
        assert_eq!((found.class, found.words().as_str(), found.candidates.len()), (DpClass::Undecided, "2.5", 0));
    }

    #[test]
    fn a_definite_factor_is_printed_as_the_number_that_it_is() {
        let found = interval(15.9, 16.0006, 16.1);
        assert_eq!((found.class, found.dpfactor, found.words().as_str()), (DpClass::New, 16.0, "16"));
        assert_eq!((found.measured, found.unsettled), (16.0006, 7));
    }

    #[test]
    fn one_row_of_five_may_differ_and_is_named() {
        let rows = [("A", 4.0, 8.0), ("B", 4.0, 8.0), ("C", 8.0, 16.0), ("D", 8.0, 16.0), ("E", 8.0, 8.0)];
        let found = factor(&rows);
        assert_eq!((found.dpfactor, found.class, found.agreeing), (2.0, DpClass::Known, 4));
        assert_eq!(found.contradicting, ["E"]);
    }

    #[test]
    fn rows_that_contradict_are_no_class_of_the_table() {
        // A full-rate card: additions and FMAs both take 4 cycles, so no factor fits both.
        let rows = [("V_ADD_F64", 4.0, 4.0), ("V_MAX_F64", 4.0, 4.0), ("V_FMA_F64", 8.0, 4.0), ("V_MUL_F64", 8.0, 4.0)];
        let found = factor(&rows);
        assert_eq!((found.class, found.contradicting.len()), (DpClass::Inconsistent, 2));
    }

    #[test]
    fn nothing_measured_is_said() {
        assert_eq!(DpFactor::of(&[], 0, table()), Err(NoDoublePrecision));
    }
}
