//! Targets: their lists without a GPU.

use gcn_harness::llvm::Llvm;
use gcn_model::isa::{Processor, UnlistedTarget};

use super::{failure, run, temporary};

#[test]
fn a_target_is_listed_as_its_gpu_is() {
    let of_target = run(&["list", "--target", "gfx803", "--json"]).out;
    assert_eq!(of_target, run(&["list", "--gpu", "fiji", "--json"]).out);
    assert!(failure(&["list", "--target", "gfx9"]).contains("gfx900"));
}

/// `isa_oracle` holds these instructions against those that LLVM takes for the target.
#[test]
fn every_target_is_listed_whole() {
    for target in Processor::all() {
        let listed = run(&["list", "--gpu", target.name(), "--json"]).out;
        assert_eq!(listed.matches("\"instruction\"").count(), target.instructions().count(), "{}", target.name());
    }
}

/// LLVM assembles for them, and rows of their instructions are missing.
#[test]
fn a_target_that_is_not_described_whole_is_refused_with_what_is_known() {
    let folder = temporary();
    assert!(!UnlistedTarget::all().is_empty());
    for unlisted in UnlistedTarget::all() {
        let (target, known) = (unlisted.target.as_str(), unlisted.to_string());
        let object = folder.path().join(target);
        std::fs::write(&object, Llvm::find(None).unwrap().assemble(target, "s_nop 0\n").unwrap()).unwrap();
        let object = object.to_str().unwrap();
        for arguments in [
            &["list", "--gpu", target][..],
            &["list", "--target", target],
            &["measure", "--device", &format!("sim:{target}"), "--out", folder.path().join("run").to_str().unwrap()],
            &["predict", object, "--gpu", target],
            &["predict", object, "--gpu", "gfx1201"],
        ] {
            let said = failure(arguments);
            assert!(said.contains(&known), "{arguments:?}: {said}");
        }
    }
}
