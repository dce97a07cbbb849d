//! A made-up card, measured in noise: predictions from the run's folder hold the hidden card's cycles.

use std::collections::BTreeSet;

use gcn_analysis::DpClass;
use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_harness::run_card;
use gcn_model::gpu::Gpu;
use gcn_predict::{Basis, Card, Code, Question, Region, RegionKind, predict, predict_between, predict_card};
use gcn_tests::{Tier, blind_gpu, chip, measure};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// Unpublished values without a reference: cycles, throughputs, jumps, memory.
const HIDDEN: &str = "[branch]\nnot_taken_cycles = 8\ntaken_cycles = 28\n\
    [vector_memory]\nlatency_cycles = 391\n[scalar_memory]\nlatency_cycles = 77\n[lds]\nlatency_cycles = 52\n\
    [cycles]\nV_MUL_F32 = 8\nV_FMA_F64 = 24\nV_RCP_F32 = 20\nV_MUL_LO_U32 = 12\nV_CMP_LT_F32 = 8\nS_ADD_U32 = 8\n\
    V_SQRT_F32 = 36\nV_ADD_F32 = 4\nDS_READ_B32 = 8\nS_MUL_I32 = 12\n";
const NOISE: &str = "[noise]\nseed = 5\njitter_cycles = 6\noutlier_rate = 0.03\noutlier_cycles = 3000\n";
/// Lines whose instructions are all measured.
const LINES: [&str; 14] = [
    "v_mul_f32_e32 v5, v3, v4",
    "v_mul_f32_e64 v6, v3, v4",
    "v_fma_f64 v[8:9], v[10:11], v[10:11], v[8:9]",
    "v_rcp_f32_e32 v13, v4",
    "v_sqrt_f32_e32 v12, v4",
    "v_mul_lo_u32 v3, v4, v5",
    "v_cmp_lt_f32_e32 vcc, v3, v4",
    "v_add_f32_e32 v7, v3, v4",
    "s_add_u32 s22, s22, s23",
    "s_mul_i32 s27, s22, s23",
    "s_nop 2",
    "ds_read_b32 v4, v0\ns_waitcnt lgkmcnt(0)",
    "buffer_load_dword v7, v0, s[4:7], 0 offen\ns_waitcnt vmcnt(0)",
    "s_load_dword s24, s[0:1], 0x0\ns_waitcnt lgkmcnt(0)",
];
const MEASURED: [&str; 18] = [
    "V_MUL_F32",
    "V_FMA_F64",
    "V_RCP_F32",
    "V_SQRT_F32",
    "V_MUL_LO_U32",
    "V_CMP_LT_F32",
    "V_ADD_F32",
    "S_ADD_U32",
    "S_MUL_I32",
    "DS_READ_B32",
    "BUFFER_LOAD_DWORD",
    "S_LOAD_DWORD",
    "S_BRANCH",
    "S_CBRANCH_SCC1",
    "S_CBRANCH_SCC0",
    "S_SUB_U32",
    "S_CMP_LG_U32",
    "V_MOV_B32",
];
/// Random kernels in the tiers `most` and `all`.
const KERNELS: [usize; 2] = [40, 200];
/// A prediction is called steady up to this share of it.
const STEADY: f64 = 1.0 / 500.0;

#[test]
fn latencies_that_a_run_measured_are_no_estimates() {
    let gpu = Gpu::named("fiji").unwrap();
    let loads = ["BUFFER_LOAD_DWORD", "S_LOAD_DWORD", "DS_READ_B32"];
    let only = loads.iter().map(|name| name.parse().unwrap()).collect();
    let run = measure(&gpu, &MeasureOptions { suites: vec![Suite::Instructions], only, ..MeasureOptions::default() });
    let text = ".Lagain:\nbuffer_load_dword v7, v0, s[4:7], 0 offen\ns_load_dword s24, s[0:1], 0x0\nds_read_b32 v4, v0\n\
                s_waitcnt 0\ns_cbranch_scc0 .Lagain\ns_endpgm\n";
    let object = chip("fiji", "").object(text);
    let code = Code { address: object.code_address, words: object.code.into() };
    let region = code.regions(gpu.processor()).unwrap().remove(0);
    let estimates = |card: &Card| {
        let prediction = predict_card(card, &code, &region, Question::default()).unwrap();
        prediction.assumptions.iter().filter(|it| it.contains("which is an estimate")).count()
    };
    assert_eq!([Card::from(&gpu), run_card(run.folder()).unwrap()].map(|card| estimates(&card)), [3, 0]);
}

#[test]
fn the_envelope_of_a_measured_card_contains_the_hidden_truth() {
    let hidden = blind_gpu("tahiti", HIDDEN);
    let options = MeasureOptions {
        suites: vec![Suite::Instructions],
        only: MEASURED.iter().map(|name| name.parse().unwrap()).collect(),
        ..MeasureOptions::default()
    };
    let run = measure(&blind_gpu("tahiti", &format!("{HIDDEN}{NOISE}")), &options);
    assert!(
        run.analysis.dpfactor.as_ref().is_ok_and(|found| found.class != DpClass::Known),
        "nobody knows such a card"
    );
    let card = run_card(run.folder()).unwrap();
    assert!(card.remarks[0].contains("tahiti"), "{:?}", card.remarks);

    let chip = chip("tahiti", "");
    let cases = (prop::collection::vec(prop::sample::select(LINES.to_vec()), 1..16), 1_u32..=10);
    let kernels = KERNELS[usize::from(Tier::All.runs("160 more kernels"))];
    let mut runner = TestRunner::deterministic();
    let (mut held, mut missed, mut widths, mut bases) = (0, Vec::new(), Vec::new(), BTreeSet::new());
    for _ in 0..kernels {
        let (lines, waves_per_simd) = cases.new_tree(&mut runner).unwrap().current();
        let text = format!(
            ".Lagain:\n{}\ns_sub_u32 s8, s8, 1\ns_cmp_lg_u32 s8, 0\ns_cbranch_scc1 .Lagain\ns_endpgm\n",
            lines.join("\n")
        );
        let object = chip.object(&text);
        let code = Code { address: object.code_address, words: object.code.into() };
        let region: Region = code.regions(hidden.processor()).unwrap().remove(0);
        assert_eq!(region.kind, RegionKind::Loop);
        let question = Question { waves_per_simd, ..Question::default() };
        let truth = predict(&hidden, &code, &region, question).unwrap().cycles_per_iteration.0;
        let found = predict_between(&card, &code, &region, question).unwrap();
        bases.extend(found.basis.keys().copied());
        let envelope = found.envelope.unwrap();
        let slack = STEADY * truth;
        widths.push((envelope.high.0 - envelope.low.0) / truth);
        if envelope.low.0 - slack <= truth && truth <= envelope.high.0 + slack {
            held += 1;
        } else {
            missed.push(format!("{truth} is not in {envelope:?} on {waves_per_simd} waves: {lines:?}"));
        }
    }
    widths.sort_by(f64::total_cmp);
    println!(
        "{held} of {kernels} held; width of the middle one {:.4}, widest {:.4}",
        widths[kernels / 2],
        widths[kernels - 1]
    );
    assert!(bases.contains(&Basis::Measured), "{bases:?}");
    assert!(held * 100 >= kernels * 95, "{} missed\n{}", missed.len(), missed[..5.min(missed.len())].join("\n"));
    assert!(widths[kernels / 2] < 0.1, "an envelope that holds everything says nothing: {widths:?}");
}
