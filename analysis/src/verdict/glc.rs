//! The CLRX table's GLC1, GLC2: the cycles that the GLC modifier adds.

use std::collections::BTreeMap;
use std::fmt;

use gcn_model::published::{Expression, Published};
use gcn_model::quantity::Cycles;

use crate::one_wave::{GLC, VariantRow};
use crate::settle::CYCLES_RESOLUTION;
use crate::statistics::median;
use crate::tables::{Measured, Number, Quantity};

/// The value of a name of the CLRX table for the cycles that GLC adds.
#[derive(Debug, Clone, PartialEq)]
pub struct GlcExtra {
    /// The number in the name: 1 of GLC1.
    pub extra: u32,
    /// Shader cycles more with the modifier: median over the instructions, and the ends of all their intervals.
    pub cycles: Measured<Cycles>,
    /// Whether hardly any of them contradicts the median.
    pub agrees: bool,
    /// Instructions that print the name and were measured in both forms.
    pub instructions: Vec<String>,
}

/// Share of the instructions that may contradict the median.
const MOST_CONTRADICTING: f64 = 0.25;

impl fmt::Display for GlcExtra {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.agrees {
            return write!(f, "GLC{} = {}", self.extra, Number::cycles(self.cycles));
        }
        let [low, high] = [self.cycles.low, self.cycles.high].map(|end| Number::cycles(Measured::exactly(end.0)));
        write!(f, "GLC{} = the instructions do not agree, {low} to {high}", self.extra)
    }
}

/// The value of each name, in order of the names.
pub(crate) fn glc_extras(sources: &[Published], variants: &[VariantRow]) -> Vec<GlcExtra> {
    let mut by_name: BTreeMap<u32, Vec<&VariantRow>> = BTreeMap::new();
    for row in
        variants.iter().filter(|row| row.case == GLC && row.quantity.0 == Quantity::Cycles && row.difference.is_some())
    {
        let printed = sources.iter().find_map(|source| source.row(&row.instruction, None)?.cycles);
        if let Some(Expression::Glc { extra, .. }) = printed {
            by_name.entry(extra).or_default().push(row);
        }
    }
    let extra = |(extra, rows): (u32, Vec<&VariantRow>)| {
        let numbers: Vec<[f64; 3]> = rows.iter().filter_map(|row| Some(row.difference?.numbers())).collect();
        let values: Vec<f64> = numbers.iter().map(|[value, ..]| *value).collect();
        let low = numbers.iter().map(|[_, low, _]| *low).fold(f64::INFINITY, f64::min);
        let high = numbers.iter().map(|[.., high]| *high).fold(f64::NEG_INFINITY, f64::max);
        let instructions = rows.iter().map(|row| row.instruction.clone()).collect();
        let centre = median(&values)?;
        let contradicts =
            |[_, low, high]: &&[f64; 3]| centre < low - CYCLES_RESOLUTION || high + CYCLES_RESOLUTION < centre;
        let agrees = numbers.iter().filter(contradicts).count() as f64 <= MOST_CONTRADICTING * numbers.len() as f64;
        let cycles = Measured { value: centre, low, high }.map(Cycles);
        Some(GlcExtra { extra, cycles, agrees, instructions })
    };
    by_name.into_iter().filter_map(extra).collect()
}
