//! The assembler's messages about wrong text: each names the template and the line.

use crate::assembler_support::{assembler, kernel, module};
use gcn_harness::assembler::{KernelSource, ModuleSource, Text};

fn error_of(module: &ModuleSource) -> String {
    assembler().assemble(module).unwrap_err().to_string()
}

fn error_in(code: &str) -> String {
    error_of(&module("gfx803", vec![kernel("fine", ""), kernel("k", code)]))
}

#[test]
fn bad_instructions() {
    insta::assert_snapshot!(error_in("s_nop 0\n\tv_add_f63 v0, v1\n  v_add_f64 v0, v1, v2 ; too small\nx: s_mov_b32 s200, 0\n"), @r#"
        templates/body.s.hbs:2: invalid instruction, did you mean: v_add_f16, v_add_f32? (in kernel k)
            	v_add_f63 v0, v1
            	^
        templates/body.s.hbs:3: invalid operand for instruction (in kernel k)
              v_add_f64 v0, v1, v2 ; too small
                        ^
        templates/body.s.hbs:4: register index is out of range (in kernel k)
            x: s_mov_b32 s200, 0
                         ^
        "#);
}

#[test]
fn lines_that_are_not_one_line() {
    let error = error_in("v_writelane_b32 v5, s19,\"5\ns_nop 0\n");
    assert!(error.starts_with("templates/body.s.hbs:1: a text in quotes that does not end (in kernel k)"), "{error}");
    let error = error_in("s_nop 0\ns_nop 0\rs_nop 1\n");
    assert!(error.starts_with("templates/body.s.hbs:2: a control character (in kernel k)"), "{error}");
}

#[test]
fn an_unfinished_line_is_named_before_our_next_one() {
    let mut module = module("gfx803", vec![kernel("k", "s_nop 0\n")]);
    let text = module.kernels[0].text.as_str().replace(".end_amdhsa_kernel", "");
    module.kernels[0].text = Text::of_template("templates/kernel.s.hbs", &text);
    let error = error_of(&module);
    assert!(error.starts_with("templates/kernel.s.hbs:"), "{error}");
    assert!(error.contains("`.text` cannot follow this line: unknown token in expression"), "{error}");
}

/// LLVM would take the program down.
#[test]
fn sizes_that_are_no_numbers() {
    for size in [".Lend-k", "k", "k-nope", "", ".-fine"] {
        let error = error_in(&format!("s_nop 0\n.size k, {size}\n"));
        let message =
            format!("templates/body.s.hbs:2: the size {size:?} is not the distance of two labels of this kernel");
        assert!(error.starts_with(&message), "{error}");
    }
}

#[test]
fn metadata_without_an_end() {
    let mut module = module("gfx803", vec![kernel("k", "s_nop 0\n")]);
    module.footer = Text::of_template("templates/metadata.s.hbs", ".amdgpu_metadata\n---\n");
    let error = error_of(&module);
    assert!(error.starts_with("templates/metadata.s.hbs:2: .amdgpu_metadata without .end_amdgpu_metadata"), "{error}");
}

/// LLVM would take the program down.
#[test]
fn metadata_whose_keys_have_no_values() {
    for line in ["  - {.offset: 0, .size 8}", "  - .name", "  - .name: k\n   .size: 8"] {
        let mut module = module("gfx803", vec![kernel("k", "s_nop 0\n")]);
        let text = format!(".amdgpu_metadata\n---\n{line}\n...\n.end_amdgpu_metadata\n");
        module.footer = Text::of_template("templates/metadata.s.hbs", &text);
        let error = error_of(&module);
        assert!(error.starts_with("templates/metadata.s.hbs:") && error.contains("the metadata"), "{line}: {error}");
    }
}

#[test]
fn a_descriptor_that_is_there_twice() {
    let mut module = module("gfx803", vec![kernel("k", "s_nop 0\n")]);
    let text = module.kernels[0].text.as_str();
    let descriptor = &text[text.find(".amdhsa_kernel").unwrap()..];
    module.kernels[0].text = Text::of_template("templates/kernel.s.hbs", &format!("{text}\n{descriptor}"));
    let error = error_of(&module);
    assert!(error.contains("templates/kernel.s.hbs:") && error.contains("a second descriptor of k"), "{error}");
}

#[test]
fn a_bad_line_of_many_kernels_is_shown_once() {
    let kernels = (0..300).map(|number| kernel(&format!("k{number}"), "s_nop 0\ns_nop\n")).collect();
    insta::assert_snapshot!(error_of(&module("gfx803", kernels)), @r#"
        templates/body.s.hbs:2: too few operands for instruction (in kernel k0)
            s_nop
            ^
        "#);
}

#[test]
fn bad_labels() {
    let far = ".rept 32768\ns_nop 0\n.endr\n";
    insta::assert_snapshot!(error_in("s_branch .Lnowhere\n.La:\ns_nop 0\n  .La: s_nop 1\n"), @r#"
        templates/body.s.hbs:4: .La is defined twice, first at templates/body.s.hbs:2 (in kernel k)
              .La: s_nop 1
        "#);
    insta::assert_snapshot!(error_in("s_cbranch_scc0 .Lnowhere\ns_branch fine\n"), @r#"
        templates/body.s.hbs:1: undefined label .Lnowhere (in kernel k)
            s_cbranch_scc0 .Lnowhere
        templates/body.s.hbs:2: undefined label fine (in kernel k)
            s_branch fine
        "#);
    insta::assert_snapshot!(error_in(&format!("s_branch .Lfar\n{far}.Lfar:\n")), @r#"
        templates/body.s.hbs:1: .Lfar is 32768 dwords away, a branch reaches -32768 to 32767 (in kernel k)
            s_branch .Lfar
        "#);
    insta::assert_snapshot!(error_in(&format!(".Lfar:\n{far}s_branch .Lfar\n")), @r#"
        templates/body.s.hbs:5: .Lfar is -32769 dwords away, a branch reaches -32768 to 32767 (in kernel k)
            s_branch .Lfar
        "#);
    insta::assert_snapshot!(error_in(".byte 1\n.Lodd:\n.byte 1,2,3\ns_branch .Lodd\n"), @r#"
        templates/body.s.hbs:4: .Lodd is not at a dword (in kernel k)
            s_branch .Lodd
        "#);
    assert!(error_in(".rept 32767\ns_nop 0\n.endr\n.Lfar: s_branch .Lfar\ns_branch .Lno\n").contains(".Lno"));
}

#[test]
fn bad_symbols() {
    insta::assert_snapshot!(error_in("s_add_u32 s0, s0, .La-.Lb\n.La:\n"), @r#"
        templates/body.s.hbs:1: symbol '.Lb' can not be undefined in a subtraction expression (in kernel k)
            s_add_u32 s0, s0, .La-.Lb
                                 ^
        "#);
    // Symbols of other kernels are there.
    let protected = kernel("fine", ".protected fine\n");
    let user = kernel("k", "s_add_u32 s0, s0, fine@rel32@lo\n");
    assert!(assembler().assemble(&module("gfx803", vec![protected, user])).is_ok());
    insta::assert_snapshot!(error_in("s_mov_b32 s0, elsewhere\n"), @r#"
        templates/body.s.hbs:1: undefined symbol elsewhere (in kernel k)
            s_mov_b32 s0, elsewhere
        "#);
}

#[test]
fn bad_directives() {
    insta::assert_snapshot!(error_in(".org 64\n .cfi_startproc\nN = 5\n.rept 2\nx:\n.endr\n.endr\n.p2align 40\n.rept 3\n"), @r#"
        templates/body.s.hbs:1: .org is not supported in the text section (in kernel k)
            .org 64
        templates/body.s.hbs:2: .cfi_startproc is not supported in the text section (in kernel k)
             .cfi_startproc
        templates/body.s.hbs:3: assignments are not supported in the text section (in kernel k)
            N = 5
        templates/body.s.hbs:6: a label cannot be repeated (in kernel k)
            .endr
        templates/body.s.hbs:7: .endr without .rept (in kernel k)
            .endr
        templates/body.s.hbs:8: .p2align 40 is more than any kernel needs (in kernel k)
            .p2align 40
        templates/body.s.hbs:9: .rept without .endr (in kernel k)
            .rept 3
        "#);
    insta::assert_snapshot!(error_in(".p2align 40\n"), @r#"
        templates/body.s.hbs:1: .p2align 40 is more than any kernel needs (in kernel k)
            .p2align 40
        "#);
    insta::assert_snapshot!(error_in(".globl 5\n  .type 5\n"), @r#"
        templates/body.s.hbs:1: expected identifier (in kernel k)
            .globl 5
                   ^
        templates/body.s.hbs:2: expected identifier (in kernel k)
              .type 5
                    ^
        "#);
    insta::assert_snapshot!(error_in(".rodata\n.if 1\n.text\n.endif\n"), @r#"
        templates/body.s.hbs:2: .if is not supported (in kernel k)
            .if 1
        templates/body.s.hbs:4: .endif is not supported in the text section (in kernel k)
            .endif
        "#);
    insta::assert_snapshot!(error_in(".amdgpu_metadata\n.end_amdgpu_metadata\n"), @r#"
        templates/body.s.hbs:1: metadata belongs in the footer: a code object has one note for all kernels (in kernel k)
            .amdgpu_metadata
        "#);
}

#[test]
fn bad_descriptors() {
    let text = |text: &str| {
        let kernel = KernelSource { name: "k".to_owned(), text: Text::of_template("templates/kernel.s.hbs", text) };
        error_of(&module("gfx803", vec![kernel]))
    };
    insta::assert_snapshot!(text("s_endpgm\n"), @r#"
        templates/kernel.s.hbs:1: the text defines no label k (in kernel k)
            s_endpgm
        templates/kernel.s.hbs:1: the text has no .amdhsa_kernel k (in kernel k)
            s_endpgm
        "#);
    insta::assert_snapshot!(text("k:\ns_endpgm\n.rodata\n.amdhsa_kernel j\n.end_amdhsa_kernel\n"), @r#"
        templates/kernel.s.hbs:4: descriptor of j, but this is the text of k (in kernel k)
            .amdhsa_kernel j
        templates/kernel.s.hbs:1: the text has no .amdhsa_kernel k (in kernel k)
            k:
        "#);
    insta::assert_snapshot!(text("k:\n.rodata\n.amdhsa_kernel k\n  .amdhsa_next_free_vgpr 24\n  .amdhsa_tg_split 1\n.end_amdhsa_kernel\n"), @r#"
        templates/kernel.s.hbs:5: directive requires gfx90a+ (in kernel k)
              .amdhsa_tg_split 1
              ^
        templates/kernel.s.hbs:6: unknown directive (in kernel k)
            .end_amdhsa_kernel
            ^
        "#);
}

#[test]
fn kernels_that_are_there_twice() {
    insta::assert_snapshot!(error_of(&module("gfx803", vec![kernel("k", ""), kernel("j", ""), kernel("k", "s_nop 0\n")])), @r#"
        templates/prologue.s.hbs:5: k is defined twice, first at templates/prologue.s.hbs:5 in kernel k (in kernel k)
            k:
        "#);
    // Not even when they get into different objects.
    let mut kernels: Vec<_> = (0..600).map(|number| kernel(&format!("k{number}"), "")).collect();
    kernels.push(kernel("k0", ""));
    insta::assert_snapshot!(error_of(&module("gfx803", kernels)), @r#"
        templates/prologue.s.hbs:5: k0 is defined twice, first at templates/prologue.s.hbs:5 in kernel k0 (in kernel k0)
            k0:
        "#);
}

#[test]
fn bad_headers_and_footers() {
    let mut wrong = module("gfx803", vec![kernel("k", "")]);
    wrong.header = Text::of_template("templates/header.s.hbs", ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n");
    insta::assert_snapshot!(error_of(&wrong), @r#"
        templates/header.s.hbs:1: .amdgcn_target directive's target id amdgcn-amd-amdhsa--gfx900 does not match the specified target id amdgcn-amd-amdhsa--gfx803
            .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
                           ^
        "#);
    wrong.header = Text::of_template("templates/header.s.hbs", "s_nop 0\nx:\n.p2align 4\n.long a-b\n");
    insta::assert_snapshot!(error_of(&wrong), @r#"
        templates/header.s.hbs:1: header and footer cannot hold code
            s_nop 0
        templates/header.s.hbs:2: header and footer cannot hold code
            x:
        templates/header.s.hbs:3: header and footer cannot hold code
            .p2align 4
        templates/header.s.hbs:4: header and footer cannot hold code
            .long a-b
        "#);
    let mut wrong = module("gfx803", vec![kernel("k", "")]);
    wrong.footer =
        Text::of_template("templates/metadata.s.hbs", ".amdgpu_metadata\n---\nx: [1]\n...\n.end_amdgpu_metadata\n");
    insta::assert_snapshot!(error_of(&wrong), @r#"
        templates/metadata.s.hbs:5: invalid HSA metadata
            .end_amdgpu_metadata
                                ^
        "#);
    insta::assert_snapshot!(error_of(&module("gfx123", vec![kernel("k", "")])).split(" that LLVM").next().unwrap(), @r#"
        gfx123 is not an AMDGPU target
        "#);
}
