//! The commands that are tried on a run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Output, Stdio};

use crate::family::Family;

/// Samples of each kernel: a card without noise gives the same reading each time. `results/reference` is measured with as many.
const SAMPLES: &str = "8";
/// An instruction that every target has.
const INSTRUCTION: &str = "V_FMA_F64";
/// A loop that every target assembles.
const LOOP: &str = "\
.Lloop:
    v_mul_f32_e32 v0, v1, v2
    v_add_f32_e32 v3, v0, v2
    s_sub_u32 s0, s0, 1
    s_cmp_lg_u32 s0, 0
    s_cbranch_scc1 .Lloop
";

/// A command on a run. RUN, OTHER and OUT among its words are the run, another product's, and where it may write; LOOP is a file.
pub(crate) struct Command {
    pub(crate) name: &'static str,
    words: &'static [&'static str],
    /// A file that it writes.
    writes: Option<&'static str>,
    /// The command that is run on that file.
    then: Option<&'static [&'static str]>,
    /// Whether its output is about one product.
    is_of_one: bool,
}

const fn command(name: &'static str, words: &'static [&'static str]) -> Command {
    Command { name, words, writes: None, then: None, is_of_one: true }
}

pub(crate) const COMMANDS: [Command; 14] = [
    Command { writes: Some("OUT"), ..command("site", &["site", "RUN", "--out", "OUT"]) },
    Command {
        then: Some(&["bundle", "--check", "OUT"]),
        ..command("bundle, --check", &["bundle", "RUN", "--out", "OUT"])
    },
    Command { writes: Some("RUN/report.html"), ..command("report", &["report", "RUN"]) },
    Command { writes: Some("RUN/plots"), ..command("plot", &["plot", "RUN"]) },
    command("show", &["show", INSTRUCTION, "RUN"]),
    command("validate", &["validate", "RUN"]),
    Command { is_of_one: false, ..command("compare", &["compare", "RUN", "OTHER"]) },
    command("export json", &["export", "--format", "json", "RUN"]),
    command("export csv", &["export", "--format", "csv", "RUN"]),
    command("export markdown", &["export", "--format", "markdown", "RUN"]),
    command("export llvm", &["export", "--format", "llvm", "RUN"]),
    command("export aco", &["export", "--format", "aco", "RUN"]),
    command("dpfactor", &["dpfactor", "RUN"]),
    command("predict", &["predict", "LOOP", "--gpu", "RUN"]),
];

/// What became of a command.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    /// Its outputs: printed and written.
    texts: Vec<(String, String)>,
    error: String,
    is_of_one: bool,
}

/// Measures a product as a user does who names the device and nothing else, with fewer samples.
pub(crate) fn measure(product: &str, run: &Path, is_quick: bool) -> Ended {
    let device = format!("sim:{product}");
    let out = run.to_string_lossy();
    let mut words = vec!["measure", "--device", &device, "--samples", SAMPLES, "--sweeps", "1", "--out", &out];
    words.extend(is_quick.then_some("--quick"));
    let page = run.join("TIMINGS.md");
    Ended::of(&program(&words), &[page], true)
}

fn program(words: &[&str]) -> Output {
    let mut program = process::Command::new(env!("CARGO_BIN_EXE_gcn-timings"));
    program.args(words).env_remove("GCN_TIMINGS_LLVM").env_remove("GCN_TIMINGS_LLD").env_remove("COLUMNS");
    program.stdin(Stdio::null()).output().unwrap()
}

impl Command {
    /// Runs it; `scratch` is a folder in which nothing is called as it or the run is.
    pub(crate) fn run(&self, run: &Path, other: &Path, scratch: &Path) -> Ended {
        let run_name = run.file_name().unwrap_or_default().to_string_lossy();
        let place = |what: &str| scratch.join(format!("{run_name} {} {what}", self.name));
        let (out, code) = (place("out"), place("loop.s"));
        fs::write(&code, LOOP).unwrap();
        let named = |word: &str| -> String {
            let named = [("RUN", run), ("OTHER", other), ("OUT", &out), ("LOOP", &code)];
            let (name, rest) = word.split_once('/').unwrap_or((word, ""));
            let path = named.into_iter().find(|(known, _)| *known == name);
            path.map_or(word.to_owned(), |(_, path)| path.join(rest).to_string_lossy().trim_end_matches('/').to_owned())
        };
        let words = |words: &[&str]| -> Vec<String> { words.iter().map(|word| named(word)).collect() };
        let ran = |words: Vec<String>| program(&words.iter().map(String::as_str).collect::<Vec<_>>());
        let written: Vec<PathBuf> = self.writes.iter().map(|word| named(word).into()).collect();
        let mut ended = Ended::of(&ran(words(self.words)), &written, self.is_of_one);
        if let (Some(then), Some(0)) = (self.then, ended.code) {
            ended = Ended::of(&ran(words(then)), &[], self.is_of_one);
        }
        ended
    }
}

impl Ended {
    fn of(output: &Output, written: &[PathBuf], is_of_one: bool) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let error = text(&output.stderr);
        let mut texts = vec![("standard output".to_owned(), text(&output.stdout))];
        written.iter().for_each(|path| read(path, &mut texts));
        Self { code: output.status.code(), texts, error, is_of_one }
    }

    /// Its problems.
    pub(crate) fn problems(&self, family: Family) -> impl Iterator<Item = String> {
        let mut problems = Vec::new();
        if self.code != Some(0) {
            problems.push(format!("exit code {:?}: {}", self.code, self.error.trim()));
        }
        let empty = self.texts.iter().filter(|(_, text)| text.trim().is_empty());
        problems.extend(empty.map(|(name, _)| format!("{name} is empty")));
        if self.is_of_one {
            problems.extend(
                self.texts.iter().flat_map(|(name, text)| family.foreign(text).map(move |it| format!("{name}: {it}"))),
            );
        }
        problems.into_iter()
    }

    pub(crate) fn succeeded(&self) -> bool {
        self.code == Some(0)
    }
}

/// The texts of a file, or of a folder's.
fn read(path: &Path, texts: &mut Vec<(String, String)>) {
    if path.is_dir() {
        let mut entries: Vec<PathBuf> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        entries.iter().for_each(|entry| read(entry, texts));
        return;
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    texts.push((name, fs::read_to_string(path).unwrap_or_default()));
}
