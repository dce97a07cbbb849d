//! Targets: their lists without a GPU.

use gcn_harness::llvm::Llvm;
use gcn_model::gpu::Gpu;
use gcn_model::isa::Processor;

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

/// No product of them is known: their instructions are, and not how long these take.
#[test]
fn a_target_without_a_gpu_has_no_timings() {
    let folder = temporary();
    let without: Vec<&str> = Processor::all().map(Processor::name).filter(|name| Gpu::meant(name).is_none()).collect();
    assert!(without.contains(&"gfx1250") && without.contains(&"gfx12-generic"), "{without:?}");
    for target in without {
        let object = folder.path().join(target);
        std::fs::write(&object, Llvm::find(None).unwrap().assemble(target, "s_nop 0\n").unwrap()).unwrap();
        let object = object.to_str().unwrap();
        for arguments in [
            &["measure", "--device", &format!("sim:{target}"), "--out", folder.path().join("run").to_str().unwrap()][..],
            &["predict", object, "--gpu", target],
        ] {
            let said = failure(arguments);
            assert!(said.contains(&format!("no timings are known for {target}")), "{arguments:?}: {said}");
        }
        let listed = run(&["list", "--gpu", target]).out;
        assert!(listed.contains(" instructions, 0 of them measured"), "{target}");
    }
}
