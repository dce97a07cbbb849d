//! How often statements were right, by their subject and by noise level.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;

use crate::level::Level;

/// The subject of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Statement {
    /// `cycles` of `timings.csv`.
    Cycles,
    /// `cycles_snapped`.
    Snapped,
    /// `latency` of an instruction that is no memory instruction.
    Latency,
    /// `taken` of a jump.
    Taken,
    /// `throughput` of `timings.csv`.
    Throughput,
    /// A row of `throughput.csv`: one number of waves.
    ThroughputOfWaves,
    /// `dpfactor.json`.
    DpFactor,
    /// A difference of `variants.csv`.
    Variant,
    /// Cases of the suite `alignment`, one wave.
    Alignment,
    /// Jumps of the suite `alignment`, one wave.
    Jumps,
    /// Cases of the suite `scheduling`, one wave.
    Scheduling,
    /// The summary's line on the front end.
    FrontEnd,
    /// The summary's line on the LDS banks.
    LdsBanks,
    /// GLC1 and GLC2 of the summary.
    Glc,
    /// Waves on a SIMD.
    Waves,
    /// Granules of VGPRs, SGPRs and LDS.
    Granule,
    /// Totals of VGPRs, SGPRs and LDS.
    Total,
    /// Rows of `residence.csv` on registers.
    Residence,
    /// SGPRs and VGPRs of `occupancy.csv`.
    Occupancy,
    /// `units.csv`.
    Unit,
    /// Pairs of `pairs.csv` that share no bank.
    Pair,
    /// `matrix.csv`.
    Matrix,
    /// `matrix-overlap.csv`, on one wave.
    Overlap,
    /// Verdicts of `validation.csv`.
    Validation,
    /// Verdicts of `disputes.csv`.
    Disputes,
}

/// How a statement fared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// It is true; of a number, its interval holds the truth.
    Right,
    /// Several candidates or a bound, and the truth is among them.
    Candidates,
    /// The interval does not hold the truth, which is within 1 % or half a cycle of the number: one of 20 is to be expected of noise.
    Missed,
    /// It is definite, and not true.
    False,
    /// Nothing is said.
    Silent,
}

impl Outcome {
    /// All, in the order of the table.
    pub const ALL: [Self; 5] = [Self::Right, Self::Candidates, Self::Missed, Self::False, Self::Silent];
}

/// Counts by statement and level.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    counts: BTreeMap<(Statement, Level), [usize; Outcome::ALL.len()]>,
}

impl Tally {
    /// Counts one statement.
    pub fn add(&mut self, statement: Statement, level: Level, outcome: Outcome) {
        self.counts.entry((statement, level)).or_default()[outcome as usize] += 1;
    }

    /// How many there are.
    pub fn count(&self, statement: Statement, level: Level, outcome: Outcome) -> usize {
        self.counts.get(&(statement, level)).map_or(0, |counts| counts[outcome as usize])
    }

    /// How many there are at all levels.
    pub fn total(&self, statement: Statement, outcome: Outcome) -> usize {
        Level::ALL.into_iter().map(|level| self.count(statement, level, outcome)).sum()
    }
}

impl AddAssign<&Self> for Tally {
    fn add_assign(&mut self, other: &Self) {
        for (key, counts) in &other.counts {
            let sums = self.counts.entry(*key).or_default();
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }
}

/// A Markdown table: `right / candidates / missed / false / silent` for each statement and level.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| right / candidates / missed / **false** / silent | {} |",
            Level::ALL.map(|level| level.to_string()).join(" | ")
        )?;
        writeln!(f, "| --- |{}", " --- |".repeat(Level::ALL.len()))?;
        let statements: std::collections::BTreeSet<Statement> =
            self.counts.keys().map(|(statement, _)| *statement).collect();
        for statement in statements {
            let cell = |level| {
                let [right, candidates, missed, wrong, silent] =
                    Outcome::ALL.map(|outcome| self.count(statement, level, outcome));
                let wrong = if wrong > 0 { format!("**{wrong}**") } else { "0".to_owned() };
                format!("{right} / {candidates} / {missed} / {wrong} / {silent}")
            };
            writeln!(f, "| {statement:?} | {} |", Level::ALL.map(cell).join(" | "))?;
        }
        Ok(())
    }
}
