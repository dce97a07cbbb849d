//! The assembler's code objects are, byte for byte, those that LLVM makes of the whole text.

use crate::assembler_support::{assembler, kernel, module};
use gcn_harness::assembler::{Assembler, KernelSource, ModuleSource};
use object::read::elf::{ElfFile64, SectionHeader as _};
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SymbolKind};
use proptest::prelude::*;

const TARGETS: [&str; 6] = ["gfx600", "gfx700", "gfx702", "gfx803", "gfx900", "gfx906"];

/// Code that every generation has; `NAME` is the kernel's name.
const COMMON: [(&str, &str); 10] = [
    ("empty", ""),
    ("plain", "v_add_f64 v[0:1], v[2:3], v[4:5]\nv_mov_b32 v0, v1\ns_waitcnt lgkmcnt(0)\ns_memtime s[2:3]\n"),
    ("literal", "v_add_f32 v0, 0x12345678, v1\ns_mov_b32 s0, 0xdeadbeef\ns_mov_b32 s0, -1\nv_mul_f32 v0, 0.5, v1\n"),
    ("loop", "s_mov_b32 s4, 10\n.Lloop_NAME:\ns_sub_u32 s4, s4, 1\ns_cmp_lg_u32 s4, 0\ns_cbranch_scc1 .Lloop_NAME\n"),
    ("forward", "s_branch .Lend_NAME\nv_nop\nv_nop\n.Lend_NAME: s_nop 1\ns_cbranch_i_fork s[0:1], .Lend_NAME\n"),
    ("aligned", "s_nop 0\n.p2align 5\nv_nop\n.balign 16\n.align 8\nv_nop\ns_nop 0\n.p2align 3\n"),
    (
        "data",
        ".long 0x7e001301, 1\n.quad 0x123456789abcdef0\n.fill 3, 4, 0xbf800000\n.zero 8\n.byte 1,2,3,4\n.short 1, -2\n",
    ),
    ("repeat", ".rept 5\nv_nop\n.rept 2\ns_nop 3\n.endr\n.endr\n.rept 0\ns_nop 9\n.endr\n"),
    ("comment", "s_nop 0 ; a\n  s_nop 1 // b\n/* c */ s_nop /* d */ 2\n/* e\ns_nop 3\n*/ s_nop 4\n# f\n"),
    ("entry", "NAME_inner:\nNAME_same: v_nop\ns_cbranch_vccz NAME_same\ns_branch NAME\n"),
];

fn common() -> Vec<KernelSource> {
    COMMON.iter().map(|(name, code)| kernel(name, &code.replace("NAME", name))).collect()
}

/// More for one generation.
fn special(target: &str) -> Vec<KernelSource> {
    let code = match target {
        "gfx600" => "v_mac_legacy_f32 v0, v1, v2\nv_log_clamp_f32 v0, v1\ns_buffer_load_dword s0, s[4:7], 0x10\n",
        "gfx700" | "gfx702" => "flat_load_dword v0, v[0:1]\nv_mqsad_u32_u8 v[0:3], v[4:5], s2, v[6:9]\n",
        "gfx803" => "v_add_u16 v0, v1, v2\nv_mov_b32_sdwa v0, v1 dst_sel:BYTE_0\ns_memrealtime s[0:1]\n",
        _ => ".Lf: s_call_b64 s[0:1], .Lf\nglobal_load_dword v0, v[0:1], off\nv_pk_add_f16 v0, v1, v2\n",
    };
    vec![kernel("special", code)]
}

/// The whole module as one text, assembled by LLVM and linked.
fn by_llvm_alone(assembler: &Assembler, module: &ModuleSource) -> Vec<u8> {
    let mut text = module.header.as_str().to_owned();
    for kernel in &module.kernels {
        text += kernel.text.as_str();
    }
    text += ".text\n";
    text += module.footer.as_str();
    let object = assembler.llvm().assemble(&module.target, &text).unwrap();
    assembler.linker().link(&[object]).unwrap()
}

#[test]
fn agrees_with_llvm_on_every_target() {
    let assembler = assembler();
    for target in TARGETS {
        let mut kernels = common();
        kernels.extend(special(target));
        let module = module(target, kernels);
        let code_object = assembler.assemble(&module).unwrap();
        assert!(code_object == by_llvm_alone(&assembler, &module), "{target}");
        // And again, when all instructions are known.
        assert!(code_object == assembler.assemble(&module).unwrap(), "{target}");
    }
}

#[test]
fn leaves_symbol_expressions_to_llvm() {
    let assembler = assembler();
    for (name, code) in [
        ("difference", ".Lb: s_getpc_b64 s[0:1]\ns_add_u32 s0, s0, .Le-.Lb\n.Le:\ns_nop 0\n"),
        ("short", ".Lb:\ns_nop 0\n.Le: s_add_u32 s0, s0, .Le-.Lb\n"),
        ("named", "begin:\ns_nop 0\nend: s_add_u32 s0, s0, end-begin\ns_mov_b32 s1, end-named\n"),
        ("relative", "s_getpc_b64 s[0:1]\ns_add_u32 s0, s0, relative@rel32@lo+4\n"),
        ("data", "s_nop 0\n.Lb: .long .Lb-data\n"),
        ("filled", "s_nop 0\n.p2align 4, 0\n.p2align 5, , 8\ns_nop 0\n"),
        ("counted", ".rept 2+1\ns_nop 0\n.endr\n"),
    ] {
        let module = module("gfx803", vec![kernel(name, code)]);
        let (ours, llvms) = (assembler.assemble(&module).unwrap(), by_llvm_alone(&assembler, &module));
        assert_eq!(section(&ours, ".text"), section(&llvms, ".text"), "{name}");
        assert_eq!(section(&ours, ".rodata"), section(&llvms, ".rodata"), "{name}");
        assert_eq!(section(&ours, ".note"), section(&llvms, ".note"), "{name}");
    }
}

#[test]
fn gives_kernels_labels_of_their_own() {
    let code = ".Lx: s_nop 0\ns_branch .Lx\n.Ly:\n.type s_NAME,@function\n.size s_NAME, .Ly-.Lx\n";
    let kernels = |names: [&str; 2]| names.map(|name| kernel(name, &code.replace("NAME", name))).to_vec();
    let code_object = assembler().assemble(&module("gfx803", kernels(["a", "b"]))).unwrap();
    let text = section(&code_object, ".text");
    assert_eq!(text[..8], text[256..264]);
    assert_eq!(text[4..8], [0xfe, 0xff, 0x82, 0xbf]);
}

#[test]
fn makes_the_same_bytes_on_any_number_of_threads() {
    // More kernels than one object holds.
    let kernels: Vec<KernelSource> = (0..600)
        .map(|number| {
            let destination = number % 23;
            kernel(&format!("k{number}"), &format!("v_mov_b32 v{destination}, v0\n.rept {destination}\nv_nop\n.endr\n"))
        })
        .collect();
    let module = module("gfx803", kernels);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| assembler().assemble(&module).unwrap())
    };
    let code_object = on(1);
    assert!(code_object == on(3));
    // LLVM alone makes one object, whose parts differ from ours in nothing but what fills the end of an object.
    let llvms = by_llvm_alone(&assembler(), &module);
    let read = |code_object| gcn_model::code_object::CodeObject::read(code_object).unwrap();
    let (read_ours, read_llvms) = (read(&code_object), read(&llvms));
    assert_eq!(read_ours.kernels, read_llvms.kernels);
    for (number, kernel) in read_ours.kernels.iter().enumerate() {
        let code =
            |object: &gcn_model::code_object::CodeObject| object.code_from(kernel.entry)[..number % 23 + 1].to_vec();
        assert_eq!(code(&read_ours), code(&read_llvms), "{}", kernel.name);
    }
    assert_eq!(section(&code_object, ".note"), section(&llvms, ".note"));
    assert_eq!(symbols(&code_object), symbols(&llvms));
}

/// Facts §5.1 to §5.3: a loader's requirements for a code object.
#[test]
fn makes_objects_that_loaders_expect() {
    for (target, flags) in [("gfx600", 0x20), ("gfx702", 0x24), ("gfx803", 0x2a), ("gfx900", 0x12c), ("gfx906", 0x52f)]
    {
        let code_object = assembler().assemble(&module(target, vec![kernel("k", "")])).unwrap();
        assert_eq!(code_object[7..9], [64, 2], "OSABI AMDGPU_HSA, ABI version 2");
        assert_eq!(code_object[16..18], [3, 0], "ET_DYN");
        assert_eq!(code_object[48..52], u32::to_le_bytes(flags), "e_flags of {target}");

        let file: ElfFile64<'_> = ElfFile64::parse(&*code_object).unwrap();
        let mut found: Vec<_> =
            file.dynamic_symbols().map(|symbol| (symbol.name().unwrap(), symbol.kind(), symbol.size())).collect();
        found.sort_by_key(|(name, ..)| *name);
        assert_eq!(found, [("k", SymbolKind::Text, 4), ("k.kd", SymbolKind::Data, 64)]);

        let mut notes = Vec::new();
        for section in file.sections() {
            let header = section.elf_section_header();
            let Some(mut of_section) = header.notes(object::Endianness::Little, &*code_object).unwrap() else {
                continue;
            };
            while let Some(note) = of_section.next().unwrap() {
                notes.push((note.name().to_owned(), note.n_type(object::Endianness::Little).0, note.desc().to_owned()));
            }
        }
        let [(name, 32, metadata)] = notes.as_slice() else { panic!("{notes:?}") };
        assert_eq!(name, b"AMDGPU");
        let version = b"\xaeamdhsa.version\x92\x01\x01";
        assert!(metadata.windows(version.len()).any(|window| window == version), "{metadata:?}");

        let read = gcn_model::code_object::CodeObject::read(&code_object).unwrap();
        assert_eq!(read.target(), Some(target));
        assert_eq!(read.kernels.len(), 1);
    }
}

fn section<'a>(code_object: &'a [u8], name: &str) -> &'a [u8] {
    let file: ElfFile64<'_> = ElfFile64::parse(code_object).unwrap();
    let range = file.section_by_name(name).unwrap().file_range().unwrap();
    &code_object[range.0 as usize..(range.0 + range.1) as usize]
}

fn symbols(code_object: &[u8]) -> Vec<(String, u64)> {
    let file: ElfFile64<'_> = ElfFile64::parse(code_object).unwrap();
    let mut symbols: Vec<_> =
        file.dynamic_symbols().map(|symbol| (symbol.name().unwrap().to_owned(), symbol.size())).collect();
    symbols.sort();
    symbols
}

/// Lines that may stand anywhere, with two labels.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        (0..24_u32, 0..24_u32).prop_map(|(a, b)| format!("v_mov_b32 v{a}, v{b}")),
        (0..24_u32, any::<u32>()).prop_map(|(a, b)| format!("\tv_add_f32 v{a}, {b:#x}, v1 // literal or not")),
        (0..100_u32, any::<i16>()).prop_map(|(a, b)| format!("s_movk_i32 s{a}, {b}")),
        (0..8_u32).prop_map(|a| format!(".p2align {a}")),
        prop::collection::vec(any::<i32>(), 1..4)
            .prop_map(|a| format!(".long {}", a.iter().map(i32::to_string).collect::<Vec<_>>().join(", "))),
        prop::sample::select(vec!["s_branch .La", "s_cbranch_execz .Lb", "s_cbranch_i_fork s[2:3], .La"])
            .prop_map(str::to_owned),
        (0..5_u32, 0..16_u32).prop_map(|(a, b)| format!(".rept {a}\ns_nop {b}\n.balign 8\n.endr")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn agrees_with_llvm_on_any_lines(
        target in prop::sample::select(TARGETS.to_vec()),
        parts in prop::array::uniform3(prop::collection::vec(line(), 0..12)),
    ) {
        let [before, between, after] = parts.map(|lines| lines.join("\n"));
        let module = module(target, vec![kernel("k", &format!("{before}\n.La:\n{between}\n.Lb: {after}\n"))]);
        let assembler = assembler();
        prop_assert!(assembler.assemble(&module).unwrap() == by_llvm_alone(&assembler, &module));
    }
}
