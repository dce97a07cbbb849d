//! The campaign of `docs/campaign.md`, small: random GPU files, quiet and noisy, and every statement of their runs against the files.

mod front_ends;
mod limits;

use std::ops::Range;

use gcn_campaign::{Family, Level, Score, Truth, gpu_file, score};
use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_model::gpu::Gpu;
use gcn_tests::{Tier, measure, only, whole_summary};
use rayon::prelude::*;

use limits::{Kind, check};

/// Instructions that are asked for: of each unit and length, those that DPFACTOR is told by among them.
const FEW: [&str; 21] = [
    "S_MOV_B32",
    "S_ADD_U32",
    "S_MUL_I32",
    "S_NOP",
    "S_BRANCH",
    "S_CBRANCH_SCC1",
    "S_LOAD_DWORD",
    "V_MOV_B32",
    "V_ADD_F32",
    "V_RCP_F32",
    "V_READLANE_B32",
    "V_FMA_F32",
    "V_MUL_LO_U32",
    "V_ADD_F64",
    "V_MUL_F64",
    "V_FMA_F64",
    "V_RCP_F64",
    "DS_READ_B32",
    "BUFFER_LOAD_DWORD",
    "BUFFER_ATOMIC_ADD",
    "BUFFER_ATOMIC_ADD_X2",
];

/// The score of a run with some options.
fn of_run(truth: &Truth, level: Level, options: &MeasureOptions) -> Score {
    let run = measure(&truth.gpu, options);
    score(truth, level, run.folder(), &whole_summary(&run.analysis))
        .unwrap_or_else(|error| panic!("{}: {error}", truth.gpu.name))
}

/// Files, their noise, and how they are measured.
struct Campaign {
    seeds: Range<u64>,
    level: Level,
    waves: &'static [u32],
    samples: u32,
    sweeps: u32,
}

impl Campaign {
    /// The scores: of each file one run of the rules, and one of some instructions.
    fn score(self) -> Score {
        let Self { seeds, level, waves, samples, sweeps } = self;
        let scores: Vec<Score> = seeds
            .into_par_iter()
            .flat_map_iter(|seed| {
                let text = gpu_file(seed, level, Family::Gcn);
                let gpu =
                    Gpu::from_toml(&text, "campaign.toml").unwrap_or_else(|error| panic!("{seed}: {error}\n{text}"));
                let truth = Truth::of(gpu, 64);
                let names: Vec<&str> = FEW.into_iter().filter(|name| truth.find(name).is_some()).collect();
                let instructions = MeasureOptions { sweeps, samples, ..only(&names, waves) };
                let suites = vec![Suite::Alignment, Suite::Scheduling, Suite::Occupancy, Suite::Lds];
                let rules = MeasureOptions { suites, sweeps: 1, samples, ..MeasureOptions::default() };
                [of_run(&truth, level, &instructions), of_run(&truth, level, &rules)]
            })
            .collect();
        sum(scores)
    }
}

fn sum(scores: impl IntoIterator<Item = Score>) -> Score {
    scores.into_iter().fold(Score::default(), |mut sum, score| {
        sum.tally += &score.tally;
        sum.wrong.extend(score.wrong);
        sum
    })
}

#[test]
fn quiet_files_give_true_statements() {
    let last = if Tier::Most.runs("twelve more of twenty quiet files") { 20 } else { 8 };
    // A machine without noise gives the same reading again and again: few of them will do.
    let score = Campaign { seeds: 1..last + 1, level: Level::Quiet, waves: &[1, 2, 4], samples: 4, sweeps: 1 }.score();
    check(Kind::Quiet, &score);
}

#[test]
fn noisy_files_give_few_false_statements() {
    if !Tier::Most.runs("noisy files") {
        return;
    }
    let campaign = |seeds, level| Campaign { seeds, level, waves: &[1, 2], samples: 10, sweeps: 2 };
    let levels = [(101..103, Level::Card), (201..202, Level::Desktop), (301..302, Level::Busy)];
    let campaigns = levels.map(|(seeds, level)| campaign(seeds, level));
    check(Kind::Noisy, &sum(campaigns.map(Campaign::score)));
}
