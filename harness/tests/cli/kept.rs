//! Kernels that were assembled before, for machines without LLVM.

use std::fs;
use std::path::Path;

use super::{CommandOutput, failure, run, temporary, text};

fn record(folder: &Path) -> serde_json::Value {
    serde_json::from_str(&fs::read_to_string(folder.join("run.json")).unwrap()).unwrap()
}

#[test]
fn kept_kernels_are_those_that_llvm_makes() {
    let folder = temporary();
    let kernels = folder.path().join("kernels");
    let CommandOutput { code, out, error } = run(&["assemble", "--gpu", "tahiti", "--out", text(&kernels)]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert!(out.starts_with("gfx600: ") && out.trim_end().ends_with("for tahiti"), "{out}");
    let again = failure(&["assemble", "--gpu", "tahiti", "--out", text(&kernels)]);
    assert!(again.contains("gfx600.tar.zst"), "nothing is overwritten: {again}");

    let [kept, made] = ["kept", "made"].map(|name| folder.path().join(name));
    // Of a shard everything is assembled, and little is launched.
    let device = ["measure", "--device", "sim:tahiti", "--shard", "1/500"];
    for (path, more) in [(&kept, &["--kernels", text(&kernels)][..]), (&made, &[])] {
        let said = run(&[&device[..], &["--out", text(path)], more].concat());
        assert_eq!(said.code, Some(0), "{}", said.error);
    }
    let [kept_record, made_record] = [&kept, &made].map(|path| record(path));
    assert_eq!(kept_record["code_objects"], made_record["code_objects"]);
    assert_eq!(kept_record["assembler"], made_record["assembler"]);
    assert_eq!(fs::read(kept.join("timings.csv")).unwrap(), fs::read(made.join("timings.csv")).unwrap());

    let other = folder.path().join("other");
    let options = ["--only", "V_MOV_B32", "--kernels", text(&kernels), "--out", text(&other)];
    let error = failure(&[&["measure", "--device", "sim:tahiti"][..], &options].concat());
    assert!(error.contains("not among the kept ones") && error.contains("with LLVM"), "{error}");
    let error = failure(&["measure", "--device", "sim:fiji", "--kernels", text(&kernels), "--out", text(&other)]);
    assert!(error.contains("no kernels are kept for gfx803"), "{error}");
    let CommandOutput { code, out, error } = run(&["dpfactor", "--device", "sim:tahiti", "--kernels", text(&kernels)]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert!(out.contains("\nDPFACTOR is 2 "), "{out}");

    let archive = kernels.join("gfx600.tar.zst");
    let bytes = fs::read(&archive).unwrap();
    fs::write(&archive, &bytes[..bytes.len() / 2]).unwrap();
    let error = failure(&["measure", "--device", "sim:tahiti", "--kernels", text(&kernels), "--out", text(&other)]);
    assert!(error.contains("gfx600.tar.zst"), "{error}");
    assert!(!other.join("run.json").exists(), "no run was begun");
}
