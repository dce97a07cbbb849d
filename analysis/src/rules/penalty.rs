//! The extra cost of an instruction's other form on many waves: rows of `penalties.csv`.

use gcn_model::published::Published;
use gcn_model::quantity::Cycles;
use gcn_model::record::StrideCase;

use crate::many_waves::ThroughputRow;
use crate::settle::{THROUGHPUT_RESOLUTION, VAGUE_THROUGHPUT};
use crate::statistics::divisor;
use crate::tables::{Measured, Verdict, decimal, table};
use crate::verdict::LdsStatement;

/// The experiment of the stride sweep on LDS, in `penalties.csv`.
pub const LDS_STRIDE: &str = "lds-stride";

table! { "penalties.csv":
    /// A row of `penalties.csv`.
    pub struct PenaltyRow {
        /// The experiment: [`LDS_STRIDE`], or the instruction that stood in another form.
        pub experiment: String,
        /// The case: `stride 8`.
        pub case: String,
        /// Where it stood: of the stride sweep, dwords from one lane's address to the next.
        pub offset_dwords: Option<u32>,
        pub waves_per_simd: u32,
        /// Shader cycles of the compute unit more for each instruction than in the case that costs least.
        pub penalty: Option<Measured<Cycles>> = "penalty_cycles" "low" "high",
        /// A source's statement about it: `0`, `more than 0`, `at least 30`; empty without one.
        pub expected: String,
        pub verdict: Verdict,
    }
}

/// The rows for all throughputs in other forms, in the run's order. A stride is compared with stride 1, any other form with the
/// plain one, on the same waves. Of several instructions whose strides were swept, `swept` has rows.
pub(crate) fn penalties(throughputs: &[ThroughputRow], swept: Option<&str>, sources: &[Published]) -> Vec<PenaltyRow> {
    let statement = LdsStatement::of(sources);
    throughputs
        .iter()
        .filter(|row| !row.case.is_empty())
        .filter(|row| StrideCase::read(&row.case).is_none() || swept.is_none_or(|swept| row.instruction == swept))
        .map(|row| {
            let stride = StrideCase::read(&row.case).map(|stride| stride.0);
            let base = stride.map_or_else(String::new, |_| StrideCase(1).to_string());
            let base = throughputs.iter().find(|other| {
                other.instruction == row.instruction && other.waves_per_simd == row.waves_per_simd && other.case == base
            });
            let costs = row.cost().zip(base.and_then(ThroughputRow::cost));
            let penalty = costs.map(|(cost, base)| cost.minus(base));
            let expectation = stride.zip(statement).zip(base.and_then(ThroughputRow::cost));
            let expectation = expectation.map(|((stride, said), base)| Expectation::of(stride, said, base.value.0));
            let verdict = match (&expectation, penalty, costs) {
                (Some(expectation), Some(penalty), Some((cost, _))) => expectation.verdict(penalty, cost.value.0),
                (None, Some(_), _) => Verdict::Answers,
                _ => Verdict::Unmeasured,
            };
            PenaltyRow {
                experiment: if stride.is_some() { LDS_STRIDE.to_owned() } else { row.instruction.clone() },
                case: row.case.clone(),
                offset_dwords: stride,
                waves_per_simd: row.waves_per_simd,
                penalty,
                expected: expectation.map(|expectation| expectation.to_string()).unwrap_or_default(),
                verdict,
            }
        })
        .collect()
}

/// The CLRX table's statement about a stride: bank arithmetic, and the least cost of the worst case.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Expectation {
    None,
    Some,
    AtLeast(f64),
}

impl Expectation {
    /// Lanes whose addresses differ by `stride` dwords share a bank if stride and banks have a common divisor.
    fn of(stride: u32, said: LdsStatement, base: f64) -> Self {
        match divisor(stride, said.banks) {
            1 => Self::None,
            ways if ways == said.banks => Self::AtLeast(1.0 / said.worst_throughput - base),
            _ => Self::Some,
        }
    }

    fn verdict(self, penalty: Measured<Cycles>, cost: f64) -> Verdict {
        let [value, low, high] = penalty.numbers();
        let resolution = THROUGHPUT_RESOLUTION * cost;
        if penalty.half_width() > VAGUE_THROUGHPUT * cost {
            return Verdict::Unmeasured;
        }
        let is_met = match self {
            Self::None => low - resolution <= 0.0 && high + resolution >= 0.0,
            Self::Some => value > resolution,
            Self::AtLeast(least) => high + resolution >= least,
        };
        if is_met { Verdict::Match } else { Verdict::Mismatch }
    }
}

impl std::fmt::Display for Expectation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::None => f.write_str("0"),
            Self::Some => f.write_str("more than 0"),
            Self::AtLeast(least) => write!(f, "at least {}", decimal((least * 100.0).round() / 100.0)),
        }
    }
}
