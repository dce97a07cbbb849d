//! Code objects and settings of strangers: memory and time grow with the size of a file, not with a product of its counts.

use std::path::Path;
use std::process::Command;
use std::{fs, iter};

use gcn_harness::llvm::Llvm;

use super::launched::kernel;
use super::predicted::of_text;
use super::{CommandOutput, program, said, temporary, text};

/// S_NOP 0.
const NOP: &str = "0xbf800000";

/// What a command says that has 1 GiB of address space and 20 s of processor time.
fn limited(arguments: &[&str]) -> CommandOutput {
    let program = program();
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -v 1048576; ulimit -t 20; exec \"$0\" \"$@\""]).arg(program.get_program());
    said(shell.args(arguments).output().unwrap())
}

fn refusal(file: &Path) -> String {
    let CommandOutput { code, out, error } = limited(&["predict", text(file), "--gpu", "fiji"]);
    assert_eq!((code, out.as_str()), (Some(1), ""), "{error}");
    error
}

fn assembled(text: &str) -> Vec<u8> {
    Llvm::find(None).unwrap().assemble("gfx803", text).unwrap()
}

#[test]
fn code_of_many_symbols_is_there_once() {
    let folder = temporary();
    let file = folder.path().join("code.o");
    let symbol = |number: usize| format!(".type k{number},@function\n.size k{number}, 1000000\nk{number}:\n");
    let symbols: String = (0..5000).map(symbol).collect();
    fs::write(&file, assembled(&format!("{symbols}.fill 250000,4,{NOP}\n"))).unwrap();
    assert!(refusal(&file).contains("it has 5000 kernels"));
}

/// Seconds of processor time until a command is refused, and what it says.
fn seconds(arguments: &[&str]) -> (f64, String) {
    let program = program();
    let mut shell = Command::new("sh");
    // Its second line is of the shell's children: minutes and seconds of the user's time, and of the system's.
    shell.args(["-c", "\"$0\" \"$@\"; times"]).arg(program.get_program()).args(arguments);
    let CommandOutput { out, error, .. } = said(shell.env("LC_ALL", "C").output().unwrap());
    let time = |time: &str| {
        let (minutes, seconds) = time.trim_end_matches('s').split_once('m').unwrap();
        minutes.parse::<f64>().unwrap() * 60.0 + seconds.parse::<f64>().unwrap()
    };
    (out.lines().nth(1).unwrap().split_whitespace().map(time).sum(), error)
}

#[test]
fn many_labels_in_many_sections_take_no_product_of_them() {
    let folder = temporary();
    let file = folder.path().join("code.o");
    // As many labels in both: only the number of sections is another.
    let [few, many] = [8, 8000].map(|sections| {
        let section = |number: usize| {
            let label = |label: usize| format!("a{number}_{label}:\n.long {NOP}\n");
            let labels: String = (0..160_000 / sections).map(label).collect();
            format!(".section .text.{number},\"ax\",@progbits\n.type k{number},@function\nk{number}:\n{labels}")
        };
        fs::write(&file, assembled(&(0..sections).map(section).collect::<String>())).unwrap();
        let (seconds, error) = seconds(&["predict", text(&file), "--gpu", "fiji"]);
        assert!(error.contains(&format!("it has {sections} kernels")), "{error}");
        seconds
    });
    assert!(many < 8.0 * few, "{few} s of processor time with 8 sections, {many} s with 8000");
}

#[test]
fn many_arguments_take_no_square_of_their_number() {
    let folder = temporary();
    let (file, launch) = (folder.path().join("k.s"), folder.path().join("k.toml"));
    fs::write(&file, kernel("hidden_group_size_x")).unwrap();
    let [few, many] = [3000, 30_000].map(|arguments: usize| {
        let list = "[[arguments]]\nu32 = 1\n".repeat(arguments);
        fs::write(&launch, format!("grid = [64]\ngroup = [64]\n{list}")).unwrap();
        let (seconds, error) = seconds(&["predict", text(&file), "--gpu", "fiji", "--launch", text(&launch)]);
        assert!(error.contains("the kernel has 2 arguments"), "{error}");
        seconds
    });
    assert!(many < 8.0 * few, "{few} s of processor time with 3000 arguments, {many} s with 30000");
}

#[test]
fn sections_that_share_code_are_refused() {
    let folder = temporary();
    let file = folder.path().join("code.o");
    let mut object = assembled(&format!("k:\n.fill 250000,4,{NOP}\n"));
    let number = |at: usize, bytes: usize| {
        object[at..at + bytes].iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
    };
    // e_shoff, e_shentsize, e_shnum of ELF64, and sh_flags of a section: SHF_EXECINSTR is 4.
    let (table, size, count) = (number(0x28, 8), number(0x3a, 2), number(0x3c, 2));
    let header = |index: usize| object[table + index * size..][..size].to_vec();
    let headers: Vec<_> = (0..count).map(header).collect();
    let of_code = headers.iter().find(|header| header[8] & 4 != 0).unwrap().clone();
    let all: Vec<u8> = headers.into_iter().chain(iter::repeat_n(of_code, 5000)).flatten().collect();
    let place = object.len() as u64;
    object.extend(all);
    object[0x28..0x30].copy_from_slice(&place.to_le_bytes());
    object[0x3c..0x3e].copy_from_slice(&((count + 5000) as u16).to_le_bytes());
    fs::write(&file, object).unwrap();
    assert!(refusal(&file).contains("the ELF file is damaged: its sections share code"));
}

#[test]
fn arguments_of_a_kernel_have_a_limit() {
    let folder = temporary();
    let (file, launch) = (folder.path().join("k.s"), folder.path().join("k.toml"));
    let kernel = "k:\ns_endpgm\n.rodata\n.p2align 6\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr 1\n.amdhsa_next_free_sgpr 1\n\
        .amdhsa_kernarg_size 0x40000000\n.end_amdhsa_kernel\n.amdgpu_metadata\n---\namdhsa.version: [1, 1]\namdhsa.kernels:\n  \
        - {.name: k, .symbol: k.kd, .kernarg_segment_size: 0, .kernarg_segment_align: 8, .group_segment_fixed_size: 0, \
        .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 16, .vgpr_count: 16, .max_flat_workgroup_size: 64}\n\
        ...\n.end_amdgpu_metadata\n";
    fs::write(&file, format!(".text\n.globl k\n.p2align 8\n.type k,@function\n{kernel}")).unwrap();
    fs::write(&launch, "grid = [64]\ngroup = [64]\n").unwrap();
    let CommandOutput { code, error, .. } =
        limited(&["predict", text(&file), "--gpu", "fiji", "--launch", text(&launch)]);
    assert_eq!(code, Some(1), "{error}");
    assert!(error.contains("its arguments take 1073741824 bytes, more than 1048576, the limit"), "{error}");
}

#[test]
fn a_block_beyond_the_limit_is_refused_for_its_length() {
    let told = of_text(&"s_nop 0\n".repeat(65_600), &[]).error;
    assert!(told.contains("the code has more than 65536 instructions, the limit"), "{told}");
}

#[test]
fn no_stall_is_zero_and_not_less() {
    let table = of_text("v_rcp_f32 v1, v0\n", &["--format", "csv"]).out;
    assert!(table.contains(",0.0,") && !table.contains("-0.0"), "{table}");
}

#[test]
fn the_variable_for_threads_has_the_limit_of_the_option() {
    for wrong in ["100000", "-1", "many"] {
        let output = program().args(["devices"]).env("RAYON_NUM_THREADS", wrong).output().unwrap();
        let CommandOutput { code, error, .. } = said(output);
        assert_eq!(code, Some(1), "{error}");
        assert!(error.contains("RAYON_NUM_THREADS") && error.contains("a number from 0 to 1024"), "{error}");
    }
}
