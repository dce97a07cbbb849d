//! Random cards of CDNA and RDNA, each with a front end that charges and without: what a run states of the one holds of the other.
//!
//! No model is asked for the truth, so that every table can be compared.

use std::collections::BTreeMap;

use gcn_analysis::Measured;
use gcn_campaign::Random;
use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_model::gpu::Gpu;
use gcn_model::quantity::Cycles;
use gcn_tests::{MeasuredRun, Tier, blind_gpu, measure, only};
use rayon::prelude::*;

const CDNA: [&str; 3] = ["mi210", "mi300x", "mi355x"];
const RDNA: [&str; 4] = ["rx5700xt", "rx6800", "rx7900xtx", "rx9070xt"];
/// Of each unit and length, as far as a card has them.
const FEW: [&str; 15] = [
    "S_MUL_I32",
    "V_MOV_B32",
    "V_ADD_F32",
    "V_BFE_U32",
    "V_FMA_F32",
    "V_MUL_LO_U32",
    "V_ADD_CO_U32",
    "V_LSHLREV_B64",
    "V_EXP_F32",
    "V_FMA_F64",
    "V_PK_FMA_F32",
    "V_DUAL_FMAC_F32",
    "V_WMMA_F32_16X16X16_F16",
    "V_MFMA_F32_16X16X16_F16",
    "V_MFMA_F32_4X4X4_16B_F16",
];
/// Two numbers of exact readings differ by this much at most.
const APART: f64 = 0.26;

/// Keys of the machine.
fn machine(random: &mut Random, is_rdna: bool) -> String {
    if is_rdna {
        format!(
            "dp_factor = {}\n[pipelines]\nvector_latency_cycles = {}\ntranscendental_cycles = {}\n\
             transcendental_latency_cycles = {}\ndouble_latency_cycles = {}\nmasks_under_way = {}\n\
             mask_latency_cycles = {}\n[lds]\nlatency_cycles = {}\n",
            random.whole(1, 32),
            random.whole(3, 9),
            random.one_of(&[1, 2, 3, 4, 8]),
            random.whole(8, 16),
            random.whole(0, 12),
            random.one_of(&[2, 3, 4, 8, 12]),
            random.whole(2, 40),
            random.whole(20, 150),
        )
    } else {
        format!(
            "dp_factor = {}\n[matrix]\naccumulator_cycles = {}\noperand_cycles = {}\nreader_cycles = {}\n\
             gap_cycles = {}\n[lds]\nlatency_cycles = {}\n[cycles]\nV_FMA_F32 = {}\n",
            random.whole(1, 32),
            random.one_of(&[0, 3, 8]),
            random.whole(0, 16),
            random.whole(0, 20),
            random.one_of(&[4, 8, 12]),
            random.whole(20, 150),
            random.one_of(&[4, 8, 12, 16]),
        )
    }
}

/// Keys of a front end that charges.
fn front_end(random: &mut Random) -> String {
    let block = random.one_of(&[8, 16, 32, 64, 128]);
    let line = if block == 128 { "[instruction_cache]\nline_bytes = 128\n" } else { "" };
    format!(
        "[front_end]\nalignment_penalties = true\npenalty_cycles = {}\nblock_bytes = {block}\nfree_dwords = {}\n\
         long_instruction_cycles_per_free_dword = {}\n[memtime]\nround_trip_cycles = {}\n{line}",
        random.whole(1, 8),
        random.whole(0, (block / 4).min(16)),
        random.one_of(&[0, 2, 4, 8]),
        random.whole(8, 200),
    )
}

fn run(base: &str, lines: &str) -> MeasuredRun {
    let gpu: Gpu = blind_gpu(base, lines);
    let names: Vec<&str> = FEW.into_iter().filter(|name| gpu.processor().instruction(name).is_some()).collect();
    let suites = vec![Suite::Instructions, Suite::Units, Suite::Pairs, Suite::Matrix];
    measure(&gpu, &MeasureOptions { suites, sweeps: 1, samples: 4, ..only(&names, &[1]) })
}

/// The numbers of a run that the front end is no part of, with their intervals.
fn numbers(run: &MeasuredRun) -> BTreeMap<String, [f64; 3]> {
    let mut all: Vec<(String, Option<[f64; 3]>)> = Vec::new();
    let number = |measured: Option<Measured<Cycles>>| measured.map(|measured| measured.numbers());
    for row in &run.analysis.timings {
        let name = format!("{} in {} bytes", row.instruction, row.bytes.0);
        all.push((format!("cycles {name}"), number(row.cycles)));
        all.push((format!("latency {name}"), number(row.latency)));
    }
    for row in &run.analysis.units.cells {
        // A bound is an interval from 0 on.
        let found = number(row.cycles).or(row.at_most.map(|most| [most, 0.0, most]));
        all.push((format!("{} to {}", row.producer, row.consumer), found));
    }
    for row in run.analysis.pairs.iter().filter(|row| row.shared.is_none()) {
        all.push((format!("pair {} {}", row.first, row.second), number(row.cycles)));
        all.push((format!("in sequence {} {}", row.first, row.second), number(row.in_sequence)));
    }
    for row in &run.analysis.matrix.instructions {
        let all_of = [row.cycles, row.to_accumulators, row.to_operand, row.to_reader];
        all.extend(
            (0..).zip(all_of).map(|(place, found)| (format!("matrix {place} {}", row.instruction), number(found))),
        );
    }
    for row in &run.analysis.matrix.overlaps {
        let name = format!("{} beside {} {}", row.instruction, row.amount, row.neighbour);
        all.push((format!("{name} on {}", row.waves_per_simd), Some(row.cycles.numbers())));
    }
    all.into_iter().filter_map(|(name, found)| Some((name, found?))).collect()
}

/// What the two runs of a card contradict each other in, and how many numbers both state.
fn contradictions(seed: u64, bases: &[&'static str], is_rdna: bool) -> (Vec<String>, usize) {
    let random = &mut Random::new(seed);
    let base = random.one_of(bases);
    let machine = machine(random, is_rdna);
    let rules = front_end(random);
    let plain = numbers(&run(base, &format!("{machine}[front_end]\npenalty_cycles = 0\n")));
    let charged = numbers(&run(base, &format!("{machine}{rules}")));
    let both = || charged.iter().filter_map(|(name, found)| Some((name, found, plain.get(name)?)));
    let is_apart = |[_, low, high]: &[f64; 3], other: &[f64; 3]| low - APART > other[2] || other[1] - APART > *high;
    let wrong = both().filter(|(_, found, known)| is_apart(found, known)).map(|(name, found, known)| {
        format!("{seed} {base}: {name}: {found:?}, without a charge {known:?}\n{machine}{rules}")
    });
    (wrong.collect(), both().count())
}

#[test]
fn no_number_depends_on_what_the_front_end_charges() {
    if !Tier::Most.runs("random cards of which only one charges long instructions") {
        return;
    }
    let (rdna, cdna) = if Tier::All.runs("six more of these cards") { (8, 5) } else { (4, 3) };
    let files: Vec<(u64, bool)> =
        (1..=rdna).map(|seed| (seed, true)).chain((1..=cdna).map(|seed| (seed, false))).collect();
    let found: Vec<(Vec<String>, usize)> = files
        .into_par_iter()
        .map(|(seed, is_rdna)| contradictions(seed, if is_rdna { &RDNA } else { &CDNA }, is_rdna))
        .collect();
    let (wrong, counts): (Vec<Vec<String>>, Vec<usize>) = found.into_iter().unzip();
    assert!(counts.iter().all(|count| *count > 15), "{counts:?}");
    let wrong = wrong.concat();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), counts.iter().sum::<usize>(), wrong.join("\n"));
}
