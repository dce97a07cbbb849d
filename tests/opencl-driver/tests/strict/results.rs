//! A correct program works: results of a kernel, transfers, mappings.

use crate::code_object::CodeObject;
use crate::host::{GPUS, ended, has_loader, host};

#[test]
fn the_right_sequence_gives_the_right_bits() {
    if !has_loader() {
        return;
    }
    for (gpu, target) in GPUS {
        let object = CodeObject::of(target);
        let mut command = host(&object, "xor", None);
        command.env("GCN_TIMINGS_GPU", gpu);
        let ended = ended(command);
        assert_eq!((ended.code, ended.out.as_str(), ended.error.as_str()), (Some(0), "right results\n", ""), "{gpu}");
    }
}

#[test]
fn a_program_that_reads_too_early_sees_that_nothing_is_there() {
    if !has_loader() {
        return;
    }
    let ended = ended(host(&CodeObject::of("gfx803"), "xor", Some("read-too-early")));
    assert_eq!((ended.code, ended.out.as_str(), ended.error.as_str()), (Some(4), "wrong results\n", ""));
}
