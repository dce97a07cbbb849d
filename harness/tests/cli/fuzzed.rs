//! Files of strangers: small ones of this project, changed at random. The program takes them or refuses them; it never crashes, and needs no
//! more than 512 MiB and two seconds of processor time for what it does itself.
//!
//! A change has to pass a few cases, always the same ones; `PROPTEST_CASES` asks for more of them. `GCN_TIMINGS_FUZZ_SECONDS=600` takes other
//! cases for that long, of each kind, and `GCN_TIMINGS_PROGRAM` another build of the program.

use std::cell::Cell;
use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use gcn_harness::llvm::Llvm;
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};

use super::offload_bundle::offload_bundle;
use super::{CommandOutput, names, program, said, small_run, temporary, text};

const SECONDS: &str = "GCN_TIMINGS_FUZZ_SECONDS";
const PROGRAM: &str = "GCN_TIMINGS_PROGRAM";
/// Cases of a kind that every change has to pass, and those between two looks at the clock.
const CASES: u32 = 24;

/// What is put into a text: the words that a file of its kind gives a meaning to, and numbers that are too large.
const TEXT_WORDS: [&str; 28] = [
    "/*",
    "*/",
    ".rept 99999999\n",
    ".endr\n",
    ".macro m x\n",
    ".endm\n",
    "m ",
    "\\x",
    "(",
    "-",
    ".set a, a+1\n",
    ".long a\n",
    ".size k, .-q\n",
    ".zero 0x7fffffff\n",
    ".p2align 31\n",
    ".if a\n",
    ".endif\n",
    ".amdgpu_metadata\n",
    "- ",
    "0x",
    ".print \"x\"\n",
    ".incbin \"k.s\"\n",
    ".include \"k.s\"\n",
    "; GCN-BEGIN a\n",
    "; GCN-END\n",
    ".text\n",
    ".amdhsa_kernel k\n",
    "\u{1b}]0;x\u{7}",
];
const LAUNCH_WORDS: [&str; 14] = [
    "[[arguments]]\n",
    "u32 = 1\n",
    "buffer = { bytes = 99999999999 }\n",
    "buffer = { bytes = 134217728, fill = \"index\" }\n",
    "local = { bytes = 4294967295 }\n",
    "grid = [4294967295, 4294967295]\n",
    "group = [1024]\n",
    "cycle_limit = 1000\n",
    "4294967296",
    "-1",
    "f64 = nan\n",
    "\"",
    "[",
    "\u{1b}",
];
const GPUS: [&str; 2] = [
    "base = \"fiji\"\nname = \"x\"\ncompute_units = 8\ndp_factor = 3\n[clock]\nshader_mhz = 1000.0\n[cycles]\nV_ADD_F32 = [4, 8]\n",
    "base = \"rx7900xtx\"\nname = \"x\"\n[throughput]\nV_ADD_F32 = 2\n[noise]\nseed = 3\njitter_cycles = 10\noutlier_rate = 0.1\n",
];
const GPU_WORDS: [&str; 16] = [
    "[noise]\n",
    "[cycles]\n",
    "[throughput]\n",
    "[memory]\n",
    "[instruction_cache]\nbytes = 1048576\nmiss_cycles = 1000000\n",
    "S_NOP = 1000000\n",
    "compute_units = 512\n",
    "base = \"file.toml\"\n",
    "gfx_target = \"gfx1100\"\n",
    "99999999999999999999",
    "4294967295",
    "-1",
    "nan",
    "\"",
    "[",
    "\u{1b}",
];
const RUN_WORDS: [&str; 10] =
    ["\"", ",", "\n", "\u{feff}", "-1", "18446744073709551615", "99999999999999999999", "nan", "{", "\u{1b}"];

const TEXTS: [&str; 3] = [
    "loop:\nv_add_f32 v1, v2, v3\ns_nop 3\ns_cbranch_scc1 loop\ns_endpgm\n",
    "; GCN-BEGIN a\nv_mov_b32 v0, 0\n; GCN-END\n.macro add x\nv_add_f32 \\x, \\x, v1\n.endm\nadd v2\n.rept 4\nadd v3\n.endr\n",
    KERNEL,
];
const LAUNCH: &str = "grid = [64]\ngroup = [64]\ncycle_limit = 100000\n";
const KERNEL: &str = ".text\n.globl k\n.p2align 8\n.type k,@function\nk:\nv_mov_b32 v0, 0\ns_endpgm\n.size k, .-k\n.rodata\n.p2align 6\n\
    .amdhsa_kernel k\n.amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n.amdgpu_metadata\n---\n\
    amdhsa.version: [1, 1]\namdhsa.kernels:\n  - {.name: k, .symbol: k.kd, .kernarg_segment_size: 0, .kernarg_segment_align: 8, \
    .group_segment_fixed_size: 0, .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 16, .vgpr_count: 4, \
    .max_flat_workgroup_size: 64}\n...\n.end_amdgpu_metadata\n";

/// A change of bytes: what is done, at which place, and with which byte or word.
#[derive(Debug, Clone)]
enum Change {
    Byte(u32, u8),
    Word(u32, usize),
    /// Another number for one that is there.
    Number(u32, u64),
    /// Another copy of some bytes.
    Again(u32, u16),
    Without(u32, u16),
}

fn change() -> impl Strategy<Value = Change> {
    let number = prop_oneof![0..8u64, 0..70_000u64, any::<u64>()];
    prop_oneof![
        4 => (any::<u32>(), number).prop_map(|(at, number)| Change::Number(at, number)),
        1 => (any::<u32>(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
        1 => (any::<u32>(), any::<usize>()).prop_map(|(at, word)| Change::Word(at, word)),
        1 => (any::<u32>(), 1..400u16).prop_map(|(at, length)| Change::Again(at, length)),
        1 => (any::<u32>(), 1..60u16).prop_map(|(at, length)| Change::Without(at, length)),
    ]
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>, words: &[Vec<u8>]) {
        let place = |at: u32| at as usize % (bytes.len() + 1);
        match *self {
            Self::Byte(at, byte) => match bytes.len() {
                0 => bytes.push(byte),
                length => bytes[at as usize % length] = byte,
            },
            Self::Word(at, word) => {
                let (mut at, word) = (place(at), &words[word % words.len()]);
                // A line comes between two lines, where it means something.
                if word.ends_with(b"\n") {
                    at = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
                }
                bytes.splice(at..at, word.iter().copied());
            }
            // In place of others, where a header may have one.
            Self::Number(at, number) if str::from_utf8(bytes).is_err() => {
                let at = place(at) / 4 * 4;
                bytes[at..].iter_mut().zip(number.to_le_bytes()).for_each(|(byte, new)| *byte = new);
            }
            Self::Number(at, number) => {
                let digit = |place: usize| bytes.get(place).is_some_and(u8::is_ascii_digit);
                let starts: Vec<usize> =
                    (0..bytes.len()).filter(|place| digit(*place) && (*place == 0 || !digit(place - 1))).collect();
                let Some(start) = starts.get(at as usize % starts.len().max(1)).copied() else { return };
                let end = (start..).find(|place| !digit(*place)).unwrap_or(start);
                bytes.splice(start..end, number.to_string().into_bytes());
            }
            Self::Again(at, length) => {
                let at = place(at);
                let end = bytes.len().min(at + usize::from(length));
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy);
            }
            Self::Without(at, length) => {
                let at = place(at);
                let end = bytes.len().min(at + usize::from(length));
                bytes.drain(at..end);
            }
        }
    }
}

/// Tries changes of files, each with its name: `command` has the arguments for a file in a folder.
fn fuzz(kind: &str, corpus: &[(&str, Vec<u8>)], words: &[Vec<u8>], command: impl Fn(&Path, &Path) -> Vec<String>) {
    let changes = (0..corpus.len(), prop::collection::vec(change(), 1..4));
    let time = env::var(SECONDS).ok().map(|seconds| Duration::from_secs(seconds.parse().expect("a number of seconds")));
    let (start, tried, worst) = (Instant::now(), Cell::new(0), Cell::new(Duration::ZERO));
    loop {
        let usual = ProptestConfig {
            cases: env::var("PROPTEST_CASES").map_or(CASES, |cases| cases.parse().expect("a number of cases")),
            failure_persistence: None,
            max_shrink_iters: 60,
            ..ProptestConfig::default()
        };
        let seeded = ProptestConfig { rng_seed: RngSeed::Fixed(1), ..usual.clone() };
        let mut runner = TestRunner::new(if time.is_some() { usual } else { seeded });
        let outcome = runner.run(&changes, |(index, changes)| {
            let (name, mut bytes) = corpus[index].clone();
            changes.iter().for_each(|change| change.apply(&mut bytes, words));
            let folder = temporary();
            let file = folder.path().join(name);
            fs::write(&file, bytes).unwrap();
            let start = Instant::now();
            let CommandOutput { code, error, .. } = limited(&command(&file, folder.path()));
            worst.set(worst.get().max(start.elapsed()));
            tried.set(tried.get() + 1);
            prop_assert!([Some(0), Some(1), Some(3)].contains(&code), "{:?}: {}", code, error);
            prop_assert!(!error.contains("panicked") && !error.contains('\u{1b}'), "{}", error);
            Ok(())
        });
        outcome.unwrap_or_else(|failure| panic!("{kind}: {failure}"));
        if time.is_none_or(|time| start.elapsed() > time) {
            break;
        }
    }
    println!("{kind}: {} files, the longest took {:?}", tried.get(), worst.get());
}

/// Runs the program with limits of its own; LLVM's process has those that the options say, and counts as its child.
fn limited(arguments: &[String]) -> CommandOutput {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "ulimit -v 524288; ulimit -t 3; exec \"$0\" \"$@\""])
        .arg(env::var_os(PROGRAM).unwrap_or_else(|| program().get_program().to_owned()));
    said(shell.args(arguments).env("RAYON_NUM_THREADS", "2").output().unwrap())
}

/// Files of one name.
fn called<'a>(name: &'a str, files: &[Vec<u8>]) -> Vec<(&'a str, Vec<u8>)> {
    files.iter().map(|bytes| (name, bytes.clone())).collect()
}

fn bytes(words: &[&str]) -> Vec<Vec<u8>> {
    words.iter().map(|word| word.as_bytes().to_vec()).collect()
}

/// Numbers that headers have, and zeros.
fn numbers() -> Vec<Vec<u8>> {
    let numbers = [0, 1, 0xff, 0xffff, 0x7fff_ffff, 0xffff_ffff, u64::MAX, 0x4000_0000, 1 << 40];
    numbers.iter().flat_map(|number: &u64| [number.to_le_bytes().to_vec(), vec![0; 8]]).collect()
}

fn predict(file: &Path, gpu: &str, more: &[&str]) -> Vec<String> {
    let arguments = [&["predict", text(file), "--gpu", gpu, "--json"], more].concat();
    arguments.into_iter().map(str::to_owned).collect()
}

#[test]
fn changed_texts_are_predicted_or_refused() {
    fuzz("texts", &called("k.s", &bytes(&TEXTS)), &bytes(&TEXT_WORDS), |file, folder| {
        predict(file, "fiji", &["--llvm-seconds", "1", "-I", text(folder)])
    });
}

#[test]
fn changed_code_objects_are_predicted_or_refused() {
    let object = |target: &str| Llvm::find(None).unwrap().assemble(target, KERNEL).unwrap();
    let (fiji, vega) = (object("gfx803"), object("gfx900"));
    let bundle = offload_bundle(&[("gfx803", &fiji), ("gfx900", &vega)]);
    fuzz("code objects", &called("k.co", &[fiji, bundle]), &numbers(), |file, _| predict(file, "fiji", &[]));
}

#[test]
fn changed_launch_files_are_launched_or_refused() {
    let folder = temporary();
    let kernel = folder.path().join("k.s");
    fs::write(&kernel, KERNEL).unwrap();
    fuzz("launch files", &called("launch.toml", &bytes(&[LAUNCH])), &bytes(&LAUNCH_WORDS), |file, _| {
        predict(&kernel, "fiji", &["--launch", text(file)])
    });
}

#[test]
fn changed_bundles_are_refused() {
    let folder = temporary();
    let (run, bundle) = (small_run(&folder), folder.path().join("bundle"));
    let arguments = ["bundle", text(&run), "--out", text(&bundle)];
    assert!(program().args(arguments).output().unwrap().status.success());
    fuzz("bundles", &called("bundle", &[fs::read(&bundle).unwrap()]), &numbers(), |file, _| {
        ["bundle", "--check", text(file)].map(str::to_owned).to_vec()
    });
}

#[test]
fn changed_gpu_files_are_a_gpu_or_refused() {
    let folder = temporary();
    let code = folder.path().join("k.s");
    fs::write(&code, TEXTS[0]).unwrap();
    fuzz("GPU files", &called("file.toml", &bytes(&GPUS)), &bytes(&GPU_WORDS), |file, _| {
        predict(&code, text(file), &[])
    });
}

#[test]
fn changed_run_folders_are_analysed_or_refused() {
    let folder = temporary();
    let run = small_run(&folder);
    let stored = ["run.json", "experiments.csv", "journal.csv", "readings.csv"];
    let corpus = stored.map(|name| (name, fs::read(run.join(name)).unwrap()));
    fuzz("run folders", &corpus, &bytes(&RUN_WORDS), |_, folder| {
        for name in names(&run).iter().filter(|name| !folder.join(name).exists()) {
            fs::copy(run.join(name), folder.join(name)).unwrap();
        }
        ["analyze", text(folder), "--json"].map(str::to_owned).to_vec()
    });
}
