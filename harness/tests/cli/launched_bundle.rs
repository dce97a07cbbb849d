//! `predict --launch` of a kernel in an offload bundle.

use std::fs;

use gcn_harness::llvm::{Linker, Llvm};

use super::launched::{LAUNCH, kernel, write};
use super::offload_bundle::offload_bundle;
use super::{failure, run, temporary, text};

/// A code object whose only kernel has a name.
fn code_object(name: &str, is_linked: bool) -> Vec<u8> {
    let of_name =
        |line: &str| line.replace("k.kd", &format!("{name}.kd")).replace(".name: k", &format!(".name: {name}"));
    let source = kernel("hidden_group_size_x");
    let lines = source.lines().map(|line| match line {
        ".globl k" => format!(".globl {name}"),
        ".type k,@function" => format!(".type {name},@function"),
        "k:" => format!("{name}:"),
        ".amdhsa_kernel k" => format!(".amdhsa_kernel {name}"),
        _ if line.ends_with(".size k, .-k") => format!(".size {name}, .-{name}"),
        _ => of_name(line),
    });
    let text: String = lines.map(|line| line + "\n").collect();
    let llvm = Llvm::find(None).unwrap();
    let object = llvm.assemble("gfx803", &text).unwrap();
    if is_linked { Linker::find(None, &llvm).unwrap().link(&[object]).unwrap() } else { object }
}

#[test]
fn a_kernel_of_a_bundle_is_launched() {
    let folder = temporary();
    let launch = write(folder.path(), "launch.toml", LAUNCH);
    let [one, other] = [("_Z3divPff", true), ("_Z3mulPff", false)].map(|(name, linked)| code_object(name, linked));
    let alone = folder.path().join("alone.hsaco");
    fs::write(&alone, &one).unwrap();
    // Two translation units, of which each has a bundle of its own.
    let mut bundles = offload_bundle(&[("gfx900", b"of another"), ("gfx803", &one)]);
    bundles.extend(offload_bundle(&[("gfx803", &other)]));
    let file = folder.path().join("kernels.hipfb");
    fs::write(&file, bundles).unwrap();
    let command = ["predict", text(&file), "--gpu", "fiji", "--launch", &launch];
    let of = |kernel: &str| {
        let said = run(&[&command[..], &["--kernel", kernel]].concat());
        assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
        said.out
    };
    let of_file = run(&["predict", text(&alone), "--gpu", "fiji", "--launch", &launch]).out;
    assert!(of_file.contains("groups: 3, waves: 3"), "{of_file}");
    assert_eq!(of("_Z3divPff"), of_file);
    assert_eq!(of("_Z3mulPff"), of_file.replace("_Z3divPff", "_Z3mulPff"), "what is not linked is linked");

    let refusal = |more: &[&str]| failure(&[&command[..], more].concat());
    assert!(
        refusal(&[]).ends_with("kernels.hipfb: it has 2 kernels, choose one with --kernel: _Z3divPff, _Z3mulPff\n"),
        "{}",
        refusal(&[])
    );
    assert_eq!(of("mul"), of("_Z3mulPff"), "a part of one name");
    let near = refusal(&["--kernel", "Pff"]);
    assert!(near.ends_with("kernels.hipfb: it has no kernel Pff; Pff is a part of _Z3divPff, _Z3mulPff\n"), "{near}");
    let other = failure(&["predict", text(&file), "--gpu", "tahiti", "--launch", &launch]);
    assert!(other.contains("it has code for gfx803, gfx900, and tahiti is gfx600"), "{other}");
}

/// A block and a launch refuse a file in the same words.
#[test]
fn code_for_another_gpu_is_refused_as_for_a_block() {
    let folder = temporary();
    let launch = write(folder.path(), "launch.toml", LAUNCH);
    let damaged = offload_bundle(&[("gfx803", b"\x7fELF")]);
    let object = code_object("k", true);
    for (bytes, gpu, said) in [
        (object.as_slice(), "vega10", "it is for gfx803, but vega10 is gfx900: name a GPU of that target with --gpu"),
        (&damaged, "fiji", "the code at byte 256: the ELF file is damaged"),
        (b"CCOB", "fiji", "a compressed offload bundle, which is not read"),
        (b"\xff\xfe", "fiji", "it is neither an ELF file, nor an offload bundle, nor UTF-8 text"),
        (b"BC\xc0\xde", "fiji", "it is neither an ELF file, nor an offload bundle, nor UTF-8 text"),
    ] {
        let file = folder.path().join("file");
        fs::write(&file, bytes).unwrap();
        let command = ["predict", text(&file), "--gpu", gpu];
        let of_block = failure(&command);
        assert!(of_block.contains(said), "{of_block}");
        assert_eq!(failure(&[&command[..], &["--launch", &launch]].concat()), of_block);
    }
}
