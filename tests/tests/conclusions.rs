//! A run's conclusions about an invented card: random GPU files that change every documented key at once, quiet and noisy. No sentence
//! of the summary on waves, registers, LDS and the front end may be definite and false, and no row of theirs.

use gcn_campaign::{Family, Level, Outcome, Statement, Truth, gpu_file, score};
use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_model::gpu::Gpu;
use gcn_tests::{measure, part_of, whole_summary};

/// The conclusion, and its rows.
const CONCLUSIONS: [Statement; 8] = [
    Statement::FrontEnd,
    Statement::LdsBanks,
    Statement::Waves,
    Statement::Granule,
    Statement::Total,
    Statement::Residence,
    Statement::Occupancy,
    Statement::Jumps,
];

/// Measures the files of these seeds; the level of noise is the seed modulo 5. Gives how many statements were right, or had the truth among
/// their candidates, and how many there were.
fn conclude(seeds: &[u64], options: &MeasureOptions) -> (usize, usize) {
    let (mut right, mut all) = (0, 0);
    for &seed in seeds {
        let level = Level::of_seed(seed);
        let gpu = Gpu::from_toml(&gpu_file(seed, level, Family::Gcn), "campaign.toml").unwrap();
        let suites = vec![Suite::Alignment, Suite::Occupancy, Suite::Lds];
        let run = measure(&gpu, &MeasureOptions { suites, ..options.clone() });
        let found = score(&Truth::of(gpu, 64), level, run.folder(), &whole_summary(&run.analysis)).unwrap();
        for statement in CONCLUSIONS {
            let wrong: Vec<&String> =
                found.wrong.iter().filter(|line| line.contains(&format!(" {statement:?}: "))).collect();
            assert_eq!(found.tally.total(statement, Outcome::False), 0, "{wrong:#?}");
            right += found.tally.total(statement, Outcome::Right) + found.tally.total(statement, Outcome::Candidates);
            all += Outcome::ALL.map(|outcome| found.tally.total(statement, outcome)).iter().sum::<usize>();
        }
    }
    (right, all)
}

#[test]
fn quiet_cards() {
    let (right, all) = conclude(
        part_of(&[5, 10, 15], 1, "two more quiet cards"),
        &MeasureOptions { samples: 8, sweeps: 1, ..MeasureOptions::default() },
    );
    // An amount with which no kernel can run has no number of waves.
    assert!(3 * right > 2 * all, "{right} of {all}");
}

#[test]
fn noisy_cards() {
    let (right, all) = conclude(part_of(&[2, 3], 1, "one more noisy card"), &MeasureOptions::default());
    assert!(2 * right > all, "{right} of {all}");
}
