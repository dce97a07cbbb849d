//! LLVM's assembler turns the decoder's text into the same words again; the check of decoding for GCN 1.0 and 1.1, which LLVM
//! cannot disassemble.

use std::collections::{BTreeMap, BTreeSet};

use gcn_model::decode::decode;
use gcn_model::isa::{Encoding, Processor};

use crate::isa_oracle::llvm::{all_settled_kinds, assemble, of_tier, target, with_tries};
use crate::isa_oracle::noise::Noise;
use crate::isa_oracle::random::{is_image, plain};
use crate::isa_oracle::rows::{Case, cases, row_of};
use crate::isa_oracle::written::Sources;

/// Random variants of each row: of the first kind of a generation the larger number, of its others the smaller.
const VARIANTS: [usize; 2] = [40, 150];

/// Image and export lines say more than the decoder's text does (the size of an image address, the name of an export target), and LLVM
/// writes VOPD for VOPD3 where it can.
fn is_left_out(form: Encoding) -> bool {
    is_image(form) || matches!(form, Encoding::Exp | Encoding::Vopd3)
}

/// A row in one of its forms.
fn named(case: &Case) -> String {
    format!("{} {:?}", case.instruction.name, case.form)
}

/// Decodes random variants of every row, writes them as text, assembles that and compares the words. LLVM refuses some (two SGPRs in
/// a vector instruction, odd register pairs); gives the forms among some that it never took.
fn check(processor: Processor, count: usize, is_among: impl Fn(&str) -> bool) -> (usize, BTreeSet<String>) {
    let mut noise = Noise::new(1);
    let cases: Vec<_> = cases(processor, Sources::Registers)
        .into_iter()
        .filter(|case| !is_left_out(case.form) && is_among(&named(case)))
        .collect();
    let lines: Vec<String> = cases.iter().map(|case| case.written.text.clone()).collect();
    let mut variants = Vec::new();
    for (case, words) in cases.iter().zip(assemble(&target(processor), &lines)) {
        let words = words.expect("LLVM takes every row");
        for _ in 0..count {
            let mut changed = [words[0], words.get(1).copied().unwrap_or(0), words.get(2).copied().unwrap_or(0)];
            for word in &mut changed {
                *word ^= noise.few_bits();
            }
            let Ok(decoded) = decode(processor, &changed, 0) else { continue };
            if !std::ptr::eq(row_of(&decoded, case.instruction), case.instruction) || decoded.form != case.form {
                continue;
            }
            let words = plain(processor, &decoded);
            let decoded = decode(processor, &words, 0).expect("the plain words decode as well");
            variants.push((named(case), decoded));
        }
    }
    let texts: Vec<String> = variants.iter().map(|(_, decoded)| decoded.to_string()).collect();
    let mut taken: BTreeMap<&str, usize> = variants.iter().map(|(row, _)| (row.as_str(), 0)).collect();
    for (((row, decoded), text), words) in variants.iter().zip(&texts).zip(assemble(&target(processor), &texts)) {
        let Some(words) = words else { continue };
        let again = decode(processor, &words, 0).unwrap_or_else(|error| panic!("{text}: {error}"));
        // LLVM prefers an inline constant to a literal of the same value.
        let shorter = again.dwords < decoded.dwords && decoded.literal().is_some();
        // SMEM of GCN 1.4 has two ways to say an SGPR offset.
        let other_way = decoded.form == Encoding::Smem && again.operands() == decoded.operands();
        // LLVM 22.1's assembler takes names of registers, which its disassembler writes here, for constants (`null` for 20).
        let is_named = |name: &str| name == "null" || name.starts_with("src_");
        let is_of_barriers = text.starts_with("s_barrier_signal") || text.starts_with("s_get_barrier_state");
        let is_constant = is_of_barriers && text.split(' ').any(is_named);
        if !shorter && !other_way && !is_constant {
            // LLVM sets some bits that nothing reads (OP_SEL_HI of a source that is not there).
            assert_eq!(plain(processor, &again), decoded.words, "{}: {text}", processor.name());
        }
        *taken.entry(row).or_default() += 1;
    }
    let never = taken.iter().filter(|&(_, &count)| count == 0).map(|(row, _)| (*row).to_owned()).collect();
    (taken.values().sum(), never)
}

#[test]
fn text_assembles_to_the_words_it_was_decoded_from() {
    for (processor, count) in with_tries(of_tier(all_settled_kinds()), |it| *it, VARIANTS) {
        let (taken, mut never) = check(processor, count, |_| true);
        assert!(taken * VARIANTS[1] > 10_000 * count, "{taken} of {}", processor.name());
        // LLVM refuses most variants of some rows: few variants may all be among those.
        if count < VARIANTS[1] {
            never = check(processor, VARIANTS[1], |row| never.contains(row)).1;
        }
        assert_eq!(never, BTreeSet::new(), "{}", processor.name());
    }
}
