//! CDNA: each instruction that is not measured has a reason, and none of the new ones is among them.

use gcn_harness::experiment::{MeasureOptions, skip_reason};
use gcn_model::gpu::Gpu;
use gcn_model::record::ExperimentStatus;

/// A card of each target.
const CARDS: [&str; 4] = ["mi300x", "mi100", "mi210", "mi355x"];

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
