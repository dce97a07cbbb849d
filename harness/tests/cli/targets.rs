//! Targets that are described and not executed yet: they are listed, and nothing claims to measure them.

use std::fs;

use gcn_model::isa::{Encoding, Processor, processor};

use super::{Said, failure, run, temporary, text};

/// The targets that no machine executes.
fn described() -> Vec<Processor> {
    let all: Vec<Processor> = Processor::all().filter(|it| it.generation.not_executed.is_some()).collect();
    assert!(!all.is_empty());
    all
}

#[test]
fn a_target_is_listed_with_the_reason_why_it_is_not_measured() {
    for processor in described() {
        let name = processor.name();
        let Said { code, out, .. } = run(&["list", "--target", name]);
        assert_eq!(code, Some(0));
        let instructions = processor.instructions().count();
        assert!(out.contains(&format!("{name}: {instructions} instructions, 0 of them measured")), "{name}");
        assert_eq!(out.matches("no: not executed yet").count(), instructions, "{name}");
        // Every target's packed instructions, not only those that all generations have.
        let packed = processor.instructions().filter(|row| row.encoding == Encoding::Vop3p).last();
        let packed = &packed.expect("each of them has some").name;
        let is_packed = |line: &str| line.starts_with(&format!("{packed} ")) && line.contains(" VOP3P ");
        assert!(out.lines().any(is_packed), "{name}: {packed}");
    }
}

#[test]
fn a_target_that_is_executed_is_listed_as_its_gpu_is() {
    let of_target = run(&["list", "--target", "gfx803", "--json"]).out;
    assert_eq!(of_target, run(&["list", "--gpu", "fiji", "--json"]).out);
    let count = processor("gfx803").instructions().count();
    assert_eq!(of_target.matches("\"instruction\"").count(), count);
    assert!(failure(&["list", "--target", "gfx9"]).contains("gfx900"));
}

#[test]
fn a_gpu_file_of_a_target_that_is_not_executed_is_refused() {
    let folder = temporary();
    for processor in described() {
        let name = processor.name();
        let reason = processor.generation.not_executed.as_deref().expect("it is one of those");
        let file = folder.path().join("card.toml");
        let generation = processor.generation.name();
        let card = format!("base = \"vega10\"\ngeneration = \"{generation}\"\ngfx_target = \"{name}\"\n");
        fs::write(&file, card).unwrap();
        let device = format!("sim:{}", text(&file));
        let out = folder.path().join("run");
        for arguments in [
            &["measure", "--device", &device, "--out", text(&out)][..],
            &["dpfactor", "--device", &device],
            &["list", "--gpu", text(&file)],
        ] {
            let error = failure(arguments);
            assert!(error.contains(reason) && error.contains("card.toml"), "{error}");
        }
        assert!(!out.exists(), "nothing was made");
    }
}
