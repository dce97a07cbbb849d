//! Waits are listed as LLVM's disassembler prints them, and its assembler reads them back.

use std::collections::BTreeMap;

use gcn_harness::llvm::Disassembler;
use gcn_model::gpu::Gpu;
use gcn_model::isa::Encoding;
use gcn_predict::{Code, Question, predict};
use gcn_tests::assembler;

/// None of its bits, all, each alone, all but one, and some more.
fn immediates() -> impl Iterator<Item = u32> {
    let bits = (0..16).flat_map(|bit| [1 << bit, 0xffff & !(1 << bit)]);
    [0, 0xffff, 0xff9f].into_iter().chain(bits).chain((0..0x1_0000).step_by(997))
}

/// Waits, and what LLVM makes of them.
fn words(target: &str, lines: &[String]) -> BTreeMap<String, Vec<u32>> {
    let code = assembler().machine_code(target, lines.iter().map(String::as_str)).unwrap();
    let words = |bytes: &[u8]| bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
    let bytes = |line: &String| code.get(line.as_str()).unwrap_or_else(|| panic!("{target}: LLVM refuses {line}"));
    lines.iter().map(|line| (line.clone(), words(bytes(line)))).collect()
}

fn printed(llvm: &mut Disassembler, words: &[u32]) -> String {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    llvm.disassemble(&bytes, 0).unwrap().0
}

#[test]
fn waits_are_listed_as_llvm_prints_them() {
    let gpus = Gpu::shipped().map(|name| Gpu::named(name).unwrap());
    let targets: BTreeMap<&str, Gpu> = gpus.map(|gpu| (gpu.processor().name(), gpu)).collect();
    for (target, gpu) in targets {
        let waits = gpu.processor().instructions().filter(|instruction| instruction.name.starts_with("S_WAIT"));
        let lines: Vec<String> = waits
            .flat_map(|wait| {
                let name = wait.name.to_lowercase();
                let register = if wait.encoding == Encoding::Sopk { "null, " } else { "" };
                let wanted = if wait.operands.is_empty() { 0 } else { usize::MAX };
                let with = immediates().take(wanted).map(|immediate| format!("{name} {register}{immediate:#x}"));
                let alone = (wanted == 0).then(|| name.clone());
                with.chain(alone).collect::<Vec<_>>()
            })
            .collect();
        let assembled = words(target, &lines);
        let code = Code { address: 0, words: assembled.values().flatten().copied().collect() };
        let region = code.regions(gpu.processor()).unwrap().remove(0);
        let listed = predict(&gpu, &code, &region, Question { simds: 1, ..Question::default() }).unwrap().instructions;
        let texts: Vec<String> = listed.into_iter().map(|line| line.text).collect();
        let again = words(target, &texts);
        let mut llvm = assembler().llvm().disassembler(target).ok();
        let is_number = |text: &str| text.contains("0x");
        for ((line, words), text) in assembled.iter().zip(&texts) {
            if is_number(text) {
                assert_eq!(&again[text], words, "{target}: {line} is listed as {text}");
            } else if let Some(theirs) = llvm.as_mut().map(|llvm| printed(llvm, words)) {
                // Bits of no field are in no name; LLVM then prints the number.
                assert!(
                    text == &theirs || is_number(&theirs),
                    "{target}: {line} is listed as {text}, by LLVM {theirs}"
                );
            }
        }
        assert_eq!(assembled.len(), texts.len(), "{target}");
    }
}
