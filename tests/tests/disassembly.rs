//! The timed code of memory kernels as LLVM's disassembler reads it: mnemonics and operands are those of the plan.
//!
//! `measure` decodes every kernel with the project's own decoder before it launches one; this is the second opinion, of a
//! program that shares no table with it.

use std::collections::BTreeSet;

use gcn_harness::device::{Device, SimulatedDevice};
use gcn_harness::experiment::Plan;
use gcn_harness::kernel::{KernelPlan, Order, Templates, check, is_memory};
use gcn_harness::llvm::{Disassembler, Llvm};
use gcn_model::code_object::CodeObject;
use gcn_model::gpu::Gpu;
use gcn_tests::{assembler, only, part_of};

/// Instructions of all memory encodings that LLVM reads back as they are written.
const SAMPLE: [&str; 5] = ["DS_*", "BUFFER_*", "FLAT_*", "GLOBAL_*", "S_*LOAD*"];

/// A line as far as it matters: no comment, no spaces between operands, numbers in decimal.
fn plain(line: &str) -> String {
    let line = line.split("//").next().unwrap_or_default().replace(',', " ").replace(" & ", " ");
    let word = |word: &str| match word.strip_prefix("0x").map(|digits| u64::from_str_radix(digits, 16)) {
        Some(Ok(number)) => number.to_string(),
        _ => word.to_owned(),
    };
    line.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
}

/// The lines between the first two readings of a kernel.
fn first_timed(llvm: &mut Disassembler, object: &CodeObject, kernel: &str) -> Vec<String> {
    let mut address = object.kernel(kernel).unwrap().entry;
    let mut next = || {
        let code: Vec<u8> = object.code_from(address).iter().take(3).flat_map(|word| word.to_le_bytes()).collect();
        let (line, bytes) = llvm.disassemble(&code, address).unwrap_or_else(|| panic!("{kernel}, {address:#x}"));
        address += bytes as u64;
        plain(&line)
    };
    while !next().starts_with("s_memtime") {}
    assert_eq!(next(), "s_waitcnt lgkmcnt(0)", "{kernel}");
    let mut lines = Vec::new();
    loop {
        let line = next();
        if line.starts_with("s_memtime") {
            return lines;
        }
        lines.push(line);
    }
}

/// Kernels of a single wave whose every line LLVM has a name for; and a swizzle's pattern, which it prints as a picture, has not.
fn is_readable(plan: &KernelPlan) -> bool {
    let is_picture = plan.snippet.instruction.name == "DS_SWIZZLE_B32";
    let has_name = !is_picture && plan.snippet.copies.iter().all(|copy| !copy.starts_with(".long"));
    is_memory(plan.snippet.instruction) && plan.order == Order::Straight && plan.sections[0].loops.is_none() && has_name
}

#[test]
fn llvm_disassembles_the_timed_code_as_planned() {
    // A product of each target of GCN 1.2 and 1.4: LLVM has no disassembler for those before.
    let names = ["fiji", "vega20", "tonga", "vega10"];
    for name in part_of(&names, 2, "the other target of each generation") {
        let device = SimulatedDevice::new("sim:test", &Gpu::named(name).unwrap());
        let information = device.information();
        let (target, generation) = (information.target.as_str(), information.generation);
        let mut plan = Plan::new(information, &only(&SAMPLE, &[]));
        plan.kernels.retain(is_readable);
        let module = Templates::shipped().unwrap().module(target, generation, &plan.kernels).unwrap();
        let object = check(assembler(), &assembler().assemble(&module).unwrap(), target, &plan.kernels).unwrap();
        let mut llvm = Llvm::find(None).unwrap().disassembler(target).unwrap();
        let (mut encodings, mut differences) = (BTreeSet::new(), Vec::new());
        for kernel in &plan.kernels {
            let planned: Vec<String> = kernel.lines(kernel.sections[0]).iter().map(|line| plain(line)).collect();
            let read = first_timed(&mut llvm, &object, &kernel.name);
            assert_eq!(read.len(), planned.len(), "{name}: {}", kernel.name);
            let different = read.iter().zip(&planned).find(|(read, planned)| read != planned);
            differences.extend(different.map(|(read, planned)| format!("{}: {planned}, read as {read}", kernel.name)));
            encodings.insert(kernel.snippet.instruction.encoding.name());
        }
        assert!(differences.is_empty(), "{name}: {differences:#?}");
        assert!(plan.kernels.len() > 300, "{name}: {} kernels", plan.kernels.len());
        assert!(encodings.len() >= 4, "{name}: {encodings:?}");
    }
}
