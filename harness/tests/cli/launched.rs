//! `predict --launch`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{CommandOutput, failure, run, temporary, text, wrong_use};

/// Stores a factor over the number of each item, whose group it knows by this hidden argument.
pub(super) fn kernel(hidden: &str) -> String {
    let code = "s_load_dwordx2 s[4:5], s[0:1], 0x0\ns_load_dwordx2 s[6:7], s[0:1], 0x8\ns_waitcnt lgkmcnt(0)\n\
                s_and_b32 s7, s7, 0xffff\ns_mul_i32 s3, s2, s7\nv_add_u32_e32 v0, vcc, s3, v0\nv_cvt_f32_u32_e32 v1, v0\n\
                v_rcp_f32_e32 v1, v1\nv_mul_f32_e32 v1, s6, v1\nv_lshlrev_b32_e32 v0, 2, v0\nv_mov_b32_e32 v3, s5\n\
                v_add_u32_e32 v2, vcc, s4, v0\nv_addc_u32_e32 v3, vcc, 0, v3, vcc\ns_branch .Lstore\nv_nop\n.Lstore:\n\
                flat_store_dword v[2:3], v1\ns_endpgm\n";
    let descriptor = ".amdhsa_kernel k\n.amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgpr 8\n.amdhsa_kernarg_size 16\n\
                      .amdhsa_user_sgpr_kernarg_segment_ptr 1\n.end_amdhsa_kernel\n";
    let metadata = format!(
        "---\namdhsa.version: [1, 2]\namdhsa.kernels:\n  - .name: k\n    .symbol: k.kd\n    .kernarg_segment_size: 16\n    \
         .kernarg_segment_align: 8\n    .group_segment_fixed_size: 0\n    .private_segment_fixed_size: 0\n    \
         .wavefront_size: 64\n    .sgpr_count: 14\n    .vgpr_count: 4\n    .max_flat_workgroup_size: 256\n    .args:\n      \
         - .offset: 0\n        .size: 8\n        .value_kind: global_buffer\n        .address_space: global\n      \
         - .offset: 8\n        .size: 4\n        .value_kind: by_value\n        .type_name: float\n      \
         - .offset: 12\n        .size: 2\n        .value_kind: {hidden}\n...\n"
    );
    format!(
        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"\n.text\n.globl k\n.p2align 8\n.type k,@function\nk:\n{code}.size k, .-k\n\
         .rodata\n.p2align 6\n{descriptor}.amdgpu_metadata\n{metadata}.end_amdgpu_metadata\n"
    )
}

pub(super) const LAUNCH: &str =
    "grid = [192]\ngroup = [64]\n\n[[arguments]]\nbuffer = { bytes = 768 }\n\n[[arguments]]\nf32 = 6\n";

pub(super) fn write(folder: &Path, name: &str, content: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    text(&path).to_owned()
}

#[test]
fn a_launch_computes_and_reports_its_cost() {
    let folder = temporary();
    let file = write(folder.path(), "k.s", &kernel("hidden_group_size_x"));
    let launch = write(folder.path(), "launch.toml", LAUNCH);
    let dump = text(&folder.path().join("out.bin")).to_owned();
    let command = ["predict", &file, "--gpu", "fiji", "--launch", &launch];
    let said = run(&[&command[..], &["--dump", &format!("1={dump}")]].concat());
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    insta::assert_snapshot!("launched", said.out);
    let stored: Vec<f32> =
        fs::read(&dump).unwrap().chunks_exact(4).map(|word| f32::from_le_bytes(word.try_into().unwrap())).collect();
    assert_eq!((stored.len(), stored[0], stored[3], stored[96]), (192, f32::INFINITY, 2.0, 0.0625));

    let again = failure(&[&command[..], &["--dump", &format!("1={dump}")]].concat());
    assert!(again.contains("out.bin: it exists already"), "{again}");
    let answer: Value = serde_json::from_str(&run(&[&command[..], &["--json"]].concat()).out).unwrap();
    assert_eq!((&answer["schema"], &answer["simulated"]), (&"gcn-timings-predict-launch-1".into(), &true.into()));
    let launch = &answer["launch"];
    assert_eq!((&launch["groups"], &launch["waves"], &launch["executed"]), (&3.into(), &3.into(), &(3 * 16).into()));
    let lines = launch["instructions"].as_array().unwrap();
    let approximate: Vec<&str> = lines
        .iter()
        .filter(|line| line["is_value_approximate"] == true)
        .map(|line| line["text"].as_str().unwrap())
        .collect();
    assert_eq!(approximate, ["v_rcp_f32 v1, v1"]);
}

#[test]
fn arguments_are_as_long_as_the_metadata_says_where_the_descriptor_does_not() {
    let folder = temporary();
    let launch = write(folder.path(), "launch.toml", LAUNCH);
    let both = kernel("hidden_group_size_x");
    let alone = both.replace(".amdhsa_kernarg_size 16\n", "");
    assert_ne!(both, alone);
    let [both, alone] = [("both.s", both), ("alone.s", alone)].map(|(name, text)| write(folder.path(), name, &text));
    let of = |file: &str| run(&["predict", file, "--gpu", "fiji", "--launch", &launch]);
    assert_eq!((of(&alone).code, of(&alone).out), (Some(0), of(&both).out));
}

#[test]
fn a_launch_on_a_run_uses_measured_timings() {
    let folder = temporary();
    let path = folder.path().join("run");
    let measured =
        run(&["measure", "--device", "sim:fiji", "--only", "V_RCP_F32", "--waves", "1", "--out", text(&path)]);
    assert_eq!(measured.code, Some(0), "{}", measured.error);
    let file = write(folder.path(), "k.s", &kernel("hidden_group_size_x"));
    let launch = write(folder.path(), "launch.toml", LAUNCH);
    let answer = |gpu: &str| -> Value {
        let said = run(&["predict", &file, "--gpu", gpu, "--launch", &launch, "--json"]);
        serde_json::from_str::<Value>(&said.out).unwrap_or_else(|_| panic!("{}", said.error))["launch"].clone()
    };
    let (shipped, run) = (answer("fiji"), answer(text(&path)));
    let basis = |launch: &Value, instruction: &str| {
        let lines = launch["instructions"].as_array().unwrap();
        let line = lines.iter().find(|line| line["text"].as_str().unwrap().starts_with(instruction)).unwrap();
        (line["basis"].as_str().unwrap().to_owned(), line["source"].as_str().unwrap().to_owned())
    };
    assert_eq!(basis(&run, "v_rcp_f32"), ("measured".to_owned(), "measured: 16 [16, 16] cycles".to_owned()));
    assert_eq!(basis(&shipped, "v_rcp_f32").0, "published");
    assert_eq!(basis(&run, "v_mul_f32"), basis(&shipped, "v_mul_f32"), "what the run lacks is the reference's");
    let share = |launch: &Value| launch["basis"]["measured"].as_f64();
    assert!(share(&run).is_some_and(|share| share > 0.1) && share(&shipped).is_none(), "{run}");
    // The card measures as it is described.
    assert_eq!(run["cycles"], shipped["cycles"]);
    let [first, second] = [0, 1].map(|assumption| run["assumptions"][assumption].as_str().unwrap());
    assert!(first.starts_with("1 instructions as measured in ") && first.contains("those of fiji"), "{first}");
    assert_eq!(second, "not measured in the run: jumps, vector memory, scalar memory, LDS, alignment; as on fiji");
}

#[test]
fn a_launch_starts_with_the_instruction_cache_that_was_asked_for() {
    let folder = temporary();
    let file = write(folder.path(), "k.s", &kernel("hidden_group_size_x"));
    let launch = write(folder.path(), "launch.toml", LAUNCH);
    let of = |start: &[&str]| -> (f64, String) {
        let command = ["predict", &file, "--gpu", "fiji", "--launch", &launch, "--json"];
        let answer: Value = serde_json::from_str(&run(&[&command[..], start].concat()).out).unwrap();
        let assumption = answer["launch"]["assumptions"].as_array().unwrap().last().unwrap();
        (answer["launch"]["cycles"].as_f64().unwrap(), assumption.as_str().unwrap().to_owned())
    };
    let (default, said) = of(&[]);
    assert_eq!((default, said.clone()), of(&["--start", "cold"]));
    assert!(said.starts_with("the instruction cache is cold"), "{said}");
    let ((warm, said), (dram, measured)) = (of(&["--start", "warm"]), of(&["--start", "cold=dram"]));
    assert!(warm < default && default < dram, "{warm}, {default}, {dram}");
    assert!(said.starts_with("the instruction cache is warm") && measured.contains("R9 Nano"), "{said}, {measured}");
}

#[test]
fn refused_launches_name_the_place() {
    let folder = temporary();
    let file = write(folder.path(), "k.s", &kernel("hidden_group_size_x"));
    let error = |launch: &str, more: &[&str]| {
        let launch = write(folder.path(), "launch.toml", launch);
        failure(&[&["predict", &file, "--gpu", "fiji", "--launch", &launch], more].concat())
    };
    let changed = |from: &str, to: &str| LAUNCH.replace(from, to);
    for (launch, said) in [
        (
            changed("f32 = 6", "u64 = 6"),
            "launch.toml:7:1: argument 2: it is u64 = 6, but the kernel expects a value of 4 bytes (float)",
        ),
        (
            changed("[[arguments]]\nf32 = 6\n", ""),
            "launch.toml: argument 2 is missing: the kernel expects a value of 4 bytes",
        ),
        (
            changed("f32 = 6", "f32 = 6\n[[arguments]]\nf32 = 6"),
            "launch.toml:9:1: argument 3: the kernel has 2 arguments",
        ),
        (
            changed("group = [64]", "group = [512]"),
            "launch.toml:2:9: `group`: 512 work-items, but the kernel was compiled for at most 256",
        ),
        (changed("bytes = 768", "bytes = 764"), "k.s: kernel k, wave 2, "),
        (changed("grid", "gird"), "launch.toml:1:1: unknown field `gird`"),
        (format!("cycle_limit = 100\n{LAUNCH}"), "kernel k did not end within 100 cycles"),
    ] {
        let found = error(&launch, &[]);
        assert!(found.contains(said), "{said}\n{found}");
    }
    assert!(error(LAUNCH, &["--dump", "2=x"]).contains("--dump 2: argument 2 of"));
    assert!(error(LAUNCH, &["--kernel", "other"]).ends_with("k.s: it has no kernel other; it has k\n"));
    let launch = write(folder.path(), "launch.toml", LAUNCH);
    let unused = write(folder.path(), "unused.s", &kernel("hidden_heap_v1"));
    let CommandOutput { code, error, .. } = run(&["predict", &unused, "--gpu", "fiji", "--launch", &launch]);
    assert_eq!(code, Some(0), "{error}");
    for misuse in [["--waves", "2"], ["--dump", "x"], ["--dump", "0=x"]] {
        wrong_use(&[&["predict", &file, "--launch", &launch], &misuse[..]].concat());
    }
    wrong_use(&["predict", &file, "--dump", "1=x"]);
}
