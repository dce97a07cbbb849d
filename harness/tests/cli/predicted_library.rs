//! `predict --compare` of two builds of a library.

use std::fs;

use serde_json::Value;

use super::predicted_schema::Schema;
use super::{run, temporary, text};

/// A kernel with a loop of some multiplications.
fn kernel((name, multiplications): (&str, usize)) -> String {
    let body = "v_mul_f32 v1, v2, v3\n".repeat(multiplications);
    format!(
        ".text\n.globl {name}\n.p2align 8\n.type {name},@function\n{name}:\n.L{name}:\n{body}s_cbranch_scc1 .L{name}\ns_endpgm\n\
         .size {name}, .-{name}\n.rodata\n.p2align 6\n.amdhsa_kernel {name}\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 8\n\
         .end_amdhsa_kernel\n"
    )
}

fn library(kernels: &[(&str, usize)]) -> String {
    kernels.iter().copied().map(kernel).collect()
}

#[test]
fn all_kernels_of_two_builds_are_compared_the_slowest_first() {
    let folder = temporary();
    let [before, after] = ["before.s", "after.s"].map(|name| folder.path().join(name));
    fs::write(&before, library(&[("same", 4), ("slower", 4), ("faster", 9), ("gone", 2)])).unwrap();
    // In another order, and with a kernel more.
    fs::write(&after, library(&[("new", 2), ("faster", 4), ("slower", 9), ("same", 4)])).unwrap();
    let command = ["predict", text(&before), "--gpu", "fiji", "--compare", text(&after)];
    let said = run(&[&command[..], &["--json"]].concat());
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    let answer: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(Schema::of_libraries().refuses(&answer), None);
    let rows = answer["kernels"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row["kernel"].as_str().unwrap()).collect();
    assert_eq!(names, ["slower", "same", "faster", "gone", "new"]);
    // Each multiplication takes 4 cycles, the jump 20.
    let changes: Vec<f64> = rows.iter().filter_map(|row| row["change_percent"].as_f64()).collect();
    let expected = [20.0 / 36.0, 0.0, -20.0 / 56.0];
    assert!(
        changes.iter().zip(expected).all(|(change, expected)| (change - expected * 100.0).abs() < 1e-9),
        "{changes:?}"
    );
    assert!(rows[3]["problem"].as_str().unwrap().ends_with("after.s"), "{}", rows[3]);

    let told = run(&command).out;
    assert!(told.contains("       36        56   +55.6 %  slower, loop at"), "{told}");
    let failed = run(&[&command[..], &["--fail-above", "2"]].concat());
    assert_eq!(failed.code, Some(3));
    assert!(
        failed.error.contains("slower: loop at") && failed.error.contains("55.6 % slower; the limit is 2 %"),
        "{}",
        failed.error
    );
    assert_eq!(run(&[&command[..], &["--fail-above", "60"]].concat()).code, Some(0));
}

#[test]
fn one_kernel_of_two_builds_is_compared_line_by_line() {
    let folder = temporary();
    let [before, after] = ["before.s", "after.s"].map(|name| folder.path().join(name));
    fs::write(&before, library(&[("one", 4), ("other", 4)])).unwrap();
    fs::write(&after, library(&[("one", 5), ("other", 4)])).unwrap();
    let command = ["predict", text(&before), "--gpu", "fiji", "--kernel", "one", "--compare", text(&after)];
    let answer: Value = serde_json::from_str(&run(&[&command[..], &["--json"]].concat()).out).unwrap();
    assert_eq!(answer["schema"], "gcn-timings-predict-compare-1");
    assert_eq!(answer["comparisons"].as_array().unwrap().len(), 1);
}
