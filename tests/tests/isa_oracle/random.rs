//! Random words: the decoder takes what LLVM's disassembler takes, as the same instruction of the same size.

use gcn_model::decode::{Decoded, DecodedOperand, Location, decode};
use gcn_model::isa::{Encoding, FieldName, Generation, InstructionClass, Processor};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::isa_oracle::llvm::{Oracle, Text, all_kinds, disassembled, ends_the_process, of_tier, target};

/// Whether LLVM's text is right for a generation.
type IsRight = fn(Generation) -> bool;

/// What LLVM 22.1's disassembler takes and the decoder does not: a piece of LLVM's text, the generations where it is right, and why it is
/// wrong elsewhere.
const LLVM_ALONE: &[(&str, IsRight, &str)] = &[
    ("_f64_dpp", has_double_dpp, "double precision has no DPP form before CDNA 2: LLVM 22 regressed"),
    ("_f64_i32_dpp", has_double_dpp, "double precision has no DPP form before CDNA 2: LLVM 22 regressed"),
    ("_f64_u32_dpp", has_double_dpp, "double precision has no DPP form before CDNA 2: LLVM 22 regressed"),
    ("_f64_f32_dpp", has_double_dpp, "double precision has no DPP form before CDNA 2: LLVM 22 regressed"),
    ("null", has_null, "code 125 is SGPR_NULL from GFX10 on, and nothing before"),
    ("src_flat_scratch_base", has_flat_scratch_base, "codes 230 and 231 are of gfx1250"),
    ("src_shared_", has_apertures, "codes 235 to 239 came with GCN 1.4"),
    ("src_private_", has_apertures, "codes 235 to 239 came with GCN 1.4"),
    ("src_pops_exiting_wave_id", has_apertures, "codes 235 to 239 came with GCN 1.4"),
    ("src_lds_direct", nowhere, "code 254 is a dword, and of vector instructions alone"),
    ("ttmp[8:15]", has_sixteen_ttmps, "GCN 1.2 has twelve TTMP registers"),
    ("ttmp[12:15]", has_sixteen_ttmps, "GCN 1.2 has twelve TTMP registers"),
    ("ttmp[0:15]", has_sixteen_ttmps, "GCN 1.2 has twelve TTMP registers"),
];

fn nowhere(_: Generation) -> bool {
    false
}

fn has_flat_scratch_base(generation: Generation) -> bool {
    generation.operand_codes.flat_scratch_base
}

fn has_null(generation: Generation) -> bool {
    generation.operand_codes.null.is_some()
}

fn has_double_dpp(generation: Generation) -> bool {
    generation.instruction("V_CVT_F32_F64").is_some_and(|row| row.dpp)
}

fn has_apertures(generation: Generation) -> bool {
    generation.operand_codes.apertures
}

fn has_sixteen_ttmps(generation: Generation) -> bool {
    generation.operand_codes.ttmp.count >= 16
}

/// Whether the words are of an encoding that the generation lacks: LLVM 22.1 takes V_FMA_MIX_F32 and its like with the prefix of GCN's VOP3P on
/// RDNA as well, where they have another and RDNA 4 has images.
fn no_encoding_has_the_prefix(line: &str, words: [u32; 3], generation: Generation) -> bool {
    line.starts_with("v_fma_mix") && generation.encoding(words[0]) != Some(Encoding::Vop3p)
}

/// Whether a compare or V_READLANE_B32 in VOP3 writes code 128 or higher, where LLVM looks for a source; no such destination exists.
fn destination_is_no_register(line: &str, words: [u32; 3], generation: Generation) -> bool {
    ["v_cmp", "v_readlane", "v_s_"].iter().any(|name| line.starts_with(name))
        && generation.encoding(words[0]) == Some(Encoding::Vop3)
        && words[0] & 0x80 != 0
}

/// Whether a literal of two dwords stands beside that of one which the instruction has anyway: LLVM 22.1 takes the one for both.
fn literals_differ(line: &str) -> bool {
    ["s_fmamk_f32", "s_fmaak_f32", "v_fmamk_f", "v_fmaak_f"].iter().any(|name| line.starts_with(name))
        && line.contains("lit64(")
}

/// The tuples of VGPRs and AGPRs in a line: the first and the last number of each.
fn tuples(line: &str) -> impl Iterator<Item = (u32, u32)> {
    let inside = line.split(['v', 'a']).filter_map(|rest| rest.strip_prefix('[')?.split(']').next()?.split_once(':'));
    inside.filter_map(|(first, last)| Some((first.parse().ok()?, last.parse().ok()?)))
}

/// Whether a tuple goes beyond the last of 256 VGPRs or AGPRs.
fn register_is_beyond(line: &str) -> bool {
    tuples(line).any(|(_, last)| last > 255)
}

/// Whether a tuple begins at an odd register where none can. LLVM 22.1 does not look at the addresses of typed buffers, nor at the AGPRs
/// of atomics that return a value.
fn tuple_is_odd(line: &str, generation: Generation) -> bool {
    generation.vector.tuples_begin_even && tuples(line).any(|(first, _)| !first.is_multiple_of(2))
}

/// Whether LLVM itself refuses a register or a constant for the instruction.
fn says_invalid(line: &str) -> bool {
    line.contains("/*Invalid")
}

/// Whether it prefetches or probes a buffer at an offset below zero, which LLVM 22.1 refuses and takes of loads.
fn reaches_below_a_buffer(decoded: &Decoded) -> bool {
    let is_below =
        |operand: &DecodedOperand| matches!(operand.location, Location::Immediate(offset) if offset >= 1 << 23);
    ["S_BUFFER_PREFETCH_DATA", "S_ATC_PROBE_BUFFER"].contains(&decoded.instruction.name.as_str())
        && decoded.operands().iter().any(is_below)
}

/// Whether it loads the scales of the matrix instruction that follows it: LLVM has both as one of four dwords, of which three are given.
fn is_half_of_a_scaled_matrix(decoded: &Decoded) -> bool {
    decoded.instruction.name.starts_with("V_WMMA_LD_SCALE")
}

/// Whether it is one of two atomics whose forms with AGPRs that return a value LLVM 22.1's disassembler has for gfx90a, and not for gfx942.
fn is_not_in_llvm(decoded: &Decoded) -> bool {
    let is_agpr = |operand: &DecodedOperand| matches!(operand.location, Location::Agpr(_));
    ["GLOBAL_ATOMIC_ADD_F32", "GLOBAL_ATOMIC_PK_ADD_F16"].contains(&decoded.instruction.name.as_str())
        && decoded.flat().is_some_and(|fields| fields.glc)
        && decoded.operands().iter().any(is_agpr)
}

/// Whether a source of VOP3P-MAI that has to be a vector register is not a register of a wave.
fn matrix_source_is_no_register(line: &str) -> bool {
    ["v_mfma", "v_smfmac", "v_accvgpr_read", "v_accvgpr_mov"].iter().any(|name| line.starts_with(name))
        && line.contains("src_")
}

/// Whether a source of VINTERP, which has to be a VGPR, is not; LLVM 22.1 takes the low bits of some for VGPRs.
fn interpolates_no_register(line: &str, words: [u32; 3]) -> bool {
    line.starts_with("v_interp_") && [8, 17, 26].iter().any(|bit| words[1] >> bit & 1 == 0)
}

fn words() -> impl Strategy<Value = [u32; 3]> {
    let anything = any::<[u32; 3]>();
    // Most encodings begin with 11, where random words seldom hit an opcode; few bits set leaves unused fields at zero.
    let sparse = any::<[[u32; 3]; 2]>().prop_map(|[a, b]| [a[0], a[1] & b[1], a[2]]);
    let long = any::<[[u32; 3]; 2]>().prop_map(|[a, b]| [a[0] | 0xc000_0000, a[1] & b[1], a[2]]);
    prop_oneof![anything, sparse, long]
}

/// Whether it is a format of images.
pub(crate) fn is_image(form: Encoding) -> bool {
    matches!(form, Encoding::Mimg | Encoding::Vsample)
}

/// The words without the bits that decide neither the instruction nor an operand: modifiers and unused fields, of which LLVM takes
/// only the combinations that its own instructions have.
pub(crate) fn plain(processor: Processor, decoded: &Decoded) -> [u32; 3] {
    let mut words = decoded.words;
    if is_image(decoded.form) {
        // D16 says how many registers the data take, and LLVM takes it of instructions that return texels alone.
        let format = processor.generation.format(decoded.form);
        if let Some(d16) = format.and_then(|format| format.field(FieldName::D16)) {
            for (word, bit) in words.iter_mut().zip(d16.bits.place_in_words(1)) {
                *word &= !bit;
            }
        }
    }
    let kept = decode(processor, &words, 0).unwrap_or(*decoded);
    for n in 0..words.len() {
        for bit in 0..32 {
            let mut fewer = words;
            fewer[n] &= !(1 << bit);
            let same = decode(processor, &fewer, 0).is_ok_and(|other| {
                other.instruction == decoded.instruction
                    && other.form == decoded.form
                    && other.dwords == decoded.dwords
                    && other.modifier == decoded.modifier
                    && other.operands() == kept.operands()
            });
            if same {
                words = fewer;
            }
        }
    }
    if decoded.form == Encoding::Vop3p && !decoded.instruction.is(InstructionClass::Matrix) {
        // The other way round: LLVM sets OP_SEL_HI of all sources, and writes none of V_DOT4 and V_DOT8.
        words[0] |= 1 << 14;
        words[1] |= 3 << 27;
    }
    words
}

fn agree(processor: Processor, words: [u32; 3], oracle: &mut Oracle) -> Result<(), TestCaseError> {
    let ours = decode(processor, &words, 0);
    if ends_the_process(words) {
        return Ok(());
    }
    match (ours, oracle.text(words)) {
        (Err(_), None) => {}
        (Err(error), Some(Text { line, .. })) => {
            let known = no_encoding_has_the_prefix(&line, words, processor.generation)
                || destination_is_no_register(&line, words, processor.generation)
                || register_is_beyond(&line)
                || tuple_is_odd(&line, processor.generation)
                || says_invalid(&line)
                || literals_differ(&line)
                || matrix_source_is_no_register(&line)
                || interpolates_no_register(&line, words)
                || LLVM_ALONE
                    .iter()
                    .any(|(piece, is_right, _)| line.contains(piece) && !is_right(processor.generation));
            prop_assert!(known, "LLVM takes `{line}`, but {error}");
        }
        (Ok(decoded), theirs) => {
            // The registers of images are not looked at, nor the one that TFE adds to a load.
            let is_odd = |text: &Text| tuple_is_odd(&text.line, processor.generation) && !text.line.contains(" tfe");
            let is_refused = !is_image(decoded.form) && theirs.as_ref().is_some_and(is_odd);
            prop_assert!(!is_refused, "{decoded}: {words:08x?}");
            let name = decoded.instruction.llvm_mnemonic();
            let theirs = theirs.or_else(|| oracle.text(plain(processor, &decoded)));
            let is_other = |text: &Text| no_encoding_has_the_prefix(&text.line, words, processor.generation);
            if theirs.as_ref().is_some_and(is_other)
                || theirs.is_none()
                    && (is_not_in_llvm(&decoded)
                        || reaches_below_a_buffer(&decoded)
                        || is_half_of_a_scaled_matrix(&decoded))
            {
                return Ok(());
            }
            if let Some([_, second]) = decoded.halves() {
                let name = second.instruction.llvm_mnemonic().map(|name| format!(" :: {name} "));
                let line = theirs.as_ref().map(|text| text.line.as_str());
                prop_assert!(name.is_some_and(|name| line.is_some_and(|line| line.contains(&name))), "{decoded}");
            }
            prop_assert_eq!(
                theirs.as_ref().map(|text| (text.mnemonic.as_str(), text.dwords)),
                name.as_deref().map(|name| (name, usize::from(decoded.dwords.0))),
                "{}: {:08x?}, plain {:08x?}",
                decoded,
                words,
                plain(processor, &decoded)
            );
        }
    }
    Ok(())
}

#[test]
fn random_words_decode_as_llvm_says() {
    for (processor, oracle) in disassembled(of_tier(all_kinds())) {
        let oracle = std::cell::RefCell::new(oracle);
        // Always the same words, since LLVM may end the process on some that have not been met yet.
        let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        TestRunner::new_with_rng(Config { cases: 40_000, failure_persistence: None, ..Config::default() }, rng)
            .run(&words(), |words| agree(processor, words, &mut oracle.borrow_mut()))
            .unwrap_or_else(|error| panic!("{}: {error}", target(processor)));
    }
}

proptest! {
    #![proptest_config(Config { cases: 20_000, failure_persistence: None, ..Config::default() })]

    #[test]
    fn any_words_decode_or_not_without_panic(words in words(), length in 0_usize..=3, address: u64) {
        for processor in Processor::all() {
            match decode(processor, &words[..length], address) {
                Ok(decoded) => {
                    prop_assert!(usize::from(decoded.dwords.0) <= length);
                    prop_assert!(!decoded.to_string().is_empty());
                    let second = decoded.halves().map_or(0, |[_, second]| second.instruction.operands.len());
                    prop_assert!(decoded.operands().len() <= decoded.instruction.operands.len() + second);
                    decoded.branch_target(address);
                }
                Err(error) => {
                    let place = format!("{address:#x}: ");
                    prop_assert!(error.to_string().starts_with(&place));
                }
            }
        }
    }
}
