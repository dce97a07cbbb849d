//! CDNA on the simulator: every instruction that a compute kernel can repeat is measured, and the others have a reason.

use gcn_analysis::Status;
use gcn_harness::experiment::{MeasureOptions, skip_reason};
use gcn_model::gpu::Gpu;
use gcn_model::record::ExperimentStatus;
use gcn_tests::{measure, only, part_of};

/// A card of each target, and the instructions of it that are skipped.
const CARDS: [&str; 4] = ["mi300x", "mi100", "mi210", "mi355x"];
/// New instructions there, some of each kind.
const NEW: [&str; 14] = [
    "V_MFMA_*_32X32X*",
    "V_MFMA_F64_*",
    "V_SMFMAC_F32_16X16X32_*",
    "V_ACCVGPR_*",
    "V_PK_*_F32",
    "V_PK_MOV_B32",
    "V_DOT*C_*",
    "V_CVT_*FP8*",
    "V_MOV_B64",
    "*_ATOMIC_*F64",
    "*_ATOMIC_*F16",
    "DS_*_F64",
    "GLOBAL_LOAD_LDS_*",
    "BUFFER_WBL2",
];

#[test]
fn new_instructions_are_measured() {
    for card in part_of(&CARDS, 2, "CDNA 2 and 4") {
        let gpu = Gpu::named(card).expect("a card that ships");
        let run = measure(&gpu, &only(&NEW, &[1, 2]));
        let rows = &run.analysis.timings;
        let matching = only(&NEW, &[1]);
        let wanted = gpu.processor().instructions().filter(|instruction| matching.wants(&instruction.name)).count();
        assert_eq!(rows.len(), wanted, "{card}");
        assert!(wanted > 20, "{card}: {wanted}");
        for row in rows {
            assert_eq!(row.status, Status::Ok, "{card}: {}: {}", row.instruction, row.detail);
            assert!(row.cycles.is_some(), "{card}: {}", row.instruction);
        }
    }
}

#[test]
fn skipped_instructions_have_a_reason() {
    for card in CARDS {
        let gpu = Gpu::named(card).expect("a card that ships");
        let options = MeasureOptions::default();
        let skipped: Vec<(&str, String)> = gpu
            .processor()
            .instructions()
            .filter_map(|instruction| {
                let (status, why) = skip_reason(instruction, &options)?;
                assert_eq!(status, ExperimentStatus::Skipped, "{card}: {}", instruction.name);
                Some((instruction.name.as_str(), why))
            })
            .collect();
        assert!(skipped.iter().all(|(_, why)| why.len() > 10), "{card}");
        let new = |name: &&str| ["MFMA", "SMFMAC", "ACCVGPR", "PK_", "DOT"].iter().any(|part| name.contains(part));
        assert_eq!(skipped.iter().map(|(name, _)| *name).find(new), None, "{card}: nothing that is new");
    }
}
