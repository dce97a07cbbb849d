//! Synchronisation objects, by which Mesa 25 waits for what it submits: the answers of Linux.

use std::path::Path;
use std::process::Command;

use crate::preloaded::{command_for, has_tool, run, text};
use crate::program::NEED_OPENCL;

#[test]
fn synchronisation_objects_are_made_waited_for_and_removed() {
    if !has_tool("cc", NEED_OPENCL) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clover/programs/sync_objects.c");
    run(Command::new("cc").arg("-o").arg(&program).arg(source));
    let said = text(&command_for("tahiti", &program, "60").output().unwrap());
    let (missing, invalid, late) = (libc::ENOENT, libc::EINVAL, libc::ETIME);
    let expected = format!(
        "capability: 0\nvalue: 1\ncreate: 0\ncreate signalled: 0\ncreate with a wrong flag: {invalid}\n\
         wait without a submission: {invalid}\nwait for any: 0\nfirst: 1\nwait for all: {late}\nwait for none: {invalid}\n\
         destroy: 0\ndestroy: {invalid}\nwait for nothing that exists: {missing}\n"
    );
    assert_eq!(said, expected);
}
