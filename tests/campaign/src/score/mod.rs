//! The score of a run: every number, cell, verdict and sentence against the truth.

mod cells;
mod penalties;
mod sentences;
mod table;
mod units;
mod verdicts;

use std::collections::BTreeSet;
use std::path::Path;

pub use table::ScoreError;
use table::Table;

use crate::level::Level;
use crate::tally::{Outcome, Statement, Tally};
use crate::truth::{Range, Truth};

/// Digits that the tables of a run are rounded to, at worst.
const PRINTED: f64 = 5.1e-5;

/// How the statements of a run fared.
#[derive(Debug, Clone, Default)]
pub struct Score {
    /// The counts.
    pub tally: Tally,
    /// Those that are false, in words.
    pub wrong: Vec<String>,
}

/// Scores a run's folder, and the program's output.
///
/// # Errors
/// A table is there and cannot be read.
pub fn score(truth: &Truth, level: Level, folder: &Path, printed: &str) -> Result<Score, ScoreError> {
    let throughputs = Table::read(folder, "throughput.csv")?;
    let waves: BTreeSet<u32> = throughputs.rows().filter_map(|row| row.whole("waves_per_simd")).collect();
    let mut scorer = Scorer { truth, level, waves: waves.into_iter().collect(), score: Score::default() };
    scorer.timings(&Table::read(folder, "timings.csv")?);
    scorer.throughputs(&throughputs);
    scorer.dp_factor(folder)?;
    scorer.variants(&Table::read(folder, "variants.csv")?);
    scorer.penalties(&Table::read(folder, "penalties.csv")?);
    let residence = Table::read(folder, "residence.csv")?;
    scorer.residence(&residence);
    scorer.occupancy(&Table::read(folder, "occupancy.csv")?, &residence);
    scorer.units(&Table::read(folder, "units.csv")?);
    scorer.pairs(&Table::read(folder, "pairs.csv")?);
    scorer.matrices(&Table::read(folder, "matrix.csv")?);
    scorer.overlaps(&Table::read(folder, "matrix-overlap.csv")?);
    scorer.validation(&Table::read(folder, "validation.csv")?);
    scorer.disputes(&Table::read(folder, "disputes.csv")?);
    scorer.sentences(printed);
    Ok(scorer.score)
}

/// A run that is being scored.
struct Scorer<'a> {
    truth: &'a Truth,
    level: Level,
    /// Numbers of waves on a SIMD that the run asked for.
    waves: Vec<u32>,
    score: Score,
}

impl Scorer<'_> {
    /// Counts a statement; `said` is for the list of those that are false.
    fn add(&mut self, statement: Statement, outcome: Outcome, said: impl FnOnce() -> String) {
        self.score.tally.add(statement, self.level, outcome);
        if outcome == Outcome::False {
            let line = format!("{} {statement:?}: {}", self.truth.gpu.name, said());
            self.score.wrong.push(line);
        }
    }

    /// Counts a number with its interval. It is false if the interval does not hold the truth, which is further from the number than
    /// `share` of it and than `apart`.
    fn number(
        &mut self,
        statement: Statement,
        what: &str,
        found: Option<[f64; 3]>,
        truth: Range,
        (share, apart): (f64, f64),
    ) {
        let Some([value, low, high]) = found else { return self.add(statement, Outcome::Silent, String::new) };
        let is_held = low - PRINTED <= truth.high && truth.low <= high + PRINTED;
        let is_near = truth.distance(value) <= (share * truth.high.abs()).max(apart) + PRINTED;
        let outcome = match (is_held, is_near) {
            (true, _) => Outcome::Right,
            (false, true) => Outcome::Missed,
            (false, false) => Outcome::False,
        };
        self.add(statement, outcome, || {
            format!("{what}: {value} [{low}, {high}], truth {} to {}", truth.low, truth.high)
        });
    }
}
