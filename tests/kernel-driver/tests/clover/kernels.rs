//! Copies, fills, launches and events of a program of OpenCL's, with the data checked by the program itself.

use crate::preloaded::{End, errors, text};
use crate::program::{Built, CHIPS};

/// The program's output after its first line, which is about the device.
fn findings(text: &str) -> Vec<&str> {
    text.lines().skip(1).collect()
}

#[test]
fn copies_and_fills_are_right() {
    let Some(built) = Built::get() else { return };
    for (gpu, ..) in CHIPS {
        let output = built.command(gpu, "3600").arg("memory").output().unwrap();
        let right =
            ["copies of 1 byte", "copies of 4099 bytes", "copies of 1 MiB and 4 bytes", "fills", "mapped memory"];
        let expected: Vec<String> = right.iter().map(|what| format!("{what}: right")).chain(["end".into()]).collect();
        assert_eq!(findings(&text(&output)), expected, "{gpu}: {}", errors(&output));
        assert_eq!((errors(&output), End::of(&output)), (String::new(), End::Code(0)), "{gpu}");
    }
}

#[test]
fn kernels_compute_and_each_is_one_launch() {
    let Some(built) = Built::get() else { return };
    for (gpu, ..) in CHIPS {
        let output = built.command(gpu, "3600").arg("kernels").arg(built.kernels(gpu)).output().unwrap();
        let right = ["a sum", "time of the sum", "20 launches in a row", "work-groups turned round in LDS"];
        let mut expected: Vec<String> = right.iter().map(|what| format!("{what}: right")).collect();
        // A launch begins 2^24 cycles after the one before, and Mesa's own fills in between do not count.
        expected.extend(["clocks: 16777216 16777216".into(), "end".into()]);
        assert_eq!(findings(&text(&output)), expected, "{gpu}: {}", errors(&output));
        assert_eq!((errors(&output), End::of(&output)), (String::new(), End::Code(0)), "{gpu}");
    }
}
