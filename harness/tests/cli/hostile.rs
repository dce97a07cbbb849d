//! Hostile inputs: names that are not text, files of a wrong kind, other tools, times without end.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use gcn_harness::llvm::{Linker, Llvm};
use tempfile::TempDir;

use super::{
    CommandOutput, assert_plan_alone, copy_templates, failure, program, run, said, small_run, temporary, text,
};

#[test]
fn a_folder_whose_name_is_no_text_has_a_summary() {
    let folder = temporary();
    let path = folder.path().join(OsStr::from_bytes(b"run-\xff"));
    fs::rename(small_run(&folder), &path).unwrap();
    let CommandOutput { code, out, error } = said(program().args(["analyze", "--json"]).arg(&path).output().unwrap());
    assert_eq!((code, error.as_str()), (Some(0), ""));
    let summary: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert!(summary["files"].as_str().unwrap().ends_with("run-\u{fffd}"), "{out}");
}

#[test]
fn a_budget_without_end_is_a_budget() {
    let folder = temporary();
    let path = folder.path().join("run");
    let budget = ["--budget", "2562047788015215h", "--launch-timeout", "2562047788015215h", "--isolate"];
    let arguments = [&["measure", "--only", "V_MOV_B32", "--waves", "1", "--out", text(&path)][..], &budget].concat();
    let CommandOutput { code, error, .. } = run(&arguments);
    assert_eq!(code, Some(0), "{error}");
    assert_plan_alone(&error);
}

#[test]
fn a_linker_may_be_named_by_a_path_from_here() {
    let folder = temporary();
    let linker = Linker::find(None, &Llvm::find(None).unwrap()).unwrap();
    let name = linker.path().file_name().unwrap();
    symlink(linker.path(), folder.path().join(name)).unwrap();
    let here = format!("./{}", name.to_str().unwrap());
    let measure = ["measure", "--only", "V_MOV_B32", "--waves", "1", "--out"];
    for (number, by_variable) in [false, true].into_iter().enumerate() {
        let mut command = program();
        command.args(measure).arg(format!("run{number}")).current_dir(folder.path());
        if by_variable {
            command.env("GCN_TIMINGS_LLD", &here);
        } else {
            command.args(["--lld", &here]);
        }
        let CommandOutput { code, error, .. } = said(command.output().unwrap());
        assert_eq!(code, Some(0), "{error}");
        assert_plan_alone(&error);
    }
}

#[test]
fn tools_that_are_named_are_used_by_every_command() {
    for option in ["--llvm", "--lld"] {
        let error = failure(&["kernel", "V_ADD_F64", option, "no-such-tool"]);
        assert!(error.contains("no-such-tool") && error.contains("cannot be used"), "{error}");
    }
}

#[test]
fn special_files_are_refused_without_waiting() {
    let folder = temporary();
    let fifo = |path: &Path| assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    let card = folder.path().join("card.toml");
    fifo(&card);
    let error = failure(&["measure", "--device", &format!("sim:{}", text(&card))]);
    assert!(error.contains("card.toml") && error.contains("it is not a regular file"), "{error}");

    let error = failure(&["kernel", "V_ADD_F64", "--llvm", text(&card)]);
    assert!(error.contains("card.toml") && error.contains("it is not a regular file"), "{error}");

    fs::remove_file(&card).unwrap();
    symlink("/dev/zero", &card).unwrap();
    let error = failure(&["list", "--gpu", text(&card)]);
    assert!(error.contains("card.toml") && error.contains("it is not a regular file"), "{error}");

    let templates = copy_templates();
    let template = templates.path().join("timed.s.hbs");
    fs::remove_file(&template).unwrap();
    fifo(&template);
    let out = folder.path().join("out");
    let error = failure(&["measure", "--templates", text(templates.path()), "--out", text(&out)]);
    assert!(error.contains("timed.s.hbs") && error.contains("it is not a regular file"), "{error}");

    let path = small_run(&folder);
    for name in ["readings.csv", "run.json"] {
        let file = path.join(name);
        fs::remove_file(&file).unwrap();
        fifo(&file);
        let error = failure(&["analyze", text(&path)]);
        assert!(error.contains(name) && error.contains("it is not a regular file"), "{error}");
    }
}

#[test]
fn an_error_tells_its_cause_once() {
    for arguments in [&["analyze", "no-such-run"][..], &["list", "--gpu", "no-such-gpu.toml"]] {
        let error = failure(arguments);
        assert_eq!(error.matches("No such file").count(), 1, "{error}");
    }
    let folder = temporary();
    let path = folder.path().join("run");
    fs::create_dir(&path).unwrap();
    fs::write(path.join("run.json"), "{").unwrap();
    let error = failure(&["analyze", text(&path)]);
    assert_eq!(error.matches("EOF while parsing").count(), 1, "{error}");
}

#[test]
fn a_file_that_another_program_saved_is_refused() {
    let folder = temporary();
    let path = small_run(&folder);
    let bundle = folder.path().join("bundle");
    for name in ["experiments.csv", "journal.csv", "readings.csv"] {
        let whole = fs::read(path.join(name)).unwrap();
        fs::write(path.join(name), [&b"\xef\xbb\xbf"[..], &whole].concat()).unwrap();
        for arguments in [&["analyze", text(&path)][..], &["bundle", text(&path), "--out", text(&bundle)]] {
            let error = failure(arguments);
            assert!(error.contains(&format!("{name}:1: it starts with a byte order mark")), "{error}");
        }
        fs::write(path.join(name), whole).unwrap();
    }
    assert!(!bundle.exists());
}

#[test]
fn messages_name_what_the_user_named() {
    let folder = temporary();
    let path = small_run(&folder);
    let missing = folder.path().join("missing").join("bundle");
    let error = failure(&["bundle", text(&path), "--out", text(&missing)]);
    let expected =
        format!("gcn-timings: {}: cannot be written: No such file or directory (os error 2)\n", text(&missing));
    assert_eq!(error, expected);
    let file = folder.path().join("libLLVM.so.22");
    fs::write(&file, "").unwrap();
    // No folder for its temporary name.
    let site = Path::new("/proc/site");
    let error = failure(&["site", text(&path), "--out", text(site)]);
    assert_eq!(error, "gcn-timings: /proc/site: cannot be written: No such file or directory (os error 2)\n");
    // The system says why it loads no library.
    let error = failure(&["kernel", "V_ADD_F64", "--llvm", text(&file)]);
    assert!(error.contains("file too short"), "{error}");
}

/// A linker of a folder that runs these lines of a shell.
fn linker(folder: &TempDir, script: &str) -> PathBuf {
    let linker = folder.path().join("ld.lld");
    fs::write(&linker, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&linker, fs::Permissions::from_mode(0o755)).unwrap();
    linker
}

#[test]
fn a_linker_that_hangs_is_waited_for_a_few_seconds() {
    let folder = temporary();
    let linker = linker(&folder, "exec sleep 3600");
    let error = failure(&["measure", "--only", "V_MOV_B32", "--lld", text(&linker)]);
    assert!(error.contains("it did not end within 10s and was killed"), "{error}");
}

#[test]
fn a_linker_without_memory_says_so() {
    let folder = temporary();
    let own = Linker::find(None, &Llvm::find(None).unwrap()).unwrap();
    let flavor = if own.path().ends_with("ld.lld") { "" } else { "-flavor gnu" };
    let starts = format!("exec '{}' {flavor} \"$@\"", own.path().display());
    // LLD's code alone has more than 50 MB.
    let at_start = linker(&folder, &format!("ulimit -v 50000\n{starts}"));
    let measure = |linker: &Path, out: &str| {
        let out = folder.path().join(out);
        failure(&["measure", "--only", "V_MOV_B32", "--waves", "1", "--lld", text(linker), "--out", text(&out)])
    };
    let error = measure(&at_start, "run1");
    let reason = error.split_once("ld.lld: is not LLD: ").unwrap_or_else(|| panic!("{error}")).1;
    assert!(!reason.trim().is_empty() && !error.contains("Install"), "{error}");
    let when_linking = linker(&folder, &format!("[ \"$1\" = --version ] || kill -KILL $$\n{starts}"));
    let error = measure(&when_linking, "run2");
    assert!(error.contains("ld.lld failed: it ended with signal: 9 (SIGKILL)"), "{error}");
}
