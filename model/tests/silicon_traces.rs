//! The traced instructions are instructions of the traced cards.

use gcn_model::isa::Processor;
use gcn_model::published::source;

/// Rows whose target lacks the instruction, each with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[];

#[test]
fn every_traced_instruction_is_one_of_its_target() {
    let traces = source("silicon-traces").expect("it ships");
    let mut checked = 0;
    let mut missing = Vec::new();
    for row in traces.rows() {
        for target in &row.targets {
            let processor = Processor::find(target).unwrap_or_else(|| panic!("{target} is no target"));
            let is_excepted = EXCEPTIONS.iter().any(|(name, _)| *name == row.instruction);
            if processor.instruction(&row.instruction).is_some() == is_excepted {
                missing.push(format!("{target}: {}", row.instruction));
            }
            checked += 1;
        }
    }
    assert_eq!(missing, Vec::<String>::new());
    assert!(checked > 700, "{checked}");
}

/// The cards of RDNA 3 and 4 that have GPU files are of targets that are listed, with waves of both sizes.
#[test]
fn the_targets_of_gpu_files_are_listed() {
    for (file, target) in [
        ("rx7600", "gfx1102"),
        ("rx7900xtx", "gfx1100"),
        ("strix-point", "gfx1150"),
        ("strix-halo", "gfx1151"),
        ("rx9060xt", "gfx1200"),
        ("rx9070xt", "gfx1201"),
    ] {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/data/gpus");
        let text = std::fs::read_to_string(format!("{folder}/{file}.toml"));
        let table: toml::Table = text.unwrap_or_else(|error| panic!("{file}: {error}")).parse().expect("TOML");
        assert_eq!(table["gfx_target"]["value"].as_str(), Some(target), "{file}");
        let processor = Processor::find(target).unwrap_or_else(|| panic!("{target} is no target"));
        for lanes in [32, 64] {
            let sized = processor.with_wave_size(lanes).expect("RDNA has waves of both sizes");
            assert!(sized.instructions().count() > 1100, "{target}");
        }
    }
}
