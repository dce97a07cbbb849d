//! Invented matrix units: GPU files made up here, measured, and every changed fact found again by an analysis that never sees them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use gcn_analysis::DpClass;
use gcn_analysis::run::StoredRun;
use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_model::gpu::Gpu;
use gcn_tests::{MeasuredRun, measure, only};

/// A card of CDNA 3 with other lines.
fn card(lines: &str) -> Gpu {
    card_of("cdna-3", "gfx942", lines)
}

/// A card of a generation with other lines.
fn card_of(base: &str, target: &str, lines: &str) -> Gpu {
    let product = format!(
        "name = \"made-up\"\nproduct = \"made up\"\ngfx_target = \"{target}\"\ncompute_units = 2\nshader_engines = 1\n"
    );
    let factor = if lines.starts_with("dp_factor") { "" } else { "dp_factor = 0.5\n" };
    let text = format!("base = \"{base}\"\n{product}{factor}{lines}\n[clock]\nshader_mhz = 2100.0\n");
    Gpu::from_toml(&text, "made-up.toml").unwrap_or_else(|error| panic!("{error}"))
}

/// Matrix instructions of all passes and engines, with passes that no card gives them.
const OTHER_PASSES: [(&str, u32); 20] = [
    ("V_MFMA_F32_32X32X1_2B_F32", 11),
    ("V_MFMA_F32_16X16X1_4B_F32", 5),
    ("V_MFMA_F32_4X4X1_16B_F32", 3),
    ("V_MFMA_F32_32X32X2_F32", 20),
    ("V_MFMA_F32_16X16X4_F32", 9),
    ("V_MFMA_F32_32X32X4_2B_F16", 7),
    ("V_MFMA_F32_16X16X4_4B_F16", 6),
    ("V_MFMA_F32_4X4X4_16B_F16", 4),
    ("V_MFMA_F32_32X32X8_F16", 17),
    ("V_MFMA_F32_16X16X16_F16", 13),
    ("V_MFMA_I32_32X32X4_2B_I8", 10),
    ("V_MFMA_I32_16X16X32_I8", 3),
    ("V_MFMA_I32_32X32X16_I8", 12),
    ("V_MFMA_F32_32X32X8_BF16", 14),
    ("V_MFMA_F32_16X16X16_BF16", 2),
    ("V_MFMA_F64_16X16X4_F64", 15),
    ("V_MFMA_F64_4X4X4_4B_F64", 8),
    ("V_MFMA_F32_16X16X32_FP8_FP8", 18),
    ("V_MFMA_F32_32X32X16_BF8_BF8", 19),
    ("V_MFMA_F32_16X16X8_XF32", 16),
];

fn matrix(names: &[&str]) -> MeasureOptions {
    MeasureOptions { suites: vec![Suite::Matrix], ..only(names, &[]) }
}

#[test]
fn twenty_changed_instructions_and_all_latencies_are_found() {
    let mut lines = "[matrix]\naccumulator_cycles = 3\noperand_cycles = 9\nreader_cycles = 14\n[cycles]\n".to_owned();
    for (name, passes) in OTHER_PASSES {
        writeln!(lines, "{name} = {}", 4 * passes).unwrap();
    }
    let names: Vec<&str> = OTHER_PASSES.iter().map(|(name, _)| *name).collect();
    let run = measure(&card(&lines), &matrix(&names));
    let found = &run.analysis.matrix.instructions;
    assert_eq!(found.len(), OTHER_PASSES.len());
    let stored = StoredRun::load(run.folder()).unwrap();
    let mut decided = 0;
    for row in found {
        let passes = OTHER_PASSES.iter().find(|(name, _)| *name == row.instruction).unwrap().1;
        let at = |measured: Option<gcn_analysis::Measured<_>>| {
            let [value, low, high] = measured.unwrap_or_else(|| panic!("{row:?}")).numbers();
            assert!(high - low < 1.0, "{row:?}");
            value.round() as u32
        };
        assert_eq!(row.passes.map(|passes| u32::from(passes.0)), Some(passes), "{row:?}");
        assert_eq!(at(row.cycles), 4 * passes, "{row:?}");
        for (case, latency, measured) in [
            ("accumulators", 4 * passes + 3, row.to_accumulators),
            ("operands", 4 * passes + 9, row.to_operand),
            ("reader", 4 * passes + 14, row.to_reader),
        ] {
            // The wait states of the code, and the instruction's own issue: shorter times are invisible.
            let experiment = format!("{}/matrix-chain/{case}", row.instruction);
            let record = stored.experiments.iter().find(|record| record.experiment == experiment).unwrap();
            let least = 4 * (1 + record.fillers_per_block);
            if record.fillers_per_block > 0 && latency <= least {
                assert!(measured.is_none(), "{case}: {row:?}");
                let why = format!("{case}: unsupported: at most {least} cycles");
                assert!(row.detail.contains(&why), "{why}: {row:?}");
            } else {
                assert_eq!(at(measured), latency, "{case}: {row:?}");
                decided += 1;
            }
        }
    }
    assert!(decided > OTHER_PASSES.len(), "{decided}");
}

/// What CDNA 4 added, F8F6F4 of bytes among it, with passes that no card gives it.
#[test]
fn changed_passes_of_cdna_4_are_found() {
    let changed = [
        ("V_MFMA_F32_16X16X128_F8F6F4", 9),
        ("V_MFMA_F32_32X32X64_F8F6F4", 21),
        ("V_MFMA_F32_16X16X32_F16", 5),
        ("V_MFMA_I32_32X32X32_I8", 13),
        ("V_MFMA_F64_16X16X4_F64", 7),
    ];
    let lines: String = changed.iter().map(|(name, passes)| format!("{name} = {}\n", 4 * passes)).collect();
    let names: Vec<&str> = changed.iter().map(|(name, _)| *name).collect();
    let run = measure(&card_of("cdna-4", "gfx950", &format!("[cycles]\n{lines}")), &matrix(&names));
    let found = &run.analysis.matrix.instructions;
    assert_eq!(found.len(), changed.len());
    for row in found {
        let passes = changed.iter().find(|(name, _)| *name == row.instruction).unwrap().1;
        assert_eq!(row.passes.map(|passes| passes.0), Some(passes), "{row:?}");
    }
}

/// A run's statement about an instruction and its neighbours on one wave: how many are free, and for how long their unit is held.
fn beside(run: &MeasuredRun, instruction: &str, neighbour: &str) -> (Option<u32>, Option<u32>) {
    let matrix = &run.analysis.matrix;
    let held = matrix.beside(instruction, neighbour, 1).last().and_then(gcn_analysis::OverlapRow::held);
    (matrix.free(instruction, neighbour, 1), held.map(|held| held.value.0.round() as u32))
}

/// A pair's share that is hidden, per cent, on this many waves.
fn hidden(run: &MeasuredRun, instruction: &str, neighbour: &str, waves: u32) -> i32 {
    let row = run.analysis.matrix.beside(instruction, neighbour, waves).next();
    (row.unwrap_or_else(|| panic!("{instruction} beside {neighbour}")).hidden.value * 100.0).round() as i32
}

#[test]
fn any_set_of_overlapping_instructions_is_found() {
    const MFMA: &str = "V_MFMA_F32_16X16X16_F16";
    let options = matrix(&[MFMA, "V_MOV_B32", "V_PK_FMA_F32", "V_EXP_F32", "S_MOV_B32", "DS_READ_B32"]);
    let run = |gap: u32, alone: &str, apart: &str, delay: u32| {
        let lines = format!(
            "[matrix]\ngap_cycles = {gap}\nalone = [{alone}]\nno_overlap = [{apart}]\nno_overlap_delay_cycles = {delay}\n[cycles]\n{MFMA} = 16\nV_MOV_B32 = 4\nV_PK_FMA_F32 = 4\n"
        );
        measure(&card(&lines), &options)
    };
    // As on the measured card: three vector instructions are free, packed ones wait, longest after their own wave.
    let plain = run(4, "", "\"V_PK_FMA_F32\"", 8);
    assert_eq!(beside(&plain, MFMA, "V_MOV_B32"), (Some(3), Some(4)));
    assert_eq!(beside(&plain, MFMA, "V_PK_FMA_F32"), (Some(0), Some(16 + 8)));
    assert_eq!([1, 2].map(|waves| hidden(&plain, MFMA, "V_PK_FMA_F32", waves)), [-200, 0]);
    // Another gap, and nothing waits.
    let open = run(8, "", "", 0);
    assert_eq!(beside(&open, MFMA, "V_MOV_B32"), (Some(2), Some(8)));
    assert_eq!(beside(&open, MFMA, "V_PK_FMA_F32"), (Some(2), Some(8)));
    assert_eq!(hidden(&open, MFMA, "V_PK_FMA_F32", 2), 100);
    // The plain ones wait, and the packed do not.
    let other = run(4, "", "\"V_MOV_B32\"", 0);
    assert_eq!(beside(&other, MFMA, "V_MOV_B32"), (Some(0), Some(16)));
    assert_eq!(beside(&other, MFMA, "V_PK_FMA_F32"), (Some(3), Some(4)));
    // Only other units overlap the matrix instruction.
    let alone = run(4, &format!("{MFMA:?}"), "", 0);
    assert_eq!(beside(&alone, MFMA, "V_MOV_B32"), (Some(0), Some(16)));
    assert_eq!(hidden(&alone, MFMA, "V_MOV_B32", 2), 0);
    assert_eq!(hidden(&alone, MFMA, "S_MOV_B32", 1), 100);
}

#[test]
fn each_dp_factor_is_found_the_full_rate_among_them() {
    let rates = BTreeMap::from([("0.5", "1"), ("1", "1/2"), ("2", "1/4"), ("3", "1/6")]);
    for (factor, rate) in rates {
        let run = measure(&card(&format!("dp_factor = {factor}\n")), &only(&["V_*_F64"], &[]));
        let found = run.analysis.dpfactor.as_ref().unwrap();
        assert_eq!((found.words().as_str(), found.dp_rate.as_str()), (factor, rate), "{found:?}");
        assert!(matches!(found.class, DpClass::Known | DpClass::New), "{found:?}");
    }
}

#[test]
fn the_penalty_of_a_long_instruction_at_four_is_found() {
    let options = MeasureOptions {
        suites: vec![Suite::Alignment],
        ..only(&["V_BFE_U32", "V_MUL_LO_U32", "V_ADD_F32", "V_AND_B32", "V_XOR_B32", "V_ADD_F64", "V_MOV_B32"], &[])
    };
    for (lines, wanted) in [
        ("", Some((Some(8), 1, 1.0))),
        ("[front_end]\npenalty_cycles = 3\n", Some((Some(8), 1, 3.0))),
        ("[front_end]\nalignment_penalties = false\n", None),
    ] {
        let run = measure(&card(lines), &options);
        let found = run.analysis.front_end.as_ref().expect("alignment cases");
        match wanted {
            Some((block, free, penalty)) => {
                assert_eq!(found.block.map(|block| block.0), block, "{found}");
                assert_eq!((found.free_dwords, found.penalty.0), (free, penalty), "{found}");
            }
            None => assert_eq!(found.penalty.0, 0.0, "{found}"),
        }
    }
}
