//! `llvm-mca`, which some benches time beside the program.

use std::io::Write as _;
use std::process::{Command, Stdio};

use divan::counter::ItemsCount;

/// Times `llvm-mca`, its start included, on a text that it repeats, and counts these instructions. Nothing is timed where it is not installed.
pub(crate) fn bench(bencher: divan::Bencher, target: &str, text: &str, iterations: usize, instructions: usize) {
    let run = |program: &str| {
        let mut command = Command::new(program);
        command.args(["-mtriple=amdgcn", &format!("-mcpu={target}"), &format!("-iterations={iterations}")]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()?;
        child.stdin.take()?.write_all(text.as_bytes()).ok()?;
        child.wait().ok()?.success().then_some(())
    };
    // The version that predictions are compared with, where there are several.
    if let Some(program) = ["llvm-mca-22", "llvm-mca"].into_iter().find(|program| run(program).is_some()) {
        bencher.counter(ItemsCount::new(instructions)).bench(|| run(program));
    }
}
