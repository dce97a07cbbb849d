//! Thread traces of compiled kernels, from silicon, beside the simulator: `docs/silicon.md`. The traces are not in the repository; they are read
//! from the folder `shared` beside it.

mod accuracy;
mod code;
mod compared;
mod sgemm;
mod table;
mod trace;
mod unplaced;

use std::path::{Path, PathBuf};
use std::{env, fs};

use gcn_harness::llvm::Llvm;
use gcn_harness::mca::LlvmMca;
use gcn_model::gpu::Gpu;
use gcn_model::isa::GroupMode;
use gcn_simulator::{Configuration, RecordedGroups};
use object::{Object, ObjectSection};

use code::Code;
use compared::{Compared, compared};
use table::{HEAD, Judged, iterations, list, row};
use trace::Trace;

/// Stands between the instructions of a kernel; none contains it.
const MARK: [u32; 2] = [0xdead_beef, 0xcafe_f00d];

/// The version of llvm-mca in the table, and the variable that makes a missing one a failure.
const MCA_VERSION: &str = "22.";
const NEED_MCA: &str = "GCN_TIMINGS_NEED_MCA";

/// The place of the table in its page.
const MARKS: [&str; 2] = ["<!-- table -->\n", "<!-- end -->"];

/// The words of each line.
fn assemble(target: &str, lines: &[String]) -> Vec<Vec<u32>> {
    let llvm = Llvm::find(None).expect("the Rust toolchain has LLVM");
    let text: String = lines.iter().map(|line| format!("{line}\n.long {:#x}, {:#x}\n", MARK[0], MARK[1])).collect();
    let object = llvm.assemble(target, &text).unwrap_or_else(|error| panic!("{target}: {error}"));
    let file = object::File::parse(&*object).expect("LLVM writes ELF");
    let bytes = file.section_by_name(".text").and_then(|section| section.data().ok()).expect("an object has .text");
    let mut words = vec![Vec::new()];
    for word in bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])) {
        let last = words.last_mut().expect("there is one");
        last.push(word);
        if last.ends_with(&MARK) {
            last.truncate(last.len() - MARK.len());
            words.push(Vec::new());
        }
    }
    words.truncate(lines.len());
    words
}

/// Each trace of the list with its gaps; and once more where its loads take what they take in the trace.
fn rows<T>(folder: &Path, of: impl Fn(&Judged, &Compared<'_>, Option<(u64, &Compared<'_>)>) -> T) -> Vec<T> {
    let row = |judged: Judged| {
        let trace = unplaced::read(folder, &judged.trace).unwrap_or_else(|| Trace::read(folder, &judged.trace));
        let gpu = Gpu::named(&judged.gpu).unwrap_or_else(|error| panic!("{error}"));
        let configuration = Configuration::of(&gpu);
        let code = Code::of(&trace, |lines| assemble(trace.target(), lines));
        let waves = judged.group_waves;
        let simds = gpu.generation.simds_of_group(GroupMode::Processor) as usize;
        let shape = (gpu.registers.simds, RecordedGroups { waves, unseen: waves * (simds - 1) });
        let shown = trace.latency().map(|latency| {
            let mut configuration = configuration.clone();
            configuration.vector_memory_latency_cycles = latency as u32;
            (latency, compared(&trace, &code, &configuration, shape))
        });
        let shown = shown.as_ref().map(|(latency, compared)| (*latency, compared));
        of(&judged, &compared(&trace, &code, &configuration, shape), shown)
    };
    list().into_iter().map(row).collect()
}

/// The folder of the traces, if it is there.
fn folder(root: &Path) -> Option<PathBuf> {
    let folder = root.join("../shared/traces/kernels");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("SKIPPED: no traces of kernels beside the repository");
    None
}

/// Compares a part of the text between the marks of a page of `docs` with that of the made one, or writes all of it.
fn hold(root: &Path, page: &str, made: &str, part: fn(&str) -> String) {
    println!("{made}");
    let path = root.join("docs").join(page);
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(MARKS[0]).expect("a mark before the table");
    let (table, after) = rest.split_once(MARKS[1]).expect("a mark behind the table");
    if env::var_os("GCN_TIMINGS_UPDATE_SILICON").is_some() {
        fs::write(&path, format!("{before}{}{made}{}{after}", MARKS[0], MARKS[1])).unwrap();
        return;
    }
    assert_eq!(part(table), part(made), "GCN_TIMINGS_UPDATE_SILICON=1 makes it anew");
}

#[test]
fn the_simulator_issues_compiled_kernels_as_documented() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let Some(folder) = folder(&root) else { return };
    let made = rows(&folder, |judged, compared, shown| {
        println!("{}:", judged.trace);
        compared.differing().iter().for_each(|(line, times)| println!("  {times} × {line}"));
        row(judged, compared, shown)
    });
    hold(&root, "silicon.md", &(HEAD.to_owned() + &made.concat()), str::to_owned);
}

#[test]
fn measured_times_differ_from_simulated_ones_as_documented() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let Some(folder) = folder(&root) else { return };
    let mca = LlvmMca::find().ok().filter(|mca| mca.version.starts_with(MCA_VERSION));
    assert!(
        mca.is_some() || env::var_os(NEED_MCA).is_none(),
        "{NEED_MCA} is set, and llvm-mca {MCA_VERSION}x is not there"
    );
    let mut all = accuracy::blocks(mca.as_ref());
    all.extend(sgemm::cases(mca.as_ref()));
    let loops = rows(&folder, |judged, compared, _| accuracy::of_loop(judged, iterations(compared)));
    all.extend(loops.into_iter().flatten());
    let is_unexplained = |it: &&accuracy::Measured| accuracy::error(it).abs() >= 6.0 && it.case.cause.is_empty();
    let unexplained = all.iter().filter(is_unexplained).map(|it| format!("{}: {}", it.case.name, it.predicted));
    assert_eq!(unexplained.collect::<Vec<_>>(), Vec::<String>::new());
    let whole: fn(&str) -> String = if mca.is_some() { str::to_owned } else { accuracy::without_mca };
    hold(&root, "accuracy.md", &accuracy::page(&all), whole);
}
