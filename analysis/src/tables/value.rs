//! How the fields of rows are written as cells, and read from them.

use gcn_model::published::DisputedQuantity;
use gcn_model::quantity::{Bytes, Cycles, InstructionsPerCycle, Passes};
use gcn_model::record::{DeviceRecord, ExperimentKind, columns};
use serde::de::value::{Error, StrDeserializer};
use serde::de::{Deserialize, IntoDeserializer};
use serde::{Serialize, Serializer};

use super::measured::{Measured, decimal};
use super::number::Number;
use super::published::{Column, Quantity};
use super::single::{Single, named, words};
use crate::settle::{DropRule, Dropped, Status, Tally};

/// A field of a row: one column, or several side by side.
pub(crate) trait Value: Sized {
    /// Whether a file may lack its columns.
    const MAY_BE_ABSENT: bool = false;

    /// Its cells; those that are missing are empty.
    fn texts(&self) -> Vec<String>;

    /// The value of these cells.
    fn of_texts(texts: &[&str]) -> Result<Self, String>;

    /// Likewise for a reader, on results of a device.
    fn shown(&self, device: &DeviceRecord) -> Shown;
}

/// A field's value for a reader.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Shown {
    pub text: String,
    /// The whole value with its interval, where `text` is rounded.
    pub exact: String,
    pub numeric: bool,
}

impl From<Number> for Shown {
    fn from(number: Number) -> Self {
        Self { text: number.to_string(), exact: number.exact.unwrap_or_default(), numeric: true }
    }
}

impl From<&str> for Shown {
    fn from(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }
}

impl<S: Single> Value for S {
    fn texts(&self) -> Vec<String> {
        vec![self.text()]
    }

    fn of_texts(texts: &[&str]) -> Result<Self, String> {
        S::of_text(texts[0])
    }

    fn shown(&self, device: &DeviceRecord) -> Shown {
        Shown { text: self.words(device), exact: String::new(), numeric: S::IS_NUMERIC }
    }
}

impl<S: Single> Value for Option<S> {
    const MAY_BE_ABSENT: bool = true;

    fn texts(&self) -> Vec<String> {
        self.iter().map(Single::text).collect()
    }

    fn of_texts(texts: &[&str]) -> Result<Self, String> {
        (!texts[0].is_empty()).then(|| S::of_text(texts[0])).transpose()
    }

    fn shown(&self, device: &DeviceRecord) -> Shown {
        let nothing = || Shown { numeric: S::IS_NUMERIC, ..Shown::default() };
        self.as_ref().map_or_else(nothing, |value| value.shown(device))
    }
}

/// A quantity that is stored as a number.
pub(crate) trait Figure: Copy + Into<f64> {
    fn of(number: f64) -> Self;

    /// As it is printed.
    fn number(measured: Measured<Self>) -> Number;
}

macro_rules! figures {
    ($($figure:ident by $number:path),+) => {
        $(impl Figure for $figure {
            fn of(number: f64) -> Self {
                $figure(number)
            }

            fn number(measured: Measured<Self>) -> Number {
                $number(measured)
            }
        })+
    };
}

figures!(Cycles by Number::cycles, InstructionsPerCycle by Number::rate);

impl Figure for f64 {
    fn of(number: f64) -> Self {
        number
    }

    fn number(measured: Measured<Self>) -> Number {
        Number::rate(measured)
    }
}

impl<F: Figure> Single for F {
    const IS_NUMERIC: bool = true;

    fn text(&self) -> String {
        decimal(*self)
    }

    fn of_text(text: &str) -> Result<Self, String> {
        text.parse().map(F::of).map_err(|_| format!("{text:?} is not a number"))
    }
}

impl<F: Figure> Value for Option<Measured<F>> {
    const MAY_BE_ABSENT: bool = true;

    fn texts(&self) -> Vec<String> {
        self.iter().flat_map(|measured| measured.numbers().map(decimal)).collect()
    }

    /// Absent if one of the three columns is empty or no number; of one column it has no interval.
    fn of_texts(texts: &[&str]) -> Result<Self, String> {
        let mut numbers = Vec::new();
        for text in texts {
            numbers.extend(Option::<f64>::of_texts(&[text])?.filter(|number| number.is_finite()));
        }
        Ok(match numbers[..] {
            [value] if texts.len() == 1 => Some([value; 3]),
            [value, low, high] => Some([value, low, high]),
            _ => None,
        }
        .map(|[value, low, high]| Measured { value: F::of(value), low: F::of(low), high: F::of(high) }))
    }

    fn shown(&self, _: &DeviceRecord) -> Shown {
        self.map_or_else(|| Shown { numeric: true, ..Shown::default() }, |measured| F::number(measured).into())
    }
}

impl<F: Figure> Value for Measured<F> {
    fn texts(&self) -> Vec<String> {
        Some(*self).texts()
    }

    fn of_texts(texts: &[&str]) -> Result<Self, String> {
        Option::of_texts(texts)?.ok_or_else(|| format!("{} is not a number", texts.join(", ")))
    }

    fn shown(&self, device: &DeviceRecord) -> Shown {
        Some(*self).shown(device)
    }
}

impl Single for String {
    fn text(&self) -> String {
        self.clone()
    }

    fn of_text(text: &str) -> Result<Self, String> {
        Ok(text.to_owned())
    }
}

macro_rules! whole_numbers {
    ($($number:ty),+) => {
        $(impl Single for $number {
            const IS_NUMERIC: bool = true;

            fn text(&self) -> String {
                self.to_string()
            }

            fn of_text(text: &str) -> Result<Self, String> {
                text.parse().map_err(|why| format!("{text:?}: {why}"))
            }
        })+
    };
}

whole_numbers!(u8, u32, usize);

macro_rules! counts {
    ($($count:ident of $number:ty),+) => {
        $(impl Single for $count {
            const IS_NUMERIC: bool = true;

            fn text(&self) -> String {
                self.0.text()
            }

            fn of_text(text: &str) -> Result<Self, String> {
                <$number>::of_text(text).map(Self)
            }
        })+
    };
}

counts!(Bytes of u32, Passes of u8);

words!(Status);

impl Serialize for Column {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Single for Column {
    fn text(&self) -> String {
        self.to_string()
    }

    fn of_text(text: &str) -> Result<Self, String> {
        named(&Quantity::ALL, Quantity::column, text).map(Self)
    }
}

/// The quantities of disputes, each with its word in `disputes.csv`.
const DISPUTED: [(DisputedQuantity, &str); 7] = [
    (DisputedQuantity::Cycles, Quantity::Cycles.name()),
    (DisputedQuantity::TakenCycles, Quantity::TakenCycles.name()),
    (DisputedQuantity::Throughput, Quantity::Throughput.name()),
    (DisputedQuantity::LdsBanks, "lds_banks"),
    (DisputedQuantity::LdsConflict, "lds_conflict"),
    (DisputedQuantity::Waves, "waves_per_simd"),
    (DisputedQuantity::Other, ""),
];

/// The word for a quantity in `disputes.csv`.
pub(crate) fn disputed_word(quantity: DisputedQuantity) -> &'static str {
    DISPUTED.into_iter().find(|(known, _)| *known == quantity).map_or("", |(_, word)| word)
}

impl Single for DisputedQuantity {
    fn text(&self) -> String {
        disputed_word(*self).to_owned()
    }

    fn of_text(text: &str) -> Result<Self, String> {
        named(&DISPUTED, |(_, word)| word, text).map(|(quantity, _)| quantity)
    }
}

impl Single for ExperimentKind {
    fn text(&self) -> String {
        serde_json::to_value(self).ok().and_then(|word| Some(word.as_str()?.to_owned())).unwrap_or_default()
    }

    fn of_text(text: &str) -> Result<Self, String> {
        let word: StrDeserializer<'_, Error> = text.into_deserializer();
        Self::deserialize(word).map_err(|_| format!("{text:?} is not one of {}", columns::<Self>().join(", ")))
    }
}

/// Granules, separated by spaces.
impl Single for Vec<u32> {
    fn text(&self) -> String {
        self.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
    }

    fn of_text(text: &str) -> Result<Self, String> {
        text.split_whitespace().map(u32::of_text).collect()
    }

    fn words(&self, _: &DeviceRecord) -> String {
        self.text().replace(' ', " or ")
    }
}

/// Least and most.
impl Value for (u32, Option<u32>) {
    fn texts(&self) -> Vec<String> {
        [vec![self.0.text()], self.1.texts()].concat()
    }

    fn of_texts(texts: &[&str]) -> Result<Self, String> {
        Ok((u32::of_text(texts[0])?, Option::of_texts(&texts[1..])?))
    }

    fn shown(&self, _: &DeviceRecord) -> Shown {
        Shown { text: from_to(*self), exact: String::new(), numeric: true }
    }
}

/// Least and most in words; without a most there is no bound.
pub(crate) fn from_to(ends: (u32, Option<u32>)) -> String {
    match ends {
        (least, Some(most)) if least == most => least.to_string(),
        (least, Some(most)) => format!("{least} to {most}"),
        (least, None) => format!("{least} or more"),
    }
}

/// What became of readings: stored, used, dropped by each rule, of an instruction alone, without an estimate.
impl Value for Tally {
    fn texts(&self) -> Vec<String> {
        let dropped = DropRule::ALL.map(|rule| self.count(rule));
        [&[self.readings, self.used][..], &dropped, &[self.alone, self.no_estimate]]
            .concat()
            .iter()
            .map(Single::text)
            .collect()
    }

    fn of_texts(texts: &[&str]) -> Result<Self, String> {
        let counts = texts.iter().map(|text| usize::of_text(text)).collect::<Result<Vec<_>, _>>()?;
        let [readings, used, by_rule @ .., alone, no_estimate] = &counts[..] else {
            return Err("no counts".to_owned());
        };
        let mut dropped = Dropped::default();
        DropRule::ALL.into_iter().zip(by_rule).for_each(|(rule, count)| dropped.add(rule, *count));
        Ok(Self { readings: *readings, used: *used, dropped, alone: *alone, no_estimate: *no_estimate })
    }

    fn shown(&self, _: &DeviceRecord) -> Shown {
        Shown::from(self.to_string().as_str())
    }
}
