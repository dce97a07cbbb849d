//! The suite `semantics` on the simulator: each case has a result, which is one of the readings, and is said to be simulated.

use std::fs;

use gcn_analysis::SemanticVerdict;
use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_model::gpu::Gpu;
use gcn_model::semantics::semantic_cases;
use gcn_tests::{measure, whole_summary};

#[test]
fn each_case_says_which_reading_the_simulator_implements() {
    let options = MeasureOptions { suites: vec![Suite::Semantics], ..MeasureOptions::default() };
    for (name, expected) in [("tahiti", 7), ("fiji", 9), ("vega10", 13), ("mi100", 13), ("mi300x", 13)] {
        let gpu = Gpu::named(name).unwrap();
        let run = measure(&gpu, &options);
        let rows = &run.analysis.semantics;
        let of_target = semantic_cases().iter().filter(|case| gpu.processor().instruction(&case.instruction).is_some());
        assert_eq!((rows.len(), of_target.count()), (expected, expected), "{name}");
        for row in rows {
            assert_eq!(row.verdict, SemanticVerdict::Holds, "{name}: {row:?}");
            assert!(row.device == "simulated" && !row.reading.is_empty() && row.detail.is_empty(), "{name}: {row:?}");
        }
        let reading = |case: &str| rows.iter().find(|row| row.case == case).map(|row| row.reading.as_str());
        assert_eq!(reading("div-fmas-f32-large"), Some("by 2^64"), "{name}");
        assert_eq!(reading("div-fmas-f64-small"), Some("by 2^-128"), "{name}");
        assert_eq!(reading("max-u32-scc"), Some("1: the first one is chosen"), "{name}");
        assert_eq!(reading("mad-f16-denormal"), (name != "tahiti").then_some("never kept"), "{name}");
        assert_eq!(reading("min3-f16-high"), (expected == 13).then_some("kept"), "{name}");
        // They are no timings: nothing else in the run speaks of them.
        assert!(run.analysis.timings.is_empty() && run.analysis.penalties.is_empty(), "{name}");
        assert!(run.analysis.failed.is_empty() && run.analysis.unsettled.is_empty(), "{name}");
        let page = fs::read_to_string(run.folder().join("TIMINGS.md")).unwrap();
        assert!(page.contains("## Open semantics") && page.contains("This result is simulated"), "{name}");
        let table = fs::read_to_string(run.folder().join("semantics.csv")).unwrap();
        assert_eq!(table.lines().count(), expected + 1, "{table}");
        assert!(table.lines().skip(1).all(|line| line.contains(",simulated,")), "{table}");
        let said = whole_summary(&run.analysis);
        assert!(
            said.contains(&format!("of {expected} open cases {expected} hold")) && said.contains("simulated"),
            "{said}"
        );
    }
}

#[test]
fn a_dword_that_no_reading_has_is_neither() {
    for case in semantic_cases() {
        assert_eq!(case.reading(0x1234_5678), None, "{}", case.name);
    }
}
