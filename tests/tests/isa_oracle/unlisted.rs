//! Every target of LLVM is listed, or has a row that says why it is not.

use std::collections::BTreeSet;
use std::process::Command;

use gcn_model::isa::{Processor, UnlistedTarget};

use crate::isa_oracle::targets::taken;

/// Set where llvm-22 is installed: a missing program of it is then a failure instead of a skipped test.
const NEED_LLVM: &str = "GCN_TIMINGS_NEED_MCA";

#[test]
fn every_target_of_llvm_is_listed_or_has_a_row() {
    let output = Command::new("llvm-mc-22").args(["-triple=amdgcn", "-mcpu=help"]).output();
    let Ok(output) = output else {
        assert!(std::env::var_os(NEED_LLVM).is_none(), "{NEED_LLVM} is set, and llvm-mc-22 is not there");
        println!("SKIPPED: llvm-mc-22 is not there ({NEED_LLVM}=1 makes this a failure)");
        return;
    };
    let text = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    let processors = text.lines().filter(|line| line.ends_with(" processor."));
    let names = processors.filter_map(|line| line.split_ascii_whitespace().next());
    let theirs: BTreeSet<&str> = names.filter(|name| name.starts_with("gfx")).collect();
    let unlisted = UnlistedTarget::all().iter().map(|unlisted| unlisted.target.as_str());
    let ours: BTreeSet<&str> = Processor::all().map(Processor::name).chain(unlisted).collect();
    assert_eq!(ours, theirs);
}

#[test]
fn a_target_is_unlisted_because_rows_are_missing() {
    for unlisted in UnlistedTarget::all() {
        assert_eq!(taken(&unlisted.target).len(), unlisted.described, "{}", unlisted.target);
    }
}
