//! How many statements of a kind may be false: the one table of limits.

use gcn_campaign::{Outcome, Score, Statement};

/// A kind of statements, and how many of 20 quiet and of 4 noisy files of GCN, and of 10 quiet ones of CDNA and RDNA, may be false. None of
/// those that hold; the others are counted until their conclusions are made anew, and their limits only fall. Files of the levels card and desktop became others on 2026-11-27: their counters move in steps.
const LIMITS: [(Statement, usize, usize, usize); 25] = [
    (Statement::Cycles, 0, 1, 0),
    (Statement::Snapped, 0, 0, 0),
    (Statement::Latency, 0, 0, 0),
    (Statement::Taken, 0, 0, 0),
    (Statement::Variant, 0, 0, 0),
    (Statement::Jumps, 0, 0, 0),
    (Statement::Alignment, 0, 0, 0),
    (Statement::DpFactor, 0, 0, 0),
    (Statement::Glc, 0, 0, 0),
    (Statement::Throughput, 0, 1, 0),
    (Statement::ThroughputOfWaves, 3, 2, 0),
    (Statement::Scheduling, 0, 0, 0),
    (Statement::FrontEnd, 0, 0, 0),
    (Statement::LdsBanks, 0, 0, 0),
    (Statement::Waves, 0, 0, 0),
    (Statement::Granule, 0, 0, 0),
    (Statement::Total, 0, 0, 0),
    (Statement::Residence, 0, 0, 0),
    (Statement::Occupancy, 0, 0, 0),
    (Statement::Unit, 0, 0, 0),
    (Statement::Pair, 0, 0, 0),
    (Statement::Matrix, 0, 0, 0),
    (Statement::Overlap, 0, 0, 0),
    (Statement::Validation, 0, 0, 0),
    (Statement::Disputes, 0, 0, 0),
];

/// Statements of suites that GCN does not have.
const OF_OTHERS: [Statement; 4] = [Statement::Unit, Statement::Pair, Statement::Matrix, Statement::Overlap];

/// The three campaigns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Quiet,
    Noisy,
    /// Quiet files of CDNA and RDNA.
    Others,
}

impl Kind {
    /// Whether some statement of a kind must have been made.
    fn makes(self, statement: Statement) -> bool {
        match self {
            Self::Quiet => !OF_OTHERS.contains(&statement),
            Self::Noisy => false,
            Self::Others => OF_OTHERS.contains(&statement),
        }
    }
}

/// Holds a campaign's counts against the limits.
///
/// # Panics
/// More statements of a kind are false than its limit says, or of quiet files none of a kind was made.
pub(crate) fn check(kind: Kind, score: &Score) {
    println!("{}", score.tally);
    let mut beyond = Vec::new();
    for (statement, quiet, noisy, others) in LIMITS {
        let limit = match kind {
            Kind::Quiet => quiet,
            Kind::Noisy => noisy,
            Kind::Others => others,
        };
        let found = score.tally.total(statement, Outcome::False);
        if found > limit {
            let name = format!(" {statement:?}: ");
            let said: Vec<_> =
                score.wrong.iter().filter(|line| line.contains(&name)).take(5).map(String::as_str).collect();
            beyond.push(format!("{statement:?}: {found} false, at most {limit}:\n    {}", said.join("\n    ")));
        }
        let made: usize = Outcome::ALL.into_iter().map(|outcome| score.tally.total(statement, outcome)).sum();
        if kind.makes(statement) && made == 0 {
            beyond.push(format!("{statement:?}: no such statement was made"));
        }
    }
    assert!(beyond.is_empty(), "{}", beyond.join("\n"));
}
