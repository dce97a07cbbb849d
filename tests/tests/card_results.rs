//! What is kept of cards comes from silicon, and what is kept of any device has no blank latency without its reason.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use gcn_analysis::{DisputeVerdict, Results, Status, ThroughputRow, TimingRow, document};
use gcn_model::isa::{DependencyTracking, Generation};
use gcn_model::published::disputes_of;
use gcn_model::record::RunRecord;
use gcn_tests::gpus_with_results;

/// The driver of a kept run that simulated its card or was watched, if one did or was.
fn refused(folder: &Path) -> Option<String> {
    let runs = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path().join("run.json"));
    let records = runs.filter(|file| file.is_file()).map(|file| {
        let record: RunRecord = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        record.device
    });
    records.filter(|device| device.is_simulated() || device.is_traced()).map(|device| device.driver).next()
}

#[test]
fn no_simulated_or_traced_run_is_among_those_of_cards() {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results");
    assert_eq!(refused(&results.join("cards")), None);
    assert!(refused(&results.join("reference")).is_some_and(|driver| driver.starts_with("simulator ")));
}

#[test]
fn each_blank_latency_has_its_reason() {
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/reference");
    for gpu in gpus_with_results() {
        let results = Results::of_files(&reference.join(gpu)).unwrap();
        for row in results.timings.iter().filter(|row| row.status == Status::Ok && row.latency.is_none()) {
            assert!(row.detail.contains("latency: "), "{gpu}: {row:?}");
        }
    }
}

/// Copies of a matrix instruction that wrote each other's results would wait for each other, and one wave would not keep its unit busy.
#[test]
fn one_wave_of_matrix_instructions_keeps_its_unit_busy() {
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/reference");
    let mut looked_at = 0;
    for gpu in gpus_with_results() {
        let results = Results::of_files(&reference.join(gpu)).unwrap();
        let is_meant = |row: &&ThroughputRow| row.waves_per_simd == 1 && row.instruction.starts_with("V_MFMA");
        for row in results.throughputs.iter().filter(is_meant) {
            let timing = results.timings.iter().find(|timing| timing.instruction == row.instruction).unwrap();
            let most = timing.throughput.unwrap().value.0;
            assert!(row.throughput.is_some_and(|found| found.value.0 >= 0.98 * most), "{gpu}: {row:?}, {most}");
            looked_at += 1;
        }
    }
    assert!(looked_at > 100, "{looked_at}");
}

/// CLRX's page ends at GCN 1.4, and the table of Radeon GPU Analyzer is that of GCN.
#[test]
fn sources_are_quoted_only_for_what_they_speak_of() {
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/reference");
    for gpu in gpus_with_results() {
        let results = Results::of_files(&reference.join(gpu)).unwrap();
        let of_validation = results.validation.iter().map(|row| row.source.as_str());
        let quoted: BTreeSet<&str> =
            of_validation.chain(results.disputes.iter().map(|row| row.source.as_str())).collect();
        for source in ["clrx", "rga"] {
            assert_eq!(quoted.contains(source), results.is_in_clrx(), "{gpu}: {source}: {quoted:?}");
        }
        let generation = Generation::find(&results.record.device.generation).unwrap();
        let has = disputes_of(generation, &results.record.device.target).map(|dispute| dispute.number.as_str());
        let has: BTreeSet<&str> = has.collect();
        let asked: BTreeSet<&str> = results.disputes.iter().map(|row| row.number.as_str()).collect();
        assert!(asked.is_subset(&has), "{gpu}: {asked:?}, {has:?}");
    }
}

/// RDNA has most questions of GCN, and its sources agree on them.
#[test]
fn a_page_lists_only_questions_on_which_a_source_of_the_card_differs() {
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/reference");
    for gpu in gpus_with_results() {
        let results = Results::of_files(&reference.join(gpu)).unwrap();
        let page = document(&results).markdown();
        let part = page.split("\n## Disputed\n").nth(1).unwrap_or_else(|| panic!("{gpu}: no such section"));
        let table = part.split("\nNot settled").next().unwrap();
        let numbers = table.lines().filter_map(|line| line.split_once(": ")).map(|(number, _)| number);
        let asked: Vec<&str> = numbers.filter(|number| number.len() <= 3).collect();
        let agree = |number: &&str| {
            let mut of = results.disputes.iter().filter(|row| row.number == *number);
            of.all(|row| row.verdict == DisputeVerdict::Match)
        };
        assert!(asked.len() > 2, "{gpu}: {asked:?}");
        assert_eq!(asked.into_iter().filter(agree).collect::<Vec<_>>(), Vec::<&str>::new(), "{gpu}");
    }
}

/// A wave of RDNA issues the next instruction after a cycle, whatever memory or the LDS takes: fillers that wait would be taken for their cycles.
#[test]
fn memory_instructions_of_rdna_hold_their_wave_for_a_cycle() {
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/reference");
    let mut seen = 0;
    for gpu in gpus_with_results() {
        let results = Results::of_files(&reference.join(gpu)).unwrap();
        let generation = Generation::find(&results.record.device.generation).unwrap();
        if generation.waves.dependency_tracking == DependencyTracking::Blocking {
            continue;
        }
        let of_memory = |row: &&TimingRow| ["DS", "MUBUF", "MTBUF", "FLAT", "SMEM"].contains(&row.encoding.as_str());
        for row in results.timings.iter().filter(of_memory) {
            assert!(row.cycles.is_none_or(|cycles| cycles.value.0.round() == 1.0), "{gpu}: {row:?}");
            seen += usize::from(row.cycles.is_some());
        }
    }
    assert!(seen > 2000, "{seen}");
}
