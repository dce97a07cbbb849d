//! LLVM's hazard recognizer, as `llc` of LLVM 22 runs it: the package that has llvm-mca has that, too.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use object::{Object, ObjectSection, ObjectSymbol};

/// Set to make a missing LLVM 22 a failure instead of a skipped test.
const NEED: &str = "GCN_TIMINGS_NEED_MCA";
const LLC: &str = "llc-22";

/// The code that LLVM makes of functions, by number: each is the blocks of a body in its text form of machine code, after all passes that
/// choose or move instructions. A target may say how many lanes its waves have. `None` without LLVM.
pub fn recognized(target: &str, bodies: &[String]) -> Option<BTreeMap<usize, Vec<u32>>> {
    let mut text = String::new();
    for (number, body) in bodies.iter().enumerate() {
        writeln!(text, "---\nname: pair{number}\nbody: |\n{body}...").unwrap();
    }
    let (cpu, feature) = target.split_once(':').unwrap_or((target, ""));
    let mut command = Command::new(LLC);
    command.args(["-mtriple=amdgcn-amd-amdhsa", &format!("-mcpu={cpu}"), "-x=mir", "-filetype=obj", "-o=-", "-"]);
    if let Some(size) = feature.strip_suffix('+') {
        command.arg(format!("-mattr=+{size}"));
    }
    command.arg("-start-before=post-RA-hazard-rec").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Ok(mut llc) = command.spawn() else {
        assert!(env::var_os(NEED).is_none(), "{NEED} is set, and {LLC} is not there");
        println!("SKIPPED: {LLC} is not there ({NEED}=1 makes this a failure)");
        return None;
    };
    let mut input = llc.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = llc.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "{target}: {}", String::from_utf8_lossy(&output.stderr));
    let object = object::File::parse(&*output.stdout).unwrap();
    let section = object.section_by_name(".text").unwrap();
    let code = section.data().unwrap();
    let functions = object.symbols().filter_map(|symbol| {
        let number = symbol.name().ok()?.strip_prefix("pair")?.parse().ok()?;
        let start = (symbol.address() - section.address()) as usize;
        let bytes = &code[start..start + symbol.size() as usize];
        Some((number, bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()))
    });
    Some(functions.collect())
}
