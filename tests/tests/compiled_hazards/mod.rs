//! The hazards of kernels that `llc` compiles for each target, one for each kind of unit: LLVM has repaired them, so the check finds none,
//! and without the wait states that LLVM put in it finds those.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::process::Command;

use gcn_model::decode::decode;
use gcn_model::hazard::check;
use gcn_model::isa::{DependencyTracking, Processor};
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};

/// Set to make a missing LLVM 22 a failure instead of a skipped test.
const NEED: &str = "GCN_TIMINGS_NEED_MCA";
const LLC: &str = "llc-22";
const KERNELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/compiled_hazards/kernels.ll");
/// The kernel with jumps: without its wait states they would lead elsewhere.
const WITH_JUMPS: &str = "branches";

/// The check asks for both counters after each flat access; LLVM knows which addresses are of global memory.
const OF_COUNTERS: &str = "not-waited-for";
/// Rows that are wider than LLVM's: the start of the targets' names, the row, and why.
const WIDER: [(&str, &str, &str); 1] = [("gfx60", "valu-sgpr-vmem", "LLVM has it from gfx8 on, ACO from gfx6 on")];

/// The words of the kernels for a target, by name; `None` where there is no llc.
fn compiled(target: &str) -> Option<BTreeMap<String, Vec<u32>>> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kernels.o");
    let output =
        Command::new(LLC).args([&format!("-mcpu={target}"), "-filetype=obj", "-o"]).arg(&file).arg(KERNELS).output();
    let Ok(output) = output else {
        assert!(env::var_os(NEED).is_none(), "{NEED} is set, and {LLC} is not there");
        println!("SKIPPED: {LLC} is not there ({NEED}=1 makes this a failure)");
        return None;
    };
    assert!(output.status.success(), "{target}: {}", String::from_utf8_lossy(&output.stderr));
    let bytes = fs::read(&file).unwrap();
    let object = object::File::parse(&*bytes).unwrap();
    let section = object.section_by_name(".text").unwrap();
    let code = section.data().unwrap();
    let functions = object.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text);
    let words = functions.map(|symbol| {
        let start = (symbol.address() - section.address()) as usize;
        let bytes = &code[start..start + symbol.size() as usize];
        let words = bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        (symbol.name().unwrap().to_owned(), words)
    });
    Some(words.collect())
}

/// Code without the wait states of its S_NOPs.
fn without_wait_states(processor: Processor, words: &[u32]) -> Vec<u32> {
    let (mut kept, mut at) = (Vec::new(), 0);
    while at < words.len() {
        let decoded = decode(processor, &words[at..], 4 * at as u64).unwrap();
        let next = at + usize::from(decoded.dwords.0);
        if decoded.instruction.name != "S_NOP" {
            kept.extend(&words[at..next]);
        }
        at = next;
    }
    kept
}

#[test]
fn kernels_of_each_kind_have_the_hazards_that_llvm_repaired_and_no_other() {
    let mut wrong = Vec::new();
    let mut with_wait_states = 0;
    for processor in Processor::all() {
        let Some(kernels) = compiled(processor.name()) else { return };
        assert_eq!(kernels.len(), 7, "{}", processor.name());
        // Where a scoreboard looks after results, S_NOP is no repair.
        let is_expected = |hazard: &str| {
            let is_wider =
                |(targets, row, _): &(&str, &str, &str)| processor.name().starts_with(targets) && hazard == *row;
            hazard == OF_COUNTERS || WIDER.iter().any(is_wider)
        };
        let is_repair = processor.generation.waves.dependency_tracking == DependencyTracking::Blocking;
        for (name, words) in kernels {
            let what = format!("{}, {name}", processor.name());
            let found = check(processor, &words, 0).unwrap();
            let unexpected = found.iter().filter(|violation| !is_expected(violation.hazard));
            wrong.extend(unexpected.map(|violation| format!("{what}: {violation:?}")));
            let bare = without_wait_states(processor, &words);
            if is_repair && name != WITH_JUMPS && bare.len() < words.len() {
                with_wait_states += 1;
                let found = check(processor, &bare, 0).unwrap();
                if found.iter().all(|violation| is_expected(violation.hazard)) {
                    wrong.push(format!("{what}: nothing is found without LLVM's wait states"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(with_wait_states > 0);
}
