//! How many statements of a kind may be false: the one table of limits.

use gcn_campaign::{Outcome, Score, Statement};

/// A kind of statements, and how many of 20 quiet and of 4 noisy files may be false. None of those that hold; the others are counted until
/// their conclusions are made anew, and their limits only fall. Seeds became independent on 2026-11-26, and levels of noise others on the 27th, which made other files.
const LIMITS: [(Statement, usize, usize); 21] = [
    (Statement::Cycles, 0, 1),
    (Statement::Snapped, 0, 0),
    (Statement::Latency, 0, 0),
    (Statement::Taken, 0, 0),
    (Statement::Variant, 0, 0),
    (Statement::Jumps, 0, 0),
    (Statement::Alignment, 0, 0),
    (Statement::DpFactor, 0, 0),
    (Statement::Glc, 0, 0),
    (Statement::Throughput, 0, 0),
    (Statement::ThroughputOfWaves, 3, 1),
    (Statement::Scheduling, 0, 0),
    (Statement::FrontEnd, 0, 0),
    (Statement::LdsBanks, 0, 0),
    (Statement::Waves, 0, 0),
    (Statement::Granule, 0, 0),
    (Statement::Total, 0, 0),
    (Statement::Residence, 0, 0),
    (Statement::Occupancy, 0, 0),
    (Statement::Validation, 0, 0),
    (Statement::Disputes, 0, 0),
];

/// The two campaigns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Quiet,
    Noisy,
}

/// Holds a campaign's counts against the limits.
///
/// # Panics
/// More statements of a kind are false than its limit says, or of the quiet files none of a kind was made.
pub(crate) fn check(kind: Kind, score: &Score) {
    println!("{}", score.tally);
    let mut beyond = Vec::new();
    for (statement, quiet, noisy) in LIMITS {
        let limit = if kind == Kind::Quiet { quiet } else { noisy };
        let found = score.tally.total(statement, Outcome::False);
        if found > limit {
            let name = format!(" {statement:?}: ");
            let said: Vec<_> =
                score.wrong.iter().filter(|line| line.contains(&name)).take(5).map(String::as_str).collect();
            beyond.push(format!("{statement:?}: {found} false, at most {limit}:\n    {}", said.join("\n    ")));
        }
        let made: usize = Outcome::ALL.into_iter().map(|outcome| score.tally.total(statement, outcome)).sum();
        if kind == Kind::Quiet && made == 0 {
            beyond.push(format!("{statement:?}: no such statement was made"));
        }
    }
    assert!(beyond.is_empty(), "{}", beyond.join("\n"));
}
