//! The hazard table of CDNA against LLVM's hazard recognizer: pairs of instructions, between which `llc` puts as many wait states as the
//! table asks for, and not one more.

use gcn_model::decode::decode;
use gcn_model::hazard::{check, wait_states};
use gcn_model::isa::Processor;
use gcn_tests::recognized;

/// Differences between recognizer and table: a target, pieces of the names of the pair, and why.
///
/// LLVM counts EXEC, which masks every vector instruction, as a scalar register that vector memory reads; the rows of GCN do not.
const KNOWN: &[(&str, &str, &str, &str)] = &[
    ("gfx942", "v_dot2 of VOP3P", "", "OP_SEL_HI of the first source taken for OP_SEL of the destination"),
    ("gfx950", "v_dot2 of VOP3P", "", "OP_SEL_HI of the first source taken for OP_SEL of the destination"),
    ("gfx", "v_cmpx", "store", "EXEC as an SGPR"),
    ("gfx", "v_cmpx", "load", "EXEC as an SGPR"),
    (
        "gfx908",
        "v_accvgpr_write",
        "v_accvgpr_write",
        "what LLVM asks for where none of its cases applies; no other source has it",
    ),
];

/// `$vgpr4_vgpr5`.
fn tuple(file: &str, first: u32, count: u32) -> String {
    format!("${}", (first..first + count).map(|n| format!("{file}{n}")).collect::<Vec<_>>().join("_"))
}

/// An instruction as LLVM's machine code text, with its name in messages.
type Line = (String, String);

/// A matrix instruction: opcode, registers of D, of A and of B.
#[derive(Clone, Copy)]
struct Matrix {
    opcode: &'static str,
    d: u32,
    ab: u32,
}

const fn matrix(opcode: &'static str, d: u32, ab: u32) -> Matrix {
    Matrix { opcode, d, ab }
}

impl Matrix {
    fn line(self, target: &str, what: &str, d: u32, a: u32, c: u32) -> Line {
        let (file, form) = if target == "gfx908" { ("agpr", "") } else { ("vgpr", "_vgprcd") };
        // A has to be where C and D are, to read their result.
        let (a_file, b) = (if what == "a" { file } else { "vgpr" }, 100);
        let text = format!(
            "{} = {}{form}_e64 {}, {}, {}, 0, 0, 0, implicit $mode, implicit $exec",
            tuple(file, d, self.d),
            self.opcode,
            tuple(a_file, a, self.ab),
            tuple("vgpr", b, self.ab),
            tuple(file, c, self.d)
        );
        (format!("{} {what}", self.opcode), text)
    }
}

/// The matrix instructions that targets have: of two, four, eight, sixteen passes where there are such, of each engine.
fn matrices(target: &str) -> Vec<Matrix> {
    let mut all = vec![
        matrix("V_MFMA_F32_4X4X1F32", 4, 1),
        matrix("V_MFMA_F32_16X16X4F32", 4, 1),
        matrix("V_MFMA_F32_32X32X2F32", 16, 1),
        matrix("V_MFMA_F32_4X4X4F16", 4, 2),
        matrix("V_MFMA_F32_16X16X16F16", 4, 2),
        matrix("V_MFMA_F32_32X32X8F16", 16, 2),
        matrix("V_MFMA_F32_32X32X4F16", 32, 2),
    ];
    if target != "gfx908" {
        all.extend([matrix("V_MFMA_F64_4X4X4F64", 2, 2), matrix("V_MFMA_F64_16X16X4F64", 8, 2)]);
    }
    all
}

/// Instructions that write v0 or a0 and the registers after it, or read C there.
fn producers(target: &str) -> Vec<Line> {
    let own = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let mut all: Vec<Line> = Vec::new();
    for matrix in matrices(target) {
        all.push(matrix.line(target, "d", 0, 60, 0));
        all.push(matrix.line(target, "c alone", 64, 60, 0));
    }
    all.push(own("v_mov", "$vgpr0 = V_MOV_B32_e32 $vgpr60, implicit $exec"));
    all.push(own(
        "v_cmpx",
        "V_CMPX_EQ_U32_e32 $vgpr60, $vgpr61, implicit-def $exec, implicit-def $vcc, implicit $mode, implicit $exec",
    ));
    all.push(own("v_cmp", "V_CMP_EQ_U32_e32 $vgpr60, $vgpr61, implicit-def $vcc, implicit $exec"));
    all.push(own("v_readfirstlane", "$sgpr8 = V_READFIRSTLANE_B32 $vgpr60, implicit $exec"));
    all.push(own("v_rcp", "$vgpr0 = V_RCP_F32_e32 $vgpr60, implicit $mode, implicit $exec"));
    all.push(own("v_rcp_f64", "$vgpr0_vgpr1 = V_RCP_F64_e32 $vgpr60_vgpr61, implicit $mode, implicit $exec"));
    all.push(own("v_exp_f16", "$vgpr0 = V_EXP_F16_e32 $vgpr60, implicit $mode, implicit $exec"));
    all.push(own(
        "v_mov_sdwa",
        "$vgpr0 = V_MOV_B32_sdwa 0, $vgpr60, 0, 5, 2, 5, implicit $exec, implicit $vgpr0(tied-def 0)",
    ));
    all.push(own("v_dot2c", "$vgpr0 = V_DOT2C_F32_F16_e32 $vgpr60, $vgpr61, $vgpr0, implicit $mode, implicit $exec"));
    all.push(own(
        "v_dot2 of VOP3P",
        "$vgpr0 = V_DOT2_F32_F16 8, $vgpr60, 8, $vgpr61, 8, $vgpr62, 0, 0, 0, 0, 0, implicit $mode, implicit $exec",
    ));
    all.push(own(
        "store of 128 bits",
        "GLOBAL_STORE_DWORDX4 $vgpr60_vgpr61, $vgpr0_vgpr1_vgpr2_vgpr3, 0, 0, implicit $exec",
    ));
    if target == "gfx908" {
        all.push(own("v_accvgpr_write", "$agpr0 = V_ACCVGPR_WRITE_B32_e64 $vgpr60, implicit $exec"));
        all.push(own("v_accvgpr_read", "$vgpr0 = V_ACCVGPR_READ_B32_e64 $agpr60, implicit $exec"));
    }
    all
}

/// Instructions that read or write what those wrote or read.
fn consumers(target: &str) -> Vec<Line> {
    let own = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let mut all: Vec<Line> = Vec::new();
    for matrix in matrices(target) {
        all.push(matrix.line(target, "same c", 0, 60, 0));
        all.push(matrix.line(target, "other c", 64, 60, 2));
        if matrix.ab == 2 || target == "gfx908" {
            all.push(matrix.line(target, "a", 64, 0, 64));
        }
        let (a, b) = (tuple("vgpr", 0, matrix.ab), tuple("vgpr", 62, matrix.ab));
        let (file, form) = if target == "gfx908" { ("agpr", "") } else { ("vgpr", "_vgprcd") };
        let d = tuple(file, 64, matrix.d);
        let text = format!("{d} = {}{form}_e64 {a}, {b}, {d}, 0, 0, 0, implicit $mode, implicit $exec", matrix.opcode);
        all.push((format!("{} a in VGPRs", matrix.opcode), text));
    }
    all.push(own("v_mov reads", "$vgpr70 = V_MOV_B32_e32 $vgpr0, implicit $exec"));
    all.push(own("v_mov writes", "$vgpr0 = V_MOV_B32_e32 $vgpr70, implicit $exec"));
    all.push(own("v_mov reads s8", "$vgpr70 = V_MOV_B32_e32 $sgpr8, implicit $exec"));
    all.push(own("v_cndmask", "$vgpr70 = V_CNDMASK_B32_e32 $vgpr71, $vgpr72, implicit $vcc, implicit $exec"));
    all.push(own("v_rcp reads", "$vgpr70 = V_RCP_F32_e32 $vgpr0, implicit $mode, implicit $exec"));
    all.push(own(
        "v_mov_sdwa writes",
        "$vgpr0 = V_MOV_B32_sdwa 0, $vgpr70, 0, 4, 2, 5, implicit $exec, implicit $vgpr0(tied-def 0)",
    ));
    all.push(own("v_readlane", "$sgpr9 = V_READLANE_B32 $vgpr0, $sgpr10"));
    all.push(own("v_readfirstlane", "$sgpr9 = V_READFIRSTLANE_B32 $vgpr0, implicit $exec"));
    all.push(own("v_writelane", "$vgpr70 = V_WRITELANE_B32 $sgpr11, $sgpr11, $vgpr70"));
    all.push(own("store", "GLOBAL_STORE_DWORD $vgpr60_vgpr61, $vgpr0, 0, 0, implicit $exec"));
    all.push(own("load", "$vgpr0 = GLOBAL_LOAD_DWORD $vgpr60_vgpr61, 0, 0, implicit $exec"));
    all.push(own("ds_write", "DS_WRITE_B32_gfx9 $vgpr60, $vgpr0, 0, 0, implicit $exec"));
    all.push(own("v_dot2c c", "$vgpr0 = V_DOT2C_F32_F16_e32 $vgpr60, $vgpr61, $vgpr0, implicit $mode, implicit $exec"));
    all.push(own(
        "v_dot2c a",
        "$vgpr70 = V_DOT2C_F32_F16_e32 $vgpr0, $vgpr61, $vgpr70, implicit $mode, implicit $exec",
    ));
    all.push(own(
        "v_dot2 c",
        "$vgpr70 = V_DOT2_F32_F16 8, $vgpr60, 8, $vgpr61, 8, $vgpr0, 0, 0, 0, 0, 0, implicit $mode, implicit $exec",
    ));
    all.push(own(
        "v_dot2 a",
        "$vgpr70 = V_DOT2_F32_F16 8, $vgpr0, 8, $vgpr61, 8, $vgpr62, 0, 0, 0, 0, 0, implicit $mode, implicit $exec",
    ));
    all.push(own(
        "v_fma_f64",
        "$vgpr70_vgpr71 = V_FMA_F64_e64 0, $vgpr72_vgpr73, 0, $vgpr74_vgpr75, 0, $vgpr76_vgpr77, 0, 0, implicit $mode, implicit $exec",
    ));
    if target == "gfx908" {
        all.push(own("v_accvgpr_write", "$agpr0 = V_ACCVGPR_WRITE_B32_e64 $vgpr70, implicit $exec"));
        all.push(own("v_accvgpr_write reads", "$agpr70 = V_ACCVGPR_WRITE_B32_e64 $vgpr0, implicit $exec"));
        all.push(own("v_accvgpr_read", "$vgpr70 = V_ACCVGPR_READ_B32_e64 $agpr0, implicit $exec"));
    }
    if target == "gfx950" {
        all.push(own(
            "v_permlane16_swap",
            "$vgpr0, $vgpr70 = V_PERMLANE16_SWAP_B32_e32 $vgpr0, $vgpr70, implicit $exec",
        ));
    }
    all
}

/// `S_NOP` of up to sixteen wait states each.
fn nops(states: u32) -> Vec<u32> {
    let mut rest = states;
    let mut words = Vec::new();
    while rest > 0 {
        let now = rest.min(16);
        words.push(0xbf80_0000 | (now - 1));
        rest -= now;
    }
    words
}

/// The wait states that LLVM put between the two, and the words before and after them.
fn apart(processor: Processor, words: &[u32]) -> (u32, Vec<u32>, Vec<u32>) {
    let first = usize::from(decode(processor, words, 0).unwrap().dwords.0);
    let mut behind = first;
    let mut states = 0;
    while words[behind] >> 16 == 0xbf80 {
        states += (words[behind] & 0xf) + 1;
        behind += 1;
    }
    (states, words[..first].to_vec(), words[behind..].to_vec())
}

/// The wait states that the table asks for: with them the check finds nothing, with one fewer it does.
fn asked_for(processor: Processor, first: &[u32], second: &[u32]) -> u32 {
    let states = wait_states(processor, first, second).unwrap();
    let is_broken = |states| {
        let violations = check(processor, &[first, &nops(states), second].concat(), 0).unwrap();
        violations.iter().any(|violation| violation.hazard != "not-waited-for")
    };
    assert!(!is_broken(states) && (states == 0 || is_broken(states - 1)), "{states}: {first:08x?} {second:08x?}");
    states
}

#[test]
fn the_table_requires_the_wait_states_of_llvm() {
    let mut differences = Vec::new();
    for target in ["gfx908", "gfx90a", "gfx942", "gfx950"] {
        let processor = Processor::find(target).unwrap();
        let consumers = consumers(target);
        let pairs: Vec<(Line, Line)> = producers(target)
            .into_iter()
            .flat_map(|producer| consumers.iter().map(move |consumer| (producer.clone(), consumer.clone())))
            .collect();
        let body =
            |((_, first), (_, second)): &(Line, Line)| format!("  bb.0:\n    {first}\n    {second}\n    S_ENDPGM 0\n");
        let bodies: Vec<String> = pairs.iter().map(body).collect();
        let Some(code) = recognized(target, &bodies) else { return };
        assert_eq!(code.len(), pairs.len(), "{target}");
        let mut with_waits = 0;
        for (number, words) in code {
            let ((first_name, _), (second_name, _)) = &pairs[number];
            let (theirs, first, second) = apart(processor, &words);
            let ours = asked_for(processor, &first, &second);
            with_waits += usize::from(theirs > 0);
            let is_known = KNOWN.iter().any(|(of, producer, consumer, _)| {
                target.starts_with(of) && first_name.contains(producer) && second_name.contains(consumer)
            });
            if ours != theirs && !is_known {
                differences.push(format!("{target}: {first_name}; {second_name}: LLVM {theirs}, the table {ours}"));
            }
        }
        assert!(with_waits > 100, "{target}: {with_waits}");
    }
    assert!(differences.is_empty(), "{}:\n{}", differences.len(), differences.join("\n"));
}
