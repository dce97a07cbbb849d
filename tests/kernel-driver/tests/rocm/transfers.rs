//! Copies, fills, streams, launches and events of a program of HIP's, with the data checked by the program itself.

use crate::preloaded::{errors, text};
use crate::program::Built;

const GPUS: [&str; 2] = ["fiji", "vega10"];

#[test]
fn copies_and_fills_are_right() {
    let Some(built) = Built::get() else { return };
    for gpu in GPUS {
        let output = built.command(gpu).arg("memory").output().unwrap();
        assert!(output.status.success(), "{gpu}: {}{}", text(&output), errors(&output));
        let right = ["copies of 1 byte", "copies of 4099 bytes", "copies of 3 MiB", "fills"];
        let expected: String = right.iter().map(|what| format!("{what}: right\n")).collect();
        assert_eq!(text(&output), expected + "end\n", "{gpu}");
        assert_eq!(errors(&output), "", "{gpu}");
    }
}

#[test]
fn two_streams_and_1000_launches_are_right() {
    let Some(built) = Built::get() else { return };
    for gpu in GPUS {
        let output = built.command(gpu).arg("launches").arg(built.kernels(gpu)).output().unwrap();
        assert!(output.status.success(), "{gpu}: {}{}", text(&output), errors(&output));
        let right = ["first stream", "second stream", "time between events", "memory of the host"];
        let expected: String = right.iter().map(|what| format!("{what}: right\n")).collect();
        assert_eq!(text(&output), expected + "end\n", "{gpu}");
        assert_eq!(errors(&output), "", "{gpu}");
    }
}
