//! Offload bundles and files of a host that hold them, as `predict` reads them.

use gcn_harness::code::{FatBinary, UserCode};
use gcn_model::gpu::Gpu;
use gcn_tests::{host_file, object_of, offload_bundle};

/// A code object whose only kernel has a name and repeats an instruction.
fn kernel(target: &str, name: &str, line: &str) -> Vec<u8> {
    object_of(
        target,
        &format!(".globl {name}\n.type {name},@function\n{name}:\n{line}\ns_endpgm\n.size {name}, .-{name}\n"),
    )
}

/// The names of the kernels for a GPU, and the first dword of each.
fn kernels(bytes: &[u8], gpu: &str) -> Result<Vec<(String, u32)>, String> {
    let code = UserCode::of_fat_binary(bytes, &Gpu::named(gpu).unwrap()).map_err(|error| error.to_string())?;
    assert_eq!(code.processor, Some(Gpu::named(gpu).unwrap().processor()));
    Ok(code.functions.into_iter().map(|function| (function.name, function.code.words[0])).collect())
}

const V_MOV: &str = "v_mov_b32_e32 v1, v0";
const V_RCP: &str = "v_rcp_f32_e32 v1, v0";

#[test]
fn the_code_for_the_gpu_is_taken_out_of_each_bundle() {
    let [fiji, vega, vega_without] = [("gfx803", V_MOV), ("gfx900", V_RCP), ("gfx900", V_MOV)]
        .map(|(target, line)| kernel(target, "_Z3addPf", line));
    let more = kernel("gfx803", "_Z3mulPf", V_RCP);
    let first = offload_bundle(&[
        ("host-x86_64-unknown-linux", b""),
        ("hipv4-amdgcn-amd-amdhsa--gfx1250", b"\x7fELF of another family"),
        ("hipv4-amdgcn-amd-amdhsa--gfx803", &fiji),
        ("hipv4-amdgcn-amd-amdhsa--gfx900:xnack-", &vega_without),
        ("hipv4-amdgcn-amd-amdhsa--gfx900", &vega),
    ]);
    let mut both = first.clone();
    both.resize(both.len().next_multiple_of(4096), 0);
    both.extend(offload_bundle(&[("hip-amdgcn-amd-amdhsa-gfx803", &more)]));
    let (mov, rcp) = (0x7e02_0300, 0x7e02_4500);
    let add = |word: u32| ("_Z3addPf".to_owned(), word);
    assert_eq!(kernels(&first, "fiji").unwrap(), [add(mov)]);
    // The very target goes before one with features.
    assert_eq!(kernels(&first, "vega10").unwrap(), [add(rcp)]);
    for file in [both.clone(), host_file(&both)] {
        assert!(FatBinary::is_one(file.as_slice()));
        assert_eq!(kernels(&file, "fiji").unwrap(), [add(mov), ("_Z3mulPf".to_owned(), rcp)]);
        assert_eq!(kernels(&file, "polaris10").unwrap().len(), 2);
        assert_eq!(kernels(&file, "vega10").unwrap().len(), 1);
        let refusal = kernels(&file, "tahiti").unwrap_err();
        assert_eq!(
            refusal,
            "it has code for gfx1250, gfx803, gfx900, gfx900:xnack-, and tahiti is gfx600: name a GPU of one of them with --gpu: \
             fiji, polaris10, vega10"
        );
    }
    assert!(!FatBinary::is_one(fiji.as_slice()));
}

#[test]
fn missing_code_for_the_gpu_is_reported() {
    let vega = kernel("gfx900", "add", V_MOV);
    let of = |identifier: &str, code: &[u8]| kernels(&offload_bundle(&[(identifier, code)]), "fiji").unwrap_err();
    let gfx803 = "hipv4-amdgcn-amd-amdhsa--gfx803";
    assert!(of(gfx803, &vega).ends_with("it is not for gfx803, as the bundle says"));
    assert!(of(gfx803, b"BC\xc0\xde of LLVM").contains("compile it without -fgpu-rdc"));
    assert!(of(gfx803, b"\x7fELF").contains("the code at byte 256: the ELF file is damaged"));
    assert!(of("hipv4-amdgcn-amd-amdhsa--gfx1250", b"code").ends_with("`gcn-timings devices` shows has one of them"));
    assert!(of("host-x86_64-unknown-linux", b"code").contains("no code for AMD GPUs"));
    assert!(kernels(&host_file(b"\0\0"), "fiji").unwrap_err().contains("no code in its offload bundles"));
    assert!(kernels(&host_file(b"\0\0code"), "fiji").unwrap_err().contains("offload bundle at byte 258"));
    assert!(kernels(b"CCOB\x03\0", "fiji").unwrap_err().contains("--unbundle --type=o --targets=TARGET --input=FILE"));
    assert!(
        kernels(&host_file(b"CCOB\x03\0"), "fiji")
            .unwrap_err()
            .contains("llvm-objcopy --dump-section .hip_fatbin=BUNDLE")
    );
    let without = host_file(b"").into_iter().map(|byte| if byte == b'f' { b'g' } else { byte }).collect::<Vec<_>>();
    assert!(kernels(&without, "fiji").unwrap_err().contains("without a section .hip_fatbin"));
}
