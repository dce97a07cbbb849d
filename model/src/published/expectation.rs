//! A source's statement about an instruction.

use super::{Expected, Expression, Footnote};

/// Where in a source a value stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A row of this table.
    Row {
        /// The table: `VOP3`.
        section: String,
    },
    /// A sentence about many instructions.
    Rule {
        /// The rule's id.
        id: String,
        /// The sentence as printed.
        sentence: String,
    },
}

/// One published value of an instruction.
#[derive(Debug, Clone, PartialEq)]
pub struct Expectation<'p> {
    /// The value; its display is exactly as printed.
    pub expression: Expression,
    /// Where it stands.
    pub from: Place,
    pub(super) footnote: Option<&'p Footnote>,
    pub(super) cycles: Option<Expression>,
    pub(super) cycles_footnote: Option<&'p Footnote>,
}

impl Expectation<'_> {
    /// The value as printed.
    pub fn printed(&self) -> String {
        self.expression.to_string()
    }

    /// The value on a GPU with this DPFACTOR, footnotes and formulas worked out.
    pub fn evaluate(&self, dp_factor: impl Into<f64>) -> Expected {
        let dp_factor = dp_factor.into();
        match (self.expression, self.cycles) {
            (Expression::OfCycles { numerator }, Some(cycles)) => {
                noted(cycles, self.cycles_footnote, dp_factor).map(|cycles| f64::from(numerator) / cycles)
            }
            (expression, _) => noted(expression, self.footnote, dp_factor),
        }
    }
}

fn noted(expression: Expression, footnote: Option<&Footnote>, dp_factor: f64) -> Expected {
    match (expression, footnote) {
        (Expression::Alternatives { first, second, .. }, Some(footnote)) => {
            // The CLRX table knows no factor below those that it names: anything faster than the fastest of a class is of that class.
            let named = || footnote.first_for_dp_factors.iter().map(|named| f64::from(*named));
            let is_first = named().any(|named| named == dp_factor) || named().all(|named| dp_factor < named);
            Expected::Exactly(if is_first { first } else { second }.into())
        }
        (expression, _) => expression.evaluate(dp_factor),
    }
}

/// A source's statement about an instruction; `None` where it is silent.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Expectations<'p> {
    /// Shader cycles for one wave; of a jump that is not taken.
    pub cycles: Option<Expectation<'p>>,
    /// Shader cycles of a jump that is taken.
    pub taken_cycles: Option<Expectation<'p>>,
    /// Instructions per cycle and compute unit.
    pub throughput: Option<Expectation<'p>>,
    /// Shader cycles until a dependent instruction can start.
    pub latency: Option<Expectation<'p>>,
}
