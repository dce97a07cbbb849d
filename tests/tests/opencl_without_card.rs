//! The OpenCL device without an AMD GPU: without a driver, without a device, with a foreign device.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use gcn_tests::OpenCl;
use tempfile::TempDir;

/// Debian's drivers: PoCL runs OpenCL on the CPU; clover has no device without a GPU.
const POCL: &str = "/etc/OpenCL/vendors/pocl.icd";
const CLOVER: &str = "/etc/OpenCL/vendors/mesa.icd";

/// What stands before the reasons of each driver.
const NO_CARD: &str = "there is no card that can be measured: ";

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder of `.icd` files with copies of these.
fn vendors(files: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        fs::copy(file, folder.path().join(Path::new(file).file_name().unwrap())).unwrap();
    }
    folder
}

/// Whether a driver is there; a line that says so where it is not.
fn is_there(driver: &str) -> bool {
    let is_there = Path::new(driver).exists();
    if !is_there {
        assert!(std::env::var_os("GCN_TIMINGS_NEED_OPENCL").is_none(), "{driver} is not there");
        println!("SKIPPED: {driver} is not there (GCN_TIMINGS_NEED_OPENCL=1 makes this a failure)");
    }
    is_there
}

/// The program's output, with its exit code; parts that differ from machine to machine have names. The rows of the simulator, which are a
/// snapshot of their own, are left out, and so is what another driver than OpenCL says of itself.
fn said(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let (out, error) = (text(&stdout), text(&stderr));
    assert!(!error.contains("panicked"), "{error}");
    let is_shown = |line: &&str| !line.starts_with("sim:") && !line.starts_with("Cards through HIP");
    let out: Vec<_> = out.lines().filter(is_shown).map(str::trim_end).collect();
    let error = match error.trim_end().split_once(NO_CARD) {
        Some((before, reasons)) => {
            let own: Vec<_> = reasons.split("; ").filter(|reason| !reason.starts_with("HIP")).collect();
            format!("{before}{NO_CARD}{}", own.join("; "))
        }
        None => error.trim_end().to_owned(),
    };
    format!("{}\n---- standard error\n{error}\n---- exit code {}", out.join("\n"), status.code().unwrap_or(-1))
}

/// Puts a name for what stands between two texts and differs from machine to machine.
fn masked(text: &str, before: &str, after: &str, name: &str) -> String {
    let Some(from) = text.find(before).map(|at| at + before.len()) else { return text.to_owned() };
    let Some(length) = text[from..].find(after) else { return text.to_owned() };
    format!("{}{name}{}", &text[..from], &text[from + length..])
}

#[test]
fn the_program_needs_no_loader_to_start() {
    let Some(opencl) = OpenCl::find() else { return };
    let program = opencl.program(Path::new("/")).get_program().to_owned();
    let output = Command::new("readelf").arg("--dynamic").arg(&program).output().expect("readelf, of binutils");
    let needed = text(&output.stdout);
    assert!(needed.contains("libc.so.6") && !needed.contains("OpenCL"), "{needed}");
    // Nor does it offer OpenCL's functions to the drivers, which would call them instead of the loader's.
    let output = Command::new("readelf").args(["--dyn-syms", "--wide"]).arg(&program).output().unwrap();
    let symbols = text(&output.stdout);
    assert!(symbols.contains("FUNC") && !symbols.contains("clGetPlatformIDs"), "{symbols}");
}

#[test]
fn a_missing_loader_is_named() {
    let Some(opencl) = OpenCl::find() else { return };
    let folder = vendors(&[]);
    // A file that looks like the loader is not: as if there were no other.
    for name in ["libOpenCL.so.1", "libOpenCL.so"] {
        fs::write(folder.path().join(name), "no library").unwrap();
    }
    let mut command = opencl.program(folder.path());
    command.arg("devices").env("LD_LIBRARY_PATH", folder.path());
    insta::assert_snapshot!(masked(&said(&mut command), "was not found (", "): install", "[WHY]"));
}

#[test]
fn a_loader_without_drivers_is_named() {
    let Some(opencl) = OpenCl::find() else { return };
    insta::assert_snapshot!(said(opencl.program(vendors(&[]).path()).arg("devices")));
}

#[test]
fn drivers_without_a_device_are_named() {
    let Some(opencl) = OpenCl::find() else { return };
    if !is_there(CLOVER) {
        return;
    }
    if Path::new("/dev/dri").exists() {
        println!("SKIPPED: this machine has a GPU");
        return;
    }
    let folder = vendors(&[CLOVER]);
    insta::assert_snapshot!(said(opencl.program(folder.path()).arg("devices")));
    let run = folder.path().join("run");
    insta::assert_snapshot!(said(
        opencl.program(folder.path()).args(["measure", "--device", "opencl:0", "--out"]).arg(&run)
    ));
    assert!(!run.exists(), "nothing was written");
}

#[test]
fn a_device_that_is_no_gpu_is_listed_and_refused() {
    let Some(opencl) = OpenCl::find() else { return };
    if !is_there(POCL) {
        return;
    }
    let folder = vendors(&[POCL]);
    let run = folder.path().join("run");
    let listed = said(opencl.program(folder.path()).arg("devices"));
    let refused = said(opencl.program(folder.path()).args(["measure", "--device", "opencl:0", "--out"]).arg(&run));
    let beyond = said(opencl.program(folder.path()).args(["dpfactor", "--device", "opencl:1"]));
    let plain = |text: &str| {
        let text = masked(text, "none  ", "  pthread-", "[CUs]");
        let text = masked(&text, "pthread-", "; shader clock", "[CPU]");
        let text = masked(&text, "shader clock ", " MHz", "[CLOCK]");
        let text = masked(&text, "pthread-", " on platform", "[CPU]");
        masked(&text, "Computing Language (", "; cannot", "[VERSIONS]")
    };
    insta::assert_snapshot!("pocl_is_listed", plain(&listed));
    insta::assert_snapshot!("pocl_is_refused", plain(&refused));
    insta::assert_snapshot!("one_beyond_pocl", beyond);
    assert!(!run.exists(), "nothing was written");
    // The program's input.
    let output = opencl.program(folder.path()).args(["devices", "--json"]).output().unwrap();
    let rows: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let device = rows.as_array().unwrap().iter().find(|row| row["device"] == "opencl:0").expect("opencl:0");
    assert_eq!((&device["target"], &device["generation"]), (&"-".into(), &"none".into()), "{device}");
    assert!(device["refused"].as_str().is_some_and(|why| why.contains("not a GPU")), "{device}");
    assert!(
        device["facts_from"].is_null() && device["driver"].as_str().is_some_and(|driver| driver.contains("Portable"))
    );
}
