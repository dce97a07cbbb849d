//! A fault, as a process sees it.

use std::path::Path;
use std::process::Command;

use super::{End, errors, text};

/// A requested fault, or a kernel that causes one, as a process sees it.
pub(crate) struct FaultCase {
    /// `GCN_TIMINGS_FAULT`.
    pub(crate) fault: &'static str,
    pub(crate) kernel: &'static str,
    /// The program's action.
    pub(crate) how: &'static str,
    pub(crate) end: End,
    /// The text on stdout and on stderr.
    pub(crate) says: [&'static str; 2],
}

/// Runs of a program that may miss its fault.
const TRIES: u32 = 4;

impl FaultCase {
    /// Seconds after which the program is killed: few if it does not end by itself.
    pub(crate) fn limit<'a>(&self, otherwise: &'a str) -> &'a str {
        if self.end == End::Never { "10" } else { otherwise }
    }

    /// Checks the cases on both GPUs at once: the programs wait more than they compute.
    pub(crate) fn check_all(cases: &[Self], gpus: [&str; 2], check: impl Fn(&Self, &str) + Sync) {
        std::thread::scope(|threads| {
            for gpu in gpus {
                let check = &check;
                threads.spawn(move || cases.iter().for_each(|case| check(case, gpu)));
            }
        });
    }

    /// Runs the test program with the fault.
    pub(crate) fn check(&self, gpu: &str, mut command: Command, kernels: &Path) {
        let Self { fault, kernel, how, end, says } = self;
        command.arg("fault").arg(kernels).args([kernel, how]).env("GCN_TIMINGS_FAULT", fault);
        // A program that asks again and again gives up soon only where that is its task.
        command.env("POLLS", if *end == End::Code(3) { "2500" } else { "30000" });
        let mut output = command.output().unwrap();
        // ROCr lets only the first who waits for a signal sleep (`Signal::WaitAny`: "temporary, known to be bad"). Its thread for
        // events, if it begins to wait while the program asks for the same signal, spins forever and sees no fault of memory: seen
        // once on a loaded machine. The program then gives up, and has another try.
        for _ in 1..TRIES {
            if *end == End::Aborted && End::of(&output) == End::Code(3) {
                output = command.output().unwrap();
            }
        }
        let found = format!("{gpu} {fault} {kernel} {how}: {}{}", text(&output), errors(&output));
        assert_eq!(End::of(&output), *end, "{found}");
        assert!(text(&output).contains(says[0]) && errors(&output).contains(says[1]), "{found}");
    }
}
