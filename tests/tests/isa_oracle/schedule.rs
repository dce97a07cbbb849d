//! The published source `llvm` against LLVM's own scheduling model, for each instruction, as llvm-mca prints it.

use std::env;
use std::fs;
use std::process::Command;

use gcn_harness::mca::LlvmMca;
use gcn_model::isa::{Encoding, Instruction, Processor};
use gcn_model::published::{Expectation, source};

use crate::isa_oracle::llvm::{all_kinds, assemble};
use crate::isa_oracle::rows::{Case, cases};
use crate::isa_oracle::written::Sources;

/// The version whose numbers the source has.
const VERSION: &str = "22.";
const NEED_MCA: &str = "GCN_TIMINGS_NEED_MCA";
/// Clocks of one of LLVM's slots.
const SLOT: f64 = 4.0;

/// What llvm-mca prints of an instruction, in slots.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Printed {
    latency: f64,
    /// Slots for which it holds its unit.
    throughput: f64,
}

/// The instructions of a processor that LLVM takes, each in its native form; without those of buffers, of which llvm-mca 22 does not survive
/// BUFFER_LOAD_SHORT_D16 and its like.
fn lines(processor: Processor) -> Vec<(&'static Instruction, String)> {
    let is_taken = |case: &Case| case.form == case.instruction.encoding && case.form != Encoding::Mubuf;
    let native = cases(processor, Sources::Registers).into_iter().filter(is_taken);
    let named: Vec<_> = native.map(|case| (case.instruction, case.written.text)).collect();
    let texts: Vec<String> = named.iter().map(|(_, text)| text.clone()).collect();
    let taken = assemble(processor.name(), &texts);
    named.into_iter().zip(taken).filter_map(|(line, words)| words.map(|_| line)).collect()
}

/// Latency and reciprocal throughput of each line.
fn printed(mca: &LlvmMca, processor: Processor, lines: &[(&Instruction, String)]) -> Vec<Printed> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("instructions.s");
    let text: String = lines.iter().map(|(_, line)| format!("{line}\n")).collect();
    fs::write(&file, text).unwrap();
    let mut command = Command::new(mca.program());
    command.args([
        "-mtriple=amdgcn",
        &format!("-mcpu={}", processor.name()),
        "-iterations=1",
        "-resource-pressure=false",
    ]);
    let output = command.arg(&file).output().unwrap();
    assert!(output.status.success(), "{}: {}", processor.name(), String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8(output.stdout).unwrap();
    let (_, table) = said.split_once("Instructions:\n").unwrap_or_else(|| panic!("{said}"));
    let (_, table) = table.split_once("Instructions:\n").unwrap_or(("", table));
    let rows: Vec<Printed> = table
        .lines()
        .map_while(|line| {
            let mut numbers = line.split_whitespace().map(str::parse);
            let [_, Some(Ok(latency)), Some(Ok(throughput))] = [(); 3].map(|()| numbers.next()) else { return None };
            Some(Printed { latency, throughput })
        })
        .collect();
    assert_eq!(rows.len(), lines.len(), "{}", processor.name());
    rows
}

/// GCN has a test of its own for each class (`model/tests/published.rs`).
fn has_matrix_unit(processor: Processor) -> bool {
    processor.instructions().any(|instruction| processor.generation.matrix_operation(instruction).is_some())
}

#[test]
fn llvm_schedules_as_the_source_says() {
    let mca = LlvmMca::find().ok().filter(|mca| mca.version.starts_with(VERSION));
    let Some(mca) = mca else {
        assert!(env::var_os(NEED_MCA).is_none(), "{NEED_MCA} is set, and llvm-mca {VERSION}x is not there");
        println!("SKIPPED: llvm-mca {VERSION}x is not there ({NEED_MCA}=1 makes this a failure)");
        return;
    };
    let llvm = source("llvm").unwrap();
    let mut wrong = Vec::new();
    let mut compared = 0;
    for processor in all_kinds().into_iter().filter(|processor| has_matrix_unit(*processor)) {
        let lines = lines(processor);
        for ((instruction, line), printed) in lines.iter().zip(printed(&mca, processor, &lines)) {
            let said = llvm.expectations_on(instruction, processor.name());
            let number = |value: &Expectation<'_>| value.evaluate(1).lowest();
            // What holds its unit for several slots is a matrix instruction or two micro-operations; of all others the source
            // reads the latency as time.
            let cycles = SLOT * if printed.throughput > 1.0 { printed.throughput } else { printed.latency };
            for (what, value, wanted) in [
                ("cycles", &said.cycles, cycles),
                ("taken cycles", &said.taken_cycles, SLOT * printed.latency),
                ("latency", &said.latency, SLOT * printed.latency),
            ] {
                let Some(found) = value.as_ref().and_then(number) else { continue };
                compared += 1;
                if (found - wanted).abs() > 0.0 {
                    wrong.push(format!("{}: {what} {found}, llvm-mca {wanted}: {line}", processor.name()));
                }
            }
        }
    }
    assert!(compared > 2000, "{compared}");
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
}
