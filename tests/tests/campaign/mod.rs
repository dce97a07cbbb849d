//! The campaign of `docs/campaign.md`, small: random GPU files, quiet and noisy, and every statement of their runs against the files.

mod front_ends;
mod limits;

use std::ops::Range;

use clap::ValueEnum;
use gcn_analysis::DropRule;
use gcn_campaign::{Family, Level, Score, Truth, gpu_file, score};
use gcn_harness::device::{Chosen, SimulatedDevice};
use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_model::gpu::Gpu;
use gcn_tests::{Tier, measure_on, only, whole_summary};
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

/// Of CDNA and RDNA: of each unit and length, and pairs and matrix instructions.
const FEW_OF_OTHERS: [&str; 17] = [
    "S_MOV_B32",
    "S_ADD_U32",
    "S_BFE_U32",
    "V_MOV_B32",
    "V_ADD_F32",
    "V_EXP_F32",
    "V_CVT_F32_I32",
    "V_BFE_U32",
    "V_FMA_F32",
    "V_MUL_LO_U32",
    "V_LSHLREV_B64",
    "V_FMA_F64",
    "V_DUAL_FMAC_F32",
    "V_DUAL_MUL_F32",
    "V_MFMA_F32_16X16X4_F32",
    "V_MFMA_F64_16X16X4_F64",
    "DS_READ_B32",
];

/// The score of a run with some options.
fn of_run((gpu, truth): (&Gpu, &Truth), level: Level, options: &MeasureOptions) -> Score {
    let device = SimulatedDevice::new("sim:campaign", gpu);
    let device = Chosen::in_waves_of(Box::new(device), truth.lanes).expect("a size of its waves");
    let run = measure_on(&device, options);
    score(truth, level, run.folder(), &whole_summary(&run.analysis))
        .unwrap_or_else(|error| panic!("{}: {error}", truth.gpu.name))
}

/// Files, their noise, and how they are measured.
struct Campaign {
    family: Family,
    seeds: Range<u64>,
    level: Level,
    waves: &'static [u32],
    samples: u32,
    sweeps: u32,
}

impl Campaign {
    /// The scores: of each file one run of the rules, and one of some instructions.
    fn score(self) -> Score {
        let Self { family, seeds, level, waves, samples, sweeps } = self;
        let scores: Vec<Score> = seeds
            .into_par_iter()
            .flat_map_iter(|seed| {
                let text = gpu_file(seed, level, family);
                let gpu =
                    Gpu::from_toml(&text, "campaign.toml").unwrap_or_else(|error| panic!("{seed}: {error}\n{text}"));
                let truth = Truth::of(gpu.clone(), family.lanes(seed));
                let few = if family == Family::Gcn { &FEW[..] } else { &FEW_OF_OTHERS };
                let names: Vec<&str> = few.iter().copied().filter(|name| truth.find(name).is_some()).collect();
                let suites = |names: &[&str]| -> Vec<Suite> {
                    names.iter().map(|name| Suite::from_str(name, false).expect("a suite")).collect()
                };
                let of_names = suites(family.instructions());
                let instructions = MeasureOptions { suites: of_names, sweeps, samples, ..only(&names, waves) };
                let suites = suites(family.rules());
                let rules = MeasureOptions { suites, sweeps: 1, samples, ..MeasureOptions::default() };
                [instructions, rules].map(|options| of_run((&gpu, &truth), level, &options))
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
    let last = if Tier::All.runs("sixteen more of twenty quiet files") { 20 } else { 4 };
    // A machine without noise gives the same reading again and again: few of them will do.
    check(Kind::Quiet, &quiet(Family::Gcn, 1..last + 1).score());
}

/// Executions that take longer in turn make waves slow; no reading of them is late.
#[test]
fn no_reading_of_a_quiet_card_is_late() {
    let text = "base = \"tahiti\"\nname = \"turns\"\nproduct = \"Card with turns\"\n[cycles]\nS_LOAD_DWORDX8 = [8, 12, 40]\nS_LOAD_DWORDX16 = [16, 20, 24]\n";
    let gpu = Gpu::from_toml(text, "turns.toml").expect("a GPU file");
    let suites = vec![Suite::from_str("instructions", false).expect("a suite")];
    let names = ["S_LOAD_DWORDX8", "S_LOAD_DWORDX16"];
    let options = MeasureOptions { suites, ..only(&names, &[2, 4, 8, 10]) };
    let run = measure_on(&SimulatedDevice::new("sim:turns", &gpu), &options);
    let rows = || run.analysis.throughputs.iter().filter(|row| names.contains(&row.instruction.as_str()));
    assert_eq!(rows().count(), 8);
    for row in rows() {
        assert_eq!(row.tally.dropped.count(DropRule::LateWave), 0, "{}: {}", row.experiment, row.detail);
    }
}

/// Quiet files, on up to four waves.
fn quiet(family: Family, seeds: Range<u64>) -> Campaign {
    Campaign { family, seeds, level: Level::Quiet, waves: &[1, 2, 4], samples: 4, sweeps: 1 }
}

#[test]
fn quiet_files_of_cdna_and_rdna_give_true_statements() {
    if !Tier::Most.runs("quiet files of CDNA and RDNA") {
        return;
    }
    let [cdna, rdna] = if Tier::All.runs("two more files of CDNA, three of RDNA") { [5, 7] } else { [3, 4] };
    check(Kind::Others, &sum([quiet(Family::Cdna, 1..cdna), quiet(Family::Rdna, 1..rdna)].map(Campaign::score)));
}

#[test]
fn noisy_files_give_few_false_statements() {
    if !Tier::Most.runs("noisy files") {
        return;
    }
    let family = Family::Gcn;
    let campaign = |seeds, level| Campaign { family, seeds, level, waves: &[1, 2], samples: 10, sweeps: 2 };
    let more = u64::from(Tier::All.runs("three more noisy files, on a desktop and a busy card too"));
    let levels = [(101..102 + more, Level::Card), (201..201 + more, Level::Desktop), (301..301 + more, Level::Busy)];
    let campaigns = levels.map(|(seeds, level)| campaign(seeds, level));
    check(Kind::Noisy, &sum(campaigns.map(Campaign::score)));
}
