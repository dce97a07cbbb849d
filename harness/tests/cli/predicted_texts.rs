//! `predict` of assembly text as assemblers take it and disassemblers print it.

use std::fs;

use gcn_harness::llvm::Llvm;
use gcn_model::gpu::Gpu;
use gcn_model::isa::Processor;

use super::predicted::of_text;
use super::{failure, run, temporary, text};

/// A GPU of each line of products.
const GPUS: [&str; 12] = [
    "tahiti",
    "hawaii",
    "fiji",
    "vega10",
    "mi100",
    "mi210",
    "mi300x",
    "mi355x",
    "rx5700xt",
    "rx6800",
    "rx7900xtx",
    "rx9070xt",
];

fn instructions(said: &super::CommandOutput) -> Vec<&str> {
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""), "{}", said.out);
    let listed = said.out.lines().skip_while(|line| !line.trim_start().starts_with("address "));
    listed.skip(1).filter(|line| line.trim_start().starts_with("0x")).collect()
}

#[test]
fn padding_of_the_assembler_is_not_code() {
    for gpu in GPUS {
        let said = of_text("  v_add_f32 v1, v0, v2\n  v_mul_f32 v3, v1, v1\n", &["--gpu", gpu]);
        assert_eq!(instructions(&said).len(), 2, "{gpu}: {}", said.out);
        let loops = of_text("top:\nv_nop\ns_cbranch_scc1 top\n", &["--gpu", gpu]);
        assert_eq!(instructions(&loops).len(), 2, "{gpu}: {}", loops.out);
        let empty = of_text("; nothing\n", &["--gpu", gpu]);
        assert_eq!((empty.code, empty.error.as_str()), (Some(1), "gcn-timings: -: there is no code in it\n"), "{gpu}");
    }
}

#[test]
fn jumps_of_rdna_4_cost_as_in_its_trace() {
    let code = "top:\nv_add_f32 v1, v2, v3\nv_add_f32 v4, v2, v3\ns_cbranch_scc1 top\n";
    for gpu in ["rx9060xt", "rx9070xt"] {
        let said = of_text(code, &["--gpu", gpu]);
        assert!(said.out.contains("cycles       11 for an iteration of each wave: 11 issuing"), "{}", said.out);
    }
}

#[test]
fn the_target_of_a_text_may_have_features() {
    for (gpu, id) in [("mi300x", "gfx942:sramecc+:xnack-"), ("mi210", "gfx90a:xnack+"), ("mi100", "gfx908:xnack+")] {
        let code = format!(".amdgcn_target \"amdgcn-amd-amdhsa--{id}\"\nv_nop\n");
        assert_eq!(instructions(&of_text(&code, &["--gpu", gpu])).len(), 1, "{id}");
        let other = of_text(&code, &["--gpu", "fiji"]).error;
        let target = id.split(':').next().unwrap();
        assert!(other.contains(&format!("it is for {target}, but fiji is gfx803")), "{other}");
    }
}

/// Text and object file of LLVM's generic targets.
#[test]
fn code_for_a_generic_target_is_for_each_of_its_members() {
    let folder = temporary();
    let generic: Vec<Processor> = Processor::all().filter(|processor| processor.is_generic()).collect();
    assert!(generic.len() >= 6, "{generic:?}");
    for target in generic {
        let (name, gpus) = (target.name(), GPUS.map(|gpu| Gpu::named(gpu).unwrap()));
        let member = gpus.iter().find(|gpu| gpu.processor().runs(target)).unwrap_or_else(|| panic!("{name}"));
        let other = gpus.iter().find(|gpu| !gpu.processor().runs(target)).unwrap();
        let code = format!(".amdgcn_target \"amdgcn-amd-amdhsa--{name}\"\nv_nop\n");
        let file = folder.path().join(name);
        fs::write(&file, Llvm::find(None).unwrap().assemble(name, "v_nop\n").unwrap()).unwrap();
        assert_eq!(instructions(&of_text(&code, &["--gpu", &member.name])).len(), 1, "{name}");
        // The assembler ends an object of RDNA with padding that the simulator does not execute.
        let taken = run(&["predict", text(&file), "--gpu", &member.name]);
        assert!(taken.code == Some(0) || taken.error.contains("s_code_end"), "{name}: {}", taken.error);
        let refusal = format!("it is for {name}, but {} is {}", other.name, other.gfx_target);
        for said in [of_text(&code, &["--gpu", &other.name]), run(&["predict", text(&file), "--gpu", &other.name])] {
            assert!(said.error.contains(&refusal), "{}", said.error);
        }
    }
}

#[test]
fn symbols_and_included_files_are_those_of_the_command_line() {
    let unrolled = "loop:\n.rept UNROLL\nv_mul_f32 v1, v2, v3\n.endr\ns_cbranch_scc1 loop\n";
    for option in [&["-D", "UNROLL=4"], &["--defsym", "UNROLL=0x4"]] {
        assert_eq!(instructions(&of_text(unrolled, option)).len(), 5);
    }
    let folder = temporary();
    let other = folder.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(folder.path().join("outer.s"), "; outer\n.include \"inner.inc\"\n.include \"far.inc\"\ns_endpgm\n")
        .unwrap();
    fs::write(folder.path().join("inner.inc"), "v_nop\n").unwrap();
    fs::write(other.join("far.inc"), "v_nop\nv_add_f32 v1, v2\n").unwrap();
    let outer = folder.path().join("outer.s");
    let missing = failure(&["predict", text(&outer)]);
    assert!(missing.contains("outer.s:3:") && missing.contains(".include \"far.inc\""), "{missing}");
    let wrong = failure(&["predict", text(&outer), "-D", "A=1", "-I", text(&other)]);
    assert!(wrong.contains("far.inc:2:") && wrong.contains("\n    v_add_f32 v1, v2\n"), "{wrong}");
    fs::write(other.join("far.inc"), "v_nop\nv_nop\n").unwrap();
    assert_eq!(instructions(&run(&["predict", text(&outer), "-I", text(&other)])).len(), 3);
}

#[test]
fn the_text_of_a_disassembler_is_read() {
    let code = "\nk.co:\tfile format elf64-amdgpu\n\nDisassembly of section .text:\n\n0000000000001900 <axpy>:\n\
        \tv_add_f32_e32 v0, v1, v2                                   // 000000001900: 02000501\n\
        \ts_cbranch_scc1 65534                                       // 000000001904: BF85FFFE <axpy>\n\
        \ts_endpgm                                                   // 000000001908: BF810000\n";
    assert_eq!(instructions(&of_text(code, &["--gpu", "mi300x"])).len(), 2);
}

#[test]
fn directives_of_others_are_named_with_their_lines() {
    let old = of_text("  .hsa_code_object_version 2,0\nv_nop\n", &[]).error;
    assert!(old.contains("-:1:") && old.contains(".hsa_code_object_version is a directive of code object V2"), "{old}");
    let clrx = of_text(".gpu Tahiti\n.kernel k\n    .config\n", &[]).error;
    for line in ["-:1:", "-:2:", "-:3:", ".config is a directive of CLRX's assembler", "    .kernel k\n"] {
        assert!(clrx.contains(line), "{clrx}");
    }
}
