//! Targets: their lists without a GPU.

use gcn_model::isa::Processor;

use super::{failure, run};

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
