//! A target's rows are the instructions that LLVM's assembler takes for it, less those that other witnesses deny (`model/data/isa/denied.csv`).

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use gcn_model::isa::{Generation, Processor};

use crate::isa_oracle::llvm::{Oracle, all_kinds, assemble};
use crate::isa_oracle::rows::cases;
use crate::isa_oracle::written::Sources;

/// Set where llvm-22 is installed: a missing program of it is then a failure instead of a skipped test.
const NEED_LLVM: &str = "GCN_TIMINGS_NEED_MCA";

/// Mnemonics that LLVM takes as other names of rows that have their own.
const ALIASES: [&str; 4] = ["v_add_co_u32", "v_mul_lo_i32", "v_sub_co_u32", "v_subrev_co_u32"];

/// What other witnesses deny, by target: mnemonics, each with its opcode and its witness.
fn denied(target: &str) -> BTreeMap<&'static str, &'static str> {
    let rows = include_str!("../../../model/data/isa/denied.csv").lines().skip(1);
    rows.filter_map(|row| {
        let mut cells = row.splitn(4, ',');
        let (mnemonic, targets) = (cells.next()?, cells.next()?);
        let witness = cells.nth(1)?;
        assert!(!witness.is_empty(), "{row}");
        targets.split(' ').any(|listed| listed == target).then_some((mnemonic, witness))
    })
    .collect()
}

/// The mnemonics of a target's instructions that LLVM has a name for.
fn listed(processor: Processor) -> BTreeSet<String> {
    processor.instructions().filter_map(|row| row.llvm_mnemonic()).map(|name| name.into_owned()).collect()
}

/// The lines of all rows of all generations, each once, with their mnemonics.
fn lines_of_all() -> Vec<(String, Option<String>)> {
    let kinds = all_kinds().into_iter();
    let lines = kinds.flat_map(|processor| cases(processor, Sources::Registers)).map(|case| {
        let mnemonic = case.instruction.llvm_mnemonic().map(|name| name.into_owned());
        (case.written.text, mnemonic)
    });
    lines.collect::<BTreeSet<_>>().into_iter().collect()
}

/// The mnemonics of lines that LLVM's assembler takes for a target.
///
/// Where LLVM's disassembler has another name for the words, the mnemonic is another name of that row.
fn taken(target: &str, all: &[(String, Option<String>)]) -> BTreeSet<String> {
    let mut taken = BTreeSet::new();
    let name_in_llvm = Processor::find(target).map_or_else(|| target.to_owned(), crate::isa_oracle::llvm::target);
    let mut oracle = Oracle::named(&name_in_llvm);
    let mut name = |words: &[u32]| {
        let word = |n: usize| words.get(n).copied().unwrap_or(0);
        let text = oracle.as_mut()?.text([word(0), word(1), word(2)])?;
        // Two instructions in one have two names.
        let second = text.line.split_once(" :: ").and_then(|(_, second)| second.split(' ').next());
        Some([text.mnemonic].into_iter().chain(second.map(str::to_owned)).collect::<Vec<_>>())
    };
    let lines: Vec<String> = all.iter().map(|(line, _)| line.clone()).collect();
    for ((_, mnemonic), words) in all.iter().zip(assemble(&name_in_llvm, &lines)) {
        if let Some(words) = words {
            taken.extend(name(&words).unwrap_or_else(|| mnemonic.clone().into_iter().collect()));
        }
    }
    taken
}

#[test]
fn every_target_has_the_instructions_of_llvm() {
    let (all, mut differences) = (lines_of_all(), Vec::new());
    for processor in Processor::all() {
        let target = processor.name();
        let denied = denied(target);
        let taken = taken(target, &all);
        for mnemonic in denied.keys() {
            assert!(taken.contains(*mnemonic), "{target}: LLVM does not take {mnemonic}: nobody has to deny it");
            let mut rows = Generation::all().into_iter().flat_map(|generation| generation.instructions());
            assert!(rows.any(|row| row.llvm_mnemonic().as_deref() == Some(mnemonic)), "{mnemonic}");
        }
        let ours = listed(processor);
        let is_alias = |name: &str| ALIASES.contains(&name) && !ours.contains(name);
        let is_theirs = |name: &String| !denied.contains_key(name.as_str()) && !is_alias(name);
        let theirs: BTreeSet<String> = taken.into_iter().filter(is_theirs).collect();
        let alone = ours.difference(&theirs).map(|name| (name, "is not LLVM's"));
        let missing = theirs.difference(&ours).map(|name| (name, "is LLVM's alone"));
        differences.extend(alone.chain(missing).map(|(name, what)| format!("{target}: {name} {what}")));
    }
    assert_eq!(differences, Vec::<String>::new());
}

#[test]
fn every_target_of_llvm_is_listed() {
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
    let ours: BTreeSet<&str> = Processor::all().map(Processor::name).collect();
    assert_eq!(ours, theirs);
}
