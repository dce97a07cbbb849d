//! Targets: their lists without a GPU.

use gcn_model::isa::processor;

use super::{failure, run};

#[test]
fn a_target_is_listed_as_its_gpu_is() {
    let of_target = run(&["list", "--target", "gfx803", "--json"]).out;
    assert_eq!(of_target, run(&["list", "--gpu", "fiji", "--json"]).out);
    let count = processor("gfx803").instructions().count();
    assert_eq!(of_target.matches("\"instruction\"").count(), count);
    assert!(failure(&["list", "--target", "gfx9"]).contains("gfx900"));
}
