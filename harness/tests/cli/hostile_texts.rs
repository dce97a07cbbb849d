//! Assembly text of strangers: it ends, keeps its memory, reads no file, prints nothing.

use std::fs;
use std::os::unix::fs::symlink;

use super::predicted::of_text;
use super::{CommandOutput, failure, run, temporary, text};

/// A text that is refused.
fn refusal(code: &str) -> String {
    let CommandOutput { code, out, error } = of_text(code, &["--llvm-seconds", "1"]);
    assert_eq!((code, out.as_str()), (Some(1), ""), "{error}");
    assert!(error.starts_with("gcn-timings: -") && error.len() < 5000, "{error}");
    error
}

#[test]
fn a_fatal_error_of_llvm_names_its_line() {
    let label = refusal("s_nop 0\nk: s_nop 0\n.size k, .-q\ns_nop 0\n");
    assert!(label.starts_with("gcn-timings: -:3: Size expression must be absolute.\n    .size k, .-q\n"), "{label}");
    let symbol = refusal("s_nop 0\n.set a0, b+b\n.long a0\nb: s_nop 0\n");
    assert!(symbol.starts_with("gcn-timings: -:4: cannot evaluate equated symbol 'a0'\n"), "{symbol}");
}

#[test]
fn deep_nesting_is_refused_with_its_line() {
    let deep = ["(".repeat(20_000), "-".repeat(500_000), "0+".repeat(300_000)];
    for expression in deep {
        let told = refusal(&format!("s_nop 0\ns_nop {expression}1\ns_nop 0\n"));
        assert!(told.starts_with("gcn-timings: -:2: LLVM's stack is used up: it is nested too deeply\n"), "{told}");
    }
    let metadata = format!(".amdgpu_metadata\n{}\n.end_amdgpu_metadata\n", "- ".repeat(100_000));
    assert!(refusal(&metadata).starts_with("gcn-timings: -:3: LLVM's stack is used up"));
}

#[test]
fn a_text_without_end_is_ended() {
    for endless in ["s_nop 0x/*", ".rept 1000000000\ns_nop 0\n.endr\n"] {
        let told = refusal(endless);
        let is_limit = told.contains("does not end within 1 s of processor time, the limit; --llvm-seconds raises it");
        assert!(is_limit || told.contains("--llvm-memory raises it"), "{told}");
    }
    let doubled: String = (0..31).map(|level| format!(".macro m{}\nm{level}\nm{level}\n.endm\n", level + 1)).collect();
    let told = refusal(&format!(".macro m0\ns_nop 0\n.endm\n{doubled}m31\n"));
    assert!(told.contains("nested") || told.contains("the limit"), "{told}");
}

#[test]
fn memory_has_a_limit_that_an_option_raises() {
    for large in [".zero 1073741824\n", ".space 0xffffffffffff\n", ".fill 0x7fffffffffff,8,0\n"] {
        let told = refusal(large);
        assert!(told.contains("--llvm-memory raises it") || told.contains("--llvm-seconds raises it"), "{told}");
    }
    let text = "s_branch end\n.zero 20000000\nend: s_nop 0\n";
    assert!(of_text(text, &["--llvm-memory", "200"]).error.contains("more than 200 MiB"));
    assert!(!of_text(text, &["--llvm-memory", "600"]).error.contains("MiB"));
}

#[test]
fn many_wrong_lines_end_soon() {
    let told = refusal(&"v_bad v0\n".repeat(100_000));
    assert!(told.contains("-:10:1: invalid instruction") && told.contains("and at least 990 more"), "{told}");
}

#[test]
fn files_of_the_machine_are_not_read() {
    let folder = temporary();
    let own = folder.path().join("own");
    fs::create_dir(&own).unwrap();
    let secret = folder.path().join("secret");
    fs::write(&secret, "TOPSECRET").unwrap();
    fs::write(own.join("beside"), "TOPSECRET").unwrap();
    symlink(&secret, own.join("link")).unwrap();
    let file = own.join("k.s");
    let by_macro = ".macro m x\n.inc\\x \"../secret\"\n.endm\nm bin\n";
    let named = |directive: &str, name: &str| format!("s_nop 0\n{directive} \"{name}\"\n");
    let mut texts = vec![by_macro.to_owned(), named(".incbin", "beside"), named(".include", "/dev/zero")];
    for name in [text(&secret), "../secret", "link"] {
        texts.extend([named(".incbin", name), named(".INCBIN", name), named(".include", name)]);
    }
    for code in &texts {
        fs::write(&file, code).unwrap();
        let told = failure(&["predict", text(&file)]);
        assert!(!told.contains("TOPS") && !told.contains("54534F54 "), "{code}: {told}");
        assert!(told.contains("Could not find inc"), "{code}: {told}");
    }
    // Whoever names a folder allows it.
    fs::write(own.join("bytes"), [0, 0, 0x80, 0xbf, 7, 7]).unwrap();
    fs::write(&file, "s_nop 1\n.incbin \"bytes\", 0, 4\n").unwrap();
    assert_eq!(run(&["predict", text(&file), "-I", text(&own)]).code, Some(0));
}

#[test]
fn a_text_prints_nothing_by_itself() {
    let told = refusal("s_nop 0\n.print \"x\"\n");
    assert!(told.starts_with("gcn-timings: -:2: .print is refused"), "{told}");
    let by_macro = ".macro m x\n.\\x \"forged\"\n.endm\nm print\ns_nop 0\n";
    let CommandOutput { code, out, error } = of_text(by_macro, &["--json"]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    serde_json::from_str::<serde_json::Value>(&out).unwrap();
    let escapes = refusal(".amdgpu_metadata\n[\x1b]0;pwn\x07\n.end_amdgpu_metadata\n");
    assert!(!escapes.contains('\x1b'), "{escapes:?}");
}
